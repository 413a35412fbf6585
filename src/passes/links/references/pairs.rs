//! Where a passage has each pair of characters, for comments that ask for many words of it.

use rustc_hash::FxHashMap;

use crate::corpus::view::{Stream, View};
use crate::model::Document;
use crate::source::Span;
use crate::text::find::Hit;

/// The pairs of characters of a passage. They are listed once for a comment.
pub struct PassagePairs {
    passage: Span,
    places: FxHashMap<[char; 2], Vec<(Stream, u32)>>,
}

impl PassagePairs {
    /// Those of a passage.
    pub fn of(view: &View, passage: Span) -> Self {
        let bytes = passage.start()..passage.end();
        let mut places: FxHashMap<[char; 2], Vec<(Stream, u32)>> = FxHashMap::default();
        for stream in [Stream::Base, Stream::Notes] {
            let range = view.range(stream, bytes.clone());
            let chars = &view.stream(stream).chars()[range.clone()];
            for (at, pair) in (range.start..).zip(chars.windows(2)) {
                places.entry([pair[0], pair[1]]).or_default().push((stream, at as u32));
            }
        }
        PassagePairs { passage, places }
    }

    /// How many of `words` the passage has in a row, and where: from the first on, or up to the last (`back`).
    pub fn longest(
        &self,
        (document, view): (&Document, &View),
        words: &[char],
        back: bool,
    ) -> Option<(usize, Span)> {
        let passage = self.passage;
        let two = if back { words.last_chunk::<2>()? } else { words.first_chunk::<2>()? };
        let mut best: Option<(usize, Stream, Hit)> = None;
        for &(stream, at) in self.places.get(two)? {
            let at = at as usize;
            let there = view.stream(stream).chars();
            let range = view.range(stream, passage.start()..passage.end());
            let (n, from) = if back {
                let before = there[range.start..at + 2].iter().rev();
                let n = before.zip(words.iter().rev()).take_while(|(a, b)| a == b).count();
                (n, at + 2 - n)
            } else {
                let after = there[at..range.end].iter();
                (after.zip(words).take_while(|(a, b)| a == b).count(), at)
            };
            if best.as_ref().is_none_or(|(most, ..)| n > *most) {
                best = Some((n, stream, Hit { from, to: from + n, diff: 0 }));
            }
        }
        let (n, stream, hit) = best?;
        Some((n, view.stretch(document, stream, &hit)))
    }
}
