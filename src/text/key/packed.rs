//! A key that takes less memory, for texts that stay: a byte and a quarter for the place of a
//! character instead of five, and characters that several keys may share.

use std::ops::{Deref, Range};
use std::sync::Arc;

use serde::Serialize;

use super::{CharPlaces, Key};
use crate::source::Span;

/// A [`Key`] that does not change any more.
///
/// ```
/// use zhushu::source::Span;
/// use zhushu::text::{Key, PackedKey};
/// let text = "一純以取,實於左手。";
/// let key = PackedKey::of(Key::of(text, Span::new(0, text.len())));
/// assert_eq!(key.chars()[4], '實');
/// assert_eq!(&text[key.span(2, 5).range()], "以取,實");
/// ```
#[derive(Clone, Debug, Default)]
pub struct PackedKey {
    chars: SharedChars,
    /// Places of some characters, in order. The other places are found by adding up.
    runs: Vec<PlaceRun>,
    /// For each character its length and the bytes between it and the one before, see [`step`].
    steps: Vec<u8>,
    /// Lengths that are not in `steps`, by the number of the character, in order.
    long: Vec<(u32, u32)>,
}

/// Where a run of characters begins.
#[derive(Clone, Copy, Debug)]
struct PlaceRun {
    first: u32,
    at: u32,
}

/// Where some characters of a key are: the length of the first, the steps of the others, the runs
/// that begin among them, and long ones.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct KeyLayout<'a>(u8, &'a [u8], Vec<(u32, u32)>, &'a [(u32, u32)]);

/// Characters of a run, at most.
const RUN_CHARS: usize = 32;
/// The most bytes that a length and a gap may have in a step.
const MAX_LENGTH: u32 = 7;
const MAX_GAP: u32 = 31;

/// A length of 1 to 7 bytes, or 0 for one that is kept apart, and a gap of at most 31.
fn step(length: u32, gap: u32) -> u8 {
    (gap << 3) as u8 | if length > MAX_LENGTH { 0 } else { length as u8 }
}

/// A part of a list of characters.
#[derive(Clone, Debug, Default)]
struct SharedChars {
    all: Arc<Vec<char>>,
    range: Range<usize>,
}

impl Deref for SharedChars {
    type Target = [char];
    fn deref(&self) -> &[char] {
        &self.all[self.range.clone()]
    }
}

impl PackedKey {
    /// Packs a key of spans in ascending order.
    pub fn of(mut key: Key) -> Self {
        let mut packed = PackedKey { steps: Vec::with_capacity(key.len()), ..Self::default() };
        let mut last = None;
        for n in 0..key.len() {
            let (at, end) = (key.at[n], key.end(n) as u32);
            packed.add(at, end, last.replace(end));
        }
        packed.runs.shrink_to_fit();
        key.chars.shrink_to_fit();
        let range = 0..key.chars.len();
        packed.chars = SharedChars { all: Arc::new(key.chars), range };
        packed
    }

    /// Adds the place of the next character. The one before ends at `last`.
    fn add(&mut self, at: u32, end: u32, last: Option<u32>) {
        let (n, length) = (self.steps.len(), end - at);
        let gap = last.and_then(|last| at.checked_sub(last)).filter(|gap| *gap <= MAX_GAP);
        let goes_on = self.runs.last().is_some_and(|run| n - (run.first as usize) < RUN_CHARS)
            && self.long.last().is_none_or(|(long, _)| *long as usize + 1 != n);
        if gap.is_none() || !goes_on {
            self.runs.push(PlaceRun { first: n as u32, at });
        }
        if length > MAX_LENGTH {
            self.long.push((n as u32, length));
        }
        self.steps.push(step(length, gap.unwrap_or(0)));
    }

    /// Moves its characters to a list of many. They are found there once they are
    /// [in it](Self::within).
    pub(crate) fn move_chars(&mut self, all: &mut Vec<char>) {
        let from = all.len();
        all.extend_from_slice(&self.chars);
        self.chars = SharedChars { all: Arc::default(), range: from..all.len() };
    }

    /// The same, with its characters in a list to which they were [moved](Self::move_chars).
    pub(crate) fn within(&mut self, all: &Arc<Vec<char>>) {
        self.chars.all = Arc::clone(all);
    }

    /// Folded characters.
    pub fn chars(&self) -> &[char] {
        &self.chars
    }

    /// Number of characters.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Byte offset of the beginning of character `n`, which must be one of them.
    pub fn at(&self, n: usize) -> usize {
        let run = self.runs[self.runs.partition_point(|r| r.first as usize <= n) - 1];
        let first = run.first as usize;
        // Two plain sums, which the compiler does many at once.
        let lengths =
            self.steps[first..n.min(self.len())].iter().map(|s| u32::from(s & MAX_LENGTH as u8));
        let gaps =
            self.steps.get(first + 1..=n).unwrap_or_default().iter().map(|s| u32::from(s >> 3));
        (run.at + lengths.sum::<u32>() + gaps.sum::<u32>()) as usize
    }

    /// The same, if there is such a character.
    pub fn get(&self, n: usize) -> Option<usize> {
        (n < self.len()).then(|| self.at(n))
    }

