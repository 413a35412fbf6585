//! The chains of all pairs of parts, packed. In a large corpus millions of pairs have some words in common by
//! chance, and a list of their chains would take more memory than the texts.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::chains::PairChains;

/// So many pairs are packed together.
const PAIRS_OF_CHUNK: usize = 256;

/// The chains of many pairs of parts.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PackedPairs {
    chunks: Vec<Vec<u8>>,
    pairs: usize,
}

impl FromIterator<PairChains> for PackedPairs {
    fn from_iter<I: IntoIterator<Item = PairChains>>(pairs: I) -> Self {
        let (mut packed, mut chunk) = (PackedPairs::default(), vec![]);
        for pair in pairs {
            chunk.push(pair);
            packed.pairs += 1;
            if chunk.len() == PAIRS_OF_CHUNK {
                packed.chunks.push(pack(&chunk));
                chunk.clear();
            }
        }
        if !chunk.is_empty() {
            packed.chunks.push(pack(&chunk));
        }
        packed
    }
}

impl PackedPairs {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.pairs
    }

    /// All pairs, in order.
    pub fn iter(&self) -> impl Iterator<Item = PairChains> {
        self.chunks.iter().flat_map(|chunk| unpack(chunk))
    }

    /// What `of` makes of each pair, in order. What it changes in a pair stays if it is to be kept.
    pub fn flat_map<T: Send>(
        &mut self,
        keep: bool,
        of: impl Fn(&mut PairChains) -> Vec<T> + Sync,
    ) -> Vec<T> {
        let of_chunk = |chunk: &mut Vec<u8>| {
            let mut pairs = unpack(chunk);
            let made: Vec<T> = pairs.iter_mut().flat_map(&of).collect();
            if keep {
                *chunk = pack(&pairs);
            }
            made
        };
        let made: Vec<Vec<T>> = self.chunks.par_iter_mut().map(of_chunk).collect();
        made.into_iter().flatten().collect()
    }

    /// Those of some parts replaced by others, which are in order too.
    pub fn replaced(&self, is_kept: impl Fn(&PairChains) -> bool, by: Vec<PairChains>) -> Self {
        let mut by = by.into_iter().peekable();
        let mut kept = self.iter().filter(is_kept).peekable();
        let next = || match (kept.peek(), by.peek()) {
            (Some(old), Some(new)) if new.parts < old.parts => by.next(),
            (Some(_), _) => kept.next(),
            (None, _) => by.next(),
        };
        std::iter::from_fn(next).collect()
    }
}

fn pack(pairs: &[PairChains]) -> Vec<u8> {
    let mut bytes = postcard::to_stdvec(pairs).expect("lists have a length");
    bytes.shrink_to_fit();
    bytes
}

/// The opposite. The bytes were packed by this program, or are those of a whole file that it wrote.
fn unpack(bytes: &[u8]) -> Vec<PairChains> {
    postcard::from_bytes(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(parts: [u32; 2]) -> PairChains {
        PairChains::between(parts)
    }

    #[test]
    fn pairs_come_back_in_order_and_some_are_replaced() {
        let all: Vec<PairChains> =
            (0..30).flat_map(|a| (a + 1..30).map(move |b| pair([a, b]))).collect();
        let packed: PackedPairs = all.iter().cloned().collect();
        assert!(packed.chunks.len() > 1 && packed.iter().eq(all.iter().cloned()));
        let is_kept = |p: &PairChains| !p.parts.contains(&7);
        let by = vec![pair([2, 7]), pair([7, 9]), pair([7, 40])];
        let parts: Vec<_> = packed.replaced(is_kept, by).iter().map(|p| p.parts).collect();
        assert!(parts.is_sorted());
        assert_eq!(parts.len(), all.len() - 29 + 3);
        assert!([[2, 7], [7, 9], [7, 40]].iter().all(|p| parts.contains(p)));
    }

    #[test]
    fn what_is_changed_stays_if_it_is_to_be_kept() {
        let mut packed: PackedPairs = (0..600).map(|n| pair([n, n + 1])).collect();
        let change = |p: &mut PairChains| {
            p.parts[1] += 1;
            vec![p.parts[0]]
        };
        let numbers = packed.flat_map(false, change);
        assert_eq!(numbers, (0..600).collect::<Vec<_>>());
        assert!(packed.iter().all(|p| p.parts[1] == p.parts[0] + 1));
        packed.flat_map(true, change);
        assert!(packed.iter().all(|p| p.parts[1] == p.parts[0] + 2));
    }
}
