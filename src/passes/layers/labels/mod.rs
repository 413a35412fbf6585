//! Tells the labels that close a section (右戒百官, "the above: warning the officers") from the 經
//! they run into.
//!
//! Assumes that a label begins with 右 at the start of a paragraph, or with 右 in the last run of
//! one; and that a text which uses labels has several. 右 is an ordinary word of the 經 as well
//! (右還, 右祭脯醢), and a label may run straight into the next 經 (右…張侯|樂人宿縣…) or follow
//! the last one (…而俟|右獻獲者). Every way of cutting a run is a hypothesis, weighed by how its
//! parts read ([`reading`]: models of 經 and of labels learned from the document's own sure ones,
//! the words of the section the label sums up, and the commentator's own words), by the length
//! labels have, by line ends, and by other documents that have the same 經. The certainty is the
//! posterior probability of the cut.

mod reading;
mod runs;

use crate::diag::Diagnostic;
use crate::model::thresholds::NEEDS_REVIEW;
use crate::model::{Certainty, Document, Evidence, EvidenceKind, Layer, Segment};
use crate::passes::context::Context;
use crate::source::Span;
use reading::{Around, Reading, Weighed, is_own_note};
use runs::runs;

/// A text with fewer runs that open with 右 at a paragraph's edge has no labels.
const FEWEST: usize = 2;
/// How sure it is that a note on a label is the labeller's own.
const OWN_NOTE: f64 = 0.95;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let runs = runs(document);
    if runs.iter().filter(|r| r.opens_with_right() && (r.starts || r.ends)).count() < FEWEST {
        return;
    }
    let reading = Reading::learn(document, context, &runs);
    let mut cuts: Vec<(usize, Weighed)> = vec![];
    // A section has one label: where one has just closed it, the next paragraph does not open with
    // another.
    let mut closed = false;
    for (n, run) in runs.iter().enumerate() {
        let labelled_next =
            runs.get(n + 1).is_some_and(|next| next.starts && next.opens_with_right());
        let best = reading.weigh(&runs, n, Around { closed, labelled_next });
        closed = run.ends
            && best.as_ref().is_some_and(|b| b.label.end() == run.key.span(0, run.key.len()).end());
        cuts.extend(best.map(|b| (run.segment, b)));
    }
    apply(document, cuts);
    own_notes(document);
}

/// Puts the pieces in the place of the runs that were cut; `cuts` are in the order of the segments.
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
    document.segments = out;
}

fn cut(document: &mut Document, whole: Segment, best: &Weighed, parts: &mut Vec<Segment>) {
    let label = best.label;
    if whole.span.start() < label.start() {
        parts.push(Segment { span: Span::new(whole.span.start(), label.start()), ..whole.clone() });
    }
    let certainty = Certainty::new(best.p);
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
    if best.p < NEEDS_REVIEW {
        let message = format!(
            "where the label “{}” ends is not sure (probability {:.2})",
            document.slice(label),
            best.p
        );
        let hint = "put the label on a line of its own, or give a marked edition with --with";
        document.diagnostics.push(Diagnostic::warning("label-unsure", label, message).hint(hint));
    }
}

/// A note that stands on a label is by whoever wrote the label, not by the commentator of the 經.
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
                s.certainty = Certainty::new(OWN_NOTE);
                s.evidence = vec![Evidence::new(
                    EvidenceKind::NoteOnLabel,
                    "a note on a section label, which the classic's commentator did not have",
                )];
                after_label = false;
            }
            _ => after_label = false,
        }
    }
}
