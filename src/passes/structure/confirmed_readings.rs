//! What a person has decided about readings: the word that is meant, or that the text is right.

use crate::model::{
    Certainty, Confirmation, Document, Evidence, EvidenceKind, Reading, ReadingKind,
};
use crate::passes::context::Context;

/// Runs the pass: a decision replaces what was inferred about its words.
pub fn run(document: &mut Document, _: &Context<'_>) {
    for c in document.confirmed.clone() {
        let Confirmation::Reading(word) = &c.what else { continue };
        let inferred = document.readings.iter().find(|r| r.span.overlap(c.span) > 0);
        let kind = inferred.map_or(ReadingKind::Repair, |r| r.kind);
        document.readings.retain(|r| r.span.overlap(c.span) == 0);
        if document.slice(c.span) == word {
            continue;
        }
        let date = c.when.get(..10).unwrap_or(&c.when);
        let why = Evidence::new(EvidenceKind::Person, format!("{}, {date}", c.by));
        let (reading, certainty) = (word.clone(), Certainty::SURE);
        let at = document.readings.partition_point(|r| r.span.start() < c.span.start());
        let reading = Reading {
            span: c.span,
            reading: reading.into(),
            kind,
            certainty,
            evidence: [why].into(),
        };
        document.readings.insert(at, reading);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Library;
    use crate::model::{Confirmed, Layer};
    use crate::source::Span;

    #[test]
    fn a_decision_replaces_what_was_inferred() {
        let mut document = Document::of_pieces(&[(Layer::Jing, "甲雲乙雲丙")]);
        let inferred = |at: usize| Reading {
            span: Span::new(at, at + 3),
            reading: "云".into(),
            kind: ReadingKind::Variant,
            certainty: Certainty::new(0.6),
            evidence: vec![Evidence::of(EvidenceKind::ScriptTable)].into(),
        };
        document.readings = vec![inferred(3), inferred(9)].into();
        let decided = |at: usize, word: &str| Confirmed {
            span: Span::new(at, at + 3),
            what: Confirmation::Reading(word.into()),
            by: "王".into(),
            when: "2026-11-22T21:30:00Z".into(),
        };
        document.confirmed = vec![decided(3, "雲"), decided(6, "已"), decided(9, "云")];
        run(&mut document, &Context::new(&Library::default()));
        let left: Vec<_> =
            document.readings.iter().map(|r| (r.span.start(), &*r.reading, r.kind)).collect();
        assert_eq!(left, [(6, "已", ReadingKind::Repair), (9, "云", ReadingKind::Variant)]);
        assert!(document.readings.iter().all(|r| r.certainty == Certainty::SURE));
        assert_eq!(document.check(), Ok(()));
    }
}
