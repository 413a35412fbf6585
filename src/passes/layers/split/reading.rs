//! Readings of a document: each finds the best runs of all paragraphs, and the next one learns from
//! those that are certain.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::common::CommonCharacters;
use super::decode;
use super::feature::FEATURES;
use super::features::{Features, ParagraphScores, RunScorer};
use super::layout::{Layout, LayoutEvidence};
use super::model::{Guide, Weights};
use super::usual::Usual;
use crate::model::thresholds::{INFERRED_AT_MOST, MIN_TEACHING_CERTAINTY};
use crate::model::{Certainty, Evidence, EvidenceKind, SharedList};
use crate::passes::evidence::models::{self, FOLDS};
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::{CLASSIC, LABELS, NOTE, Run, YIN};
use crate::passes::evidence::scored::Scored;
use crate::text::ngram::CharModel;

/// Number of readings.
const READINGS: usize = 3;

/// Scores are kept between readings of a text with at most so many characters: some 100 bytes each.
const MAX_KEPT_CHARS: usize = 1 << 18;

/// The least certainty that a guess is given, and how much of its own it keeps. On texts taken for
/// unknown books, a half to two thirds of all cuts were right, however sure the models were.
const GUESS: (f64, f64) = (0.3, 0.35);

/// The certainty of a run of a paragraph. `whole` is that of the paragraph itself, for the first
/// run in it.
pub fn certainty_in(p: &Paragraph, whole: Certainty, certainty: f64) -> Certainty {
    let doubt = whole.get();
    let own = if p.guessed { GUESS.0 + GUESS.1 * certainty } else { certainty };
    Certainty::new((own * doubt).min(INFERRED_AT_MOST))
}

/// One run of a paragraph as decided.
pub struct DecidedRun {
    /// The run.
    pub run: Run,
    /// The probability that its label begins there.
    pub certainty: f64,
    /// The evidence for it, strongest first.
    pub evidence: SharedList<Evidence>,
}

/// What a reading decided.
#[derive(Default)]
pub struct OneReading {
    /// The runs of each paragraph; none before the first reading.
    pub cuts: Vec<Vec<DecidedRun>>,
    /// How the text is laid out.
    layout: Option<Layout>,
}

/// The fold of a paragraph, whose models have not learned from it.
pub fn fold_of(paragraph: usize) -> usize {
    paragraph % FOLDS
}

/// The input of a reading: the paragraphs with their evidence, and what is known before.
pub struct Material<'a> {
    /// Text of the source.
    pub text: &'a str,
    /// The paragraphs.
    pub paragraphs: &'a [Paragraph],
    /// Models learned from other texts.
    pub base: &'a [CharModel; LABELS],
    /// Characters that are common in notes or in classics.
    pub common: &'a CommonCharacters,
    /// Which evidence the document has.
    pub guide: Guide,
    /// Scores of the paragraphs by the models learned from other texts: the same in each reading.
    /// Empty for a long text, where they would take more memory than all else.
    shipped: Vec<OnceLock<Arc<Vec<Scored>>>>,
}

impl<'a> Material<'a> {
    /// The input of a reading.
    pub fn new(
        text: &'a str,
        paragraphs: &'a [Paragraph],
        base: &'a [CharModel; LABELS],
        common: &'a CommonCharacters,
        guide: Guide,
    ) -> Self {
        let chars: usize = paragraphs.iter().map(|p| p.key.len()).sum();
        let kept = if chars <= MAX_KEPT_CHARS { paragraphs } else { &[] };
        let shipped = kept.iter().map(|_| OnceLock::new()).collect();
        Material { text, paragraphs, base, common, guide, shipped }
    }

    /// The last reading, the only one with evidence.
    pub fn read(&self, weights: &Weights) -> OneReading {
        let before = self.readings(READINGS - 1, weights);
        self.after(&before, weights.of(self.guide, false), evidence)
    }

