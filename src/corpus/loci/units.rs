//! The stretches of a document that have loci of their own.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::model::{
    Document, Layer, LayerKind, LocusPath, NoteName, Role, Segment, SentenceNumber,
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

/// All of a document in order. A long text has hundreds of thousands, so they are kept in few bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Units(Box<[PackedUnit]>);

/// A unit in 32 bytes. Its passage has a sentence, and nothing inside.
#[derive(Clone, Debug, PartialEq)]
struct PackedUnit {
    span: Span,
    segment: u32,
    section: u32,
    sentence: u32,
    /// Which part of the sentence; of a note, which of its layer there.
    nth: u32,
    before: u32,
    layer: Layer,
    note: Option<Layer>,
}

impl PackedUnit {
    fn of(unit: &CitableUnit) -> Self {
        let LocusPath { section, sentence, note, .. } = unit.passage;
        let SentenceNumber { n, part } = sentence.unwrap_or(SentenceNumber { n: 0, part: 0 });
        PackedUnit {
            span: unit.span,
            segment: unit.segment as u32,
            section,
            sentence: n,
            nth: note.map_or(part, |n| n.nth),
            before: unit.before,
            layer: unit.layer,
            note: note.map(|n| n.layer),
        }
    }

    fn unit(&self) -> CitableUnit {
        let note = self.note.map(|layer| NoteName { layer, nth: self.nth });
        let part = if note.is_some() { 0 } else { self.nth };
        let passage = LocusPath { note, ..LocusPath::sentence(self.section, self.sentence, part) };
        CitableUnit {
            span: self.span,
            layer: self.layer,
            segment: self.segment as usize,
            passage,
            before: self.before,
        }
    }
}

impl Units {
    /// Computes the units of a document.
    pub(crate) fn of(document: &Document) -> Self {
        // A document whose 經 is not numbered yet has no loci.
        let unnumbered = document.sentences.is_empty() && document.segments.iter().any(is_classic);
        let segments = if unnumbered { &[] } else { &document.segments[..] };
        let mut namer = Namer::default();
        let mut units = vec![];
        for (i, s) in segments.iter().enumerate().filter(|(_, s)| is_cited(document, s)) {
            namer.segment(document, i, s, &mut units);
        }
        Units(units.into_boxed_slice())
    }

    /// True if there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Unit number `n`.
    pub(crate) fn get(&self, n: usize) -> CitableUnit {
        self.0[n].unit()
    }

    /// All, in the order of the text.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = CitableUnit> + ExactSizeIterator {
        self.0.iter().map(PackedUnit::unit)
    }

    /// Numbers of those that share characters with `span`; for an empty one, of that which contains
    /// it.
    pub(crate) fn meet(&self, span: Span) -> Range<usize> {
        let end = span.end().max(span.start() + 1);
        let first = self.0.partition_point(|u| u.span.end() <= span.start());
        let last = first + self.0[first..].partition_point(|u| u.span.start() < end);
        first..last
    }

    /// Numbers of those that begin after byte `at`.
    pub(super) fn after(&self, at: usize) -> Range<usize> {
        self.0.partition_point(|u| u.span.start() <= at)..self.0.len()
    }
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
struct Namer {
    section: u32,
    sentence: u32,
    /// Notes after the last sentence, by layer.
    counts: FxHashMap<Layer, u32>,
    /// The current note: its name and the number of its sentences so far.
    open: Option<(NoteName, u32)>,
}

impl Namer {
    fn segment(
        &mut self,
        document: &Document,
        index: usize,
        s: &Segment,
        units: &mut Vec<PackedUnit>,
    ) {
        if is_classic(s) {
            self.open = None;
            return self.classic(document, index, s, units);
        }
        self.left_out(document, s.span.start());
        let layer = if s.layer == Layer::ShuHeader { Layer::Shu } else { s.layer };
        let goes_on =
            s.layer == Layer::Shu && self.open.is_some_and(|(n, _)| n.layer == Layer::Shu);
        if !goes_on {
            let nth = self.counts.entry(layer).or_insert(0);
            *nth += 1;
            self.open = Some((NoteName { layer, nth: *nth }, 0));
        }
        let Some((note, before)) = &mut self.open else { return };
        let sentence = Some(SentenceNumber { n: self.sentence, part: 0 });
        let passage = LocusPath { section: self.section, sentence, note: Some(*note), inner: None };
        let segment = index;
        let unit = CitableUnit { span: s.span, layer: s.layer, segment, passage, before: *before };
        units.push(PackedUnit::of(&unit));
        if s.layer == Layer::Shu {
            *before += sentences(document.source.text(), s.span).len() as u32;
        }
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

    fn classic(
        &mut self,
        document: &Document,
        index: usize,
        s: &Segment,
        units: &mut Vec<PackedUnit>,
    ) {
        document.each_sentence(s, |span, ju| {
            let Some(ju) = ju.map(|i| document.sentences[i]) else { return };
            if (ju.section, ju.n) != (self.section, self.sentence) {
                self.counts.clear();
            }
            (self.section, self.sentence) = (ju.section, ju.n);
            let passage = LocusPath::sentence(ju.section, ju.n, ju.part);
            let unit = CitableUnit { span, layer: s.layer, segment: index, passage, before: 0 };
            units.push(PackedUnit::of(&unit));
        });
    }
}
