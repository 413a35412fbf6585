//! Documents that can refer to each other.

use std::collections::HashSet;
use std::sync::Arc;

use crate::language::Language;
use crate::model::{Alignment, Document};

/// Before the id of a document of the user's own library, so that a link into it says so.
pub(crate) const LIBRARY_PREFIX: &str = "library:";

/// Documents by id, and the alignments between them.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// The documents, in the order of the manifest.
    pub documents: Vec<Arc<Document>>,
    /// Classic with translation.
    pub alignments: Vec<Alignment>,
    /// Chapters of the user's own library that share words with the documents. They are witnesses
    /// and targets of references, and no output has their text.
    pub beside: Vec<Arc<Document>>,
    /// The language in which pages of the documents are written.
    pub language: Language,
}

impl Library {
    /// The document with this id.
    pub fn get(&self, id: &str) -> Option<&Arc<Document>> {
        self.all().find(|d| d.id == id)
    }

    /// All but the one with this id.
    pub fn others<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a Arc<Document>> {
        self.all().filter(move |d| d.id != id)
    }

    /// The documents, then those beside them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Document>> {
        self.documents.iter().chain(&self.beside)
    }

    /// The ids of the documents of the user's own library to which these refer.
    pub(crate) fn cited_beside(documents: &[Arc<Document>]) -> HashSet<&str> {
        let links = documents.iter().flat_map(|d| &d.links);
        let targets = links.flat_map(|l| l.target.iter().chain(&l.alternatives));
        targets.filter_map(|t| t.doc.as_deref()).filter(|id| Library::is_beside(id)).collect()
    }

    /// True for the id of a document of the user's own library.
    pub(crate) fn is_beside(id: &str) -> bool {
        id.starts_with(LIBRARY_PREFIX)
    }
}
