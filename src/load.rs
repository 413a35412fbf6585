//! From files on disk to documents: the corpus says which files, the readers read them.
//!
//! ```no_run
//! use zhushu::Settings;
//! let settings = Settings::default();
//! let corpus = settings.open("corpus".as_ref())?;
//! let library = settings.run(settings.read(&corpus)?.documents);
//! # Ok::<(), zhushu::diag::Error>(())
//! ```

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::corpus::{Corpus, TextEntry};
use crate::diag::{Error, ErrorKind};
use crate::model::{Collection, Document, Meta};
use crate::settings::Settings;
use crate::source::Source;

/// The texts of a corpus, read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The documents, in the corpus's order.
    pub documents: Vec<Document>,
    /// The other files of a folder without manifest, and why they are not texts.
    pub left_out: Vec<(PathBuf, String)>,
}

/// As [`Settings::open`], with default settings.
///
/// # Errors
/// As [`Corpus::open`].
pub fn open(path: &Path) -> Result<Corpus, Error> {
    Settings::default().open(path)
}

/// As [`Settings::read`], with default settings.
///
/// # Errors
/// As [`Settings::read`].
pub fn read(corpus: &Corpus) -> Result<Loaded, Error> {
    Settings::default().read(corpus)
}

/// As [`Settings::entry`], with default settings.
///
/// # Errors
/// As [`Settings::entry`].
pub fn entry(entry: &TextEntry) -> Result<Document, Error> {
    Settings::default().entry(entry)
}

impl Settings {
    /// Opens a corpus: a folder of texts, or a manifest.
    ///
    /// # Errors
    /// As [`Corpus::open`].
    pub fn open(&self, path: &Path) -> Result<Corpus, Error> {
        Corpus::open(path, &self.readers.names())
    }

    /// Reads all texts of a corpus.
    ///
    /// # Errors
    /// When a text that the manifest names cannot be read. In a folder without manifest such a
    /// file is left out; it is an error if no text remains.
    pub fn read(&self, corpus: &Corpus) -> Result<Loaded, Error> {
        let results: Vec<_> = corpus.about.texts.par_iter().map(|e| self.entry(e)).collect();
        if corpus.manifest.is_some() {
            let documents = results.into_iter().collect::<Result<_, _>>()?;
            return Ok(Loaded { documents, left_out: vec![] });
        }
        let mut loaded = Loaded { documents: vec![], left_out: corpus.left_out.clone() };
        for (result, entry) in results.into_iter().zip(&corpus.about.texts) {
            match result {
                Ok(document) => loaded.documents.push(document),
                Err(e) if e.kind.is_of_file() => {
                    loaded.left_out.push((entry.path.clone(), why(&e)))
                }
                Err(e) => return Err(e),
            }
        }
        loaded.left_out.sort();
        if loaded.documents.is_empty() {
            let message = "there is no text in this folder that a reader recognises";
            return Err(Error::input(&corpus.root, message).of_kind(ErrorKind::NoText));
        }
        Ok(loaded)
    }

    /// Reads one text.
    ///
    /// # Errors
    /// When the file cannot be read, does not decode, or no reader makes a document of it.
    pub fn entry(&self, entry: &TextEntry) -> Result<Document, Error> {
        let bytes = std::fs::read(&entry.path).map_err(|e| Error::io(&entry.path, "read", &e))?;
        self.document(entry, Source::decode(&entry.path, bytes, entry.encoding.as_deref())?)
    }

    /// Makes a document of `source`. `entry` names the reader, the id, and what is known of the
    /// text.
    ///
    /// # Errors
    /// When no reader makes a document of it.
    pub fn document(&self, entry: &TextEntry, source: Source) -> Result<Document, Error> {
        let mut document = self.readers.read(source, entry.reader.as_deref())?;
        if document.meta.title == document.id {
            document.meta.title.clone_from(&entry.id);
        }
        document.id.clone_from(&entry.id);
        if let Some(meta) = &entry.meta {
            document.meta = merge(document.meta, meta);
        }
        Ok(document)
    }
}

/// What the manifest says; where it says nothing, what the file says of itself.
fn merge(file: Meta, manifest: &Meta) -> Meta {
    let m = manifest.clone();
    Meta {
        title: if m.title.is_empty() { file.title } else { m.title },
        work: m.work.or(file.work),
        work_key: m.work_key.or(file.work_key),
        chapter: m.chapter.or(file.chapter),
        number: m.number.or(file.number),
        first_section: m.first_section.or(file.first_section),
        siglum: m.siglum.or(file.siglum),
        edition: m.edition.or(file.edition),
        editors: if m.editors.is_empty() { file.editors } else { m.editors },
        date: m.date.or(file.date),
        origin: m.origin.or(file.origin),
        rights: m.rights.or(file.rights),
        layers: if m.layers.is_empty() { file.layers } else { m.layers },
        role: m.role,
        language: m.language,
        translates: m.translates,
        collection: if m.collection == Collection::default() {
            file.collection
        } else {
            m.collection
        },
    }
}

/// An error without its path, which is shown beside it.
fn why(e: &Error) -> String {
    match e.place {
        Some(p) => format!("line {}, column {}: {}", p.line, p.column, e.message),
        None => e.message.clone(),
    }
}
