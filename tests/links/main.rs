//! References: mentions, lemmata, the apparatus, loci, and links over the bundled corpus.

mod aligner;
mod annals;
mod apparatus;
mod classic;
mod corpus;
mod discourse;
mod flat;
mod glosses;
mod grams;
mod guessed;
mod inferred;
mod lists;
mod loci;
mod parallels;
mod parts;
mod printed_alone;
mod references;
mod rules;
mod scores;
mod sources;
mod speech;
#[path = "../support/mod.rs"]
mod support;
mod taken_up;
