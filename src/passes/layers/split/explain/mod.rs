//! Why a passage is cut as it is, for people and for programs.
//!
//! A cut is explained by comparing whole readings of its paragraph: the best reading with the cut
//! and the best one without it; for an alternative, the best reading with it and the chosen one.
//! What the two readings share cancels out. The remaining features, times their weights, are all
//! that the decision rests on.

mod around;
mod contrast;

pub use crate::passes::evidence::hints::HeaderMatch;
pub use around::{HeaderWord, NamedPart, QuotedWords, Testimony};
pub use contrast::{Fact, Ground};

use super::decode;
use super::features::RunScorer;
use super::gather::gather;
use super::reading::{certainty_in, fold_of};
use super::semimarkov::Lattice;
use crate::model::{Certainty, Document, Layer};
use crate::passes::context::Context;
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::{LAYERS, Run};
use crate::source::Span;

/// A paragraph that was cut, with all that was weighed.
#[derive(Clone, Debug)]
pub struct ExplainedPassage {
    /// Its range in the source.
    pub span: Span,
    /// The sub-commentary on it, from its first header to its end.
    pub commentary: Option<Span>,
    /// The parts of the sub-commentary's headers, in order.
    pub named: Vec<NamedPart>,
    /// Text of the passage that the sub-commentary quotes.
    pub quoted: Vec<QuotedWords>,
    /// The witness with votes on most of its characters, if the library has one.
    pub witness: Option<String>,
    /// The runs as cut, in order; the first begins with the passage.
    pub cuts: Vec<Candidate>,
    /// Other places where a layer could begin, in order.
    pub alternatives: Vec<Candidate>,
}

/// A place where a layer begins, or could begin.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The run that begins there, in the best reading that has it.
    pub span: Span,
    /// Its layer.
    pub layer: Layer,
    /// The probability that the layer begins there.
    pub certainty: Certainty,
    /// How much better the best reading with it is than the one it is compared with, as a natural
    /// logarithm; below 0 for alternatives.
    pub margin: f64,
    /// The parts of the margin, strongest first.
    pub grounds: Vec<Ground>,
    /// What a witness shows of the place.
    pub testimony: Option<Testimony>,
    /// Where layers begin only in the reading it is compared with: what would replace a cut, or
    /// what an alternative would remove. Byte offsets and layers, in order.
    pub instead: Vec<(usize, Layer)>,
}

/// Explains the passages of a document that the pass cuts. `document` must be in its state before
/// `split`. See [`explain_cuts`](crate::passes::explain_cuts).
pub(in crate::passes) fn passages(
    mut document: Document,
    context: &Context<'_>,
    within: Option<&[Span]>,
    min_probability: f64,
) -> Vec<ExplainedPassage> {
    let gathered = gather(&mut document, context);
    let (material, paragraphs) = (gathered.material(&document), &gathered.paragraphs);
    let models = material.learned(context.models.weights());
    let weights = context.models.weights().of(gathered.guide, false);
    let wanted = wanted(&document, paragraphs, within);
    let passage = |n: usize| {
        let scorer = material.scorer(n, &models[fold_of(n)]);
        passage(&document, &scorer, weights, min_probability)
    };
    wanted.into_iter().filter(|n| !paragraphs[*n].units.is_empty()).map(passage).collect()
}

fn wanted(document: &Document, paragraphs: &[Paragraph], within: Option<&[Span]>) -> Vec<usize> {
    let all = 0..paragraphs.len();
    let Some(within) = within else { return all.collect() };
    let meets = |span: Span| within.iter().any(|w| span.overlap(*w) > 0);
    let own: Vec<usize> = all.clone().filter(|n| meets(paragraphs[*n].span)).collect();
    if !own.is_empty() {
        return own;
    }
    all.filter(|n| around::commentary(document, &paragraphs[*n]).is_some_and(meets)).collect()
}

