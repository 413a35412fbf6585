//! How often the pairs and triples of a text occur, for those who need no places: a third of the
//! memory.

use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::pairs::SortedPairs;
use super::shard::GramShard;

/// How often pairs of characters occur.
#[derive(Clone, Debug, Default)]
pub struct GramPairCounts {
    /// Of each shard of the table.
    pub(super) counts: Vec<(SortedPairs, Vec<u32>)>,
    /// The shard of each first character, if there are several.
    pub(super) shard_of: Vec<u8>,
}

/// How often the three characters at each place of a text occur.
#[derive(Clone, Debug, Default)]
pub struct TripleCounts {
    /// By the place of the first; 0 where fewer are left.
    triples: Vec<u16>,
    /// Triples that are more than fit.
    long: FxHashMap<[char; 3], u32>,
}

/// Stands for a count that is kept apart.
const LONG: u16 = u16::MAX;

impl GramPairCounts {
    /// How often two characters occur together.
    pub fn of(&self, pair: [char; 2]) -> u32 {
        let shard = self.shard_of.get(pair[0] as usize).map_or(0, |shard| usize::from(*shard));
        let Some((pairs, counts)) = self.counts.get(shard) else { return 0 };
        pairs.number(pair[0], pair[1]).map_or(0, |number| counts[number])
    }
}

/// Counts triples; parts of them may be added at the same time.
pub(super) struct TripleCounter {
    triples: Vec<AtomicU16>,
    long: Mutex<FxHashMap<[char; 3], u32>>,
}

impl TripleCounter {
    /// For a text of so many characters.
    pub fn new(chars: usize) -> Self {
        let triples = (0..chars).map(|_| AtomicU16::new(0)).collect();
        TripleCounter { triples, long: Mutex::default() }
    }

    /// Adds those of a part of the triples of the text.
    pub fn add(&self, text: &[char], shard: &GramShard) {
        shard.each_triple(text, &mut |places| {
            let count = u16::try_from(places.len()).unwrap_or(LONG);
            // Each place is that of one triple.
            let store = |at: &u32| self.triples[*at as usize].store(count, Ordering::Relaxed);
            places.iter().for_each(store);
            if count == LONG {
                let at = places[0] as usize;
                let mut long = self.long.lock().unwrap_or_else(PoisonError::into_inner);
                long.insert([text[at], text[at + 1], text[at + 2]], places.len() as u32);
            }
        });
    }

    /// The counts, when all are added.
    pub fn finish(self) -> TripleCounts {
        let triples = self.triples.into_iter().map(AtomicU16::into_inner).collect();
        let long = self.long.into_inner().unwrap_or_else(PoisonError::into_inner);
        TripleCounts { triples, long }
    }
}

impl TripleCounts {
    /// What `make` makes of the place of each character and of how often the two before it, it and
    /// the one before it, and all three occur. The first two characters have 0.
    pub fn into_values(
        self,
        text: &[char],
        pairs: &GramPairCounts,
        mut make: impl FnMut(usize, [u32; 3]) -> u16,
    ) -> Vec<u16> {
        let mut values = self.triples;
        let mut before = [0, 0];
        let mut first = text.first_chunk().map_or(0, |pair| pairs.of(*pair));
        for n in 0..values.len() {
            let [triple, _] = before;
            before = [before[1], std::mem::take(&mut values[n])];
            let Some(from) = n.checked_sub(2) else { continue };
            let triple = match triple {
                LONG => self.long[&[text[from], text[from + 1], text[n]]],
                short => u32::from(short),
            };
            let last = pairs.of([text[n - 1], text[n]]);
            values[n] = make(n, [first, last, triple]);
            first = last;
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use crate::text::grams::Grams;

    #[test]
    fn counts_are_those_of_a_plain_count() {
        let text: Vec<char> =
            "甲乙丙甲乙丁甲乙丙".chars().chain(std::iter::repeat_n('戊', 70_000)).collect();
        let counted = Grams::of(&text).into_counts(&text);
        let (pairs, triples) = counted.expect("all are indexed");
        let count = |gram: &[char]| text.windows(gram.len()).filter(|w| *w == gram).count() as u32;
        for pair in [['甲', '乙'], ['乙', '丁'], ['戊', '戊'], ['丁', '丁']] {
            assert_eq!(pairs.of(pair), count(&pair), "{pair:?}");
        }
        let mut seen = vec![];
        let values = triples.into_values(&text, &pairs, |n, counts| {
            if n < 15 || n == 70_000 {
                let grams = [&text[n - 2..n], &text[n - 1..=n], &text[n - 2..=n]];
                assert_eq!(counts, grams.map(count), "{n}");
                seen.push(n);
            }
            n as u16
        });
        assert_eq!(seen, (2..15).chain([70_000]).collect::<Vec<_>>());
        assert_eq!((values.len(), &values[..4]), (text.len(), &[0, 0, 2, 3][..]));
    }
}
