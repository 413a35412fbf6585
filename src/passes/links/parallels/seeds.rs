//! Seeds: runs of four characters that two chapters share, extended to blocks of equal characters.

use std::collections::HashMap;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::corpus::Index;
use crate::corpus::figures::{CorpusFigures, MAX_SEED_PLACES, SEED_CHARS, seed};
use crate::corpus::index::{BORDER, CorpusText};

/// Most characters by which a block extends its seed on each side; this keeps repetitive texts
/// linear.
const MAX_EXTENSION_CHARS: usize = 64;

/// Equal characters: `len` from `a` and from `b` in the text of all streams, with `a` before `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EqualBlock {
    /// Start of the first occurrence.
    pub a: u32,
    /// Start of the second.
    pub b: u32,
    /// Number of characters.
    pub len: u32,
}

/// A number for every entry, the same for texts of one chapter: what they share is one text, not a
/// parallel.
pub fn chapters(index: &Index) -> Vec<usize> {
    let mut known: HashMap<(&str, String), usize> = HashMap::new();
    index
        .entries
        .iter()
        .map(|e| match (e.named.as_ref(), e.chapter()) {
            (Some(n), Some(chapter)) => *known.entry((&n.work, chapter)).or_insert(e.number),
            _ => e.number,
        })
        .collect()
}

/// Blocks of pairs of places with the same four characters, in the order of their diagonals.
pub fn blocks(words: &CorpusText, mut pairs: Vec<(u32, u32)>) -> Vec<EqualBlock> {
    let text = &words.text;
    pairs.sort_unstable_by_key(|(a, b)| (b - a, *a));
    let mut blocks: Vec<EqualBlock> = Vec::new();
    for (a, b) in pairs {
        let (a, b) = (a as usize, b as usize);
        let end = |l: &EqualBlock| (l.a + l.len) as usize;
        let last = blocks.last_mut().filter(|l| (l.b - l.a) as usize == b - a && a <= end(l));
        if last.as_ref().is_some_and(|l| a + SEED_CHARS <= end(l))
            || text[a..a + SEED_CHARS] != text[b..b + SEED_CHARS]
        {
            continue;
        }
        let same = |(x, y): &(&char, &char)| x == y && **x != BORDER;
        let ahead = text[a + SEED_CHARS..]
            .iter()
            .zip(&text[b + SEED_CHARS..])
            .take(MAX_EXTENSION_CHARS)
            .take_while(same)
            .count();
        match last {
            Some(l) => l.len = (a + SEED_CHARS + ahead) as u32 - l.a,
            None => {
                let back = text[..a]
                    .iter()
                    .rev()
                    .zip(text[..b].iter().rev())
                    .take(MAX_EXTENSION_CHARS)
                    .take_while(same)
                    .count();
                blocks.push(EqualBlock {
                    a: (a - back) as u32,
                    b: (b - back) as u32,
                    len: (back + SEED_CHARS + ahead) as u32,
                });
            }
        }
    }
    blocks
}

/// Pairs of places of seeds, and which seeds have too many places to be one.
#[derive(Debug, Default)]
pub struct SeedPairs {
    /// The earlier place first, in different chapters.
    pub pairs: Vec<(u32, u32)>,
    /// The hashes of formulas, in order.
    pub formulas: Vec<u32>,
}

/// What decides which places are paired, besides their words.
#[derive(Clone, Copy)]
pub struct PairRules<'a> {
    /// The chapter of each entry, see [`chapters`].
    pub chapters: &'a [usize],
    /// At least one of two places is among the first `own` entries; nobody asks what others share.
    pub own: usize,
    /// The pairs of entries that are compared, the first before the second; all if `None`.
    pub only: Option<&'a FxHashSet<(usize, usize)>>,
}

impl PairRules<'_> {
    /// The pairs of the places of one seed, which are in order, each with the number of its entry;
    /// only those that begin with one of the first so many.
    fn pairs(self, places: &[(u32, usize)], first: usize, pairs: &mut Vec<(u32, u32)>) {
        for (n, (a, entry)) in places.iter().enumerate().take(first) {
            // Places are in the order of the entries: if the first is not own, none is.
            if *entry >= self.own {
                break;
            }
            let wanted = |(_, other): &&(u32, usize)| {
                self.chapters[*other] != self.chapters[*entry]
                    && self.only.is_none_or(|only| only.contains(&(*entry, *other)))
            };
            pairs.extend(places[n + 1..].iter().filter(wanted).map(|(b, _)| (*a, *b)));
        }
    }
}

