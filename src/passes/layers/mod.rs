//! Passes that decide the layer of each stretch of a text.

pub mod confirmed;
pub mod headers;
pub mod inline;
pub mod labels;
mod notes_within;
pub mod split;
pub mod unlayered;
pub mod unmarked;
pub mod yinyi;
pub mod zhuan;
