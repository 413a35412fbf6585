//! Learns the weights that ship with the splitter: `zhushu train`.

use super::cut::cut;
use super::features::ONLY_WITHOUT_HEADERS;
use super::fit::{Example, fit};
use super::gather::guide as guide_of;
use super::model::Guide;
use super::reading::Material;
use super::semimarkov::MAX_RUN_CLAUSES;
use crate::model::{Document, Layer};
use crate::passes::context::Context;
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::{LABELS, LAYERS, Run, YIN};
use crate::passes::evidence::{coverage, group, models};
use crate::passes::learned::LayerModels;
use crate::source::Span;
use crate::text::ngram::CharModel;

pub use super::model::{Weights, write_weights};
pub use crate::passes::evidence::canon::canon_file;

/// A lesson with this many borders has weight 1; a shorter one has more for each border, a longer
/// one less.
const TYPICAL_BORDERS: f64 = 100.0;
/// Weight of a lesson with new text for guides with known text.
const NEW_AS_KIN_WEIGHT: f64 = 0.03;
/// Weight of a lesson with known text for guides with new text: with headers, and without. Headers
/// are evidence on any text, but without them only the text itself is.
const KIN_AS_NEW_WEIGHTS: [f64; 2] = [1.0, 0.1];
/// Steps of the gradient ascent.
const ASCENT_STEPS: usize = 200;

/// A document as its reader leaves it (after the pass `headers`), with its true layers.
pub struct Lesson {
    /// The document, its 經 and 注 undivided.
    pub document: Document,
    /// True stretches of 經, 注 and 音義.
    pub truth: Vec<(Layer, Span)>,
}

/// Cuts a document with other weights than the shipped ones, to test on texts that they were not
/// learned from.
pub fn cut_with(document: &mut Document, context: &Context<'_>, weights: &Weights) {
    cut(document, context, weights);
}

/// Learns the weights of the features for each guide from texts with known layers. For guides
/// without headers, the sub-commentaries of the lessons are hidden.
pub fn weights(lessons: &[Lesson], models: &LayerModels) -> Weights {
    let mut weights = Weights::zero();
    for guide in Guide::ALL {
        let prepared: Vec<Prepared<'_>> =
            lessons.iter().filter_map(|l| Prepared::new(l, guide, models)).collect();
        let silent = if guide.headers { &ONLY_WITHOUT_HEADERS[..] } else { &[] };
        for first in [true, false] {
            let examples: Vec<Example<'_>> =
                prepared.iter().flat_map(|p| p.examples(&weights, guide, first)).collect();
            weights.set(guide, first, fit(&examples, silent, ASCENT_STEPS, MAX_RUN_CLAUSES));
        }
    }
    weights
}

/// A lesson prepared for learning.
struct Prepared<'a> {
    text: &'a str,
    paragraphs: Vec<Paragraph>,
    runs: Vec<Vec<Run>>,
    /// Models before it is read.
    base: [CharModel; LABELS],
    /// The weight of its paragraphs.
    weight: f64,
}

impl<'a> Prepared<'a> {
    /// None if the lesson has no example for this guide.
    fn new(lesson: &'a Lesson, guide: Guide, shipped: &LayerModels) -> Option<Self> {
        let base = shipped.characters();
        let document =
            if guide.headers { lesson.document.clone() } else { hidden(&lesson.document) };
        let mut paragraphs = group::paragraphs(&document);
        let own = guide_of(&document, &paragraphs, base);
        if own.headers != guide.headers
            || guide.canon && !coverage::covers(shipped.canon(), &paragraphs)
        {
            return None;
        }
        if guide.canon {
            coverage::add(shipped.canon(), &mut paragraphs, true);
        }
        let runs: Vec<Vec<Run>> = paragraphs.iter().map(|p| true_runs(p, &lesson.truth)).collect();
        let borders: usize = runs.iter().map(|r| r.len().saturating_sub(1)).sum();
        let weight = match guide {
            Guide { headers: true, kin: true, canon: false } => 1.0,
            _ => (TYPICAL_BORDERS / borders.max(1) as f64).sqrt(),
        };
        let weight = weight * worth(guide, own.kin);
        // A lesson with known text can replace one with new text: the models then start empty.
        let new = own.kin && !guide.kin && !guide.canon;
        let base = if new { models::empty() } else { base.clone() };
        Some(Prepared { text: lesson.document.source.text(), paragraphs, runs, base, weight })
    }

    /// Its paragraphs as in the first reading of the document, or in a later one: then with models
    /// that learned from what the reading before was certain of, with its mistakes.
    fn examples<'b>(&'b self, weights: &Weights, guide: Guide, first: bool) -> Vec<Example<'b>> {
        let material =
            Material { text: self.text, paragraphs: &self.paragraphs, base: &self.base, guide };
        let untaught = material.taught(&[]);
        let models = if first {
            untaught
        } else {
            material.taught(&material.decide(&untaught, weights.of(guide, true)))
        };
        let known = self.runs.iter().enumerate().filter(|(_, r)| !r.is_empty());
        known
            .map(|(n, runs)| Example {
                scorer: material.scorer(n, &models),
                runs: runs.clone(),
                weight: self.weight,
            })
            .collect()
    }
}

/// The weight of a lesson for a guide, by whether the models know its text.
fn worth(guide: Guide, kin: bool) -> f64 {
    match (guide.kin, kin) {
        _ if guide.canon => 1.0,
        (true, false) => NEW_AS_KIN_WEIGHT,
        (false, true) => KIN_AS_NEW_WEIGHTS[usize::from(!guide.headers)],
        _ => 1.0,
    }
}

/// The document without its sub-commentary.
fn hidden(document: &Document) -> Document {
    let mut document = document.clone();
    document.headers.clear();
    let sub =
        document.segments.iter_mut().filter(|s| matches!(s.layer, Layer::Shu | Layer::ShuHeader));
    sub.for_each(|s| s.layer = Layer::Other);
    document
}

/// The runs of a paragraph by its true layers; empty if any of them is unknown.
fn true_runs(p: &Paragraph, truth: &[(Layer, Span)]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (n, u) in p.units.iter().enumerate() {
        let (start, end) = (p.key.at[u.from] as usize, p.key.ends[u.to - 1] as usize);
        let unit = Span::new(start, end);
        let Some((layer, _)) =
            truth.iter().max_by_key(|(_, s)| s.overlap(unit)).filter(|(_, s)| s.overlap(unit) > 0)
        else {
            return Vec::new();
        };
        let Some(label) = LAYERS.iter().position(|l| l == layer) else { return Vec::new() };
        if label == YIN && !(p.opens_with_circle && runs.iter().all(|r| r.label == YIN)) {
            return Vec::new();
        }
        match runs.last_mut() {
            Some(last) if last.label == label => last.to = n + 1,
            _ => runs.push(Run { from: n, to: n + 1, label }),
        }
    }
    runs
}
