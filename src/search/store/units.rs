//! Units as bytes: numbers relative to the unit before, in blocks that can be read separately.

use super::numbers;
use super::varint::{Numbers, put, put_signed};
use crate::model::{Certainty, Layer};
use crate::search::units::{CitedSentence, Unit, UnitPart, runs_on};
use crate::source::Span;

/// Units in a block.
pub(crate) const BLOCK_UNITS: usize = 32;

/// Certainties are stored in thousandths.
const CERTAINTY_SCALE: f64 = 1000.0;

const UNSURE: u64 = 1;
const PARTS: u64 = 2;
const MARKS: u64 = 4;
const SENTENCES: u64 = 8;
const TARGETS: u64 = 16;
const CITED: u64 = 32;
const RENDERS: u64 = 64;

/// The values of the unit before, which a unit is encoded relative to.
#[derive(Default)]
struct PreviousUnit {
    group: i64,
    segment: i64,
    end: i64,
    target: i64,
    number: CitedSentence,
}

/// Encodes the units of a block. Their layers are not written: the region has them.
pub(crate) fn encode(units: &[Unit], out: &mut Vec<u8>) {
    let mut before = PreviousUnit::default();
    for unit in units {
        encode_one(unit, &mut before, out);
    }
}

fn encode_one(unit: &Unit, before: &mut PreviousUnit, out: &mut Vec<u8>) {
    let flag = |yes: bool, bit: u64| if yes { bit } else { 0 };
    let flags = flag(unit.certainty != Certainty::SURE, UNSURE)
        | flag(unit.parts.len() != 1, PARTS)
        | flag(unit.parts.iter().any(|p| !p.marks.is_empty()), MARKS)
        | flag(unit.parts.iter().any(|p| p.sentence > 1), SENTENCES)
        | flag(!unit.targets.is_empty(), TARGETS)
        | flag(unit.parts.iter().all(|p| p.cited.is_some()), CITED)
        | flag(unit.renders.is_some(), RENDERS);
    put(out, flags);
    put(out, u64::from(unit.len));
    put_signed(out, i64::from(unit.group) - before.group);
    before.group = i64::from(unit.group);
    if flags & UNSURE != 0 {
        // Never rounded up to 1.
        put(out, ((unit.certainty.get() * CERTAINTY_SCALE).round() as u64).min(999));
    }
    if flags & PARTS != 0 {
        put(out, unit.parts.len() as u64);
    }
    for part in &unit.parts {
        put_signed(out, part.span.start() as i64 - before.end);
        put(out, part.span.len() as u64);
        put_signed(out, i64::from(part.segment) - before.segment);
        (before.end, before.segment) = (part.span.end() as i64, i64::from(part.segment));
        if flags & SENTENCES != 0 {
            put(out, u64::from(part.sentence));
        }
        if runs_on(unit.layer) {
            numbers::put_elements(&part.elements, part.span.start(), &mut before.number, out);
        }
        if let Some(cited) = part.cited.filter(|_| flags & CITED != 0) {
            numbers::put_cited(cited, &mut before.number, out);
        }
        if flags & MARKS != 0 {
            put(out, part.marks.len() as u64);
            let mut at = part.span.start();
            for mark in &part.marks {
                // A mark may begin before its part.
                let start = mark.start().max(at);
                put(out, (start - at) as u64);
                put(out, mark.end().saturating_sub(start) as u64);
                at = mark.end().max(start);
            }
        }
    }
    if flags & TARGETS != 0 {
        put(out, unit.targets.len() as u64);
        for (document, span) in &unit.targets {
            put(out, u64::from(*document));
            put_signed(out, span.start() as i64 - before.target);
            put(out, span.len() as u64);
            before.target = span.end() as i64;
        }
    }
    if let Some(range) = unit.renders {
        numbers::put_range(range, &mut before.number, out);
    }
}

/// Decodes the units of a block one by one.
pub(crate) struct Decoder<'a> {
    numbers: Numbers<'a>,
    before: PreviousUnit,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Decoder { numbers: Numbers::new(bytes), before: PreviousUnit::default() }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.numbers.is_done()
    }

    /// The next unit, which has this layer. `None` if the bytes are invalid.
    pub(crate) fn next(&mut self, layer: Layer, sub: Option<Layer>) -> Option<Unit> {
        let n = &mut self.numbers;
        let flags = n.next()?;
        let len = n.next_u32()?;
        self.before.group = self.before.group.checked_add(n.next_signed()?)?;
        let group = u32::try_from(self.before.group).ok()?;
        let certainty = if flags & UNSURE != 0 {
            Certainty::new(n.next()? as f64 / CERTAINTY_SCALE)
        } else {
            Certainty::SURE
        };
        let count = if flags & PARTS != 0 { n.next()? } else { 1 };
        let mut parts = Vec::new();
        for _ in 0..count {
            parts.push(part(n, &mut self.before, flags, runs_on(layer))?);
        }
        let mut targets = Vec::new();
        let count = if flags & TARGETS != 0 { n.next()? } else { 0 };
        for _ in 0..count {
            let document = n.next_u32()?;
            let start = self.before.target.checked_add(n.next_signed()?)?;
            let span = span(start, n.next()?)?;
            self.before.target = span.end() as i64;
            targets.push((document, span));
        }
        let renders = if flags & RENDERS != 0 {
            Some(numbers::range(n, &mut self.before.number)?)
        } else {
            None
        };
        Some(Unit { layer, sub, parts, certainty, group, targets, renders, len })
    }
}

