//! Finds the key by which the work of a text is cited, in the list of works that is in use.

use crate::model::Document;
use crate::passes::context::Context;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let work = document.meta.work.as_deref().and_then(|w| context.works.work(w));
    document.cited_as = work.map(|w| w.key.clone());
}
