//! The places of all pairs and triples of characters of a text.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;

use super::counts::{GramPairCounts, TripleCounter, TripleCounts};
use super::pairs::SortedPairs;
use super::places::bounds;
use super::shard::GramShard;

/// A text with more characters than this is divided by the first characters of its pairs, so that
/// what is needed while its table is made is small.
const SHARD_CHARS: usize = 1 << 21;

/// The places of all pairs and triples.
#[derive(Clone, Debug, Default)]
pub struct GramTable {
    shards: Vec<GramShard>,
    /// The shard of each first character, if there are several.
    shard_of: Vec<u8>,
    /// Characters of the text.
    chars: usize,
}

impl GramTable {
    /// Those of a text.
    pub fn of(text: &[char]) -> Self {
        Self::of_pairs(text, |_, _| true)
    }

    /// Only some pairs of a text, and the triples that begin with them.
    pub fn of_pairs(text: &[char], wanted: impl Fn(char, char) -> bool + Sync) -> Self {
        let (shard_of, number) = shards(text);
        let shards = (0..number).into_par_iter().map(|n| {
            let mut shard = pairs_of_shard(text, &shard_of, n, &wanted);
            shard.add_triples(text);
            shard
        });
        GramTable { shards: shards.collect(), shard_of, chars: text.len() }
    }

    /// How often each pair and each triple of a text occurs. No more places are held than the cores
    /// work on.
    pub fn counts_of(text: &[char]) -> (GramPairCounts, TripleCounts) {
        let (shard_of, number) = shards(text);
        let all = |_, _| true;
        let shards = (0..number).into_par_iter();
        let shards = shards.map(|n| pairs_of_shard(text, &shard_of, n, &all));
        let (counts, triples) = counted(text, shards);
        (GramPairCounts { counts, shard_of }, triples)
    }

    /// The places of a pair or a triple of the text that are in `starts`, in rising order.
    pub fn places(&self, text: &[char], gram: &[char], starts: &Range<usize>) -> Cow<'_, [u32]> {
        match *gram {
            [a, b] => {
                let places = self.pair_places(a, b);
                places[bounds(places, starts.clone(), self.chars)].into()
            }
            [a, b, c] => {
                let shard = self.shard(a);
                shard.map(|shard| shard.triple_places(text, [a, b, c], starts)).unwrap_or_default()
            }
            _ => Cow::default(),
        }
    }

    /// The places of a pair.
    pub fn pair_places(&self, a: char, b: char) -> &[u32] {
        self.shard(a).map(|shard| shard.pair_places(a, b)).unwrap_or_default()
    }

    /// How many places a pair or a triple has.
    pub fn count(&self, text: &[char], gram: &[char]) -> usize {
        match *gram {
            [a, b] => self.pair_places(a, b).len(),
            [a, b, c] => self.shard(a).map_or(0, |shard| shard.triple_count(text, [a, b, c])),
            _ => 0,
        }
    }

    fn shard(&self, first: char) -> Option<&GramShard> {
        match self.shard_of.is_empty() {
            true => self.shards.first(),
            false => self.shards.get(usize::from(*self.shard_of.get(first as usize)?)),
        }
    }

    /// How often each pair and each triple of the text occurs. Places are given up as soon as they
    /// are counted.
    pub fn into_counts(mut self, text: &[char]) -> (GramPairCounts, TripleCounts) {
        self.shards.iter_mut().for_each(GramShard::forget_triples);
        let (counts, triples) = counted(text, self.shards.into_par_iter());
        (GramPairCounts { counts, shard_of: self.shard_of }, triples)
    }
}

/// How often the pairs of each shard of a text occur, and all triples.
fn counted(
    text: &[char],
    shards: impl IndexedParallelIterator<Item = GramShard>,
) -> (Vec<(SortedPairs, Vec<u32>)>, TripleCounts) {
    let triples = TripleCounter::new(text.len());
    let counts = shards.map(|shard| {
        triples.add(text, &shard);
        shard.into_pair_counts()
    });
    let counts = counts.collect();
    (counts, triples.finish())
}

/// The wanted pairs of a text whose first characters are of shard `n`.
fn pairs_of_shard(
    text: &[char],
    shard_of: &[u8],
    n: usize,
    wanted: &impl Fn(char, char) -> bool,
) -> GramShard {
    match shard_of {
        [] => GramShard::of(text, wanted),
        _ => GramShard::of(text, |a, b| usize::from(shard_of[a as usize]) == n && wanted(a, b)),
    }
}

/// The shard of each character of a long text as the first of pairs, by its code, and how many
/// there are. Empty if one is enough.
fn shards(text: &[char]) -> (Vec<u8>, usize) {
    if text.len() <= SHARD_CHARS {
        return (vec![], 1);
    }
    let mut counts: Vec<usize> = vec![];
    for c in text {
        let code = *c as usize;
        if code >= counts.len() {
            counts.resize(code + 1, 0);
        }
        counts[code] += 1;
    }
    let most = SHARD_CHARS.max(text.len() / usize::from(u8::MAX / 2));
    let (mut shard, mut filled) = (0, 0);
    let of = |count: usize| {
        if filled > 0 && filled + count > most {
            (shard, filled) = (shard + 1, 0);
        }
        filled += count;
        shard
    };
    let shard_of: Vec<u8> = counts.into_iter().map(of).collect();
    (shard_of, usize::from(shard) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_has_the_places_of_a_plain_search() {
        // Pseudo-random characters, most of them rare (Knuth's generator).
        let mut seed = 1u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let n = (seed >> 33) as u32;
            char::from_u32(0x4e00 + (n % 97) * (n >> 8) % 61).unwrap_or('一')
        };
        let text: Vec<char> = (0..SHARD_CHARS + SHARD_CHARS / 4).map(|_| next()).collect();
        let table = GramTable::of(&text);
        assert!(table.shards.len() > 1);
        for at in (0..text.len() - 3).step_by(text.len() / 7) {
            for size in [2, 3] {
                let gram = &text[at..at + size];
                let plain: Vec<u32> = (0..=text.len() - size)
                    .filter(|at| text[*at..at + size] == *gram)
                    .map(|at| at as u32)
                    .collect();
                assert_eq!(table.places(&text, gram, &(0..text.len())), plain);
                assert_eq!(table.count(&text, gram), plain.len());
            }
        }
        assert_eq!(table.count(&text, &['無', '此']), 0);
    }
}