fn passage(
    document: &Document,
    scorer: &RunScorer<'_>,
    weights: &[f64],
    min_probability: f64,
) -> ExplainedPassage {
    let p = scorer.paragraph;
    let lattice = decode::lattice(scorer, weights);
    let starts = lattice.starts();
    let best = decode::runs(scorer, &lattice, &starts);
    let probability = |k: usize, label: usize| starts.get(&(k, label)).copied().unwrap_or(0.0);
    let readings = Readings { document, scorer, weights, lattice: &lattice, best: &best };
    let is_cut = |k: usize, label: usize| best.iter().any(|r| r.from == k && r.label == label);
    let mut alternatives: Vec<(usize, usize)> = starts
        .iter()
        .filter(|((k, label), p)| **p >= min_probability && !is_cut(*k, *label))
        .map(|(place, _)| *place)
        .collect();
    alternatives.sort_unstable();
    let commentary = around::commentary(document, p);
    ExplainedPassage {
        span: p.span,
        commentary,
        named: commentary.map(|c| around::named(document, p, c)).unwrap_or_default(),
        quoted: commentary.map(|c| around::quoted(document, p, c)).unwrap_or_default(),
        witness: p.votes.witness.as_deref().map(String::from),
        cuts: best.iter().map(|r| readings.cut(*r, probability(r.from, r.label))).collect(),
        alternatives: alternatives
            .into_iter()
            .filter_map(|(k, label)| readings.alternative(k, label, probability(k, label)))
            .collect(),
    }
}

/// The readings of one passage, for comparison.
struct Readings<'a> {
    document: &'a Document,
    scorer: &'a RunScorer<'a>,
    weights: &'a [f64],
    lattice: &'a Lattice,
    best: &'a [Run],
}

impl Readings<'_> {
    fn cut(&self, run: Run, probability: f64) -> Candidate {
        let without = self
            .lattice
            .best_of(|r| !(r.from == run.from && r.label == run.label))
            .unwrap_or_default();
        let own = self.document.segments[self.scorer.paragraph.segment].certainty;
        let whole = if run.from == 0 { own } else { Certainty::SURE };
        let certainty = match self.is_decided(run) {
            true => Certainty::SURE,
            false => certainty_in(self.scorer.paragraph, whole, probability),
        };
        self.candidate(run, self.best, &without, certainty)
    }

    /// True if a person decided that the layer begins there.
    fn is_decided(&self, run: Run) -> bool {
        let (p, label) = (self.scorer.paragraph, run.label);
        let first = p.units[run.from].from;
        p.stated.iter().any(|(from, _, stated)| (*from, *stated) == (first, label))
    }

    /// None if no reading has a border there; its probability is then 0.
    fn alternative(&self, from: usize, label: usize, probability: f64) -> Option<Candidate> {
        let leaves_room =
            |r: Run| r.to <= from || r.from > from || r.from == from && r.label == label;
        let with = self.lattice.best_of(leaves_room)?;
        let run = *with.iter().find(|r| r.from == from)?;
        Some(self.candidate(run, &with, self.best, Certainty::new(probability)))
    }

    fn candidate(&self, run: Run, with: &[Run], other: &[Run], certainty: Certainty) -> Candidate {
        let p = self.scorer.paragraph;
        let begins = |r: &Run| with.iter().all(|w| w.from != r.from || w.label != r.label);
        let end = p.units.get(run.to).map_or(p.span.end(), |u| u.start);
        Candidate {
            span: Span::new(p.units[run.from].start, end),
            layer: layer(run.label),
            certainty,
            margin: self.lattice.total(with) - self.lattice.total(other),
            grounds: contrast::grounds(self.scorer, self.weights, with, other),
            testimony: around::testimony(p, p.units[run.from].from, run.label),
            instead: other
                .iter()
                .filter(|r| begins(r))
                .map(|r| (p.units[r.from].start, layer(r.label)))
                .collect(),
        }
    }
}

fn layer(label: usize) -> Layer {
    LAYERS[label]
}

#[cfg(test)]
mod tests;
