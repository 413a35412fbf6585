//! Alignment of a classic with its translation.

mod pairs;
mod scores;
#[path = "../support/mod.rs"]
mod support;
