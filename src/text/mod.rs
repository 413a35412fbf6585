//! Pure functions on Chinese text: which characters carry words, how they fold into keys, where sentences end.

pub mod class;
pub mod find;
pub mod fold;
mod key;
mod sentence;

pub use key::Key;
pub use sentence::{clauses, sentences};
