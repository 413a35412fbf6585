//! The dynamic programme: beads in order, with gaps on either side, inside a band.
//!
//! Three states, as in local alignment with affine gaps (Gotoh 1982): in a bead, in a gap of the classic, in a gap of the
//! translation. Forward and backward sums give each bead its posterior probability; the path that is returned holds the
//! most expected right units (maximum expected accuracy), not the single most probable path.

use std::ops::Range;

use super::band::Band;
use super::pair::Side;
use super::score::{Cells, Length, MOST};

/// How often beads of each type are expected.
#[derive(Clone, Debug)]
pub struct Types {
    /// `(n, m, log probability)`.
    pub beads: Vec<(usize, usize, f32)>,
    /// Log probability of opening a gap between beads.
    pub open: f32,
    /// … at the start or the end of a text, where one side often covers more.
    pub open_end: f32,
    /// Log probability of a gap going on.
    pub extend: f32,
}

impl Types {
    /// For sentences.
    pub fn sentences() -> Self {
        Self::with(
            &[
                ((1, 1), 0.80),
                ((1, 2), 0.07),
                ((2, 1), 0.07),
                ((2, 2), 0.012),
                ((1, 3), 0.015),
                ((3, 1), 0.01),
                ((2, 3), 0.002),
                ((3, 2), 0.002),
                ((3, 3), 0.0005),
                ((1, 4), 0.003),
                ((4, 1), 0.002),
            ],
            0.004,
        )
    }

    /// For clauses, where the two sides agree less about what one is.
    pub fn clauses() -> Self {
        Self::with(
            &[
                ((1, 1), 0.62),
                ((1, 2), 0.12),
                ((2, 1), 0.12),
                ((2, 2), 0.02),
                ((1, 3), 0.03),
                ((3, 1), 0.03),
                ((2, 3), 0.005),
                ((3, 2), 0.005),
                ((3, 3), 0.002),
                ((1, 4), 0.008),
                ((4, 1), 0.008),
            ],
            0.015,
        )
    }

    fn with(beads: &[((usize, usize), f32)], open: f32) -> Self {
        let beads = beads.iter().map(|&((n, m), p)| (n, m, p.ln())).collect();
        Types { beads, open: open.ln(), open_end: (open * 8.0).min(0.2).ln(), extend: 0.75f32.ln() }
    }
}

/// A bead or a unit of a gap on the path.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Units of the classic.
    pub source: Range<usize>,
    /// Units of the translation.
    pub translation: Range<usize>,
    /// Posterior probability.
    pub posterior: f64,
}

impl Step {
    /// True if both sides have units.
    pub fn is_bead(&self) -> bool {
        !self.source.is_empty() && !self.translation.is_empty()
    }
}

/// All that the programme runs on.
pub struct Problem<'a> {
    /// The classic.
    pub source: &'a Side,
    /// The translation.
    pub translation: &'a Side,
    /// Where to look.
    pub band: &'a Band,
    /// Lexical scores.
    pub cells: &'a Cells,
    /// Lengths.
    pub length: Length,
    /// Types.
    pub types: &'a Types,
}

const NEVER: f32 = f32::NEG_INFINITY;

/// Log sums of the three states at each point of the band.
struct Sums {
    bead: Vec<f32>,
    skip_source: Vec<f32>,
    skip_translation: Vec<f32>,
}

impl Sums {
    fn new(size: usize) -> Self {
        Sums { bead: vec![NEVER; size], skip_source: vec![NEVER; size], skip_translation: vec![NEVER; size] }
    }
    fn any(&self, at: usize) -> f32 {
        log_sum(log_sum(self.bead[at], self.skip_source[at]), self.skip_translation[at])
    }
}

fn log_sum(a: f32, b: f32) -> f32 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == NEVER { high } else { high + (low - high).exp().ln_1p() }
}