    /// The models of the last reading, one pair for each fold.
    pub fn learned(&self, weights: &Weights) -> Vec<Models<'a>> {
        self.taught(&self.readings(READINGS - 1, weights))
    }

    /// The models of the second reading, if the first has these weights.
    pub fn relearned(&self, weights: &[f64]) -> Vec<Models<'a>> {
        self.taught(&self.next(&OneReading::default(), weights))
    }

    /// The models that have learned from a reading, one pair for each fold.
    pub fn taught(&self, reading: &OneReading) -> Vec<Models<'a>> {
        let usual = self.usual(reading);
        (0..FOLDS).map(|fold| self.taught_in(fold, reading, &usual)).collect()
    }

    /// The first so many readings.
    fn readings(&self, n: usize, weights: &Weights) -> OneReading {
        (1..=n).fold(OneReading::default(), |reading, round| {
            self.next(&reading, weights.of(self.guide, round == 1))
        })
    }

    /// Reads once, by models that learned from the reading before. Evidence for the runs is not
    /// collected.
    pub fn next(&self, before: &OneReading, weights: &[f64]) -> OneReading {
        self.after(before, weights, |_, _, _| SharedList::default())
    }

    /// The same with some evidence for each run. The models are those of one fold at a time: in a
    /// long text they are large.
    fn after(
        &self,
        before: &OneReading,
        weights: &[f64],
        evidence: impl Fn(&RunScorer<'_>, &[f64], Run) -> SharedList<Evidence>,
    ) -> OneReading {
        let usual = self.usual(before);
        let mut layout = LayoutEvidence::default();
        let mut cuts: Vec<Vec<DecidedRun>> = self.paragraphs.iter().map(|_| vec![]).collect();
        for fold in 0..FOLDS {
            let models = self.taught_in(fold, before, &usual);
            for n in (fold..cuts.len()).step_by(FOLDS) {
                let runs = decide(&self.scorer(n, &models), weights, &mut layout, &evidence);
                cuts[n] = runs;
            }
        }
        OneReading { cuts, layout: layout.layout() }
    }

    /// What is usual in a text that has nothing else to go by.
    fn usual(&self, reading: &OneReading) -> Option<Usual> {
        let of_paragraph = |(n, cuts): (usize, &'_ Vec<DecidedRun>)| {
            cuts.iter().map(|c| (n, c.run, c.certainty)).collect::<Vec<_>>()
        };
        let runs = reading.cuts.iter().enumerate().flat_map(of_paragraph);
        Usual::of(self.paragraphs, runs, reading.layout).filter(|_| self.guide.alone)
    }

    /// The models that judge the paragraphs of a fold: the base models, trained further on the
    /// certain runs outside it. If the text is new to the base models, training starts from empty
    /// ones.
    fn taught_in(&self, fold: usize, reading: &OneReading, usual: &Option<Usual>) -> Models<'a> {
        let start = if self.guide.kin { self.base.clone() } else { models::empty() };
        Models {
            base: self.base,
            taught: self.teach(start, &reading.cuts, fold),
            usual: usual.clone(),
        }
    }

    /// Trains models on the certain runs outside a fold.
    fn teach(
        &self,
        mut models: [CharModel; LABELS],
        cuts: &[Vec<DecidedRun>],
        fold: usize,
    ) -> [CharModel; LABELS] {
        for (_, (p, cuts)) in
            self.paragraphs.iter().zip(cuts).enumerate().filter(|(n, _)| fold_of(*n) != fold)
        {
            for c in cuts.iter().filter(|c| c.certainty >= MIN_TEACHING_CERTAINTY) {
                let (from, to) = (p.units[c.run.from].from, p.units[c.run.to - 1].to);
                models[c.run.label].learn(p.key.chars[from..to].iter().copied());
            }
        }
        models
    }

    /// A paragraph with the models of its fold.
    pub fn scorer(&self, n: usize, models: &Models<'_>) -> RunScorer<'a> {
        let p = &self.paragraphs[n];
        let before = match n.checked_sub(1).map(|b| &self.paragraphs[b]) {
            Some(b) if !b.last_of_group => &b.key.chars[..],
            _ => &[],
        };
        let labels = if p.opens_with_circle { LABELS } else { YIN };
        let scored = |models: &[CharModel; LABELS]| -> Vec<Scored> {
            models[..labels].iter().map(|m| Scored::new(m, &p.key.chars)).collect()
        };
        let of_others = || Arc::new(scored(models.base));
        let shipped = match self.shipped.get(n) {
            Some(kept) => Arc::clone(kept.get_or_init(of_others)),
            None => of_others(),
        };
        let scores = ParagraphScores { models: scored(&models.taught), shipped };
        RunScorer::new(p, self.text, scores, before, self.common).with_usual(models.usual.clone())
    }
}

/// The models that judge a paragraph.
pub struct Models<'a> {
    /// Learned from other texts.
    base: &'a [CharModel; LABELS],
    /// Learned from the document too.
    taught: [CharModel; LABELS],
    /// What is usual in the document, by the reading before.
    usual: Option<Usual>,
}

