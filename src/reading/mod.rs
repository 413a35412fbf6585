//! The reading model: a document in the order of reading, computed once. TEI, pages, editions, the
//! index and the search of a site are views of it.
//!
//! A [`Chapter`] is cut three times, each cut inside the one before:
//!
//! * [`Section`]: a division of the text, or what lies before, between or after divisions;
//! * [`Portion`]: a segment, or as much of it as lies in one section;
//! * [`Element`]: a sentence of the classic or a translation, or all of any other segment.
//!
//! Elements cover the source from end to end, so every character is in exactly one. They have the
//! ids that TEI and pages write (`x1.2`) and the loci that people cite.
//!
//! Formats group portions differently, on purpose. Each grouping is a function of the chapter:
//!
//! * [`Passages`] of a page: a run of the classic with its commentaries; a note ends a passage
//!   unless it interrupts a sentence;
//! * [`groups`] of the index: like passages, but all that one 疏 explains is one group;
//! * [`paragraphs`] of editions: notes stay in the paragraph of the source that they are in.
//!
//! TEI writes sections and portions directly. A chapter is plain data computed only from a
//! document, so it can be cached; [`ChapterText`] joins it with the document again.

mod element;
pub mod glosses;
mod groups;
mod leaves;
mod names;
mod paragraphs;
mod passages;
mod pointers;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::corpus::loci::Units;
use crate::model::Document;
use crate::source::Span;

pub(crate) use element::{Element, ElementLocus, Gap, Portion, has_sentences};
pub(crate) use groups::groups;
pub(crate) use leaves::{Leaf, Leaves, leaves_in};
pub(crate) use names::{MarkedName, NameKind, marked_names};
pub(crate) use paragraphs::{Paragraph, paragraphs};
pub(crate) use passages::{Block, Passage, Passages, SubCommentary};
pub(crate) use pointers::{ChapterText, numbered};

/// A chapter in the order of reading.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Chapter {
    /// In order; they cover the source.
    pub(crate) elements: Vec<Element>,
    /// In order; they cover the elements.
    pub(crate) portions: Vec<Portion>,
    /// In order; they cover the portions.
    pub(crate) sections: Vec<Section>,
    /// What has a locus of its own. Empty if nothing has, and in an [outline](Chapter::outline).
    units: Units,
}

/// A division, or text outside all divisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    /// Index of the division.
    pub(crate) division: Option<usize>,
    /// Indices of its portions.
    pub(crate) portions: Range<usize>,
}

/// The passages of a document as its page shows them. Each is a list of what it consists of, in
/// order: segments, or parts of them, with the index of the segment.
///
/// ```
/// use zhushu::{pipeline, source::Source};
/// let text = "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:陰陽對合。\n";
/// let library = pipeline::convert(Source::from_text("demo.txt", text), None)?;
/// let document = &library.documents[0];
/// let passages = zhushu::passages_of(document);
/// let layers: Vec<_> = passages[0].iter().map(|(i, _)| document.segments[*i].layer.zh()).collect();
/// assert_eq!(layers, ["經", "注", "疏首", "疏"]);
/// # Ok::<(), zhushu::diag::Error>(())
/// ```
pub fn passages_of(document: &Document) -> Vec<Vec<(usize, Span)>> {
    let chapter = Chapter::outline(document);
    let parts = |p: &Passage| p.portions().map(|p| (p.segment(), chapter.span(p))).collect();
    let passages = Passages::of(&chapter, document);
    passages.iter().map(|p| parts(&p)).collect()
}

impl Chapter {
    /// Lays out a document and looks up the loci of its elements.
    pub(crate) fn of(document: &Document) -> Self {
        Chapter { units: Units::of(document), ..Chapter::outline(document) }
    }

    /// Lays out a document without loci, which take longer than everything else.
    pub(crate) fn outline(document: &Document) -> Self {
        Chapter::outline_of(document, 0..document.segments.len())
    }