/// The places of all seeds that may be in a pair. The pairs themselves would take more memory than
/// the text, so they are listed for one [slice](Self::slices) of the text after the other.
pub struct SeedPlaces {
    /// Those of one seed after those of the other, each in order.
    at: Vec<u32>,
    /// How many each seed has.
    counts: Vec<u8>,
    /// The hashes of formulas, in order.
    pub formulas: Vec<u32>,
}

/// Into so many stretches the seeds are divided by their numbers. Only those of one are listed at a
/// time, for all would take more memory than the text.
const STRETCHES: u32 = 16;

/// About so many pairs are listed at a time, or a thirty-second of all if that is more: each slice
/// goes through all seeds.
pub const SLICE_PAIRS: usize = 1 << 19;
const MAX_SLICES: usize = 32;

impl SeedPlaces {
    /// Those of a text.
    pub fn of(words: &CorpusText, figures: Option<&CorpusFigures>) -> Self {
        let mut places = SeedPlaces { at: vec![], counts: vec![], formulas: vec![] };
        for stretch in 0..STRETCHES {
            places.add(words, figures, stretch);
        }
        places
    }

    /// Adds the seeds of one stretch.
    fn add(&mut self, words: &CorpusText, figures: Option<&CorpusFigures>, stretch: u32) {
        let windows = words.text.windows(SEED_CHARS).enumerate();
        let seeds = windows.map(|(n, w)| (seed(w), n));
        let is_here = |(hash, n): &(u32, usize)| {
            hash / (u32::MAX / STRETCHES + 1) == stretch
                && !words.text[*n..n + SEED_CHARS].contains(&BORDER)
        };
        let mut seeds: Vec<(u32, u32)> =
            seeds.filter(is_here).map(|(hash, n)| (hash, n as u32)).collect();
        seeds.sort_unstable();
        let formula = |hash: u32| figures.is_some_and(|f| f.is_formula(hash));
        for group in seeds.chunk_by(|x, y| x.0 == y.0) {
            if group.len() > MAX_SEED_PLACES {
                self.formulas.push(group[0].0);
            } else if group.len() > 1 && !formula(group[0].0) {
                self.at.extend(group.iter().map(|(_, at)| *at));
                self.counts.push(group.len() as u8);
            }
        }
    }

    /// The places of each seed.
    fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let mut rest = &self.at[..];
        self.counts.iter().map(move |count| {
            let (group, others) = rest.split_at(usize::from(*count));
            rest = others;
            group
        })
    }

    /// Slices of the text, each of whole parts, whose places are the first of about as many pairs:
    /// `pairs_of_each`, or more.
    pub fn slices(&self, words: &CorpusText, pairs_of_each: usize) -> Vec<Range<usize>> {
        let mut pairs = vec![0; words.parts().len()];
        for group in self.groups() {
            for (n, at) in group.iter().enumerate() {
                pairs[words.part_number(*at as usize)] += group.len() - 1 - n;
            }
        }
        let limit = pairs_of_each.max(pairs.iter().sum::<usize>() / MAX_SLICES);
        let mut slices: Vec<Range<usize>> = vec![];
        let mut room = 0;
        for (part, pairs) in words.parts().iter().zip(pairs) {
            match slices.last_mut() {
                Some(last) if pairs <= room => last.end = part.range.end,
                _ => {
                    slices.push(part.range.clone());
                    room = limit;
                }
            }
            room = room.saturating_sub(pairs);
        }
        slices
    }

    /// The pairs whose first place is in a slice of the text.
    pub fn pairs(
        &self,
        words: &CorpusText,
        rules: PairRules<'_>,
        slice: &Range<usize>,
    ) -> Vec<(u32, u32)> {
        let mut pairs = vec![];
        let mut places = vec![];
        for group in self.groups() {
            let from = group.partition_point(|at| (*at as usize) < slice.start);
            let first = group[from..].partition_point(|at| (*at as usize) < slice.end);
            if first > 0 {
                places.clear();
                places.extend(group[from..].iter().map(|at| (*at, words.part(*at as usize).entry)));
                rules.pairs(&places, first, &mut pairs);
            }
        }
        pairs
    }
}

/// The pairs with at least one place in some parts, if the others are as they were when there were
/// these `formulas`. If a seed of these parts became a formula, or is none any more, the other
/// parts that have it are marked too: what they share is not as it was.
pub fn pairs_of(
    words: &CorpusText,
    rules: PairRules<'_>,
    parts: &mut [bool],
    formulas: &[u32],
) -> SeedPairs {
    let counted = SeedCounts::of(words, parts, formulas);
    let changed = counted.changed(formulas);
    if changed.is_empty() {
        return counted.pairs(words, rules, parts);
    }
    for (part, marked) in words.parts().iter().zip(&mut *parts) {
        let mut seeds = words.text[part.range.clone()].windows(SEED_CHARS).map(seed);
        *marked = *marked || seeds.any(|s| changed.contains(&s));
    }
    SeedCounts::of(words, parts, formulas).pairs(words, rules, parts)
}

