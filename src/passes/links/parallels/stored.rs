//! Runs and passages as they are stored. A run by how far it begins after the end of the one
//! before, and its length. In a chain these numbers are small, and take a byte each.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::passage::{ParallelPassage, STEPS_PER_BIT, StreamRange};

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

/// A passage of two parts: its margin in steps, its equal characters, where its sides begin and how
/// long they are, and of each range that differs how far it begins after the one before and its
/// length, on both sides.
pub type StoredPassage = (u32, u32, [[u32; 2]; 2], Vec<[[u32; 2]; 2]>);

/// A passage as it is stored.
pub fn to_stored_passage(passage: &ParallelPassage) -> StoredPassage {
    let sides = passage.sides.each_ref();
    let sides = sides.map(|s| [s.range.start as u32, s.range.len() as u32]);
    let mut ends = [0; 2];
    let differences = passage.differences.iter().map(|sides| {
        let stored = [0, 1].map(|n| [sides[n].start - ends[n], sides[n].end - sides[n].start]);
        ends = sides.each_ref().map(|side| side.end);
        stored
    });
    let margin = (passage.margin * STEPS_PER_BIT) as u32;
    (margin, passage.equal as u32, sides, differences.collect())
}

/// The opposite, of two parts.
pub fn from_stored_passage(parts: [u32; 2], stored: StoredPassage) -> ParallelPassage {
    let (margin, equal, sides, differences) = stored;
    let side = |n: usize| {
        let [start, len] = sides[n].map(|n| n as usize);
        StreamRange::of_part(parts[n] as usize, start..start + len)
    };
    let mut ends = [0u32; 2];
    let differences = differences.into_iter().map(|sides| {
        [0, 1].map(|n| {
            let start = ends[n].wrapping_add(sides[n][0]);
            ends[n] = start.wrapping_add(sides[n][1]);
            start..ends[n]
        })
    });
    let differences = differences.collect();
    let margin = f64::from(margin) / STEPS_PER_BIT;
    ParallelPassage { sides: [0, 1].map(side), margin, equal: equal as usize, differences }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Stream;

    #[test]
    fn a_passage_comes_back() {
        let passage = ParallelPassage {
            sides: [
                StreamRange::new(3, Stream::Notes, 40..90),
                StreamRange::new(7, Stream::Base, 0..61),
            ],
            margin: 23.75,
            equal: 44,
            differences: [[3..5, 3..3], [9..9, 7..20]].into(),
        };
        let stored = to_stored_passage(&passage);
        assert_eq!(from_stored_passage([10, 21], stored), passage);
    }

    proptest::proptest! {
        #[test]
        fn runs_come_back(runs in proptest::collection::vec([0u32.., 0u32.., 0u32..], 0..20)) {
            proptest::prop_assert_eq!(from_stored(to_stored(&runs)), runs);
        }
    }
}
