//! Replaces the stretches by their runs.

use super::chain::Run;
use super::stretch::Stretch;
use crate::model::thresholds::INFERRED_AT_MOST;
use crate::model::{Certainty, Document, Evidence, EvidenceKind, Layer, Segment};
use crate::passes::evidence::run::{CLASSIC, NOTE};
use crate::source::Span;

/// Replaces the stretches by their runs.
pub fn apply(document: &mut Document, stretches: &[Stretch], cuts: &[Vec<Run>], states: &[Layer]) {
    let mut out = SegmentBuilder {
        marks: &document.marks,
        states,
        segments: Vec::with_capacity(document.segments.len() * 2),
        between: Vec::new(),
    };
    let mut cut = stretches.iter().zip(cuts).peekable();
    for (n, whole) in document.segments.iter().enumerate() {
        match cut.next_if(|(s, runs)| s.segment == n && !runs.is_empty()) {
            Some((stretch, runs)) => out.stretch(whole, stretch, runs),
            None => out.segments.push(whole.clone()),
        }
    }
    let SegmentBuilder { segments, between, .. } = out;
    let inside = |m: &Span| {
        let next = between.partition_point(|b| b.end() < m.end());
        !between.get(next).is_some_and(|b| b.contains(*m))
    };
    document.marks.retain(inside);
    document.segments = segments.into();
}

/// Collects the new segments.
struct SegmentBuilder<'a> {
    marks: &'a [Span],
    states: &'a [Layer],
    segments: Vec<Segment>,
    /// Spans that became segments between two layers: labels and page breaks.
    between: Vec<Span>,
}

impl SegmentBuilder<'_> {
    fn stretch(&mut self, whole: &Segment, stretch: &Stretch, runs: &[Run]) {
        let key = &stretch.key;
        let mut at = whole.span.start();
        for (n, run) in runs.iter().enumerate() {
            let place = |character: usize| self.before_mark(key.at[character] as usize);
            let start = if n == 0 && run.mark == 0 { at } else { place(run.from).max(at) };
            let label = if run.mark > 0 { place(run.from - run.mark) } else { start };
            self.mark(Span::new(at, label.max(at)));
            self.mark(Span::new(label.max(at), start));
            let next = runs.get(n + 1).map(|r| self.before_mark(key.at[r.from - r.mark] as usize));
            at = next.map_or(whole.span.end(), |next| self.turn(key.end(run.to - 1), next));
            at = at.max(start);
            // All of it is in a mark.
            if start == at {
                continue;
            }
            let certainty = Certainty::new(run.certainty.min(INFERRED_AT_MOST));
            let segment = Segment::inferred(
                self.states[run.state],
                Span::new(start, at),
                certainty,
                vec![why(stretch, run)],
            );
            self.segments.push(segment);
        }
    }

    fn mark(&mut self, span: Span) {
        if !span.is_empty() {
            self.between.push(span);
            self.segments.push(Segment::marked(Layer::Mark, span));
        }
    }

    /// The beginning of a mark that a place is in, which no border may cut; else the place.
    fn before_mark(&self, at: usize) -> usize {
        let first = self.marks.partition_point(|m| m.end() <= at);
        self.marks.get(first).map_or(at, |m| m.start().min(at))
    }

    /// The end of a run whose successor begins at `next`: before a page break that follows its last
    /// character.
    fn turn(&self, last: usize, next: usize) -> usize {
        let first = self.marks.partition_point(|m| m.start() < last);
        self.marks.get(first).filter(|m| m.end() <= next).map_or(next, |m| m.start())
    }
}

fn why(stretch: &Stretch, run: &Run) -> Evidence {
    let label = if run.state == 0 { CLASSIC } else { NOTE };
    match run.label {
        Some(_) => Evidence::new(
            EvidenceKind::LabelInLine,
            "the word before it, or its first words, name the layer",
        ),
        None if stretch.votes.sum(label, run.from, run.to) >= 1.0 => {
            stretch.votes.evidence(run.from, run.to, label)
        }
        None if stretch.hints.get(run.from).is_some_and(|h| h.names()[label]) => {
            Evidence::of(EvidenceKind::LemmaHeader)
        }
        None => Evidence::new(
            EvidenceKind::ReadsAsLayer,
            "nothing marks the border; the text reads like this layer from here on",
        ),
    }
}
