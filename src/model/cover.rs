//! Builds the segments of a source from its start to its end, so that a reader cannot leave a gap.

use super::{Cert, Evidence, Layer, Segment};
use crate::source::Span;

/// Segments in the making. Everything before [`Cover::at`] is covered; each step covers up to a further byte. Blanks at
/// the ends of words become segments of their own, and neighbouring blanks (or furniture) one segment.
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
}

impl<'a> Cover<'a> {
    /// Nothing covered yet.
    pub fn new(text: &'a str) -> Self {
        Cover { text, at: 0, segments: Vec::new() }
    }

    /// First byte that is not covered.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Layer of the last segment that is neither blank nor mark.
    pub fn last_text(&self) -> Option<Layer> {
        self.segments.iter().rev().map(|s| s.layer).find(|l| l.is_text())
    }

    /// Covers up to byte `end` with what the source itself marks; nothing if that is covered already.
    pub fn to(&mut self, end: usize, layer: Layer) {
        self.step(end, layer, Cert::SURE, None);
    }

    /// Covers up to byte `end` with what was inferred.
    pub fn inferred(&mut self, end: usize, layer: Layer, cert: f64, evidence: Evidence) {
        self.step(end, layer, Cert::new(cert), Some(evidence));
    }

    /// Covers the rest, which should be blank; words that no step has covered are [`Layer::Other`].
    pub fn finish(mut self) -> Vec<Segment> {
        self.to(self.text.len(), Layer::Other);
        self.segments
    }

    fn step(&mut self, end: usize, layer: Layer, cert: Cert, evidence: Option<Evidence>) {
        if end <= self.at {
            return;
        }
        let words = &self.text[self.at..end];
        if matches!(layer, Layer::Blank | Layer::Mark | Layer::Furniture) {
            return self.push(end, layer, cert, evidence);
        }
        let blank = |c: char| c.is_whitespace() || c == '\u{FEFF}';
        let (start, stop) = (end - words.trim_start_matches(blank).len(), self.at + words.trim_end_matches(blank).len());
        self.push(start, Layer::Blank, Cert::SURE, None);
        self.push(stop, layer, cert, evidence);
        self.push(end, Layer::Blank, Cert::SURE, None);
    }

    fn push(&mut self, end: usize, layer: Layer, cert: Cert, evidence: Option<Evidence>) {
        if end <= self.at {
            return;
        }
        let span = Span::new(self.at, end);
        self.at = end;
        match self.segments.last_mut() {
            Some(last) if last.layer == layer && matches!(layer, Layer::Blank | Layer::Furniture) => {
                last.span = Span::new(last.span.start(), end);
            }
            _ => self.segments.push(Segment::inferred(layer, span, cert, evidence.into_iter().collect())),
        }
    }
}
