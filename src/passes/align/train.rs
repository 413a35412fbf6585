//! Trains on the pair itself: align, learn which characters answer to which, align again.
//!
//! A lexicon that was trained on a wrong bead finds that bead right. So no row is scored with a lexicon that has seen it:
//! the classic is dealt into blocks, the blocks into [`FOLDS`] folds, and each fold is scored with what the others taught
//! (cross-fitting). The certainties are honest for the same reason.

use super::band::Band;
use super::dp::{Problem, Step, Types};
use super::lexicon::{Example, Lexicon, Prior};
use super::pair::Side;
use super::score::{Cells, Length, MOST};

const FOLDS: usize = 6;
/// Units of the classic in a block.
const BLOCK: usize = 12;
/// Rounds of aligning after the first.
const ROUNDS: usize = 4;
/// Rounds of EM within each.
const EM: usize = 4;
/// Bands above this size are narrowed to the neighbourhood of the path before.
const LARGE: usize = 1 << 18;

/// What training ends with.
pub struct Trained {
    /// The path.
    pub steps: Vec<Step>,
    /// A lexicon from all beads.
    pub lexicon: Lexicon,
    /// Lengths.
    pub length: Length,
}

/// Aligns and trains.
pub fn train(source: &Side, translation: &Side, mut band: Band, types: &Types, listed: bool) -> Trained {
    let prior = Prior::new(source, translation, listed);
    let mut length = Length::GUESS;
    let cells = Cells::new(source, translation, &band, |_| prior.lexicon());
    let mut steps = Problem { source, translation, band: &band, cells: &cells, length, types }.solve();
    for _ in 0..ROUNDS {
        let examples = examples(&steps);
        length = learn_length(&steps, source, translation);
        let folds = folds(&prior, source, translation, &examples);
        if band.size() > LARGE {
            band = Band::around(&steps, source.len(), translation.len());
        }
        let cells = Cells::new(source, translation, &band, |i| &folds[fold_of(i)]);
        let next = Problem { source, translation, band: &band, cells: &cells, length, types }.solve();
        let same = next.iter().map(|s| (&s.source, &s.translation)).eq(steps.iter().map(|s| (&s.source, &s.translation)));
        steps = next;
        if same {
            break;
        }
    }
    let lexicon = prior.train(source, translation, &examples(&steps), EM);
    Trained { steps, lexicon, length }
}

fn fold_of(row: usize) -> usize {
    row / BLOCK % FOLDS
}

fn examples(steps: &[Step]) -> Vec<Example> {
    let beads = steps.iter().filter(|s| s.is_bead() && s.posterior > 0.05);
    beads.map(|s| Example { source: s.source.clone(), translation: s.translation.clone(), weight: s.posterior as f32 }).collect()
}

fn learn_length(steps: &[Step], source: &Side, translation: &Side) -> Length {
    let lengths = |s: &Step| {
        (source.chars_in(s.source.start, s.source.end), translation.chars_in(s.translation.start, s.translation.end), s.posterior)
    };
    Length::learn(&steps.iter().filter(|s| s.is_bead()).map(lengths).collect::<Vec<_>>())
}

/// A lexicon for each fold, from the beads that touch none of its blocks (nor the rows a bead may reach from there).
fn folds(prior: &Prior, source: &Side, translation: &Side, examples: &[Example]) -> Vec<Lexicon> {
    let touches = |e: &Example, fold: usize| {
        (e.source.start.saturating_sub(MOST - 1)..e.source.end + MOST - 1).any(|i| fold_of(i) == fold)
    };
    (0..FOLDS)
        .map(|fold| {
            let seen: Vec<Example> = examples.iter().filter(|e| !touches(e, fold)).cloned().collect();
            prior.train(source, translation, &seen, EM)
        })
        .collect()
}
