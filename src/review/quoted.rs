//! Places of other texts in their words, as decisions name them.

use std::collections::HashMap;

use crate::corrections::anchor::AnchorText;
use crate::model::{Document, QuotedPlace};
use crate::source::Span;

/// The texts that were quoted, so that each is prepared once.
#[derive(Default)]
pub(super) struct QuotedTexts<'a>(HashMap<String, AnchorText<'a>>);

impl<'a> QuotedTexts<'a> {
    /// A place of a document by its words, without the name of the document; `None` if these are
    /// elsewhere too.
    pub(super) fn quoted(&mut self, document: &'a Document, at: Span) -> Option<QuotedPlace> {
        let text = self
            .0
            .entry(document.id.clone())
            .or_insert_with(|| AnchorText::new(document.source.text()));
        let quote = text.quote(at)?;
        Some(QuotedPlace {
            doc: None,
            before: quote.before.replace('¶', ""),
            at: quote.at.replace('¶', ""),
            until: quote.until.map(|u| u.replace('¶', "")),
            after: quote.after.replace('¶', ""),
        })
    }
}
