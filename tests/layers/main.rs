//! Splitting a text into layers: against a witness, by the command, and its scores.

mod commands;
mod scores;
#[path = "../support/mod.rs"]
mod support;
mod witness;
