//! A translation into modern Chinese: a clean text, or one scraped from a web page.
//!
//! What a page may also contain: buttons and links ([`furniture`]), a title, the whole content a
//! second time ([`repeats`]), a first sentence without its beginning, closing quotation marks at
//! the start of the next line, `[記]` before the Record, ■ for characters that the page lost. Lines
//! become segments of the translation; what is not translation becomes heading, furniture or blank,
//! and is reported. The text itself is not changed.
//!
//! [`furniture`]: self#furniture

mod notes;
mod repeats;

use std::sync::Arc;

use rustc_hash::FxHashSet;

use notes::{NoteLine, Within};

use crate::diag::{Diagnostic, Error};
use crate::model::thresholds::RECOGNISED_BY_FORM;
use crate::model::{Certainty, Commentary, Document, Evidence, EvidenceKind, Layer, Role, Segment};
use crate::source::{Source, Span};
use crate::text::class::{closes, ends_clause, ends_sentence, is_content};
use crate::text::{self, Key, Line};

/// The layer of a translator's notes.
const NOTE: Layer = Layer::Named(Commentary::YIZHU);

static FURNITURE: &str = include_str!("furniture.txt");
/// Longest line at the head of a page that can be a title.
pub(super) const MAX_TITLE_CHARS: usize = 20;

/// Recognises modern prose. Files with more markup belong to other readers.
pub fn sniff(head: &str) -> u8 {
    if looks_like_markup(head) {
        return 0;
    }
    match notes::without(head) {
        // Numbered notes are also those of a classic, but what is between them is not modern.
        Some(rest) if is_modern_prose(&rest) && !is_mixed(&rest) => 96,
        _ if is_modern_prose(head) => 60,
        _ => 0,
    }
}

/// True if half of a text may be a classic.
fn is_mixed(words: &str) -> bool {
    let (_, modern, old) = function_words(words);
    modern * 2 <= old
}

/// Tells modern Chinese by the frequency of function words. In the classics and commentaries
/// examined, 的 and 了 together are below 3 in a thousand characters, and 之, 也, 者, 曰, 乃 are many
/// times as frequent. In translations 的 and 了 are 15 or more, even in a bookish style.
pub(super) fn is_modern_prose(words: &str) -> bool {
    let (all, modern, old) = function_words(words);
    modern * 1000 >= all * 8 && modern * 4 > old && modern >= 2
}

/// All characters, those of modern function words, and those of old ones.
fn function_words(words: &str) -> (usize, usize, usize) {
    let (mut all, mut modern, mut old) = (0usize, 0usize, 0usize);
    for c in words.chars().filter(|c| is_content(*c) && !c.is_ascii()) {
        all += 1;
        modern += usize::from(matches!(c, '的' | '了'));
        old += usize::from(matches!(c, '之' | '也' | '者' | '曰' | '乃' | '焉' | '矣'));
    }
    (all, modern, old)
}

/// Markdown front matter, XML, JSON, mandoku, [疏] paragraphs.
fn looks_like_markup(head: &str) -> bool {
    let head = super::start(head);
    let starts = ["<", "{", "---\n", "# -*-", "#+"].iter().any(|m| head.starts_with(m));
    starts || head.contains("</") || head.contains("<pb:") || head.contains("[疏]")
}

/// Reads a translation.
///
/// # Errors
/// None; the signature of readers requires a result.
pub fn read(source: Source) -> Result<Document, Error> {
    let mut document = Document::new(Arc::new(source), "jinyi");
    let source = Arc::clone(&document.source);
    let lines = text::lines(source.text());
    let kinds = classify(&source, &lines);
    let notes = notes::find(source.text(), &lines);
    let mut marks = vec![];
    for ((line, kind), notes) in lines.iter().zip(&kinds).zip(&notes) {
        push_line(&mut document, line, kind, notes, &mut marks);
    }
    document.marks = marks.into();
    document.meta.role = Role::Translation;
    document.meta.language = "zh-Hant".into();
    report_repeats(&mut document, &lines, &kinds);
    report_start(&mut document);
    report_lost(&mut document);
    Ok(document)
}

/// What a line is.
#[derive(Clone, Debug, PartialEq)]
enum LineKind {
    Blank,
    Text,
    Title,
    Furniture,
    /// A copy of the line with this number.
    Repeat(usize),
}

fn classify(source: &Source, lines: &[Line]) -> Vec<LineKind> {
    let words: FxHashSet<&str> =
        FURNITURE.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).collect();
    let mut kinds: Vec<LineKind> = lines
        .iter()
        .map(|l| match source.slice(l.words) {
            "" => LineKind::Blank,
            w if words.contains(w.trim_matches(|c: char| !is_content(c))) => LineKind::Furniture,
            _ => LineKind::Text,
        })
        .collect();
    head_lines(source, lines, &mut kinds);
    mark_repeats(source, lines, &mut kinds);
    kinds
}

