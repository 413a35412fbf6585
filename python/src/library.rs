//! Splitting: documents become a library, in which they refer to each other.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use zhushu::corpus::Library as Texts;
use zhushu::writers::editions::{About, Edition, Layout};
use zhushu::{Settings, model, pipeline};

use crate::align::Alignment;
use crate::document::Document;
use crate::error::{Result, detached, request};
use crate::gloss::{Gloss, glosses_of};
use crate::items::position;
use crate::passage::{Passage, escaped, passage_of};
use crate::read::read;
use crate::search::{Index, SearchResults, temporary_index};
use crate::table::{Table, wrong};

/// Documents that were read together, and their alignments.
#[pyclass(frozen, module = "zhushu")]
pub struct Library {
    /// The library.
    pub inner: Arc<Texts>,
    /// An index in a temporary folder, once something was searched.
    index: OnceLock<Arc<Index>>,
    /// Only one thread builds it.
    building: Mutex<()>,
}

/// What `split` takes.
#[derive(FromPyObject)]
pub enum Input {
    /// One document.
    Document(Document),
    /// A file or folder.
    Path(PathBuf),
    /// Several of them.
    Several(Vec<One>),
}

/// A document or a path.
#[derive(FromPyObject)]
pub enum One {
    /// A document.
    Document(Document),
    /// A file or folder.
    Path(PathBuf),
}

/// Runs every pass: layers, chapters, sections, loci, apparatus; with `references` also references
/// and parallels. Documents are witnesses and targets of each other. Translations that a manifest
/// names are aligned.
#[pyfunction]
#[pyo3(signature = (documents, *, references=true))]
pub fn split(py: Python<'_>, documents: Input, references: bool) -> Result<Library> {
    let all = match documents {
        Input::Document(d) => vec![One::Document(d)],
        Input::Path(p) => vec![One::Path(p)],
        Input::Several(all) => all,
    };
    let mut given: Vec<model::Document> = vec![];
    for one in all {
        match one {
            One::Document(d) => given.push((*d.inner).clone()),
            One::Path(p) => {
                given.extend(read(py, p, None, None)?.into_iter().map(|d| (*d.inner).clone()));
            }
        }
    }
    let library = detached(py, || {
        let mut settings = Settings::default();
        settings.references = references;
        let mut library = settings.run(given);
        pipeline::align(&mut library);
        library
    })?;
    Ok(Library::of(library))
}

impl Library {
    /// The library for Python.
    pub fn of(library: Texts) -> Self {
        let inner = Arc::new(library);
        Library { inner, index: OnceLock::new(), building: Mutex::default() }
    }

    fn document(&self, inner: &Arc<model::Document>) -> Document {
        Document { inner: Arc::clone(inner), library: Some(Arc::clone(&self.inner)) }
    }

    /// The ids of the texts that are wanted, or of all.
    pub fn ids_of(&self, wanted: Option<Vec<String>>) -> Result<Vec<String>> {
        let all = || self.inner.documents.iter().map(|d| d.id.clone());
        let ids = wanted.unwrap_or_else(|| all().collect());
        match ids.iter().find(|id| self.inner.get(id).is_none()) {
            None => Ok(ids),
            Some(id) => {
                let there = all().collect::<Vec<_>>().join(", ");
                Err(request(format!("no text has the id “{id}”"), format!("there are: {there}")))
            }
        }
    }

    /// An edition of some of its texts.
    pub fn edition(&self, title: Option<String>, ids: Vec<String>) -> Edition {
        let first = ids.first().and_then(|id| self.inner.get(id));
        let of = first.map(|d| d.meta.collection.clone()).unwrap_or_default();
        let own = || first.map(|d| d.meta.title.clone());
        let about = About {
            title: title.or(of.title).or_else(own).unwrap_or_default(),
            editors: of.editors,
            licence: of.licence,
            date: of.date.as_deref().and_then(model::Date::parse).unwrap_or_default(),
        };
        Edition { about, library: (*self.inner).clone(), ids, layout: Layout::default() }
    }

    fn table(&self, py: Python<'_>, name: &str) -> Result<Table> {
        let edition = self.edition(None, self.ids_of(None)?);
        Ok(detached(py, || Table::of(&edition, name))?.map_err(wrong)?)
    }

