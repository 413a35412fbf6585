//! From files on disk to documents: the corpus lists the files, the readers read them.
//!
//! ```no_run
//! use zhushu::Settings;
//! let settings = Settings::default();
//! let corpus = settings.open("corpus".as_ref())?;
//! let library = settings.run(settings.read(&corpus)?.documents);
//! # Ok::<(), zhushu::diag::Error>(())
//! ```

#[cfg(feature = "cli")]
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
#[cfg(feature = "cli")]
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::books;
use crate::corpus::{Corpus, TextEntry, root_around};
use crate::corrections::{self, Correction, placed};
use crate::diag::{Error, ErrorKind};
use crate::model::{Collection, Document, Meta, Role};
use crate::readers::ReadAs;
use crate::settings::Settings;
use crate::source::{MAX_BYTES, Source};
use crate::vessels::packed;

/// The texts of a corpus, read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The documents, in the corpus's order.
    pub documents: Vec<Document>,
    /// The other files of a folder without manifest, and why they are not texts.
    pub left_out: Vec<(PathBuf, String)>,
    /// Why texts that the manifest names could not be read.
    pub errors: Vec<Error>,
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
        Corpus::open_with(path, &self.readers.names(), self.follow_links)
    }

    /// Reads all texts of a corpus. A file that cannot be read does not stop the others: if a
    /// manifest names it, or if it may be a text but the file system does not give it, it is an
    /// error in [`Loaded::errors`], otherwise it is left out.
    ///
    /// # Errors
    /// When no text remains.
    pub fn read(&self, corpus: &Corpus) -> Result<Loaded, Error> {
        let texts = corpus.about.texts.par_iter();
        let results: Vec<_> = texts.map(|e| self.read_with(e, false)).collect();
        let mut loaded = Loaded {
            documents: vec![],
            left_out: corpus.left_out.clone(),
            errors: corpus.unread.clone(),
        };
        for (result, entry) in results.into_iter().zip(&corpus.about.texts) {
            match result {
                Ok(document) => loaded.documents.push(document),
                Err(e) if corpus.manifest.is_some() || !says_no_text(&e) => loaded.errors.push(e),
                Err(e) => loaded.left_out.push((entry.path.clone(), e.why())),
            }
        }
        loaded.left_out.sort();
        self.put_in_order(corpus, &mut loaded.documents);
        match (&loaded.documents[..], loaded.errors.first()) {
            ([], Some(e)) => Err(e.clone()),
            ([], None) => Err(match loaded.left_out.first() {
                // Such as an archive: what helps is said with it.
                Some((path, why)) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    no_text(&corpus.root).hint(format!("left out: {name} ({why})"))
                }
                None => no_text(&corpus.root),
            }),
            _ => Ok(loaded),
        }
    }

    /// Puts texts in the order of the corpus: that of its manifest, without one that in which works
    /// are shown and then that of the files.
    pub(crate) fn put_in_order(&self, corpus: &Corpus, documents: &mut [Document]) {
        let entries = corpus.about.texts.iter().enumerate();
        let place: FxHashMap<&str, usize> = entries.map(|(n, e)| (e.id.as_str(), n)).collect();
        let shown = |d: &Document| {
            let work = d.meta.work.as_deref().filter(|_| corpus.manifest.is_none())?;
            Some(self.works.place(work))
        };
        documents.sort_by_cached_key(|d| {
            (shown(d).unwrap_or(usize::MAX), place.get(d.id.as_str()).copied())
        });
    }

    /// Reads one text.
    ///
    /// # Errors
    /// When the file cannot be read, does not decode, or no reader makes a document of it.
    pub fn entry(&self, entry: &TextEntry) -> Result<Document, Error> {
        self.read_with(entry, true)
    }

    /// Reads one text; with `any` also from what is not a regular file.
    pub(crate) fn read_with(&self, entry: &TextEntry, any: bool) -> Result<Document, Error> {
        let (path, label) = (&entry.path, entry.encoding.as_deref());
        let bytes = if any && !path.is_file() {
            let file = fs::File::open(path).map_err(|e| Error::io(path, "read", &e))?;
            streamed(path, file, label)?
        } else {
            bytes(path, label)?
        };
        self.entry_of(entry, bytes)
    }

    /// Reads one text of which the bytes are known.
    ///
    /// # Errors
    /// When it does not decode, no reader makes a document of it, or its corrections are not read.
    pub(crate) fn entry_of(&self, entry: &TextEntry, bytes: Vec<u8>) -> Result<Document, Error> {
        let (path, label) = (&entry.path, entry.encoding.as_deref());
        let corrections = self.corrections(path)?;
        let read = |bytes| self.corrected(entry, source(path, bytes, label)?, &corrections);
        let Some(memo) = &self.memo else { return read(bytes) };
        // With all that the manifest says about it.
        let decided = format!("{corrections:?} {:?}", self.lines);
        let key = memo.key("text", [format!("{entry:?}").as_bytes(), &bytes, decided.as_bytes()]);
        if let Some(document) = memo.text(&key, &bytes) {
            return Ok(document);
        }
        let mut document = read(bytes.clone())?;
        memo.put_text(&key, &mut document, &bytes);
        Ok(document)
    }

    /// What people decided about a text. They wrote it themselves, as a manifest, so a fault of it
    /// is no reason to leave out the text without a word.
    fn corrections(&self, text: &Path) -> Result<Vec<Correction>, Error> {
        for file in corrections::files_of(text).into_iter().filter(|file| file.is_symlink()) {
            let target = file.canonicalize().map_err(|e| Error::io(&file, "read", &e))?;
            if !self.follow_links && !target.starts_with(root_around(&file)) {
                let message = "this link leads out of the corpus";
                let error = Error::input(&file, message).of_kind(ErrorKind::Manifest);
                return Err(error.hint("--follow takes it"));
            }
        }
        placed::of_file(text).map_err(|e| match e.kind {
            ErrorKind::Io => e,
            _ => e.of_kind(ErrorKind::Manifest),
        })
    }

    /// Reads one text without identifying its work and chapters.
    ///
    /// # Errors
    /// As [`Settings::entry`].
    pub(crate) fn unnamed(&self, entry: &TextEntry) -> Result<Document, Error> {
        let (path, label) = (&entry.path, entry.encoding.as_deref());
        self.unnamed_source(entry, source(path, bytes(path, label)?, label)?)
    }

    /// The same of a text that was read already.
    ///
    /// # Errors
    /// When no reader makes a document of it.
    pub(crate) fn unnamed_source(
        &self,
        entry: &TextEntry,
        source: Source,
    ) -> Result<Document, Error> {
        self.readers.read_as(source, self.how(entry))
    }

    /// Makes a document from `source`. `entry` gives the reader, the id, and what is known about
    /// the text. The document covers the whole file; [`Settings::run`] cuts a book into its
    /// chapters.
    ///
    /// # Errors
    /// When no reader makes a document of it.
    pub fn document(&self, entry: &TextEntry, source: Source) -> Result<Document, Error> {
        self.corrected(entry, source, &[])
    }

    /// How a text is read, by its entry and these settings.
    fn how<'e>(&self, entry: &'e TextEntry) -> ReadAs<'e> {
        let (from, shape) = (entry.reader.as_deref(), entry.shape.as_deref());
        ReadAs { from, shape, lines: entry.lines.or(self.lines), keys: Some(&entry.keys) }
    }

    /// The same with what people decided about the text, headings among it.
    fn corrected(
        &self,
        entry: &TextEntry,
        source: Source,
        corrections: &[Correction],
    ) -> Result<Document, Error> {
        let mut document = self.readers.read_as(source, self.how(entry))?;
        if document.reader_named && !has_words(&document) {
            // Nothing else shows that it is not what was meant: a page of an error, a pointer.
            let message = "there is no character of a text in it";
            return Err(Error::input(&entry.path, message).of_kind(ErrorKind::Format));
        }
        if document.meta.title == document.id {
            document.meta.title.clone_from(&entry.id);
        }
        document.id.clone_from(&entry.id);
        let given = entry.meta.as_ref().is_some_and(|m| !m.language.is_empty());
        let is_chapter = |m: &Meta| m.work.is_some() && m.chapter.is_some();
        let is_named = is_chapter(&document.meta) || entry.meta.as_ref().is_some_and(is_chapter);
        if let Some(meta) = &entry.meta {
            document.meta = merge(document.meta, meta);
            if document.meta.title == document.id {
                document.meta.title = document.meta.locus().unwrap_or_else(|| document.id.clone());
            }
        }
        let is_said = entry.meta.as_ref().is_some_and(|m| m.role == Role::Translation);
        books::as_translation(&mut document, is_said, given);
        // The header of TEI says it.
        if !given && document.reader != "tei" {
            document.meta.language = books::language_of(&document);
        }
        placed::add(&mut document, corrections);
        Ok(books::outlined_as(document, is_named, &self.works, &self.models.chapters))
    }
}