fn part(
    n: &mut Numbers<'_>,
    before: &mut PreviousUnit,
    flags: u64,
    runs_on: bool,
) -> Option<UnitPart> {
    let start = before.end.checked_add(n.next_signed()?)?;
    let span = span(start, n.next()?)?;
    before.end = span.end() as i64;
    before.segment = before.segment.checked_add(n.next_signed()?)?;
    let sentence = if flags & SENTENCES != 0 { n.next_u32()? } else { u32::from(runs_on) };
    let elements =
        if runs_on { numbers::elements(n, span.start(), &mut before.number)? } else { vec![] };
    let cited =
        if flags & CITED != 0 { Some(numbers::cited(n, &mut before.number)?) } else { None };
    let mut marks = Vec::new();
    let count = if flags & MARKS != 0 { n.next()? } else { 0 };
    let mut at = span.start() as i64;
    for _ in 0..count {
        let start = at.checked_add_unsigned(n.next()?)?;
        let mark = self::span(start, n.next()?)?;
        at = mark.end() as i64;
        marks.push(mark);
    }
    Some(UnitPart {
        segment: u32::try_from(before.segment).ok()?,
        sentence,
        elements,
        cited,
        span,
        marks,
    })
}

fn span(start: i64, len: u64) -> Option<Span> {
    let start = u32::try_from(start).ok()?;
    let end = u32::try_from(u64::from(start).checked_add(len)?).ok()?;
    Some(Span::new(start as usize, end as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::units::{Cited, SentenceStart};

    fn part(segment: u32, a: usize, b: usize, marks: &[(usize, usize)]) -> UnitPart {
        let marks = marks.iter().map(|m| Span::new(m.0, m.1)).collect();
        UnitPart {
            segment,
            sentence: 0,
            elements: vec![],
            cited: None,
            span: Span::new(a, b),
            marks,
        }
    }

    fn unit(layer: Layer, parts: Vec<UnitPart>) -> Unit {
        Unit {
            layer,
            sub: None,
            parts,
            certainty: Certainty::SURE,
            group: 7,
            targets: vec![],
            renders: None,
            len: 3,
        }
    }

    fn number(section: u32, n: u32, part: u32) -> CitedSentence {
        CitedSentence { section, n, part }
    }

    fn decoded(units: &[Unit]) -> Vec<Unit> {
        let mut bytes = vec![];
        encode(units, &mut bytes);
        let mut decoder = Decoder::new(&bytes);
        let read = units.iter().map(|u| decoder.next(u.layer, None).unwrap()).collect();
        assert!(decoder.is_done());
        read
    }

    #[test]
    fn decoding_restores_what_was_encoded() {
        let with = |sentence, elements: &[(u32, Option<CitedSentence>)], p: UnitPart| UnitPart {
            sentence,
            elements: elements.iter().map(|(at, ju)| SentenceStart { at: *at, ju: *ju }).collect(),
            ..p
        };
        let all = [
            (100, Some(number(3, 2, 0))),
            (110, Some(number(3, 3, 1))),
            (120, None),
            (125, Some(number(4, 1, 0))),
        ];
        let first = unit(Layer::Translation, vec![with(1, &all, part(3, 100, 130, &[]))]);
        let parts = vec![
            with(4, &[(7, Some(number(4, 1, 0)))], part(2, 10, 50, &[(20, 23), (30, 31)])),
            with(1, &[(60, Some(number(1, 9, 2)))], part(9, 60, 70, &[])),
        ];
        let mut second = unit(Layer::Translation, parts);
        (second.certainty, second.targets) = (Certainty::new(0.625), vec![(1, Span::new(5, 9))]);
        second.renders = Some((number(1, 9, 2), number(1, 12, 0)));
        let units = [first, second];
        assert_eq!(decoded(&units), units);
    }

    #[test]
    fn the_numbers_of_notes_are_restored() {
        let note = |n: u32, nth, before| {
            let cited = Some(Cited { section: n / 10, n, nth, before });
            unit(
                Layer::Shu,
                vec![UnitPart { cited, ..part(n, 10 * n as usize, 10 * n as usize + 5, &[]) }],
            )
        };
        let units = [note(1, 1, 0), note(1, 2, 0), note(11, 1, 7), note(12, 1, 0), note(3, 1, 0)];
        assert_eq!(decoded(&units), units);
    }

    #[test]
    fn a_certainty_just_below_one_is_not_rounded_up() {
        let doubtful = |certainty| Unit { certainty, ..unit(Layer::Zhu, vec![part(1, 0, 3, &[])]) };
        let read = decoded(&[doubtful(Certainty::new(0.9999)), doubtful(Certainty::SURE)]);
        assert_eq!(
            [read[0].certainty, read[1].certainty],
            [Certainty::new(0.999), Certainty::SURE]
        );
    }

    #[test]
    fn invalid_bytes_do_not_panic() {
        for byte in [0x01, 0x7F, 0xFF] {
            for layer in [Layer::Zhu, Layer::Jing] {
                let bytes = [byte; 40];
                let mut decoder = Decoder::new(&bytes);
                for _ in 0..40 {
                    if decoder.next(layer, None).is_none() {
                        break;
                    }
                }
            }
        }
    }
}
