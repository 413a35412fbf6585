//! Builds the segments of a source from start to end, so that a reader cannot leave a gap.

use super::{Certainty, Document, Evidence, Layer, Segment, SharedList};
use crate::source::Span;

/// Segments under construction. Everything before [`Cover::at`] is covered; each step covers the
/// text up to a later byte. Blanks around text become segments of their own; adjacent blanks (or
/// furniture) become one segment.
///
/// ```
/// use zhushu::model::{Cover, Layer};
/// let text = "[疏] 釋曰\n";
/// let mut cover = Cover::new(text);
/// cover.to("[疏]".len(), Layer::Mark);
/// cover.to(text.len(), Layer::Shu);
/// let layers: Vec<_> = cover.finish().iter().map(|s| s.layer).collect();
/// assert_eq!(layers, [Layer::Mark, Layer::Blank, Layer::Shu, Layer::Blank]);
/// ```
#[derive(Debug)]
pub struct Cover<'a> {
    text: &'a str,
    at: usize,
    segments: Vec<Segment>,
    marks: Vec<Span>,
}

impl<'a> Cover<'a> {
    /// Nothing covered yet.
    pub fn new(text: &'a str) -> Self {
        Cover { text, at: 0, segments: Vec::new(), marks: Vec::new() }
    }

    /// First byte that is not covered.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Covers up to byte `end` with a layer that the source itself marks. Does nothing if that is
    /// already covered.
    pub fn to(&mut self, end: usize, layer: Layer) {
        self.step(end, layer, Certainty::SURE, None);
    }

    /// Covers up to byte `end` with an inferred layer.
    pub fn inferred(&mut self, end: usize, layer: Layer, certainty: f64, evidence: Evidence) {
        self.step(end, layer, Certainty::new(certainty), Some(evidence));
    }

    /// Extends the last text segment to byte `end`. What lies between it and byte `marks` becomes a
    /// mark inside the segment.
    pub(crate) fn go_on(&mut self, marks: usize, end: usize) {
        let blank = self.segments.pop_if(|s| s.layer == Layer::Blank).map(|s| s.span.start());
        let Some(last) = self.segments.last_mut() else { return self.to(end, Layer::Other) };
        let from = blank.unwrap_or(self.at);
        if from < marks {
            self.marks.push(Span::new(from, marks));
        }
        self.at = marks + self.text[marks..end].trim_end_matches(is_blank).len();
        last.span = Span::new(last.span.start(), self.at);
        self.push(end, Layer::Blank, Certainty::SURE, None);
    }

    /// Extends the last text segment over a blank. What lies between them becomes a mark.
    pub(crate) fn keep_blank(&mut self, blank: Span) {
        let before = self.segments.pop_if(|s| s.layer == Layer::Blank).map(|s| s.span.start());
        let Some(last) = self.segments.last_mut() else { return };
        let from = before.unwrap_or(self.at);
        if from < blank.start() {
            self.marks.push(Span::new(from, blank.start()));
        }
        self.at = blank.end();
        last.span = Span::new(last.span.start(), self.at);
    }

    /// Covers the rest and gives segments and marks to `document`.
    pub(crate) fn finish_into(mut self, document: &mut Document) {
        document.marks = std::mem::take(&mut self.marks).into();
        document.segments = self.finish().into();
    }

    /// Covers the rest, which should be blank. Text that no step has covered becomes
    /// [`Layer::Other`].
    pub fn finish(mut self) -> Vec<Segment> {
        self.to(self.text.len(), Layer::Other);
        self.segments
    }

    fn step(&mut self, end: usize, layer: Layer, certainty: Certainty, evidence: Option<Evidence>) {
        if end <= self.at {
            return;
        }
        let words = &self.text[self.at..end];
        if matches!(layer, Layer::Blank | Layer::Mark | Layer::Furniture) {
            return self.push(end, layer, certainty, evidence);
        }
        let (start, stop) = (
            end - words.trim_start_matches(is_blank).len(),
            self.at + words.trim_end_matches(is_blank).len(),
        );
        self.push(start, Layer::Blank, Certainty::SURE, None);
        self.push(stop, layer, certainty, evidence);
        self.push(end, Layer::Blank, Certainty::SURE, None);
    }

    fn push(&mut self, end: usize, layer: Layer, certainty: Certainty, evidence: Option<Evidence>) {
        if end <= self.at {
            return;
        }
        let span = Span::new(self.at, end);
        self.at = end;
        match self.segments.last_mut() {
            Some(last)
                if last.layer == layer && matches!(layer, Layer::Blank | Layer::Furniture) =>
            {
                last.span = Span::new(last.span.start(), end);
            }
            _ => self.segments.push(Segment::inferred(
                layer,
                span,
                certainty,
                SharedList::from_iter(evidence),
            )),
        }
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{FEFF}'
}
