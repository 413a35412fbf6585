//! Cuts both sides into units: sentences of the classic, sentences of the translation.

use ecow::EcoString;

use super::words;
use crate::model::{Document, Layer, LayerKind, Role, Segment};
use crate::source::Span;
use crate::text;
use crate::text::class::is_content;
use crate::text::numeral;

/// One unit of a text: a sentence (or clause), perhaps interrupted by notes.
#[derive(Clone, Debug, PartialEq)]
pub struct TextUnit {
    /// Its text; more than one span if a note interrupts it.
    pub spans: Vec<Span>,
    /// Its folded content characters; for each [word](super::words) of an alphabet one.
    pub chars: Vec<char>,
    /// The same, as written in the text.
    pub written: Vec<EcoString>,
}

impl TextUnit {
    fn of(text: &str, spans: Vec<Span>) -> Self {
        let (chars, written) = words::tokens(text, &spans).into_iter().unzip();
        TextUnit { spans, chars, written }
    }

    /// A unit of characters that are nowhere.
    #[cfg(test)]
    pub fn of_chars(chars: Vec<char>) -> Self {
        let written = chars.iter().map(|c| EcoString::from(*c)).collect();
        TextUnit { spans: vec![], chars, written }
    }

    /// Adds the next unit to this one.
    pub fn add(&mut self, next: TextUnit) {
        self.spans.extend(next.spans);
        self.chars.extend(next.chars);
        self.written.extend(next.written);
    }
}

/// A unit of some spans.
pub fn unit(text: &str, spans: Vec<Span>) -> TextUnit {
    TextUnit::of(text, spans)
}

/// Segments of the classic that are aligned.
pub fn base(document: &Document) -> Vec<&Segment> {
    segments(document, |kind| kind == LayerKind::Base)
}

/// Sentences of the classic: of its base layers, continued across notes, line ends and anything
/// else where the punctuation shows that the sentence continues. In a text without punctuation the
/// segments themselves are the units.
pub fn classic(document: &Document) -> Vec<TextUnit> {
    units(document, base(document))
}

/// Sentences of the translation, with the headings inside it (`[記]`), which correspond to words of
/// the classic.
pub fn translation(document: &Document) -> Vec<TextUnit> {
    let mut begun = false;
    let mut within =
        segments(document, |kind| matches!(kind, LayerKind::Translation | LayerKind::Structure));
    within.retain(|s| {
        begun |= s.layer == Layer::Translation;
        // The headings of a text with its translation are those of both.
        let is_heading = s.layer == Layer::Heading && document.meta.role == Role::Translation;
        // Those of chapters are no sentence of the text above or below.
        let is_heading = is_heading && !is_numbered(document.slice(s.span));
        begun && (s.layer == Layer::Translation || is_heading)
    });
    if within.is_empty() {
        within = segments(document, |kind| kind == LayerKind::Base);
    }
    units(document, within)
}

/// True for the title of a chapter: 為政第二.
fn is_numbered(title: &str) -> bool {
    let number = title.trim().trim_end_matches(['篇', '章']).rsplit_once(['第', '弟']);
    number.is_some_and(|(_, number)| numeral::parse(number).is_some())
}

/// Segments of some kinds; in a text without them, all text segments.
fn segments(document: &Document, wanted: impl Fn(LayerKind) -> bool) -> Vec<&Segment> {
    let found: Vec<&Segment> =
        document.segments.iter().filter(|s| wanted(s.layer.kind())).collect();
    if found.is_empty() {
        document.segments.iter().filter(|s| s.layer.is_text()).collect()
    } else {
        found
    }
}

