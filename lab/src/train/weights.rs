//! Learns the weights that ship with the splitter.

use zhushu::passes::evidence::paragraph::Paragraph;
use zhushu::passes::evidence::run::{LABELS, Run};
use zhushu::passes::evidence::{coverage, group, models, witness};
use zhushu::passes::split::common::{CharacterCounts, CommonCharacters};
use zhushu::passes::split::decode::MAX_GUESSED_CLAUSES;
use zhushu::passes::split::features::ONLY_WITHOUT_HEADERS;
use zhushu::passes::split::gather::guide as guide_of;
use zhushu::passes::split::joints;
use zhushu::passes::split::model::{Guide, Weights};
use zhushu::passes::split::reading::{Material, Models, OneReading, fold_of};
use zhushu::passes::split::semimarkov::MAX_RUN_CLAUSES;
use zhushu::passes::{Context, LayerModels};
use zhushu::text::ngram::CharModel;

use super::fit::{Example, fit};
use super::joined::{apart, joined};
use super::lesson::{JOINED_CLAUSES, Lesson, MAX_LESSON_CLAUSES, hide_sub_commentary, true_runs};

/// Unknown books are divided into so many folds.
const BOOK_FOLDS: usize = 3;
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

/// Learns the weights of the features for each guide from texts with known layers. For guides
/// without headers, the sub-commentaries of the lessons are hidden.
pub fn weights(lessons: &[&Lesson], models: &LayerModels) -> Weights {
    weights_of(lessons, &Guide::ALL, models)
}

/// The weights that the models have, but for texts that have to be guessed from themselves learned
/// from the lessons.
pub fn weights_of_unknown(lessons: &[&Lesson], models: &LayerModels) -> Weights {
    let learned = weights_of(lessons, &[Guide::ALONE], models);
    models.weights().clone().with(Guide::ALONE, &learned)
}

/// The same for some guides; the weights of the others are 0.
pub fn weights_of(lessons: &[&Lesson], guides: &[Guide], models: &LayerModels) -> Weights {
    let counts = counts(lessons);
    let mut weights = Weights::zero();
    guides.iter().for_each(|g| weights.set_common(*g, counts.without(None)));
    for guide in guides.iter().copied() {
        let longer = if guide.is_unknown() { longer(lessons, guide.alone) } else { vec![] };
        let lessons = lessons.iter().copied().chain(&longer);
        let prepared: Vec<Prepared<'_>> =
            lessons.filter_map(|l| Prepared::new(l, guide, models, &counts)).collect();
        let silent = if guide.headers { &ONLY_WITHOUT_HEADERS[..] } else { &[] };
        for first in [true, false] {
            let examples: Vec<Example<'_>> = match (first, guide.alone) {
                (true, _) => prepared.iter().flat_map(|p| p.first_examples(guide)).collect(),
                (false, false) => {
                    let weights = weights.of(guide, true);
                    prepared.iter().flat_map(|p| p.later_examples(weights, guide)).collect()
                }
                (false, true) => cross_fitted(&prepared, guide),
            };
            let from = (!first).then(|| weights.of(guide, true));
            let longest = if guide.alone { MAX_GUESSED_CLAUSES } else { MAX_RUN_CLAUSES };
            let learned = fit(&examples, silent, from, longest);
            weights.set(guide, first, learned);
        }
    }
    weights
}

/// The examples of a later reading of unknown books. The reading before is done with weights
/// learned from other books: a book that was learned from would be read much better than a new one.
fn cross_fitted<'a>(prepared: &'a [Prepared<'_>], guide: Guide) -> Vec<Example<'a>> {
    let mut books: Vec<&str> = prepared.iter().map(|p| p.book).collect();
    books.sort_unstable();
    books.dedup();
    let fold = |p: &Prepared<'_>| books.binary_search(&p.book).unwrap_or(0) % BOOK_FOLDS;
    let of_fold = |n: usize| {
        let others = prepared.iter().filter(|p| fold(p) != n);
        let examples: Vec<Example<'_>> = others.flat_map(|p| p.first_examples(guide)).collect();
        let first = fit(&examples, &[], None, MAX_GUESSED_CLAUSES);
        let own = prepared.iter().filter(|p| fold(p) == n);
        own.flat_map(|p| p.later_examples(&first, guide)).collect::<Vec<_>>()
    };
    (0..BOOK_FOLDS).flat_map(of_fold).collect()
}

/// The lessons with longer paragraphs, and for texts that are read alone with a paragraph for each
/// run.
fn longer(lessons: &[&Lesson], alone: bool) -> Vec<Lesson> {
    let all = |clauses| lessons.iter().map(move |l| joined(l, clauses));
    let apart = lessons.iter().filter(|_| alone).map(|l| apart(l));
    JOINED_CLAUSES.into_iter().flat_map(all).chain(apart).collect()
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
    book: &'a str,
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
        if guide.alone {
            (paragraphs, _) = joints::join(&mut document, &paragraphs);
            paragraphs.iter_mut().for_each(|p| p.guessed = true);
        } else {
            give_witnesses(lesson, &mut paragraphs, beside);
        }
        let runs: Vec<Vec<Run>> = paragraphs.iter().map(|p| true_runs(p, &lesson.truth)).collect();
        let borders: usize = runs.iter().map(|r| r.len().saturating_sub(1)).sum();
        let weight = match guide {
            Guide { headers: true, kin: true, canon: false, .. } => 1.0,
            _ => (TYPICAL_BORDERS / borders.max(1) as f64).sqrt(),
        };
        let weight = weight * worth(guide, own.kin);
        // A lesson with known text can replace one with new text: the models then start empty.
        let new = own.kin && !guide.kin && !guide.canon;
        let base = if new { models::empty() } else { base.clone() };
        let common = counts.without(Some(&lesson.book));
        let text = lesson.document.source.text();
        let book = lesson.book.as_str();
        Some(Prepared { book, text, paragraphs, runs, base, common, weight })
    }

    fn material(&self, guide: Guide) -> Material<'_> {
        Material::new(self.text, &self.paragraphs, &self.base, &self.common, guide)
    }

    /// Its paragraphs as in the first reading of the document.
    fn first_examples(&self, guide: Guide) -> Vec<Example<'_>> {
        let material = self.material(guide);
        self.examples(&material, &material.taught(&OneReading::default()))
    }

    /// Its paragraphs as in a later reading: with models that learned from what the reading before,
    /// with the weights `first`, was certain of, with its mistakes.
    fn later_examples(&self, first: &[f64], guide: Guide) -> Vec<Example<'_>> {
        let material = self.material(guide);
        self.examples(&material, &material.relearned(first))
    }

    fn examples<'b>(&'b self, material: &Material<'b>, models: &[Models<'_>]) -> Vec<Example<'b>> {
        let short = |n: &usize| self.paragraphs[*n].units.len() <= MAX_LESSON_CLAUSES;
        let known = self.runs.iter().enumerate().filter(|(n, r)| !r.is_empty() && short(n));
        known
            .map(|(n, runs)| Example {
                scorer: material.scorer(n, &models[fold_of(n)]),
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
