//! Cuts 經 from 注 where nothing marks the border.
//!
//! All evidence is weighed together by a semi-Markov conditional random field over the clauses of a paragraph
//! ([`semimarkov`], [`features`]): what the headers of the 疏 name and what it quotes ([`group`]), how the words read as
//! classic and as commentary ([`scored`]), how commentaries open and close. The language models are learned from texts that
//! mark their layers, and then from the document itself: what the first reading is sure of teaches the second. A paragraph
//! is always judged by models that have not learned from it (the paragraphs are dealt into folds), so that a mistake
//! cannot confirm itself.

pub(super) mod features;
mod fit;
pub(super) mod group;
pub(super) mod model;
pub(super) mod scored;
mod semimarkov;
mod tails;
pub mod train;
pub(super) mod witness;

use rustc_hash::FxHashMap;

use super::{Context, known};
use crate::diag::Diagnostic;
use crate::model::{Cert, Document, Evidence, Layer, Segment};
use crate::source::Span;
use crate::text::ngram::CharModel;
use features::{CLASSIC, FEATURES, NOTE, Scene, Vector};
use group::Paragraph;
use scored::Scored;
use semimarkov::Run;

/// The longest run that is considered, in clauses.
const LONGEST: usize = 160;
/// Folds the paragraphs are dealt into.
const FOLDS: usize = 4;
/// How often the document is read.
const ROUNDS: usize = 3;
/// No cut is surer than this: what is certain is marked.
const SUREST: f64 = 0.999;
/// How sure a cut must be to be learned from.
const TEACHES: f64 = 0.9;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    run_with(document, context, &model::WEIGHTS);
}

/// Runs the pass under given weights.
fn run_with(document: &mut Document, context: &Context<'_>, weights: &[f64]) {
    if !document.has_undivided() {
        return;
    }
    let base = base_models(document, context);
    let ends = witness::ends(document, context);
    tails::cut(document, &base, &ends);
    let mut paragraphs = group::paragraphs(document);
    witness::consult(document, context, &mut paragraphs);
    let cuts = read(document, &paragraphs, &base, weights);
    let said = against_witnesses(document, &paragraphs, &base, &cuts, weights);
    document.diagnostics.extend(said);
    apply(document, &paragraphs, cuts);
}

/// The shipped models and what the other documents mark.
fn base_models(document: &Document, context: &Context<'_>) -> [CharModel; 2] {
    let mut models = model::SHIPPED.clone();
    for other in context.library.others(&document.id) {
        model::learn(&mut models, known::runs_of(other));
    }
    models
}

/// One run of a paragraph as decided.
struct Cut {
    run: Run,
    cert: f64,
    evidence: Vec<Evidence>,
}

/// Reads the document several times; each reading teaches the next.
fn read(document: &Document, paragraphs: &[Paragraph], base: &[CharModel; 2], weights: &[f64]) -> Vec<Vec<Cut>> {
    let mut cuts: Vec<Vec<Cut>> = Vec::new();
    for round in 0..ROUNDS {
        let models: Vec<[CharModel; 2]> = (0..FOLDS).map(|fold| taught(base, paragraphs, &cuts, fold)).collect();
        cuts = (0..paragraphs.len())
            .map(|n| decide(&scene(document.source.text(), paragraphs, n, &models[n % FOLDS]), weights, round + 1 == ROUNDS))
            .collect();
    }
    cuts
}

/// Where witnesses and the text's own evidence disagree: the text is read once more without them.
fn against_witnesses(
    document: &Document,
    paragraphs: &[Paragraph],
    base: &[CharModel; 2],
    cuts: &[Vec<Cut>],
    weights: &[f64],
) -> Vec<Diagnostic> {
    if paragraphs.iter().all(|p| p.votes.witness.is_none()) {
        return Vec::new();
    }
    let mut deaf = weights.to_vec();
    witness::FIXED.iter().for_each(|(f, _)| deaf[*f as usize] = 0.0);
    let models: Vec<[CharModel; 2]> = (0..FOLDS).map(|fold| taught(base, paragraphs, cuts, fold)).collect();
    let heard = |n: &usize| paragraphs[*n].votes.witness.is_some();
    let said = (0..paragraphs.len()).filter(heard).flat_map(|n| {
        let alone = decide(&scene(document.source.text(), paragraphs, n, &models[n % FOLDS]), &deaf, false);
        let alone: Vec<(Run, f64)> = alone.into_iter().map(|c| (c.run, c.cert)).collect();
        let decided: Vec<Run> = cuts[n].iter().map(|c| c.run).collect();
        witness::disagreements(document, &paragraphs[n], &decided, &alone)
    });
    said.collect()
}

