//! Character models of 經 and 注, learned from what ships with the program.

use std::sync::LazyLock;

use super::known;
use super::run::{CLASSIC, NOTE};
use crate::model::Layer;
use crate::text::ngram::CharModel;

/// Number of folds of the paragraphs. Each paragraph is judged by models that have not learned from
/// its fold.
pub const FOLDS: usize = 4;
/// Assumed number of distinct characters, so that unseen ones have a probability.
pub const ALPHABET: usize = 8000;

/// The models of 經 and 注 learned from what ships with the program.
pub static SHIPPED: LazyLock<[CharModel; 2]> = LazyLock::new(|| {
    let mut models = [CharModel::new(ALPHABET), CharModel::new(ALPHABET)];
    learn(&mut models, known::runs());
    models
});

/// Adds runs to the models of their layers.
pub fn learn(models: &mut [CharModel; 2], runs: impl Iterator<Item = (Layer, Vec<char>)>) {
    for (layer, run) in runs {
        let label = if layer == Layer::Zhu { NOTE } else { CLASSIC };
        models[label].learn(run.into_iter());
    }
}
