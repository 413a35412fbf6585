//! Trains on the pair itself: align, learn which characters answer to which, align again.
//!
//! A lexicon that was trained on a wrong bead finds that bead right. So no row is scored with a
//! lexicon that has seen it: the classic is dealt into blocks, the blocks into [`FOLDS`] folds, and
//! each fold is scored with what the others taught (cross-fitting). The certainties are honest for
//! the same reason.

use rayon::prelude::*;

use super::band::Band;
use super::dp::{Problem, Types};
use super::isolated;
use super::lexicon::{Example, Lexicon, Prior};
use super::pair::TokenSide;
use super::score::{Cells, Length};
use super::step::{MAX_BEAD_UNITS, PathStep};
use super::transposed::{self, Learned, Transposition};

const FOLDS: usize = 6;
/// Above this many units of the classic two folds do.
const MANY: usize = 3000;
/// Units of the classic in a block, …
const BLOCK: usize = 12;
/// … and where two folds do: beads at the borders of blocks teach neither, and with few folds most
/// blocks are neighbours.
const LONG_BLOCK: usize = 96;
/// Rounds of aligning after the first.
const ROUNDS: usize = 4;
/// Rounds of EM within each.
pub const EM: usize = 4;
/// Bands above this size are narrowed to the neighbourhood of the path before.
const LARGE: usize = 1 << 14;

/// What training ends with.
pub struct Trained {
    /// The path.
    pub steps: Vec<PathStep>,
    /// A lexicon from all beads.
    pub lexicon: Lexicon,
    /// Lengths.
    pub length: Length,
    /// Sections that stand elsewhere in the translation.
    pub transposed: Vec<Transposition>,
}

/// Aligns and trains.
pub fn train(source: &TokenSide, translation: &TokenSide, mut band: Band, listed: bool) -> Trained {
    let prior = Prior::new(source, translation, listed);
    let mut length = Length::GUESS;
    let mut types = Types::sentences();
    let first = prior.lexicon();
    let cells = Cells::new(source, translation, &band, |_| &first);
    let mut steps = isolated::dissolve(
        Problem { source, translation, band: &band, cells: &cells, length, types: &types }.solve(),
    );
    drop(cells);
    for _ in 0..ROUNDS {
        let folds = Folds::taught(&prior, &steps, source.len());
        length = learn_length(&steps, source, translation);
        types = Types::sentences().learned(&steps);
        if band.size() > LARGE {
            band = Band::around(&steps, source.len(), translation.len());
        }
        let cells = Cells::new(source, translation, &band, |i| folds.of_row(i));
        let next = isolated::dissolve(
            Problem { source, translation, band: &band, cells: &cells, length, types: &types }
                .solve(),
        );
        let changed = next
            .iter()
            .zip(&steps)
            .filter(|(a, b)| a.source != b.source || a.translation != b.translation)
            .count();
        let settled = next.len() == steps.len() && changed * 1000 <= steps.len();
        steps = next;
        if settled {
            break;
        }
    }
    let steps = isolated::dissolve_thin(steps);
    let lexicon = prior.course(examples(&steps)).train(EM, |_| true);
    let learned = Learned { source, translation, lexicon: &lexicon, length, types: &types };
    let (steps, transposed) = transposed::relink(steps, learned);
    Trained { steps, lexicon, length, transposed }
}

/// A lexicon for each fold, taught by the others.
pub struct Folds(Vec<Lexicon>);

impl Folds {
    /// Learns from a path over `rows` units of the classic.
    pub fn taught(prior: &Prior, steps: &[PathStep], rows: usize) -> Self {
        let folds = if rows > MANY { 2 } else { FOLDS };
        let course = prior.course(examples(steps));
        Folds(
            (0..folds)
                .into_par_iter()
                .map(|fold| course.train(EM, |e| !touches(e, fold, folds)))
                .collect(),
        )
    }

    /// The lexicon that has not seen this unit of the classic.
    pub fn of_row(&self, row: usize) -> &Lexicon {
        &self.0[fold_of(row, self.0.len())]
    }
}

fn fold_of(row: usize, folds: usize) -> usize {
    let block = if folds == FOLDS { BLOCK } else { LONG_BLOCK };
    row / block % folds
}

/// What a path teaches: its beads, each as surely as it is one.
fn examples(steps: &[PathStep]) -> Vec<Example> {
    let beads = steps.iter().filter(|s| s.is_bead() && s.posterior > 0.05);
    beads.map(|s| example(s, 1.0)).collect()
}

/// A bead to learn from. `certainty`: how sure it is that what it lies in belongs together.
pub fn example(step: &PathStep, certainty: f64) -> Example {
    Example {
        source: step.source.clone(),
        translation: step.translation.clone(),
        weight: (step.posterior * certainty) as f32,
    }
}

/// The lengths of a path's beads.
pub fn learn_length(steps: &[PathStep], source: &TokenSide, translation: &TokenSide) -> Length {
    let lengths = |s: &PathStep| {
        (
            source.chars_in(s.source.start, s.source.end),
            translation.chars_in(s.translation.start, s.translation.end),
            s.posterior,
        )
    };
    Length::learn(&steps.iter().filter(|s| s.is_bead()).map(lengths).collect::<Vec<_>>())
}

/// True if an example holds rows of a fold, or rows that a bead may reach from there: a fold is
/// scored with a lexicon that has seen none of them.
fn touches(e: &Example, fold: usize, folds: usize) -> bool {
    (e.source.start.saturating_sub(MAX_BEAD_UNITS - 1)..e.source.end + MAX_BEAD_UNITS - 1)
        .any(|i| fold_of(i, folds) == fold)
}