impl Problem<'_> {
    /// Log score of a bead.
    fn score(&self, i: usize, n: usize, j: usize, m: usize, prior: f32) -> f32 {
        let length = self.length.score(self.source.chars_in(i, i + n), self.translation.chars_in(j, j + m));
        prior + length + self.cells.bead(i, n, j, m)
    }

    fn open_at(&self, i: usize, j: usize, skip_source: bool) -> f32 {
        let end = if skip_source { j == 0 || j == self.translation.len() } else { i == 0 || i == self.source.len() };
        if end { self.types.open_end } else { self.types.open }
    }

    fn forward(&self) -> Sums {
        let mut f = Sums::new(self.band.size());
        for i in 0..=self.source.len() {
            for j in self.band.row(i) {
                let at = self.band.at(i, j).unwrap_or(0);
                if (i, j) == (0, 0) {
                    f.bead[at] = 0.0;
                    continue;
                }
                for &(n, m, p) in &self.types.beads {
                    if n <= i
                        && m <= j
                        && let Some(from) = self.band.at(i - n, j - m)
                    {
                        f.bead[at] = log_sum(f.bead[at], f.any(from) + self.score(i - n, n, j - m, m, p));
                    }
                }
                if i > 0
                    && let Some(from) = self.band.at(i - 1, j)
                {
                    let open = f.bead[from] + self.open_at(i - 1, j, true);
                    f.skip_source[at] = log_sum(open, f.skip_source[from] + self.types.extend);
                }
                if j > 0
                    && let Some(from) = self.band.at(i, j - 1)
                {
                    let open = log_sum(f.bead[from], f.skip_source[from]) + self.open_at(i, j - 1, false);
                    f.skip_translation[at] = log_sum(open, f.skip_translation[from] + self.types.extend);
                }
            }
        }
        f
    }

    fn backward(&self) -> Sums {
        let (rows, columns) = (self.source.len(), self.translation.len());
        let mut b = Sums::new(self.band.size());
        for i in (0..=rows).rev() {
            for j in self.band.row(i).rev() {
                let at = self.band.at(i, j).unwrap_or(0);
                if (i, j) == (rows, columns) {
                    (b.bead[at], b.skip_source[at], b.skip_translation[at]) = (0.0, 0.0, 0.0);
                    continue;
                }
                let mut beads = NEVER;
                for &(n, m, p) in &self.types.beads {
                    if i + n <= rows
                        && j + m <= columns
                        && let Some(to) = self.band.at(i + n, j + m)
                    {
                        beads = log_sum(beads, b.bead[to] + self.score(i, n, j, m, p));
                    }
                }
                (b.bead[at], b.skip_source[at], b.skip_translation[at]) = (beads, beads, beads);
                if i < rows
                    && let Some(to) = self.band.at(i + 1, j)
                {
                    b.bead[at] = log_sum(b.bead[at], b.skip_source[to] + self.open_at(i, j, true));
                    b.skip_source[at] = log_sum(b.skip_source[at], b.skip_source[to] + self.types.extend);
                }
                if j < columns
                    && let Some(to) = self.band.at(i, j + 1)
                {
                    let open = b.skip_translation[to] + self.open_at(i, j, false);
                    b.bead[at] = log_sum(b.bead[at], open);
                    b.skip_source[at] = log_sum(b.skip_source[at], open);
                    b.skip_translation[at] = log_sum(b.skip_translation[at], b.skip_translation[to] + self.types.extend);
                }
            }
        }
        b
    }

    /// The path with the most expected right units, with posteriors.
    pub fn solve(&self) -> Vec<Step> {
        let (rows, columns) = (self.source.len(), self.translation.len());
        let (f, b) = (self.forward(), self.backward());
        let Some(end) = self.band.at(rows, columns) else { return Vec::new() };
        let total = f.any(end);
        let mut best = vec![NEVER; self.band.size()];
        let mut choice = vec![(0u8, 0u8, 0f32); self.band.size()];
        for i in 0..=rows {
            for j in self.band.row(i) {
                let Some(at) = self.band.at(i, j) else { continue };
                if (i, j) == (0, 0) {
                    best[at] = 0.0;
                    continue;
                }
                let mut offer = |from: usize, n: usize, m: usize, posterior: f32, worth: f32| {
                    let value = best[from] + worth * posterior;
                    if value > best[at] {
                        (best[at], choice[at]) = (value, (n as u8, m as u8, posterior));
                    }
                };
                for &(n, m, p) in &self.types.beads {
                    if n <= i
                        && m <= j
                        && let Some(from) = self.band.at(i - n, j - m)
                    {
                        let log = f.any(from) + self.score(i - n, n, j - m, m, p) + b.bead[at] - total;
                        offer(from, n, m, log.exp().min(1.0), (n + m) as f32);
                    }
                }
                if i > 0
                    && let Some(from) = self.band.at(i - 1, j)
                {
                    offer(from, 1, 0, (f.skip_source[at] + b.skip_source[at] - total).exp().min(1.0), 1.0);
                }
                if j > 0
                    && let Some(from) = self.band.at(i, j - 1)
                {
                    offer(from, 0, 1, (f.skip_translation[at] + b.skip_translation[at] - total).exp().min(1.0), 1.0);
                }
            }
        }
        self.walk_back(&choice)
    }

    fn walk_back(&self, choice: &[(u8, u8, f32)]) -> Vec<Step> {
        let (mut i, mut j) = (self.source.len(), self.translation.len());
        let mut steps = Vec::new();
        while let Some(at) = self.band.at(i, j) {
            let (n, m, posterior) = choice[at];
            let (n, m) = (usize::from(n), usize::from(m));
            if n + m == 0 {
                break;
            }
            steps.push(Step { source: i - n..i, translation: j - m..j, posterior: f64::from(posterior) });
            (i, j) = (i - n, j - m);
        }
        steps.reverse();
        steps
    }
}

/// Widest reach of a bead, for those who plan bands.
pub const REACH: usize = MOST;