/// The lines before the first line with punctuation: the first is the title, others among furniture
/// are furniture too (breadcrumbs, names of sites).
fn head_lines(source: &Source, lines: &[Line], kinds: &mut [LineKind]) {
    let bare = |l: &Line| {
        let w = source.slice(l.words);
        w.chars().count() <= MAX_TITLE_CHARS
            && !w.chars().any(|c| ends_sentence(c) || ends_clause(c))
            && !w.starts_with(closes)
    };
    let head =
        (0..lines.len()).take_while(|&i| kinds[i] != LineKind::Text || bare(&lines[i])).count();
    if head == lines.len() {
        return;
    }
    let last_furniture = kinds[..head].iter().rposition(|k| *k == LineKind::Furniture);
    let mut titled = false;
    for i in 0..head {
        if kinds[i] == LineKind::Text {
            kinds[i] = if titled && last_furniture.is_some_and(|f| i < f) {
                LineKind::Furniture
            } else {
                LineKind::Title
            };
            titled = true;
        }
    }
}

/// Lines of which most characters are in a later copy.
fn mark_repeats(source: &Source, lines: &[Line], kinds: &mut [LineKind]) {
    let body: Vec<usize> = (0..lines.len()).filter(|&i| kinds[i] == LineKind::Text).collect();
    let key = Key::of_spans(source.text(), body.iter().map(|&i| lines[i].words));
    for repeat in repeats::repeats(&key.chars) {
        for &i in &body {
            let from = key.index_at(lines[i].words.start());
            let to = key.index_at(lines[i].words.end());
            let common = to.min(repeat.copy.end).saturating_sub(from.max(repeat.copy.start));
            if common * 5 >= (to - from) * 4 && common > 0 {
                let first = repeat.first + from.max(repeat.copy.start) - repeat.copy.start;
                kinds[i] = LineKind::Repeat(source.place(key.at[first] as usize).line);
            }
        }
    }
}

fn push_line(
    document: &mut Document,
    line: &Line,
    kind: &LineKind,
    notes: &NoteLine,
    marks: &mut Vec<Span>,
) {
    let Line { whole, mut words } = *line;
    document.push(Segment::marked(Layer::Blank, Span::new(whole.start(), words.start())));
    match (kind, notes.words) {
        (LineKind::Blank, _) => {}
        (LineKind::Text, Some(at)) => {
            document.push(Segment::marked(Layer::Mark, Span::new(words.start(), at)));
            document.push(Segment::marked(NOTE, Span::new(at, words.end())));
        }
        (LineKind::Text, None) => {
            words = take_back_quotes(document, words);
            words = push_mark(document, words);
            push_translation(document, words, notes, marks);
        }
        (LineKind::Title, _) => document.push(inferred(
            Layer::Heading,
            words,
            0.8,
            EvidenceKind::TitleLine,
            "a bare line at the head of the page",
        )),
        (LineKind::Furniture, _) => document.push(inferred(
            Layer::Furniture,
            words,
            0.95,
            EvidenceKind::PageFurniture,
            "a button or link of a web page",
        )),
        (LineKind::Repeat(n), _) => {
            let why =
                vec![Evidence::new(EvidenceKind::RepeatedContent, format!("first in line {n}"))];
            document.push(Segment::inferred(Layer::Furniture, words, Certainty::new(0.98), why));
        }
    }
    document.push(Segment::marked(Layer::Blank, Span::new(words.end(), whole.end())));
}

/// Adds a line of the translation, with notes in it as segments of their own. Numbers are marks
/// inside of it.
fn push_translation(document: &mut Document, words: Span, notes: &NoteLine, marks: &mut Vec<Span>) {
    let mut at = words.start();
    let notes = notes.within.iter().filter(|(span, _)| words.contains(*span));
    for (span, what) in notes {
        match what {
            Within::Number if span.start() > at && span.end() < words.end() => marks.push(*span),
            _ => {
                document.push(Segment::marked(Layer::Translation, Span::new(at, span.start())));
                let layer = if *what == Within::Note { NOTE } else { Layer::Mark };
                document.push(Segment::marked(layer, *span));
                at = span.end();
            }
        }
    }
    document.push(Segment::marked(Layer::Translation, Span::new(at, words.end())));
}

fn inferred(
    layer: Layer,
    span: Span,
    certainty: f64,
    kind: EvidenceKind,
    detail: &'static str,
) -> Segment {
    Segment::inferred(layer, span, Certainty::new(certainty), vec![Evidence::new(kind, detail)])
}

