//! What one build leaves for the next: the results of its stages, each under a hash of all that it
//! was computed from. So a result is used again only if it would be computed again as it was, and a
//! change that does not reach the output of a stage goes no further.
//!
//! The alternatives were `salsa`, which keeps its results in memory only, and an embedded database
//! (`redb`, SQLite), which one process at a time may open: `show` reads while `build` writes.

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::cache::{Cache, CacheKey, digest, packed};
use crate::model::Document;
use crate::source::Source;

/// The results of a build and of the one before.
pub(crate) struct Memo {
    cache: Cache,
    /// What everything depends on: the program, its models, its list of works.
    base: CacheKey,
    used: Mutex<HashSet<CacheKey>>,
    /// Alignments of the last build, and those that this one used.
    aligned: OnceLock<Aligned>,
    used_aligned: Mutex<Aligned>,
    /// The documents that builds made, and the keys of those of the last.
    documents: Cache,
    last: Option<Vec<CacheKey>>,
    /// What the documents of this build looked up.
    lookups: Mutex<Option<Vec<u8>>>,
}

/// Alignments by a hash of what is aligned. They are too many for a file each.
type Aligned = FxHashMap<u128, Vec<u32>>;

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
            cache: Cache::in_folder(folder),
            base,
            used: Mutex::default(),
            aligned: OnceLock::new(),
            used_aligned: Mutex::default(),
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

    /// Keeps a result. If it cannot be written, the next build computes it again.
    pub(crate) fn put<T: Serialize>(&self, key: &CacheKey, result: &T) {
        if self.cache.write(key, result).is_ok() {
            self.uses(key);
        }
    }

    /// The document under a key, which has this source, and the key of the document.
    pub(crate) fn document(
        &self,
        key: &CacheKey,
        source: &Arc<Source>,
    ) -> Option<(Document, CacheKey)> {
        let (state, document): (CacheKey, Document) = self.get(key)?;
        Some((Document { source: Arc::clone(source), ..document }, state))
    }

    /// Keeps a document without its source, which is that of the document it was made of. Returns
    /// the key of the whole.
    pub(crate) fn put_document(&self, key: &CacheKey, document: &mut Document) -> CacheKey {
        let state = digest(&*document);
        let nowhere = Arc::new(Source::from_text("", ""));
        let source = std::mem::replace(&mut document.source, nowhere);
        self.put(key, &(&state, &*document));
        document.source = source;
        state
    }

    /// An alignment of some numbers, which name what is aligned and how; it is computed if it was
    /// not in the last build.
    pub(crate) fn aligned(
        &self,
        of: impl IntoIterator<Item = u32>,
        make: impl FnOnce() -> Vec<u32>,
    ) -> Vec<u32> {
        let mut hash = Sha256::new();
        let bytes: Vec<u8> = of.into_iter().flat_map(u32::to_le_bytes).collect();
        hash.update(&bytes);
        let hash = hash.finalize();
        let key = u128::from_le_bytes(std::array::from_fn(|n| hash[n]));
        let last =
            self.aligned.get_or_init(|| self.cache.read(&self.alignments()).unwrap_or_default());
        let numbers = last.get(&key).cloned().unwrap_or_else(make);
        let mut used = self.used_aligned.lock().unwrap_or_else(PoisonError::into_inner);
        used.insert(key, numbers.clone());
        numbers
    }

    /// The key of all alignments.
    fn alignments(&self) -> CacheKey {
        self.key("alignments", [])
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
        *kept = packed(lookups).ok();
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
        let used = self.used_aligned.lock().unwrap_or_else(PoisonError::into_inner);
        self.put(&self.alignments(), &*used);
        self.remove_unused();
    }

    fn remove_unused(&self) {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        self.cache.retain(&used.iter().collect());
    }

    fn uses(&self, key: &CacheKey) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
    }
}
