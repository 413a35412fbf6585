//! What passes look references up in: the views of all documents, made once when first asked for.

use std::sync::Arc;

use super::{Library, View};
use crate::model::Document;

/// A document with its view.
#[derive(Clone, Debug)]
pub struct Indexed {
    /// The document as the stage before left it.
    pub document: Arc<Document>,
    /// Its streams and passages.
    pub view: View,
}

/// All documents of a library, viewed.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// In the order of the library.
    pub entries: Vec<Indexed>,
}

impl Index {
    /// Views every document.
    pub fn of(library: &Library) -> Self {
        let entries = library.documents.iter().map(|d| Indexed { document: d.clone(), view: View::of(d) }).collect();
        Index { entries }
    }

    /// The document with this id.
    pub fn get(&self, id: &str) -> Option<&Indexed> {
        self.entries.iter().find(|e| e.document.id == id)
    }

    /// Documents other than `id` whose text is this chapter of this work (or the whole work, if no chapter is asked for
    /// or known).
    pub fn of_chapter<'a>(&'a self, work: &'a str, chapter: Option<&'a str>, id: &'a str) -> impl Iterator<Item = &'a Indexed> {
        self.entries.iter().filter(move |e| {
            let meta = &e.document.meta;
            let same = chapter.is_none() || meta.chapter.is_none() || meta.chapter.as_deref() == chapter;
            e.document.id != id && meta.role == crate::model::Role::Witness && meta.work.as_deref() == Some(work) && same
        })
    }
}
