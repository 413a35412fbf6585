//! What one build leaves for the next: the results of its stages, each under a hash of all that it
//! was computed from. So a result is used again only if it would be computed again as it was, and a
//! change that does not reach the output of a stage goes no further.
//!
//! The alternatives were `salsa`, which keeps its results in memory only, and an embedded database
//! (`redb`, SQLite), which one process at a time may open: `show` reads while `build` writes.

mod same;

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use self::same::AsBefore;
use crate::cache::{Cache, CacheKey, digest};
use crate::corpus::Library;
use crate::model::Document;
use crate::source::Source;

/// The results of a build and of the one before.
pub(crate) struct Memo {
    cache: Cache,
    /// What everything depends on: the program, its models, its list of works.
    base: CacheKey,
    used: Mutex<HashSet<CacheKey>>,
    /// The documents of the last stage, by their addresses.
    finished: Mutex<FxHashMap<usize, (Arc<Document>, Finished)>>,
    /// The documents that builds made, and the keys of those of the last.
    documents: Cache,
    last: Option<Vec<CacheKey>>,
    /// What the documents of this build looked up.
    lookups: Mutex<Option<Vec<u8>>>,
}

/// The kind of documents that are kept for commands, for their keys.
pub(crate) const DOCUMENT: &str = "document";

/// The keys of a document of the last stage.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Finished {
    /// Of its content.
    pub(crate) state: CacheKey,
    /// Under which it is kept for commands.
    pub(crate) kept: CacheKey,
}

/// The keys of documents as the last stage left them, by their addresses. It has the documents too,
/// since the address of one that is gone may be given to another.
#[derive(Default)]
pub(crate) struct States(FxHashMap<usize, (Arc<Document>, CacheKey)>);

impl States {
    /// The keys of all documents of a library; those that are known are not computed again.
    pub(crate) fn of(library: &Library, mut known: States) -> Self {
        let all: Vec<_> = library.all().map(|d| (d, known.0.remove(&address(d)))).collect();
        let key = |(d, known): (&Arc<Document>, Option<(Arc<Document>, CacheKey)>)| {
            known.unwrap_or_else(|| (Arc::clone(d), digest(&**d)))
        };
        let states: Vec<_> = all.into_par_iter().map(key).collect();
        states.into_iter().collect()
    }

    /// Those of all documents of a library, in order.
    pub(crate) fn all(&self, library: &Library) -> Option<Vec<CacheKey>> {
        library.all().map(|d| self.get(d).cloned()).collect()
    }

    /// That of a document.
    pub(crate) fn get(&self, document: &Arc<Document>) -> Option<&CacheKey> {
        self.0.get(&address(document)).map(|(_, key)| key)
    }
}

impl FromIterator<(Arc<Document>, CacheKey)> for States {
    fn from_iter<T: IntoIterator<Item = (Arc<Document>, CacheKey)>>(states: T) -> Self {
        States(states.into_iter().map(|state| (address(&state.0), state)).collect())
    }
}

fn address(document: &Arc<Document>) -> usize {
    Arc::as_ptr(document) as usize
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memo").field("cache", &self.cache).finish_non_exhaustive()
    }
}

impl Memo {
    /// The results in a folder. `last` has the keys of the documents of the last build, all of
    /// which are in `documents`.
    pub(crate) fn in_folder(
        folder: impl Into<PathBuf>,
        base: CacheKey,
        (documents, last): (Cache, Option<Vec<CacheKey>>),
    ) -> Self {
        Memo {
            cache: Cache::in_folder(folder).small(),
            base,
            used: Mutex::default(),
            finished: Mutex::default(),
            documents,
            last,
            lookups: Mutex::default(),
        }
    }

