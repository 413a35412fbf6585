//! Words that a sub-commentary repeats from itself: it has cited a text at length, and explains it
//! clause by clause (X者, 云X者), as it explains the passage.

use super::comment::Reader;
use super::sought::{FoundPlace, SoughtWords};
use crate::model::{EvidenceKind, Status, Target};
use crate::source::Span;
use crate::text::Key;
use crate::text::find::find_within;

/// Fewest characters that are looked for, and fewest of which one may differ.
const MIN_CHARS: usize = 4;
const MIN_LENIENT_CHARS: usize = 5;
/// Bytes of the sub-commentary before the words that are looked through.
const REACH_BYTES: usize = 3000;
/// Bytes just before the words that are not: what is said there is being said.
const GAP_BYTES: usize = 24;
/// How sure it is that they are meant.
const CERTAINTY: f64 = 0.7;

impl Reader<'_> {
    /// The last place before byte `at` where the sub-commentary has these words.
    pub fn echoed(&self, at: usize, words: &SoughtWords) -> Option<FoundPlace> {
        let n = words.len();
        let text = self.text();
        let (mut from, mut to) = (at.saturating_sub(REACH_BYTES), at.saturating_sub(GAP_BYTES));
        from = from.max(self.passage.comment.start());
        while !text.is_char_boundary(from) {
            from += 1;
        }
        while !text.is_char_boundary(to) {
            to -= 1;
        }
        if n < MIN_CHARS || from >= to {
            return None;
        }
        let key = Key::of(text, Span::new(from, to));
        let find = |most| find_within(&key.chars, 0..key.len(), &words.key.chars, most);
        let last = |most: usize| find(most).into_iter().rev().min_by_key(|h| h.diff);
        let hit = last(0).or_else(|| (n >= MIN_LENIENT_CHARS).then(|| last(1)).flatten())?;
        Some(FoundPlace {
            target: Target { doc: None, span: key.span(hit.from, hit.to) },
            status: if hit.diff == 0 { Status::Exact } else { Status::Variant },
            certainty: CERTAINTY,
            how: EvidenceKind::GoesOnWithCitation,
            alternatives: vec![],
            diff: hit.diff,
            differs: None,
        })
    }
}
