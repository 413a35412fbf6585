//! Pure functions on Chinese text: which characters carry words, how they fold into keys, where sentences end.

pub mod class;
pub mod fold;
mod key;
pub mod ngram;
pub mod numeral;
mod sentence;

pub use key::Key;
pub use sentence::{clauses, sentences};
