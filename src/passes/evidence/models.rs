//! Character models of 經, 注 and 音義.

use super::run::{CLASSIC, LABELS, NOTE, YIN};
use crate::model::Layer;
use crate::text::ngram::CharModel;

/// Number of folds of the paragraphs. Each paragraph is judged by models that have not learned from
/// its fold.
pub const FOLDS: usize = 4;
/// Assumed number of distinct characters, so that unseen ones have a probability.
pub const ALPHABET: usize = 8000;

/// Models that have learned nothing.
pub fn empty() -> [CharModel; LABELS] {
    std::array::from_fn(|_| CharModel::new(ALPHABET))
}

/// Adds runs to the models of their layers.
pub fn learn(models: &mut [CharModel; LABELS], runs: impl Iterator<Item = (Layer, Vec<char>)>) {
    for (layer, run) in runs {
        let label = match layer {
            Layer::Jing => CLASSIC,
            Layer::Zhu => NOTE,
            Layer::Yin => YIN,
            _ => continue,
        };
        models[label].learn(run.into_iter());
    }
}