/// The base models with what was learned from the sure runs outside a fold.
fn taught(base: &[CharModel; 2], paragraphs: &[Paragraph], cuts: &[Vec<Cut>], fold: usize) -> [CharModel; 2] {
    let mut models = base.clone();
    for (n, (p, cuts)) in paragraphs.iter().zip(cuts).enumerate() {
        if n % FOLDS == fold {
            continue;
        }
        for c in cuts.iter().filter(|c| c.cert >= TEACHES) {
            let (from, to) = (p.units[c.run.from].from, p.units[c.run.to - 1].to);
            models[c.run.label].learn(p.key.chars[from..to].iter().copied());
        }
    }
    models
}

fn scene<'a>(text: &'a str, paragraphs: &'a [Paragraph], n: usize, models: &[CharModel; 2]) -> Scene<'a> {
    let p = &paragraphs[n];
    let before = match n.checked_sub(1).map(|b| &paragraphs[b]) {
        Some(b) if !b.last_of_group => &b.key.chars[..],
        _ => &[],
    };
    Scene::new(p, text, [Scored::new(&models[CLASSIC], &p.key.chars), Scored::new(&models[NOTE], &p.key.chars)], before)
}

/// The best runs of a paragraph, each with the probability that its label begins there.
fn decide(scene: &Scene<'_>, weights: &[f64], explain: bool) -> Vec<Cut> {
    if scene.paragraph.units.is_empty() {
        return Vec::new();
    }
    let lattice = fit::lattice(scene, weights, LONGEST);
    let best = lattice.best();
    let mut starts: FxHashMap<(usize, usize), f64> = FxHashMap::default();
    lattice.marginals(|run, p| *starts.entry((run.from, run.label)).or_default() += p);
    best.into_iter()
        .map(|run| {
            let cert = starts.get(&(run.from, run.label)).copied().unwrap_or(0.0);
            let evidence = if explain { evidence(scene, weights, run) } else { Vec::new() };
            Cut { run, cert, evidence }
        })
        .collect()
}

/// What speaks for a run, strongest first: its own features against those of the same words in the other layer.
fn evidence(scene: &Scene<'_>, weights: &[f64], run: Run) -> Vec<Evidence> {
    let mut sums: FxHashMap<&'static str, f64> = FxHashMap::default();
    let mut v = Vector::new();
    for (r, sign) in [(run, 1.0), (Run { label: 1 - run.label, ..run }, -1.0)] {
        scene.features(r, &mut v);
        for (f, x) in &v {
            *sums.entry(FEATURES[*f as usize].1).or_default() += sign * weights[*f as usize] * x;
        }
    }
    let mut speaking: Vec<(&'static str, f64)> = sums.into_iter().filter(|s| s.1 > 0.3).collect();
    speaking.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    let (p, from) = (scene.paragraph, scene.paragraph.units[run.from].from);
    let in_words = |code: &'static str| match code {
        "witness" => p.votes.evidence(from, p.units[run.to - 1].to, run.label),
        _ => Evidence::code(code),
    };
    let mut list: Vec<Evidence> = speaking.into_iter().map(|(code, _)| in_words(code)).collect();
    if list.is_empty() {
        list.push(Evidence::code("all-together"));
    }
    list
}

/// Puts the decided runs in the place of the undivided segments.
fn apply(document: &mut Document, paragraphs: &[Paragraph], cuts: Vec<Vec<Cut>>) {
    let mut segments = Vec::with_capacity(document.segments.len() * 2);
    let mut decided = paragraphs.iter().zip(cuts).peekable();
    for (n, s) in std::mem::take(&mut document.segments).into_iter().enumerate() {
        match decided.next_if(|(p, _)| p.segment == n) {
            Some((p, cuts)) if !cuts.is_empty() => {
                for (i, c) in cuts.iter().enumerate() {
                    let end = cuts.get(i + 1).map_or(p.span.end(), |next| p.units[next.run.from].start);
                    let layer = if c.run.label == NOTE { Layer::Zhu } else { Layer::Jing };
                    // What is known of the paragraph as a whole counts for its first run.
                    let (cert, known) = if i == 0 { (c.cert * s.cert.get(), &s.evidence[..]) } else { (c.cert, &[][..]) };
                    let evidence = known.iter().chain(&c.evidence).cloned().collect();
                    let span = Span::new(p.units[c.run.from].start, end);
                    segments.push(Segment::inferred(layer, span, Cert::new(cert.min(SUREST)), evidence));
                }
            }
            _ => segments.push(s),
        }
    }
    document.segments = segments;
}
