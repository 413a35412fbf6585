//! Which documents a change of others concerns, by what they looked up in the last build.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::cache::{CacheKey, digest};
use crate::corpus::index::Indexed;
use crate::corpus::lookups::{ChangedStream, KeptLookups};
use crate::corpus::view::{View, stream_of};
use crate::corpus::{Index, Stream};
use crate::memo::Memo;
use crate::model::{Document, Layer};
use crate::passes::labels;
use crate::source::Span;

/// In corpora of fewer characters, their number decides what is by chance.
const SMALL_CHARS: usize = 1 << 11;

/// Characters before a place where text was put in or taken out that count as changed.
const MOVED_CHARS: usize = 32;

/// What the documents of a build looked up, and in what.
#[derive(Serialize, Deserialize)]
pub struct LookupsOfBuild {
    /// The titles of all texts, in order.
    catalogue: CacheKey,
    /// How rare characters were.
    rarities: FxHashMap<char, i32>,
    /// The keys of all texts, by their numbers in the index.
    states: Vec<CacheKey>,
    /// The lookups of each document.
    of: Vec<Option<LookupsOf>>,
}

/// What was looked up for a document.
#[derive(Clone, Serialize, Deserialize)]
pub struct LookupsOf {
    /// The key under which the result is kept.
    pub key: CacheKey,
    /// The key of the result itself: a build that was killed may have left another one.
    pub made: CacheKey,
    /// The key of what the passes that look up words began with. What only passes before them read
    /// may change without changing that.
    pub before: CacheKey,
    /// Where the [`KeptLookups`] are.
    pub found: CacheKey,
}

/// The lookups of the last build that are still as they were, by the numbers of their documents in
/// the index.
#[derive(Default)]
pub struct StillRight(Vec<Option<LookupsOf>>);

impl LookupsOfBuild {
    /// Those of a build that has just read an index.
    pub fn of(index: &Index, states: Vec<CacheKey>, of: Vec<Option<LookupsOf>>) -> Self {
        let rarities = index.words().rarities().clone();
        LookupsOfBuild { catalogue: catalogue(index), rarities, states, of }
    }

    /// Those that no change concerns; `None` if so much changed that this is not asked.
    pub fn still_right(
        self,
        index: &Index,
        states: &[CacheKey],
        memo: &Memo,
    ) -> Option<StillRight> {
        if self.catalogue != catalogue(index) || self.states.len() != states.len() {
            return None;
        }
        let changed = (0..states.len()).filter(|n| self.states[*n] != states[*n]);
        let mut changes = vec![];
        for n in changed {
            changes.extend(changed_streams(&memo.last_document(n)?, &index.entries[n]));
        }
        let now = index.words().rarities();
        let all: FxHashSet<char> = now.keys().chain(self.rarities.keys()).copied().collect();
        let rarer = all.into_iter().filter(|c| now.get(c) != self.rarities.get(c)).collect();
        let is_right = |of: &LookupsOf| {
            let found: Option<KeptLookups> = memo.get(&of.found);
            found.is_some_and(|found| !found.are_concerned(&changes, &rarer))
        };
        let right = self.of.into_par_iter().map(|of| of.filter(is_right));
        let right = StillRight(right.collect());
        Some(right)
    }
}

impl StillRight {
    /// The lookups of a document, if they are still right.
    pub fn get(&self, number: usize) -> Option<&LookupsOf> {
        self.0.get(number)?.as_ref()
    }
}

/// The key of what all lookups depend on: which texts there are, in which order, what they are
/// called, by themselves and in citations, and whether they are very few.
fn catalogue(index: &Index) -> CacheKey {
    let entry = |e: &Indexed| {
        let named = e.named.as_ref().map(|n| (n.work.clone(), n.part.clone(), n.chapter.clone()));
        let is_witness = e.document.meta.role == crate::model::Role::Witness;
        (e.document.id.clone(), is_witness, named, labels(e))
    };
    let entries: Vec<_> = index.entries.iter().map(entry).collect();
    digest(&(entries, index.own, index.words().text.len().min(SMALL_CHARS)))
}

/// What changed between a document of the last build and the one of now.
fn changed_streams(old: &Document, new: &Indexed) -> Vec<ChangedStream> {
    let (from, ends) = changed_bytes(old, &new.document);
    let moved = old.source.text().len() != new.document.source.text().len();
    // What stays in its place changes only the streams that it is in.
    let in_place = !moved && extents(old) == extents(&new.document);
    let touches = |(_, span): &&(Layer, Span)| span.start() < ends[0] && from < span.end();
    let touched: Vec<Stream> =
        extents(old).iter().filter(touches).filter_map(|(layer, _)| stream_of(*layer)).collect();
    let old = View::of(old);
    let stream = |stream: Stream| {
        let views = [&old, &new.view];
        let ranges: [Range<usize>; 2] =
            std::array::from_fn(|n| views[n].range(stream, from..ends[n]));
        // If something was put in or taken out, what is before it may match better too.
        let before = if moved { MOVED_CHARS } else { 0 };
        let ranges = ranges.map(|r| r.start.saturating_sub(before)..r.end);
        let chars = views.map(|view| view.stream(stream).chars());
        ChangedStream::of((new.number, stream), chars, ranges)
    };
    let concerned = Stream::ALL.into_iter().filter(|s| !in_place || touched.contains(s));
    concerned.map(stream).collect()
}

/// Where two versions of a document begin to differ, and where that ends in each: their text, or
/// the layers of it. If something moved, all after it changed.
fn changed_bytes(old: &Document, new: &Document) -> (usize, [usize; 2]) {
    let texts = [old.source.text(), new.source.text()];
    let [a, b] = texts.map(str::as_bytes);
    let mut from = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (x, y) = (extents(old), extents(new));
    let mut ends = [a.len(), b.len()];
    if a.len() == b.len() && x == y {
        let same = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
        ends = ends.map(|end| (end - same.min(end)).max(from));
    } else {
        let same = x.iter().zip(&y).take_while(|(x, y)| x == y).count();
        let starts = [&x, &y].map(|s| s.get(same).map_or(usize::MAX, |s| s.1.start()));
        from = from.min(starts[0]).min(starts[1]);
    }
    while texts.iter().any(|t| !t.is_char_boundary(from)) {
        from -= 1;
    }
    for (end, text) in ends.iter_mut().zip(texts) {
        while !text.is_char_boundary(*end) {
            *end += 1;
        }
    }
    (from, ends)
}

/// The layers of a document, and where they are.
fn extents(document: &Document) -> Vec<(Layer, Span)> {
    document.segments.iter().map(|s| (s.layer, s.span)).collect()
}
