//! The chains of pairs of parts, packed, with the passages that were made of them. Each is
//! seldom looked at: in a large corpus most pairs have some words in common by chance, and a list
//! of their chains would take more memory than the texts.

use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::chains::PairChains;
use super::passage::ParallelPassage;
use super::stored::{StoredPassage, from_stored_passage, to_stored_passage};

/// So many pairs are packed together.
const CHUNK: usize = 256;

/// The pairs, in the order of their parts.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct PackedPairs {
    chunks: Vec<PackedChunk>,
    pairs: usize,
}

/// Some pairs, and their passages beside them: most builds read only these, and few pairs.
#[derive(Debug, Serialize, Deserialize)]
struct PackedChunk {
    /// The parts of each pair.
    parts: Vec<[u32; 2]>,
    /// The pairs, and where each ends among the bytes: few are read.
    pairs: Vec<u8>,
    ends: Vec<u32>,
    /// [`PairPassages`] of those pairs that have any.
    passages: Vec<u8>,
}

/// The parts of a pair and its passages.
type PairPassages = ([u32; 2], Vec<StoredPassage>);

/// A pair with its passages.
pub type WeighedPair = (PairChains, Vec<ParallelPassage>);

/// What is asked about pairs.
pub struct PairQuestions<G, E, M, T> {
    /// Has something taken the place of the pair of these parts before?
    pub is_gone: G,
    /// Is the pair of these parts compared again?
    pub is_edited: E,
    /// May another pair with such a first part have changed?
    pub may_change: M,
    /// Must passages of this pair be made again?
    pub is_changed: T,
}

impl FromIterator<WeighedPair> for PackedPairs {
    fn from_iter<I: IntoIterator<Item = WeighedPair>>(pairs: I) -> Self {
        let mut pairs = pairs.into_iter();
        let mut packed = PackedPairs::default();
        loop {
            let some: Vec<WeighedPair> = pairs.by_ref().take(CHUNK).collect();
            if some.is_empty() {
                return packed;
            }
            packed.chunks.push(PackedChunk::of(&some));
            packed.pairs += some.len();
        }
    }
}

impl PackedPairs {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.pairs
    }

    /// All of them, in order.
    pub fn into_pairs(self) -> impl Iterator<Item = WeighedPair> {
        self.chunks.into_iter().flat_map(PackedChunk::pairs)
    }

    /// Some pairs, which are in order.
    pub fn of(pairs: &[WeighedPair]) -> Self {
        let chunks = pairs.par_chunks(CHUNK).map(PackedChunk::of).collect();
        PackedPairs { chunks, pairs: pairs.len() }
    }

    /// The passages of the pairs that are as they were, and the other pairs with theirs.
    pub fn sorted_out<G, E, M, T>(
        &self,
        ask: &PairQuestions<G, E, M, T>,
    ) -> (Vec<ParallelPassage>, Vec<WeighedPair>)
    where
        G: Fn([u32; 2]) -> bool + Sync,
        E: Fn([u32; 2]) -> bool + Sync,
        M: Fn(u32) -> bool + Sync,
        T: Fn(&PairChains) -> bool + Sync,
    {
        let of_chunk = |chunk: &PackedChunk| {
            let (mut kept, mut changed) = (vec![], vec![]);
            let mut weighed = unpack::<Vec<PairPassages>>(&chunk.passages).into_iter().peekable();
            for (n, parts) in chunk.parts.iter().enumerate() {
                let passages = weighed.next_if(|(of, _)| of == parts);
                let passages = || passages.map_or_else(Vec::new, from_stored);
                if (ask.is_gone)(*parts) {
                    continue;
                }
                let asked = (ask.is_edited)(*parts) || (ask.may_change)(parts[0]);
                let pair = asked.then(|| chunk.pair(n));
                match pair.filter(|p| (ask.is_edited)(*parts) || (ask.is_changed)(p)) {
                    Some(pair) => changed.push((pair, passages())),
                    None => kept.extend(passages()),
                }
            }
            (kept, changed)
        };
        let all: Vec<_> = self.chunks.par_iter().map(of_chunk).collect();
        let (mut passages, mut changed) = (vec![], vec![]);
        for (kept, again) in all {
            passages.extend(kept);
            changed.extend(again);
        }
        (passages, changed)
    }
}

/// Pairs that are not gone, and others in the place of these; both are in order.
pub fn replaced(
    old: impl Iterator<Item = WeighedPair>,
    is_gone: impl Fn([u32; 2]) -> bool,
    by: impl Iterator<Item = WeighedPair>,
) -> impl Iterator<Item = WeighedPair> {
    let mut kept = old.filter(move |(pair, _)| !is_gone(pair.parts)).peekable();
    let mut by = by.peekable();
    let next = move || match (kept.peek(), by.peek()) {
        (Some((old, _)), Some((new, _))) if new.parts < old.parts => by.next(),
        (Some(_), _) => kept.next(),
        (None, _) => by.next(),
    };
    std::iter::from_fn(next)
}

