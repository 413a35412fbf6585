//! A text as its comparable characters, each with its place.

use super::{class::is_content, fold::fold, graphemes::is_boundary};
use crate::source::Span;

/// The content characters of some spans, folded, and where each stands. Punctuation, blanks and markup fall away, so
/// that words match across line ends and through differing punctuation.
///
/// ```
/// use zhushu::{source::Span, text::Key};
/// let text = "一純以取,實於左手。";
/// let key = Key::of(text, Span::new(0, text.len()));
/// assert_eq!(key.len(), 8);
/// assert_eq!(&text[key.span(2, 5).range()], "以取,實");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Key {
    /// Folded characters.
    pub chars: Vec<char>,
    /// Byte offset of each in the source.
    pub at: Vec<u32>,
    /// Byte offset of the end of each.
    pub ends: Vec<u32>,
}

impl Key {
    /// The key of one span of `text`.
    pub fn of(text: &str, span: Span) -> Self {
        let mut key = Key::default();
        key.push(text, span);
        key
    }

    /// The key of several spans, run together in the order given.
    pub fn of_spans(text: &str, spans: impl IntoIterator<Item = Span>) -> Self {
        let mut key = Key::default();
        for span in spans {
            key.push(text, span);
        }
        key
    }

    /// Adds the characters of a further span. A variation selector or combining mark has no key of its own: it belongs
    /// to the character before it and makes that one longer, so that no span of the key cuts between them.
    pub fn push(&mut self, text: &str, span: Span) {
        let first = self.chars.len();
        for (i, c) in text[span.range()].char_indices() {
            let at = span.start() + i;
            let end = (at + c.len_utf8()) as u32;
            if is_content(c) {
                self.chars.push(fold(c));
                self.at.push(at as u32);
                self.ends.push(end);
            } else if self.chars.len() > first && self.ends.last() == Some(&(at as u32)) && !is_boundary(text, at) {
                self.ends.pop();
                self.ends.push(end);
            }
        }
    }

    /// Number of characters.
    pub fn len(&self) -> usize {
        self.chars.len()
    }
    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.chars.is_empty()
    }

    /// The span of the source from character `from` to character `to` (exclusive; `from < to`).
    pub fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.at[from] as usize, self.ends[to - 1] as usize)
    }

    /// Index of the first character at or after byte `at`. Only for keys of spans given in rising order.
    pub fn index_at(&self, at: usize) -> usize {
        self.at.partition_point(|&a| (a as usize) < at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_and_marks_belong_to_the_character_before() {
        let text = "葛\u{E0100}城、\u{FE00}e\u{301}";
        let key = Key::of(text, Span::new(0, text.len()));
        assert_eq!(key.chars, ['葛', '城', 'e']);
        assert_eq!(&text[key.span(0, 1).range()], "葛\u{E0100}");
        assert_eq!(&text[key.span(1, 2).range()], "城");
        assert_eq!(&text[key.span(2, 3).range()], "e\u{301}");
    }

    #[test]
    fn a_span_does_not_reach_beyond_itself() {
        let key = Key::of("葛\u{E0100}城", Span::new(0, 3));
        assert_eq!(key.span(0, 1), Span::new(0, 3));
    }
}
