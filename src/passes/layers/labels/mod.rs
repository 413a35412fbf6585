//! Separates the labels that close a section (右戒百官, "the above: warning the officers") from the
//! 經 that adjoins them.
//!
//! Assumes that a label begins with 右 at the start of a paragraph, or with 右 in its last run, and
//! that a text with labels has several. 右 is also an ordinary word of the 經 (右還, 右祭脯醢). A
//! label may run straight into the next 經 (右…張侯|樂人宿縣…) or follow the last one
//! (…而俟|右獻獲者). Every way of cutting a run is a hypothesis. It is weighed by how its parts
//! read ([`reading`]: models of 經 and of labels, trained on the document's own certain ones; the
//! words of the section that the label sums up; the labeller's own notes), by the usual length of
//! labels, by line ends, and by other documents with the same 經. The certainty is the posterior
//! probability of the cut.

mod reading;
mod runs;

use crate::diag::Diagnostic;
use crate::model::thresholds::NEEDS_REVIEW;
use crate::model::{Certainty, Document, Evidence, EvidenceKind, Layer, Segment};
use crate::passes::context::Context;
use crate::source::Span;
use reading::{LabelModels, Neighbours, Weighed, is_own_note};
use runs::runs;

/// A text with labels has at least this many runs that open with 右 and touch a paragraph's edge.
const MIN_RIGHT_RUNS: usize = 2;
/// Certainty that a note on a label is the labeller's own.
const OWN_NOTE_CERTAINTY: f64 = 0.95;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let runs = runs(document);
    if runs.iter().filter(|r| r.opens_with_right() && (r.starts || r.ends)).count() < MIN_RIGHT_RUNS
    {
        return;
    }
    let reading = LabelModels::learn(document, context, &runs);
    let mut cuts: Vec<(usize, Weighed)> = vec![];
    // A section has one label: if one has just closed it, the next paragraph does not open with
    // another.
    let mut closed = false;
    for (n, run) in runs.iter().enumerate() {
        let labelled_next =
            runs.get(n + 1).is_some_and(|next| next.starts && next.opens_with_right());
        let best = reading.weigh(&runs, n, Neighbours { closed, labelled_next });
        closed = run.ends
            && best.as_ref().is_some_and(|b| b.label.end() == run.key.span(0, run.key.len()).end());
        cuts.extend(best.map(|b| (run.segment, b)));
    }
    apply(document, cuts);
    own_notes(document);
}

/// Replaces the runs that were cut by their pieces; `cuts` are in the order of the segments.
fn apply(document: &mut Document, cuts: Vec<(usize, Weighed)>) {
    let segments = std::mem::take(&mut document.segments);
    let mut out = Vec::with_capacity(segments.len() + 2 * cuts.len());
    let mut cuts = cuts.into_iter().peekable();
    for (i, whole) in segments.into_iter().enumerate() {
        match cuts.next_if(|(at, _)| *at == i) {
            Some((_, best)) => cut(document, whole, &best, &mut out),
            None => out.push(whole),
        }
    }
    document.segments = out.into();
}

fn cut(document: &mut Document, whole: Segment, best: &Weighed, parts: &mut Vec<Segment>) {
    let label = best.label;
    if whole.span.start() < label.start() {
        parts.push(Segment { span: Span::new(whole.span.start(), label.start()), ..whole.clone() });
    }
    let certainty = Certainty::new(best.certainty);
    parts.push(Segment::inferred(Layer::Label, label, certainty, best.evidence.clone()));
    let rest = Span::new(label.end(), whole.span.end());
    let blank = rest.len() - document.slice(rest).trim_start().len();
    if blank > 0 {
        parts.push(Segment::marked(Layer::Blank, Span::new(rest.start(), rest.start() + blank)));
    }
    if blank < rest.len() {
        let why =
            vec![Evidence::new(EvidenceKind::AfterLabel, "the section label before it ends here")];
        parts.push(Segment::inferred(
            Layer::Jing,
            Span::new(rest.start() + blank, rest.end()),
            certainty,
            why,
        ));
    }
    if best.certainty < NEEDS_REVIEW {
        let message = format!(
            "the end of the label “{}” is uncertain (probability {:.2})",
            document.slice(label),
            best.certainty
        );
        let hint = "put the label on a line of its own, or give a marked edition with --with";
        document.diagnostics.push(Diagnostic::warning("label-unsure", label, message).hint(hint));
    }
}

/// Makes a note on a label the labeller's, not that of the commentator of the 經.
fn own_notes(document: &mut Document) {
    let own = document.segments.iter().map(|s| s.layer).find(|l| is_own_note(*l));
    let Some(own) = own else { return };
    let mut after_label = false;
    for i in 0..document.segments.len() {
        let s = &mut document.segments[i];
        match s.layer {
            Layer::Label => after_label = true,
            Layer::Mark | Layer::Blank => {}
            Layer::Zhu if after_label => {
                s.layer = own;
                s.certainty = Certainty::new(OWN_NOTE_CERTAINTY);
                s.evidence = [Evidence::new(
                    EvidenceKind::NoteOnLabel,
                    "a note on a section label, which the classic's commentator did not have",
                )]
                .into();
                after_label = false;
            }
            _ => after_label = false,
        }
    }
}
