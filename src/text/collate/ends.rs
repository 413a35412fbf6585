//! Aligns two windows of text from their starts, as far as they match, with affine gaps.
//!
//! The cells of a diagonal (all that are as far from the start) do not depend on each other, so
//! they are computed many at a time, in arrays of one size, for which the compiler has instructions
//! (Wozniak 1997, “Using video-oriented instructions to speed up sequence comparison”).

use std::array;

use super::path::{ONLY_A, ONLY_B, PAIR, PlacePair, cell, walk};

/// Characters that are aligned at a time beyond the end of a chain.
pub const WINDOW_CHARS: usize = 64;
/// Scores: one equal pair, one unequal pair, the opening of a gap and each character of it. A
/// single equal character inside a gap is worth less than the second gap it makes.
pub const EQUAL_SCORE: i32 = 10;
pub const UNEQUAL_SCORE: i32 = -6;
pub const GAP_OPEN_SCORE: i32 = -18;
pub const GAP_EXTEND_SCORE: i32 = -1;

/// Less than the score of any cell that can be reached in a window.
pub const UNREACHABLE: i16 = i16::MIN / 2;
const EQUAL: i16 = EQUAL_SCORE as i16;
const UNEQUAL: i16 = UNEQUAL_SCORE as i16;
const OPEN: i16 = GAP_OPEN_SCORE as i16;
const EXTEND: i16 = GAP_EXTEND_SCORE as i16;

/// Cells that are computed at a time. Those beyond the end of a diagonal are computed too: they
/// have no equal characters, so their scores are less than the best, and no other cell is made from
/// them.
const LANES: usize = 16;

/// The scores of a diagonal, by the characters of the first text before each cell.
type Row = [i16; WINDOW_CHARS + 1 + LANES];

/// The scores of a diagonal in the three states of Gotoh's aligner.
#[derive(Clone, Copy)]
struct Diagonal {
    pair: Row,
    only_a: Row,
    only_b: Row,
}

impl Diagonal {
    fn rows(&self) -> [&Row; 3] {
        [&self.pair, &self.only_a, &self.only_b]
    }
}

/// The halves of characters, each as wide as a score.
struct Halves {
    low: [u16; WINDOW_CHARS + LANES],
    high: [u16; WINDOW_CHARS + LANES],
}

impl Halves {
    /// Those of a text; after it there is what no character has as its half.
    fn of<'a>(chars: impl Iterator<Item = &'a char>, after: u16) -> Self {
        let mut halves =
            Halves { low: [0; WINDOW_CHARS + LANES], high: [after; WINDOW_CHARS + LANES] };
        for (n, c) in chars.enumerate() {
            halves.low[n] = *c as u32 as u16;
            halves.high[n] = (*c as u32 >> 16) as u16;
        }
        halves
    }
}

/// The best alignment of the beginnings of two windows that ends with a pair.
pub struct EndAlignment {
    /// Its score; 0 if none is better than nothing.
    pub score: i32,
    /// The characters of both texts before its end. Of alignments as good, the one that ends first
    /// in the first text, and in the second.
    pub end: PlacePair,
    /// How each cell was reached, by diagonals.
    cells: [[u8; WINDOW_CHARS + 1 + LANES]; 2 * WINDOW_CHARS + 1],
}

impl EndAlignment {
    /// Aligns two texts of at most [`WINDOW_CHARS`] characters.
    pub fn of(a: &[char], b: &[char]) -> Self {
        let mut all = EndAlignment {
            score: 0,
            end: (0, 0),
            cells: [[0; WINDOW_CHARS + 1 + LANES]; 2 * WINDOW_CHARS + 1],
        };
        let nowhere = [UNREACHABLE; WINDOW_CHARS + 1 + LANES];
        let mut diagonals = [Diagonal { pair: nowhere, only_a: nowhere, only_b: nowhere }; 3];
        let [before, last, now] = &mut diagonals;
        let (mut before, mut last, mut now) = (before, last, now);
        last.pair[0] = 0;
        let (first, second) =
            (Halves::of(a.iter(), u16::MAX), Halves::of(b.iter().rev(), u16::MAX - 1));
        for d in 1..=a.len() + b.len() {
            let cells = &mut all.cells[d];
            let (from, to) = (d.saturating_sub(b.len()).max(1), a.len().min(d - 1));
            let mut best = 0;
            if from <= to {
                // In the turned text the characters of a diagonal are in the same order.
                let of_b = b.len() + from - d;
                best = inner((&first, &second), (from, to, of_b), [before, last], now, cells);
            }
            let gap = OPEN + EXTEND * d as i16;
            if d <= b.len() {
                (now.pair[0], now.only_a[0], now.only_b[0]) = (UNREACHABLE, UNREACHABLE, gap);
                cells[0] = cell(PAIR, PAIR, if d > 1 { ONLY_B } else { PAIR });
            }
            if d <= a.len() {
                (now.pair[d], now.only_a[d], now.only_b[d]) = (UNREACHABLE, gap, UNREACHABLE);
                cells[d] = cell(PAIR, if d > 1 { ONLY_A } else { PAIR }, PAIR);
            }
            if best > 0 && i32::from(best) >= all.score {
                all.ends_at(i32::from(best), now.pair[..=to].iter().position(|s| *s == best), d);
            }
            // The oldest is written over next.
            (before, last, now) = (last, now, before);
        }
        all
    }

