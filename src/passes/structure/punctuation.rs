//! Punctuation for a text without any, if it is wanted: that of a punctuated copy of the chapter,
//! or also what a network expects. It stays beside the text, which is not changed; sentences are
//! numbered by it.

use crate::corpus::marks_for;
use crate::model::{Document, MarkSource, Role};
use crate::passes::context::Context;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    if document.meta.role == Role::Witness {
        let from = match context.punctuation {
            MarkSource::None => document.meta.collection.punctuation,
            asked => asked,
        };
        document.supplied = marks_for(document, context.library, from).into();
    }
}
