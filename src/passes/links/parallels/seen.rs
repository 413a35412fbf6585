//! Passages as each of their two documents sees them, and which of them it links.

use std::ops::Range;

use serde::Serialize;

use super::passage::{ParallelPassage, StreamPlace, StreamRange};
use crate::corpus::index::Indexed;
use crate::corpus::{Index, Stream};
use crate::model::{
    Certainty, Document, Evidence, EvidenceKind, Layer, Link, LinkKind, Status, Target,
};
use crate::passes::links::differs::{self, RangePair};
use crate::source::Span;

/// Most parallels of the same characters that are linked, the rarest first.
const MAX_PARALLELS_PER_CHAR: u8 = 8;

/// Of what is at some places, the rarest first, that of which less than half is linked often
/// enough.
pub fn chosen<T>(found: impl Iterator<Item = (StreamPlace, T)>) -> Vec<T> {
    // How often each character of each stream is linked.
    let mut linked = Stream::ALL.map(|_| Vec::<u8>::new());
    let not_too_often = found.filter_map(|((stream, range), what)| {
        let linked = &mut linked[stream as usize];
        linked.resize(linked.len().max(range.end), 0);
        let times = &mut linked[range.clone()];
        let often = times.iter().filter(|n| **n >= MAX_PARALLELS_PER_CHAR).count();
        if often * 2 > range.len() {
            return None;
        }
        times.iter_mut().for_each(|n| *n = n.saturating_add(1));
        Some(what)
    });
    not_too_often.collect()
}

/// A passage as one of its two documents sees it.
pub struct SeenPassage<'a> {
    passage: &'a ParallelPassage,
    /// Its side in this document.
    pub here: &'a StreamRange,
    there: &'a StreamRange,
}

impl<'a> SeenPassage<'a> {
    /// As a document sees it that has one of its sides.
    pub fn of(passage: &'a ParallelPassage, own: &Indexed) -> Self {
        let [x, y] = &passage.sides;
        let (here, there) = if x.entry == own.number { (x, y) } else { (y, x) };
        SeenPassage { passage, here, there }
    }

    /// True if references already cover at least half of one side.
    pub fn is_quoted(&self, own: &Indexed, index: &Index, quoted: &[Vec<Span>]) -> bool {
        let other = &index.entries[self.there.entry];
        let is = |place: &StreamRange, entry: &Indexed| {
            is_quoted(place.span(entry), &quoted[entry.number])
        };
        is(self.here, own) || is(self.there, other)
    }

    /// All that the link is made from beside its own document, for a hash: the passage, where its
    /// side in the other document is, and, if the sides differ, what that has there.
    pub fn read<'b>(&self, index: &'b Index) -> impl Serialize + use<'a, 'b> {
        let other = &index.entries[self.there.entry];
        let (span, side) = (self.there.span(other), self.there.side(other));
        let key = other.view.stream(self.there.stream);
        let words = self.differing().map(|range| {
            let span = key.span(range.start, range.end);
            (span, &side.text[span.range()], key.layout(range))
        });
        let passage = self.passage;
        let here = (self.here.stream as u8, self.here.range.clone());
        (here, &other.document.id, span, passage.margin, &passage.differences, words)
    }

    /// The characters of the other side from the first that differ to the last.
    fn differing(&self) -> Option<Range<usize>> {
        let side = usize::from(*self.here == self.passage.sides[0]);
        let differences = &self.passage.differences;
        let (first, last) = (&differences.first()?[side], &differences.last()?[side]);
        let (from, end) = (self.there.range.start, self.there.range.end);
        let start = (from + first.start as usize).min(end - 1);
        Some(start..(from + last.end as usize).clamp(start + 1, end))
    }

    /// The link from this document to the other.
    pub fn link(&self, own: &Indexed, index: &Index) -> Link {
        let of_first = *self.here == self.passage.sides[0];
        let differ = self.passage.differences().map(|[x, y]| match of_first {
            true => [x, y],
            false => [y, x],
        });
        let differ: Vec<RangePair> = differ.collect();
        let other = &index.entries[self.there.entry];
        link((own, self.here), (other, self.there), self.passage.margin, &differ)
    }
}

/// True if references already quote at least half of a span.
fn is_quoted(span: Span, quoted: &[Span]) -> bool {
    let first = quoted.partition_point(|q| q.end() <= span.start());
    let of_span = quoted[first..].iter().take_while(|q| q.start() < span.end());
    of_span.map(|q| q.overlap(span)).sum::<usize>() * 2 >= span.len()
}

/// The same of each entry.
pub fn quoted_in(index: &Index) -> Vec<Vec<Span>> {
    index.entries.iter().map(|e| quoted(&e.document)).collect()
}

/// The text that resolved references of a document quote, in order and without overlaps.
fn quoted(document: &Document) -> Vec<Span> {
    let resolved =
        document.links.iter().filter(|l| l.target.is_some() && l.kind != LinkKind::Parallel);
    let mut spans: Vec<Span> = resolved.filter_map(|l| l.quoted).collect();
    spans.sort_by_key(|s| (s.start(), s.end()));
    let mut apart: Vec<Span> = Vec::new();
    for s in spans {
        match apart.last_mut() {
            Some(last) if s.start() <= last.end() => {
                *last = Span::new(last.start(), last.end().max(s.end()))
            }
            _ => apart.push(s),
        }
    }
    apart
}

fn link(
    (own, here): (&Indexed, &StreamRange),
    (other, there): (&Indexed, &StreamRange),
    margin: f64,
    differences: &[RangePair],
) -> Link {
    let sides = [(here.side(own), here.range.start), (there.side(other), there.range.start)];
    let differ = differs::evidence(sides, differences);
    let span = here.span(own);
    Link {
        kind: LinkKind::Parallel,
        span,
        quoted: None,
        layer: own
            .document
            .segment_at(span.start())
            .map_or(Layer::Undivided, |i| own.document.segments[i].layer),
        work: None,
        target: Some(Target {
            doc: Some(other.document.id.as_str().into()),
            span: there.span(other),
        }),
        alternatives: vec![].into(),
        status: if differ.is_some() { Status::Variant } else { Status::Exact },
        certainty: Certainty::new(certainty(margin)),
        evidence: std::iter::once(Evidence::of(EvidenceKind::RareWordsInCommon))
            .chain(differ)
            .collect(),
    }
}

/// Certainty that a passage with this margin is not a formula, fitted by eye to that sample: at .7
/// to .8 five in seven were parallels, at .8 to .95 fourteen in fifteen, above that all 63.
fn certainty(margin: f64) -> f64 {
    1.0 - 0.4 * (-margin / 12.0).exp2()
}
