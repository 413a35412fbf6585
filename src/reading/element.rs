//! The smallest pieces of a chapter. A long text has half a million, so their numbers are kept in few
//! bytes.

use std::ops::Range;

use crate::corpus::loci::CitableUnit;
use crate::model::{Layer, LayerKind, LocusPath};
use crate::source::Span;

/// The smallest piece with an id: a sentence of the classic or a translation, or a whole segment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Element {
    /// Where it is in the source.
    pub(crate) span: Span,
    /// Its layer.
    pub(crate) layer: Layer,
    /// What lies between it and the text before it.
    pub(crate) gap: Gap,
    segment: u32,
    n: u32,
    sentence: u32,
    division: u32,
}

/// No sentence or division.
const NONE: u32 = u32::MAX;

impl Element {
    /// A piece of a segment, with its number there.
    pub(super) fn new(span: Span, layer: Layer, (segment, n): (usize, usize)) -> Self {
        let (segment, n) = (segment as u32, n as u32);
        Element { span, layer, gap: Gap::default(), segment, n, sentence: NONE, division: NONE }
    }

    /// The same with its sentence and division.
    pub(super) fn within(self, sentence: Option<usize>, division: Option<usize>) -> Self {
        let kept = |n: Option<usize>| n.map_or(NONE, |n| n as u32);
        Element { sentence: kept(sentence), division: kept(division), ..self }
    }

    /// The same after a gap.
    pub(super) fn after(self, gap: Gap) -> Self {
        Element { gap, ..self }
    }

    /// Index of its segment.
    pub(crate) fn segment(&self) -> usize {
        self.segment as usize
    }

    /// Number of the sentence in its segment, from 1; 0 for a whole segment.
    pub(crate) fn n(&self) -> usize {
        self.n as usize
    }

    /// Index of its number in the document's [`sentences`](crate::model::Document::sentences).
    pub(crate) fn sentence(&self) -> Option<usize> {
        (self.sentence != NONE).then_some(self.sentence as usize)
    }

    /// Index of the division it is in.
    pub(crate) fn division(&self) -> Option<usize> {
        (self.division != NONE).then_some(self.division as usize)
    }
}

/// A segment, or as much of it as lies in one section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Portion {
    segment: u32,
    elements: Range<u32>,
}

impl Portion {
    /// The portion that begins with an element, which has this index.
    pub(super) fn of(element: &Element, index: usize) -> Self {
        Portion { segment: element.segment, elements: index as u32..index as u32 + 1 }
    }

    /// Adds the next elements.
    pub(super) fn add(&mut self, elements: u32) {
        self.elements.end += elements;
    }

    /// Index of the segment.
    pub(crate) fn segment(&self) -> usize {
        self.segment as usize
    }

    /// Indices of its elements.
    pub(crate) fn elements(&self) -> Range<usize> {
        self.elements.start as usize..self.elements.end as usize
    }
}

/// True for layers whose elements are sentences.
pub(crate) fn has_sentences(layer: Layer) -> bool {
    matches!(layer.kind(), LayerKind::Base | LayerKind::Translation)
}

/// What is between an element and the element of text before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gap {
    /// A blank with a line end.
    pub(crate) blank_line: bool,
    /// A mark with a line end.
    pub(crate) mark_line: bool,
    /// Page furniture with a line end.
    furniture_line: bool,
    /// Page furniture.
    pub(crate) furniture: bool,
}

impl Gap {
    pub(super) fn add(&mut self, layer: Layer, words: &str) {
        let line = words.contains('\n');
        match layer {
            Layer::Furniture => {
                self.furniture = true;
                self.furniture_line |= line;
            }
            Layer::Blank => self.blank_line |= line,
            _ => self.mark_line |= line,
        }
    }

    /// This gap and the next together.
    pub(crate) fn and(self, next: Gap) -> Gap {
        Gap {
            blank_line: self.blank_line | next.blank_line,
            mark_line: self.mark_line | next.mark_line,
            furniture_line: self.furniture_line | next.furniture_line,
            furniture: self.furniture | next.furniture,
        }
    }

    /// True if a line of the source ends there, and with it a paragraph.
    pub(crate) fn ends_paragraph(self) -> bool {
        self.blank_line || self.mark_line || self.furniture_line
    }
}

/// The locus of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ElementLocus {
    /// Its sentence or note, without a sentence of the note.
    pub(crate) path: LocusPath,
    /// Number of sentences of the same note in segments before this one.
    pub(crate) before: u32,
    /// Layer of the segment.
    layer: Layer,
}

impl ElementLocus {
    /// The locus of an element that begins with a unit.
    pub(super) fn of(unit: &CitableUnit) -> Self {
        ElementLocus { path: unit.passage, before: unit.before, layer: unit.layer }
    }

    /// The locus of the element: for a 疏 that of its first sentence, for its lemma header number 0.
    pub(crate) fn whole(&self) -> LocusPath {
        let inner = match self.layer {
            Layer::ShuHeader => Some(0),
            Layer::Shu => Some(self.before + 1),
            _ => None,
        };
        LocusPath { inner, ..self.path }
    }
}
