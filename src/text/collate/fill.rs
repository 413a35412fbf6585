//! Aligns the text between the blocks of a chain and beyond its ends, character by character with
//! affine gaps.

use super::seeds::SeedBlock;
use super::{Chain, CollatedRun, TakenChars};

/// The largest table that is filled; only both ends of a larger gap are aligned.
const MAX_TABLE_CELLS: usize = 1 << 16;
/// Characters that are aligned at a time beyond the end of a chain.
const WINDOW_CHARS: usize = 64;
/// Scores: one equal pair, one unequal pair, the opening of a gap and each character of it. A
/// single equal character inside a gap is worth less than the second gap it makes.
const EQUAL_SCORE: i32 = 10;
const UNEQUAL_SCORE: i32 = -6;
const GAP_OPEN_SCORE: i32 = -18;
const GAP_EXTEND_SCORE: i32 = -1;
/// The least score of an end that is kept: three characters.
const MIN_END_SCORE: i32 = 3 * EQUAL_SCORE;

/// A pair of places.
type PlacePair = (usize, usize);

/// The chain of some blocks with all that matches between them and at their ends.
pub fn complete(blocks: &[SeedBlock], a: &[char], b: &[char], taken: &mut TakenChars) -> Chain {
    let sides = CollatedTexts { a, b, taken };
    let mut pairs: Vec<PlacePair> = Vec::new();
    if let Some(first) = blocks.first() {
        pairs.extend(sides.back((0, 0), (first.a, first.b)));
    }
    for (n, block) in blocks.iter().enumerate() {
        pairs.extend((0..block.len).map(|i| (block.a + i, block.b + i)));
        let from = (block.a_end(), block.b_end());
        pairs.extend(match blocks.get(n + 1) {
            Some(next) => sides.between(from, (next.a, next.b)),
            None => sides.ahead(from, (a.len(), b.len())),
        });
    }
    joined(pairs, blocks, taken)
}

/// The equal pairs of two whole texts.
pub fn side_by_side(a: &[char], b: &[char]) -> Vec<CollatedRun> {
    let taken = TakenChars { a: vec![false; a.len()], b: vec![false; b.len()] };
    let mut runs: Vec<CollatedRun> = Vec::new();
    for (x, y) in (CollatedTexts { a, b, taken: &taken }).between((0, 0), (a.len(), b.len())) {
        push(&mut runs, x, y);
    }
    runs
}

fn push(runs: &mut Vec<CollatedRun>, x: usize, y: usize) {
    match runs.last_mut() {
        Some(r) if r.a_end() == x && r.b_end() == y => r.len += 1,
        _ => runs.push(CollatedRun { a: x, b: y, len: 1 }),
    }
}

/// Pairs as runs, without those in another chain.
fn joined(pairs: Vec<PlacePair>, blocks: &[SeedBlock], taken: &mut TakenChars) -> Chain {
    let mut runs: Vec<CollatedRun> = Vec::new();
    let mut own = blocks.iter().peekable();
    for (x, y) in pairs {
        while own.next_if(|o| o.a_end() <= x).is_some() {}
        if own.peek().is_none_or(|o| x < o.a) {
            if taken.is(x, y) {
                continue;
            }
            taken.take(x, y);
        }
        push(&mut runs, x, y);
    }
    Chain { runs }
}

/// The two texts and what is matched in them.
struct CollatedTexts<'a> {
    a: &'a [char],
    b: &'a [char],
    taken: &'a TakenChars,
}

