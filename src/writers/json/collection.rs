//! What JSON says of the corpus that a text belongs to.

use serde::Serialize;

use crate::model::Collection;

#[derive(Serialize)]
pub(super) struct CollectionJson<'a> {
    title: Option<&'a str>,
    editors: &'a [String],
    licence: Option<&'a str>,
    date: Option<&'a str>,
}

pub(super) fn collection_json(about: &Collection) -> Option<CollectionJson<'_>> {
    let Collection { title, editors, licence, date, .. } = about;
    let all = [title, licence, date].map(Option::as_deref);
    let is_known = !editors.is_empty() || all.iter().any(Option::is_some);
    let [title, licence, date] = all;
    is_known.then_some(CollectionJson { title, editors, licence, date })
}