/// Closing marks at the start of a line that close a quotation of the sentence before are moved
/// back to it: its segment then continues over the line end. Returns the rest of the line.
fn take_back_quotes(document: &mut Document, words: Span) -> Span {
    let source = Arc::clone(&document.source);
    let text = source.slice(words);
    let marks = text.len() - text.trim_start_matches(closes).len();
    let last = document.segments.iter().rposition(|s| s.layer != Layer::Blank);
    let Some(last) =
        last.filter(|&l| marks > 0 && document.segments[l].layer == Layer::Translation)
    else {
        return words;
    };
    let before = document.segments[last].span;
    // The quotation may have been opened some sentences before. If none was opened, the marks stay
    // where they are.
    let since = document.segments[..=last]
        .iter()
        .rev()
        .take(40)
        .next_back()
        .map_or(before.start(), |s| s.span.start());
    if open_quotes(source.slice(Span::new(since, before.end()))) <= 0 {
        return words;
    }
    let end = words.start() + marks;
    document.segments.truncate(last + 1);
    document.segments[last].span = Span::new(before.start(), end);
    Span::new(end, words.end())
}

/// Quotation marks opened and not closed.
fn open_quotes(text: &str) -> i32 {
    text.chars().fold(0, |n, c| match c {
        '“' | '「' | '『' | '‘' | '(' | '（' => n + 1,
        '”' | '」' | '』' | '’' | ')' | '）' => (n - 1).max(0),
        _ => n,
    })
}

/// `[記]` and similar marks at the start of a line become headings.
fn push_mark(document: &mut Document, words: Span) -> Span {
    let source = Arc::clone(&document.source);
    let text = source.slice(words);
    let Some(open) = text.chars().next().filter(|c| matches!(c, '[' | '【' | '〔')) else {
        return words;
    };
    let close = match open {
        '[' => ']',
        '【' => '】',
        _ => '〕',
    };
    let Some(at) = text.find(close) else { return words };
    let name = &text[open.len_utf8()..at];
    if name.is_empty() || name.chars().count() > 4 || !name.chars().all(is_content) {
        return words;
    }
    let end = words.start() + at + close.len_utf8();
    document.push(inferred(
        Layer::Heading,
        Span::new(words.start(), end),
        RECOGNISED_BY_FORM,
        EvidenceKind::SectionMark,
        "a name in brackets at the start of a line",
    ));
    let rest = source.slice(Span::new(end, words.end()));
    let start = words.end() - rest.trim_start().len();
    document.push(Segment::marked(Layer::Blank, Span::new(end, start)));
    Span::new(start, words.end())
}

/// One diagnostic for each run of repeated lines.
fn report_repeats(document: &mut Document, lines: &[Line], kinds: &[LineKind]) {
    let numbered: Vec<(usize, usize)> = kinds
        .iter()
        .enumerate()
        .filter_map(|(i, k)| if let LineKind::Repeat(n) = k { Some((i, *n)) } else { None })
        .collect();
    for run in numbered.chunk_by(|a, b| {
        kinds[a.0..b.0].iter().skip(1).all(|k| *k == LineKind::Blank) && a.1 <= b.1
    }) {
        let ((from, first), (to, last)) = (run[0], run[run.len() - 1]);
        let span = Span::new(lines[from].words.start(), lines[to].words.end());
        let message = format!(
            "lines {}–{} repeat lines {first}–{last}; the first copy is used",
            from + 1,
            to + 1
        );
        let d = Diagnostic::warning("repeated-content", span, message);
        document
            .diagnostics
            .push(d.hint("delete the copy from the file if it should not be there"));
    }
}

/// True if a page starts in mid-sentence: with a mark that belongs to text before it, or with a
/// single character and then the consequence of a missing clause (“對,則…”).
fn report_start(document: &mut Document) {
    let Some(first) = document.of_layer(Layer::Translation).next() else { return };
    let span =
        text::sentences(document.source.text(), first.span).first().copied().unwrap_or(first.span);
    let words = document.slice(span);
    let mut clauses = words.split(ends_clause);
    let (head, next) = (clauses.next().unwrap_or(""), clauses.next().unwrap_or(""));
    let scrap = head.chars().filter(|c| is_content(*c)).count() <= 1
        && next.starts_with(['則', '则', '就', '便', '而', '才', '那']);
    if scrap || words.starts_with(|c| ends_clause(c) || ends_sentence(c) || closes(c)) {
        let d = Diagnostic::warning(
            "starts-mid-sentence",
            span,
            "the text starts in the middle of a sentence",
        );
        document.diagnostics.push(d.hint("the beginning may be on the previous page"));
    }
}

/// Characters the page lost.
fn report_lost(document: &mut Document) {
    let source = Arc::clone(&document.source);
    for s in document.segments.iter().filter(|s| s.layer == Layer::Translation) {
        for (i, c) in source
            .slice(s.span)
            .char_indices()
            .filter(|(_, c)| matches!(c, '■' | '□' | '●' | '\u{FFFD}'))
        {
            let span = Span::new(s.span.start() + i, s.span.start() + i + c.len_utf8());
            document.diagnostics.push(
                Diagnostic::warning(
                    "lost-character",
                    span,
                    format!("{c} replaces a character that the page lost"),
                )
                .hint("the classic may show which one"),
            );
        }
    }
}

#[cfg(test)]
mod tests;