    /// The key of what `kind` of work makes of these parts.
    pub(crate) fn key<'a>(
        &'a self,
        kind: &'a str,
        parts: impl IntoIterator<Item = &'a [u8]>,
    ) -> CacheKey {
        CacheKey::of([self.base.as_bytes(), kind.as_bytes()].into_iter().chain(parts))
    }

    /// The result under a key.
    pub(crate) fn get<T: DeserializeOwned>(&self, key: &CacheKey) -> Option<T> {
        let result = self.cache.read(key)?;
        self.uses(key);
        Some(result)
    }

    /// The same of a result that the next build may not need: it goes, unless this one
    /// [says so](Self::uses).
    pub(crate) fn last_of<T: DeserializeOwned>(&self, key: &CacheKey) -> Option<T> {
        self.cache.read(key)
    }

    /// Keeps a result. If it cannot be written, the next build computes it again.
    pub(crate) fn put<T: Serialize>(&self, key: &CacheKey, result: &T) {
        if self.cache.write(key, result).is_ok() {
            self.uses(key);
        }
    }

    /// Keeps a result under another key; false if it is not there.
    pub(crate) fn rename(&self, from: &CacheKey, to: &CacheKey) -> bool {
        self.cache.rename(from, to).is_ok()
    }

    /// A document as it was read from the bytes of a file.
    pub(crate) fn text(&self, key: &CacheKey, bytes: &[u8]) -> Option<Document> {
        let (document, source): (Document, Option<Source>) = self.get(key)?;
        let Some(source) = source else { return Some(document) };
        let text = String::from_utf8(bytes.to_vec()).ok()?;
        Some(Document { source: Arc::new(source.with_text(text)), ..document })
    }

    /// Keeps a document as it was read from the bytes of a file; without its text, if these are the
    /// bytes.
    pub(crate) fn put_text(&self, key: &CacheKey, document: &mut Document, bytes: &[u8]) {
        if document.source.text().as_bytes() != bytes {
            return self.put(key, &(&*document, None::<Source>));
        }
        let nowhere = Arc::new(Source::from_text("", ""));
        let source = std::mem::replace(&mut document.source, nowhere);
        self.put(key, &(&*document, Some(source.without_text())));
        document.source = source;
    }

    /// What a stage made of a document under a key, and the key of that. If it is another document,
    /// `read` gets it first.
    pub(crate) fn document(
        &self,
        key: &CacheKey,
        from: &Arc<Document>,
        read: impl FnOnce(&mut Document),
    ) -> Option<(Arc<Document>, CacheKey)> {
        let (state, made): (CacheKey, Option<(AsBefore, Document)>) = self.get(key)?;
        let made = made.map(|(same, document)| {
            let mut document = same.restored(document, from);
            read(&mut document);
            Arc::new(document)
        });
        Some((made.unwrap_or_else(|| Arc::clone(from)), state))
    }

    /// Keeps what a stage made of a document whose key was `before`, without what is as it was.
    /// Returns the key of the whole.
    pub(crate) fn put_document(
        &self,
        key: &CacheKey,
        document: &mut Document,
        (from, before): (&Document, Option<&CacheKey>),
    ) -> CacheKey {
        let state = digest(&*document);
        if before == Some(&state) {
            self.put(key, &(&state, None::<(&AsBefore, &Document)>));
            return state;
        }
        let same = AsBefore::of(from, document);
        let whole = same.taken(document);
        self.put(key, &(&state, Some((&same, &*document))));
        *document = whole;
        state
    }

    /// What is computed from a document whose key is `state`; it is not computed again.
    pub(crate) fn of_state<T: Serialize + DeserializeOwned>(
        &self,
        kind: &str,
        state: &CacheKey,
        make: impl FnOnce() -> T,
    ) -> T {
        let key = self.key(kind, [state.as_bytes()]);
        self.get(&key).unwrap_or_else(|| {
            let made = make();
            self.put(&key, &made);
            made
        })
    }

    /// What the last stage made of a document under a key, after `read` got it.
    pub(crate) fn finished(
        &self,
        key: &CacheKey,
        from: &Arc<Document>,
        read: impl FnOnce(&mut Document),
    ) -> Option<Arc<Document>> {
        let (finished, same, document): (Finished, AsBefore, Document) = self.get(key)?;
        // Commands will want it.
        if self.documents.bytes_of(&finished.kept) == 0 {
            return None;
        }
        let mut document = same.restored(document, from);
        read(&mut document);
        let document = Arc::new(document);
        self.finishes(&document, finished);
        Some(document)
    }

    /// Keeps what the last stage made of a document, and all of it where commands will read it.
    pub(crate) fn put_finished(
        &self,
        key: &CacheKey,
        mut document: Document,
        from: &Document,
    ) -> Arc<Document> {
        let Ok(kept) = self.documents.keep(DOCUMENT, &document) else { return Arc::new(document) };
        let finished = Finished { state: digest(&document), kept };
        let same = AsBefore::of(from, &document);
        let whole = same.taken(&mut document);
        self.put(key, &(&finished, &same, &document));
        let document = Arc::new(whole);
        self.finishes(&document, finished);
        document
    }

    fn finishes(&self, document: &Arc<Document>, finished: Finished) {
        let mut all = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(address(document), (Arc::clone(document), finished));
    }

    /// The keys of a document, if it is as the last stage left it.
    pub(crate) fn keys_of(&self, document: &Arc<Document>) -> Option<Finished> {
        let all = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&address(document)).map(|(_, finished)| finished.clone())
    }

    /// Where the documents of the last stage are kept.
    pub(crate) fn kept(&self) -> Vec<CacheKey> {
        let all = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        all.values().map(|(_, finished)| finished.kept.clone()).collect()
    }

    /// Keeps a result under a key made of its own content, and returns the key.
    pub(crate) fn keep<T: Serialize>(&self, kind: &str, result: &T) -> Option<CacheKey> {
        let key = self.cache.keep(kind, result).ok()?;
        self.uses(&key);
        Some(key)
    }

    /// What the documents of the last build looked up in each other.
    pub(crate) fn last_lookups<T: DeserializeOwned>(&self) -> Option<T> {
        self.cache.read(&self.lookups_of(self.last.as_ref()?))
    }

    /// Document number `n` of the last build.
    pub(crate) fn last_document(&self, n: usize) -> Option<Document> {
        self.documents.read(self.last.as_ref()?.get(n)?)
    }

    /// Keeps what the documents of this build looked up, as soon as it is known what they became.
    pub(crate) fn keep_lookups<T: Serialize>(&self, lookups: &T) {
        let mut kept = self.lookups.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = self.cache.packed(lookups).ok();
    }

    /// The key of lookups, which can be used with the documents of their build only.
    fn lookups_of(&self, documents: &[CacheKey]) -> CacheKey {
        self.key("lookups", documents.iter().map(CacheKey::as_bytes))
    }

    /// Ends a build that made some documents: what it did not use is removed.
    pub(crate) fn end(&self, documents: &[CacheKey]) {
        let lookups = self.lookups.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(bytes) = lookups {
            let key = self.lookups_of(documents);
            if self.cache.write_packed(&key, &bytes).is_ok() {
                self.uses(&key);
            }
        }
        self.remove_unused();
    }

    fn remove_unused(&self) {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        self.cache.retain(&used.iter().collect());
    }

    /// The next build may need the result under a key, so it stays.
    pub(crate) fn uses(&self, key: &CacheKey) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
    }
}
