//! Reading: files, folders, bytes and text become documents.

use std::ffi::CString;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zhushu::Settings;
use zhushu::corpus::TextEntry;
use zhushu::diag::Error;
use zhushu::model::{self, Meta, Role};
use zhushu::source::Source;

use crate::document::Document;
use crate::error::{Result, detached, request};

/// Documents of a path, and the messages about files that are not texts.
type Found = (Vec<model::Document>, Vec<String>);

/// Reads a file, a folder of texts, or a manifest. The documents are as their readers leave them:
/// `split` finds their layers and chapters.
#[pyfunction]
#[pyo3(signature = (path, *, format=None, encoding=None))]
pub fn read(
    py: Python<'_>,
    path: PathBuf,
    format: Option<String>,
    encoding: Option<String>,
) -> Result<Vec<Document>> {
    let (documents, warnings) = detached(py, || found(&path, format, encoding))??;
    for warning in warnings {
        let message = CString::new(warning.replace('\0', " ")).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)?;
    }
    Ok(documents.into_iter().map(Document::alone).collect())
}

fn found(
    path: &Path,
    format: Option<String>,
    encoding: Option<String>,
) -> std::result::Result<Found, Error> {
    let settings = Settings::default();
    let manifest = path.file_name().is_some_and(|n| n == "zhushu.toml");
    if !path.is_dir() && !manifest {
        let entry = TextEntry { reader: format, encoding, ..TextEntry::file(path) };
        return Ok((vec![settings.entry(&entry)?], vec![]));
    }
    let mut corpus = settings.open(path)?;
    for text in &mut corpus.about.texts {
        text.reader = text.reader.take().or_else(|| format.clone());
        text.encoding = text.encoding.take().or_else(|| encoding.clone());
    }
    let loaded = settings.read(&corpus)?;
    // A text that the manifest names is missed by those who use it.
    if let Some(e) = loaded.errors.into_iter().next() {
        return Err(e);
    }
    let left_out = |(path, why): &(PathBuf, String)| format!("{}: {why}", path.display());
    Ok((loaded.documents, loaded.left_out.iter().map(left_out).collect()))
}

/// Reads a text. `name` is that of a file it could have come from; it gives the id.
#[pyfunction]
#[pyo3(signature = (text, *, name="text.txt", format=None))]
pub fn read_text(
    py: Python<'_>,
    text: &str,
    name: &str,
    format: Option<String>,
) -> Result<Document> {
    let entry = TextEntry { reader: format, ..TextEntry::file(Path::new(name)) };
    let read = || Settings::default().document(&entry, Source::from_text(name, text));
    Ok(Document::alone(detached(py, read)??))
}

/// Reads the bytes of a file, whose encoding is recognised unless it is given. `meta` is what
/// `texts_of` gives for the text.
#[pyfunction]
#[pyo3(signature = (content, *, name="text.txt", format=None, encoding=None, id=None, meta=None))]
pub fn read_bytes(
    py: Python<'_>,
    content: &[u8],
    name: &str,
    format: Option<String>,
    encoding: Option<String>,
    id: Option<String>,
    meta: Option<&[u8]>,
) -> Result<Document> {
    let mut entry = TextEntry { reader: format, ..TextEntry::file(Path::new(name)) };
    if let Some(id) = id {
        entry.id = id;
    }
    entry.meta = meta.map(known).transpose()?;
    let content = content.to_vec();
    let read = || {
        let source = Source::decode(name, content, encoding.as_deref())?;
        Settings::default().document(&entry, source)
    };
    Ok(Document::alone(detached(py, read)??))
}

fn known(meta: &[u8]) -> Result<Meta> {
    let wrong = |_| request("these are not facts about a text", "use those of texts_of");
    postcard::from_bytes(meta).map_err(wrong)
}

/// A text of a folder before it is read: path, id, format, encoding, and what the manifest says.
type ListedText<'py> =
    (PathBuf, String, Option<String>, Option<String>, Option<Bound<'py, PyBytes>>);

/// Lists the texts of a folder or a manifest, for `read_bytes`.
#[pyfunction]
pub fn texts_of<'py>(py: Python<'py>, path: PathBuf) -> Result<Vec<ListedText<'py>>> {
    let corpus = detached(py, || Settings::default().open(&path))??;
    let one = |text: TextEntry| -> Result<ListedText<'py>> {
        if text.shape.is_some() {
            let e = Error::manifest(&path, format!("{} has a shape of this manifest", text.id));
            return Err(e.hint("`zhushu.read` reads it, a text of its own does not").into());
        }
        let stored = text.meta.as_ref().map(postcard::to_stdvec).transpose();
        let meta = stored.map_err(|e| Error::request(format!("cannot be stored: {e}")))?;
        let meta = meta.map(|m| PyBytes::new(py, &m));
        Ok((text.path, text.id, text.reader, text.encoding, meta))
    };
    corpus.about.texts.into_iter().map(one).collect()
}

/// What a table knows about a text, for `read_bytes`.
#[pyfunction]
#[pyo3(signature = (*, work=None, chapter=None, number=None, title=None, translates=None))]
pub fn facts<'py>(
    py: Python<'py>,
    work: Option<String>,
    chapter: Option<String>,
    number: Option<u32>,
    title: Option<String>,
    translates: Option<Vec<String>>,
) -> Result<Bound<'py, PyBytes>> {
    let role = if translates.is_some() { Role::Translation } else { Role::Witness };
    let meta = Meta {
        title: title.unwrap_or_default(),
        work,
        chapter,
        number,
        role,
        language: if translates.is_some() { "zh-Hant" } else { "lzh-Hant" }.into(),
        translates: translates.unwrap_or_default(),
        ..Meta::default()
    };
    let stored = postcard::to_stdvec(&meta);
    let stored = stored.map_err(|e| Error::request(format!("cannot be stored: {e}")))?;
    Ok(PyBytes::new(py, &stored))
}
