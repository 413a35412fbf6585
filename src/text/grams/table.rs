//! The places of all pairs and triples of characters of a text.
//!
//! Triples are found through their pairs: those that begin with the same pair are beside each
//! other, in the order of their third characters. So only pairs need a hash table, which is far
//! smaller than one of all triples, most of which occur once or twice.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::counts::GramPairCounts;

/// The places of all pairs and triples.
#[derive(Clone, Debug, Default)]
pub struct GramTable {
    /// The number of each pair.
    numbers: FxHashMap<(char, char), u32>,
    /// By their numbers.
    pairs: Vec<PairEnds>,
    pair_places: Vec<u32>,
    /// The triples, in the order of their pairs.
    triples: Vec<Triple>,
    triple_places: Vec<u32>,
    /// Characters of the text.
    chars: usize,
}

/// Where the places of a pair and the triples that begin with it end. They begin where those of the
/// one before it end.
#[derive(Clone, Copy, Debug)]
struct PairEnds {
    places: u32,
    triples: u32,
}

/// One triple: its third character, and where its places end. They begin where those of the one
/// before it end.
#[derive(Clone, Copy, Debug)]
struct Triple {
    third: char,
    end: u32,
}

/// The number of a pair that is not in the table.
const UNWANTED: u32 = u32::MAX;

impl GramTable {
    /// Those of a text.
    pub fn of(text: &[char]) -> Self {
        Self::of_pairs(text, |_, _| true)
    }

    /// Only some pairs of a text, and the triples that begin with them.
    pub fn of_pairs(text: &[char], wanted: impl Fn(char, char) -> bool) -> Self {
        let mut table = GramTable { chars: text.len(), ..GramTable::default() };
        table.add_pairs(text, wanted);
        table.add_triples(text);
        table
    }

    /// Adds the pairs, numbered as they first occur.
    fn add_pairs(&mut self, text: &[char], wanted: impl Fn(char, char) -> bool) {
        let mut next: Vec<u32> = vec![];
        let mut of_place: Vec<u32> = Vec::with_capacity(text.len());
        for pair in text.windows(2) {
            if !wanted(pair[0], pair[1]) {
                of_place.push(UNWANTED);
                continue;
            }
            let number = *self.numbers.entry((pair[0], pair[1])).or_insert(next.len() as u32);
            match next.get_mut(number as usize) {
                Some(n) => *n += 1,
                None => next.push(1),
            }
            of_place.push(number);
        }
        let mut from = 0;
        next.iter_mut().for_each(|n| from += std::mem::replace(n, from));
        self.pair_places = vec![0; from as usize];
        for (place, pair) in of_place.into_iter().enumerate() {
            let Some(slot) = next.get_mut(pair as usize) else { continue };
            self.pair_places[*slot as usize] = place as u32;
            *slot += 1;
        }
        // Each is now where the places of its pair end.
        self.pairs = next.into_iter().map(|places| PairEnds { places, triples: 0 }).collect();
    }

    /// Adds the triples of each pair.
    fn add_triples(&mut self, text: &[char]) {
        let all = &self.pair_places;
        let mut made = Vec::with_capacity(all.len());
        // Each with its place in one number, which is compared at once.
        let mut thirds: Vec<u64> = Vec::new();
        let mut from = 0;
        for pair in &mut self.pairs {
            let third = |at: &u32| {
                let third = u64::from(u32::from(*text.get(*at as usize + 2)?));
                Some(third << u32::BITS | u64::from(*at))
            };
            thirds.clear();
            thirds.extend(all[from..pair.places as usize].iter().filter_map(third));
            thirds.sort_unstable();
            from = pair.places as usize;
            for group in thirds.chunk_by(|x, y| x >> u32::BITS == y >> u32::BITS) {
                made.extend(group.iter().map(|t| *t as u32));
                let third = char::from_u32((group[0] >> u32::BITS) as u32).unwrap_or_default();
                self.triples.push(Triple { third, end: made.len() as u32 });
            }
            pair.triples = self.triples.len() as u32;
        }
        self.triples.shrink_to_fit();
        self.triple_places = made;
    }

    /// The places of a pair or a triple, in rising order.
    pub fn places(&self, gram: &[char]) -> &[u32] {
        let found = match gram {
            [a, b] => self.pair(*a, *b).map(|pair| &self.pair_places[self.pair_places_of(pair)]),
            [a, b, c] => self
                .pair(*a, *b)
                .and_then(|pair| self.triple(pair, *c))
                .map(|triple| &self.triple_places[self.triple_places_of(triple)]),
            _ => None,
        };
        found.unwrap_or_default()
    }

    /// Characters of the text.
    pub fn chars(&self) -> usize {
        self.chars
    }

    fn pair(&self, a: char, b: char) -> Option<usize> {
        self.numbers.get(&(a, b)).map(|number| *number as usize)
    }

    /// The number of a triple that begins with a pair.
    fn triple(&self, pair: usize, third: char) -> Option<usize> {
        let from = pair.checked_sub(1).map_or(0, |before| self.pairs[before].triples as usize);
        let triples = &self.triples[from..self.pairs[pair].triples as usize];
        Some(from + triples.binary_search_by_key(&third, |t| t.third).ok()?)
    }

    fn pair_places_of(&self, number: usize) -> Range<usize> {
        let from = number.checked_sub(1).map_or(0, |before| self.pairs[before].places);
        from as usize..self.pairs[number].places as usize
    }

    fn triple_places_of(&self, number: usize) -> Range<usize> {
        let from = number.checked_sub(1).map_or(0, |before| self.triples[before].end);
        from as usize..self.triples[number].end as usize
    }

    /// The places of each triple.
    pub fn triples(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.triples.len()).map(|n| &self.triple_places[self.triple_places_of(n)])
    }

    /// The places of each pair.
    pub fn pairs(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.pairs.len()).map(|n| &self.pair_places[self.pair_places_of(n)])
    }

    /// Forgets the triples.
    pub fn without_triples(mut self) -> Self {
        (self.triples, self.triple_places) = Default::default();
        self
    }

    /// How often each pair occurs.
    pub fn into_pair_counts(self) -> GramPairCounts {
        let counts = (0..self.pairs.len()).map(|n| self.pair_places_of(n).len() as u32);
        GramPairCounts { counts: counts.collect(), numbers: self.numbers }
    }
}
