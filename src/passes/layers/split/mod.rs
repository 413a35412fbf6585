//! Cuts 經 from 注 where nothing marks the border.
//!
//! A semi-Markov conditional random field over the clauses of a paragraph weighs all evidence
//! together ([`semimarkov`], [`features`]): what the headers of the 疏 name and what it quotes
//! ([`group`](super::super::evidence::group)), how the text reads as classic and as commentary
//! ([`scored`](super::super::evidence::scored)), how commentaries open and close. The language
//! models learn from texts that mark their layers, then from the document itself: from what the
//! reading before is certain of ([`reading`]). A paragraph is always judged by models that have not
//! learned from it (the paragraphs are split into folds), so no mistake can confirm itself.
//!
//! The weights are learned by the crate `lab`, which is why so many modules are open: only
//! `internals` shows them.

pub mod common;
mod cut;
pub mod decode;
mod disagree;
pub mod explain;
pub mod feature;
pub mod features;
pub mod gather;
pub mod joints;
mod layout;
pub mod model;
mod preface;
pub mod reading;
pub mod semimarkov;
mod tails;
mod usual;

use crate::model::Document;
use crate::passes::context::Context;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    cut::cut(document, context, context.models.weights());
    document.divide_marks();
}
