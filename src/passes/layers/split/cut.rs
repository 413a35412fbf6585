//! Cuts a document: gathers the evidence, reads it, and puts the runs in the place of the undivided
//! segments.

use super::disagree;
use super::gather::{Gathered, gather};
use super::model::Weights;
use super::reading::{DecidedRun, certainty_in};
use crate::diag::Diagnostic;
use crate::model::{Document, Layer, Segment};
use crate::passes::context::Context;
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::{NOTE, Run};
use crate::source::Span;

/// Runs the pass under given weights.
pub fn cut(document: &mut Document, context: &Context<'_>, weights: &Weights) {
    if !document.has_undivided() {
        return;
    }
    let gathered = gather(document, context);
    let cuts = gathered.material(document).read(weights);
    let said = against_witnesses(document, &gathered, &cuts, weights);
    document.diagnostics.extend(said);
    apply(document, &gathered.paragraphs, cuts);
}

/// Where witnesses and the text's own evidence disagree: the text is read once more without them.
fn against_witnesses(
    document: &Document,
    gathered: &Gathered,
    cuts: &[Vec<DecidedRun>],
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
        disagree::disagreements(document, &paragraphs[n], &decided, &alone)
    });
    said.collect()
}

/// Puts the decided runs in the place of the undivided segments.
fn apply(document: &mut Document, paragraphs: &[Paragraph], cuts: Vec<Vec<DecidedRun>>) {
    let mut segments = Vec::with_capacity(document.segments.len() * 2);
    let mut decided = paragraphs.iter().zip(cuts).peekable();
    for (n, s) in std::mem::take(&mut document.segments).into_iter().enumerate() {
        match decided.next_if(|(p, _)| p.segment == n) {
            Some((p, cuts)) if !cuts.is_empty() => {
                for (i, c) in cuts.iter().enumerate() {
                    let end =
                        cuts.get(i + 1).map_or(p.span.end(), |next| p.units[next.run.from].start);
                    let layer = if c.run.label == NOTE { Layer::Zhu } else { Layer::Jing };
                    // What is known of the paragraph as a whole is known of its first run.
                    let known = if i == 0 { &s.evidence[..] } else { &[] };
                    let evidence = known.iter().chain(&c.evidence).cloned().collect();
                    let span = Span::new(p.units[c.run.from].start, end);
                    let certainty = certainty_in(s.certainty, c.run, c.certainty);
                    segments.push(Segment::inferred(layer, span, certainty, evidence));
                }
            }
            _ => segments.push(s),
        }
    }
    document.segments = segments;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Certainty, Evidence, EvidenceKind};
    use crate::passes::evidence::group;
    use crate::passes::evidence::run::CLASSIC;

    #[test]
    fn the_doubt_about_a_paragraph_counts_for_its_first_run_only() {
        let mut document = Document::of_pieces(&[(Layer::Undivided, "甲乙丙丁。戊己庚辛。")]);
        document.segments[0].certainty = Certainty::new(0.5);
        document.segments[0].evidence = vec![Evidence::of(EvidenceKind::ReadsAsClassic)];
        let paragraphs = group::paragraphs(&document);
        let cut = |from, label, certainty| DecidedRun {
            run: Run { from, to: from + 1, label },
            certainty,
            evidence: vec![Evidence::of(EvidenceKind::Layout)],
        };
        apply(&mut document, &paragraphs, vec![vec![cut(0, CLASSIC, 0.9), cut(1, NOTE, 0.8)]]);
        assert_eq!(document.check(), Ok(()));
        let found: Vec<(Layer, f64, Vec<&str>)> = document
            .segments
            .iter()
            .map(|s| {
                let evidence = s.evidence.iter().map(Evidence::code).collect();
                (s.layer, s.certainty.rounded(), evidence)
            })
            .collect();
        assert_eq!(
            found,
            [
                (Layer::Jing, 0.45, vec!["reads-as-classic", "layout"]),
                (Layer::Zhu, 0.8, vec!["layout"])
            ]
        );
    }

    #[test]
    fn no_run_is_as_sure_as_one_that_the_source_marks() {
        let run = Run { from: 1, to: 2, label: NOTE };
        assert!(certainty_in(Certainty::SURE, run, 1.0) < Certainty::SURE);
    }
}
