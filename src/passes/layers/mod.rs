//! Passes that decide which layer each stretch of a text is.

pub mod headers;
pub mod inline;
pub mod labels;
pub mod split;
pub mod yinyi;
pub mod zhuan;
