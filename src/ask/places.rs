//! A place in a text as answers describe it.

use serde_json::Value;

use super::passage::placed;
use crate::corpus::Loci;
use crate::model::Document;
use crate::source::Span;

/// Where some words are, what they are, in which text, in which layer and by whom.
pub(super) fn described(document: &Document, span: Span) -> Value {
    let locus = Loci::around(document, span).name(span);
    let segment = document.segment_at(span.start()).map(|n| &document.segments[n]);
    let mut place = placed(document, span, &document.words_of_layer(span));
    place["document"] = document.id.as_str().into();
    place["title"] = document.meta.title.as_str().into();
    place["edition"] = document.meta.edition.as_deref().into();
    place["locus"] = locus.as_ref().map(ToString::to_string).into();
    place["urn"] = locus.as_ref().map(|l| l.urn(Some(&document.id))).into();
    place["layer"] = segment.map(|s| s.layer.id()).into();
    place["by"] = document.speakers().of(span).into();
    place
}
