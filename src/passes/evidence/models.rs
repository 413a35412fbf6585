//! Character models of 經, 注 and 音義, learned from what ships with the program.

use std::sync::LazyLock;

use super::known;
use super::run::{CLASSIC, LABELS, NOTE, YIN};
use crate::model::Layer;
use crate::text::ngram::CharModel;

/// Number of folds of the paragraphs. Each paragraph is judged by models that have not learned from
/// its fold.
pub const FOLDS: usize = 4;
/// Assumed number of distinct characters, so that unseen ones have a probability.
pub const ALPHABET: usize = 8000;

/// 音義 and 疏 of the bundled texts.
static VOICES: &str = include_str!("../layers/inline/data/voices.tsv");

/// The models of 經, 注 and 音義 learned from what ships with the program.
pub static SHIPPED: LazyLock<[CharModel; LABELS]> = LazyLock::new(|| {
    let mut models = empty();
    learn(&mut models, known::runs().chain(known::parse(VOICES)));
    models
});

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