impl PackedChunk {
    fn of(pairs: &[WeighedPair]) -> Self {
        let (mut bytes, mut ends) = (vec![], vec![]);
        for (pair, _) in pairs {
            bytes.extend(pack(pair));
            ends.push(bytes.len() as u32);
        }
        bytes.shrink_to_fit();
        let parts = pairs.iter().map(|(pair, _)| pair.parts).collect();
        let passages = pairs.iter().filter_map(|(pair, made)| stored(pair.parts, made));
        let passages = pack(&passages.collect::<Vec<PairPassages>>());
        PackedChunk { parts, pairs: bytes, ends, passages }
    }

    /// The pairs with their passages.
    fn pairs(self) -> impl Iterator<Item = WeighedPair> {
        let mut weighed = unpack::<Vec<PairPassages>>(&self.passages).into_iter().peekable();
        let with = move |pair: PairChains| {
            let weighed = weighed.next_if(|(parts, _)| *parts == pair.parts);
            (pair, weighed.map_or_else(Vec::new, from_stored))
        };
        (0..self.parts.len()).map(move |n| self.pair(n)).map(with)
    }

    /// Pair number `n`.
    fn pair(&self, n: usize) -> PairChains {
        let from = n.checked_sub(1).map_or(0, |before| self.ends[before]);
        let mut pair: PairChains = unpack(&self.pairs[from as usize..self.ends[n] as usize]);
        pair.parts = self.parts[n];
        pair
    }
}

/// The passages of a pair as they are stored, if it has any.
fn stored(parts: [u32; 2], passages: &[ParallelPassage]) -> Option<PairPassages> {
    let stored = || passages.iter().map(to_stored_passage).collect();
    (!passages.is_empty()).then(|| (parts, stored()))
}

/// The opposite.
fn from_stored((parts, stored): PairPassages) -> Vec<ParallelPassage> {
    stored.into_iter().map(|passage| from_stored_passage(parts, passage)).collect()
}

fn pack<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let mut bytes = postcard::to_stdvec(value).expect("lists have a length");
    bytes.shrink_to_fit();
    bytes
}

/// The opposite. The bytes were packed by this program, or are those of a whole file that it wrote.
fn unpack<T: DeserializeOwned + Default>(bytes: &[u8]) -> T {
    postcard::from_bytes(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::links::parallels::passage::StreamRange;

    fn pairs(all: impl Iterator<Item = [u32; 2]>) -> Vec<WeighedPair> {
        let pair = |parts| {
            let mut pair = PairChains::default();
            pair.parts = parts;
            let passage = ParallelPassage {
                sides: [0, 1].map(|n| StreamRange::of_part(parts[n] as usize, 0..9)),
                margin: 20.0,
                equal: 9,
                differences: Box::default(),
            };
            (pair, vec![passage; parts[1] as usize % 3])
        };
        all.map(pair).collect()
    }

    #[test]
    fn pairs_come_back_in_order_and_some_are_replaced() {
        let all: Vec<[u32; 2]> = (0..30).flat_map(|a| (a + 1..30).map(move |b| [a, b])).collect();
        let given = pairs(all.iter().copied());
        let packed: PackedPairs = given.clone().into_iter().collect();
        assert!(packed.chunks.len() > 1 && packed.into_pairs().eq(given.clone()));
        let by = [[2, 7], [7, 9], [7, 40]];
        let by_pairs = pairs(by.into_iter()).into_iter();
        let made = replaced(given.into_iter(), |parts| parts.contains(&7), by_pairs);
        let made: Vec<WeighedPair> = made.collect();
        let parts: Vec<_> = made.iter().map(|(p, _)| p.parts).collect();
        assert!(parts.is_sorted() && by.iter().all(|pair| parts.contains(pair)));
        assert_eq!(parts.len(), all.len() - 29 + 3);
        assert!(made.iter().all(|(p, made)| made.len() == p.parts[1] as usize % 3));
    }

    #[test]
    fn passages_of_changed_pairs_are_left_out() {
        let all = (0..30).flat_map(|a| (a + 1..30).map(move |b| [a, b]));
        let packed: PackedPairs = pairs(all).into_iter().collect();
        let ask = PairQuestions {
            is_gone: |parts: [u32; 2]| parts[1] == 20,
            is_edited: |parts: [u32; 2]| parts[1] == 29,
            may_change: |first| first == 4,
            is_changed: |pair: &PairChains| pair.parts[0] == 4 && pair.parts[1] > 18,
        };
        let (passages, changed) = packed.sorted_out(&ask);
        assert!(changed.iter().all(|(p, made)| made.len() == p.parts[1] as usize % 3));
        let (edited, changed): (Vec<_>, Vec<_>) =
            changed.iter().map(|(p, _)| p.parts).partition(|parts| parts[1] == 29);
        assert_eq!(edited, (0..29).map(|a| [a, 29]).collect::<Vec<_>>());
        assert_eq!(changed, (19..29).filter(|b| *b != 20).map(|b| [4, b]).collect::<Vec<_>>());
        let has = |parts: [usize; 2]| {
            let of_parts = parts.map(|n| StreamRange::of_part(n, 0..9));
            passages.iter().any(|p| p.sides == of_parts)
        };
        assert!(has([3, 19]) && has([4, 17]));
        assert!(!has([4, 19]) && !has([3, 20]) && !has([3, 29]));
    }
}
