//! Cuts a mandoku file into marks and text.

use std::sync::LazyLock;

use regex::Regex;

use crate::diag::Diagnostic;
use crate::readers::{stray_bracket, unclosed_bracket};
use crate::source::Span;
use crate::text::pattern;

/// The most lines that a bracket may stay open in a file that does not close brackets at line ends.
const MAX_BRACKET_LINES: usize = 80;

static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    let n = "[一二三四五六七八九十百上中下之]+";
    let by = "(?:撰|注|註|疏|䟽|箋|音義|集解|集釋|解|學|校|編|奉敕撰|等撰|等奉敕撰|述|正義)";
    pattern(&format!(
        r"^(?:欽定四庫全書.*|\S{{1,10}}[卷巻][第之]?{n}(?:考證)?(?:　.*)?|\S{{1,10}}第{n}(?:　.*)?|[漢魏晉唐宋元明清周吳梁隋]\S*(?:　*\S+)*　*{by}|\*+ +\S.*|\S+考證)$"
    ))
});

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MandokuKind {
    /// `#+TITLE: …` and the mode line.
    Property,
    /// `<pb:…>`, brackets, the middle of a double row, the end of a printed line.
    Mark,
    /// Blanks.
    Blank,
    /// Text.
    Words,
}

/// A piece of the file.
#[derive(Clone, Copy, Debug)]
pub struct MandokuToken {
    /// Its kind.
    pub kind: MandokuKind,
    /// Its span.
    pub span: Span,
    /// True inside brackets.
    pub note: bool,
    /// Number of its printed line.
    pub line: usize,
}

/// A printed line.
#[derive(Clone, Copy, Debug)]
pub struct PrintedLine {
    /// Its text, without indentation and `¶`.
    pub span: Span,
    /// Ideographic blanks before them.
    pub indent: usize,
    /// A title, or the names of the authors.
    pub heading: bool,
    /// Its text before the bracket is a title, at the head of the text: `隱公第一(陸曰…)`.
    pub title: bool,
}

/// A file cut into tokens.
#[derive(Debug, Default)]
pub struct Tokens {
    /// The tokens; they cover the file except for blanks.
    pub tokens: Vec<MandokuToken>,
    /// The printed lines.
    pub lines: Vec<PrintedLine>,
    /// Brackets that do not match.
    pub diagnostics: Vec<Diagnostic>,
}

/// Cuts a file into tokens.
pub fn cut(text: &str) -> Tokens {
    let mut tokenizer =
        Tokenizer { text, reopens: reopens(text), open: None, first: true, cut: Tokens::default() };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        tokenizer.line(at, line);
        at += line.len();
    }
    tokenizer.give_up(text.len());
    tokenizer.cut
}

/// True if brackets are closed and reopened at the ends of lines, as most files do.
fn reopens(text: &str) -> bool {
    let (mut even, mut odd) = (0usize, 0usize);
    for line in text.lines().filter(|l| l.contains(['(', ')'])) {
        let same = line.matches('(').count() == line.matches(')').count();
        *(if same { &mut even } else { &mut odd }) += 1;
    }
    even >= 9 * odd
}

struct Tokenizer<'a> {
    text: &'a str,
    reopens: bool,
    /// The open bracket, and the line it opened in.
    open: Option<(usize, usize)>,
    /// True if there were only titles so far.
    first: bool,
    cut: Tokens,
}

impl Tokenizer<'_> {
    fn line(&mut self, at: usize, line: &str) {
        let body = line.trim_end_matches(['\n', '\r']);
        if body.trim_start_matches('\u{FEFF}').starts_with("#+")
            || body.trim_start_matches('\u{FEFF}').starts_with("# ")
        {
            return self.push(MandokuKind::Property, at, at + line.len());
        }
        let page = if body.starts_with("<pb:") { body.find('>').map_or(0, |i| i + 1) } else { 0 };
        self.push(MandokuKind::Mark, at, at + page);
        let words = &body[page..];
        let end = words.len() - words.trim_end_matches(['¶', ' ', '\t', '\u{3000}']).len();
        let (from, to) = (at + page, at + body.len() - end);
        let inner = self.text[from..to].trim_start_matches(['\u{3000}', ' ', '\u{FEFF}']);
        let start = to - inner.len();
        let indent = self.text[from..start].chars().filter(|c| *c == '\u{3000}').count();
        if inner.is_empty() {
            if page == 0 {
                self.give_up(to);
            }
        } else {
            let heading = self.open.is_none() && self.is_heading(inner, indent);
            let labelled = |head: &str| super::names::USUAL.iter().any(|(l, _)| head.ends_with(l));
            let is_title =
                |(head, _): (&str, &str)| self.is_heading(head, indent) && !labelled(head);
            let title = self.first && inner.split_once('(').is_some_and(is_title);
            self.first &= heading || title || self.open.is_some();
            self.cut.lines.push(PrintedLine { span: Span::new(start, to), indent, heading, title });
            self.push(MandokuKind::Blank, from, start);
            self.words(start, to);
        }
        self.push(MandokuKind::Mark, to, at + line.len());
        if self.reopens
            || self.open.is_some_and(|(_, l)| self.cut.lines.len() > l + MAX_BRACKET_LINES)
        {
            self.give_up(to);
        }
    }

    /// True for a title by its form; before the first line of text also for an indented, short
    /// line.
    fn is_heading(&self, words: &str, indent: usize) -> bool {
        let short = words.chars().count() <= 10 && indent > 0 && !words.contains(['(', '注', '○']);
        !words.contains('(') && (HEADING.is_match(words) || (self.first && short))
    }

    fn words(&mut self, start: usize, end: usize) {
        let mut from = start;
        for (i, c) in
            self.text[start..end].char_indices().filter(|(_, c)| matches!(c, '(' | ')' | '/' | '<'))
        {
            let at = start + i;
            let mut to = at + 1;
            match c {
                _ if at < from => continue,
                '(' => {}
                ')' if self.open.is_some() => {}
                '/' if self.open.is_some() => {}
                ')' => {
                    self.cut.diagnostics.push(stray_bracket(Span::new(at, to)));
                }
                '<' if self.text[at..end].starts_with("<pb:") => {
                    to = self.text[at..end].find('>').map_or(end, |n| at + n + 1);
                }
                _ => continue,
            }
            self.push(MandokuKind::Words, from, at);
            match c {
                '(' if self.open.is_none() => self.open = Some((at, self.cut.lines.len())),
                ')' => self.open = None,
                _ => {}
            }
            self.push(MandokuKind::Mark, at, to);
            from = to;
        }
        self.push(MandokuKind::Words, from, end);
    }

    fn push(&mut self, kind: MandokuKind, from: usize, to: usize) {
        if from < to {
            let line = self.cut.lines.len().saturating_sub(1);
            let note = self.open.is_some();
            self.cut.tokens.push(MandokuToken { kind, span: Span::new(from, to), note, line });
        }
    }

    /// Closes an open bracket and reports it.
    fn give_up(&mut self, end: usize) {
        if let Some((at, _)) = self.open.take() {
            let line = self.text[at..].find('\n').map_or(self.text.len(), |n| at + n);
            let span = Span::new(at, line.min(end).max(at + 1));
            let end = "the end of its line or paragraph";
            self.cut.diagnostics.push(unclosed_bracket(span, end));
        }
    }
}
