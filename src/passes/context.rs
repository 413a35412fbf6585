//! What a pass can see besides its document.

use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::learned::LayerModels;
use crate::corpus::figures::CorpusFigures;
use crate::corpus::index::Indexed;
use crate::corpus::lookups::Lookups;
use crate::corpus::{Index, Library, View, Works};
use crate::memo::{Memo, States};
use crate::model::{Document, MarkSource};

/// What a pass can see besides its document.
pub struct Context<'a> {
    /// The other documents, and in later stages this one too, as the previous stage left it.
    pub library: &'a Library,
    /// The works and chapters in which titles are looked up.
    pub works: Arc<Works>,
    /// What was learned from other texts.
    pub models: Arc<LayerModels>,
    /// Which punctuation is supplied where a text has none.
    pub punctuation: MarkSource,
    /// What the last build left, if this is a build.
    pub(crate) memo: Option<&'a Memo>,
    /// The keys of the documents, likewise.
    states: Option<&'a States>,
    /// What was counted over the whole corpus, if the library is only a part of it.
    figures: Option<&'a Arc<CorpusFigures>>,
    index: OnceLock<Index>,
    /// What documents looked up in others, by their numbers in the index.
    lookups: Mutex<FxHashMap<usize, Lookups>>,
    derived: Mutex<FxHashMap<(TypeId, Vec<usize>), Derived>>,
}

/// What was computed from some documents or from all of them, once for a stage.
type Derived = Arc<OnceLock<Arc<dyn Any + Send + Sync>>>;

impl<'a> Context<'a> {
    /// The context of one stage, with the built-in list of works and models.
    pub fn new(library: &'a Library) -> Self {
        Context::with(library, &Works::builtin(), &LayerModels::builtin())
    }

    /// The context of one stage.
    pub fn with(library: &'a Library, works: &Arc<Works>, models: &Arc<LayerModels>) -> Self {
        let (works, models) = (Arc::clone(works), Arc::clone(models));
        Context {
            library,
            works,
            models,
            punctuation: MarkSource::None,
            memo: None,
            states: None,
            figures: None,
            index: OnceLock::new(),
            lookups: Mutex::default(),
            derived: Mutex::default(),
        }
    }

    /// The context with what the last build left, and the keys of the documents.
    pub(crate) fn with_memo(self, memo: Option<&'a Memo>, states: &'a States) -> Self {
        Context { memo, states: memo.map(|_| states), ..self }
    }

    /// What is computed from a document alone; a build takes it from the last, if it is the same.
    pub(super) fn of_text<T: Serialize + DeserializeOwned>(
        &self,
        document: &Arc<Document>,
        kind: &str,
        make: impl FnOnce() -> T,
    ) -> T {
        let state = self.states.and_then(|states| states.get(document));
        match self.memo.zip(state) {
            Some((memo, state)) => memo.of_state(kind, state, make),
            None => make(),
        }
    }

    /// The context in which texts without punctuation get some.
    pub(crate) fn supplying(self, punctuation: MarkSource) -> Self {
        Context { punctuation, ..self }
    }

    /// The context with what was counted over the whole corpus.
    pub(crate) fn with_figures(self, figures: Option<&'a Arc<CorpusFigures>>) -> Self {
        Context { figures, ..self }
    }

    /// Notes what document number `own` of the index looked up in others.
    pub(super) fn looks_up(&self, own: usize, lookups: Lookups) {
        self.lookups.lock().unwrap_or_else(PoisonError::into_inner).insert(own, lookups);
    }

    /// Takes what document number `own` looked up.
    pub(crate) fn take_lookups(&self, own: usize) -> Option<Lookups> {
        self.lookups.lock().unwrap_or_else(PoisonError::into_inner).remove(&own)
    }

    /// The context with an index that an earlier stage built of the same documents.
    pub(crate) fn with_index(self, index: Option<Index>) -> Self {
        let index = index.map_or_else(OnceLock::new, OnceLock::from);
        Context { index, ..self }
    }

    /// The index, if a pass asked for it.
    pub(crate) fn into_index(self) -> Option<Index> {
        self.index.into_inner()
    }

    /// The search index of the library. It is built on first use, then shared by all passes of the
    /// stage.
    pub fn index(&self) -> &Index {
        let index = || Index::of(self.library, &self.works).with_figures(self.figures.cloned());
        self.index.get_or_init(index)
    }

    /// What a pass computes from a document of the library, once for all documents that ask for it
    /// in this stage. The type says what it is: there is one `make` for each.
    ///
    /// `make` must not work in parallel. A thread that waits for a part of it could meanwhile be
    /// given another document, which waits for the same value.
    pub(super) fn of_document<T: Any + Send + Sync>(
        &self,
        document: &Arc<Document>,
        make: impl FnOnce(&Document) -> T,
    ) -> Arc<T> {
        self.derived(vec![address(document)], || make(document))
    }

    /// The same from some documents of the library,.
    pub(super) fn of_documents<T: Any + Send + Sync>(
        &self,
        documents: &[&Arc<Document>],
        make: impl FnOnce() -> T,
    ) -> Arc<T> {
        self.derived(documents.iter().map(|d| address(d)).collect(), make)
    }

    /// The same from the whole library.
    pub(super) fn of_all<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        self.derived(vec![], make)
    }

    fn derived<T: Any + Send + Sync>(&self, from: Vec<usize>, make: impl FnOnce() -> T) -> Arc<T> {
        let all = || self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = Arc::clone(all().entry((TypeId::of::<T>(), from)).or_default());
        let made = Arc::clone(slot.get_or_init(|| Arc::new(make())));
        made.downcast().expect("the type is part of the key")
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
        // To view all documents for a few that changed would be too much.
        let index_is_there = self.memo.is_none() || self.index.get().is_some();
        match index_is_there.then(|| self.indexed(document)).flatten() {
            Some(own) => pass(document, &own.view),
            None => {
                let view = View::of(document);
                pass(document, &view);
            }
        }
    }
}

fn address(document: &Arc<Document>) -> usize {
    Arc::as_ptr(document) as usize
}
