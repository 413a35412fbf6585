//! The text cut at its divisions: each part is a section, or what lies before, between or after
//! them.

use super::places::Places;
use crate::model::{Document, Layer};
use crate::source::Span;

/// A segment in a part, or the piece of it that lies there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Index of the segment.
    pub(super) segment: usize,
    /// The words.
    pub(super) span: Span,
    /// The segment begins here.
    pub(super) first: bool,
    /// The segment ends here.
    pub(super) last: bool,
}

impl Piece {
    /// Value of `@part`; nothing for a whole segment.
    pub(super) fn fragment(self) -> Option<&'static str> {
        match (self.first, self.last) {
            (true, true) => None,
            (true, false) => Some("I"),
            (false, false) => Some("M"),
            (false, true) => Some("F"),
        }
    }
}

/// A section, or a stretch outside all.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// Index of the division.
    pub(super) division: Option<usize>,
    /// What it holds.
    pub(super) pieces: Vec<Piece>,
    /// There is 疏 among it, so its passages are `div`s.
    pub(super) has_shu: bool,
}

/// Cuts the text. A division that begins inside a sentence begins with that sentence, one inside a
/// note with that note.
pub(super) fn parts(document: &Document, places: &Places) -> Vec<Part> {
    let bounds = bounds(document, places);
    let mut parts = Vec::with_capacity(bounds.len());
    let mut index = 0;
    for (division, span) in bounds {
        let mut part = Part { division, ..Part::default() };
        while let Some(s) = document.segments.get(index).filter(|s| s.span.start() < span.end()) {
            let (from, to) = (s.span.start().max(span.start()), s.span.end().min(span.end()));
            part.pieces.push(Piece {
                segment: index,
                span: Span::new(from, to),
                first: from == s.span.start(),
                last: to == s.span.end(),
            });
            part.has_shu |= matches!(s.layer, Layer::Shu | Layer::ShuHeader);
            if to < s.span.end() {
                break;
            }
            index += 1;
        }
        parts.push(part);
    }
    parts
}

/// Spans that cover the text, each with its division if it is one.
fn bounds(document: &Document, places: &Places) -> Vec<(Option<usize>, Span)> {
    let mut bounds = Vec::new();
    let mut at = 0;
    let end = document.source.text().len();
    for (i, d) in document.divisions.iter().enumerate() {
        let (from, to) =
            (snap(document, places, d.span.start()).max(at), snap(document, places, d.span.end()));
        if from >= to {
            continue;
        }
        if at < from {
            bounds.push((None, Span::new(at, from)));
        }
        bounds.push((Some(i), Span::new(from, to)));
        at = to;
    }
    if at < end {
        bounds.push((None, Span::new(at, end)));
    }
    bounds
}

/// The start of the sentence or segment that byte `at` is in.
fn snap(document: &Document, places: &Places, at: usize) -> usize {
    match places.all.get(places.from(at)) {
        Some(p) => p.span.start(),
        None => document.source.text().len(),
    }
}