    /// The outline of some segments only.
    fn outline_of(document: &Document, segments: Range<usize>) -> Self {
        let mut elements: Vec<Element> = Vec::with_capacity(segments.len());
        let mut gap = Gap::default();
        for (segment, s) in segments.clone().zip(&document.segments[segments]) {
            if !s.layer.is_text() {
                gap.add(s.layer, document.slice(s.span));
            }
            let mut n = usize::from(has_sentences(s.layer));
            let mut add = |span, sentence| {
                let gap = if s.layer.is_text() { std::mem::take(&mut gap) } else { Gap::default() };
                let division = document.division_at(span);
                let element = Element::new(span, s.layer, (segment, n));
                elements.push(element.within(sentence, division).after(gap));
                n += 1;
            };
            match has_sentences(s.layer) {
                true => document.each_sentence(s, add),
                false => add(s.span, None),
            }
        }
        elements.shrink_to_fit();
        let mut chapter = Chapter { elements, ..Chapter::default() };
        chapter.cut();
        chapter
    }

    /// Cuts the elements into portions and those into sections.
    fn cut(&mut self) {
        for (i, e) in self.elements.iter().enumerate() {
            let turns = i == 0 || self.elements[i - 1].division() != e.division();
            match self.portions.last_mut() {
                Some(p) if p.segment() == e.segment() && !turns => p.add(1),
                _ => self.portions.push(Portion::of(e, i)),
            }
            let n = self.portions.len();
            match self.sections.last_mut() {
                Some(section) if !turns => section.portions.end = n,
                _ => self.sections.push(Section { division: e.division(), portions: n - 1..n }),
            }
        }
    }

    /// Index of the first element that ends after byte `at`.
    pub(crate) fn from(&self, at: usize) -> usize {
        self.elements.partition_point(|e| e.span.end() <= at)
    }

    /// The elements that overlap `span`; for an empty span, the element that contains it.
    pub(crate) fn touched(&self, span: Span) -> Range<usize> {
        let from = self.from(span.start());
        let end = span.end().max(span.start() + 1);
        from..from + self.elements[from..].partition_point(|e| e.span.start() < end)
    }

    /// The first element of a portion.
    pub(crate) fn first(&self, portion: &Portion) -> &Element {
        &self.elements[portion.elements().start]
    }

    /// Where a portion is in the source.
    pub(crate) fn span(&self, portion: &Portion) -> Span {
        let last = &self.elements[portion.elements().end - 1];
        Span::new(self.first(portion).span.start(), last.span.end())
    }

    /// The locus of an element: that of the first citable unit in it. None in an
    /// [outline](Chapter::outline).
    pub(crate) fn locus(&self, element: usize) -> Option<ElementLocus> {
        let met = self.units.meet(self.elements.get(element)?.span);
        (!met.is_empty()).then(|| ElementLocus::of(&self.units.get(met.start)))
    }

    /// True if the document has loci.
    pub(crate) fn is_cited(&self) -> bool {
        !self.units.is_empty()
    }

    /// The first portion of each segment.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &Portion> {
        self.portions.iter().filter(|p| self.begins_segment(p))
    }

    /// The elements of a segment.
    pub(crate) fn of_segment(&self, segment: usize) -> Range<usize> {
        let from = self.elements.partition_point(|e| e.segment() < segment);
        from..from + self.elements[from..].partition_point(|e| e.segment() == segment)
    }

    /// True if a portion begins its segment.
    pub(crate) fn begins_segment(&self, portion: &Portion) -> bool {
        portion
            .elements()
            .start
            .checked_sub(1)
            .is_none_or(|i| self.elements[i].segment() != portion.segment())
    }

    /// True if a portion ends its segment.
    pub(crate) fn ends_segment(&self, portion: &Portion) -> bool {
        self.elements.get(portion.elements().end).is_none_or(|e| e.segment() != portion.segment())
    }

    /// Which part of its segment a portion is, as in TEI's `@part`: initial, medial, final; none
    /// for a whole segment.
    pub(crate) fn fragment(&self, portion: &Portion) -> Option<&'static str> {
        match (self.begins_segment(portion), self.ends_segment(portion)) {
            (true, true) => None,
            (true, false) => Some("I"),
            (false, false) => Some("M"),
            (false, true) => Some("F"),
        }
    }

    /// The portions that are text.
    fn text(&self) -> impl Iterator<Item = (&Portion, &Element)> {
        let all = self.portions.iter().map(|p| (p, self.first(p)));
        all.filter(|(_, e)| e.layer.is_text())
    }
}
