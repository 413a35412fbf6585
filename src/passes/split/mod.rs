//! Cuts 經 from 注 where nothing marks the border.
//!
//! All evidence is weighed together by a semi-Markov conditional random field over the clauses of a
//! paragraph ([`semimarkov`], [`features`]): what the headers of the 疏 name and what it quotes
//! ([`group`]), how the words read as classic and as commentary ([`scored`]), how commentaries open
//! and close. The language models are learned from texts that mark their layers, and then from the
//! document itself: what the first reading is sure of teaches the second ([`reading`]). A paragraph
//! is always judged by models that have not learned from it (the paragraphs are dealt into folds),
//! so that a mistake cannot confirm itself.

pub mod explain;
pub(super) mod feature;
pub(super) mod features;
mod fit;
pub(super) mod group;
pub(super) mod model;
mod reading;
pub(super) mod scored;
mod semimarkov;
mod tails;
pub mod train;
pub(super) mod translation;
pub(super) mod witness;

use super::{Context, known};
use crate::diag::Diagnostic;
use crate::model::{Certainty, Document, Layer, Segment};
use crate::source::Span;
use crate::text::ngram::CharModel;
use feature::{CLASSIC, NOTE};
use group::Paragraph;
use model::{Guide, Weights};
use reading::{Cut, Material};
use semimarkov::Run;

/// The longest run that is considered, in clauses.
const LONGEST: usize = 160;
/// Folds the paragraphs are dealt into.
const FOLDS: usize = 4;
/// No cut is surer than this: what is certain is marked.
const SUREST: f64 = 0.999;
/// The share of its pairs of characters by which a text is known to be kin to those the models have
/// learned from.
const KIN: f64 = 0.5;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    run_with(document, context, &model::WEIGHTS);
}

/// Runs the pass under given weights.
fn run_with(document: &mut Document, context: &Context<'_>, weights: &Weights) {
    if !document.has_undivided() {
        return;
    }
    let gathered = gather(document, context);
    let cuts = gathered.material(document).read(weights);
    let said = against_witnesses(document, &gathered, &cuts, weights);
    document.diagnostics.extend(said);
    apply(document, &gathered.paragraphs, cuts);
}

/// What is decided, and what is known before the document is read.
struct Gathered {
    /// The paragraphs with all that is said of them, tails of sub-commentaries among them.
    paragraphs: Vec<Paragraph>,
    base: [CharModel; 2],
    guide: Guide,
}

impl Gathered {
    fn material<'a>(&'a self, document: &'a Document) -> Material<'a> {
        Material {
            text: document.source.text(),
            paragraphs: &self.paragraphs,
            base: &self.base,
            guide: self.guide,
        }
    }
}

fn gather(document: &mut Document, context: &Context<'_>) -> Gathered {
    let base = base_models(document, context);
    let ends = witness::ends(document, context);
    tails::cut(document, &base, &ends);
    let mut paragraphs = group::paragraphs(document);
    let guide = guide(document, &paragraphs, &base);
    witness::consult(document, context, &mut paragraphs);
    translation::consult(document, context, &mut paragraphs);
    Gathered { paragraphs, base, guide }
}

/// What leads through the document.
fn guide(document: &Document, paragraphs: &[Paragraph], base: &[CharModel; 2]) -> Guide {
    let headers = document.headers.iter().any(|h| h.parts.iter().any(|p| p.layer != Layer::Jing));
    Guide { headers, kin: kinship(paragraphs, base) >= KIN }
}

/// The share of the pairs of characters that the models know.
fn kinship(paragraphs: &[Paragraph], models: &[CharModel; 2]) -> f64 {
    let pairs = || paragraphs.iter().flat_map(|p| p.key.chars.windows(2));
    let known = pairs().filter(|w| models.iter().any(|m| m.has_pair(w[0], w[1]))).count();
    known as f64 / pairs().count().max(1) as f64
}

/// The shipped models and what the other documents mark.
fn base_models(document: &Document, context: &Context<'_>) -> [CharModel; 2] {
    let mut models = model::SHIPPED.clone();
    for other in context.library.others(&document.id) {
        model::learn(&mut models, known::runs_of(other));
    }
    models
}

/// Where witnesses and the text's own evidence disagree: the text is read once more without them.
fn against_witnesses(
    document: &Document,
    gathered: &Gathered,
    cuts: &[Vec<Cut>],
    weights: &Weights,
) -> Vec<Diagnostic> {
    let paragraphs = &gathered.paragraphs;
    if paragraphs.iter().all(|p| p.votes.witness.is_none()) {
        return Vec::new();
    }
    let material = gathered.material(document);
    let alone = material
        .decide(&material.taught(cuts), weights.without_witnesses().of(gathered.guide, false));
    let heard = |n: &usize| paragraphs[*n].votes.witness.is_some();
    let said = (0..paragraphs.len()).filter(heard).flat_map(|n| {
        let alone: Vec<(Run, f64)> = alone[n].iter().map(|c| (c.run, c.certainty)).collect();
        let decided: Vec<Run> = cuts[n].iter().map(|c| c.run).collect();
        witness::disagreements(document, &paragraphs[n], &decided, &alone)
    });
    said.collect()
}

/// Puts the decided runs in the place of the undivided segments.
fn apply(document: &mut Document, paragraphs: &[Paragraph], cuts: Vec<Vec<Cut>>) {
    let mut segments = Vec::with_capacity(document.segments.len() * 2);
    let mut decided = paragraphs.iter().zip(cuts).peekable();
    for (n, s) in std::mem::take(&mut document.segments).into_iter().enumerate() {
        match decided.next_if(|(p, _)| p.segment == n) {
            Some((p, cuts)) if !cuts.is_empty() => {
                for (i, c) in cuts.iter().enumerate() {
                    let end =
                        cuts.get(i + 1).map_or(p.span.end(), |next| p.units[next.run.from].start);
                    let layer = if c.run.label == NOTE { Layer::Zhu } else { Layer::Jing };
                    // What is known of the paragraph as a whole counts for its first run.
                    let (certainty, known) = if i == 0 {
                        (c.certainty * s.certainty.get(), &s.evidence[..])
                    } else {
                        (c.certainty, &[][..])
                    };
                    let evidence = known.iter().chain(&c.evidence).cloned().collect();
                    let span = Span::new(p.units[c.run.from].start, end);
                    segments.push(Segment::inferred(
                        layer,
                        span,
                        Certainty::new(certainty.min(SUREST)),
                        evidence,
                    ));
                }
            }
            _ => segments.push(s),
        }
    }
    document.segments = segments;
}
