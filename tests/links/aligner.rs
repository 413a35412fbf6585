//! An aligner that knows nothing of the program, to judge its parallels by: runs of five equal
//! characters are seeds, seeds that are close together are a window, and the best local alignment
//! of the window (Smith and Waterman, affine gaps, the scores of passim) is a pair of passages.

use std::collections::HashMap;
use std::ops::Range;

const SEED_CHARS: usize = 5;
/// Five characters with more places in the other text are a formula.
const MAX_SEED_PLACES: usize = 20;
/// Most characters between two seeds of a window, along the text and across its diagonal.
const MAX_SEED_GAP: usize = 40;
/// Characters that a window has before its first seed and after its last.
const MARGIN: usize = 60;
const EQUAL: f32 = 2.0;
const DIFFERENT: f32 = -1.0;
const GAP: f32 = -5.0;
const MORE_GAP: f32 = -0.5;

/// Two passages with the same content.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Characters of the first text.
    pub a: Range<usize>,
    /// Characters of the second.
    pub b: Range<usize>,
    /// How many are equal.
    pub equal: usize,
}

/// The pairs of passages of two texts with at least `least` equal characters.
pub fn pairs(a: &[char], b: &[char], least: usize) -> Vec<Pair> {
    let mut found: Vec<Pair> = windows(seeds(a, b))
        .into_iter()
        .filter_map(|(x, y)| {
            let x = x.start.saturating_sub(MARGIN)..(x.end + MARGIN).min(a.len());
            let y = y.start.saturating_sub(MARGIN)..(y.end + MARGIN).min(b.len());
            let p = local(&a[x.clone()], &b[y.clone()])?;
            let shift = |r: Range<usize>, by: usize| r.start + by..r.end + by;
            Some(Pair { a: shift(p.a, x.start), b: shift(p.b, y.start), equal: p.equal })
        })
        .filter(|p| p.equal >= least)
        .collect();
    found.sort_by_key(|p| std::cmp::Reverse(p.equal));
    let mut kept: Vec<Pair> = Vec::new();
    for p in found {
        let same = |k: &Pair| covers(&k.a, &p.a) && covers(&k.b, &p.b);
        if !kept.iter().any(same) {
            kept.push(p);
        }
    }
    kept
}

/// True if `x` covers at least half of `y`.
pub fn covers(x: &Range<usize>, y: &Range<usize>) -> bool {
    x.end.min(y.end).saturating_sub(x.start.max(y.start)) * 2 >= y.len()
}

fn seeds(a: &[char], b: &[char]) -> Vec<(usize, usize)> {
    let mut places: HashMap<&[char], Vec<usize>> = HashMap::new();
    for (i, w) in b.windows(SEED_CHARS).enumerate() {
        places.entry(w).or_default().push(i);
    }
    let of = |(i, w): (usize, &[char])| {
        let at = places.get(w).filter(|p| p.len() <= MAX_SEED_PLACES).cloned().unwrap_or_default();
        at.into_iter().map(move |j| (i, j))
    };
    a.windows(SEED_CHARS).enumerate().flat_map(of).collect()
}

/// Seeds that are close together, as a window of each text.
fn windows(seeds: Vec<(usize, usize)>) -> Vec<(Range<usize>, Range<usize>)> {
    let mut open: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (i, j) in seeds {
        let near = |(x, y): &&mut (Range<usize>, Range<usize>)| {
            i <= x.end + MAX_SEED_GAP
                && j + MAX_SEED_GAP >= y.start
                && j <= y.end + MAX_SEED_GAP
                && (i as i64 - j as i64 - (x.end as i64 - y.end as i64)).unsigned_abs()
                    <= MAX_SEED_GAP as u64
        };
        match open.iter_mut().rev().take(64).find(near) {
            Some((x, y)) => {
                x.end = x.end.max(i + SEED_CHARS);
                y.start = y.start.min(j);
                y.end = y.end.max(j + SEED_CHARS);
            }
            None => open.push((i..i + SEED_CHARS, j..j + SEED_CHARS)),
        }
    }
    open
}

#[derive(Clone, Copy)]
struct Cell {
    score: f32,
    from: (usize, usize),
    equal: usize,
}

impl Cell {
    fn plus(self, by: f32) -> Self {
        Cell { score: self.score + by, ..self }
    }

    fn or(self, other: Self) -> Self {
        if other.score > self.score { other } else { self }
    }
}

/// The best local alignment.
fn local(a: &[char], b: &[char]) -> Option<Pair> {
    let none = Cell { score: f32::NEG_INFINITY, from: (0, 0), equal: 0 };
    let (mut row, mut down) = (vec![none; b.len() + 1], vec![none; b.len() + 1]);
    let mut best: Option<(f32, Pair)> = None;
    for (i, x) in a.iter().enumerate() {
        let (mut diagonal, mut right) = (row[0], none);
        for (j, y) in b.iter().enumerate() {
            let start = Cell { score: 0.0, from: (i, j), equal: 0 };
            let same = x == y;
            let step = diagonal.or(start).plus(if same { EQUAL } else { DIFFERENT });
            let step = Cell { equal: step.equal + usize::from(same), ..step };
            down[j + 1] = down[j + 1].plus(MORE_GAP).or(row[j + 1].plus(GAP));
            right = right.plus(MORE_GAP).or(row[j].plus(GAP));
            diagonal = row[j + 1];
            row[j + 1] = step.or(down[j + 1]).or(right);
            if best.as_ref().is_none_or(|(s, _)| step.score > *s) {
                let pair = Pair { a: step.from.0..i + 1, b: step.from.1..j + 1, equal: step.equal };
                best = Some((step.score, pair));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

#[test]
fn passages_retold_with_an_omission_are_one_pair() {
    let chars = |s: &str| s.chars().collect::<Vec<char>>();
    let (a, b) = (chars("天地玄黃甲乙丙丁戊己庚辛壬癸"), chars("宇宙甲乙丙丁戊庚辛壬癸洪荒"));
    let found = pairs(&a, &b, 8);
    assert_eq!(found, [Pair { a: 4..14, b: 2..11, equal: 9 }]);
}
