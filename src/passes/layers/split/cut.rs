//! Cuts a document: gathers the evidence, decides on the runs, and replaces the undivided segments
//! by them.

use super::disagree;
use super::gather::{Gathered, gather};
use super::model::Weights;
use super::reading::{DecidedRun, certainty_in};
use crate::diag::Diagnostic;
use crate::model::{Document, Segment};
use crate::passes::context::Context;
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::{LAYERS, Run};
use crate::source::Span;

/// Runs the pass with the given weights.
pub fn cut(document: &mut Document, context: &Context<'_>, weights: &Weights) {
    if !document.has_undivided() {
        return;
    }
    let gathered = gather(document, context);
    let cuts = gathered.material(document).read(weights);
    let warnings = against_witnesses(document, &gathered, &cuts, weights);
    document.diagnostics.extend(warnings);
    apply(document, &gathered.paragraphs, cuts);
}

/// Warnings where witnesses and the text's own evidence disagree; for this, the text is read again
/// without witnesses.
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
    let has_witness = |n: &usize| paragraphs[*n].votes.witness.is_some();
    let warnings = (0..paragraphs.len()).filter(has_witness).flat_map(|n| {
        let alone: Vec<(Run, f64)> = alone[n].iter().map(|c| (c.run, c.certainty)).collect();
        let decided: Vec<Run> = cuts[n].iter().map(|c| c.run).collect();
        disagree::disagreements(document, &paragraphs[n], &decided, &alone)
    });
    warnings.collect()
}

/// Replaces the undivided segments by the decided runs.
fn apply(document: &mut Document, paragraphs: &[Paragraph], cuts: Vec<Vec<DecidedRun>>) {
    let mut segments = Vec::with_capacity(document.segments.len() * 2);
    let mut decided = paragraphs.iter().zip(cuts).peekable();
    for (n, s) in std::mem::take(&mut document.segments).into_iter().enumerate() {
        match decided.next_if(|(p, _)| p.segment == n) {
            Some((p, cuts)) if !cuts.is_empty() => {
                for (i, c) in cuts.iter().enumerate() {
                    let end =
                        cuts.get(i + 1).map_or(p.span.end(), |next| p.units[next.run.from].start);
                    let layer = LAYERS[c.run.label];
                    // The evidence on the whole paragraph goes to its first run.
                    let known = if i == 0 { &s.evidence[..] } else { &[] };
                    let evidence = known.iter().chain(&c.evidence).cloned().collect();
                    let span = Span::new(p.units[c.run.from].start, end);
                    let certainty = certainty_in(p, s.certainty, c.run, c.certainty);
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
    use crate::model::{Certainty, Evidence, EvidenceKind, Layer};
    use crate::passes::evidence::group;
    use crate::passes::evidence::run::{CLASSIC, NOTE};

    #[test]
    fn the_uncertainty_of_a_paragraph_lowers_only_its_first_run() {
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
    fn no_inferred_run_is_as_certain_as_a_marked_one_and_no_guess_is_sure() {
        let document = Document::of_pieces(&[(Layer::Undivided, "甲乙。丙丁。")]);
        let mut paragraph = group::paragraphs(&document).remove(0);
        let run = Run { from: 1, to: 2, label: NOTE };
        let certainty = |p: &Paragraph| certainty_in(p, Certainty::SURE, run, 1.0);
        assert!(certainty(&paragraph) < Certainty::SURE);
        paragraph.guessed = true;
        assert!(certainty(&paragraph).get() < 0.7);
    }
}
