//! References: mentions, lemmata, the apparatus, loci, and links over the bundled corpus.

mod apparatus;
mod corpus;
mod grams;
mod loci;
mod references;
#[path = "../support/mod.rs"]
mod support;
