//! The weights of the network, read from `weights.bin`.
//!
//! The file is made by `lab/network/export.py`. All numbers are little-endian. It begins with eight
//! bytes `zhushu-1`, then five counts as `u16`: characters, channels, blocks, channels of a
//! summary, values of a character's distances. Then the dilation of each block and whether a
//! summary follows it, a byte each, and the code points of the characters in order, a `u32` each.
//! The ids of characters begin with two that no character has: none, and unknown.
//!
//! Tables follow: of characters, gaps before, gaps after, and distances. A table has rows, each an
//! `f32` by which its `i8` values are multiplied. Then each block has two matrices, each a table
//! with an `f32` of bias for each row at its end; a summary has two as well; then the two heads.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::input::{DISTANCES, GAPS};
use super::matrix::Matrix;

static FILE: &[u8] = include_bytes!("weights.bin");
/// Those of a smaller network that was trained for marks alone.
static MARKS_FILE: &[u8] = include_bytes!("marks.bin");
const MAGIC: &[u8] = b"zhushu-1";
/// The id of a character that the network does not know.
pub const UNKNOWN: u16 = 1;
/// The pairs of layers, and the kinds of marks, that the heads give.
pub const LAYER_PAIRS: usize = 4;
pub const MARKS: usize = 8;

static BUILTIN: LazyLock<Weights> =
    LazyLock::new(|| Weights::parse(FILE).expect("a test reads the file"));

static OF_MARKS: LazyLock<Weights> =
    LazyLock::new(|| Weights::parse(MARKS_FILE).expect("a test reads the file"));

/// The network.
pub struct Weights {
    /// Ids of characters.
    ids: FxHashMap<char, u16>,
    /// Values of each position.
    pub channels: usize,
    /// Vectors of characters, of gaps before and after them, and of distances.
    pub characters: Vec<f32>,
    pub gaps_before: Vec<f32>,
    pub gaps_after: Vec<f32>,
    pub distances: Vec<f32>,
    pub blocks: Vec<ResidualBlock>,
    /// From a position to the logits of layers and of marks.
    pub layers: Matrix,
    pub marks: Matrix,
}

/// A residual block.
pub struct ResidualBlock {
    /// How far away the two neighbours are that a position is seen with.
    pub dilation: usize,
    /// From three positions to one, and from that to what is added.
    pub wide: Matrix,
    pub narrow: Matrix,
    /// From each position to what is averaged, and from the mean to what is added.
    pub summary: Option<(Matrix, Matrix)>,
}

impl Weights {
    /// Those that ship with the program; read on first use.
    pub fn builtin() -> &'static Weights {
        &BUILTIN
    }

    /// Those of the network for marks; read on first use.
    pub fn of_marks() -> &'static Weights {
        &OF_MARKS
    }

    /// The id of a folded character.
    pub fn id(&self, c: char) -> u16 {
        self.ids.get(&c).copied().unwrap_or(UNKNOWN)
    }

    /// Reads a file; none if it is not one, or not all of one.
    fn parse(file: &[u8]) -> Option<Weights> {
        let mut rest = Rest(file.strip_prefix(MAGIC)?);
        let [characters, channels, blocks, inner, distances] = rest.counts()?;
        if distances != DISTANCES.len() * DISTANCES[0] {
            return None;
        }
        let dilations = rest.take(blocks)?;
        let summed = rest.take(blocks)?;
        let mut ids = FxHashMap::default();
        for id in 0..characters {
            let c = u32::from_le_bytes(rest.take(4)?.try_into().ok()?);
            ids.insert(char::from_u32(c)?, UNKNOWN + 1 + u16::try_from(id).ok()?);
        }
        let known = characters + usize::from(UNKNOWN) + 1;
        let characters = rest.table(known, channels)?;
        let (gaps_before, gaps_after) = (rest.table(GAPS, channels)?, rest.table(GAPS, channels)?);
        let distances = rest.table(distances, channels)?;
        let mut read = Vec::with_capacity(blocks);
        for (dilation, summed) in dilations.iter().zip(summed) {
            let wide = rest.matrix(channels, 3 * channels)?;
            let narrow = rest.matrix(channels, channels)?;
            let summary = match summed {
                0 => None,
                _ => Some((rest.matrix(inner, channels)?, rest.matrix(channels, inner)?)),
            };
            read.push(ResidualBlock { dilation: usize::from(*dilation), wide, narrow, summary });
        }
        let layers = rest.matrix(LAYER_PAIRS, channels)?;
        let marks = rest.matrix(MARKS, channels)?;
        rest.0.is_empty().then_some(Weights {
            ids,
            channels,
            characters,
            gaps_before,
            gaps_after,
            distances,
            blocks: read,
            layers,
            marks,
        })
    }
}

/// What is left of a file.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    fn counts<const N: usize>(&mut self) -> Option<[usize; N]> {
        let bytes = self.take(2 * N)?;
        Some(std::array::from_fn(|n| {
            usize::from(u16::from_le_bytes([bytes[2 * n], bytes[2 * n + 1]]))
        }))
    }

    fn floats(&mut self, count: usize) -> Option<Vec<f32>> {
        let bytes = self.take(count * size_of::<f32>())?;
        let float = |b: &[u8]| Some(f32::from_le_bytes(b.try_into().ok()?));
        bytes.chunks_exact(size_of::<f32>()).map(float).collect()
    }

    fn table(&mut self, rows: usize, width: usize) -> Option<Vec<f32>> {
        let scales = self.floats(rows)?;
        let bytes = self.take(rows * width)?;
        let row = |(bytes, scale): (&'a [u8], f32)| {
            bytes.iter().map(move |b| f32::from(b.cast_signed()) * scale)
        };
        Some(bytes.chunks_exact(width).zip(scales).flat_map(row).collect())
    }

    fn matrix(&mut self, rows: usize, width: usize) -> Option<Matrix> {
        let weights = self.table(rows, width)?;
        Some(Matrix::new(width, &weights, &self.floats(rows)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold::fold;

    #[test]
    fn the_file_is_read_to_its_end_and_not_when_it_is_cut() {
        let weights = Weights::parse(FILE).unwrap();
        assert!(weights.ids.len() > 5000 && weights.blocks.len() > 4);
        for size in [0, 7, 20, FILE.len() / 2, FILE.len() - 1] {
            assert!(Weights::parse(&FILE[..size]).is_none(), "{size}");
        }
        assert!(Weights::parse(MARKS_FILE).is_some());
        let size = FILE.len() + MARKS_FILE.len();
        assert!(size < 2_500_000, "{size}");
    }

    #[test]
    fn the_characters_are_keys_and_common_ones_are_known() {
        let weights = Weights::builtin();
        let unfolded: String = weights.ids.keys().filter(|c| fold(**c) != **c).collect();
        assert_eq!(unfolded, "", "the table of keys has changed: train the network again");
        for c in "子曰學而時習之不亦說乎注云也".chars() {
            assert!(weights.id(fold(c)) > UNKNOWN, "{c}");
        }
    }
}
