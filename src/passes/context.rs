//! What a pass can see besides its document.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::learned::LayerModels;
use crate::corpus::index::Indexed;
use crate::corpus::{Index, Library, View, Works};
use crate::model::Document;

/// What a pass can see besides its document.
pub struct Context<'a> {
    /// The other documents, and in later stages this one too, as the previous stage left it.
    pub library: &'a Library,
    /// The works and chapters in which titles are looked up.
    pub works: Arc<Works>,
    /// What was learned from other texts.
    pub models: Arc<LayerModels>,
    index: OnceLock<Index>,
    shared: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl<'a> Context<'a> {
    /// The context of one stage, with the built-in list of works and models.
    pub fn new(library: &'a Library) -> Self {
        Context::with(library, &Works::builtin(), &LayerModels::builtin())
    }

    /// The context of one stage.
    pub fn with(library: &'a Library, works: &Arc<Works>, models: &Arc<LayerModels>) -> Self {
        let (works, models) = (Arc::clone(works), Arc::clone(models));
        Context { library, works, models, index: OnceLock::new(), shared: OnceLock::new() }
    }

    /// The search index of the library. It is built on first use, then shared by all passes of the
    /// stage.
    pub fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self.library, &self.works))
    }

    /// What a pass computes once for all documents of its stage, on first use. `None` if another
    /// pass of the stage has already stored a value of another type.
    pub(super) fn shared<T: Any + Send + Sync>(&self, make: fn(&Index) -> T) -> Option<&T> {
        self.shared.get_or_init(|| Box::new(make(self.index()))).downcast_ref()
    }

    /// The indexed copy of the document, if it still has as many segments.
    pub(super) fn indexed(&self, document: &Document) -> Option<&Indexed> {
        let own = self.index().get(&document.id)?;
        (own.document.segments.len() == document.segments.len()).then_some(own)
    }

    /// Runs `pass` on a document and its view, taken from the index if that is up to date.
    pub(super) fn with_view(
        &self,
        document: &mut Document,
        pass: impl FnOnce(&mut Document, &View),
    ) {
        match self.indexed(document) {
            Some(own) => pass(document, &own.view),
            None => {
                let view = View::of(document);
                pass(document, &view);
            }
        }
    }
}
