//! Reads the stretches several times; each reading learns from the one before.

use super::chain::{ChainInput, Run};
use super::stretch::{JIAN, Stretch};
use crate::model::thresholds::MIN_TEACHING_CERTAINTY;
use crate::model::{Document, Layer};
use crate::passes::context::Context;
use crate::passes::evidence::models::{ALPHABET, FOLDS};
use crate::passes::evidence::{known, neighbours};
use crate::text::Key;
use crate::text::ngram::CharModel;

/// 音義 and 疏 to learn from: common phrases, and the bundled texts.
static TURNS: &str = include_str!("data/turns.tsv");
/// Number of readings.
const READINGS: usize = 3;
/// Weight of the texts that a 疏 explains in the model of the 疏, which quotes them.
const QUOTED_TEXT_WEIGHT: f32 = 0.02;
/// Weight of 注 in the models of 箋 and 傳, which read alike.
const NOTE_WEIGHT: f32 = 0.5;

/// Reads the stretches several times; each reading learns from the one before.
pub fn read<'a>(
    stretches: &[Stretch],
    base: &[CharModel],
    clear_runs: Vec<Vec<Run>>,
    chain_input: impl Fn(&Stretch, &[CharModel]) -> ChainInput<'a>,
) -> Vec<Vec<Run>> {
    let mut cuts = clear_runs;
    for _ in 0..READINGS {
        let mut read = vec![vec![]; stretches.len()];
        // The models of one fold after the other: each has those of all texts that teach.
        for fold in 0..FOLDS.min(stretches.len()) {
            let models = trained(base, stretches, &cuts, fold);
            for (n, s) in stretches.iter().enumerate().filter(|(n, _)| n % FOLDS == fold) {
                read[n] = chain_input(s, &models).runs();
            }
        }
        cuts = read;
    }
    cuts
}

/// Models of what ships with the program and of what the other documents mark.
pub fn base_models(document: &Document, context: &Context<'_>, states: &[Layer]) -> Vec<CharModel> {
    let mut models = vec![CharModel::new(ALPHABET); states.len()];
    let voices = known::parse(TURNS).chain(context.models.voices());
    for (layer, run) in context.models.runs().chain(voices) {
        learn(&mut models, states, layer, &run);
    }
    for other in neighbours::teachers(document, context) {
        let sure = context.of_document(other, SureRuns::of);
        sure.0.iter().for_each(|(layer, run)| learn(&mut models, states, *layer, run));
    }
    models
}

/// The runs of which a document is sure, folded.
struct SureRuns(Vec<(Layer, Vec<char>)>);

impl SureRuns {
    fn of(document: &Document) -> Self {
        let sure = document.segments.iter();
        let sure = sure.filter(|s| s.certainty.get() >= MIN_TEACHING_CERTAINTY);
        let runs = sure.map(|s| (s.layer, Key::of(document.source.text(), s.span).chars));
        SureRuns(runs.filter(|(_, chars)| !chars.is_empty()).collect())
    }
}

/// Teaches the models of some layers a run of `layer`.
fn learn(models: &mut [CharModel], states: &[Layer], layer: Layer, run: &[char]) {
    for (model, state) in models.iter_mut().zip(states) {
        match (*state, layer) {
            (s, l) if s == l => model.learn(run.iter().copied()),
            // A sub-commentary quotes what it explains.
            (Layer::Shu, Layer::Jing | Layer::Zhu) => {
                model.learn_in_part(run.iter().copied(), QUOTED_TEXT_WEIGHT)
            }
            // 箋 and 傳 of the 毛詩 read more like 注 than like any other layer.
            (JIAN | Layer::Zhuan, Layer::Zhu) => {
                model.learn_in_part(run.iter().copied(), NOTE_WEIGHT)
            }
            _ => {}
        }
    }
}

/// The base models, trained further on the certain runs outside a fold.
fn trained(
    base: &[CharModel],
    stretches: &[Stretch],
    cuts: &[Vec<Run>],
    fold: usize,
) -> Vec<CharModel> {
    let mut models = base.to_vec();
    for (_, (s, runs)) in stretches.iter().zip(cuts).enumerate().filter(|(n, _)| n % FOLDS != fold)
    {
        for (n, run) in runs.iter().enumerate() {
            let ends = runs.get(n + 1).is_none_or(|next| next.certainty >= MIN_TEACHING_CERTAINTY);
            if run.certainty >= MIN_TEACHING_CERTAINTY && ends {
                models[run.state].learn(s.key.chars[run.from..run.to].iter().copied());
            }
        }
    }
    models
}
