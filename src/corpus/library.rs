//! Documents that can refer to each other.

use std::sync::Arc;

use crate::model::{Alignment, Document};

/// Documents by id, and the alignments between them.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// The documents, in the order of the manifest.
    pub documents: Vec<Arc<Document>>,
    /// Classic with translation.
    pub alignments: Vec<Alignment>,
}

impl Library {
    /// The document with this id.
    pub fn get(&self, id: &str) -> Option<&Arc<Document>> {
        self.documents.iter().find(|d| d.id == id)
    }

    /// All but the one with this id.
    pub fn others<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a Arc<Document>> {
        self.documents.iter().filter(move |d| d.id != id)
    }
}
