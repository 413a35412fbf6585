//! Section and sentence numbers as bytes, each encoded by how it follows the one before.

use super::varint::{Numbers, put, put_signed};
use crate::search::units::{Cited, CitedSentence, SentenceStart};

/// Bits that encode how a number follows the one before.
const STEP_BITS: u32 = 3;
const NO_NUMBER: u64 = 0;
const EXPLICIT: u64 = 6;
const REPEATED: u64 = 7;

/// The numbers that follow `n` most often, with their codes.
fn steps(n: CitedSentence) -> [(u64, CitedSentence); 6] {
    let at = |section, n, part| CitedSentence { section, n, part };
    let (same, next) = (n.section, n.section.wrapping_add(1));
    [
        (1, at(same, n.n.wrapping_add(1), 0)),
        (2, at(same, n.n, n.part.wrapping_add(1))),
        (3, at(same, n.n.wrapping_add(1), 1)),
        (4, at(next, 1, 0)),
        (5, at(next, 1, 1)),
        (REPEATED, n),
    ]
}

/// Writes `high` and a number.
fn put_step(
    high: u64,
    number: Option<CitedSentence>,
    before: &mut CitedSentence,
    out: &mut Vec<u8>,
) {
    let code = match number {
        None => NO_NUMBER,
        Some(n) => steps(*before).iter().find(|s| s.1 == n).map_or(EXPLICIT, |s| s.0),
    };
    put(out, high << STEP_BITS | code);
    let Some(n) = number else { return };
    if code == EXPLICIT {
        [n.section, n.n, n.part].iter().for_each(|i| put(out, u64::from(*i)));
    }
    *before = n;
}

/// Reads what [`put_step`] wrote.
fn step(n: &mut Numbers<'_>, before: &mut CitedSentence) -> Option<(u64, Option<CitedSentence>)> {
    let word = n.next()?;
    let (high, code) = (word >> STEP_BITS, word & ((1 << STEP_BITS) - 1));
    let number = match code {
        NO_NUMBER => return Some((high, None)),
        EXPLICIT => CitedSentence { section: n.next_u32()?, n: n.next_u32()?, part: n.next_u32()? },
        code => steps(*before).iter().find(|s| s.0 == code)?.1,
    };
    *before = number;
    Some((high, Some(number)))
}

/// Writes the elements of a part that begins at byte `start`.
pub(super) fn put_elements(
    elements: &[SentenceStart],
    start: usize,
    before: &mut CitedSentence,
    out: &mut Vec<u8>,
) {
    put(out, elements.len() as u64);
    let mut at = start as u64;
    for (i, element) in elements.iter().enumerate() {
        // Only the first may begin before its part.
        let here = u64::from(element.at);
        put_step(
            if i == 0 { at.saturating_sub(here) } else { here.saturating_sub(at) },
            element.ju,
            before,
            out,
        );
        at = here;
    }
}

/// Reads what [`put_elements`] wrote.
pub(super) fn elements(
    n: &mut Numbers<'_>,
    start: usize,
    before: &mut CitedSentence,
) -> Option<Vec<SentenceStart>> {
    let count = n.next()?;
    let mut elements = Vec::new();
    let mut at = start as u64;
    for i in 0..count {
        let (distance, ju) = step(n, before)?;
        at = if i == 0 { at.checked_sub(distance)? } else { at.checked_add(distance)? };
        elements.push(SentenceStart { at: u32::try_from(at).ok()?, ju });
    }
    Some(elements)
}

const NEW_SECTION: u64 = 1;
const NTH_AND_BEFORE: u64 = 2;

/// Writes the number of a note.
pub(super) fn put_cited(cited: Cited, before: &mut CitedSentence, out: &mut Vec<u8>) {
    let flag = |yes: bool, bit: u64| if yes { bit } else { 0 };
    let flags = flag(cited.section != before.section, NEW_SECTION)
        | flag((cited.nth, cited.before) != (1, 0), NTH_AND_BEFORE);
    put(out, flags);
    if flags & NEW_SECTION != 0 {
        put(out, u64::from(cited.section));
        before.n = 0;
    }
    put_signed(out, i64::from(cited.n) - i64::from(before.n));
    if flags & NTH_AND_BEFORE != 0 {
        put(out, u64::from(cited.nth));
        put(out, u64::from(cited.before));
    }
    *before = CitedSentence { section: cited.section, n: cited.n, part: 0 };
}

/// Reads what [`put_cited`] wrote.
pub(super) fn cited(n: &mut Numbers<'_>, before: &mut CitedSentence) -> Option<Cited> {
    let flags = n.next()?;
    let (section, last) =
        if flags & NEW_SECTION != 0 { (n.next_u32()?, 0) } else { (before.section, before.n) };
    let sentence = u32::try_from(i64::from(last).checked_add(n.next_signed()?)?).ok()?;
    let (nth, inside) =
        if flags & NTH_AND_BEFORE != 0 { (n.next_u32()?, n.next_u32()?) } else { (1, 0) };
    *before = CitedSentence { section, n: sentence, part: 0 };
    Some(Cited { section, n: sentence, nth, before: inside })
}

/// Writes a range of sentences.
pub(super) fn put_range(
    (from, to): (CitedSentence, CitedSentence),
    before: &mut CitedSentence,
    out: &mut Vec<u8>,
) {
    put_step(0, Some(from), before, out);
    put_step(0, Some(to), before, out);
}

/// Reads what [`put_range`] wrote.
pub(super) fn range(
    n: &mut Numbers<'_>,
    before: &mut CitedSentence,
) -> Option<(CitedSentence, CitedSentence)> {
    Some((step(n, before)?.1?, step(n, before)?.1?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(section: u32, n: u32, part: u32) -> CitedSentence {
        CitedSentence { section, n, part }
    }

    #[test]
    fn a_number_that_follows_the_one_before_takes_one_byte() {
        let before = sentence(3, 7, 2);
        let usual = [(3, 8, 0), (3, 7, 3), (3, 8, 1), (4, 1, 0), (4, 1, 1), (3, 7, 2)].map(Some);
        let rare = [(3, 9, 0), (5, 1, 0), (4, 2, 0), (4, 1, 2), (0, 0, 0)].map(Some);
        let written = |number: Option<(u32, u32, u32)>| {
            let number = number.map(|(section, n, part)| sentence(section, n, part));
            let (mut out, mut last) = (vec![], before);
            put_step(5, number, &mut last, &mut out);
            let (mut read, mut at) = (Numbers::new(&out), before);
            assert_eq!(step(&mut read, &mut at), Some((5, number)));
            assert!(read.is_done());
            assert_eq!([last, at], [number.unwrap_or(before); 2]);
            out.len()
        };
        assert_eq!(usual.map(written), [1; 6]);
        assert_eq!(rare.map(written), [4; 5]);
        assert_eq!(written(None), 1);
    }

    #[test]
    fn the_largest_numbers_are_read_again() {
        let most = sentence(u32::MAX, u32::MAX, u32::MAX);
        let (mut out, mut before) = (vec![], sentence(0, 0, 0));
        put_range((most, sentence(0, 1, 0)), &mut before, &mut out);
        let mut read = Numbers::new(&out);
        let found = range(&mut read, &mut sentence(0, 0, 0));
        assert_eq!(found, Some((most, sentence(0, 1, 0))));
        assert!(read.is_done());
    }
}
