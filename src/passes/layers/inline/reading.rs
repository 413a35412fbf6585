//! Reads the stretches several times; each reading teaches the next.

use super::chain::{ChainInput, Run};
use super::stretch::{JIAN, Stretch};
use crate::model::thresholds::MIN_TEACHING_CERTAINTY;
use crate::model::{Document, Layer};
use crate::passes::context::Context;
use crate::passes::evidence::known;
use crate::passes::evidence::models::{ALPHABET, FOLDS};
use crate::text::Key;
use crate::text::ngram::CharModel;

/// 音義 and 疏 to begin with: common turns, and what the bundled texts have.
static TURNS: &str = include_str!("data/turns.tsv");
static VOICES: &str = include_str!("data/voices.tsv");
/// How often the stretches are read.
const ROUNDS: usize = 3;
/// How much of a sub-commentary's words are those of what it explains.
const QUOTES: f32 = 0.02;
/// How much a 箋 reads like a 注.
const ALIKE: f32 = 0.5;

/// Reads the stretches several times; each reading teaches the next.
pub fn read<'a>(
    stretches: &[Stretch],
    base: &[CharModel],
    plain: Vec<Vec<Run>>,
    scene: impl Fn(&Stretch, &[CharModel]) -> ChainInput<'a>,
) -> Vec<Vec<Run>> {
    let mut cuts = plain;
    for _ in 0..ROUNDS {
        let models: Vec<Vec<CharModel>> =
            (0..FOLDS).map(|fold| taught(base, stretches, &cuts, fold)).collect();
        cuts = stretches
            .iter()
            .enumerate()
            .map(|(n, s)| scene(s, &models[n % FOLDS]).runs())
            .collect();
    }
    cuts
}

/// What ships with the program and what the other documents mark.
pub fn base_models(document: &Document, context: &Context<'_>, states: &[Layer]) -> Vec<CharModel> {
    let mut models = vec![CharModel::new(ALPHABET); states.len()];
    let voices = known::parse(TURNS).chain(known::parse(VOICES));
    let others = context.library.others(&document.id).flat_map(|d| {
        let sure = d.segments.iter().filter(|s| s.certainty.get() >= MIN_TEACHING_CERTAINTY);
        sure.map(|s| (s.layer, Key::of(d.source.text(), s.span).chars))
            .filter(|(_, chars)| !chars.is_empty())
    });
    for (layer, run) in known::runs().chain(voices).chain(others) {
        for (model, state) in models.iter_mut().zip(states) {
            match (*state, layer) {
                (s, l) if s == l => model.learn(run.iter().copied()),
                // A sub-commentary has the words of what it explains.
                (Layer::Shu, Layer::Jing | Layer::Zhu) => {
                    model.learn_in_part(run.iter().copied(), QUOTES)
                }
                // A second commentary and a preface read more like the first than like anything
                // else.
                (JIAN | Layer::Zhuan, Layer::Zhu) => {
                    model.learn_in_part(run.iter().copied(), ALIKE)
                }
                _ => {}
            }
        }
    }
    models
}

/// The base models with what was learned from the sure runs outside a fold.
fn taught(
    base: &[CharModel],
    stretches: &[Stretch],
    cuts: &[Vec<Run>],
    fold: usize,
) -> Vec<CharModel> {
    let mut models = base.to_vec();
    for (_, (s, runs)) in stretches.iter().zip(cuts).enumerate().filter(|(n, _)| n % FOLDS != fold)
    {
        for (n, run) in runs.iter().enumerate() {
            let ends = runs.get(n + 1).is_none_or(|next| next.p >= MIN_TEACHING_CERTAINTY);
            if run.p >= MIN_TEACHING_CERTAINTY && ends {
                models[run.state].learn(s.key.chars[run.from..run.to].iter().copied());
            }
        }
    }
    models
}
