//! What other witnesses have where a merged text has words of its base, as readings of the text:
//! its apparatus.

use super::{CollatedLayers, CollatedWitness, Collation, DifferenceClass};
use crate::model::{Certainty, Document, Evidence, EvidenceKind, Layer, Reading, ReadingKind};
use crate::source::Span;

/// Longest difference that is listed. A longer one is another text, which a collation shows.
const MAX_CHARS: usize = 24;

/// The readings of the classic in which witnesses differ from a text in words: forms of characters,
/// damage and points are left out, and so is what a witness lacks altogether.
pub fn other_readings(text: &Document, witnesses: &[&Document]) -> Vec<Reading> {
    let layers = CollatedLayers::of([Layer::Jing]);
    let all = std::iter::once(text).chain(witnesses.iter().copied());
    let all = all.map(|d| CollatedWitness::of(d, d.id.clone(), &layers));
    let all: Vec<CollatedWitness<'_>> = all.filter(|w| !w.chars().is_empty()).collect();
    if all.first().is_none_or(|w| w.siglum != text.id) {
        return vec![];
    }
    let collation = Collation::of(all, 0);
    let mut readings: Vec<Reading> = Vec::new();
    for n in 1..collation.witnesses.len() {
        readings.extend(of_witness(&collation, n));
    }
    readings.sort_by_key(|r| (r.span.start(), r.span.end()));
    readings
}

fn of_witness(collation: &Collation<'_>, n: usize) -> Vec<Reading> {
    use DifferenceClass::{Addition, Omission, Substantive};
    let (base, own) = (&collation.witnesses[0], &collation.witnesses[n]);
    let words = |d: &&super::FoundDifference| matches!(d.class, Substantive | Omission | Addition);
    let found = collation.differences(n);
    let readings = found.iter().filter(words).filter_map(|d| {
        let words = own.shown(d.own.clone());
        // What is added is read with the character before it.
        let (base_bytes, reading) = match d.base.is_empty() {
            false => (d.base.clone(), words),
            true => {
                let before = base.last_char_before(d.base.start)?;
                let kept = base.shown(before.clone());
                (before, format!("{kept}{words}"))
            }
        };
        let span = match base.spans(base_bytes)[..] {
            [span] => span,
            // Notes interrupt the words.
            _ => return None,
        };
        let long = reading.chars().count().max(base.shown(d.base.clone()).chars().count());
        (long <= MAX_CHARS).then(|| reading_of(own, span, reading))
    });
    readings.collect()
}

fn reading_of(witness: &CollatedWitness<'_>, span: Span, reading: String) -> Reading {
    Reading {
        span,
        reading: reading.into(),
        kind: ReadingKind::Witness,
        certainty: Certainty::SURE,
        evidence: [Evidence::new(EvidenceKind::Witness, witness.siglum.clone())].into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_in_words_are_readings_with_their_witness() {
        let text = "司射適堂西，命弟子設豐。弟子奉豐升，設于西楹之西，乃降。勝者之弟子洗觶。";
        let own = text
            .replace("洗觶", "洗爵")
            .replace("乃降", "乃復降")
            .replace("奉豐升", "奉升")
            .replace('于', "於")
            .replace('。', "；");
        let document = |id: &str, text: &str| {
            let mut document = Document::of_pieces(&[(Layer::Jing, text)]);
            document.id = id.into();
            document
        };
        let (merged, other) = (document("merged", text), document("other", &own));
        let found = other_readings(&merged, &[&other]);
        let pairs: Vec<_> = found.iter().map(|r| (merged.slice(r.span), &*r.reading)).collect();
        assert_eq!(pairs, [("豐", ""), ("乃", "乃復"), ("觶", "爵")]);
        let witness = found[0].evidence[0].detail.as_deref();
        assert_eq!((found[0].kind, witness), (ReadingKind::Witness, Some("other")));
    }
}