    /// Takes the first cell of diagonal `d` with its best score as the end, if it is the better
    /// one.
    fn ends_at(&mut self, score: i32, first: Option<usize>, d: usize) {
        let Some(end) = first.map(|i| (i, d - i)) else { return };
        if score > self.score || end < self.end {
            (self.score, self.end) = (score, end);
        }
    }

    /// Its equal pairs.
    pub fn pairs(&self, a: &[char], b: &[char]) -> Vec<PlacePair> {
        walk(a, b, self.end, PAIR, |i, j| self.cells[i + j][i])
    }
}

/// The cells `from..=to` of a diagonal that have a character of both texts; `of_b` is the character
/// of the second at the first of them. Returns the best score after a pair.
fn inner(
    (a, b): (&Halves, &Halves),
    (from, to, of_b): (usize, usize, usize),
    [before, last]: [&Diagonal; 2],
    now: &mut Diagonal,
    cells: &mut [u8],
) -> i16 {
    let mut best = [0; LANES];
    for at in (from..=to).step_by(LANES) {
        let [p2, a2, b2] = before.rows().map(|row| lanes(row, at - 1));
        let [up, up_a, up_b] = last.rows().map(|row| lanes(row, at - 1));
        let [left, left_a, left_b] = last.rows().map(|row| lanes(row, at));
        let (a_low, a_high) = (lanes(&a.low, at - 1), lanes(&a.high, at - 1));
        let of_b = of_b + at - from;
        let (b_low, b_high) = (lanes(&b.low, of_b), lanes(&b.high, of_b));
        let score = |n: usize| {
            let equal = a_low[n] == b_low[n] && a_high[n] == b_high[n];
            if equal { EQUAL } else { UNEQUAL }
        };
        let (pair, from_pair) = better(p2, a2, b2);
        let pair: [i16; LANES] = array::from_fn(|n| pair[n] + score(n));
        best = array::from_fn(|n| pair[n].max(best[n]));
        let (only_a, from_a) = better(plus(up, OPEN), up_a, plus(up_b, OPEN));
        let (only_b, from_b) = better(plus(left, OPEN), plus(left_a, OPEN), left_b);
        now.pair[at..at + LANES].copy_from_slice(&pair);
        now.only_a[at..at + LANES].copy_from_slice(&plus(only_a, EXTEND));
        now.only_b[at..at + LANES].copy_from_slice(&plus(only_b, EXTEND));
        let states: [u8; LANES] =
            array::from_fn(|n| (from_pair[n] | from_a[n] << 2 | from_b[n] << 4) as u8);
        cells[at..at + LANES].copy_from_slice(&states);
    }
    best.into_iter().fold(0, i16::max)
}

/// The best scores of three states, and which states they are of; the first if scores are equal.
fn better(
    pair: [i16; LANES],
    only_a: [i16; LANES],
    only_b: [i16; LANES],
) -> ([i16; LANES], [i16; LANES]) {
    const STATES: [i16; 3] = [PAIR as i16, ONLY_A as i16, ONLY_B as i16];
    let two: [i16; LANES] = array::from_fn(|n| pair[n].max(only_a[n]));
    let state: [i16; LANES] =
        array::from_fn(|n| if only_a[n] > pair[n] { STATES[1] } else { STATES[0] });
    let state = array::from_fn(|n| if only_b[n] > two[n] { STATES[2] } else { state[n] });
    (array::from_fn(|n| two[n].max(only_b[n])), state)
}

fn plus(scores: [i16; LANES], more: i16) -> [i16; LANES] {
    scores.map(|s| s + more)
}

/// So many values from one on.
fn lanes<T: Copy>(values: &[T], from: usize) -> [T; LANES] {
    array::from_fn(|n| values[from..from + LANES][n])
}
