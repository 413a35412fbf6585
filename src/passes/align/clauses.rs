//! Aligns clauses inside the beads of sentences.
//!
//! Clauses are shorter than sentences, so beads of clauses show more precisely which characters
//! correspond. The lexicon of the sentences divides them first. Then a lexicon is trained on the
//! beads of clauses, and each sentence is divided again with one trained on the other sentences
//! (see [`super::train`] for why not on its own).

use std::ops::Range;

use rayon::prelude::*;

use super::band::Band;
use super::confirmed::{ConfirmedUnits, Constraints};
use super::lexicon::{Example, Lexicon, Prior};
use super::pair::TokenSide;
use super::report::{self, TextPair};
use super::score::Length;
use super::step::PathStep;
use super::train::{self, EM_ROUNDS, Trained};
use super::types::Types;
use super::units::{self, TextUnit};
use super::windows::PathSearch;
use crate::model::{Bead, Document};

/// Rounds of training on the clauses.
const TRAINING_ROUNDS: usize = 2;
/// Folds of sentences; each is aligned with a lexicon trained on the others.
const FOLDS: usize = 6;
/// Factor by which the lengths of clauses deviate more than those of sentences.
const DEVIATION_FACTOR: f64 = 1.5;

/// A step of sentences, as ranges of clauses.
struct SentenceStep {
    source: Range<usize>,
    translation: Range<usize>,
    /// Certainty of the step.
    certainty: f64,
}

impl SentenceStep {
    /// True if there is anything to decide.
    fn divides(&self) -> bool {
        self.source.len() > 1 && self.translation.len() > 1
    }

    fn whole(&self) -> PathStep {
        PathStep {
            source: self.source.clone(),
            translation: self.translation.clone(),
            posterior: 1.0,
        }
    }
}

/// The beads of clauses inside all steps. A step with at most one clause on a side is one bead.
/// `listed`: whether the embedded list is used.
pub fn split(
    pair: &TextPair,
    trained: Trained,
    documents: (&Document, &Document),
    listed: bool,
) -> Vec<Bead> {
    let (pair, parts) = cut(pair, &trained.steps, documents);
    let prior = Prior::new(&pair.left, &pair.right, listed);
    let mut types = Types::clauses();
    let mut length =
        Length { deviation: trained.length.deviation * DEVIATION_FACTOR, ..trained.length };
    let mut steps = divide(&pair, &parts, |_| &trained.lexicon, length, &types);
    let mut lexicon = trained.lexicon;
    for _ in 0..TRAINING_ROUNDS {
        let training = prior.training(examples(&parts, &steps));
        let train_fold = |fold: usize| training.train(EM_ROUNDS, |e| fold_of(&parts, e) != fold);
        let lexicons: Vec<Lexicon> = (0..FOLDS).into_par_iter().map(train_fold).collect();
        let flat: Vec<PathStep> = steps.iter().flatten().cloned().collect();
        length = train::learn_length(pair.expected_length(), &flat, &pair.left, &pair.right);
        types = Types::clauses().learned(&flat);
        steps = divide(&pair, &parts, |part| &lexicons[part % FOLDS], length, &types);
        lexicon = training.train(EM_ROUNDS, |_| true);
    }
    let steps: Vec<PathStep> =
        parts.iter().zip(steps).flat_map(|(part, steps)| certain(part, steps)).collect();
    let trained = Trained { steps, lexicon, length, transposed: Vec::new() };
    trained.steps.iter().map(|s| report::bead(&pair, s, &trained)).collect()
}

fn certain(part: &SentenceStep, steps: Vec<PathStep>) -> Vec<PathStep> {
    steps.into_iter().map(|s| PathStep { posterior: s.posterior * part.certainty, ..s }).collect()
}

/// The clauses of both sides, and the steps as ranges of them.
fn cut(
    pair: &TextPair,
    steps: &[PathStep],
    documents: (&Document, &Document),
) -> (TextPair, Vec<SentenceStep>) {
    let of = |units: &[TextUnit], document: &Document| -> Vec<Vec<TextUnit>> {
        units.iter().map(|u| units::clauses(document, &u.spans)).collect()
    };
    let (source, translation) = (of(&pair.source, documents.0), of(&pair.translation, documents.1));
    let (a, b) = (starts(&source), starts(&translation));
    let part = |s: &PathStep| SentenceStep {
        source: a[s.source.start]..a[s.source.end],
        translation: b[s.translation.start]..b[s.translation.end],
        certainty: s.posterior,
    };
    let parts = steps.iter().map(part).collect();
    let (source, translation): (Vec<TextUnit>, Vec<TextUnit>) =
        (source.concat(), translation.concat());
    let (left, right) = (pair.left.part(&source), pair.right.part(&translation));
    let confirmed = ConfirmedUnits::default();
    let is_foreign = pair.is_foreign;
    (TextPair { source, translation, left, right, confirmed, is_foreign }, parts)
}

/// The first clause of each unit, and the end of the last.
fn starts(units: &[Vec<TextUnit>]) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(units.iter().scan(0, |sum, u| {
        *sum += u.len();
        Some(*sum)
    }));
    starts
}

/// The steps of clauses of each part. `lexicon` gives the lexicon for a part.
fn divide<'a>(
    pair: &TextPair,
    parts: &[SentenceStep],
    lexicon: impl Fn(usize) -> &'a Lexicon + Sync,
    length: Length,
    types: &Types,
) -> Vec<Vec<PathStep>> {
    let one = |(n, part): (usize, &SentenceStep)| {
        if !part.divides() {
            return vec![part.whole()];
        }
        let (source, translation) =
            (pair.left.window(part.source.clone()), pair.right.window(part.translation.clone()));
        let steps = inside(&source, &translation, lexicon(n), length, types);
        let (a, b) = (part.source.start, part.translation.start);
        let shift = |r: Range<usize>, by: usize| r.start + by..r.end + by;
        steps
            .into_iter()
            .map(|s| PathStep {
                source: shift(s.source, a),
                translation: shift(s.translation, b),
                ..s
            })
            .collect()
    };
    parts.par_iter().enumerate().map(one).collect()
}

fn inside(
    source: &TokenSide,
    translation: &TokenSide,
    lexicon: &Lexicon,
    length: Length,
    types: &Types,
) -> Vec<PathStep> {
    let band = Band::whole(source.len(), translation.len());
    let confirmed = Constraints::NONE;
    PathSearch { source, translation, band: &band, length, types, confirmed }.path(|_| lexicon)
}

fn examples(parts: &[SentenceStep], steps: &[Vec<PathStep>]) -> Vec<Example> {
    let of = |(part, steps): (&SentenceStep, &Vec<PathStep>)| {
        let certainty = part.certainty;
        let beads: Vec<Example> =
            steps.iter().filter(|s| s.is_bead()).map(|s| train::example(s, certainty)).collect();
        beads
    };
    parts.iter().zip(steps).flat_map(of).collect()
}

/// The fold of the part that an example belongs to.
fn fold_of(parts: &[SentenceStep], e: &Example) -> usize {
    parts.partition_point(|p| p.source.end <= e.source.start) % FOLDS
}
