//! Reads 句讀 as Hugo Markdown: YAML front matter, shortcodes, unpunctuated 經 with its notes in
//! `<small>`.
//!
//! Assumes the conventions of such files: blank lines separate paragraphs; a note begins with 鄭玄's
//! text, and each `○` in it begins text of 張爾岐. (The pass `yinyi` decides which of these are 音義,
//! the pass `labels` where the 經 ends and a section label begins.) Only `key: value` lines of the
//! front matter are read: these files have nothing deeper, and a YAML crate would be larger than
//! the reader. Broken markup never loses text: an unclosed tag ends with its paragraph, and a
//! diagnostic shows where.

use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::diag::{Diagnostic, Error};
use crate::model::thresholds::AFTER_UNCLOSED_MARK;
use crate::model::{Certainty, Commentary, Document, Evidence, EvidenceKind, Layer, Meta, Segment};
use crate::source::{Source, Span};
use crate::text::{numeral, pattern};

/// The layer after a ○.
const JU: Layer = Layer::Named(Commentary::JU);

static TAG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?s)<!--.*?(?:-->|\z)|\{\{[<%].*?[%>]\}\}|</?[A-Za-z][^<>\n]*>|\n[ \t\r]*\n\s*")
});
static SHORTCODE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\{\{[<%]\s*(/?)\s*([\w-]+)"));
static TITLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(?:#+\s*)?([^\s第]{1,8}第([一二三四五六七八九十百]+))"));

/// Recognises `<small>` in Markdown, but not in web pages.
pub fn sniff(head: &str) -> u8 {
    let start = super::start(head);
    let page = ["<?xml", "<!doctype", "<html", "<tei"]
        .iter()
        .any(|t| start.get(..t.len()).is_some_and(|s| s.eq_ignore_ascii_case(t)));
    if page || !head.contains("<small>") {
        return 0;
    }
    if start.starts_with("---") || head.contains("{{<") { 90 } else { 40 }
}

/// Reads. See the [module](self).
///
/// # Errors
/// None of its own: odd markup becomes diagnostics.
pub fn read(source: Source) -> Result<Document, Error> {
    let mut document = Document::new(Arc::new(source), "judou");
    let source = document.source.clone();
    let mut parser = JudouParser::new(source.text());
    let body = parser.front_matter(&mut document.meta);
    parser.body(body);
    parser.finish();
    parser.unreadable();
    if let Some(edition) = parser.subtitle.take() {
        document.meta.edition = Some(edition);
    }
    document.segments = parser.segments.into();
    document.diagnostics = parser.diagnostics.into();
    Ok(document)
}

struct JudouParser<'a> {
    text: &'a str,
    segments: Vec<Segment>,
    diagnostics: Vec<Diagnostic>,
    /// The open `<small>` tags.
    open: Vec<Span>,
    /// The open shortcode, and where its content begins.
    shortcode: Option<(&'a str, usize)>,
    subtitle: Option<String>,
    /// True until the first 經 has been seen.
    first: bool,
    /// The next blank line, the next closing tag and the one after it, the next opening tag.
    ahead: [Ahead; 4],
}

/// Where something comes next. A place that was found is kept until it is passed: notes that are
/// never closed would have the rest of the text searched for each.
struct Ahead {
    what: &'static str,
    /// What was found from which byte on.
    found: Option<(usize, Option<usize>)>,
}

impl Ahead {
    fn of(what: &'static str) -> Self {
        Ahead { what, found: None }
    }

    /// Its first place from byte `at` on.
    fn from(&mut self, text: &str, at: usize) -> Option<usize> {
        let is_known = |(from, found): (usize, Option<usize>)| {
            from <= at && found.is_none_or(|found| found >= at)
        };
        match self.found.filter(|known| is_known(*known)) {
            Some((_, found)) => found,
            None => {
                let found = text[at..].find(self.what).map(|i| at + i);
                self.found = Some((at, found));
                found
            }
        }
    }
}

impl<'a> JudouParser<'a> {
    fn new(text: &'a str) -> Self {
        let (segments, diagnostics, open) = (vec![], vec![], vec![]);
        JudouParser {
            text,
            segments,
            diagnostics,
            open,
            shortcode: None,
            subtitle: None,
            first: true,
            ahead: ["\n\n", "</small>", "</small>", "<small>"].map(Ahead::of),
        }
    }

    /// Reads the front matter, if there is any, and returns where the body begins.
    fn front_matter(&mut self, meta: &mut Meta) -> usize {
        let bom = if self.text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        let end = match front_matter_end(&self.text[bom..]) {
            Some(Ok(end)) => bom + end,
            Some(Err(first_line)) => {
                let span = Span::new(bom, bom + first_line);
                self.warn(
                    "front-matter-unclosed",
                    span,
                    "the front matter opens with --- and is not closed",
                    "add a line --- after it",
                );
                self.push(Layer::Furniture, Span::new(0, bom + first_line));
                return bom + first_line;
            }
            None => {
                let message = "there is no front matter, so the title is unknown";
                self.diagnostics.push(Diagnostic::info(
                    "front-matter-missing",
                    Span::new(0, bom),
                    message,
                ));
                self.push(Layer::Furniture, Span::new(0, bom));
                return bom;
            }
        };
        for (key, value) in self.text[bom..end].lines().filter_map(|l| l.split_once(':')) {
            if key.trim() == "title" {
                title_into(value.trim().trim_matches(['"', '\'']), meta);
            }
        }
        self.push(Layer::Furniture, Span::new(0, end));
        end
    }

    fn body(&mut self, from: usize) {
        let text = self.text;
        let mut at = from;
        for tag in TAG.find_iter(&text[from..]) {
            let span = Span::new(from + tag.start(), from + tag.end());
            self.words(Span::new(at, span.start()));
            at = span.end();
            match tag.as_str().as_bytes() {
                [b'{', ..] => self.shortcode(span),
                _ if self.shortcode.is_some() => {}
                [b'<', b'!', ..] => self.push(Layer::Furniture, span),
                [b'<', ..] => self.tag(span),
                _ => self.blank(span),
            }
        }
        self.words(Span::new(at, text.len()));
    }

    /// Reads text between tags.
    fn words(&mut self, span: Span) {
        if span.is_empty() || self.shortcode.is_some() {
            return;
        }
        if self.open.is_empty() { self.classic(span) } else { self.note(span) }
    }

    fn classic(&mut self, span: Span) {
        let words = &self.text[span.range()];
        if words.trim().is_empty() {
            return self.push(Layer::Blank, span);
        }
        let mut span = self.lead(span);
        let words = &self.text[span.range()];
        let opens_paragraph =
            self.segments.last().is_none_or(|s| matches!(s.layer, Layer::Blank | Layer::Furniture));
        let heading = if opens_paragraph { heading_len(words, self.first) } else { 0 };
        if heading > 0 {
            self.push(Layer::Heading, Span::new(span.start(), span.start() + heading));
            span = self.lead(Span::new(span.start() + heading, span.end()));
        }
        self.first = false;
        let kept = self.text[span.range()].trim_end().len();
        self.push(Layer::Jing, Span::new(span.start(), span.start() + kept));
        self.push(Layer::Blank, Span::new(span.start() + kept, span.end()));
    }

    /// Covers the blanks at the start and returns the rest.
    fn lead(&mut self, span: Span) -> Span {
        let blank = span.len() - self.text[span.range()].trim_start().len();
        self.push(Layer::Blank, Span::new(span.start(), span.start() + blank));
        Span::new(span.start() + blank, span.end())
    }

    /// Reads the text of a note: 鄭玄 up to the first ○ (unless the note has already begun), then
    /// each ○ with what follows it.
    fn note(&mut self, span: Span) {
        let words = &self.text[span.range()];
        let speaking = self
            .segments
            .iter()
            .rev()
            .take_while(|s| matches!(s.layer, JU | Layer::Mark | Layer::Zhu));
        let after_circle = speaking
            .take_while(|s| !self.text[s.span.range()].starts_with("<small"))
            .any(|s| s.layer == JU);
        let mut cuts: Vec<usize> = words.match_indices('○').map(|(i, _)| i).collect();
        if cuts.first() != Some(&0) {
            cuts.insert(0, 0);
        }
        cuts.push(words.len());
        for pair in cuts.windows(2) {
            let piece = Span::new(span.start() + pair[0], span.start() + pair[1]);
            let circled = self.text[piece.range()].starts_with('○');
            let layer = if circled || after_circle { JU } else { Layer::Zhu };
            self.push(layer, piece);
        }
    }

    fn tag(&mut self, span: Span) {
        let tag = &self.text[span.range()];
        let name = tag
            .trim_start_matches(['<', '/'])
            .trim_end_matches(['>', '/'])
            .split_whitespace()
            .next()
            .unwrap_or("");
        let closes = tag.starts_with("</");
        if !name.eq_ignore_ascii_case("small") {
            self.diagnostics.push(Diagnostic::info(
                "other-tag",
                span,
                format!("the tag {tag} says nothing of layers and is passed over"),
            ));
        } else if !closes {
            self.opens(span);
        } else if self.open.pop().is_none() {
            self.warn(
                "stray-small",
                span,
                "</small> closes nothing",
                "delete it, or open the note with <small>",
            );
        }
        self.push(Layer::Mark, span);
    }

    /// `<small>` inside a note: nested if both are closed before the next one opens; otherwise the
    /// outer one was left open.
    fn opens(&mut self, span: Span) {
        if !self.open.is_empty() {
            let (text, [end, first, second, next]) = (self.text, &mut self.ahead);
            let from = span.end();
            let end = end.from(text, from).unwrap_or(text.len());
            let closed = first.from(text, from).and_then(|c| second.from(text, c + "<".len()));
            let closed = closed.filter(|c| *c < end);
            if closed.is_some_and(|c| next.from(text, from).is_none_or(|o| c < o)) {
                self.warn(
                    "nested-small",
                    span,
                    "<small> is inside a note",
                    "notes do not nest; close the outer one first",
                );
            } else {
                let outer = self.open.pop().unwrap_or(span);
                self.warn(
                    "unclosed-small",
                    outer,
                    "<small> is not closed before the next one",
                    "add </small> where the note ends",
                );
                self.distrust(outer);
            }
        }
        self.open.push(span);
    }

    /// The text since an unclosed `<small>` may contain 經.
    fn distrust(&mut self, opened: Span) {
        let why = || {
            Evidence::new(
                EvidenceKind::UnclosedSmall,
                "its <small> is not closed, so 經 may be among these words",
            )
        };
        for s in self.segments.iter_mut().rev().take_while(|s| s.span.start() > opened.start()) {
            if s.layer != Layer::Mark {
                s.certainty = Certainty::new(AFTER_UNCLOSED_MARK);
                s.evidence = [why()].into();
            }
        }
    }

    /// A blank line ends a paragraph and everything open in it.
    fn blank(&mut self, span: Span) {
        if let Some(first) = self.open.first().copied() {
            self.warn(
                "unclosed-small",
                first,
                "<small> is not closed before its paragraph ends",
                "add </small> where the note ends",
            );
            self.distrust(first);
            self.open.clear();
        }
        self.push(Layer::Blank, span);
    }

    fn shortcode(&mut self, span: Span) {
        let Some(found) = SHORTCODE.captures(&self.text[span.range()]) else {
            return self.push(Layer::Furniture, span);
        };
        let (closing, name) = (&found[1] == "/", found.get(2).map_or("", |m| m.as_str()));
        match self.shortcode {
            Some((open, from)) if closing && open == name => {
                if name == "subtitle" {
                    self.subtitle = Some(self.text[from..span.start()].trim().to_string());
                }
                self.shortcode = None;
                self.push(Layer::Furniture, Span::new(from, span.end()));
            }
            // Inside an open shortcode everything is its content, taken when it closes.
            Some(_) => {}
            None => {
                let name = &self.text[span.start() + found.get(2).map_or(0, |m| m.start())..]
                    [..name.len()];
                let paired = [
                    format!("{{{{</{name}>}}}}"),
                    format!("{{{{% /{name} %}}}}"),
                    format!("{{{{< /{name} >}}}}"),
                ];
                let rest = &self.text[span.end()..];
                if !closing && paired.iter().any(|p| rest.contains(p.as_str())) {
                    self.shortcode = Some((name, span.end()));
                } else if closing {
                    self.warn(
                        "stray-shortcode",
                        span,
                        "this shortcode closes nothing",
                        "delete it",
                    );
                }
                self.push(Layer::Furniture, span);
            }
        }
    }

    fn finish(&mut self) {
        let end = self.text.len();
        if let Some(first) = self.open.first().copied() {
            self.warn(
                "unclosed-small",
                first,
                "<small> is not closed before the text ends",
                "add </small> where the note ends",
            );
            self.distrust(first);
        }
        let at = self.segments.last().map_or(0, |s| s.span.end());
        self.push(Layer::Furniture, Span::new(at, end));
    }

    /// ● replaces a character that could not be read; it remains text.
    fn unreadable(&mut self) {
        let marks: Vec<usize> = self.text.match_indices('●').map(|(at, _)| at).collect();
        for at in marks {
            let found = Diagnostic::info(
                "unreadable",
                Span::new(at, at + '●'.len_utf8()),
                "● replaces a character that could not be read",
            );
            self.diagnostics.push(found.hint("another edition may have it"));
        }
    }

    fn push(&mut self, layer: Layer, span: Span) {
        if span.is_empty() {
            return;
        }
        match self.segments.last_mut() {
            Some(last)
                if last.layer == layer && matches!(layer, Layer::Blank | Layer::Furniture) =>
            {
                last.span = Span::new(last.span.start(), span.end());
            }
            _ => self.segments.push(Segment::marked(layer, span)),
        }
    }

    fn warn(&mut self, code: &'static str, span: Span, message: &str, hint: &str) {
        self.diagnostics.push(Diagnostic::warning(code, span, message).hint(hint));
    }
}

/// Bytes of the front matter with its closing line; `Err` has the length of the first line if it is
/// not closed; `None` if there is none.
fn front_matter_end(text: &str) -> Option<Result<usize, usize>> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|l| l.trim_end() == "---")?;
    let mut at = first.len();
    for line in lines {
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return Some(Ok(at));
        }
        // A line that is neither `key: value` nor indented nor blank is text: the closing line is
        // missing.
        if !line.trim().is_empty() && !line.starts_with([' ', '-', '#']) && !line.contains(':') {
            break;
        }
    }
    Some(Err(first.len()))
}

/// `大射儀第七` is chapter 大射儀, number 7.
fn title_into(title: &str, meta: &mut Meta) {
    if title.is_empty() {
        return;
    }
    meta.title = title.to_string();
    if let Some(found) = TITLE.captures(title) {
        meta.chapter = Some(found[1].split('第').next().unwrap_or_default().to_string());
        meta.number = numeral::parse(&found[2]);
    }
}

/// Bytes of the heading at the start of a paragraph: `#` headings of Markdown, `大射儀第七` at the start
/// of the text, and such words alone on a line later on.
fn heading_len(words: &str, first: bool) -> usize {
    if words.starts_with('#') {
        return words.find('\n').unwrap_or(words.len());
    }
    let Some(found) = TITLE.captures(words) else { return 0 };
    let end = found.get(0).map_or(0, |m| m.end());
    // 喪服第十一子夏傳 has an additional word; a whole run of this length is a title.
    let alone = words[end..].chars().count() <= 4;
    match (alone, first) {
        (true, _) => words.trim_end().len(),
        (false, true) => end,
        _ => 0,
    }
}