/// The text of a file: what it is, or what is taken out of it.
///
/// # Errors
/// When it has no text.
pub(crate) fn source(path: &Path, bytes: Vec<u8>, label: Option<&str>) -> Result<Source, Error> {
    match packed::source(path, &bytes)? {
        Some(source) => Ok(source),
        None => Source::decode(path, bytes, label),
    }
}

/// True for a text with characters of China, Japan or Korea, and for a translation.
fn has_words(document: &Document) -> bool {
    let words = |c: char| !c.is_ascii() && c.is_alphanumeric();
    document.reader == "waiwen" || document.source.text().contains(words)
}

/// The error of a folder without texts.
pub(crate) fn no_text(folder: &Path) -> Error {
    let message = "there is no text in this folder that a reader recognises";
    Error::input(folder, message).of_kind(ErrorKind::NoText)
}

/// True if what is wrong with a file of a folder may be that it is no text.
pub(crate) fn says_no_text(e: &Error) -> bool {
    !matches!(e.kind, ErrorKind::Request | ErrorKind::Io | ErrorKind::Manifest)
}

/// A larger file may not be text. Its beginning is checked before all of it is read.
const LARGE: u64 = 1 << 24;

/// The bytes of a regular file. A pipe or a device is not opened, since reading it may never end.
/// `label` names its encoding, if it is known.
///
/// # Errors
/// When it cannot be read, is not a regular file, or is large and binary.
pub(crate) fn bytes(path: &Path, label: Option<&str>) -> Result<Vec<u8>, Error> {
    let refused = |e| Error::io(path, "read", &e);
    let meta = fs::metadata(path).map_err(refused)?;
    if !meta.is_file() && !meta.is_dir() {
        return Err(Error::input(path, "this is not a regular file"));
    }
    if meta.len() > LARGE && label.is_none() {
        let mut head = vec![];
        let file = fs::File::open(path).map_err(refused)?;
        file.take(LARGE >> 4).read_to_end(&mut head).map_err(refused)?;
        looks_like_text(path, head)?;
    }
    #[cfg(feature = "cli")]
    note(path);
    fs::read(path).map_err(refused)
}

