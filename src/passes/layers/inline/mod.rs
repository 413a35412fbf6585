//! Splits the layers of a running text whose only marks are words in it:
//! 經…注…經…注…音義…疏釋曰…經.
//!
//! A label marks where a commentary begins, but not where it ends and the classic continues. A
//! reader leaves such a stretch undivided, with the evidence [`EvidenceKind::LabelsInLine`]. Here a
//! chain over its characters ([`chain`]) weighs where each layer begins, and whether a 注 is a label
//! or a word ([`labels`]), by how the text reads as each layer. The models learn from what ships
//! with the program, from other texts that mark their layers, and from the text itself, which is
//! read several times; a stretch is judged by models that have not learned from it.

mod apply;
pub mod bare;
mod chain;
mod chain_input;
mod echo;
mod labels;
mod reading;
mod stretch;

use crate::diag::Diagnostic;
use crate::model::thresholds::RUNNING_TEXT_NEEDS_REVIEW;
use crate::model::{Document, EvidenceKind, Layer, Segment};
use crate::passes::context::Context;
use crate::source::Span;
use crate::text::Key;
use chain::Run;
use chain_input::{SURE_LABEL, chain_input};
use reading::{base_models, read};
use stretch::{JIAN, Stretch, add_votes};

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let mut stretches = stretches(document);
    if stretches.is_empty() {
        return;
    }
    let text = add_votes(document, context, &mut stretches);
    let mut echoes = echo::echoes(&text).into_iter();
    stretches.iter_mut().for_each(|s| s.echoes = echoes.by_ref().take(s.key.len()).collect());
    let states = states(document, &text);
    let base = base_models(document, context, &states);
    let clear_runs = stretches.iter().map(|s| clear_runs_of(s, &states)).collect();
    let cuts =
        read(&stretches, &base, clear_runs, |s, models| chain_input(document, s, &states, models));
    report(document, &stretches, &cuts);
    apply::apply(document, &stretches, &cuts, &states);
}

fn stretches(document: &Document) -> Vec<Stretch> {
    let text = document.source.text();
    let has_labels = |s: &Segment| {
        s.layer == Layer::Undivided
            && s.evidence.iter().any(|e| e.kind == EvidenceKind::LabelsInLine)
    };
    let segments = document.segments.iter().enumerate().filter(|(_, s)| has_labels(s));
    let next =
        |n: usize| document.segments[n + 1..].iter().find(|s| s.layer.is_text()).map(|s| s.layer);
    let explained = |n: usize| matches!(next(n), Some(Layer::Yin | Layer::Shu));
    segments
        .map(|(n, s)| Stretch {
            segment: n,
            key: Key::of(text, s.span),
            explained: explained(n),
            ..Stretch::default()
        })
        .collect()
}

/// The layers of the text: those of the 毛詩 if 箋云 recurs; 音義 and 疏 unless brackets mark them.
fn states(document: &Document, text: &[char]) -> Vec<Layer> {
    let marked = |l: Layer| document.segments.iter().any(|s| s.layer == l);
    let count = |words: &str| {
        let words = Key::of(words, Span::new(0, words.len())).chars;
        text.windows(words.len()).filter(|w| *w == words).count()
    };
    let mut states = vec![Layer::Jing, Layer::Zhu];
    if count("箋云") >= 2 {
        states.extend([JIAN, Layer::Zhuan]);
    }
    states.extend(
        [Layer::Yin, Layer::Shu].into_iter().filter(|l| !marked(*l) && !marked(Layer::Shu)),
    );
    states
}

/// Runs that are clear before the first reading: the classic before the first label of a stretch, a
/// layer between its label and one that may follow it, and the last one before a bracket.
fn clear_runs_of(stretch: &Stretch, states: &[Layer]) -> Vec<Run> {
    let chars = &stretch.key.chars;
    let index = |l: Layer| states.iter().position(|s| *s == l).unwrap_or(0);
    let sure_labels: Vec<_> =
        labels::places(chars, states).into_iter().filter(|p| p.likely >= SURE_LABEL).collect();
    let run = |from: usize, to: usize, state: usize| Run {
        from,
        to,
        state,
        mark: 0,
        label: None,
        certainty: 1.0,
    };
    let first = sure_labels.first().filter(|p| p.at > 0).map(|p| run(0, p.at, 0));
    let between = sure_labels
        .windows(2)
        .filter(|w| w[0].label.to != Layer::Jing && w[1].label.from.contains(&w[0].label.to));
    let between = between.map(|w| run(w[0].at + w[0].label.mark, w[1].at, index(w[0].label.to)));
    let last = sure_labels
        .last()
        .filter(|_| stretch.explained)
        .map(|p| run(p.at + p.label.mark, chars.len(), index(p.label.to)));
    first.into_iter().chain(between).chain(last).filter(|r| r.from < r.to).collect()
}

/// Reports how the layers were separated, and how much is uncertain.
fn report(document: &mut Document, stretches: &[Stretch], cuts: &[Vec<Run>]) {
    let all = || stretches.iter().zip(cuts).flat_map(|(s, runs)| runs.iter().map(move |r| (s, r)));
    let labels = all().filter(|(_, r)| r.label.is_some()).count();
    let bare: Vec<_> = all().filter(|(_, r)| r.label.is_none() && r.from > 0).collect();
    let message = format!(
        "{labels} words such as 注, 音義 and 疏 mark where a layer begins; {} other borders have \
         no mark",
        bare.len()
    );
    document.diagnostics.push(Diagnostic::info("labels-in-line", None, message));
    let unsure: Vec<_> = all().filter(|(_, r)| r.certainty < RUNNING_TEXT_NEEDS_REVIEW).collect();
    if let Some((s, run)) = unsure.first() {
        let message = format!(
            "{} borders between layers are uncertain; the first is here (probability {:.2})",
            unsure.len(),
            run.certainty
        );
        let hint = "put each layer in brackets or on a line of its own, or give a marked edition with --with";
        document.diagnostics.push(
            Diagnostic::warning("not-told-apart", s.key.span(run.from, run.from + 1), message)
                .hint(hint),
        );
    }
}
