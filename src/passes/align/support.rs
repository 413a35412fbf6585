//! Which clauses of an undivided text a translation renders.
//!
//! A translation renders the classic and skips its notes, so on the path through both texts the
//! notes are the gaps. This does not depend on any cut: training uses every undivided clause. So
//! the result is independent evidence for cutting; the alignment shown later is computed again.

use super::band::Band;
use super::confirmed::Constraints;
use super::lexicon::Prior;
use super::report::TextPair;
use super::train::{self, Folds};
use super::types::Types;
use super::units::{self, TextUnit};
use super::windows::PathSearch;
use crate::model::Document;
use crate::source::Span;

/// How well a text and a translation correspond.
#[derive(Clone, Debug)]
pub struct Support {
    /// For each clause, the probability that some clause of the translation renders it.
    pub rendered: Vec<f64>,
    /// For each clause of the translation, the probability that it renders one of them.
    pub renders: Vec<f64>,
}

/// Looks for a translation's clauses among those of a text, including notes, in order.
pub fn support(text: &str, clauses: &[Span], translation: &Document) -> Support {
    let left: Vec<TextUnit> = clauses.iter().map(|s| units::unit(text, vec![*s])).collect();
    let whole = units::translation(translation);
    let right = whole.iter().flat_map(|u| units::clauses(translation, &u.spans)).collect();
    let pair = TextPair::new(left, right);
    let band = Band::plan(&pair.source, &pair.translation);
    let prior = Prior::new(&pair.left, &pair.right, true);
    let types = Types::among_notes();
    let first = prior.lexicon();
    let (source, translation) = (&pair.left, &pair.right);
    let (length, confirmed) = (pair.expected_length(), Constraints::NONE);
    let search = PathSearch { source, translation, band: &band, length, types: &types, confirmed };
    let steps = search.path(|_| &first);
    // Training on a chance match would confirm it, so each clause is scored with a lexicon trained
    // on the others.
    let length = train::learn_length(length, &steps, source, translation);
    let folds = Folds::trained(&prior, &steps, source.len());
    let (rendered, renders) = PathSearch { length, ..search }.covered(|i| folds.of_row(i));
    Support { rendered, renders }
}
