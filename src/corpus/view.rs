//! A document as the search for references sees it: streams of comparable characters by kind of
//! layer, and passages.
//!
//! The classic continues across the notes that interrupt it, so text is searched in streams: the
//! classic without its notes, the notes without the classic, the sub-commentary. A passage is the
//! text between two runs of sub-commentary, together with the second run, which explains it.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::index::BORDER;
use crate::model::{Document, Layer, LayerKind};
use crate::source::Span;
use crate::text::find::{Hit, find_within};
use crate::text::{Key, PackedKey};

/// Which stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Stream {
    /// The classic, and undivided text.
    Base,
    /// Notes on it.
    Notes,
    /// Sub-commentary.
    Commentary,
}

impl Stream {
    /// All of them, in order.
    pub const ALL: [Stream; 3] = [Stream::Base, Stream::Notes, Stream::Commentary];
}

/// Streams and passages of a document.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The classic.
    pub base: PackedKey,
    /// The notes.
    pub notes: PackedKey,
    /// The sub-commentary.
    pub commentary: PackedKey,
    /// Passages in order; together they cover the document.
    pub passages: Vec<ExplainedText>,
}

/// Text and the sub-commentary that follows it.
#[derive(Clone, Debug)]
pub struct ExplainedText {
    /// Bytes of the text, empty if sub-commentary opens the document.
    pub text: Span,
    /// Bytes of the sub-commentary that explains it (empty in a document without).
    pub comment: Span,
}

/// A part of a stream of a text, and from which end it is looked through.
#[derive(Clone, Debug)]
pub struct StreamPart {
    /// Number of the text in the index.
    pub entry: usize,
    /// The stream.
    pub stream: Stream,
    /// Characters of the stream.
    pub range: Range<usize>,
    /// Whether the last place is the nearest.
    pub back: bool,
}

/// The stream a layer belongs to.
pub fn stream_of(layer: Layer) -> Option<Stream> {
    match layer.kind() {
        LayerKind::Base | LayerKind::Undivided => Some(Stream::Base),
        LayerKind::Note => (layer != Layer::An).then_some(Stream::Notes),
        LayerKind::Commentary => Some(Stream::Commentary),
        _ => None,
    }
}

impl View {
    /// Views a document.
    pub fn of(document: &Document) -> Self {
        let text = document.source.text();
        let mut keys = Stream::ALL.map(|_| Key::default());
        for s in &document.segments {
            if let Some(stream) = stream_of(s.layer) {
                keys[stream as usize].push(text, s.span);
            }
        }
        let [base, notes, commentary] = keys.map(PackedKey::of);
        View { base, notes, commentary, passages: passages(document) }
    }

    /// One of the streams.
    pub fn stream(&self, which: Stream) -> &PackedKey {
        match which {
            Stream::Base => &self.base,
            Stream::Notes => &self.notes,
            Stream::Commentary => &self.commentary,
        }
    }

    /// Moves the characters of all streams to a list, with a border after each stream.
    pub(super) fn move_chars(&mut self, all: &mut Vec<char>) {
        for stream in self.streams_mut() {
            stream.move_chars(all);
            all.push(BORDER);
        }
    }

    /// The same, whose characters are in the list to which they were moved.
    pub(super) fn within(&mut self, all: &Arc<Vec<char>>) {
        self.streams_mut().into_iter().for_each(|stream| stream.within(all));
    }

    fn streams_mut(&mut self) -> [&mut PackedKey; 3] {
        [&mut self.base, &mut self.notes, &mut self.commentary]
    }

    /// The passage that contains byte `at`.
    pub fn passage_at(&self, at: usize) -> Option<&ExplainedText> {
        let i = self.passages.partition_point(|p| p.comment.end() <= at);
        self.passages.get(i)
    }

    /// The characters of a stream within some bytes.
    pub fn range(&self, which: Stream, bytes: Range<usize>) -> Range<usize> {
        let key = self.stream(which);
        key.index_at(bytes.start)..key.index_at(bytes.end).max(key.index_at(bytes.start))
    }

    /// Where `words` are in a stream within a range of bytes.
    pub fn find(
        &self,
        which: Stream,
        bytes: Range<usize>,
        words: &[char],
        max_diff: usize,
    ) -> Vec<Hit> {
        find_within(self.stream(which).chars(), self.range(which, bytes), words, max_diff)
    }

    /// A part of a stream, cut where another layer interrupts it.
    pub fn stretches(
        &self,
        document: &Document,
        which: Stream,
        range: Range<usize>,
    ) -> Vec<Range<usize>> {
        let key = self.stream(which);
        let segment = |i: usize| document.segment_at(key.at(i));
        let mut stretches: Vec<Range<usize>> = Vec::new();
        for i in range {
            match stretches.last_mut() {
                Some(r) if uninterrupted(document, segment(r.end - 1), segment(i)) => r.end = i + 1,
                _ => stretches.push(i..i + 1),
            }
        }
        stretches
    }

    /// The span of a hit, cut where another layer interrupts it: the first stretch with at least
    /// half of the characters, or the longest.
    pub fn stretch(&self, document: &Document, which: Stream, hit: &Hit) -> Span {
        let key = self.stream(which);
        let stretches = self.stretches(document, which, hit.from..hit.to);
        let most = stretches.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
        let best =
            stretches.iter().find(|r| r.len() * 2 >= most).cloned().unwrap_or(hit.from..hit.to);
        key.span(best.start, best.end)
    }
}

/// True if only blanks and marks are between two segments.
fn uninterrupted(document: &Document, a: Option<usize>, b: Option<usize>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => document.segments[a..b].iter().skip(1).all(|s| !s.layer.is_text()),
        _ => false,
    }
}

fn passages(document: &Document) -> Vec<ExplainedText> {
    let mut out: Vec<ExplainedText> = Vec::new();
    let mut text: Option<Span> = None;
    let mut comment: Option<Span> = None;
    let grow = |old: Option<Span>, s: Span| Some(old.map_or(s, |o| Span::new(o.start(), s.end())));
    let mut at = 0;
    let mut close = |text: &mut Option<Span>, comment: &mut Option<Span>, at: usize| {
        let t = text.take().unwrap_or(Span::new(at, at));
        let c = comment.take().unwrap_or(Span::new(t.end(), t.end()));
        out.push(ExplainedText { text: t, comment: c });
        c.end()
    };
    for s in document.segments.iter().filter(|s| s.layer.is_text()) {
        let explains = matches!(s.layer, Layer::Shu | Layer::ShuHeader);
        if !explains && comment.is_some() {
            at = close(&mut text, &mut comment, at);
        }
        if explains {
            comment = grow(comment, s.span);
        } else {
            text = grow(text, s.span);
        }
    }
    if text.is_some() || comment.is_some() {
        close(&mut text, &mut comment, at);
    }
    out
}
