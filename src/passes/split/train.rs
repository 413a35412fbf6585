//! Makes what the splitter ships: `zhushu train`.

use super::fit::{Example, fit};
use super::group::{self, Paragraph};
use crate::text::ngram::CharModel;
use super::semimarkov::Run;
use super::{CLASSIC, FOLDS, LONGEST, NOTE, model, run_with, scene};
use crate::model::{Document, Layer};
use crate::passes::Context;
use crate::source::Span;

pub use super::model::write_weights;

/// A document as its reader leaves it (after the pass `headers`), with the layers it truly has.
pub struct Lesson {
    /// The document, its 經 and 注 undivided.
    pub document: Document,
    /// True stretches of 經 and 注.
    pub truth: Vec<(Layer, Span)>,
}

/// Runs what must come before cutting: the lemma headers.
pub fn prepare(document: &mut Document, context: &Context<'_>) {
    crate::passes::PASSES.iter().filter(|p| p.name == "headers").for_each(|p| (p.run)(document, context));
}

/// Cuts a document under weights other than the shipped ones, to judge texts that took no part in learning them.
pub fn cut_with(document: &mut Document, context: &Context<'_>, weights: &[f64]) {
    run_with(document, context, weights);
}

/// Learns the weights of the features from texts whose layers are known.
pub fn weights(lessons: &[Lesson]) -> Vec<f64> {
    let prepared: Vec<(Vec<Paragraph>, Vec<Vec<Run>>)> = lessons
        .iter()
        .map(|l| {
            let paragraphs = group::paragraphs(&l.document);
            let runs = paragraphs.iter().map(|p| true_runs(p, &l.truth)).collect();
            (paragraphs, runs)
        })
        .collect();
    let models: Vec<Vec<[CharModel; 2]>> =
        prepared.iter().map(|(paragraphs, runs)| (0..FOLDS).map(|fold| taught_by_truth(paragraphs, runs, fold)).collect()).collect();
    let mut examples = Vec::new();
    for ((lesson, (paragraphs, runs)), models) in lessons.iter().zip(&prepared).zip(&models) {
        for (n, runs) in runs.iter().enumerate().filter(|(_, r)| !r.is_empty()) {
            examples.push(Example { scene: scene(lesson.document.source.text(), paragraphs, n, &models[n % FOLDS]), runs: runs.clone() });
        }
    }
    fit(&examples, 400, LONGEST)
}

fn taught_by_truth(paragraphs: &[Paragraph], runs: &[Vec<Run>], fold: usize) -> [CharModel; 2] {
    let mut models = model::SHIPPED.clone();
    for (n, (p, runs)) in paragraphs.iter().zip(runs).enumerate().filter(|(n, _)| n % FOLDS != fold) {
        let _ = n;
        for r in runs {
            models[r.label].learn(p.key.chars[p.units[r.from].from..p.units[r.to - 1].to].iter().copied());
        }
    }
    models
}

/// The runs of a paragraph by its true layers; none where they are not known throughout.
fn true_runs(p: &Paragraph, truth: &[(Layer, Span)]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (n, u) in p.units.iter().enumerate() {
        let (start, end) = (p.key.at[u.from] as usize, p.key.ends[u.to - 1] as usize);
        let unit = Span::new(start, end);
        let Some((layer, _)) = truth.iter().max_by_key(|(_, s)| s.overlap(unit)).filter(|(_, s)| s.overlap(unit) > 0) else {
            return Vec::new();
        };
        let label = match layer {
            Layer::Jing => CLASSIC,
            Layer::Zhu => NOTE,
            _ => return Vec::new(),
        };
        match runs.last_mut() {
            Some(last) if last.label == label => last.to = n + 1,
            _ => runs.push(Run { from: n, to: n + 1, label }),
        }
    }
    runs
}
