//! Some grams of a text, counted without an index of all: one pass over the text.

use std::ops::{Range, RangeInclusive};

use rustc_hash::FxHashMap;

/// Bits of a character in a packed gram; three fit into 64.
const CHAR_BITS: u32 = 21;
/// The most characters of a gram.
pub(crate) const MAX_GRAM_CHARS: usize = 3;
/// Bits of the number under which a gram is looked for first: at least and at most so many, and so
/// many places of the filter for each gram that few others have one that is taken.
const FILTER_BITS: RangeInclusive<u32> = 13..=22;
const PLACES_EACH: usize = 16;

/// Up to three characters as a number, a different one for each.
pub(crate) fn packed(gram: &[char]) -> u64 {
    gram.iter().fold(0, |all, c| all << CHAR_BITS | number(*c))
}

/// The number of a character; none has 0.
fn number(c: char) -> u64 {
    u64::from(u32::from(c)) + 1
}

/// The only character of a packed gram, if it is one.
pub(crate) fn single(gram: u64) -> Option<char> {
    char::from_u32(u32::try_from(gram).ok().filter(|c| *c < 1 << CHAR_BITS)?.checked_sub(1)?)
}

/// All grams of one to three characters that end in a range of a text and begin in it.
pub(crate) fn grams_in(text: &[char], range: Range<usize>) -> impl Iterator<Item = u64> {
    let text = &text[range];
    (1..=MAX_GRAM_CHARS).flat_map(|n| text.windows(n)).map(packed)
}

/// Some grams. One bit of a small table rules out nearly all others.
#[derive(Clone, Debug, Default)]
pub(crate) struct SomeGrams {
    /// How many there are: each has a number, from 0.
    len: usize,
    /// One more than the number of a single character, by its code, or 0. Most characters of a text
    /// are among them.
    single: Vec<u32>,
    /// The numbers of the pairs and triples.
    numbers: FxHashMap<u64, u32>,
    filter: Vec<u64>,
    /// Bits of a hash that are a place of the filter.
    filter_bits: u32,
}

impl SomeGrams {
    /// Where in a text they end, with the number of each.
    fn each(&self, text: &[char], mut found: impl FnMut(usize, u32)) {
        let (mut last, mut last_two) = (0u64, 0u64);
        for (at, c) in text.iter().enumerate() {
            let one = number(*c);
            let (two, three) = (last << CHAR_BITS | one, last_two << CHAR_BITS | one);
            if let Some(number) = self.number_of(*c) {
                found(at, number);
            }
            for (gram, chars) in [(two, 2), (three, 3)] {
                if self.may_have(gram)
                    && at + 1 >= chars
                    && let Some(number) = self.numbers.get(&gram)
                {
                    found(at, *number);
                }
            }
            (last, last_two) = (one, two);
        }
    }

    /// Counts them in a text.
    pub(crate) fn counted(self, text: &[char]) -> SomeCounts {
        let mut counts = vec![0; self.len];
        self.each(text, |_, number| counts[number as usize] += 1);
        SomeCounts { grams: self, counts }
    }

    /// Where in a text they end, in order; a place where several do occurs several times.
    pub(crate) fn ends(&self, text: &[char]) -> Vec<usize> {
        let mut ends = vec![];
        self.each(text, |at, _| ends.push(at));
        ends
    }

    fn number_of(&self, c: char) -> Option<u32> {
        self.single.get(c as usize).and_then(|number| number.checked_sub(1))
    }

    fn may_have(&self, gram: u64) -> bool {
        let (word, bit) = in_filter(gram, self.filter_bits);
        self.filter.get(word).is_some_and(|bits| bits & bit != 0)
    }

    fn add(&mut self, gram: u64) {
        let next = self.len as u32;
        let number = match single(gram) {
            Some(c) => {
                let code = c as usize;
                self.single.resize(self.single.len().max(code + 1), 0);
                match self.number_of(c) {
                    Some(number) => number,
                    None => {
                        self.single[code] = next + 1;
                        next
                    }
                }
            }
            None => *self.numbers.entry(gram).or_insert(next),
        };
        self.len += usize::from(number == next);
    }
}

impl FromIterator<u64> for SomeGrams {
    fn from_iter<I: IntoIterator<Item = u64>>(grams: I) -> Self {
        let mut some = SomeGrams::default();
        grams.into_iter().for_each(|gram| some.add(gram));
        let places = (some.numbers.len() * PLACES_EACH).next_power_of_two();
        some.filter_bits = places.ilog2().clamp(*FILTER_BITS.start(), *FILTER_BITS.end());
        some.filter = vec![0; 1 << (some.filter_bits - u64::BITS.ilog2())];
        for gram in some.numbers.keys() {
            let (word, bit) = in_filter(*gram, some.filter_bits);
            some.filter[word] |= bit;
        }
        some
    }
}

/// The word of the filter that has the bit of a gram, and the bit. Multiplied by the golden ratio,
/// grams are spread evenly (Knuth, TAOCP 3, 6.4).
pub(super) fn in_filter(gram: u64, bits: u32) -> (usize, u64) {
    // Without a filter there is nothing to look up, whatever the hash.
    let hash = gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - bits.max(1));
    ((hash >> u64::BITS.ilog2()) as usize, 1 << (hash % u64::from(u64::BITS)))
}

/// How often some grams occur.
#[derive(Clone, Debug, Default)]
pub(crate) struct SomeCounts {
    grams: SomeGrams,
    counts: Vec<u32>,
}

impl SomeCounts {
    /// How often one of them occurs. 0 for others.
    pub(crate) fn of(&self, gram: u64) -> u32 {
        let number = match single(gram) {
            Some(c) => self.grams.number_of(c),
            None => self.grams.numbers.get(&gram).copied(),
        };
        number.map_or(0, |number| self.counts[number as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn counts_and_places_are_those_of_a_plain_search(
            text in proptest::collection::vec(proptest::sample::select(vec!['甲', '乙', '\0', '\u{20001}']), 0..60),
            from in 0usize..30, len in 0usize..6,
        ) {
            let range = from.min(text.len())..(from + len).min(text.len());
            let some: SomeGrams = grams_in(&text, range.clone()).collect();
            let mut ends: Vec<usize> = vec![];
            let counts = some.clone().counted(&text);
            let mut seen = rustc_hash::FxHashSet::default();
            for n in 1..=MAX_GRAM_CHARS {
                for gram in text[range.clone()].windows(n) {
                    let at = text.windows(n).enumerate().filter(|(_, w)| *w == gram);
                    let here: Vec<usize> = at.map(|(at, _)| at + n - 1).collect();
                    proptest::prop_assert_eq!(counts.of(packed(gram)) as usize, here.len());
                    if seen.insert(packed(gram)) {
                        ends.extend(here);
                    }
                }
            }
            ends.sort_unstable();
            proptest::prop_assert_eq!(some.ends(&text), ends);
        }
    }

    #[test]
    fn packed_grams_differ_if_their_characters_do() {
        let grams = ["天", "地", "天地", "地天", "天地天", "\u{2A6D6}天", "天\u{2A6D6}", "\0天"];
        let mut all: Vec<u64> =
            grams.iter().map(|g| packed(&g.chars().collect::<Vec<_>>())).collect();
        assert_eq!(single(all[0]), Some('天'));
        assert_eq!(single(all[2]), None);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), grams.len());
    }
}
