//! Pure functions on Chinese text: content characters, folding into keys, ends of sentences.

pub(crate) mod both_scripts;
pub mod cell;
pub mod class;
pub mod collate;
pub mod find;
pub mod fold;
pub mod grams;
pub mod graphemes;
mod key;
mod lines;
pub mod ngram;
pub mod numeral;
pub mod script;
mod sentence;
pub mod sound;

use regex::Regex;

pub use key::{CharPlaces, Key, PackedKey, scrap};
pub use lines::{Line, lines};
pub use sentence::{clauses, ends_with_sentence, sentences};

/// A fixed regular expression.
pub(crate) fn pattern(regex: &str) -> Regex {
    Regex::new(regex).expect("a test uses every pattern")
}
