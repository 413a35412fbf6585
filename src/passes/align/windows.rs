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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::super::lexicon::Prior;
    use super::super::units::TextUnit;
    use super::*;

    fn bead(n: usize, posterior: f64) -> PathStep {
        PathStep { source: n..n + 1, translation: n..n + 1, posterior }
    }

    #[test]
    fn a_window_is_kept_up_to_its_last_sure_bead_far_from_its_end() {
        let posteriors = |sure: &[usize]| -> Vec<PathStep> {
            (0..100).map(|n| bead(n, if sure.contains(&n) { 0.999 } else { 0.5 })).collect()
        };
        assert_eq!(sure(&posteriors(&[10, 60, 70, 90]), 0, 100), 71);
        assert_eq!(sure(&posteriors(&[10, 75]), 0, 100), 76, "just far enough from the end");
        assert_eq!(sure(&posteriors(&[10, 60, 76]), 0, 100), 61);
        // Without a sure one in the second half, up to the surest there.
        let mut steps = posteriors(&[10, 90]);
        steps[66].posterior = 0.9;
        assert_eq!(sure(&steps, 0, 100), 67);
        // Gaps are no beads: without a bead in the second half, half is kept.
        let gap = |n: usize| PathStep { source: n..n + 1, translation: 50..50, posterior: 1.0 };
        let gaps: Vec<PathStep> =
            (0..100).map(|n| if n < 49 { bead(n, 1.0) } else { gap(n) }).collect();
        assert_eq!(sure(&gaps, 0, 100), 49);
        assert_eq!(sure(&[bead(0, 0.5)], 0, 1), 1, "at least one step");
        // A window that begins later.
        let later: Vec<PathStep> = (200..300)
            .map(|n| bead(n, if [210, 260, 290].contains(&n) { 0.999 } else { 0.5 }))
            .collect();
        assert_eq!(sure(&later, 200, 300), 61);
    }

    #[test]
    fn each_row_of_a_window_is_scored_with_the_lexicon_of_its_row() {
        let character = |n: usize| char::from_u32(0x4E00 + n as u32).expect("a character");
        let units: Vec<TextUnit> = (0..90)
            .map(|n| {
                let chars: Vec<char> = (0..3).map(|k| character(n * 3 + k)).collect();
                TextUnit::of_chars(chars)
            })
            .collect();
        let (source, translation) = (TokenSide::new(&units), TokenSide::new(&units));
        let band = Band::whole(units.len(), units.len());
        let lexicon = Prior::new(&source, &translation, false).lexicon();
        let search = PathSearch {
            source: &source,
            translation: &translation,
            band: &band,
            length: Length::GUESS,
            types: &Types::sentences(),
            confirmed: Constraints::NONE,
        };
        let asked = Mutex::new(Vec::new());
        let of_row = |i: usize| {
            asked.lock().expect("no thread fails").push(i);
            &lexicon
        };
        let steps = search.window((30, 30), 90, &LengthScores::new(Length::GUESS), &of_row);
        let mut rows = asked.into_inner().expect("no thread fails");
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows, (30..90).collect::<Vec<_>>());
        let beads: Vec<_> = steps.iter().map(|s| (s.source.start, s.translation.start)).collect();
        assert_eq!(beads, (30..90).map(|n| (n, n)).collect::<Vec<_>>());
    }
}