    /// Its index, which is built when first asked for.
    fn searchable(&self) -> std::result::Result<Arc<Index>, zhushu::diag::Error> {
        let _one = self.building.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(index) = self.index.get() {
            return Ok(Arc::clone(index));
        }
        let index = Arc::new(temporary_index(&self.inner)?);
        Ok(Arc::clone(self.index.get_or_init(|| index)))
    }
}

#[pymethods]
impl Library {
    /// The documents: a book has become a document for each chapter.
    #[getter]
    fn documents(&self) -> Vec<Document> {
        self.inner.documents.iter().map(|d| self.document(d)).collect()
    }

    /// The alignments of its translations.
    #[getter]
    fn alignments(&self) -> Vec<Alignment> {
        let all = self.inner.alignments.iter();
        all.filter_map(|a| Alignment::within(&self.inner, a)).collect()
    }

    /// A table of the texts.
    #[getter]
    fn texts(&self, py: Python<'_>) -> Result<Table> {
        self.table(py, "texts")
    }
    /// A table of the segments of text.
    #[getter]
    fn segments(&self, py: Python<'_>) -> Result<Table> {
        self.table(py, "segments")
    }
    /// A table of the references.
    #[getter]
    fn links(&self, py: Python<'_>) -> Result<Table> {
        self.table(py, "links")
    }
    /// A table of the beads of all alignments.
    #[getter]
    fn beads(&self, py: Python<'_>) -> Result<Table> {
        self.table(py, "beads")
    }

    /// The passage with a locus, such as 論語 12.1, in all texts that have it: the classic, its
    /// commentaries and its translations.
    fn passage(&self, py: Python<'_>, locus: &str) -> Result<Passage> {
        Ok(detached(py, || passage_of(locus, &self.inner))??)
    }

    /// Searches its texts. The first search builds an index in a temporary folder.
    #[pyo3(signature = (query, *, limit=20, skip=0, context=12, sort="reading"))]
    fn search(
        &self,
        py: Python<'_>,
        query: &str,
        limit: usize,
        skip: usize,
        context: usize,
        sort: &str,
    ) -> Result<SearchResults> {
        let index = detached(py, || self.searchable())??;
        index.search(py, query, limit, skip, context, sort)
    }

    /// Checks the quotations of a text against its texts, as `zhushu verify --to json`.
    fn verify<'py>(&self, py: Python<'py>, text: &str) -> Result<Bound<'py, PyAny>> {
        let index = detached(py, || self.searchable())??;
        index.verify(py, text)
    }

    /// What the notes of its texts say of a word, in any script and variant; without one, of all.
    #[pyo3(signature = (headword=None, *, certainty=0.0))]
    fn glosses(
        &self,
        py: Python<'_>,
        headword: Option<String>,
        certainty: f64,
    ) -> Result<Vec<Gloss>> {
        glosses_of(py, self, headword, certainty)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.documents().into_pyobject(py)?.try_iter()
    }

    fn __len__(&self) -> usize {
        self.inner.documents.len()
    }

    fn __getitem__(&self, key: Key) -> Result<Document> {
        let documents = &self.inner.documents;
        let found = match key {
            Key::Id(id) => {
                let unknown = || PyKeyError::new_err(id.clone());
                self.inner.get(&id).ok_or_else(unknown)?
            }
            Key::Position(at) => &documents[position(at, documents.len())?],
        };
        Ok(self.document(found))
    }

    fn __contains__(&self, id: &str) -> bool {
        self.inner.get(id).is_some()
    }

    fn __repr__(&self) -> String {
        format!("<zhushu.Library: {} documents>", self.inner.documents.len())
    }

    fn _repr_html_(&self) -> String {
        let row = |d: &Arc<model::Document>| {
            format!(
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escaped(&d.id),
                escaped(&d.meta.title),
                d.source.chars(),
                d.segments.iter().filter(|s| s.layer.is_text()).count(),
                d.links.len()
            )
        };
        let head =
            "<tr><th>id</th><th>title</th><th>characters</th><th>segments</th><th>links</th></tr>";
        let rows: String = self.inner.documents.iter().map(row).collect();
        format!("<table>{head}{rows}</table>")
    }
}

/// A document by its id or its position.
#[derive(FromPyObject)]
pub enum Key {
    /// By its position, which may count from the end.
    Position(isize),
    /// By its id.
    Id(String),
}
