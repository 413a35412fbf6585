//! Pure functions on Chinese text: which characters carry words, how they fold into keys, where sentences end.

pub mod class;
pub mod fold;
pub mod graphemes;
mod key;
pub mod script;
mod sentence;

pub use key::Key;
pub use sentence::{clauses, sentences};
