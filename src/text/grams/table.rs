//! The places of all pairs and triples of characters of a text.
//!
//! Triples are found through their pairs: those that begin with the same pair are beside each other,
//! in the order of their third characters. So only pairs need a hash table, which is far smaller than
//! one of all triples, most of which occur once or twice.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// The places of all pairs and triples.
#[derive(Clone, Debug, Default)]
pub struct GramTable {
    /// Which of the places are those of each pair.
    pairs: FxHashMap<u64, PairRange>,
    pair_places: Vec<u32>,
    /// The triples, in the order of their pairs.
    triples: Vec<Triple>,
    triple_places: Vec<u32>,
}

/// The places of a pair, and which triples begin with it.
#[derive(Clone, Copy, Debug, Default)]
struct PairRange {
    from: u32,
    number: u32,
    triples: u32,
    of_triples: u32,
}

/// One triple: its third character, and where its places end. They begin where those of the one
/// before it end.
#[derive(Clone, Copy, Debug)]
struct Triple {
    third: char,
    end: u32,
}

impl PairRange {
    fn places(self) -> Range<usize> {
        self.from as usize..self.from as usize + self.number as usize
    }

    fn triples(self) -> Range<usize> {
        self.triples as usize..self.triples as usize + self.of_triples as usize
    }
}

impl GramTable {
    /// Those of a text.
    pub fn of(text: &[char]) -> Self {
        let (pairs, starts, pair_places) = pairs(text);
        let mut table =
            GramTable { pairs, pair_places, triples: Vec::new(), triple_places: Vec::new() };
        let triples = table.add_triples(text, &starts);
        for range in table.pairs.values_mut() {
            // The number of order was where the range is among those of the pairs.
            (range.triples, range.of_triples) = triples[range.triples as usize];
        }
        table
    }

    /// Adds the triples of each pair, whose places begin at `starts`; returns which they are.
    fn add_triples(&mut self, text: &[char], starts: &[u32]) -> Vec<(u32, u32)> {
        let all = &self.pair_places;
        let mut made = Vec::with_capacity(all.len());
        let mut ranges = Vec::with_capacity(starts.len());
        let mut thirds: Vec<(char, u32)> = Vec::new();
        for (n, from) in starts.iter().enumerate() {
            let to = starts.get(n + 1).map_or(all.len(), |to| *to as usize);
            let third = |at: &u32| Some((*text.get(*at as usize + 2)?, *at));
            thirds.clear();
            thirds.extend(all[*from as usize..to].iter().filter_map(third));
            thirds.sort_unstable();
            let first = self.triples.len();
            for group in thirds.chunk_by(|x, y| x.0 == y.0) {
                made.extend(group.iter().map(|(_, at)| *at));
                self.triples.push(Triple { third: group[0].0, end: made.len() as u32 });
            }
            ranges.push((first as u32, (self.triples.len() - first) as u32));
        }
        self.triples.shrink_to_fit();
        self.triple_places = made;
        ranges
    }

    /// The places of a pair or a triple, in rising order.
    pub fn places(&self, gram: &[char]) -> &[u32] {
        match gram {
            [a, b] => &self.pair_places[self.pair(*a, *b).places()],
            [a, b, c] => &self.triple_places[self.triple(self.pair(*a, *b), *c)],
            _ => &[],
        }
    }

    /// Characters of the text, about.
    pub fn chars(&self) -> usize {
        self.pair_places.len()
    }

    fn pair(&self, a: char, b: char) -> PairRange {
        self.pairs.get(&packed(a, b)).copied().unwrap_or_default()
    }

    fn triple(&self, pair: PairRange, third: char) -> Range<usize> {
        let triples = &self.triples[pair.triples()];
        let Ok(at) = triples.binary_search_by_key(&third, |t| t.third) else { return 0..0 };
        self.triple_places_of(pair.triples as usize + at)
    }

    fn triple_places_of(&self, number: usize) -> Range<usize> {
        let from = number.checked_sub(1).map_or(0, |before| self.triples[before].end);
        from as usize..self.triples[number].end as usize
    }

    /// The places of each gram of so many characters.
    pub fn groups(&self, size: usize) -> impl Iterator<Item = &[u32]> {
        let pairs = (size == 2).then(|| self.pairs.values().map(|pair| pair.places()));
        let pairs = pairs.into_iter().flatten().map(|of| &self.pair_places[of]);
        let triples = if size == 3 { 0..self.triples.len() } else { 0..0 };
        pairs.chain(triples.map(|n| &self.triple_places[self.triple_places_of(n)]))
    }
}

/// The places of each pair. Where a pair's triples will be noted is its number of order; where the
/// places of each begin, by that number.
fn pairs(text: &[char]) -> (FxHashMap<u64, PairRange>, Vec<u32>, Vec<u32>) {
    let mut pairs: FxHashMap<u64, PairRange> = FxHashMap::default();
    let mut of_place: Vec<u32> = Vec::with_capacity(text.len());
    for pair in text.windows(2) {
        let next = PairRange { triples: pairs.len() as u32, ..PairRange::default() };
        let counted = pairs.entry(packed(pair[0], pair[1])).or_insert(next);
        counted.number += 1;
        of_place.push(counted.triples);
    }
    let mut starts = vec![0; pairs.len()];
    for pair in pairs.values() {
        starts[pair.triples as usize] = pair.number;
    }
    let mut from = 0;
    for start in &mut starts {
        from += std::mem::replace(start, from);
    }
    for pair in pairs.values_mut() {
        pair.from = starts[pair.triples as usize];
    }
    let mut filled = starts.clone();
    let mut places = vec![0; of_place.len()];
    for (place, pair) in of_place.into_iter().enumerate() {
        let slot = &mut filled[pair as usize];
        places[*slot as usize] = place as u32;
        *slot += 1;
    }
    (pairs, starts, places)
}

/// Two characters in one number.
fn packed(a: char, b: char) -> u64 {
    u64::from(a as u32) << 32 | u64::from(b as u32)
}
