//! The places of the pairs of a text that begin with some characters, and of their triples.
//!
//! Triples are found through their pairs: those that begin with the same pair are beside each
//! other, in the order of their third characters. So only pairs need a list, which is far smaller
//! than one of all triples, most of which occur once or twice. Triples of pairs with few
//! places have no lists: the places of the pair are looked at one by one.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::pairs::SortedPairs;
use super::places::bounds;

/// Triples of a pair with at most so many places have no lists. Six of seven are of such pairs.
const FEW_PLACES: usize = 512;

/// The places of some pairs and of the triples that begin with them.
#[derive(Clone, Debug, Default)]
pub struct GramShard {
    numbers: SortedPairs,
    /// Where the places of each pair end, by their numbers. They begin where those of the one
    /// before it end.
    pairs: Vec<u32>,
    pair_places: Vec<u32>,
    /// The pairs with lists of triples, in order, and where the triples of each end.
    listed: Vec<ListedPair>,
    /// The triples, in the order of their pairs.
    triples: Vec<Triple>,
    triple_places: Vec<u32>,
}

/// One pair with many places: its number, and where the triples that begin with it end. They begin
/// where those of the one before it end.
#[derive(Clone, Copy, Debug)]
struct ListedPair {
    pair: u32,
    triples: u32,
}

/// One triple: its third character, and where its places end. They begin where those of the one
/// before it end.
#[derive(Clone, Copy, Debug)]
struct Triple {
    third: char,
    end: u32,
}

/// The triples of a pair.
enum TriplesOf {
    /// Of few places.
    Few,
    /// In the list of triples.
    Listed(Range<usize>),
}

impl GramShard {
    /// Those of the wanted pairs of a text, without triples.
    pub fn of(text: &[char], wanted: impl Fn(char, char) -> bool) -> Self {
        let mut shard = GramShard::default();
        shard.add_pairs(text, wanted);
        shard
    }

    fn add_pairs(&mut self, text: &[char], wanted: impl Fn(char, char) -> bool) {
        // Numbered as they first occur, and then in their order.
        let mut numbers: FxHashMap<(char, char), u32> = FxHashMap::default();
        let mut counts: Vec<u32> = vec![];
        // The number of the pair at each of its places.
        let mut found: Vec<u32> = vec![];
        for pair in text.windows(2).filter(|pair| wanted(pair[0], pair[1])) {
            let number = *numbers.entry((pair[0], pair[1])).or_insert(counts.len() as u32);
            match counts.get_mut(number as usize) {
                Some(n) => *n += 1,
                None => counts.push(1),
            }
            found.push(number);
        }
        let mut sorted: Vec<((char, char), u32)> = numbers.into_iter().collect();
        sorted.sort_unstable();
        self.numbers = SortedPairs::of(sorted.iter().map(|(pair, _)| *pair));
        // Where the next place of each pair goes, first of all its first.
        let mut next = counts;
        let mut from = 0;
        for (_, number) in &sorted {
            from += std::mem::replace(&mut next[*number as usize], from);
        }
        self.pair_places = vec![0; from as usize];
        let places = (0..).zip(text.windows(2)).filter(|(_, pair)| wanted(pair[0], pair[1]));
        for ((place, _), number) in places.zip(found) {
            let slot = &mut next[number as usize];
            self.pair_places[*slot as usize] = place;
            *slot += 1;
        }
        // Each is now where the places of its pair end.
        let end = |(_, number): &(_, u32)| next[*number as usize];
        self.pairs = sorted.iter().map(end).collect();
    }

    /// Adds the triples of each pair with more than a few places.
    pub fn add_triples(&mut self, text: &[char]) {
        // Each with its place in one number, which is compared at once.
        let mut thirds: Vec<u64> = Vec::new();
        for pair in 0..self.pairs.len() {
            let places = self.places_of(pair);
            if places.len() <= FEW_PLACES {
                continue;
            }
            by_third(text, &self.pair_places[places], &mut thirds);
            for group in thirds.chunk_by(|x, y| x >> u32::BITS == y >> u32::BITS) {
                self.triple_places.extend(group.iter().map(|t| *t as u32));
                let third = char::from_u32((group[0] >> u32::BITS) as u32).unwrap_or_default();
                self.triples.push(Triple { third, end: self.triple_places.len() as u32 });
            }
            let triples = self.triples.len() as u32;
            self.listed.push(ListedPair { pair: pair as u32, triples });
        }
        self.listed.shrink_to_fit();
        self.triples.shrink_to_fit();
        self.triple_places.shrink_to_fit();
    }

