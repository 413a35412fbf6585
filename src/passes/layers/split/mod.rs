//! Cuts 經 from 注 where nothing marks the border.
//!
//! A semi-Markov conditional random field over the clauses of a paragraph weighs all evidence
//! together ([`semimarkov`], [`features`]): what the headers of the 疏 name and what it quotes
//! ([`group`](super::super::evidence::group)), how the text reads as classic and as commentary
//! ([`scored`](super::super::evidence::scored)), how commentaries open and close. The language
//! models learn from texts that mark their layers, then from the document itself: from what the
//! reading before is certain of ([`reading`]). A paragraph is always judged by models that have not
//! learned from it (the paragraphs are split into folds), so no mistake can confirm itself.

mod common;
mod cut;
mod decode;
mod disagree;
pub mod explain;
mod feature;
mod features;
mod fit;
mod gather;
mod joined;
mod joints;
mod layout;
mod lesson;
pub(in crate::passes) mod model;
mod preface;
mod reading;
mod semimarkov;
mod tails;
pub mod train;
mod usual;

use crate::model::Document;
use crate::passes::context::Context;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    cut::cut(document, context, context.models.weights());
}
