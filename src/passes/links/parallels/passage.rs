//! A passage that two texts have in common.

use std::cmp::Reverse;
use std::ops::Range;

use crate::corpus::Stream;
use crate::corpus::index::{CorpusTextPart, Indexed};
use crate::passes::links::differs::{KeyedText, RangePair};
use crate::source::Span;

/// Steps of a bit in which margins are kept.
pub const STEPS_PER_BIT: f64 = 4.0;

/// A passage that occurs in two places.
#[derive(Clone, Debug, PartialEq)]
pub struct ParallelPassage {
    /// The earlier one first.
    pub sides: [StreamRange; 2],
    /// Bits above what chance explains.
    pub margin: f64,
    /// Equal characters.
    pub equal: usize,
    /// Ranges that differ, from the beginning of each side; no more than are listed. There are far
    /// more of them than of anything else.
    pub differences: Box<[[Range<u32>; 2]]>,
}

impl ParallelPassage {
    /// Passages are in the order of their texts, the longest of two texts first.
    pub fn order(&self) -> impl Ord + use<> {
        let text = self.sides.each_ref().map(|s| (s.entry, s.stream));
        let range = self.sides.each_ref().map(|s| (s.range.start, s.range.end));
        (text, Reverse(self.equal), range)
    }

    /// The ranges that differ.
    pub fn differences(&self) -> impl Iterator<Item = RangePair> {
        let long = |r: &Range<u32>| r.start as usize..r.end as usize;
        self.differences.iter().map(move |pair| pair.each_ref().map(long))
    }
}

/// Characters of a stream of a document.
pub type StreamPlace = (Stream, Range<usize>);

/// A range of characters in a stream of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StreamRange {
    /// The number of the entry.
    pub entry: usize,
    /// The stream.
    pub stream: Stream,
    /// Characters from the beginning of the stream.
    pub range: Range<usize>,
}

impl StreamRange {
    /// Characters of a stream of an entry.
    pub fn new(entry: usize, stream: Stream, range: Range<usize>) -> Self {
        StreamRange { entry, stream, range }
    }

    /// Characters of a part of the text of all.
    pub fn of_part(number: usize, range: Range<usize>) -> Self {
        let streams = Stream::ALL.len();
        StreamRange::new(number / streams, Stream::ALL[number % streams], range)
    }

    /// Characters of the text of all that are in a part.
    pub fn of(part: &CorpusTextPart, range: Range<usize>) -> Self {
        let from = part.range.start;
        StreamRange::new(part.entry, part.stream, range.start - from..range.end - from)
    }

    /// Stream and characters.
    pub fn place(&self) -> StreamPlace {
        (self.stream, self.range.clone())
    }

    /// Where it is in the source.
    pub fn span(&self, entry: &Indexed) -> Span {
        entry.view.stream(self.stream).span(self.range.start, self.range.end)
    }

    /// Its text for a comparison.
    pub fn side<'a>(&self, entry: &'a Indexed) -> KeyedText<'a> {
        KeyedText { text: entry.document.source.text(), key: entry.view.stream(self.stream) }
    }
}
