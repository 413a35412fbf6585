//! Finds the path through both texts window by window, so that memory does not grow with them.
//!
//! A window starts where the path so far ends. It may end in any column of its last row. Of its
//! path only what is before a sure bead is kept, and the next window starts there.

use std::ops::Range;

use super::band::Band;
use super::confirmed::Constraints;
use super::dp::{Borders, Problem};
use super::lexicon::Lexicon;
use super::pair::TokenSide;
use super::score::{Cells, Length, LengthScores};
use super::step::PathStep;
use super::types::Types;

/// Most points of a window.
const WINDOW_POINTS: usize = 1 << 16;
/// Least units of the classic in a window.
const MIN_WINDOW_UNITS: usize = 64;
/// The next window starts at least this many units of the classic before the end of its
/// predecessor, which knows nothing of what follows.
const OVERLAP_UNITS: usize = 24;
/// Posterior of a bead at which the next window may start.
const SURE_POSTERIOR: f64 = 0.995;

/// Where and by what to search for a path.
#[derive(Clone, Copy)]
pub struct PathSearch<'a> {
    /// The classic.
    pub source: &'a TokenSide,
    /// The translation.
    pub translation: &'a TokenSide,
    /// Where to search.
    pub band: &'a Band,
    /// The distribution of lengths.
    pub length: Length,
    /// Types of beads and gaps.
    pub types: &'a Types,
    /// What a person decided.
    pub confirmed: Constraints<'a>,
}

impl PathSearch<'_> {
    /// The path. `lexicon` gives the lexicon for a row, which must not be trained on that row.
    pub fn path<'l>(&self, lexicon: impl Fn(usize) -> &'l Lexicon + Sync) -> Vec<PathStep> {
        let lengths = LengthScores::new(self.length);
        let rows = self.source.len();
        let mut path: Vec<PathStep> = Vec::new();
        let mut at = (0, 0);
        loop {
            let end = self.band.rows_of(at.0, WINDOW_POINTS, MIN_WINDOW_UNITS);
            let mut steps = self.window(at, end, &lengths, &lexicon);
            if end < rows {
                steps.truncate(sure(&steps, at.0, end));
            }
            let Some(last) = steps.last() else { return path };
            at = (last.source.end, last.translation.end);
            path.append(&mut steps);
            if end == rows {
                return path;
            }
        }
    }

    /// The path from a point to a row, in places of the texts.
    fn window<'l>(
        &self,
        from: (usize, usize),
        end: usize,
        lengths: &LengthScores,
        lexicon: &(impl Fn(usize) -> &'l Lexicon + Sync),
    ) -> Vec<PathStep> {
        let right = self.band.row(end).end - 1;
        let source = self.source.window(from.0..end);
        let translation = self.translation.window(from.1..right);
        let band = self.band.window(from, (end, right));
        let cells = Cells::new(&source, &translation, &band, |i| lexicon(i + from.0));
        let borders = Borders {
            left: from.1 == 0,
            right: right == self.translation.len(),
            top: from.0 == 0,
            bottom: end == self.source.len(),
        };
        let problem = Problem {
            source: &source,
            translation: &translation,
            band: &band,
            cells: &cells,
            lengths,
            types: self.types,
            borders,
            confirmed: self.confirmed.from(from),
        };
        let mut steps = problem.solve();
        for s in &mut steps {
            s.source = shifted(&s.source, from.0);
            s.translation = shifted(&s.translation, from.1);
        }
        steps
    }

    /// For each unit of the classic and of the translation, the probability that it is in a bead.
    pub fn covered<'l>(
        &self,
        lexicon: impl Fn(usize) -> &'l Lexicon + Sync,
    ) -> (Vec<f64>, Vec<f64>) {
        let PathSearch { source, translation, band, types, confirmed, .. } = *self;
        let cells = Cells::new(source, translation, band, lexicon);
        let lengths = &LengthScores::new(self.length);
        let borders = Borders::ALL;
        let cells = &cells;
        Problem { source, translation, band, cells, lengths, types, borders, confirmed }.covered()
    }
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// Number of steps to keep of a window over `first..end`: those up to the last sure bead that is
/// far enough from the end; without one in the second half, up to the surest there, or else half.
fn sure(steps: &[PathStep], first: usize, end: usize) -> usize {
    let middle = first + (end - first) / 2;
    let limit = middle.max(end.saturating_sub(OVERLAP_UNITS));
    let half = steps.partition_point(|s| s.source.end < middle).clamp(1, steps.len().max(1));
    let late = steps.partition_point(|s| s.source.end <= limit).max(half).min(steps.len());
    let beads = || (half..late).filter(|&k| steps[k].is_bead());
    let surest = || beads().max_by(|&a, &b| steps[a].posterior.total_cmp(&steps[b].posterior));
    let last = beads().rfind(|&k| steps[k].posterior >= SURE_POSTERIOR).or_else(surest);
    last.map_or(half, |k| k + 1)
}
