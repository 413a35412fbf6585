//! Characters that are not part of any text, left by programs: controls, directions, zero widths and
//! noncharacters. They are read as nothing, and the text is said to have them.

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

/// The readings of such characters in a document: nothing.
pub fn readings(document: &Document) -> Vec<Reading> {
    let text = document.source.text();
    let segments = document.segments.iter().filter(|s| s.layer.is_text());
    let places = segments.flat_map(|s| {
        let chars = text[s.span.range()].char_indices().filter(|(_, c)| is_debris(*c));
        chars.map(|(at, c)| Span::new(s.span.start() + at, s.span.start() + at + c.len_utf8()))
    });
    places
        .filter(|s| is_boundary(text, s.start()))
        .map(|span| read_as_nothing(text, span))
        .collect()
}

fn read_as_nothing(text: &str, span: Span) -> Reading {
    let number = text[span.range()].chars().next().map_or(0, |c| c as u32);
    Reading {
        span,
        reading: String::new(),
        kind: ReadingKind::Repair,
        certainty: Certainty::new(CERTAINTY),
        evidence: vec![Evidence::new(EvidenceKind::Debris, format!("U+{number:04X}"))],
    }
}

/// A message that the text has such characters, with the first of them.
pub fn report(readings: &[Reading]) -> Option<Diagnostic> {
    let debris = |r: &&Reading| r.evidence.iter().any(|e| e.kind == EvidenceKind::Debris);
    let found: Vec<&Reading> = readings.iter().filter(debris).collect();
    let first = found.first()?;
    let detail = first.evidence.first().and_then(|e| e.detail.as_deref()).unwrap_or_default();
    let message = match found.len() {
        1 => format!("a character that is not part of the text: {detail}"),
        n => format!("{n} characters that are not part of the text, the first is {detail}"),
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
    fn controls_and_directions_are_read_as_nothing() {
        let document = Document::of_pieces(&[(Layer::Jing, "甲\u{1}乙\u{202E}丙\u{E0100}\n丁\t")]);
        let found = readings(&document);
        let signs: Vec<&str> = found.iter().map(|r| document.slice(r.span)).collect();
        assert_eq!(signs, ["\u{1}", "\u{202E}"]);
        assert!(found.iter().all(|r| r.reading.is_empty()));
        let message = report(&found).expect("it has some");
        assert_eq!(
            message.message,
            "2 characters that are not part of the text, the first is U+0001"
        );
        assert!(report(&readings(&Document::of_pieces(&[(Layer::Jing, "甲乙\n")]))).is_none());
    }
}
