//! The texts named on a command line: files, standard input, corpus folders.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::Settings;
use crate::books::translations::pair_up;
use crate::corpus::{self, Corpus, Library, TextEntry};
use crate::diag::{Error, ErrorKind};
use crate::load;
use crate::model::Document;
use crate::pipeline;
use crate::source::Source;
use serde_json::Value;

use rayon::prelude::*;

use super::columns::counted;
use super::render;
use crate::build::{self, EditionFormat, Stamp};

/// The folder in which `build` writes the complete texts.
pub const TEI: &str = EditionFormat::Tei.folder();

/// Reads the text of `entry`, from standard input if its path is `-`.
///
/// # Errors
/// When it cannot be read.
pub fn read(entry: &TextEntry, settings: &Settings) -> Result<Document, Error> {
    if entry.path.as_os_str() != "-" {
        return settings.entry(entry).map_err(|e| match e.kind {
            ErrorKind::Io if entry.path.is_dir() => {
                e.hint("`zhushu build` reads a folder of texts")
            }
            _ => e,
        });
    }
    settings.document(entry, standard_input(entry)?)
}

/// The text on standard input.
///
/// # Errors
/// When it cannot be read.
pub fn standard_input(entry: &TextEntry) -> Result<Source, Error> {
    let label = entry.encoding.as_deref();
    let bytes = load::streamed(&entry.path, std::io::stdin().lock(), label)?;
    load::source("-".as_ref(), bytes, label)
}

/// How many documents of a library are chapters of the first file; they come first.
pub fn of_first_file(library: &Library) -> usize {
    library.documents.first().and_then(|d| d.source.file_part()).map_or(1, |p| p.of as usize)
}

/// Opens a corpus.
///
/// # Errors
/// As [`Settings::open`].
pub fn open(path: &Path, settings: &Settings) -> Result<Corpus, Error> {
    settings.open(path).map_err(|e| match &e.hint {
        Some(hint) if e.kind == ErrorKind::Io => {
            let hint = format!("{hint}, or write the bundled one with `zhushu demo FOLDER`");
            e.hint(hint)
        }
        _ => e,
    })
}

/// The corpus that a command is about: the one that is named, else the folder `corpus`, else this
/// folder if there are files in it.
pub fn corpus(named: Option<&Path>) -> PathBuf {
    let usual = Path::new("corpus");
    let here = || std::fs::read_dir(".").into_iter().flatten().flatten();
    let is_file = |entry: std::fs::DirEntry| {
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        !is_hidden && entry.path().is_file()
    };
    match named {
        Some(named) => named.to_path_buf(),
        None if !usual.exists() && here().any(is_file) => PathBuf::from("."),
        None => usual.to_path_buf(),
    }
}

/// The library of some documents, with all passes run and translations aligned.
pub fn link_and_align(documents: Vec<Document>, settings: &Settings) -> Library {
    let mut library = settings.run(documents);
    pipeline::align(&mut library);
    library
}

/// The ids of the documents that were made of some files: a whole book is one file and many
/// documents.
pub fn ids_of(library: &Library, files: &[Named]) -> Vec<String> {
    let ids: HashSet<&str> = files.iter().map(|f| f.entry.id.as_str()).collect();
    let paths: HashSet<&Path> = files.iter().map(|f| f.entry.path.as_path()).collect();
    let chapters: HashSet<&String> =
        files.iter().filter_map(|f| f.chapters.get()).flatten().collect();
    let of_file = |d: &&Arc<Document>| {
        let is_part = d.source.file_part().is_some();
        ids.contains(d.id.as_str())
            || chapters.contains(&d.id)
            || is_part && paths.contains(d.source.path())
    };
    library.documents.iter().filter(of_file).map(|d| d.id.clone()).collect()
}

/// Reads a JSON file.
///
/// # Errors
/// When it cannot be read or is not JSON.
pub fn json(path: &Path) -> Result<Value, Error> {
    load::note(path);
    let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, "read", &e))?;
    serde_json::from_str(&text).map_err(|e| Error::input(path, format!("not JSON: {e}")))
}

/// The folder of texts in `path` if `build` wrote `path`; else `path`.
pub fn built(path: &Path) -> PathBuf {
    let tei = path.join(TEI);
    let is_built = path.join("report.txt").is_file() || build::record_of(path).is_file();
    if is_built && tei.is_dir() { tei } else { path.to_path_buf() }
}