    /// Byte offset of the end of character `n`.
    pub fn end(&self, n: usize) -> usize {
        let length = match u32::from(self.steps[n]) & MAX_LENGTH {
            0 => {
                let found = self.long.binary_search_by_key(&(n as u32), |(n, _)| *n);
                found.map_or(0, |at| self.long[at].1)
            }
            short => short,
        };
        self.at(n) + length as usize
    }

    /// The span of the source from character `from` to character `to` (exclusive; `from < to`).
    pub fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.at(from), self.end(to - 1))
    }

    /// What decides where some characters are, if it is known where the first begins. For hashes:
    /// to look up each of them takes longer.
    pub(crate) fn layout(&self, range: Range<usize>) -> KeyLayout<'_> {
        let rest = range.start + 1..range.end;
        let within = |n: u32| rest.contains(&(n as usize));
        let runs =
            self.runs[self.runs.partition_point(|r| (r.first as usize) < rest.start)..].iter();
        let runs = runs.take_while(|r| within(r.first)).map(|r| (r.first, r.at)).collect();
        let first = self.long.partition_point(|(n, _)| (*n as usize) < range.start);
        let last = self.long.partition_point(|(n, _)| (*n as usize) < range.end);
        let length = self.steps[range.start] & MAX_LENGTH as u8;
        KeyLayout(length, &self.steps[rest.clone()], runs, &self.long[first..last])
    }

    /// Index of the first character at or after byte `at`.
    pub fn index_at(&self, at: usize) -> usize {
        let after = self.runs.partition_point(|r| (r.at as usize) < at);
        let Some(run) = after.checked_sub(1).map(|n| self.runs[n]) else { return 0 };
        let next = self.runs.get(after).map_or(self.len(), |r| r.first as usize);
        let first = run.first as usize;
        let of_run = self.starts_of(run).take(next - first);
        first + of_run.take_while(|start| *start < at).count()
    }

    /// Where the characters of a run begin; those after the run are not right.
    fn starts_of(&self, run: PlaceRun) -> impl Iterator<Item = usize> {
        let steps = &self.steps[run.first as usize..];
        let mut at = run.at as usize;
        let next = steps.get(1..).unwrap_or_default().iter().zip(steps).map(move |(next, step)| {
            at += usize::from(step & MAX_LENGTH as u8) + usize::from(next >> 3);
            at
        });
        std::iter::once(run.at as usize).chain(next)
    }
}

impl CharPlaces for PackedKey {
    fn char_span(&self, n: usize) -> Span {
        self.span(n, n + 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_layout_shows_where_characters_are() {
        let key = |text: &str| PackedKey::of(Key::of(text, Span::new(0, text.len())));
        let [a, b, c] = ["甲,一純,以取", "乙,一純,以取", "甲,一純以,取"].map(key);
        assert_eq!(a.layout(1..5), b.layout(1..5));
        assert_ne!(a.layout(1..5), c.layout(1..5));
        assert_eq!(a.layout(1..3), c.layout(1..3));
        let long = format!("甲{}乙", "一,純".repeat(60));
        let (key, moved) = (key(&long), key(&long.replacen("一,純", "一純,", 1)));
        assert_ne!(key.layout(0..90), moved.layout(0..90));
        assert_eq!(key.layout(3..90), moved.layout(3..90));
    }

    fn check(text: &str, spans: &[Span]) {
        let key = Key::of_spans(text, spans.iter().copied());
        let packed = PackedKey::of(key.clone());
        assert_eq!((packed.len(), packed.chars()), (key.len(), &key.chars[..]));
        for n in 0..key.len() {
            assert_eq!((packed.at(n), packed.end(n)), (key.at[n] as usize, key.end(n)), "{n}");
        }
        for at in 0..=text.len() + 1 {
            assert_eq!(packed.index_at(at), key.index_at(at), "byte {at}");
        }
    }

    proptest! {
        #[test]
        fn places_are_those_of_the_key(
            pieces in proptest::collection::vec((0..9usize, 0..40usize, any::<bool>()), 0..60),
        ) {
            let words = ["甲", "𠀀", "e\u{301}", "x", "、", "\n\n", "&KR0925;", "葛\u{E0100}", "乙"];
            let (mut text, mut spans) = (String::new(), vec![]);
            for (word, times, taken) in pieces {
                let from = text.len();
                text.push_str(&words[word].repeat(times));
                if taken {
                    spans.push(Span::new(from, text.len()));
                }
            }
            check(&text, &spans);
        }
    }

    #[test]
    fn a_character_may_have_any_number_of_marks() {
        let long = format!("e{}", "\u{301}".repeat(200));
        let text = format!("甲{long}{long}乙{}{long}", "丙".repeat(90));
        check(&text, &[Span::new(0, text.len())]);
    }

    #[test]
    fn keys_share_a_list_of_characters() {
        let texts = ["甲乙丙", "丁戊"];
        let mut keys = texts.map(|text| PackedKey::of(Key::of(text, Span::new(0, text.len()))));
        let mut all = vec![];
        keys.iter_mut().for_each(|key| key.move_chars(&mut all));
        let all = Arc::new(all);
        keys.iter_mut().for_each(|key| key.within(&all));
        let own = keys.map(|key| key.chars().iter().collect::<String>());
        assert_eq!(own, texts);
    }
}
