//! Splitting a text into layers: with a witness, on the command line, and the scores.

mod commands;
mod corrections;
mod scores;
#[path = "../support/mod.rs"]
mod support;
mod witness;
