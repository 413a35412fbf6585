//! The dynamic programme: beads in order, with gaps on either side, inside a band.
//!
//! There are three states, as in local alignment with affine gaps (Gotoh 1982): in a bead, in a gap
//! of the classic, in a gap of the translation. Forward and backward sums give each bead its
//! posterior probability. The path that is returned has the most correct units in expectation
//! (maximum expected accuracy); it is not the most probable path.

use std::sync::LazyLock;

use rayon::prelude::*;

use super::band::{Band, RowPoints};
use super::confirmed::Constraints;
use super::pair::TokenSide;
use super::score::{Cells, LengthScores};
use super::step::{MAX_BEAD_UNITS, PathStep};
use super::tabulated::Tabulated;
use super::types::Types;

/// The input of the dynamic programme.
pub struct Problem<'a> {
    /// The classic.
    pub source: &'a TokenSide,
    /// The translation.
    pub translation: &'a TokenSide,
    /// Where to search.
    pub band: &'a Band,
    /// Lexical scores.
    pub cells: &'a Cells,
    /// Scores of lengths.
    pub lengths: &'a LengthScores,
    /// Types of beads and gaps.
    pub types: &'a Types,
    /// Which borders of the two sides are borders of the texts.
    pub borders: Borders,
    /// What a person decided.
    pub confirmed: Constraints<'a>,
}

/// Which borders of a part of two texts are borders of the texts. Gaps are likelier there.
#[derive(Clone, Copy, Debug)]
pub struct Borders {
    /// The first column is where the translation starts.
    pub left: bool,
    /// The last column is where the translation ends.
    pub right: bool,
    /// The first row is where the classic starts.
    pub top: bool,
    /// The last row is where the classic ends. If it is not, paths may end in any of its columns.
    pub bottom: bool,
}

impl Borders {
    /// Both texts are complete.
    pub const ALL: Borders = Borders { left: true, right: true, top: true, bottom: true };
}

const NEVER: f32 = f32::NEG_INFINITY;
/// A term more than this many nats below another is ignored in their sum.
const NEGLIGIBLE_NATS: f32 = 14.0;

/// A row of points, and the rows that beads reach from there, by distance.
type Near = [RowPoints; MAX_BEAD_UNITS + 1];

/// Log sums of the three states at each point of the band. Over a long text they exceed single
/// precision, so each row has its own offset.
struct Sums {
    /// Offset to add to the sums of each row of points.
    offset: Vec<f64>,
    bead: Vec<f32>,
    skip_source: Vec<f32>,
    skip_translation: Vec<f32>,
    /// Sum of all three.
    any: Vec<f32>,
}

impl Sums {
    fn new(band: &Band, rows: usize) -> Self {
        let never = || vec![NEVER; band.size()];
        Sums {
            offset: vec![0.0; rows + 1],
            bead: never(),
            skip_source: never(),
            skip_translation: never(),
            any: never(),
        }
    }

    /// Sets the offset of row `row` from the best value of its finished neighbour.
    fn count_from(&mut self, row: usize, neighbour: usize, band: &Band) {
        let points = band.row(neighbour).filter_map(|j| band.at(neighbour, j));
        let best = points.map(|at| self.bead[at].max(self.any[at])).fold(NEVER, f32::max);
        self.offset[row] =
            self.offset[neighbour] + if best == NEVER { 0.0 } else { f64::from(best) };
    }

    /// What to add to a sum of row `from` to use it in row `to`.
    fn shift(&self, from: usize, to: usize) -> f32 {
        (self.offset[from] - self.offset[to]) as f32
    }

    fn close(&mut self, at: usize) {
        self.any[at] =
            log_sum(log_sum(self.bead[at], self.skip_source[at]), self.skip_translation[at]);
    }
}

/// By how much the logarithm of a sum exceeds that of its larger term, by their distance.
static EXCESS: LazyLock<Tabulated> =
    LazyLock::new(|| Tabulated::new(NEGLIGIBLE_NATS, |d| (-d).exp().ln_1p()));

fn log_sum(a: f32, b: f32) -> f32 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == NEVER || high - low > NEGLIGIBLE_NATS { high } else { high + EXCESS.at(high - low) }
}

