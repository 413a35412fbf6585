//! Mentions: what in a text refers to something. Each file knows one sort; the words by which they
//! are known are in `data/cues.tsv`.

mod bare;
pub mod classic;
pub mod comment;
mod flat;
pub mod notes;
mod plain;
mod pointers;
mod quotes;
mod readings;
pub mod speakers;
mod titles;
pub mod tokens;
mod years;
