//! What JSON says of the text of a file, and of the corpus that it belongs to.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::corpus::AuthorityId;
use crate::model::{Collection, Document};

/// What a text is: a file, or a chapter of it.
#[derive(Serialize)]
pub(super) struct TextJson<'a> {
    id: &'a str,
    title: &'a str,
    work: Option<&'a str>,
    chapter: Option<&'a str>,
    number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
}

pub(super) fn text_json(d: &Document) -> TextJson<'_> {
    let m = &d.meta;
    TextJson {
        id: &d.id,
        title: &m.title,
        work: m.work.as_deref(),
        chapter: m.chapter.as_deref(),
        number: m.number,
        group: m.group.as_deref(),
    }
}

/// See the schema for the keys.
#[derive(Serialize)]
pub(super) struct MetaJson<'a> {
    #[serde(flatten)]
    text: TextJson<'a>,
    language: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    siglum: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by: Vec<ByJson<'a>>,
    /// The known ones of edition, editors, date, origin and rights.
    #[serde(flatten)]
    facts: BTreeMap<&'static str, Cow<'a, str>>,
    /// What catalogues of others call the work.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elsewhere: Vec<AuthorityId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    collection: Option<CollectionJson<'a>>,
}

#[derive(Serialize)]
struct ByJson<'a> {
    layer: &'static str,
    name: &'a str,
    period: Option<&'a str>,
    /// Left out where it is stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    cert: Option<f64>,
}

/// The metadata of a file: of its first chapter, with who wrote the layers of all.
pub(super) fn meta_json<'a>(d: &'a Document, chapters: &[&'a Document]) -> MetaJson<'a> {
    let m = &d.meta;
    let mut by: Vec<ByJson<'_>> = vec![];
    for (layer, who) in chapters.iter().flat_map(|d| &d.meta.layers) {
        if !by.iter().any(|b| b.layer == layer.id() && b.name == who.name) {
            by.push(ByJson {
                layer: layer.id(),
                name: &who.name,
                period: who.period.as_deref(),
                cert: who.inferred.map(|c| c.rounded()),
            });
        }
    }
    MetaJson {
        text: text_json(d),
        language: &m.language,
        siglum: m.siglum.as_deref(),
        by,
        facts: m.facts().into_iter().map(|f| (f.id, f.words)).collect(),
        elsewhere: m.work.iter().flat_map(|work| AuthorityId::of_work(work)).collect(),
        collection: collection_json(&m.collection),
    }
}

#[derive(Serialize)]
struct CollectionJson<'a> {
    title: Option<&'a str>,
    editors: &'a [String],
    licence: Option<&'a str>,
    date: Option<&'a str>,
}

fn collection_json(about: &Collection) -> Option<CollectionJson<'_>> {
    let Collection { title, editors, licence, date, .. } = about;
    let all = [title, licence, date].map(Option::as_deref);
    let is_known = !editors.is_empty() || all.iter().any(Option::is_some);
    let [title, licence, date] = all;
    is_known.then_some(CollectionJson { title, editors, licence, date })
}