impl CollatedTexts<'_> {
    /// A gap with both its ends fixed.
    fn between(&self, from: PlacePair, to: PlacePair) -> Vec<PlacePair> {
        let (a, b) = (&self.a[from.0..to.0], &self.b[from.1..to.1]);
        if a.is_empty() || b.is_empty() {
            return Vec::new();
        }
        if (a.len() + 1) * (b.len() + 1) <= MAX_TABLE_CELLS {
            let pairs = AlignmentTable::fill(a, b).pairs(a, b, a.len(), b.len());
            return pairs.into_iter().map(|(i, j)| (from.0 + i, from.1 + j)).collect();
        }
        let mut pairs = self.ahead(from, to);
        let reached = pairs.last().map_or(from, |p| (p.0 + 1, p.1 + 1));
        pairs.extend(self.back(reached, to));
        pairs
    }

    /// Extends from a place, window by window, while the score is high enough, at most to `end`.
    fn ahead(&self, from: PlacePair, end: PlacePair) -> Vec<PlacePair> {
        let free = |taken: &[bool], from: usize, end: usize| {
            from + taken[from..end.min(from + WINDOW_CHARS)].iter().take_while(|t| !**t).count()
        };
        let (mut pairs, (mut x, mut y)) = (Vec::new(), from);
        loop {
            let window = head(
                &self.a[x..free(&self.taken.a, x, end.0)],
                &self.b[y..free(&self.taken.b, y, end.1)],
            );
            pairs.extend(window.iter().map(|(i, j)| (x + i, y + j)));
            match window.last() {
                Some((i, j)) if *i.max(j) >= WINDOW_CHARS / 2 => (x, y) = (x + i + 1, y + j + 1),
                _ => return pairs,
            }
        }
    }

    /// The same backwards from `to`, at most to `end`.
    fn back(&self, end: PlacePair, to: PlacePair) -> Vec<PlacePair> {
        let free = |taken: &[bool], end: usize, to: usize| {
            to - taken[end.max(to.saturating_sub(WINDOW_CHARS))..to]
                .iter()
                .rev()
                .take_while(|t| !**t)
                .count()
        };
        let turned = |s: &[char]| s.iter().rev().copied().collect::<Vec<char>>();
        let (mut pairs, (mut x, mut y)) = (Vec::new(), to);
        loop {
            let window = head(
                &turned(&self.a[free(&self.taken.a, end.0, x)..x]),
                &turned(&self.b[free(&self.taken.b, end.1, y)..y]),
            );
            pairs.extend(window.iter().map(|(i, j)| (x - 1 - i, y - 1 - j)));
            match window.last() {
                Some((i, j)) if *i.max(j) >= WINDOW_CHARS / 2 => (x, y) = (x - i - 1, y - j - 1),
                _ => break,
            }
        }
        pairs.reverse();
        pairs
    }
}

/// Aligns from the start, up to the best score.
fn head(a: &[char], b: &[char]) -> Vec<PlacePair> {
    // Most ends do not match. That is seen without the table, in a fraction of the time.
    if best_score(a, b) < MIN_END_SCORE {
        return Vec::new();
    }
    let table = AlignmentTable::fill(a, b);
    let (_, i, j) = table.best();
    table.pairs(a, b, i, j)
}

/// The score of [`AlignmentTable::best`], from two rows.
fn best_score(a: &[char], b: &[char]) -> i32 {
    let mut best = 0;
    let mut rows = [[[UNREACHABLE; 3]; WINDOW_CHARS + 1]; 2];
    let [above, row] = &mut rows;
    above[0][0] = 0;
    (1..=b.len()).for_each(|j| above[j][2] = gap(j));
    for (i, x) in a.iter().enumerate() {
        row[0] = [UNREACHABLE, gap(i + 1), UNREACHABLE];
        for (j, y) in b.iter().enumerate() {
            let (diagonal, up, left) = (above[j], above[j + 1], row[j]);
            let equal = if x == y { EQUAL_SCORE } else { UNEQUAL_SCORE };
            let pair = diagonal[0].max(diagonal[1]).max(diagonal[2]) + equal;
            let only_a = (up[0].max(up[2]) + GAP_OPEN_SCORE).max(up[1]) + GAP_EXTEND_SCORE;
            let only_b = (left[0].max(left[1]) + GAP_OPEN_SCORE).max(left[2]) + GAP_EXTEND_SCORE;
            row[j + 1] = [pair, only_a, only_b];
            best = best.max(pair);
        }
        std::mem::swap(above, row);
    }
    best
}

/// States of the aligner, and bits of a cell: the state each was best reached from.
const PAIR: u8 = 0;
const ONLY_A: u8 = 1;
const ONLY_B: u8 = 2;

