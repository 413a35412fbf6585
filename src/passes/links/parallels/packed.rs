//! Many values of which each is seldom looked at, packed: the chains of all pairs of parts. In a large corpus most
//! pairs have some words in common by chance, and a list of their chains would take more memory than the texts.

use std::marker::PhantomData;

use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// So many values are packed together.
const CHUNK: usize = 256;

/// Values in the form in which they are stored.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Packed<T> {
    chunks: Vec<Vec<u8>>,
    values: usize,
    #[serde(skip)]
    of: PhantomData<fn() -> T>,
}

impl<T> Default for Packed<T> {
    fn default() -> Self {
        Packed { chunks: vec![], values: 0, of: PhantomData }
    }
}

impl<T: Serialize> FromIterator<T> for Packed<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let (mut packed, mut chunk) = (Packed::default(), vec![]);
        for value in values {
            chunk.push(value);
            packed.values += 1;
            if chunk.len() == CHUNK {
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

impl<T: Serialize + DeserializeOwned + Send> Packed<T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.values
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.chunks.iter().flat_map(|chunk| unpack(chunk))
    }

    /// What `of` makes of each, in order. What it changes in a value stays if that is to be kept.
    pub fn flat_map<U: Send>(
        &mut self,
        keep: bool,
        of: impl Fn(&mut T) -> Vec<U> + Sync,
    ) -> Vec<U> {
        let of_chunk = |chunk: &mut Vec<u8>| {
            let mut values = unpack(chunk);
            let made: Vec<U> = values.iter_mut().flat_map(&of).collect();
            if keep {
                *chunk = pack(&values);
            }
            made
        };
        let made: Vec<Vec<U>> = self.chunks.par_iter_mut().map(of_chunk).collect();
        made.into_iter().flatten().collect()
    }

    /// Those that are kept, and others, all in the order of a key.
    pub fn replaced<K: Ord>(
        &self,
        is_kept: impl Fn(&T) -> bool,
        by: Vec<T>,
        key: impl Fn(&T) -> K,
    ) -> Self {
        let mut by = by.into_iter().peekable();
        let mut kept = self.iter().filter(is_kept).peekable();
        let next = || match (kept.peek(), by.peek()) {
            (Some(old), Some(new)) if key(new) < key(old) => by.next(),
            (Some(_), _) => kept.next(),
            (None, _) => by.next(),
        };
        std::iter::from_fn(next).collect()
    }
}

fn pack<T: Serialize>(values: &[T]) -> Vec<u8> {
    let mut bytes = postcard::to_stdvec(values).expect("lists have a length");
    bytes.shrink_to_fit();
    bytes
}

/// The opposite. The bytes were packed by this program, or are those of a whole file that it wrote.
fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Vec<T> {
    postcard::from_bytes(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_in_order_and_some_are_replaced() {
        let all: Vec<[u32; 2]> = (0..30).flat_map(|a| (a + 1..30).map(move |b| [a, b])).collect();
        let packed: Packed<[u32; 2]> = all.iter().copied().collect();
        assert!(packed.chunks.len() > 1 && packed.iter().eq(all.iter().copied()));
        let by = vec![[2, 7], [7, 9], [7, 40]];
        let replaced = packed.replaced(|pair| !pair.contains(&7), by.clone(), |pair| *pair);
        let pairs: Vec<_> = replaced.iter().collect();
        assert!(pairs.is_sorted() && by.iter().all(|pair| pairs.contains(pair)));
        assert_eq!((pairs.len(), replaced.len()), (all.len() - 29 + 3, pairs.len()));
    }

    #[test]
    fn what_is_changed_stays_if_it_is_to_be_kept() {
        let mut packed: Packed<u32> = (0..600).collect();
        let change = |n: &mut u32| {
            *n += 1;
            vec![*n]
        };
        let all = |from: u32| (from..from + 600).collect::<Vec<_>>();
        assert_eq!(packed.flat_map(false, change), all(1));
        assert_eq!(packed.iter().collect::<Vec<_>>(), all(0));
        packed.flat_map(true, change);
        assert_eq!(packed.iter().collect::<Vec<_>>(), all(1));
    }
}
