//! Search: an index in a folder, queries, and hits in their context.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyIterator;
use tempfile::TempDir;
use zhushu::corpus::{Library as Texts, Works};
use zhushu::diag::Error;
use zhushu::search::{self, Answer, Options, Query, Show, Sort};
use zhushu::verify::{QuotingText, Verifier};

use crate::error::{Result, detached, request};
use crate::library::Library;

/// An index of a library.
#[pyclass(frozen, module = "zhushu")]
pub struct Index {
    inner: search::Index,
    /// Its folder, if that is to be deleted with it.
    _temporary: Option<TempDir>,
}

/// Writes an index of a library into a folder, and opens it. What the folder has of the same texts
/// is kept.
#[pyfunction]
pub fn build_index(py: Python<'_>, library: &Library, folder: PathBuf) -> Result<Index> {
    let inner = detached(py, || {
        search::build(&library.inner, &folder)?;
        search::Index::open(&folder)
    })??;
    Ok(Index { inner, _temporary: None })
}

/// Opens the index in a folder.
#[pyfunction]
pub fn open_index(py: Python<'_>, folder: PathBuf) -> Result<Index> {
    Ok(Index { inner: detached(py, || search::Index::open(&folder))??, _temporary: None })
}

/// An index that is deleted when nothing uses it any more.
pub fn temporary_index(library: &Texts) -> std::result::Result<Index, Error> {
    let made = TempDir::with_prefix("zhushu-");
    let folder = made.map_err(|e| Error::io(Path::new("."), "make a temporary folder", &e))?;
    search::build(library, folder.path())?;
    Ok(Index { inner: search::Index::open(folder.path())?, _temporary: Some(folder) })
}

#[pymethods]
impl Index {
    /// The folder it is in.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.inner.folder().to_path_buf()
    }

    /// Checks the quotations of a text, as `zhushu verify --to json`.
    pub fn verify<'py>(&self, py: Python<'py>, text: &str) -> Result<Bound<'py, PyAny>> {
        let json = detached(py, || self.verified(text, "index"))??;
        Ok(py.import("json")?.call_method1("loads", (json,))?)
    }

    /// Answers a query in the language of `zhushu search`. `sort` is `place`, `left` or `right`.
    #[pyo3(signature = (query, *, limit=20, skip=0, context=12, sort="reading"))]
    pub fn search(
        &self,
        py: Python<'_>,
        query: &str,
        limit: usize,
        skip: usize,
        context: usize,
        sort: &str,
    ) -> Result<SearchResults> {
        let sort = match sort {
            "reading" => Sort::Reading,
            "place" => Sort::Place,
            "left" => Sort::Left,
            "right" => Sort::Right,
            other => {
                let message = format!("hits cannot be sorted by “{other}”");
                return Err(request(message, "there are: reading, place, left, right"));
            }
        };
        let show = Show { context, sort, skip, limit };
        let query: Query = query.parse()?;
        let (total, answers) = detached(py, || -> std::result::Result<_, Error> {
            let found = self.inner.search(&query, Options::default())?;
            Ok((found.total(), found.answers(&show)?))
        })??;
        Ok(SearchResults { total, hits: answers.into_iter().map(Hit::of).collect() })
    }
}

impl Index {
    /// Checks the quotations of a text against this index: the JSON of `zhushu verify`.
    pub fn verified(&self, text: &str, name: &str) -> std::result::Result<String, Error> {
        let verifier = Verifier::new(Works::builtin()).with(name, &self.inner)?;
        let quoting = QuotingText::of_words("text", text);
        Ok(verifier.check(&quoting)?.to_json())
    }
}

/// The hits of a query that were asked for.
#[pyclass(frozen, get_all, module = "zhushu")]
pub struct SearchResults {
    /// How many hits there are in all.
    total: usize,
    /// Those that were asked for.
    hits: Vec<Hit>,
}

#[pymethods]
impl SearchResults {
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.hits.clone().into_pyobject(py)?.try_iter()
    }

    fn __len__(&self) -> usize {
        self.hits.len()
    }

    fn __getitem__(&self, at: isize) -> PyResult<Hit> {
        Ok(self.hits[crate::items::position(at, self.hits.len())?].clone())
    }

    fn __repr__(&self) -> String {
        format!("<zhushu.SearchResults: {} of {} hits>", self.hits.len(), self.total)
    }
}

/// A hit in its context.
#[pyclass(frozen, get_all, module = "zhushu")]
#[derive(Clone)]
pub struct Hit {
    /// Id of the document.
    document: String,
    /// Name of its file.
    file: String,
    /// Its locus; `None` in a text without numbers.
    locus: Option<String>,
    /// Line in the file, from 1.
    line: usize,
    /// Column, from 1.
    column: usize,
    /// Work.
    work: Option<String>,
    /// Chapter.
    chapter: Option<String>,
    /// Title of the section.
    section: Option<String>,
    /// Layer.
    layer: &'static str,
    /// Who speaks, if that is known.
    by: Option<String>,
    /// The probability that the hit belongs to this layer.
    certainty: f64,
    /// The text before it in the same layer.
    left: String,
    /// The hit.
    text: String,
    /// The text after it.
    right: String,
    /// Where it is: start and end in code points of the text; several if something interrupts it.
    spans: Vec<(usize, usize)>,
}

impl Hit {
    fn of(answer: Answer) -> Self {
        Hit {
            locus: answer.locus.passage.as_ref().map(ToString::to_string),
            document: answer.document,
            file: answer.file,
            line: answer.line,
            column: answer.column,
            work: answer.work,
            chapter: answer.chapter,
            section: answer.section,
            layer: answer.layer.id(),
            by: answer.by,
            certainty: answer.certainty.rounded(),
            left: answer.left,
            text: answer.hit,
            right: answer.right,
            spans: answer.spans,
        }
    }
}

#[pymethods]
impl Hit {
    fn __repr__(&self) -> String {
        let place = self.locus.as_ref().unwrap_or(&self.document);
        format!("<zhushu.Hit {place}: {}【{}】{}>", self.left, self.text, self.right)
    }
}
