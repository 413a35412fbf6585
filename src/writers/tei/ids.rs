//! Ids that XML accepts, and that do not clash: segments `x12`, characters `char-E000`, evidence
//! `ev-…`, people by key.

use std::borrow::Cow;

use crate::model::{Commentator, Document, Layer};

/// `words` with everything replaced that an XML name may not have.
pub(super) fn name(words: &str) -> Cow<'_, str> {
    if words.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return Cow::Borrowed(words);
    }
    words
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
        .collect()
}

/// A person of the header.
#[derive(Debug)]
pub(super) struct Person<'a> {
    /// Id in the file.
    pub(super) id: String,
    /// Who.
    pub(super) who: &'a Commentator,
    /// The layers written, in the order of the metadata.
    pub(super) layers: Vec<Layer>,
}

/// The people of a document, each once.
pub(super) fn people(document: &Document) -> Vec<Person<'_>> {
    let mut people: Vec<Person<'_>> = Vec::new();
    for (layer, who) in &document.meta.layers {
        if let Some(p) = people.iter_mut().find(|p| p.who == who) {
            p.layers.push(*layer);
            continue;
        }
        let wanted = person_id(&who.key);
        let taken = |id: &str| people.iter().any(|p| p.id == id);
        let id = match taken(&wanted) {
            false => wanted,
            true => (2..).map(|n| format!("{wanted}-{n}")).find(|id| !taken(id)).unwrap_or(wanted),
        };
        people.push(Person { id, who, layers: vec![*layer] });
    }
    people
}

/// The key itself where it can be an id and cannot be taken for one of ours.
fn person_id(key: &str) -> String {
    let id = name(key);
    let letter = id.starts_with(|c: char| c.is_alphabetic());
    let lower = !id.bytes().any(|b| b.is_ascii_uppercase());
    let ours = ["char-", "ev-", "person-"].iter().any(|p| id.starts_with(p))
        || matches!(
            &*id,
            "zhushu"
                | "evidence"
                | "status"
                | "exact"
                | "variant"
                | "paraphrase"
                | "range"
                | "title-only"
                | "unresolved"
        )
        || id.len() > 1
            && id[id.chars().next().map_or(0, char::len_utf8)..]
                .starts_with(|c: char| c.is_ascii_digit());
    if letter && lower && !ours { id.into_owned() } else { format!("person-{id}") }
}
