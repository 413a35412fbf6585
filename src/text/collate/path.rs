//! The path of an alignment: how each cell was reached, and the pairs on the way to one.

/// A pair of places.
pub type PlacePair = (usize, usize);

/// States of the aligner, and bits of a cell: the state each was best reached from.
pub const PAIR: u8 = 0;
pub const ONLY_A: u8 = 1;
pub const ONLY_B: u8 = 2;

/// The three states before those of a cell.
pub fn cell(pair: u8, only_a: u8, only_b: u8) -> u8 {
    pair | only_a << 2 | only_b << 4
}

/// The equal pairs on the path to the end of an alignment that is reached in a state; `cell` has
/// how a cell was reached.
pub fn walk(
    a: &[char],
    b: &[char],
    (mut i, mut j): PlacePair,
    mut state: u8,
    cell: impl Fn(usize, usize) -> u8,
) -> Vec<PlacePair> {
    let mut pairs = Vec::new();
    while i > 0 || j > 0 {
        let before = cell(i, j) >> (2 * state) & 3;
        match state {
            PAIR => {
                (i, j) = (i - 1, j - 1);
                if a[i] == b[j] {
                    pairs.push((i, j));
                }
            }
            ONLY_A => i -= 1,
            _ => j -= 1,
        }
        state = before;
    }
    pairs.reverse();
    pairs
}