/// Log scores of all types of beads from each point of the band.
struct Scores {
    types: usize,
    all: Vec<f32>,
}

impl Scores {
    fn new(problem: &Problem<'_>) -> Self {
        Scores {
            types: problem.types.beads.len(),
            all: (0..=problem.source.len())
                .into_par_iter()
                .flat_map_iter(|i| problem.scores_of_row(i))
                .collect(),
        }
    }

    fn of(&self, from: usize, kind: usize) -> f32 {
        self.all[from * self.types + kind]
    }
}

impl Problem<'_> {
    /// Log scores of all types of beads from the points of row `i`.
    fn scores_of_row(&self, i: usize) -> Vec<f32> {
        let (rows, columns) = (self.source.len(), self.translation.len());
        let near: Near = std::array::from_fn(|n| self.band.row_points(i + n));
        let lengths: [_; MAX_BEAD_UNITS + 1] = std::array::from_fn(|n| {
            self.lengths.of_classic(self.source.chars_in(i, (i + n).min(rows)))
        });
        let beads = self.cells.beads_of_row(i);
        let mut scores = Vec::with_capacity(self.band.row(i).len() * self.types.beads.len());
        for j in self.band.row(i) {
            let lexical = beads.at(j);
            let logs: [f32; MAX_BEAD_UNITS + 1] = std::array::from_fn(|m| {
                self.lengths.log(self.translation.chars_in(j, (j + m).min(columns)))
            });
            scores.extend(self.types.beads.iter().map(|&(n, m, prior)| match near[n].at(j + m) {
                Some(_) if self.confirmed.allow(i..i + n, j..j + m) => {
                    prior + lengths[n].score(logs[m]) + lexical.bead(n, m)
                }
                _ => NEVER,
            }));
        }
        scores
    }

    /// The score of leaving unit `i` of the classic or, if not `skip_source`, unit `j` of the
    /// translation without counterpart: what it adds to that of a gap before it.
    fn alone(&self, i: usize, j: usize, skip_source: bool) -> f32 {
        let may_be = match skip_source {
            true => self.confirmed.row_may_be_alone(i),
            false => self.confirmed.column_may_be_alone(j),
        };
        if may_be { 0.0 } else { NEVER }
    }

    fn open_at(&self, i: usize, j: usize, skip_source: bool) -> f32 {
        let b = self.borders;
        let end = if skip_source {
            j == 0 && b.left || j == self.translation.len() && b.right
        } else {
            i == 0 && b.top || i == self.source.len() && b.bottom
        };
        if end { self.types.open_end } else { self.types.open }
    }

    /// Points from which a bead ends at column `j`, with its type. `before`: the rows above, by
    /// distance.
    fn origins(&self, before: &Near, j: usize) -> impl Iterator<Item = (usize, usize)> {
        let from = move |(k, b): (usize, &(usize, usize, f32))| {
            before[b.0].at(j.wrapping_sub(b.1)).map(|from| (from, k))
        };
        self.types.beads.iter().enumerate().filter_map(from)
    }

    fn before(&self, i: usize) -> Near {
        std::array::from_fn(|n| self.band.row_points(i.wrapping_sub(n)))
    }

    fn forward(&self, scores: &Scores) -> Sums {
        let mut f = Sums::new(self.band, self.source.len());
        for i in 0..=self.source.len() {
            if i > 0 {
                f.count_from(i, i - 1, self.band);
            }
            let before = self.before(i);
            let shift: [f32; MAX_BEAD_UNITS + 1] =
                std::array::from_fn(|n| f.shift(i.saturating_sub(n), i));
            for j in self.band.row(i) {
                let Some(at) = self.band.at(i, j) else { continue };
                if (i, j) == (0, 0) {
                    (f.bead[at], f.any[at]) = (0.0, 0.0);
                    continue;
                }
                let reached = |(from, k): (usize, usize)| {
                    f.any[from] + shift[self.types.beads[k].0] + scores.of(from, k)
                };
                f.bead[at] = self.origins(&before, j).map(reached).fold(NEVER, log_sum);
                if let Some(from) = i.checked_sub(1).and_then(|i| self.band.at(i, j)) {
                    let open = f.bead[from] + self.open_at(i - 1, j, true);
                    f.skip_source[at] = log_sum(open, f.skip_source[from] + self.types.extend)
                        + f.shift(i - 1, i)
                        + self.alone(i - 1, j, true);
                }
                if let Some(from) = j.checked_sub(1).and_then(|j| self.band.at(i, j)) {
                    let open =
                        log_sum(f.bead[from], f.skip_source[from]) + self.open_at(i, j - 1, false);
                    f.skip_translation[at] =
                        log_sum(open, f.skip_translation[from] + self.types.extend)
                            + self.alone(i, j - 1, false);
                }
                f.close(at);
            }
        }
        f
    }

    fn backward(&self, scores: &Scores) -> Sums {
        let (rows, columns) = (self.source.len(), self.translation.len());
        let mut b = Sums::new(self.band, rows);
        for i in (0..=rows).rev() {
            if i < rows {
                b.count_from(i, i + 1, self.band);
            }
            let after: Near = std::array::from_fn(|n| self.band.row_points(i + n));
            let shift: [f32; MAX_BEAD_UNITS + 1] =
                std::array::from_fn(|n| b.shift((i + n).min(rows), i));
            for j in self.band.row(i).rev() {
                let Some(at) = self.band.at(i, j) else { continue };
                if (i, j) == (rows, columns) {
                    (b.bead[at], b.skip_source[at], b.skip_translation[at]) = (0.0, 0.0, 0.0);
                    continue;
                }
                let mut beads = if i == rows && !self.borders.bottom { 0.0 } else { NEVER };
                for (k, &(n, m, _)) in self.types.beads.iter().enumerate() {
                    if let Some(to) = after[n].at(j + m) {
                        beads = log_sum(beads, b.bead[to] + shift[n] + scores.of(at, k));
                    }
                }
                (b.bead[at], b.skip_source[at], b.skip_translation[at]) = (beads, beads, beads);
                if i < rows
                    && let Some(to) = self.band.at(i + 1, j)
                {
                    let on = b.skip_source[to] + b.shift(i + 1, i) + self.alone(i, j, true);
                    b.bead[at] = log_sum(b.bead[at], on + self.open_at(i, j, true));
                    b.skip_source[at] = log_sum(b.skip_source[at], on + self.types.extend);
                }
                if j < columns
                    && let Some(to) = self.band.at(i, j + 1)
                {
                    let alone = self.alone(i, j, false);
                    let open = b.skip_translation[to] + self.open_at(i, j, false) + alone;
                    b.bead[at] = log_sum(b.bead[at], open);
                    b.skip_source[at] = log_sum(b.skip_source[at], open);
                    let on = b.skip_translation[to] + self.types.extend + alone;
                    b.skip_translation[at] = log_sum(b.skip_translation[at], on);
                }
            }
        }
        b
    }

    /// The path with the most correct units in expectation, with posteriors.
    pub fn solve(&self) -> Vec<PathStep> {
        let Some(odds) = Odds::new(self) else { return Vec::new() };
        let mut best = vec![f64::NEG_INFINITY; self.band.size()];
        let mut choice = vec![(0u8, 0u8, 0f32); self.band.size()];
        best[0] = 0.0;
        for i in 0..=self.source.len() {
            let before = self.before(i);
            let scale: [f64; MAX_BEAD_UNITS + 1] =
                std::array::from_fn(|n| odds.scale(i.saturating_sub(n), i));
            for j in self.band.row(i) {
                let Some(at) = before[0].at(j).filter(|at| *at > 0) else { continue };
                let mut offer = |from: usize, n: usize, m: usize, posterior: f64| {
                    let value = best[from] + (n + m) as f64 * posterior;
                    if value > best[at] {
                        (best[at], choice[at]) = (value, (n as u8, m as u8, posterior as f32));
                    }
                };
                for (from, k) in self.origins(&before, j) {
                    let (n, m, _) = self.types.beads[k];
                    offer(from, n, m, odds.bead(from, at, k, scale[n]));
                }
                if let Some(from) = before[1].at(j) {
                    offer(from, 1, 0, odds.skips_source(i, at));
                }
                if let Some(from) = before[0].at(j.wrapping_sub(1)) {
                    offer(from, 0, 1, odds.skips_translation(i, at));
                }
            }
        }
        let (rows, columns) = (self.source.len(), self.translation.len());
        let ends = if self.borders.bottom { columns..columns + 1 } else { self.band.row(rows) };
        let value = |j: &usize| self.band.at(rows, *j).map_or(f64::NEG_INFINITY, |at| best[at]);
        let last = ends.max_by(|a, b| value(a).total_cmp(&value(b))).unwrap_or(columns);
        self.walk_back(&choice, last)
    }

    /// For each unit of the classic and of the translation, the probability that it is in a bead.
    pub fn covered(&self) -> (Vec<f64>, Vec<f64>) {
        let (rows, columns) = (self.source.len(), self.translation.len());
        let (mut source, mut translation) = (vec![0.0; rows], vec![0.0; columns]);
        let Some(odds) = Odds::new(self) else { return (source, translation) };
        for (i, j) in (0..=rows).flat_map(|i| self.band.row(i).map(move |j| (i, j))) {
            let Some(at) = self.band.at(i, j) else { continue };
            if i > 0 {
                source[i - 1] += odds.skips_source(i, at);
            }
            if j > 0 {
                translation[j - 1] += odds.skips_translation(i, at);
            }
        }
        source.iter_mut().chain(&mut translation).for_each(|p| *p = (1.0 - *p).clamp(0.0, 1.0));
        (source, translation)
    }

    fn walk_back(&self, choice: &[(u8, u8, f32)], last: usize) -> Vec<PathStep> {
        let (mut i, mut j) = (self.source.len(), last);
        let mut steps = Vec::new();
        while let Some(at) = self.band.at(i, j) {
            let (n, m, posterior) = choice[at];
            let (n, m) = (usize::from(n), usize::from(m));
            if n + m == 0 {
                break;
            }
            steps.push(PathStep {
                source: i - n..i,
                translation: j - m..j,
                posterior: f64::from(posterior),
            });
            (i, j) = (i - n, j - m);
        }
        steps.reverse();
        steps
    }
}

