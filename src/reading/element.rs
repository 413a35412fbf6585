//! The smallest pieces of a chapter. A long text has half a million, so their numbers are kept in
//! few bytes.

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

/// What is between an element and the element of text before it, each kind a bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gap(u8);

/// A blank with a line end.
const BLANK_LINE: u8 = 1;
/// A mark with a line end.
const MARK_LINE: u8 = 2;
/// Page furniture with a line end.
const FURNITURE_LINE: u8 = 4;
/// Page furniture.
const FURNITURE: u8 = 8;

impl Gap {
    pub(super) fn add(&mut self, layer: Layer, words: &str) {
        self.0 |= match (layer, words.contains('\n')) {
            (Layer::Furniture, true) => FURNITURE | FURNITURE_LINE,
            (Layer::Furniture, false) => FURNITURE,
            (_, false) => 0,
            (Layer::Blank, true) => BLANK_LINE,
            (_, true) => MARK_LINE,
        };
    }

    /// This gap and the next together.
    pub(crate) fn and(self, next: Gap) -> Gap {
        Gap(self.0 | next.0)
    }

    fn has(self, kinds: u8) -> bool {
        self.0 & kinds != 0
    }

    /// True if a blank with a line end is there.
    pub(crate) fn blank_line(self) -> bool {
        self.has(BLANK_LINE)
    }

    /// True if a mark with a line end is there.
    pub(crate) fn mark_line(self) -> bool {
        self.has(MARK_LINE)
    }

    /// True if page furniture is there.
    pub(crate) fn furniture(self) -> bool {
        self.has(FURNITURE)
    }

    /// True if a line of the source ends there, and with it a paragraph.
    pub(crate) fn ends_paragraph(self) -> bool {
        self.has(BLANK_LINE | MARK_LINE | FURNITURE_LINE)
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