/// Gotoh's table: how each cell was reached, in each of the three states.
struct AlignmentTable {
    width: usize,
    from: Vec<[u8; 3]>,
    pair: Vec<i32>,
    last: [i32; 3],
}

const UNREACHABLE: i32 = i32::MIN / 2;

impl AlignmentTable {
    fn fill(a: &[char], b: &[char]) -> Self {
        let width = b.len() + 1;
        let mut table = AlignmentTable {
            width,
            from: vec![[0; 3]; (a.len() + 1) * width],
            pair: vec![UNREACHABLE; (a.len() + 1) * width],
            last: [0; 3],
        };
        let mut above: Vec<[i32; 3]> = (0..width)
            .map(|j| [if j == 0 { 0 } else { UNREACHABLE }, UNREACHABLE, gap(j)])
            .collect();
        table.pair[0] = 0;
        (2..width).for_each(|j| table.from[j][2] = ONLY_B);
        let mut row = vec![[UNREACHABLE; 3]; width];
        for i in 1..=a.len() {
            row[0] = [UNREACHABLE, gap(i), UNREACHABLE];
            table.from[i * width][1] = if i > 1 { ONLY_A } else { PAIR };
            for j in 1..width {
                let pair = best(above[j - 1], [0, 0, 0]);
                let only_a = best(above[j], [GAP_OPEN_SCORE, 0, GAP_OPEN_SCORE]);
                let only_b = best(row[j - 1], [GAP_OPEN_SCORE, GAP_OPEN_SCORE, 0]);
                let equal = if a[i - 1] == b[j - 1] { EQUAL_SCORE } else { UNEQUAL_SCORE };
                row[j] = [pair.0 + equal, only_a.0 + GAP_EXTEND_SCORE, only_b.0 + GAP_EXTEND_SCORE];
                table.from[i * width + j] = [pair.1, only_a.1, only_b.1];
                table.pair[i * width + j] = row[j][0];
            }
            std::mem::swap(&mut above, &mut row);
        }
        table.last = above[width - 1];
        table
    }

    /// The best cell to stop at, after an equal pair.
    fn best(&self) -> (i32, usize, usize) {
        let (mut best, mut at) = (0, 0);
        for (n, &score) in self.pair.iter().enumerate() {
            if score > best {
                (best, at) = (score, n);
            }
        }
        (best, at / self.width, at % self.width)
    }

    /// The equal pairs on the path to a cell: the last one by its best state, another as a pair.
    fn pairs(&self, a: &[char], b: &[char], mut i: usize, mut j: usize) -> Vec<PlacePair> {
        let mut state = if (i, j) == (a.len(), b.len()) { best(self.last, [0; 3]).1 } else { PAIR };
        let mut pairs = Vec::new();
        while i > 0 || j > 0 {
            let before = self.from[i * self.width + j][state as usize];
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
}

fn gap(n: usize) -> i32 {
    if n == 0 { UNREACHABLE } else { GAP_OPEN_SCORE + GAP_EXTEND_SCORE * n as i32 }
}

/// The best of three states, with the cost of the transition from each; the first if scores are
/// equal.
fn best(states: [i32; 3], costs: [i32; 3]) -> (i32, u8) {
    let mut best = (UNREACHABLE, PAIR);
    for (n, state) in [PAIR, ONLY_A, ONLY_B].into_iter().enumerate() {
        let score = states[n].max(UNREACHABLE) + costs[n];
        if score > best.0 {
            best = (score, state);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The table is the oracle.
        #[test]
        fn two_rows_give_the_score_of_the_table(a in "[一-上]{0,64}", b in "[一-上]{0,64}") {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert_eq!(best_score(&a, &b), AlignmentTable::fill(&a, &b).best().0);
        }

        #[test]
        fn texts_of_few_characters_too(a in "[甲乙丙]{0,40}", b in "[甲乙丙]{0,64}") {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert_eq!(best_score(&a, &b), AlignmentTable::fill(&a, &b).best().0);
        }
    }
}