/// Refuses what begins as no file with a text does.
fn looks_like_text(path: &Path, head: Vec<u8>) -> Result<(), Error> {
    if !packed::may_be_one(&head) {
        Source::decode(path, head, None)?;
    }
    Ok(())
}

/// The bytes of a pipe or a device. It is not read to its end if it begins as no text does, or if
/// it is longer than any text may be.
///
/// # Errors
/// When it cannot be read or is binary.
pub(crate) fn streamed(
    path: &Path,
    mut from: impl Read,
    label: Option<&str>,
) -> Result<Vec<u8>, Error> {
    let refused = |e| Error::io(path, "read", &e);
    let mut bytes = vec![];
    let head = LARGE >> 4;
    from.by_ref().take(head).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 == head && label.is_none() {
        looks_like_text(path, bytes.clone())?;
    }
    from.take(MAX_BYTES as u64).read_to_end(&mut bytes).map_err(refused)?;
    Ok(bytes)
}

/// The files that were read as texts; only the program writes files.
#[cfg(feature = "cli")]
static READ: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Notes that a file is a text, so that nothing is written to it.
#[cfg(feature = "cli")]
pub(crate) fn note(path: &Path) {
    if let Ok(path) = path.canonicalize() {
        READ.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
    }
}

/// True if this process has read the file as a text. Nothing may be written to it: it may be the
/// only copy.
#[cfg(feature = "cli")]
pub(crate) fn was_read(path: &Path) -> bool {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    path.canonicalize().is_ok_and(|path| read.contains(&path))
}

/// The data of the manifest; where it has none, the data in the file.
fn merge(file: Meta, manifest: &Meta) -> Meta {
    let m = manifest.clone();
    Meta {
        title: if m.title.is_empty() { file.title } else { m.title },
        work: m.work.or(file.work),
        work_key: m.work_key.or(file.work_key),
        chapter: m.chapter.or(file.chapter),
        number: m.number.or(file.number),
        group: m.group.or(file.group),
        first_section: m.first_section.or(file.first_section),
        siglum: m.siglum.or(file.siglum),
        edition: m.edition.or(file.edition),
        editors: if m.editors.is_empty() { file.editors } else { m.editors },
        date: m.date.or(file.date),
        origin: m.origin.or(file.origin),
        rights: m.rights.or(file.rights),
        layers: if m.layers.is_empty() { file.layers } else { m.layers },
        byline: m.byline.or(file.byline),
        role: m.role,
        language: if m.language.is_empty() { file.language } else { m.language },
        translates: m.translates,
        images: m.images.into_iter().chain(file.images).collect(),
        collection: if m.collection == Collection::default() {
            file.collection
        } else {
            m.collection
        },
    }
}
