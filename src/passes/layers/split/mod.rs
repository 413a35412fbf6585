//! Cuts 經 from 注 where nothing marks the border.
//!
//! All evidence is weighed together by a semi-Markov conditional random field over the clauses of a
//! paragraph ([`semimarkov`], [`features`]): what the headers of the 疏 name and what it quotes
//! ([`group`](super::super::evidence::group)), how the words read as classic and as commentary ([`scored`](super::super::evidence::scored)), how commentaries open
//! and close. The language models are learned from texts that mark their layers, and then from the
//! document itself: what the first reading is sure of teaches the second ([`reading`]). A paragraph
//! is always judged by models that have not learned from it (the paragraphs are dealt into folds),
//! so that a mistake cannot confirm itself.

mod cut;
mod disagree;
pub mod explain;
mod feature;
mod features;
mod fit;
mod gather;
mod model;
mod reading;
mod semimarkov;
mod tails;
pub mod train;

use crate::model::Document;
use crate::passes::context::Context;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    cut::cut(document, context, &model::WEIGHTS);
}
