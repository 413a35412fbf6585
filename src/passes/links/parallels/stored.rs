//! Runs as they are stored: each by how far it begins after the end of the one before, and its length. In
//! a chain these numbers are small, and take a byte each.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A run of equal characters of two parts: from the beginning of each, and how many.
pub type PartRun = [u32; 3];

/// A run: from the end of the one before on both sides, and its length.
type StoredRun = (i32, i32, u32);

fn to_stored(runs: &[PartRun]) -> Vec<StoredRun> {
    let mut ends = [0u32; 2];
    let stored = |[a, b, len]: &PartRun| {
        let from = [a.wrapping_sub(ends[0]), b.wrapping_sub(ends[1])];
        ends = [a.wrapping_add(*len), b.wrapping_add(*len)];
        (from[0] as i32, from[1] as i32, *len)
    };
    runs.iter().map(stored).collect()
}

fn from_stored(stored: Vec<StoredRun>) -> Vec<PartRun> {
    let mut ends = [0u32; 2];
    let run = |(a, b, len): StoredRun| {
        let from = [ends[0].wrapping_add(a as u32), ends[1].wrapping_add(b as u32)];
        ends = from.map(|at| at.wrapping_add(len));
        [from[0], from[1], len]
    };
    stored.into_iter().map(run).collect()
}

/// Lists of runs.
pub mod runs {
    use super::*;

    pub fn serialize<S: Serializer>(runs: &[PartRun], to: S) -> Result<S::Ok, S::Error> {
        to_stored(runs).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<PartRun>, D::Error> {
        Ok(from_stored(Vec::deserialize(from)?))
    }
}

/// Lists of runs by numbers.
pub mod runs_by_number {
    use super::*;

    type RunsByNumber = Vec<(u32, Vec<PartRun>)>;

    pub fn serialize<S: Serializer>(
        runs: &[(u32, Vec<PartRun>)],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(runs.iter().map(|(n, runs)| (n, to_stored(runs))))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<RunsByNumber, D::Error> {
        let stored: Vec<(u32, Vec<StoredRun>)> = Vec::deserialize(from)?;
        Ok(stored.into_iter().map(|(n, runs)| (n, from_stored(runs))).collect())
    }
}

/// Rising numbers.
pub mod rising {
    use super::*;

    pub fn serialize<S: Serializer>(numbers: &[u32], to: S) -> Result<S::Ok, S::Error> {
        let mut before = 0u32;
        to.collect_seq(numbers.iter().map(|n| n.wrapping_sub(std::mem::replace(&mut before, *n))))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
        let mut numbers: Vec<u32> = Vec::deserialize(from)?;
        let mut before = 0u32;
        for n in &mut numbers {
            *n = n.wrapping_add(before);
            before = *n;
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn runs_come_back(runs in proptest::collection::vec([0u32.., 0u32.., 0u32..], 0..20)) {
            proptest::prop_assert_eq!(from_stored(to_stored(&runs)), runs);
        }
    }
}
