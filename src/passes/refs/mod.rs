//! References: what a header treats, what a comment quotes and cites, what it points at elsewhere in the text.
//!
//! [`identify`] finds out which chapter a text is; [`lemma`] resolves headers; [`scopes`] and `divisions` read 自此盡;
//! the rest finds mentions in the commentary and resolves them: first in the passage explained, then in the chapter,
//! then in the corpus. What cannot be placed stays as a link without a target.

mod lemma;
mod scopes;

use super::Context;
use crate::corpus::View;
use crate::model::Document;

/// Resolves the lemma headers.
pub fn lemmata(document: &mut Document, context: &Context<'_>) {
    with_view(document, context, lemma::run);
}

/// Runs a pass that needs only the document and its view.
fn with_view(document: &mut Document, context: &Context<'_>, pass: impl Fn(&mut Document, &View)) {
    match context.index().get(&document.id) {
        Some(indexed) if indexed.document.segments.len() == document.segments.len() => pass(document, &indexed.view),
        _ => {
            let view = View::of(document);
            pass(document, &view);
        }
    }
}