/// The places of the seeds of some parts in the text of all.
struct SeedCounts {
    /// A number for each seed.
    numbers: FxHashMap<u32, u32>,
    /// How often each occurs.
    counts: Vec<usize>,
    /// Seeds and places of those that are in the parts.
    places: Vec<(u32, u32)>,
}

impl SeedCounts {
    fn of(words: &CorpusText, parts: &[bool], formulas: &[u32]) -> Self {
        let seeds = |range: &Range<usize>| words.text[range.clone()].windows(SEED_CHARS).map(seed);
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let own = words.parts().iter().zip(parts).filter(|(_, own)| **own);
        for hash in own.flat_map(|(part, _)| seeds(&part.range)) {
            let next = numbers.len() as u32;
            numbers.entry(hash).or_insert(next);
        }
        // The others are counted only.
        let of_parts = numbers.len() as u32;
        for hash in formulas {
            let next = numbers.len() as u32;
            numbers.entry(*hash).or_insert(next);
        }
        let mut counts = vec![0; numbers.len()];
        let mut places = vec![];
        for part in words.parts() {
            for (at, hash) in (part.range.start..).zip(seeds(&part.range)) {
                let Some(number) = numbers.get(&hash) else { continue };
                counts[*number as usize] += 1;
                if *number < of_parts && counts[*number as usize] <= MAX_SEED_PLACES {
                    places.push((*number, at as u32));
                }
            }
        }
        places.sort_unstable();
        SeedCounts { numbers, counts, places }
    }

    fn is_formula(&self, number: u32) -> bool {
        self.counts[number as usize] > MAX_SEED_PLACES
    }

    /// Seeds that became formulas, and formulas that are none any more.
    fn changed(&self, formulas: &[u32]) -> FxHashSet<u32> {
        let was = |hash: &u32| formulas.binary_search(hash).is_ok();
        let changed = self.numbers.iter().filter(|(hash, n)| was(hash) != self.is_formula(**n));
        changed.map(|(hash, _)| *hash).collect()
    }

    fn pairs(self, words: &CorpusText, rules: PairRules<'_>, parts: &[bool]) -> SeedPairs {
        let mut pairs = vec![];
        for group in self.places.chunk_by(|x, y| x.0 == y.0) {
            if group.len() < 2 || self.is_formula(group[0].0) {
                continue;
            }
            let place = |(_, at): &(u32, u32)| (*at, words.part(*at as usize).entry);
            let places: Vec<(u32, usize)> = group.iter().map(place).collect();
            rules.pairs(&places, places.len(), &mut pairs);
        }
        let is_own = |at: u32| parts[words.part_number(at as usize)];
        pairs.retain(|(a, b)| is_own(*a) || is_own(*b));
        let formulas = self.numbers.iter().filter(|(_, n)| self.is_formula(**n));
        let mut formulas: Vec<u32> = formulas.map(|(hash, _)| *hash).collect();
        formulas.sort_unstable();
        SeedPairs { pairs, formulas }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::corpus::{Library, Works};
    use crate::model::{Document, Layer};

    #[test]
    fn the_pairs_of_all_slices_are_those_of_the_whole() {
        let text = |n: u32| -> String {
            let c = |i: u32| char::from_u32(0x4e00 + (i * i + n * i / 3) % 7);
            (0..90).filter_map(c).collect()
        };
        let document = |n: u32| Arc::new(Document::of_pieces(&[(Layer::Jing, &text(n))]));
        let documents = (0..9).map(document).collect();
        let index = Index::of(&Library { documents, ..Library::default() }, &Works::builtin());
        let words = index.words();
        let chapters = [0, 1, 2, 1, 4, 5, 6, 7, 8];
        let rules = PairRules { chapters: &chapters, own: 8, only: None };
        let places = SeedPlaces::of(words, None);
        let whole = 0..words.text.len();
        let mut all = places.pairs(words, rules, &whole);
        let slices = places.slices(words, 10);
        assert!(slices.len() > 4 && all.len() > 200, "{slices:?} {}", all.len());
        let mut of_slices: Vec<_> =
            slices.iter().flat_map(|slice| places.pairs(words, rules, slice)).collect();
        all.sort_unstable();
        of_slices.sort_unstable();
        assert_eq!(of_slices, all);
    }
}
