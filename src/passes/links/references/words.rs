//! Words to look for, and how much some number of them says.

use std::ops::Range;

use crate::source::Span;
use crate::text::Key;
use crate::text::class::{ends_clause, ends_sentence};

/// So many characters are more than a word: they are looked for in a chapter.
pub const PHRASE: usize = 3;
/// So many are a clause, which seldom recurs by chance.
pub const CLAUSE: usize = 4;
/// Of so many some may differ, and they are looked for in the whole corpus.
pub const SENTENCE: usize = 6;
/// Most characters that are cited without marks, before a title or after it.
pub const MAX_CITED: usize = 40;

/// Most bytes between a citation and a cue that goes on with it, between it and what can only go on
/// with it, and between it and a quotation of the same work that does not name it.
pub const CUE_BYTES: usize = 36;
pub const SENTENCE_BYTES: usize = 180;
pub const PARAGRAPH_BYTES: usize = 1500;

/// Words to look for, and where their clauses end.
#[derive(Clone, Debug)]
pub struct SoughtWords {
    /// Their characters.
    pub key: Key,
    /// Ends of clauses, as indices into the characters; the last is their number.
    cuts: Vec<usize>,
}

impl SoughtWords {
    /// Those of a span of a text.
    pub fn of(text: &str, span: Span) -> Self {
        let key = Key::of(text, span);
        let is_mark = |c: char| ends_clause(c) || ends_sentence(c);
        let is_cut = |i: &usize| text[key.end(i - 1)..key.at[*i] as usize].contains(is_mark);
        let cuts = (1..key.len()).filter(is_cut).chain([key.len()]).collect();
        SoughtWords { key, cuts }
    }

    /// Number of characters.
    pub fn len(&self) -> usize {
        self.key.len()
    }

    /// The characters.
    pub fn chars(&self) -> &[char] {
        &self.key.chars
    }

    /// The clauses.
    pub fn clauses(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let starts = [0].into_iter().chain(self.cuts.iter().copied());
        starts.zip(&self.cuts).map(|(from, to)| from..*to)
    }

    /// The clauses that some of the characters are in.
    pub fn whole_clauses(&self, part: &Range<usize>) -> Span {
        let start = self.clauses().filter(|c| c.start <= part.start).last();
        let end = self.clauses().find(|c| c.end >= part.end);
        let (start, end) = (start.map_or(part.start, |c| c.start), end.map_or(part.end, |c| c.end));
        self.key.span(start, end)
    }

    /// Most differences that are accepted.
    pub fn tolerance(&self) -> usize {
        tolerance(self.len())
    }
}

/// Most differences that are accepted in `n` characters.
fn tolerance(n: usize) -> usize {
    match n {
        0..=2 => 0,
        3..=6 => 1,
        7..=11 => 2,
        _ => (n / 5).min(6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_to_six_characters_may_differ_in_one_and_shorter_words_in_none() {
        let tolerated: Vec<usize> = (1..=12).map(tolerance).collect();
        assert_eq!(tolerated, [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
        assert_eq!((tolerance(15), tolerance(40)), (3, 6));
    }

    #[test]
    fn the_clauses_that_some_words_are_in_are_taken_whole() {
        let text = "甲乙，丙丁。戊己";
        let words = SoughtWords::of(text, Span::new(0, text.len()));
        assert_eq!(words.clauses().collect::<Vec<_>>(), [0..2, 2..4, 4..6]);
        assert_eq!(&text[words.whole_clauses(&(1..3)).range()], "甲乙，丙丁");
    }
}
