//! How many Chinese characters of a document are in its layers, and how many in none.

use std::collections::BTreeMap;

use super::{Document, EvidenceKind, Layer, Segment};
use crate::source::Span;
use crate::text::class::is_content;

/// Chinese characters of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coverage {
    /// By layer; without titles, and without those in no layer. What is not yet separated is 未分.
    pub by_layer: BTreeMap<Layer, usize>,
    /// In no layer: other text than of the work, and page furniture.
    pub in_none: usize,
}

impl Coverage {
    /// Counts the characters of a document.
    pub fn of(document: &Document) -> Self {
        let mut coverage = Coverage::default();
        for segment in document.segments.iter() {
            match segment.layer {
                Layer::Mark | Layer::Blank | Layer::Heading => {}
                layer if is_in_none(layer) => coverage.in_none += han_in(document, segment),
                layer => {
                    *coverage.by_layer.entry(layer).or_default() += han_in(document, segment);
                }
            }
        }
        coverage
    }

    /// Those in no layer for which nothing accounts, and the longest segment of them: a preface is
    /// known to be none of the work, a table of contents is what its titles are, and of a page that
    /// stands twice one is enough.
    pub fn unexplained(document: &Document) -> (usize, Option<Span>) {
        let known = [
            EvidenceKind::OutsideTheChapters,
            EvidenceKind::RepeatedContent,
            EvidenceKind::TableOfContents,
        ];
        let explained = |s: &Segment| s.evidence.iter().any(|e| known.contains(&e.kind));
        let none = document.segments.iter().filter(|s| is_in_none(s.layer) && !explained(s));
        let counts: Vec<(usize, Span)> = none.map(|s| (han_in(document, s), s.span)).collect();
        let longest = counts.iter().max_by_key(|(n, _)| *n).map(|(_, span)| *span);
        (counts.iter().map(|(n, _)| n).sum(), longest)
    }

    /// Adds those of another document.
    pub fn add(&mut self, other: Coverage) {
        for (layer, n) in other.by_layer {
            *self.by_layer.entry(layer).or_default() += n;
        }
        self.in_none += other.in_none;
    }

    /// Share of the characters that are in no layer.
    pub fn share(&self) -> f64 {
        let all = self.by_layer.values().sum::<usize>() + self.in_none;
        self.in_none as f64 / all.max(1) as f64
    }
}

fn han_in(document: &Document, segment: &Segment) -> usize {
    let words = document.without_marks(segment.span);
    words.map(|span| document.slice(span).chars().filter(|c| is_han(*c)).count()).sum()
}

/// True for what is counted: letters and digits of other scripts are mostly markup.
fn is_han(c: char) -> bool {
    !c.is_ascii() && is_content(c) && !c.is_numeric()
}

fn is_in_none(layer: Layer) -> bool {
    layer == Layer::Other || layer == Layer::Furniture
}