/// Puts texts that `build` wrote into the order of its manifest, which their file names do not
/// show.
///
/// # Errors
/// When one of them is gone: an edition of the others would lack it without a word.
fn in_order(folder: &Path, texts: &mut [TextEntry]) -> Result<(), Error> {
    let Some(out) = folder.parent().filter(|_| folder.ends_with(TEI)) else { return Ok(()) };
    if let Some(stamp) = Stamp::read(out)? {
        let files = stamp.documents.iter().map(|d| folder.join(format!("{}.xml", d.id)));
        if let Some(gone) = files.into_iter().find(|file| !file.is_file()) {
            let message = "the build wrote this text, and it is gone";
            return Err(Error::input(&gone, message).hint("`zhushu build` writes it again"));
        }
        texts.sort_by_key(|t| stamp.texts.iter().position(|id| *id == t.id).unwrap_or(usize::MAX));
    }
    Ok(())
}

/// True for the folder of the TEI that a build wrote: each is a text, and must be one.
fn is_of_build(folder: &Path) -> bool {
    let out = folder.parent().filter(|_| folder.ends_with(TEI));
    out.is_some_and(|out| matches!(Stamp::read(out), Ok(Some(_))))
}

/// One file named on the command line, with its options.
pub fn entry(file: &Path, from: Option<&str>, encoding: Option<&str>) -> TextEntry {
    TextEntry {
        reader: from.map(str::to_string),
        encoding: encoding.map(str::to_string),
        ..TextEntry::file(file)
    }
}

/// The same file as the manifest around it, if there is one and names it, says that it is read.
///
/// # Errors
/// When the manifest is wrong.
pub fn as_its_manifest_says(file: TextEntry, settings: &Settings) -> Result<TextEntry, Error> {
    let root = corpus::root_around(&file.path);
    if !root.join(corpus::MANIFEST).is_file() {
        return Ok(file);
    }
    let texts = open(&root, settings)?.about.texts;
    let Some(known) = texts.into_iter().find(|known| real(&known.path) == real(&file.path)) else {
        return Ok(file);
    };
    let shape = if file.reader.is_none() { known.shape.clone() } else { None };
    let reader = file.reader.or_else(|| known.reader.clone());
    let encoding = file.encoding.or_else(|| known.encoding.clone());
    Ok(TextEntry { path: file.path, reader, shape, encoding, ..known })
}

/// The entries of `first` and, after it, of the texts and folders in `with`. A file named twice
/// counts once. If a manifest among `with` describes `first`, that applies to it too.
///
/// # Errors
/// When a folder or its manifest cannot be read.
pub fn beside(
    mut first: TextEntry,
    with: &[PathBuf],
    settings: &Settings,
) -> Result<Gathered, Error> {
    let mut gathered = Gathered::default();
    for path in with {
        gathered.add(path, settings)?;
    }
    let same = gathered.position(&first.path);
    if let Some(i) = same {
        let known = gathered.entries.remove(i).entry;
        first.meta = known.meta;
        if first.reader.is_none() {
            (first.reader, first.shape) = (known.reader, known.shape);
        }
        first.encoding = first.encoding.or(known.encoding);
        first.id = known.id;
    }
    gathered.entries.insert(0, Named::new(first, NamedBy::User));
    gathered.number_ids(1);
    Ok(gathered)
}

/// Who named a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// The user, on the command line.
    User,
    /// A manifest.
    Manifest,
    /// No one: it is in a folder.
    Folder,
}

/// A text, and who named it.
pub struct Named {
    pub entry: TextEntry,
    pub by: NamedBy,
    /// The canonical path, to recognise the same file.
    real: PathBuf,
    /// Once it is read: the ids of the chapters that its reader found. They can have been made of
    /// other files, as those of a book that was written as TEI.
    chapters: OnceLock<Vec<String>>,
}

