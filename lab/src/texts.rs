//! Reads the texts and files that a command line names, and writes what a command made.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use zhushu::Settings;
use zhushu::corpus::{Library, TextEntry};
use zhushu::diag::Error;
use zhushu::model::Document;

/// The content of a file.
///
/// # Errors
/// When it cannot be read as text.
pub fn string(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|e| Error::io(path, "read", &e))
}

/// Reads a JSON file.
///
/// # Errors
/// When it cannot be read or is not JSON.
pub fn json(path: &Path) -> Result<Value, Error> {
    serde_json::from_str(&string(path)?).map_err(|e| Error::input(path, format!("not JSON: {e}")))
}

/// One file named on the command line.
pub fn entry(file: &Path, encoding: Option<&str>) -> TextEntry {
    TextEntry { encoding: encoding.map(str::to_string), ..TextEntry::file(file) }
}

/// The texts of a corpus; the first error if one cannot be read.
///
/// # Errors
/// Then.
pub fn of_corpus(
    path: &Path,
    encoding: Option<&str>,
    settings: &Settings,
) -> Result<Vec<Document>, Error> {
    let mut corpus = settings.open(path)?;
    for text in corpus.about.texts.iter_mut().filter(|t| t.encoding.is_none()) {
        text.encoding = encoding.map(str::to_string);
    }
    let loaded = settings.read(&corpus)?;
    loaded.errors.into_iter().next().map_or(Ok(loaded.documents), Err)
}

/// A text and, after it, the others of `with`: files and corpus folders. A file that is named twice
/// is read once; what a manifest says of the first text applies to it.
///
/// # Errors
/// When one of them cannot be read.
pub fn beside(
    first: TextEntry,
    with: &[PathBuf],
    settings: &Settings,
) -> Result<Vec<Document>, Error> {
    let mut entries: Vec<TextEntry> = vec![];
    for path in with {
        match path.is_dir() || path.ends_with("zhushu.toml") {
            true => entries.extend(settings.open(path)?.about.texts),
            false => entries.push(TextEntry::file(path)),
        }
    }
    let real = |e: &TextEntry| e.path.canonicalize().unwrap_or_else(|_| e.path.clone());
    let same = entries.iter().position(|e| real(e) == real(&first));
    let first = match same.map(|n| entries.remove(n)) {
        Some(known) if first.reader.is_none() => {
            TextEntry { encoding: first.encoding.or(known.encoding.clone()), ..known }
        }
        Some(known) => TextEntry { id: known.id, meta: known.meta, ..first },
        None => first,
    };
    let mut ids = std::collections::HashSet::new();
    let mut documents = vec![];
    for entry in [first].into_iter().chain(entries) {
        let mut document = settings.entry(&entry)?;
        while !ids.insert(document.id.clone()) {
            document.id.push('+');
        }
        documents.push(document);
    }
    Ok(documents)
}

/// How many documents of a library are chapters of the first file; they come first.
pub fn of_first_file(library: &Library) -> usize {
    library.documents.first().and_then(|d| d.source.file_part()).map_or(1, |p| p.of as usize)
}

/// Writes a result to a file, or to standard output for `None` and `-`.
///
/// # Errors
/// When that fails.
pub fn write(path: Option<&Path>, content: &[u8]) -> Result<(), Error> {
    match path.filter(|p| p.as_os_str() != "-") {
        Some(path) => std::fs::write(path, content).map_err(|e| Error::io(path, "write", &e)),
        None => std::io::stdout()
            .write_all(content)
            .map_err(|e| Error::io("-".as_ref(), "write to standard output", &e)),
    }
}
