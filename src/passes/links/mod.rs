//! Passes that link words to words: what headers treat, what comments quote and cite, which
//! readings notes report, and what other chapters have in the same words.

pub mod apparatus;
mod differs;
pub mod lemmata;
pub mod parallels;
pub mod references;
