//! Sets apart what precedes the first words of a classic: a preface, a notice on its author. It is
//! neither classic nor a note on it.

use crate::model::{Certainty, Document, Evidence, EvidenceKind, Layer, Segment};
use crate::passes::evidence::canon::{self, CanonFilter};
use crate::passes::evidence::paragraph::Paragraph;

/// The least length of a paragraph of a preface, in characters. Shorter ones may be titles or short
/// classic.
const MIN_CHARS: usize = 60;
/// The largest share of a preface that the classics have: it quotes them.
const MAX_KNOWN_SHARE: f64 = 0.2;
/// A paragraph of the classic and its note has so many characters of the classic at its start.
const OPENING_CHARS: usize = 12;
const CERTAINTY: f64 = 0.9;

/// Sets apart the first paragraphs of a classic that do not read like it. The text must be one of
/// the classics that the program knows.
pub fn set_apart(document: &mut Document, paragraphs: &mut Vec<Paragraph>, filter: &CanonFilter) {
    let mut before = paragraphs.iter().take_while(|p| is_before(p, filter)).count();
    if before > 0 {
        // The date and name of its author may follow.
        before += paragraphs[before..].iter().take_while(|p| is_signature(p, filter)).count();
    }
    for p in paragraphs.drain(..before) {
        let why = Evidence::new(EvidenceKind::Canon, "it precedes the first words of the classic");
        document.segments[p.segment] =
            Segment::inferred(Layer::Other, p.span, Certainty::new(CERTAINTY), vec![why]);
    }
}

fn is_signature(p: &Paragraph, filter: &CanonFilter) -> bool {
    p.key.len() < MIN_CHARS && !canon::known_characters(filter, &p.key.chars).contains(&true)
}

fn is_before(p: &Paragraph, filter: &CanonFilter) -> bool {
    let known = canon::known_characters(filter, &p.key.chars);
    let share = known.iter().filter(|k| **k).count() as f64 / known.len().max(1) as f64;
    p.key.len() >= MIN_CHARS
        && share < MAX_KNOWN_SHARE
        && !known.iter().take(OPENING_CHARS).any(|k| *k)
}