fn units(document: &Document, segments: Vec<&Segment>) -> Vec<TextUnit> {
    let text = document.source.text();
    let spans: Vec<Span> = segments.iter().map(|s| s.span).collect();
    let runs_on = ends_of_sentences(text, &spans) * 2 > spans.len();
    let mut units: Vec<Vec<Span>> = Vec::new();
    let mut open = false;
    for (within, span) in spans.into_iter().flat_map(|s| document.without_marks(s).enumerate()) {
        // A line or page break inside a segment does not end a sentence.
        open |= within > 0
            && !units.last().and_then(|u| u.last()).is_some_and(|s| ended(&text[s.range()]));
        for piece in text::sentences(text, span) {
            let words = &text[piece.range()];
            let bare = !words.chars().any(is_content);
            let Some(piece) = trim(text, piece) else { continue };
            match units.last_mut() {
                Some(last) if open || bare => extend(last, piece, text),
                _ => units.push(vec![piece]),
            }
            // A mark after a note or a number may end the sentence.
            open = if bare { open && !ended(words) } else { runs_on && !ended(words) };
        }
    }
    units.into_iter().map(|s| TextUnit::of(text, s)).collect()
}

/// Number of spans whose last mark ends a sentence.
fn ends_of_sentences(text: &str, spans: &[Span]) -> usize {
    spans.iter().filter(|s| ended(&text[s.range()])).count()
}

fn ended(words: &str) -> bool {
    use text::class::{closes, ends_sentence};
    words
        .trim_end()
        .trim_end_matches(|c: char| closes(c) || c.is_whitespace())
        .ends_with(ends_sentence)
}

/// The span without blanks at either end; `None` if nothing is left.
fn trim(text: &str, span: Span) -> Option<Span> {
    let words = &text[span.range()];
    let start = span.end() - words.trim_start().len();
    let end = span.start() + words.trim_end().len();
    (start < end).then(|| Span::new(start, end))
}

/// Adds a span to a unit; if only blanks separate it from the last, they are joined.
fn extend(unit: &mut Vec<Span>, piece: Span, text: &str) {
    match unit.last_mut() {
        Some(last) if text[last.end()..piece.start()].trim().is_empty() => {
            *last = Span::new(last.start(), piece.end())
        }
        _ => unit.push(piece),
    }
}

/// The clauses of a unit, each with its closing marks.
pub fn clauses(document: &Document, unit: &[Span]) -> Vec<TextUnit> {
    let text = document.source.text();
    let mut parts: Vec<Vec<Span>> = Vec::new();
    let mut open = false;
    for span in unit {
        for piece in text::clauses(text, *span) {
            let words = &text[piece.range()];
            let bare = !words.chars().any(is_content);
            let Some(piece) = trim(text, piece) else { continue };
            match parts.last_mut() {
                Some(last) if open || bare => extend(last, piece, text),
                _ => parts.push(vec![piece]),
            }
            let closed = words
                .trim_end()
                .ends_with(|c: char| text::class::ends_clause(c) || text::class::closes(c));
            open = if bare { open } else { !closed && !ended(words) };
        }
    }
    parts.into_iter().map(|s| TextUnit::of(text, s)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_go_on_over_spans_and_marks_alone_begin_none() {
        let of = |pieces: &[&str]| -> Vec<(String, usize)> {
            let all: Vec<(Layer, &str)> = pieces.iter().map(|p| (Layer::Jing, *p)).collect();
            let document = Document::of_pieces(&all);
            let spans: Vec<Span> = document.segments.iter().map(|s| s.span).collect();
            let parts = clauses(&document, &spans).into_iter();
            parts.map(|part| (part.chars.iter().collect(), part.spans.len())).collect()
        };
        let want = |parts: &[(&str, usize)]| -> Vec<(String, usize)> {
            parts.iter().map(|(words, spans)| (words.to_string(), *spans)).collect()
        };
        assert_eq!(of(&["甲乙，丙。"]), want(&[("甲乙", 1), ("丙", 1)]));
        assert_eq!(of(&["甲", "乙，丙。"]), want(&[("甲乙", 1), ("丙", 1)]));
        assert_eq!(of(&["甲，", "”", "丙。"]), want(&[("甲", 1), ("丙", 1)]));
        assert_eq!(of(&["甲。", "……", "丙，"]), want(&[("甲", 1), ("丙", 1)]));
        assert_eq!(of(&["甲", "”", "乙，"]), want(&[("甲乙", 1)]));
    }
}
