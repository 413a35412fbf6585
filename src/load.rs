//! From files on disk to documents: the corpus says which files, the readers read them.
//!
//! ```no_run
//! use zhushu::{load, pipeline};
//! let corpus = load::open("corpus".as_ref())?;
//! let library = pipeline::run(load::read(&corpus)?.documents);
//! # Ok::<(), zhushu::diag::Error>(())
//! ```

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::corpus::{Corpus, Entry};
use crate::diag::{Error, ErrorKind};
use crate::model::{Collection, Document, Meta};
use crate::readers;
use crate::source::Source;

/// The texts of a corpus, read.
#[derive(Debug)]
pub struct Loaded {
    /// The documents, in the corpus's order.
    pub documents: Vec<Document>,
    /// What a folder without manifest holds besides, and why it is not a text.
    pub left_out: Vec<(PathBuf, String)>,
}

/// Looks at a corpus folder, or at a manifest.
///
/// # Errors
/// As [`Corpus::open`].
pub fn open(path: &Path) -> Result<Corpus, Error> {
    let names: Vec<_> = readers::READERS.iter().map(|r| r.name).collect();
    Corpus::open(path, &names)
}

/// Reads all texts of a corpus.
///
/// # Errors
/// Where a text that the manifest names cannot be read. In a folder without manifest such a file is
/// left out; that none is left is an error.
pub fn read(corpus: &Corpus) -> Result<Loaded, Error> {
    let results: Vec<_> = corpus.about.texts.par_iter().map(entry).collect();
    if corpus.manifest.is_some() {
        let documents = results.into_iter().collect::<Result<_, _>>()?;
        return Ok(Loaded { documents, left_out: vec![] });
    }
    let mut loaded = Loaded { documents: vec![], left_out: corpus.left_out.clone() };
    for (result, entry) in results.into_iter().zip(&corpus.about.texts) {
        match result {
            Ok(document) => loaded.documents.push(document),
            Err(e) if e.kind == ErrorKind::Input => {
                loaded.left_out.push((entry.path.clone(), why(&e)))
            }
            Err(e) => return Err(e),
        }
    }
    loaded.left_out.sort();
    if loaded.documents.is_empty() {
        return Err(Error::input(
            &corpus.root,
            "there is no text in this folder that a reader recognises",
        )
        .hint("`zhushu formats` lists what can be read"));
    }
    Ok(loaded)
}

/// Reads one text.
///
/// # Errors
/// When the file cannot be read, does not decode, or no reader makes a document of it.
pub fn entry(entry: &Entry) -> Result<Document, Error> {
    let bytes = std::fs::read(&entry.path).map_err(|e| match e.kind() {
        std::io::ErrorKind::IsADirectory => {
            Error::io(&entry.path, "read", &e).hint("`zhushu build` reads a folder of texts")
        }
        _ => Error::io(&entry.path, "read", &e),
    })?;
    document(entry, Source::decode(&entry.path, bytes, entry.encoding.as_deref())?)
}

/// Makes a document of what `source` holds; `entry` says how, what it is called and what is known
/// of it.
///
/// # Errors
/// When no reader makes a document of it.
pub fn document(entry: &Entry, source: Source) -> Result<Document, Error> {
    let mut document = readers::read(source, entry.reader.as_deref())?;
    if document.meta.title == document.id {
        document.meta.title.clone_from(&entry.id);
    }
    document.id.clone_from(&entry.id);
    if let Some(meta) = &entry.meta {
        document.meta = merge(document.meta, meta);
    }
    Ok(document)
}

/// The manifest's word counts; where it is silent, what the file says of itself stands.
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

/// An error without its path, which stands beside it.
fn why(e: &Error) -> String {
    match e.place {
        Some(p) => format!("line {}, column {}: {}", p.line, p.column, e.message),
        None => e.message.clone(),
    }
}
