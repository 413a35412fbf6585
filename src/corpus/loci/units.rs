//! The stretches of a document that have loci of their own.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::numbered::NumberPlaces;
use crate::model::{
    Document, Layer, LayerKind, LocusPath, NoteName, Role, Segment, Sentence, SentenceNumber,
};
use crate::source::Span;
use crate::text::sentences;

/// The smallest stretch that has its own locus: a sentence of the classic or a part of one, or a
/// segment of any other layer.
#[derive(Clone, Copy, Debug)]
pub struct CitableUnit {
    /// Where it is.
    pub span: Span,
    /// Its layer.
    pub layer: Layer,
    /// Index of its segment.
    pub segment: usize,
    /// Its place in the chapter; without a sentence inside.
    pub passage: LocusPath,
    /// Sentences of the same note in segments before this one.
    pub before: u32,
}

/// All of a document in order. A long text has hundreds of thousands, so they are kept in few
/// bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Units {
    all: Vec<PackedUnit>,
    /// The first unit of each section, and its number.
    sections: Vec<(u32, u32)>,
    /// For a unit that goes on with a note, the sentences of the note before it.
    before: FxHashMap<u32, u32>,
}

/// A unit in 24 bytes. Its passage has a sentence, and nothing inside.
#[derive(Clone, Debug, PartialEq)]
struct PackedUnit {
    span: Span,
    segment: u32,
    sentence: u32,
    /// Which part of the sentence; of a note, which of its layer there.
    nth: u32,
    layer: Layer,
    note: Option<Layer>,
}

impl Units {
    /// Computes the units of a document.
    pub(crate) fn of(document: &Document) -> Self {
        let mut units = Units::of_segments(document, 0..document.segments.len());
        units.all.shrink_to_fit();
        units
    }

    /// Computes those that share characters with a span, and those before them from where a
    /// sentence of the classic begins.
    pub(crate) fn around(document: &Document, span: Span) -> Self {
        let end = span.end().max(span.start() + 1);
        let first = document.segments.partition_point(|s| s.span.end() <= span.start());
        let last = document.segments.partition_point(|s| s.span.start() < end);
        let begins = |i: &usize| begins_sentence(document, &document.segments[*i]);
        let from = (0..document.segments.len().min(first + 1)).rev().find(begins).unwrap_or(0);
        Units::of_segments(document, from..last.max(from))
    }

    fn of_segments(document: &Document, range: Range<usize>) -> Self {
        // A document whose 經 is not numbered yet has no loci.
        let unnumbered = document.sentences.is_empty() && document.segments.iter().any(is_classic);
        let segments = if unnumbered { &[] } else { &document.segments[range.clone()] };
        let some = range.start..range.start + segments.len();
        let mut namer = Namer { numbered: NumberPlaces::of(document, some), ..Namer::default() };
        let mut units = Units::default();
        for (i, s) in range.zip(segments).filter(|(_, s)| is_cited(document, s)) {
            namer.segment(document, i, s, &mut units);
        }
        units
    }

    fn push(&mut self, unit: &CitableUnit) {
        let n = self.all.len() as u32;
        let LocusPath { section, sentence, note, .. } = unit.passage;
        let (sentence, part) = sentence.map_or((0, 0), |s| (s.n, s.part));
        if self.sections.last().is_none_or(|(_, last)| *last != section) {
            self.sections.push((n, section));
        }
        if unit.before > 0 {
            self.before.insert(n, unit.before);
        }
        self.all.push(PackedUnit {
            span: unit.span,
            segment: unit.segment as u32,
            sentence,
            nth: note.map_or(part, |n| n.nth),
            layer: unit.layer,
            note: note.map(|n| n.layer),
        });
    }

    /// True if there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Unit number `n`.
    pub(crate) fn get(&self, n: usize) -> CitableUnit {
        let unit = &self.all[n];
        let note = unit.note.map(|layer| NoteName { layer, nth: unit.nth });
        let part = if note.is_some() { 0 } else { unit.nth };
        let section = self.sections.partition_point(|(first, _)| *first as usize <= n);
        let (_, section) = self.sections[section - 1];
        CitableUnit {
            span: unit.span,
            layer: unit.layer,
            segment: unit.segment as usize,
            passage: LocusPath { note, ..LocusPath::sentence(section, unit.sentence, part) },
            before: self.before.get(&(n as u32)).copied().unwrap_or_default(),
        }
    }

    /// All, in the order of the text.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = CitableUnit> + ExactSizeIterator {
        (0..self.all.len()).map(|n| self.get(n))
    }

    /// Numbers of those that share characters with `span`; for an empty one, of that which contains
    /// it.
    pub(crate) fn meet(&self, span: Span) -> Range<usize> {
        let end = span.end().max(span.start() + 1);
        let first = self.all.partition_point(|u| u.span.end() <= span.start());
        let last = first + self.all[first..].partition_point(|u| u.span.start() < end);
        first..last
    }

    /// Numbers of those that begin after byte `at`.
    pub(super) fn after(&self, at: usize) -> Range<usize> {
        self.all.partition_point(|u| u.span.start() <= at)..self.all.len()
    }
}

