//! Aligns the text between the blocks of a chain and beyond its ends, character by character with
//! affine gaps.

use super::bound::bound;
use super::ends::{
    EQUAL_SCORE, EndAlignment, GAP_EXTEND_SCORE, GAP_OPEN_SCORE, UNEQUAL_SCORE, WINDOW_CHARS,
};
use super::path::{ONLY_A, ONLY_B, PAIR, PlacePair, cell, walk};
use super::seeds::SeedBlock;
use super::{Chain, CollatedRun, TakenChars};

/// The largest table that is filled; only both ends of a larger gap are aligned.
const MAX_TABLE_CELLS: usize = 1 << 16;
/// The least score of an end that is kept: three characters.
const MIN_END_SCORE: i32 = 3 * EQUAL_SCORE;

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
        if !have_common(a, b) {
            return Vec::new();
        }
        if (a.len() + 1) * (b.len() + 1) <= MAX_TABLE_CELLS {
            let pairs = AlignmentTable::fill(a, b).pairs(a, b);
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
    // Most ends do not match. Of most of those the bound says so, in a fraction of the time.
    if bound(a, b) < MIN_END_SCORE {
        return Vec::new();
    }
    let aligned = EndAlignment::of(a, b);
    if aligned.score < MIN_END_SCORE { Vec::new() } else { aligned.pairs(a, b) }
}

/// True if a character is in both. Without one there are no equal pairs, and no table is needed.
fn have_common(a: &[char], b: &[char]) -> bool {
    a.iter().any(|x| b.contains(x))
}

/// Gotoh's table: how each cell was reached, in each of the three states.
struct AlignmentTable {
    width: usize,
    /// For each cell the three states before it, of two bits each.
    from: Vec<u8>,
    /// The scores of the last cell.
    last: [i32; 3],
}

impl AlignmentTable {
    fn fill(a: &[char], b: &[char]) -> Self {
        let width = b.len() + 1;
        let mut from = vec![0; (a.len() + 1) * width];
        (2..width).for_each(|j| from[j] = cell(PAIR, PAIR, ONLY_B));
        let mut row: Vec<[i32; 3]> =
            (0..width).map(|j| [UNREACHABLE, UNREACHABLE, gap(j)]).collect();
        row[0][0] = 0;
        for (i, x) in a.iter().enumerate() {
            let cells = &mut from[(i + 1) * width..(i + 2) * width];
            cells[0] = cell(PAIR, if i > 0 { ONLY_A } else { PAIR }, PAIR);
            let mut left = [UNREACHABLE, gap(i + 1), UNREACHABLE];
            let mut diagonal = std::mem::replace(&mut row[0], left);
            for (y, (up, cell)) in b.iter().zip(row[1..].iter_mut().zip(&mut cells[1..])) {
                let (scores, states) = next(diagonal, *up, left, x == y);
                diagonal = std::mem::replace(up, scores);
                (left, *cell) = (scores, states);
            }
        }
        AlignmentTable { width, from, last: row[b.len()] }
    }

    /// The equal pairs of the whole texts.
    fn pairs(&self, a: &[char], b: &[char]) -> Vec<PlacePair> {
        let state = best(self.last).1;
        walk(a, b, (a.len(), b.len()), state, |i, j| self.from[i * self.width + j])
    }
}

/// The scores of a cell, and the states from which they are reached.
fn next(diagonal: [i32; 3], up: [i32; 3], left: [i32; 3], equal: bool) -> ([i32; 3], u8) {
    const OPEN: i32 = GAP_OPEN_SCORE;
    let pair = best(diagonal);
    let only_a = best([up[0] + OPEN, up[1], up[2] + OPEN]);
    let only_b = best([left[0] + OPEN, left[1] + OPEN, left[2]]);
    let equal = if equal { EQUAL_SCORE } else { UNEQUAL_SCORE };
    let scores = [pair.0 + equal, only_a.0 + GAP_EXTEND_SCORE, only_b.0 + GAP_EXTEND_SCORE];
    (scores, cell(pair.1, only_a.1, only_b.1))
}

/// The best of three states; the first if scores are equal.
fn best([pair, only_a, only_b]: [i32; 3]) -> (i32, u8) {
    let (score, state) = if only_a > pair { (only_a, ONLY_A) } else { (pair, PAIR) };
    if only_b > score { (only_b, ONLY_B) } else { (score, state) }
}

/// Less than the score of any cell that can be reached, however long the path.
const UNREACHABLE: i32 = i32::MIN / 2;

fn gap(n: usize) -> i32 {
    if n == 0 { UNREACHABLE } else { GAP_OPEN_SCORE + GAP_EXTEND_SCORE * n as i32 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The best alignment of the beginnings by all tables of beginnings: its score, end and pairs.
    fn best_beginning(a: &[char], b: &[char]) -> (i32, PlacePair, Vec<PlacePair>) {
        let mut found = (0, (0, 0), vec![]);
        for (i, j) in (1..=a.len()).flat_map(|i| (1..=b.len()).map(move |j| (i, j))) {
            let (a, b) = (&a[..i], &b[..j]);
            let table = AlignmentTable::fill(a, b);
            if table.last[0] > found.0 {
                let pairs = walk(a, b, (i, j), PAIR, |i, j| table.from[i * table.width + j]);
                found = (table.last[0], (i, j), pairs);
            }
        }
        found
    }

    proptest! {
        #[test]
        fn ends_are_aligned_as_by_the_table(a in "[甲乙丙]{0,20}", b in "[甲乙丙]{0,20}") {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let aligned = EndAlignment::of(&a, &b);
            let pairs = aligned.pairs(&a, &b);
            prop_assert_eq!((aligned.score, aligned.end, pairs), best_beginning(&a, &b));
        }

        #[test]
        fn whole_windows_too(
            a in "[甲乙丙𠀀]{56}",
            at in 0usize..56,
            cut in 0usize..12,
            more in "[甲乙丙𠀀丁]{0,8}",
        ) {
            let a: Vec<char> = a.chars().collect();
            let b = a[..at].iter().copied().chain(more.chars());
            let b: Vec<char> = b.chain(a[(at + cut).min(56)..].iter().copied()).collect();
            let aligned = EndAlignment::of(&a, &b);
            let (i, j) = aligned.end;
            let table = AlignmentTable::fill(&a[..i], &b[..j]);
            if aligned.score > 0 {
                prop_assert_eq!(table.last[0], aligned.score);
                prop_assert_eq!(table.pairs(&a[..i], &b[..j]), aligned.pairs(&a, &b));
            }
            let all = AlignmentTable::fill(&a, &b);
            prop_assert!(all.last[0] <= aligned.score);
        }

        #[test]
        fn no_score_exceeds_the_bound(a in "[甲乙丙丁戊己庚辛]{0,64}", b in "[甲乙丙丁戊己庚辛]{0,64}") {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert!(EndAlignment::of(&a, &b).score <= bound(&a, &b));
        }
    }

    #[test]
    fn unrelated_words_are_bounded_below_what_is_kept() {
        let chars = |text: &str| text.chars().collect::<Vec<char>>();
        let (a, b) = (chars("司射適堂西命弟子設豐"), chars("主人盥洗升媵觚于賓酌"));
        assert!(bound(&a, &b) < MIN_END_SCORE);
        let same = ['甲'; WINDOW_CHARS];
        assert!(bound(&same, &same) >= EndAlignment::of(&same, &same).score);
    }
}
