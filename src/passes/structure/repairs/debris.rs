//! Characters that are not part of any text, left by programs: controls, directions, zero widths
//! and noncharacters. They are read as nothing, and the text is said to have them.

use std::ops::Range;

use crate::diag::Diagnostic;
use crate::model::{Certainty, Document, Evidence, EvidenceKind, Reading, ReadingKind};
use crate::source::Span;
use crate::text::graphemes::is_boundary;

/// How sure it is that such a character is not part of the text.
const CERTAINTY: f64 = 0.99;

/// True for such a character. Variation selectors and joiners belong to the character before them.
fn is_debris(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' => true,
        '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206F}' | '\u{FEFF}' | '\u{AD}' => true,
        '\u{FDD0}'..='\u{FDEF}' | '\u{FFF9}'..='\u{FFFB}' => true,
        c => c.is_control() || (c as u32) & 0xFFFE == 0xFFFE,
    }
}

/// The readings of such characters in a document: the character before them, or after them at the
/// beginning of a segment, without them. So an edition that leaves them out has a place for what
/// the source has.
pub fn readings(document: &Document) -> Vec<Reading> {
    let segments = document.segments.iter().filter(|s| s.layer.is_text());
    segments.flat_map(|s| in_span(document.source.text(), s.span)).collect()
}

fn in_span(text: &str, span: Span) -> Vec<Reading> {
    let here = &text[span.range()];
    let mut found = Vec::new();
    let mut rest = here.char_indices().peekable();
    let mut before: Option<(usize, char)> = None;
    while let Some((at, c)) = rest.next() {
        if !is_debris(c) {
            before = Some((at, c));
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some((at, c)) = rest.next_if(|(_, c)| is_debris(*c)) {
            end = at + c.len_utf8();
        }
        let from =
            before.filter(|(_, c)| !c.is_whitespace() && is_boundary(text, span.start() + at));
        let kept = match (from, rest.peek()) {
            (Some((from, c)), _) => Some((from..end, c)),
            (None, Some((_, c))) => Some((at..end + c.len_utf8(), *c)),
            (None, None) => None,
        };
        found.extend(kept.map(|(range, kept)| without(span.start(), range, kept, c)));
    }
    found
}

/// The reading of debris that begins with `first`, beside a character that is kept.
fn without(start: usize, range: Range<usize>, kept: char, first: char) -> Reading {
    let span = Span::new(start + range.start, start + range.end);
    Reading {
        span,
        reading: kept.into(),
        kind: ReadingKind::Repair,
        certainty: Certainty::new(CERTAINTY),
        evidence: [Evidence::new(EvidenceKind::Debris, format!("U+{:04X}", first as u32))].into(),
    }
}

/// A message that the text has such characters, with the first of them.
pub fn report(readings: &[Reading]) -> Option<Diagnostic> {
    let debris = |r: &&Reading| r.evidence.iter().any(|e| e.kind == EvidenceKind::Debris);
    let found: Vec<&Reading> = readings.iter().filter(debris).collect();
    let first = found.first()?;
    let detail = first.evidence.first().and_then(|e| e.detail.as_deref()).unwrap_or_default();
    let message = match found.len() {
        1 => format!("a character is not part of any text: {detail}"),
        n => format!("in {n} places are characters that are not part of any text, first {detail}"),
    };
    Some(
        Diagnostic::warning("debris", Some(first.span), message)
            .hint("they are kept, shown as signs, and left out of an edition with repairs"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Layer;

    #[test]
    fn controls_and_directions_are_left_out_beside_a_character() {
        let document = Document::of_pieces(&[(
            Layer::Jing,
            "甲\u{1}乙\u{202E}丙\u{E0100}丁\t\n\u{200B}\u{1}戊",
        )]);
        let found = readings(&document);
        let signs: Vec<_> = found.iter().map(|r| (document.slice(r.span), &*r.reading)).collect();
        assert_eq!(signs, [("甲\u{1}", "甲"), ("乙\u{202E}", "乙"), ("\u{200B}\u{1}戊", "戊")]);
        let message = report(&found).expect("it has some").message;
        assert_eq!(
            message,
            "in 3 places are characters that are not part of any text, first U+0001"
        );
        assert!(report(&readings(&Document::of_pieces(&[(Layer::Jing, "甲乙\n")]))).is_none());
    }
}
