//! Persons, places and dates that the source marks.

use serde::Serialize;

use super::{Offsets, offsets};
use crate::model::Document;
use crate::reading::{MarkedName, marked_names};

#[derive(Serialize)]
pub(super) struct NameJson {
    kind: &'static str,
    #[serde(flatten)]
    at: Offsets,
    text: String,
    ids: Vec<String>,
}

/// The names of a document, in order.
pub(super) fn names_json(d: &Document) -> Vec<NameJson> {
    let json = |name: MarkedName| NameJson {
        kind: name.kind.id(),
        at: offsets(&d.source, name.span),
        text: name.words,
        ids: name.ids,
    };
    marked_names(d).into_iter().map(json).collect()
}