/// The best runs of a paragraph, each with the probability that its label begins there.
fn decide(
    scorer: &RunScorer<'_>,
    weights: &[f64],
    layout: &mut LayoutEvidence,
    evidence: impl Fn(&RunScorer<'_>, &[f64], Run) -> SharedList<Evidence>,
) -> Vec<DecidedRun> {
    if scorer.paragraph.units.is_empty() {
        return Vec::new();
    }
    let lattice = decode::lattice(scorer, weights);
    layout.add(scorer.paragraph, &lattice);
    let starts = lattice.starts();
    decode::runs(scorer, &lattice, &starts)
        .into_iter()
        .map(|run| {
            let certainty = starts.get(&(run.from, run.label)).copied().unwrap_or(0.0);
            DecidedRun { run, certainty, evidence: evidence(scorer, weights, run) }
        })
        .collect()
}

/// The evidence for a run, strongest first: its features, minus those of the same text as the other
/// layer.
fn evidence(scorer: &RunScorer<'_>, weights: &[f64], run: Run) -> SharedList<Evidence> {
    let mut sums: FxHashMap<&EvidenceKind, f64> = FxHashMap::default();
    let mut v = Features::new();
    for (r, sign) in [(run, 1.0), (Run { label: other(run.label), ..run }, -1.0)] {
        scorer.features(r, &mut v);
        for (f, x) in &v {
            *sums.entry(&FEATURES[*f as usize].1).or_default() += sign * weights[*f as usize] * x;
        }
    }
    let mut speaking: Vec<(&EvidenceKind, f64)> = sums.into_iter().filter(|s| s.1 > 0.3).collect();
    speaking.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.code().cmp(b.0.code())));
    let (p, from) = (scorer.paragraph, scorer.paragraph.units[run.from].from);
    let in_words = |kind: &EvidenceKind| match kind {
        EvidenceKind::Witness => p.votes.evidence(from, p.units[run.to - 1].to, run.label),
        _ => Evidence::of(kind.clone()),
    };
    let mut list: SharedList<Evidence> =
        speaking.into_iter().map(|(kind, _)| in_words(kind)).collect();
    if list.is_empty() {
        list.push(Evidence::of(EvidenceKind::AllTogether));
    }
    list
}

/// The label that a run of this label could be mistaken for.
pub fn other(label: usize) -> usize {
    if label == CLASSIC { NOTE } else { CLASSIC }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Document, Layer};
    use crate::passes::evidence::group;

    /// A decision must not confirm itself: what is decided on a paragraph must not change the
    /// models that judge it next.
    #[test]
    fn a_paragraph_is_judged_by_models_that_have_not_learned_from_it() {
        let texts = ["甲乙丙丁。", "戊己庚辛。", "壬癸子丑。", "寅卯辰巳。", "午未申酉。"];
        let document = Document::of_pieces(&texts.map(|t| (Layer::Undivided, t)));
        let paragraphs = group::paragraphs(&document);
        let base = models::empty();
        let guide = Guide { headers: false, kin: true, canon: false, alone: false };
        let text = document.source.text();
        let common = &CommonCharacters::default();
        let material = Material::new(text, &paragraphs, &base, common, guide);
        let sure = || DecidedRun {
            run: Run { from: 0, to: 1, label: CLASSIC },
            certainty: 1.0,
            evidence: SharedList::default(),
        };
        let cuts: Vec<Vec<DecidedRun>> = texts.iter().map(|_| vec![sure()]).collect();
        let untaught = material.taught(&OneReading::default());
        let taught = material.taught(&OneReading { cuts, layout: None });
        for (n, p) in paragraphs.iter().enumerate() {
            let learned =
                |m: &Models<'_>| m.taught[CLASSIC].has_pair(p.key.chars[0], p.key.chars[1]);
            let knowing: Vec<usize> = (0..FOLDS).filter(|fold| learned(&taught[*fold])).collect();
            let others: Vec<usize> = (0..FOLDS).filter(|fold| *fold != fold_of(n)).collect();
            assert_eq!(knowing, others, "the models that have learned from paragraph {n}");
            // The paragraph is judged by models that have not learned from it: to them its
            // characters stay as rare as before, but for what they learned elsewhere.
            let body = |models: &[Models<'_>]| {
                material.scorer(n, &models[fold_of(n)]).models[CLASSIC].body(0, 4)
            };
            let known = Scored::new(&taught[others[0]].taught[CLASSIC], &p.key.chars).body(0, 4);
            assert!(known > body(&untaught) + 1.0 && known > body(&taught) + 1.0, "{n}");
        }
    }
}
