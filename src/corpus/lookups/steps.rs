//! Numbers in order, in few bytes: each as the difference from the one before, seven bits in a byte.
//! They are read through from the beginning.

use std::fmt;

use rustc_hash::FxHashSet;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps(Vec<u8>);

/// Bits of a number in each byte; the next one says that it goes on.
const BITS: u32 = 7;

impl Steps {
    /// Some numbers in order.
    pub fn of(numbers: &[u64]) -> Self {
        let mut bytes = vec![];
        let mut last = 0;
        for n in numbers {
            let mut step = n - last;
            last = *n;
            while step >> BITS > 0 {
                bytes.push(step as u8 | 1 << BITS);
                step >>= BITS;
            }
            bytes.push(step as u8);
        }
        Steps(bytes)
    }

    /// Those of some numbers, in order, that are among these.
    pub fn among(&self, asked: Vec<u64>) -> FxHashSet<u64> {
        let mut found = FxHashSet::default();
        let mut asked = asked.into_iter().peekable();
        let (mut at, mut step, mut shift) = (0u64, 0u64, 0);
        for byte in &self.0 {
            step |= u64::from(byte & !(1 << BITS)) << shift;
            shift += BITS;
            if byte >> BITS > 0 && shift < u64::BITS {
                continue;
            }
            at = at.wrapping_add(step);
            (step, shift) = (0, 0);
            while asked.next_if(|n| *n < at).is_some() {}
            match asked.peek() {
                None => break,
                Some(n) if *n == at => _ = found.insert(at),
                Some(_) => {}
            }
        }
        found
    }
}

impl Serialize for Steps {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Steps {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(Bytes)
    }
}

/// Takes bytes as they are, all at once.
struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Steps;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Steps, E> {
        Ok(Steps(bytes.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_again() {
        let numbers = [0, 1, 127, 128, 300, 1 << 20, (1 << 40) + 5, u64::MAX];
        let steps = Steps::of(&numbers);
        let asked = vec![0, 2, 127, 127, 129, 300, (1 << 40) + 5, u64::MAX];
        let found = FxHashSet::from_iter([0, 127, 300, (1 << 40) + 5, u64::MAX]);
        assert_eq!(steps.among(asked), found);
        assert_eq!(Steps::of(&[]).among(vec![0]), FxHashSet::default());
        let bytes = postcard::to_stdvec(&steps).expect("bytes");
        assert_eq!(postcard::from_bytes::<Steps>(&bytes).expect("steps"), steps);
    }
}