/// True for a segment of the classic with which another sentence begins: what has a locus from
/// there on does not depend on what is before.
fn begins_sentence(document: &Document, segment: &Segment) -> bool {
    let first = document.sentences.partition_point(|j| j.span.start() < segment.span.start());
    let begins = |n: usize| {
        let number = |n: usize| (document.sentences[n].section, document.sentences[n].n);
        let own = document.sentences[n].span.start() < segment.span.end();
        own && n.checked_sub(1).is_none_or(|before| number(before) != number(n))
    };
    is_classic(segment)
        && is_cited(document, segment)
        && first < document.sentences.len()
        && begins(first)
}

fn is_classic(segment: &Segment) -> bool {
    matches!(segment.layer.kind(), LayerKind::Base | LayerKind::Undivided)
}

/// True for layers cited by locus: all text except translations, which are cited by what they
/// translate.
fn is_cited(document: &Document, segment: &Segment) -> bool {
    segment.layer.is_text()
        && segment.layer.kind() != LayerKind::Translation
        && document.meta.role == Role::Witness
}

/// Computes the loci of segments in order.
#[derive(Default)]
struct Namer<'d> {
    section: u32,
    sentence: u32,
    /// Notes after the last sentence, by layer.
    counts: FxHashMap<Layer, u32>,
    /// The current note: its name and the number of its sentences so far.
    open: Option<(NoteName, u32)>,
    /// The numbers of notes, if there are any.
    numbered: Option<NumberPlaces<'d>>,
}

impl Namer<'_> {
    fn segment(&mut self, document: &Document, index: usize, s: &Segment, units: &mut Units) {
        if is_classic(s) {
            self.open = None;
            return self.classic(document, index, s, units);
        }
        self.left_out(document, s.span.start());
        let about = self.numbered.as_ref().and_then(|places| places.about(index));
        if let Some((ju, note)) = about {
            let passage =
                LocusPath { note: Some(note), ..LocusPath::sentence(ju.section, ju.n, 0) };
            let (span, layer, segment) = (s.span, s.layer, index);
            return units.push(&CitableUnit { span, layer, segment, passage, before: 0 });
        }
        let layer = if s.layer == Layer::ShuHeader { Layer::Shu } else { s.layer };
        let goes_on =
            s.layer == Layer::Shu && self.open.is_some_and(|(n, _)| n.layer == Layer::Shu);
        if !goes_on {
            // Notes with numbers in this sentence have the first names.
            let own = self.numbers(document, s.span.start());
            let nth = self.counts.entry(layer).or_insert(own.unwrap_or(0));
            *nth += 1;
            self.open = Some((NoteName { layer, nth: *nth }, 0));
        }
        let Some((note, before)) = &mut self.open else { return };
        let sentence = Some(SentenceNumber { n: self.sentence, part: 0 });
        let passage = LocusPath { section: self.section, sentence, note: Some(*note), inner: None };
        let segment = index;
        let unit = CitableUnit { span: s.span, layer: s.layer, segment, passage, before: *before };
        units.push(&unit);
        if s.layer == Layer::Shu {
            *before += sentences(document.source.text(), s.span).len() as u32;
        }
    }

    /// How many numbers of notes the current sentence has before byte `at`, if there are any.
    fn numbers(&self, document: &Document, at: usize) -> Option<u32> {
        let places = self.numbered.as_ref()?;
        let before = document.sentences.partition_point(|j| j.span.start() < at);
        let own = |j: &&Sentence| (j.section, j.n) == (self.section, self.sentence);
        let first = document.sentences[..before].iter().rev().take_while(own).last();
        Some(first.map_or(0, |j| places.between(Span::new(j.span.start(), at))))
    }

    /// Sentences that an edition leaves out (their spans are empty) still give numbers to their
    /// notes.
    fn left_out(&mut self, document: &Document, until: usize) {
        let before = document.sentences.partition_point(|j| j.span.start() <= until);
        let Some(ju) = document.sentences[..before].last().filter(|j| j.span.is_empty()) else {
            return;
        };
        if (ju.section, ju.n) != (self.section, self.sentence) {
            self.counts.clear();
            self.open = None;
            (self.section, self.sentence) = (ju.section, ju.n);
        }
    }

    fn classic(&mut self, document: &Document, index: usize, s: &Segment, units: &mut Units) {
        document.each_sentence(s, |span, ju| {
            let Some(ju) = ju.map(|i| document.sentences[i]) else { return };
            if (ju.section, ju.n) != (self.section, self.sentence) {
                self.counts.clear();
            }
            (self.section, self.sentence) = (ju.section, ju.n);
            let passage = LocusPath::sentence(ju.section, ju.n, ju.part);
            let unit = CitableUnit { span, layer: s.layer, segment: index, passage, before: 0 };
            units.push(&unit);
        });
    }
}