/// The probability of each step over all paths.
struct Odds {
    scores: Scores,
    forward: Sums,
    backward: Sums,
    /// Log sum of all paths.
    total: f64,
}

impl Odds {
    fn new(problem: &Problem<'_>) -> Option<Self> {
        let rows = problem.source.len();
        let end = problem.band.at(rows, problem.translation.len())?;
        let first = if problem.borders.bottom {
            end
        } else {
            problem.band.at(rows, problem.band.row(rows).start)?
        };
        let scores = Scores::new(problem);
        let (forward, backward) = (problem.forward(&scores), problem.backward(&scores));
        let ends = forward.any[first..=end].iter().copied().fold(NEVER, log_sum);
        let total = f64::from(ends) + forward.offset[rows];
        Some(Odds { scores, forward, backward, total })
    }

    /// What to add to the logarithms of steps from one row to another.
    fn scale(&self, from: usize, to: usize) -> f64 {
        self.forward.offset[from] + self.backward.offset[to] - self.total
    }

    /// Probability of a bead of type `kind` between two points.
    fn bead(&self, from: usize, to: usize, kind: usize, scale: f64) -> f64 {
        let log = self.forward.any[from] + self.scores.of(from, kind) + self.backward.bead[to];
        probability(f64::from(log) + scale)
    }

    /// Probability that the unit of the classic that ends at a point of `row` has no counterpart.
    fn skips_source(&self, row: usize, at: usize) -> f64 {
        let log = self.forward.skip_source[at] + self.backward.skip_source[at];
        probability(f64::from(log) + self.scale(row, row))
    }

    /// The same for the unit of the translation.
    fn skips_translation(&self, row: usize, at: usize) -> f64 {
        let log = self.forward.skip_translation[at] + self.backward.skip_translation[at];
        probability(f64::from(log) + self.scale(row, row))
    }
}

fn probability(log: f64) -> f64 {
    if log < f64::from(-NEGLIGIBLE_NATS) { 0.0 } else { log.exp().min(1.0) }
}
