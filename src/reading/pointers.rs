//! A chapter with its document: ids of elements, and which elements a span of the source falls
//! into.
//!
//! Ids are a segment's own (`z3`), and for sentences the segment's with a number (`x1.2`), never
//! offsets. A [`WordRange`] gives the exact characters in such elements.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::ops::{Deref, Range};

use super::{Chapter, Element};
use crate::model::{Document, Layer};
use crate::source::Span;
use crate::text::class::is_content;

/// A document whose segments have valid ids, and its chapter.
pub(crate) struct ChapterText<'a> {
    pub(crate) document: Cow<'a, Document>,
    chapter: Chapter,
}

impl Deref for ChapterText<'_> {
    type Target = Chapter;

    fn deref(&self) -> &Chapter {
        &self.chapter
    }
}

impl<'a> ChapterText<'a> {
    /// Lays out a document and looks up the loci of its elements.
    pub(crate) fn of(document: &'a Document) -> Self {
        let document = numbered(document);
        let chapter = Chapter::of(&document);
        ChapterText { document, chapter }
    }

    /// Lays out a document that is only a target: its elements have no loci.
    pub(crate) fn outline(document: &'a Document) -> Self {
        let document = numbered(document);
        let chapter = Chapter::outline(&document);
        ChapterText { document, chapter }
    }

    /// Lays out only the segments that `span` touches, for pointers to it. The ids of the document
    /// must be valid ([`numbered`]).
    pub(crate) fn around(document: &'a Document, span: Span) -> Self {
        let from = document.segments.partition_point(|s| s.span.end() <= span.start());
        let end = span.end().max(span.start() + 1);
        let to = document.segments.partition_point(|s| s.span.start() < end);
        let chapter = Chapter::outline_of(document, from..to.max(from));
        ChapterText { document: Cow::Borrowed(document), chapter }
    }

    /// Id of an element.
    pub(crate) fn id(&self, element: &Element) -> ElementId<'_> {
        ElementId { segment: &self.document.segments[element.segment()].id, n: element.n() }
    }

    /// True if an element of text has content in `span`, not only punctuation and blanks.
    fn has_words_in(&self, element: &Element, span: Span) -> bool {
        let (from, to) =
            (element.span.start().max(span.start()), element.span.end().min(span.end()));
        element.layer.is_text()
            && from < to
            && self.document.source.text()[from..to].contains(is_content)
    }

    /// From the first to the last element of text with content in `span` (if none has content, with
    /// any characters). Elements between may not be text.
    pub(crate) fn meet(&self, span: Span) -> Range<usize> {
        let all = self.touched(span);
        let worded = |i: &usize| self.has_words_in(&self.elements[*i], span);
        let text = |i: &usize| self.elements[*i].layer.is_text();
        let ends = |wanted: &dyn Fn(&usize) -> bool| {
            Some(all.clone().find(wanted)?..all.clone().rfind(wanted)? + 1)
        };
        ends(&worded).or_else(|| ends(&text)).unwrap_or(all.start..all.start)
    }

    /// The elements that `span` points at: those with content in it, or if there are none, those
    /// that overlap it, except blanks between segments, which may not have an element.
    pub(crate) fn pointed(&self, span: Span) -> impl Iterator<Item = &Element> {
        let all = &self.elements[self.touched(span)];
        let any = all.iter().any(|e| self.has_words_in(e, span));
        all.iter()
            .filter(|e| e.layer != Layer::Blank)
            .filter(move |e| !any || self.has_words_in(e, span))
    }

    /// First and last element of `span` and the characters of `span` in them; `None` if it is not
    /// in text.
    pub(crate) fn word_range(&self, span: Span) -> Option<WordRange<'_>> {
        let range = self.meet(span);
        let (first, last) = (self.elements[range.clone()].first()?, self.elements[range].last()?);
        let count = |from: usize, to: usize| {
            let words = self.document.words(Span::new(from, to.max(from)));
            words.chars().filter(|c| !c.is_whitespace()).count()
        };
        Some(WordRange {
            from: (self.id(first), count(first.span.start(), span.start().max(first.span.start()))),
            to: (self.id(last), count(last.span.start(), span.end().min(last.span.end()))),
        })
    }
}

/// Id of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ElementId<'a> {
    segment: &'a str,
    n: usize,
}

impl fmt::Display for ElementId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.n {
            0 => f.write_str(self.segment),
            n => write!(f, "{}.{n}", self.segment),
        }
    }
}

/// A range of words: its first and last element, and how many characters (white space not counted)
/// come before its ends in each. Written `x1.2:0-x1.4:7`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordRange<'a> {
    pub(crate) from: (ElementId<'a>, usize),
    to: (ElementId<'a>, usize),
}

impl fmt::Display for WordRange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}-{}:{}", self.from.0, self.from.1, self.to.0, self.to.1)
    }
}

/// The document, with new ids if an id is invalid or used twice.
pub(crate) fn numbered(document: &Document) -> Cow<'_, Document> {
    if document.segments.iter().all(|s| is_sound(&s.id)) && !any_twice(document) {
        return Cow::Borrowed(document);
    }
    let mut copy = document.clone();
    copy.number();
    Cow::Owned(copy)
}

/// True if two segments have the same id. Those of a letter are usually in order.
fn any_twice(document: &Document) -> bool {
    let mut last = [(0, ""); 26];
    let follows = |id: &str, (len, before): (usize, &str)| (id.len(), id) > (len, before);
    let in_order = document.segments.iter().all(|s| {
        let id = s.id.as_str();
        let of_letter = id.bytes().next().and_then(|c| last.get_mut(usize::from(c - b'a')));
        of_letter.is_some_and(|last| follows(id, std::mem::replace(last, (id.len(), id))))
    });
    let mut seen = HashSet::new();
    !in_order && !document.segments.iter().all(|s| seen.insert(s.id.as_str()))
}

/// True for ids in the form of the model: one letter and a number.
fn is_sound(id: &str) -> bool {
    let digits = id.strip_prefix(|c: char| c.is_ascii_lowercase()).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}
