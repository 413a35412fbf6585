//! Numbers in order, in few bits: each as the difference from the one before, its lowest bits as
//! they are, the rest as a row of ones (R. F. Rice and J. R. Plaunt, “Adaptive variable-length
//! coding for efficient compression of spacecraft television data”, IEEE Trans. Commun. Technol.
//! 19, 1971). If they are spread evenly, no code is much shorter. They are read through from the
//! beginning.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The numbers. The first byte says how many bits of each are stored as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps(Vec<u8>);

/// Most bits that are stored as they are.
const MAX_LOW_BITS: u32 = 48;

impl Steps {
    /// Some numbers in order, none of them twice.
    pub fn of(numbers: &[u64]) -> Self {
        let Some(last) = numbers.last() else { return Steps::default() };
        let mean = last / numbers.len() as u64;
        // A row of ones is then about one long.
        let low = mean.checked_ilog2().unwrap_or(0).min(MAX_LOW_BITS);
        let mut bits = Bits { bytes: vec![low as u8], free: 0 };
        let mut before = None;
        for n in numbers {
            let step = before.map_or(*n, |before: u64| n - before - 1);
            before = Some(*n);
            for _ in 0..step >> low {
                bits.push(1, 1);
            }
            bits.push(0, 1);
            bits.push(step & ((1 << low) - 1), low);
        }
        // What is left of the last byte must not look like a number.
        while bits.free > 0 {
            bits.push(1, 1);
        }
        Steps(bits.bytes)
    }

    /// Calls `found` with those of some numbers, in order, that are among these.
    pub fn among(&self, asked: &[u64], mut found: impl FnMut(u64)) {
        let mut asked = asked.iter().peekable();
        for at in self.iter() {
            while asked.next_if(|n| **n < at).is_some() {}
            match asked.peek() {
                None => break,
                Some(n) if **n == at => found(at),
                Some(_) => {}
            }
        }
    }

    /// The numbers.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        let (low, bytes) = self.0.split_first().unwrap_or((&0, &[]));
        let low = u32::from(*low).min(MAX_LOW_BITS);
        let mut bits = ReadBits { bytes, next: 0, known: 0 };
        let mut before = None;
        std::iter::from_fn(move || {
            let high = bits.ones()?;
            let step = high.checked_shl(low)? | bits.take(low)?;
            let n =
                before.map_or(Some(step), |before: u64| before.checked_add(step)?.checked_add(1));
            before = n;
            n
        })
    }
}

/// Bits as they are written, the highest of each byte first.
struct Bits {
    bytes: Vec<u8>,
    /// Bits of the last byte that are not used yet.
    free: u32,
}

impl Bits {
    fn push(&mut self, value: u64, mut count: u32) {
        while count > 0 {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = u8::BITS;
            }
            let now = count.min(self.free);
            let part = value >> (count - now) & ((1 << now) - 1);
            self.free -= now;
            count -= now;
            if let Some(last) = self.bytes.last_mut() {
                *last |= (part as u8) << self.free;
            }
        }
    }
}

/// Bits as they are read.
struct ReadBits<'a> {
    bytes: &'a [u8],
    /// The next ones, from the highest on; zeros after those that are known.
    next: u64,
    known: u32,
}

impl ReadBits<'_> {
    fn fill(&mut self) {
        while self.known <= u64::BITS - u8::BITS
            && let Some((byte, rest)) = self.bytes.split_first()
        {
            self.next |= u64::from(*byte) << (u64::BITS - u8::BITS - self.known);
            (self.known, self.bytes) = (self.known + u8::BITS, rest);
        }
    }

    /// The length of a row of ones, which a zero ends.
    fn ones(&mut self) -> Option<u64> {
        let mut all = 0;
        loop {
            self.fill();
            let ones = self.next.leading_ones().min(self.known);
            all += u64::from(ones);
            if ones < self.known {
                self.skip(ones + 1);
                return Some(all);
            }
            if self.bytes.is_empty() {
                return None;
            }
            self.skip(ones);
        }
    }

    fn take(&mut self, count: u32) -> Option<u64> {
        self.fill();
        if count == 0 {
            return Some(0);
        }
        let value = self.next >> (u64::BITS - count);
        (count <= self.known).then(|| {
            self.skip(count);
            value
        })
    }

    fn skip(&mut self, count: u32) {
        self.next = self.next.checked_shl(count).unwrap_or(0);
        self.known -= count;
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

    fn among(steps: &Steps, asked: &[u64]) -> Vec<u64> {
        let mut found = vec![];
        steps.among(asked, |n| found.push(n));
        found
    }

    #[test]
    fn numbers_are_found_again() {
        let numbers = [0, 1, 127, 128, 300, 1 << 20, (1 << 40) + 5, (1 << 44) - 1];
        let steps = Steps::of(&numbers);
        assert_eq!(steps.iter().collect::<Vec<_>>(), numbers);
        let asked = [0, 2, 127, 127, 129, 300, (1 << 40) + 5, (1 << 44) - 1];
        assert_eq!(among(&steps, &asked), [0, 127, 300, (1 << 40) + 5, (1 << 44) - 1]);
        let bytes = postcard::to_stdvec(&steps).expect("bytes");
        assert_eq!(postcard::from_bytes::<Steps>(&bytes).expect("steps"), steps);
    }

    proptest::proptest! {
        #[test]
        fn they_come_back_whatever_they_are(
            numbers in proptest::collection::btree_set(0u64..1 << 44, 0..200),
            shift in 0u32..44,
        ) {
            let mut numbers: Vec<u64> = numbers.into_iter().map(|n| n >> shift).collect();
            numbers.dedup();
            proptest::prop_assert_eq!(Steps::of(&numbers).iter().collect::<Vec<_>>(), numbers);
        }
    }
}
