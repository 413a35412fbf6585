//! What a pass can see besides its document.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use crate::corpus::index::Indexed;
use crate::corpus::{Index, Library, View, Works};
use crate::model::Document;

/// What a pass can see besides its document.
pub struct Context<'a> {
    /// The other documents (and, in later stages, this one too, as it was).
    pub library: &'a Library,
    /// The works and chapters that titles are looked up in.
    pub works: Arc<Works>,
    index: OnceLock<Index>,
    shared: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl<'a> Context<'a> {
    /// The context of one stage, with the built-in list of works.
    pub fn new(library: &'a Library) -> Self {
        Context::with(library, &Works::builtin())
    }

    /// The context of one stage.
    pub fn with(library: &'a Library, works: &Arc<Works>) -> Self {
        let works = Arc::clone(works);
        Context { library, works, index: OnceLock::new(), shared: OnceLock::new() }
    }

    /// The library made ready for looking things up; built when first asked for, then shared by all
    /// passes of the stage.
    pub fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self.library, &self.works))
    }

    /// What a pass finds out for all documents of its stage at once: made when first asked for.
    /// `None` if another pass of the stage has already put something else there.
    pub(super) fn shared<T: Any + Send + Sync>(&self, make: fn(&Index) -> T) -> Option<&T> {
        self.shared.get_or_init(|| Box::new(make(self.index()))).downcast_ref()
    }

    /// The document as it is indexed, if it is still as it was then.
    pub(super) fn indexed(&self, document: &Document) -> Option<&Indexed> {
        let own = self.index().get(&document.id)?;
        (own.document.segments.len() == document.segments.len()).then_some(own)
    }

    /// Gives `pass` a document and its view, from the index where that is up to date.
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
