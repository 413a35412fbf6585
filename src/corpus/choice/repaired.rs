//! Damaged characters replaced by their repairs, as far as these are probable, and those of a
//! transcription by what they are read as.

use crate::model::thresholds::REPAIRED_FROM;
use crate::model::{Document, Reading, ReadingKind};
use crate::source::Span;

/// The repairs of a document that an edition makes, in order, and how many of them it has made.
pub struct Repairs<'a> {
    document: &'a Document,
    repairs: Vec<&'a Reading>,
    next: usize,
}

impl<'a> Repairs<'a> {
    /// All probable repairs of a document, or none.
    pub fn of(document: &'a Document, wanted: bool) -> Self {
        let mut repairs: Vec<&Reading> =
            document.readings.iter().filter(|r| wanted && is_made(r)).collect();
        repairs.sort_by_key(|r| (r.span.start(), r.span.end()));
        // Of two that overlap, the first is made.
        let mut end = 0;
        repairs.retain(|r| {
            r.span.start() >= end && {
                end = r.span.end();
                true
            }
        });
        Repairs { document, repairs, next: 0 }
    }

    /// The next repair that lies within a stretch; stretches come in order.
    pub fn next_in(&mut self, stretch: Span) -> Option<(Span, &'a str)> {
        let before = |r: &&&Reading| r.span.start() < stretch.start();
        self.next += self.repairs[self.next..].iter().take_while(before).count();
        let reading = self.repairs.get(self.next).filter(|r| stretch.contains(r.span))?;
        self.next += 1;
        Some((reading.span, &reading.reading))
    }

    /// Readings that were made into text become those of the source.
    pub fn turn_round(&self, readings: &mut [Reading]) {
        let made = |r: &Reading| self.repairs.iter().any(|m| m.span == r.span);
        for r in readings.iter_mut().filter(|r| is_made(r) && made(r)) {
            r.reading = self.document.slice(r.span).into();
            r.kind = ReadingKind::Source;
        }
    }
}

fn is_made(reading: &Reading) -> bool {
    matches!(reading.kind, ReadingKind::Repair | ReadingKind::Variant)
        && reading.certainty.get() >= REPAIRED_FROM
        && !reading.span.is_empty()
}
