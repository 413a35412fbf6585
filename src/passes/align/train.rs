//! Trains on the pair itself: align, learn which characters correspond, align again.
//!
//! A lexicon trained on a wrong bead confirms that bead. So no row is scored with a lexicon trained
//! on it: the classic is split into blocks, the blocks into [`FOLDS`] folds, and each fold is
//! scored with a lexicon trained on the others (cross-fitting). This also keeps the certainties
//! from being too high.

use rayon::prelude::*;

use super::band::Band;
use super::confirmed::ConfirmedUnits;
use super::isolated;
use super::lexicon::{Example, Lexicon, Prior};
use super::pair::TokenSide;
use super::score::Length;
use super::step::{MAX_BEAD_UNITS, PathStep};
use super::transposed::{self, Learned, Transposition};
use super::types::Types;
use super::windows::PathSearch;

const FOLDS: usize = 6;
/// Above this many units of the classic, two folds are enough.
const MAX_UNITS_FOR_ALL_FOLDS: usize = 3000;
/// Units of the classic in a block.
const BLOCK_UNITS: usize = 12;
/// The same with two folds: beads at the borders of blocks train neither fold, and with few folds
/// most blocks are neighbours.
const LONG_BLOCK_UNITS: usize = 96;
/// Most rounds of alignment after the first, and for texts with two folds, which have enough to
/// learn from at once.
const MAX_ROUNDS: usize = 4;
const LONG_ROUNDS: usize = 1;
/// Most beads to train on. More would teach little.
const MAX_EXAMPLES: usize = 3000;
/// Rounds of EM within each.
pub const EM_ROUNDS: usize = 4;
/// Bands with more points than this are narrowed to the neighbourhood of the previous path.
const MAX_UNNARROWED_POINTS: usize = 1 << 14;

/// The result of training.
pub struct Trained {
    /// The path.
    pub steps: Vec<PathStep>,
    /// A lexicon trained on all beads.
    pub lexicon: Lexicon,
    /// The distribution of lengths.
    pub length: Length,
    /// Sections that are in another order in the translation.
    pub transposed: Vec<Transposition>,
}

/// What is known before anything is learned.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Whether the embedded list is used.
    pub listed: bool,
    /// How long the translation may be.
    pub length: Length,
    /// Both sides are whole, and little that they have in common can be seen: what is left alone
    /// then is left by chance.
    pub whole: bool,
}

impl Start {
    fn types(self) -> Types {
        if self.whole { Types::of_whole() } else { Types::sentences() }
    }
}

/// Aligns and trains.
pub fn train(
    source: &TokenSide,
    translation: &TokenSide,
    mut band: Band,
    start: Start,
    confirmed: &ConfirmedUnits,
) -> Trained {
    let allowed = confirmed.constraints();
    let cleaned = |path| match start.whole {
        true => confirmed.marked(path),
        false => isolated::dissolve(confirmed.marked(path), confirmed),
    };
    let prior = Prior::new(source, translation, start.listed);
    let mut length = start.length;
    let mut types = start.types();
    let first = prior.lexicon();
    let search =
        PathSearch { source, translation, band: &band, length, types: &types, confirmed: allowed };
    let mut steps = cleaned(search.path(|_| &first));
    let long = source.len() > MAX_UNITS_FOR_ALL_FOLDS;
    for _ in 0..if long { LONG_ROUNDS } else { MAX_ROUNDS } {
        let folds = Folds::trained(&prior, &steps, source.len());
        length = learn_length(start.length, &steps, source, translation);
        types = start.types().learned(&steps);
        if band.size() > MAX_UNNARROWED_POINTS {
            band = Band::around(&steps, source.len(), translation.len());
        }
        let search = PathSearch {
            source,
            translation,
            band: &band,
            length,
            types: &types,
            confirmed: allowed,
        };
        let next = cleaned(search.path(|i| folds.of_row(i)));
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
    let steps = if start.whole { steps } else { isolated::dissolve_thin(steps, confirmed) };
    let lexicon = prior.training(examples(&steps)).train(EM_ROUNDS, |_| true);
    let learned =
        Learned { source, translation, lexicon: &lexicon, length, types: &types, confirmed };
    let (steps, transposed) = transposed::relink(steps, learned);
    let steps = transposed::with_beads(steps, confirmed.crossing());
    Trained { steps, lexicon, length, transposed }
}

/// A lexicon for each fold, trained on the others.
pub struct Folds(Vec<Lexicon>);

impl Folds {
    /// Trains on a path over `rows` units of the classic.
    pub fn trained(prior: &Prior, steps: &[PathStep], rows: usize) -> Self {
        let folds = if rows > MAX_UNITS_FOR_ALL_FOLDS { 2 } else { FOLDS };
        let training = prior.training(examples(steps));
        Folds(
            (0..folds)
                .into_par_iter()
                .map(|fold| training.train(EM_ROUNDS, |e| !touches(e, fold, folds)))
                .collect(),
        )
    }

    /// The lexicon that was not trained on this unit of the classic.
    pub fn of_row(&self, row: usize) -> &Lexicon {
        &self.0[fold_of(row, self.0.len())]
    }
}

fn fold_of(row: usize, folds: usize) -> usize {
    let block = if folds == FOLDS { BLOCK_UNITS } else { LONG_BLOCK_UNITS };
    row / block % folds
}

/// The beads of a path, weighted by their certainty; of very many, some from everywhere.
fn examples(steps: &[PathStep]) -> Vec<Example> {
    let usable = |s: &&PathStep| s.is_bead() && s.posterior > 0.05;
    let every = steps.iter().filter(usable).count().div_ceil(MAX_EXAMPLES).max(1);
    steps.iter().filter(usable).step_by(every).map(|s| example(s, 1.0)).collect()
}

/// A bead to train on. `certainty` is that of the step around it.
pub fn example(step: &PathStep, certainty: f64) -> Example {
    Example {
        source: step.source.clone(),
        translation: step.translation.clone(),
        weight: (step.posterior * certainty) as f32,
    }
}

/// The distribution of lengths of a path's beads.
pub fn learn_length(
    guess: Length,
    steps: &[PathStep],
    source: &TokenSide,
    translation: &TokenSide,
) -> Length {
    let lengths = |s: &PathStep| {
        (
            source.chars_in(s.source.start, s.source.end),
            translation.chars_in(s.translation.start, s.translation.end),
            s.posterior,
        )
    };
    guess.learned(&steps.iter().filter(|s| s.is_bead()).map(lengths).collect::<Vec<_>>())
}

/// True if an example has rows of a fold, or rows that a bead can reach from there: the lexicon of
/// the fold must not be trained on them.
fn touches(e: &Example, fold: usize, folds: usize) -> bool {
    (e.source.start.saturating_sub(MAX_BEAD_UNITS - 1)..e.source.end + MAX_BEAD_UNITS - 1)
        .any(|i| fold_of(i, folds) == fold)
}
