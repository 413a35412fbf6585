//! Cuts a document: gathers the evidence, decides on the runs, and replaces the undivided segments
//! by them.

use std::collections::VecDeque;

use super::disagree;
use super::gather::{Gathered, gather};
use super::joints::Joints;
use super::model::Weights;
use super::reading::{DecidedRun, OneReading, certainty_in};
use crate::diag::Diagnostic;
use crate::model::{Certainty, Document, Layer, Segment};
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
    let reading = gathered.material(document).read(weights);
    let warnings = against_witnesses(document, &gathered, &reading, weights);
    document.diagnostics.add(warnings);
    let Gathered { paragraphs, joints, .. } = gathered;
    apply(document, paragraphs, &joints, reading.cuts);
}

/// Warnings where witnesses and the text's own evidence disagree; for this, the text is read again
/// without witnesses.
fn against_witnesses(
    document: &Document,
    gathered: &Gathered,
    reading: &OneReading,
    weights: &Weights,
) -> Vec<Diagnostic> {
    let paragraphs = &gathered.paragraphs;
    if paragraphs.iter().all(|p| p.votes.witness.is_none()) {
        return Vec::new();
    }
    let material = gathered.material(document);
    let alone = material.next(reading, weights.without_witnesses().of(gathered.guide, false)).cuts;
    let has_witness = |n: &usize| paragraphs[*n].votes.witness.is_some();
    let warnings = (0..paragraphs.len()).filter(has_witness).flat_map(|n| {
        let alone: Vec<(Run, f64)> = alone[n].iter().map(|c| (c.run, c.certainty)).collect();
        let decided: Vec<Run> = reading.cuts[n].iter().map(|c| c.run).collect();
        disagree::disagreements(document, &paragraphs[n], &decided, &alone)
    });
    warnings.collect()
}

/// Replaces the undivided segments by the decided runs. Paragraphs that were joined are separate
/// segments again. A long text has many of everything: what is done with is given up at once.
fn apply(
    document: &mut Document,
    paragraphs: Vec<Paragraph>,
    joints: &Joints,
    cuts: Vec<Vec<DecidedRun>>,
) {
    let more = cuts.iter().map(|cuts| cuts.len().saturating_sub(1)).sum();
    let mut decided = paragraphs.into_iter().zip(cuts).enumerate().peekable();
    document.replace_segments(more, |n, segment, segments| {
        let Some((number, (p, mut cuts))) = decided.next_if(|(_, (p, _))| p.segment == n) else {
            return segments.push_back(segment);
        };
        let joined = joints.of(number);
        for part in joined.unwrap_or(std::slice::from_ref(&segment)) {
            if part.layer != Layer::Undivided || cuts.is_empty() {
                segments.push_back(part.clone());
                continue;
            }
            cut_part(&p, part, (&mut cuts, joined.is_some()), segments);
        }
    });
}

/// Replaces a part of a paragraph, which is all of it unless it was joined, by the runs in it. A
/// run that goes on in the next part of a joined one is needed there too. Others give their
/// evidence up: a copy would be put where the paragraph was, and keep the memory around it from
/// being of use.
fn cut_part(
    p: &Paragraph,
    part: &Segment,
    (cuts, is_joined): (&mut [DecidedRun], bool),
    segments: &mut VecDeque<Segment>,
) {
    let start_of = |c: &DecidedRun| p.units[c.run.from].start;
    // A run that begins with the first character of the part begins with the part.
    let begun = |at: usize| p.key.index_at(at) <= p.key.index_at(part.span.start());
    let first = cuts.partition_point(|c| begun(start_of(c))).saturating_sub(1);
    let mut from = part.span.start();
    for i in first..cuts.len() {
        let next = cuts.get(i + 1).map_or(part.span.end(), start_of).min(part.span.end());
        // The evidence on the whole paragraph goes to its first run.
        let known = if i == first { &part.evidence[..] } else { &[] };
        let c = &mut cuts[i];
        let mut evidence =
            if is_joined { c.evidence.clone() } else { std::mem::take(&mut c.evidence) };
        if !known.is_empty() {
            evidence = known.iter().cloned().chain(evidence).collect();
        }
        let whole = if i == first { part.certainty } else { Certainty::SURE };
        let certainty = certainty_in(p, whole, c.certainty);
        segments.push_back(Segment::inferred(
            LAYERS[c.run.label],
            Span::new(from, next),
            certainty,
            evidence,
        ));
        if next == part.span.end() {
            break;
        }
        from = next;
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::model::{Evidence, EvidenceKind};
    use crate::passes::evidence::group;
    use crate::passes::evidence::run::{CLASSIC, NOTE};

    #[test]
    fn the_uncertainty_of_a_paragraph_lowers_only_its_first_run() {
        let mut document = Document::of_pieces(&[(Layer::Undivided, "甲乙丙丁。戊己庚辛。")]);
        document.segments[0].certainty = Certainty::new(0.5);
        document.segments[0].evidence = [Evidence::of(EvidenceKind::ReadsAsClassic)].into();
        let paragraphs = group::paragraphs(&document);
        let cut = |from, label, certainty| DecidedRun {
            run: Run { from, to: from + 1, label },
            certainty,
            evidence: [Evidence::of(EvidenceKind::Layout)].into(),
        };
        apply(
            &mut document,
            paragraphs,
            &Joints::default(),
            vec![vec![cut(0, CLASSIC, 0.9), cut(1, NOTE, 0.8)]],
        );
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
        let certainty = |p: &Paragraph| certainty_in(p, Certainty::SURE, 1.0);
        assert!(certainty(&paragraph) < Certainty::SURE);
        paragraph.guessed = true;
        assert!(certainty(&paragraph).get() < 0.7);
    }
}
