//! Units as bytes: numbers relative to the unit before, in blocks that can be read by themselves.

use super::varint::{Numbers, put, put_signed};
use crate::model::{Cert, Layer};
use crate::search::units::{Part, Unit};
use crate::source::Span;

/// Units a block.
pub(crate) const BLOCK: usize = 32;

/// Thousandths, in which certainties are kept.
const THOUSAND: f64 = 1000.0;

const UNSURE: u64 = 1;
const PARTS: u64 = 2;
const MARKS: u64 = 4;
const SENTENCES: u64 = 8;
const TARGETS: u64 = 16;

/// What a unit is told relative to.
#[derive(Default)]
struct Before {
    group: i64,
    segment: i64,
    end: i64,
    target: i64,
}

/// The units of a block, without their layers, which their region knows.
pub(crate) fn encode(units: &[Unit], out: &mut Vec<u8>) {
    let mut before = Before::default();
    for unit in units {
        encode_one(unit, &mut before, out);
    }
}

fn encode_one(unit: &Unit, before: &mut Before, out: &mut Vec<u8>) {
    let flag = |yes: bool, bit: u64| if yes { bit } else { 0 };
    let flags = flag(unit.cert != Cert::SURE, UNSURE)
        | flag(unit.parts.len() != 1, PARTS)
        | flag(unit.parts.iter().any(|p| !p.marks.is_empty()), MARKS)
        | flag(unit.parts.iter().any(|p| p.sentence > 1), SENTENCES)
        | flag(!unit.targets.is_empty(), TARGETS);
    put(out, flags);
    put(out, u64::from(unit.len));
    put_signed(out, i64::from(unit.group) - before.group);
    before.group = i64::from(unit.group);
    if flags & UNSURE != 0 {
        // Never rounded up to certainty.
        put(out, ((unit.cert.get() * THOUSAND).round() as u64).min(999));
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
}

/// Reads the units of a block one by one.
pub(crate) struct Decoder<'a> {
    numbers: Numbers<'a>,
    before: Before,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Decoder { numbers: Numbers::new(bytes), before: Before::default() }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.numbers.is_done()
    }

    /// The next unit, which is of this layer. `None` where the bytes make no sense.
    pub(crate) fn next(&mut self, layer: Layer, sub: Option<Layer>, sentences: bool) -> Option<Unit> {
        let n = &mut self.numbers;
        let flags = n.next()?;
        let len = n.next_u32()?;
        self.before.group += n.next_signed()?;
        let group = u32::try_from(self.before.group).ok()?;
        let cert = if flags & UNSURE != 0 { Cert::new(n.next()? as f64 / THOUSAND) } else { Cert::SURE };
        let count = if flags & PARTS != 0 { n.next()? } else { 1 };
        let mut parts = Vec::new();
        for _ in 0..count {
            parts.push(part(n, &mut self.before, flags, u32::from(sentences))?);
        }
        let mut targets = Vec::new();
        let count = if flags & TARGETS != 0 { n.next()? } else { 0 };
        for _ in 0..count {
            let document = n.next_u32()?;
            let start = self.before.target + n.next_signed()?;
            let span = span(start, n.next()?)?;
            self.before.target = span.end() as i64;
            targets.push((document, span));
        }
        Some(Unit { layer, sub, parts, cert, group, targets, len })
    }
}

fn part(n: &mut Numbers<'_>, before: &mut Before, flags: u64, first: u32) -> Option<Part> {
    let start = before.end + n.next_signed()?;
    let span = span(start, n.next()?)?;
    before.end = span.end() as i64;
    before.segment += n.next_signed()?;
    let sentence = if flags & SENTENCES != 0 { n.next_u32()? } else { first };
    let mut marks = Vec::new();
    let count = if flags & MARKS != 0 { n.next()? } else { 0 };
    let mut at = span.start() as i64;
    for _ in 0..count {
        let mark = self::span(at + i64::try_from(n.next()?).ok()?, n.next()?)?;
        at = mark.end() as i64;
        marks.push(mark);
    }
    Some(Part { segment: u32::try_from(before.segment).ok()?, sentence, span, marks })
}

fn span(start: i64, len: u64) -> Option<Span> {
    let start = u32::try_from(start).ok()?;
    let end = u32::try_from(u64::from(start) + len).ok()?;
    Some(Span::new(start as usize, end as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let part = |segment, sentence, a, b, marks: &[(usize, usize)]| Part {
            segment,
            sentence,
            span: Span::new(a, b),
            marks: marks.iter().map(|m| Span::new(m.0, m.1)).collect(),
        };
        let unit = |parts, cert, targets| Unit { layer: Layer::Translation, sub: None, parts, cert, group: 7, targets, len: 3 };
        let units = vec![
            unit(vec![part(3, 1, 100, 130, &[])], Cert::SURE, vec![]),
            unit(vec![part(2, 4, 10, 50, &[(20, 23), (30, 31)]), part(9, 1, 60, 70, &[])], Cert::new(0.625), vec![(1, Span::new(5, 9))]),
        ];
        let mut bytes = vec![];
        encode(&units, &mut bytes);
        let mut decoder = Decoder::new(&bytes);
        let read: Vec<_> = units.iter().map(|_| decoder.next(Layer::Translation, None, true).unwrap()).collect();
        assert_eq!(read, units);
        assert!(decoder.is_done());
    }

    #[test]
    fn senseless_bytes_are_no_unit() {
        for byte in [0x01, 0x7F, 0xFF] {
            let bytes = [byte; 40];
            let mut decoder = Decoder::new(&bytes);
            for _ in 0..40 {
                if decoder.next(Layer::Zhu, None, false).is_none() {
                    break;
                }
            }
        }
    }
}
