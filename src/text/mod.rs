//! Pure functions on Chinese text: content characters, folding into keys, ends of sentences.

pub(crate) mod alike;
pub(crate) mod both_scripts;
pub mod cell;
pub mod class;
pub mod collate;
pub mod find;
pub mod fold;
pub mod grams;
pub mod graphemes;
mod key;
pub(crate) mod letters;
mod lines;
pub mod ngram;
pub mod numeral;
pub(crate) mod one_line;
pub(crate) mod sampled;
pub mod script;
mod sentence;
pub mod sound;
pub(crate) mod spans;
pub(crate) mod within;

use regex::Regex;

/// Before and after a note that a markup names, as vessels show it to readers. No text has this by
/// itself.
pub(crate) const NOTE: (&str, &str) = ("{{*|", "}}");

pub use key::{CharPlaces, Key, PackedKey, scrap};
pub use lines::{Line, lines};
pub(crate) use sentence::is_punctuated;
pub use sentence::{clauses, ends_with_sentence, sentences};

/// A fixed regular expression.
pub(crate) fn pattern(regex: &str) -> Regex {
    Regex::new(regex).expect("a test uses every pattern")
}

/// The last byte up to `at` at which a character begins, or the end.
pub(crate) fn char_floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}

/// The first byte from `at` on at which a character begins, or the end.
pub(crate) fn char_ceil(text: &str, at: usize) -> usize {
    (at..text.len()).find(|i| text.is_char_boundary(*i)).unwrap_or(text.len())
}
