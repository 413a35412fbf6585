//! What lies between the blocks of a chain, and beyond its ends, aligned character by character with affine gaps.

use super::seeds::Block;
use super::{Chain, Run, Taken};

/// The largest table that is filled; of a larger gap only both ends are aligned.
const CELLS: usize = 1 << 16;
/// Characters that are looked at beyond the end of a chain.
const BEYOND: usize = 160;
/// Scores: one equal pair, one unequal pair, the opening of a gap and each character of it. A single equal character far
/// out in a gap is worth less than the second gap it makes.
const EQUAL: i32 = 10;
const UNEQUAL: i32 = -6;
const OPEN: i32 = -18;
const EXTEND: i32 = -1;
/// What an end must score to be kept: three characters.
const WORTH: i32 = 3 * EQUAL;

/// The chain of some blocks with all that matches between them and at their ends.
pub fn complete(blocks: &[Block], a: &[char], b: &[char], taken: &mut Taken) -> Chain {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    if let Some(first) = blocks.first() {
        let (x, y) = (free_before(&taken.a, first.a), free_before(&taken.b, first.b));
        pairs.extend(tail(&a[x..first.a], &b[y..first.b]).into_iter().map(|(i, j)| (x + i, y + j)));
    }
    for (n, block) in blocks.iter().enumerate() {
        pairs.extend((0..block.len).map(|i| (block.a + i, block.b + i)));
        let (x, y) = (block.a_end(), block.b_end());
        let between = match blocks.get(n + 1) {
            Some(next) => between(&a[x..next.a], &b[y..next.b]),
            None => head(&a[x..free_after(&taken.a, x)], &b[y..free_after(&taken.b, y)]),
        };
        pairs.extend(between.into_iter().map(|(i, j)| (x + i, y + j)));
    }
    joined(pairs, blocks, taken)
}

/// Pairs as runs, without those that another chain holds.
fn joined(pairs: Vec<(usize, usize)>, blocks: &[Block], taken: &mut Taken) -> Chain {
    let mut runs: Vec<Run> = Vec::new();
    let mut own = blocks.iter().peekable();
    for (x, y) in pairs {
        while own.next_if(|o| o.a_end() <= x).is_some() {}
        if own.peek().is_none_or(|o| x < o.a) {
            if taken.is(x, y) {
                continue;
            }
            taken.take(x, y);
        }
        match runs.last_mut() {
            Some(r) if r.a_end() == x && r.b_end() == y => r.len += 1,
            _ => runs.push(Run { a: x, b: y, len: 1 }),
        }
    }
    Chain { runs }
}

fn free_before(taken: &[bool], end: usize) -> usize {
    end - taken[end.saturating_sub(BEYOND)..end].iter().rev().take_while(|t| !**t).count()
}

fn free_after(taken: &[bool], from: usize) -> usize {
    from + taken[from..taken.len().min(from + BEYOND)].iter().take_while(|t| !**t).count()
}

/// A gap with both its ends fixed.
fn between(a: &[char], b: &[char]) -> Vec<(usize, usize)> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    if (a.len() + 1) * (b.len() + 1) <= CELLS {
        return Table::fill(a, b).pairs(a, b, a.len(), b.len());
    }
    let mut pairs = head(&a[..a.len().min(BEYOND)], &b[..b.len().min(BEYOND)]);
    let (x, y) = pairs.last().map_or((0, 0), |p| (p.0 + 1, p.1 + 1));
    let (from_a, from_b) = (x.max(a.len().saturating_sub(BEYOND)), y.max(b.len().saturating_sub(BEYOND)));
    pairs.extend(tail(&a[from_a..], &b[from_b..]).into_iter().map(|(i, j)| (from_a + i, from_b + j)));
    pairs
}

/// Aligns from the start as far as it is worth.
fn head(a: &[char], b: &[char]) -> Vec<(usize, usize)> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let table = Table::fill(a, b);
    match table.best() {
        (score, i, j) if score >= WORTH => table.pairs(a, b, i, j),
        _ => Vec::new(),
    }
}

/// Aligns from the end backwards.
fn tail(a: &[char], b: &[char]) -> Vec<(usize, usize)> {
    let turned = |s: &[char]| s.iter().rev().copied().collect::<Vec<char>>();
    let pairs = head(&turned(a), &turned(b));
    pairs.into_iter().rev().map(|(i, j)| (a.len() - 1 - i, b.len() - 1 - j)).collect()
}

/// States of the aligner, and bits of a cell: the state each was best reached from.
const PAIR: u8 = 0;
const ONLY_A: u8 = 1;
const ONLY_B: u8 = 2;

/// Gotoh's table: how each cell was reached, in each of the three states.
struct Table {
    width: usize,
    from: Vec<[u8; 3]>,
    pair: Vec<i32>,
    last: [i32; 3],
}

const NEVER: i32 = i32::MIN / 2;

impl Table {
    fn fill(a: &[char], b: &[char]) -> Self {
        let width = b.len() + 1;
        let mut table = Table { width, from: vec![[0; 3]; (a.len() + 1) * width], pair: vec![NEVER; (a.len() + 1) * width], last: [0; 3] };
        let mut above: Vec<[i32; 3]> = (0..width).map(|j| [if j == 0 { 0 } else { NEVER }, NEVER, gap(j)]).collect();
        table.pair[0] = 0;
        (2..width).for_each(|j| table.from[j][2] = ONLY_B);
        for i in 1..=a.len() {
            let mut row = vec![[NEVER; 3]; width];
            row[0][1] = gap(i);
            table.from[i * width][1] = if i > 1 { ONLY_A } else { PAIR };
            for j in 1..width {
                let pair = best(above[j - 1], [0, 0, 0]);
                let only_a = best(above[j], [OPEN, 0, OPEN]);
                let only_b = best(row[j - 1], [OPEN, OPEN, 0]);
                let equal = if a[i - 1] == b[j - 1] { EQUAL } else { UNEQUAL };
                row[j] = [pair.0 + equal, only_a.0 + EXTEND, only_b.0 + EXTEND];
                table.from[i * width + j] = [pair.1, only_a.1, only_b.1];
                table.pair[i * width + j] = row[j][0];
            }
            above = row;
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

    /// The equal pairs on the way to a cell: the last one by its best state, another as a pair.
    fn pairs(&self, a: &[char], b: &[char], mut i: usize, mut j: usize) -> Vec<(usize, usize)> {
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
    if n == 0 { NEVER } else { OPEN + EXTEND * n as i32 }
}

/// The best of three states with what passing from each costs; on equal scores the first.
fn best(states: [i32; 3], costs: [i32; 3]) -> (i32, u8) {
    let mut best = (NEVER, PAIR);
    for (n, state) in [PAIR, ONLY_A, ONLY_B].into_iter().enumerate() {
        let score = states[n].max(NEVER) + costs[n];
        if score > best.0 {
            best = (score, state);
        }
    }
    best
}