impl Named {
    fn new(entry: TextEntry, by: NamedBy) -> Self {
        let real = real(&entry.path);
        Named { entry, by, real, chapters: OnceLock::new() }
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// The texts of a command line, each once.
#[derive(Default)]
pub struct Gathered {
    pub entries: Vec<Named>,
    /// The encoding of texts for which no manifest states it.
    pub encoding: Option<String>,
    /// Files in folders without manifest that are not texts.
    pub left_out: Vec<(PathBuf, String)>,
}

impl Gathered {
    /// Adds a file, the texts of a folder, or those of a manifest.
    ///
    /// # Errors
    /// When it does not exist, or the manifest is wrong.
    pub fn add(&mut self, path: &Path, settings: &Settings) -> Result<(), Error> {
        let is_manifest = path.file_name().is_some_and(|n| n == corpus::MANIFEST);
        if build::record_of(path).is_file() {
            let tei = built(path);
            if tei != path {
                return self.add(&tei, settings);
            }
            let message = "a build wrote this folder, without TEI, from which it could be read";
            return Err(Error::input(path, message)
                .hint("`zhushu build --formats` with tei writes it; or name the texts"));
        }
        if path.is_dir() || is_manifest {
            let mut corpus: Corpus = open(path, settings)?;
            if let Some(e) = corpus.unread.pop() {
                return Err(e);
            }
            in_order(path, &mut corpus.about.texts)?;
            let by = match (&corpus.manifest, is_of_build(path)) {
                (_, true) => NamedBy::User,
                (Some(_), _) => NamedBy::Manifest,
                (None, _) => NamedBy::Folder,
            };
            self.left_out.extend(corpus.left_out);
            for entry in corpus.about.texts {
                self.push(Named::new(entry, by));
            }
        } else {
            self.push(Named::new(TextEntry::file(path), NamedBy::User));
        }
        Ok(())
    }

    fn push(&mut self, mut named: Named) {
        if named.entry.encoding.is_none() {
            named.entry.encoding.clone_from(&self.encoding);
        }
        if !self.entries.iter().any(|n| n.real == named.real) {
            self.entries.push(named);
        }
    }

    fn position(&self, path: &Path) -> Option<usize> {
        let path = real(path);
        self.entries.iter().position(|n| n.real == path)
    }

    /// Reads all texts. Of the files of a folder without a manifest those that are no texts are
    /// skipped, with a message on standard error.
    ///
    /// # Errors
    /// When a text that the user or a manifest names cannot be read.
    pub fn read(&self, settings: &Settings) -> Result<Vec<Document>, Error> {
        let (mut documents, failed) = self.try_all(settings);
        // A manifest says what translates what.
        if self.entries.iter().all(|named| named.by != NamedBy::Manifest) {
            pair_up(&mut documents, &settings.works, &settings.models.chapters);
        }
        let mut others = 0;
        for (named, e) in failed {
            match named.by {
                NamedBy::User => return Err(e),
                _ if e.kind == ErrorKind::Request => return Err(e),
                NamedBy::Folder if !load::says_no_text(&e) => return Err(e),
                // Without it the result would be another one, and seem whole.
                NamedBy::Manifest => return Err(e),
                NamedBy::Folder => others += 1,
            }
        }
        if others > 0 {
            _ = render::note(&format!(
                "{} could not be read as text; `zhushu check` on the folder says why",
                counted(others, "file")
            ));
        }
        Ok(documents)
    }

    /// Reads all texts; returns the documents, and the errors of those that cannot be read.
    pub fn try_all(&self, settings: &Settings) -> (Vec<Document>, Vec<(&Named, Error)>) {
        let results: Vec<_> = self.entries.par_iter().map(|n| read(&n.entry, settings)).collect();
        let (mut documents, mut failed) = (vec![], vec![]);
        for (result, named) in results.into_iter().zip(&self.entries) {
            match result {
                Ok(d) => {
                    _ = named.chapters.set(d.chapters.iter().map(|c| c.id.clone()).collect());
                    documents.push(d);
                }
                Err(e) => failed.push((named, e)),
            }
        }
        (documents, failed)
    }

    /// Gives texts whose files have the same name different ids.
    pub fn unique_ids(&mut self) {
        self.number_ids(0);
    }

    /// The same, but the first few keep their ids.
    fn number_ids(&mut self, fixed: usize) {
        let mut entries: Vec<TextEntry> = self.entries.iter().map(|n| n.entry.clone()).collect();
        corpus::unique_ids(&mut entries, fixed);
        self.entries.iter_mut().zip(entries).for_each(|(n, e)| n.entry.id = e.id);
    }
}
