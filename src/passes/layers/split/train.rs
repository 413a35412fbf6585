//! Learns the weights that ship with the splitter: `zhushu train`.

use super::common::{CharacterCounts, CommonCharacters};
use super::features::ONLY_WITHOUT_HEADERS;
use super::fit::{Example, fit};
use super::gather::{gather, guide as guide_of};
use super::joined::joined;
use super::lesson::{MAX_LESSON_CLAUSES, true_runs};
use super::reading::Material;
use super::semimarkov::MAX_RUN_CLAUSES;
use crate::model::Document;
use crate::passes::context::Context;
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::{LABELS, Run};
use crate::passes::evidence::{coverage, group, models, witness};
use crate::passes::learned::LayerModels;
use crate::text::ngram::CharModel;

pub use super::lesson::Lesson;
pub(crate) use super::lesson::hide_sub_commentary;
pub use super::model::{Guide, Weights, write_weights};
pub use crate::passes::evidence::canon::canon_file;

/// A lesson with this many borders has weight 1; a shorter one has more for each border, a longer
/// one less.
const TYPICAL_BORDERS: f64 = 100.0;
/// Weight of a lesson with new text for guides with known text.
const NEW_AS_KIN_WEIGHT: f64 = 0.03;
/// Weight of a lesson with known text for guides with new text: with headers, and without. Headers
/// are evidence on any text, but without them only the text itself is.
const KIN_AS_NEW_WEIGHTS: [f64; 2] = [1.0, 0.1];
/// One paragraph in so many is learned from beside a plain copy of the classic.
const PARAGRAPHS_PER_WITNESSED: usize = 3;
/// Clauses of the paragraphs into which those of a lesson are joined for unknown books.
const JOINED_CLAUSES: [usize; 2] = [24, 70];

/// Which weights cut a document that is as its reader leaves it (after the pass `headers`).
pub(crate) fn guide(document: &mut Document, context: &Context<'_>) -> Guide {
    gather(document, context).guide
}

/// Learns the weights of the features for each guide from texts with known layers. For guides
/// without headers, the sub-commentaries of the lessons are hidden.
pub fn weights(lessons: &[&Lesson], models: &LayerModels) -> Weights {
    weights_of(lessons, &Guide::ALL, models)
}

/// The same for some guides; the weights of the others are 0.
pub(crate) fn weights_of(lessons: &[&Lesson], guides: &[Guide], models: &LayerModels) -> Weights {
    let counts = counts(lessons);
    let mut weights = Weights::zero().with_common(counts.without(None));
    for guide in guides.iter().copied() {
        let longer = if guide.is_unknown() { longer(lessons) } else { vec![] };
        let lessons = lessons.iter().copied().chain(&longer);
        let prepared: Vec<Prepared<'_>> =
            lessons.filter_map(|l| Prepared::new(l, guide, models, &counts)).collect();
        let silent = if guide.headers { &ONLY_WITHOUT_HEADERS[..] } else { &[] };
        for first in [true, false] {
            let examples: Vec<Example<'_>> =
                prepared.iter().flat_map(|p| p.examples(&weights, guide, first)).collect();
            let from = (!first).then(|| weights.of(guide, true));
            let learned = fit(&examples, silent, from, MAX_RUN_CLAUSES);
            weights.set(guide, first, learned);
        }
    }
    weights
}

/// The lessons with longer paragraphs.
fn longer(lessons: &[&Lesson]) -> Vec<Lesson> {
    let all = |clauses| lessons.iter().map(move |l| joined(l, clauses));
    JOINED_CLAUSES.into_iter().flat_map(all).collect()
}

/// The characters of the lessons, counted by layer.
fn counts(lessons: &[&Lesson]) -> CharacterCounts {
    let mut counts = CharacterCounts::default();
    for lesson in lessons {
        for p in group::paragraphs(&lesson.document) {
            counts.add(&lesson.book, &p, &true_runs(&p, &lesson.truth));
        }
    }
    counts
}

/// A lesson prepared for learning.
struct Prepared<'a> {
    text: &'a str,
    paragraphs: Vec<Paragraph>,
    runs: Vec<Vec<Run>>,
    /// Models before it is read.
    base: [CharModel; LABELS],
    /// Learned from other books, so that it is judged as a new book is.
    common: CommonCharacters,
    /// The weight of its paragraphs.
    weight: f64,
}

impl<'a> Prepared<'a> {
    /// None if the lesson has no example for this guide.
    fn new(
        lesson: &'a Lesson,
        guide: Guide,
        shipped: &LayerModels,
        counts: &CharacterCounts,
    ) -> Option<Self> {
        let base = shipped.characters();
        let mut document = lesson.document.clone();
        if !guide.headers {
            hide_sub_commentary(&mut document);
        }
        let mut paragraphs = group::paragraphs(&document);
        let mut beside = group::paragraphs(&document);
        let own = guide_of(&document, &paragraphs, base);
        if own.headers != guide.headers
            || guide.canon && !coverage::covers(shipped.canon(), &paragraphs)
        {
            return None;
        }
        if guide.canon {
            coverage::add(shipped.canon(), &mut paragraphs, true);
            coverage::add(shipped.canon(), &mut beside, true);
        }
        give_witnesses(lesson, &mut paragraphs, beside);
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
        let common = counts.without(Some(&lesson.book));
        let text = lesson.document.source.text();
        Some(Prepared { text, paragraphs, runs, base, common, weight })
    }

    /// Its paragraphs as in the first reading of the document, or in a later one: then with models
    /// that learned from what the reading before was certain of, with its mistakes.
    fn examples<'b>(&'b self, weights: &Weights, guide: Guide, first: bool) -> Vec<Example<'b>> {
        let material = Material::new(self.text, &self.paragraphs, &self.base, &self.common, guide);
        let untaught = material.taught(&[]);
        let models = if first {
            untaught
        } else {
            material.taught(&material.decide(&untaught, weights.of(guide, true)))
        };
        let short = |n: &usize| self.paragraphs[*n].units.len() <= MAX_LESSON_CLAUSES;
        let known = self.runs.iter().enumerate().filter(|(n, r)| !r.is_empty() && short(n));
        known
            .map(|(n, runs)| Example {
                scorer: material.scorer(n, &models),
                runs: runs.clone(),
                weight: self.weight,
            })
            .collect()
    }
}

/// Gives some of the paragraphs of a lesson what plain copies of its classic show of them: the
/// others are read blind.
fn give_witnesses(lesson: &Lesson, paragraphs: &mut [Paragraph], mut beside: Vec<Paragraph>) {
    let context = Context::new(&lesson.witnesses);
    witness::consult(&lesson.document, &context, &mut beside);
    for (p, with) in paragraphs.iter_mut().zip(beside).step_by(PARAGRAPHS_PER_WITNESSED) {
        *p = with;
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