    /// The places of a pair.
    pub fn pair_places(&self, a: char, b: char) -> &[u32] {
        self.pair(a, b).map(|pair| &self.pair_places[self.places_of(pair)]).unwrap_or_default()
    }

    /// The places of a triple of the text that are in `starts`.
    pub fn triple_places(
        &self,
        text: &[char],
        [a, b, c]: [char; 3],
        starts: &Range<usize>,
    ) -> Cow<'_, [u32]> {
        let Some(pair) = self.pair(a, b) else { return Cow::default() };
        let within = |places| bounds(places, starts.clone(), text.len());
        match self.triples_of(pair) {
            TriplesOf::Few => {
                let places = &self.pair_places[self.places_of(pair)];
                let places = places[within(places)].iter().copied();
                places.filter(|at| has(text, *at, c)).collect()
            }
            TriplesOf::Listed(all) => {
                let found = self.triple(all, c).map(|triple| self.places_of_triple(triple));
                let places = found.map(|places| &self.triple_places[places]).unwrap_or_default();
                places[within(places)].into()
            }
        }
    }

    /// How many places a triple has.
    pub fn triple_count(&self, text: &[char], [a, b, c]: [char; 3]) -> usize {
        let Some(pair) = self.pair(a, b) else { return 0 };
        match self.triples_of(pair) {
            TriplesOf::Few => {
                let places = &self.pair_places[self.places_of(pair)];
                places.iter().filter(|at| has(text, **at, c)).count()
            }
            TriplesOf::Listed(all) => {
                self.triple(all, c).map_or(0, |triple| self.places_of_triple(triple).len())
            }
        }
    }

    fn pair(&self, a: char, b: char) -> Option<usize> {
        self.numbers.number(a, b)
    }

    fn places_of(&self, pair: usize) -> Range<usize> {
        let from = pair.checked_sub(1).map_or(0, |before| self.pairs[before]);
        from as usize..self.pairs[pair] as usize
    }

    fn triples_of(&self, pair: usize) -> TriplesOf {
        let Ok(n) = self.listed.binary_search_by_key(&pair, |listed| listed.pair as usize) else {
            return TriplesOf::Few;
        };
        let from = n.checked_sub(1).map_or(0, |before| self.listed[before].triples);
        TriplesOf::Listed(from as usize..self.listed[n].triples as usize)
    }

    /// The number of the triple with a third character among those of a pair.
    fn triple(&self, all: Range<usize>, third: char) -> Option<usize> {
        let from = all.start;
        Some(from + self.triples[all].binary_search_by_key(&third, |t| t.third).ok()?)
    }

    fn places_of_triple(&self, number: usize) -> Range<usize> {
        let from = number.checked_sub(1).map_or(0, |before| self.triples[before].end);
        from as usize..self.triples[number].end as usize
    }

    /// Gives up the lists of triples: who only counts them finds each once, through its pair.
    pub fn forget_triples(&mut self) {
        (self.listed, self.triples, self.triple_places) = (vec![], vec![], vec![]);
    }

    /// Calls `each` with the places of each triple of the text. Lists of triples are not needed.
    pub fn each_triple(&self, text: &[char], each: &mut impl FnMut(&[u32])) {
        let (mut thirds, mut places) = (vec![], vec![]);
        for pair in 0..self.pairs.len() {
            by_third(text, &self.pair_places[self.places_of(pair)], &mut thirds);
            for group in thirds.chunk_by(|x, y| x >> u32::BITS == y >> u32::BITS) {
                places.clear();
                places.extend(group.iter().map(|t| *t as u32));
                each(&places);
            }
        }
    }

    /// The pairs, and how often each occurs.
    pub fn into_pair_counts(self) -> (SortedPairs, Vec<u32>) {
        let counts = (0..self.pairs.len()).map(|n| self.places_of(n).len() as u32).collect();
        (self.numbers, counts)
    }
}

/// True if a character is the third from a place.
fn has(text: &[char], at: u32, third: char) -> bool {
    text.get(at as usize + 2) == Some(&third)
}

/// The third characters from some places, with the places in their lower halves, in order.
fn by_third(text: &[char], places: &[u32], thirds: &mut Vec<u64>) {
    thirds.clear();
    thirds.extend(places.iter().filter_map(|at| {
        let third = u64::from(u32::from(*text.get(*at as usize + 2)?));
        Some(third << u32::BITS | u64::from(*at))
    }));
    thirds.sort_unstable();
}
