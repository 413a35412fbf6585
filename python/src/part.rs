//! Parts of the flow, for a corpus of which no machine has all in memory; `zhushu.spark` puts them
//! together.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zhushu::corpus::figures::{CorpusFigures, MAX_SEED_PLACES, TextFigures};
use zhushu::corpus::works::Works;
use zhushu::diag::Error;
use zhushu::pipeline::{self, FlowPart, FoundParallel};
use zhushu::{Settings, model};

use crate::document::Document;
use crate::error::{Result, detached, request};
use crate::library::Library;

/// Runs one part of the flow on documents, beside others that stay as they are: `layers` or
/// `references`.
#[pyfunction]
#[pyo3(signature = (part, documents, *, beside=None, figures=None))]
pub fn run_part(
    py: Python<'_>,
    part: &str,
    documents: Vec<Document>,
    beside: Option<Vec<Document>>,
    figures: Option<&Figures>,
) -> Result<Library> {
    let part = match part {
        "layers" => FlowPart::Layers,
        "references" => FlowPart::References,
        other => {
            let message = format!("no part of the flow is called “{other}”");
            return Err(request(message, "there are: layers, references"));
        }
    };
    let figures = figures.map(|f| Arc::clone(&f.inner));
    let owned = |all: Vec<Document>| all.into_iter().map(owned).collect::<Vec<_>>();
    let (documents, beside) = (owned(documents), owned(beside.unwrap_or_default()));
    let library =
        detached(py, || Settings::default().run_part(part, documents, beside, figures.as_ref()))?;
    Ok(Library::of(library))
}

fn owned(document: Document) -> model::Document {
    Arc::try_unwrap(document.inner).unwrap_or_else(|shared| (*shared).clone())
}

/// What is counted over a whole corpus.
#[pyclass(frozen, module = "zhushu")]
pub struct Figures {
    inner: Arc<CorpusFigures>,
}

#[pymethods]
impl Figures {
    /// A seed with more places than this is a formula.
    #[classattr]
    const MAX_SEED_PLACES: usize = MAX_SEED_PLACES;

    /// The figures of a corpus from those of its texts: characters in all; witnesses of a chapter
    /// on average; grams and how often they occur, 64 and 32 bits each; seeds that are formulas, 32
    /// bits each. Numbers are little-endian.
    #[staticmethod]
    fn of(
        py: Python<'_>,
        chars: usize,
        copies: f64,
        grams: &[u8],
        counts: &[u8],
        formulas: &[u8],
    ) -> Result<Self> {
        let figures = detached(py, || {
            let grams = grams.as_chunks().0.iter().map(|g| u64::from_le_bytes(*g));
            let grams = grams.zip(numbers(counts)).collect();
            CorpusFigures::new(chars, copies, grams, numbers(formulas).collect())
        })?;
        Ok(Figures { inner: Arc::new(figures) })
    }

    /// How often a gram of several characters may occur and yet not count.
    #[staticmethod]
    fn least_count(copies: f64) -> u32 {
        CorpusFigures::least_count(copies)
    }

    /// The figures of one text: its characters; its grams and how often they occur; its seeds and
    /// their places. Numbers are as `of` takes them.
    #[staticmethod]
    #[allow(clippy::type_complexity)]
    fn of_text<'py>(
        py: Python<'py>,
        document: &Document,
    ) -> Result<(usize, [Bound<'py, PyBytes>; 2], [Bound<'py, PyBytes>; 2])> {
        let figures = detached(py, || TextFigures::of(&document.inner))?;
        let grams: Vec<u8> = figures.grams.iter().flat_map(|g| g.0.to_le_bytes()).collect();
        let (seeds, places): (Vec<u32>, Vec<u32>) = figures.seeds.into_iter().unzip();
        let counts = bytes(figures.grams.iter().map(|g| g.1));
        let bound = |bytes: &[u8]| PyBytes::new(py, bytes);
        let seeds = [bound(&bytes(seeds.into_iter())), bound(&bytes(places.into_iter()))];
        Ok((figures.chars, [bound(&grams), bound(&counts)], seeds))
    }

    /// As bytes, for `from_bytes`.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        let stored = detached(py, || postcard::to_stdvec(&*self.inner))?;
        let stored = stored.map_err(|e| Error::request(format!("cannot be stored: {e}")))?;
        Ok(PyBytes::new(py, &stored))
    }

    /// From their bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, stored: &[u8]) -> Result<Self> {
        let figures = detached(py, || postcard::from_bytes::<CorpusFigures>(stored))?;
        let damaged = |_| request("the bytes of these figures are damaged", "count them again");
        Ok(Figures { inner: Arc::new(figures.map_err(damaged)?) })
    }
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks().0.iter().map(|n| u32::from_le_bytes(*n))
}

fn bytes(numbers: impl Iterator<Item = u32>) -> Vec<u8> {
    numbers.flat_map(u32::to_le_bytes).collect()
}

/// The work and the chapter that a document is, by the names of the list of works; what is not known
/// is `None`.
#[pyfunction]
pub fn named_as(document: &Document) -> (Option<String>, Option<String>) {
    let (meta, works) = (&document.inner.meta, Works::builtin());
    let Some(own) = &meta.work else { return (None, meta.chapter.clone()) };
    let work = works.resolve(own, None).map_or_else(|| own.clone(), |r| r.named.work);
    let chapter = meta.chapter.as_deref().map(|c| {
        let known = works.resolve(c, Some(&work)).map(|r| r.named).filter(|n| n.work == work);
        known.and_then(|n| n.chapter.or(n.part)).unwrap_or_else(|| c.to_string())
    });
    (Some(work), chapter)
}

/// The works and chapters that a document names, each once; the chapter is `None` if it names only
/// the work. A work whose text is part of another (春秋, 左傳) is listed as that too.
#[pyfunction]
pub fn cited_in(py: Python<'_>, document: &Document) -> Result<Vec<(String, Option<String>)>> {
    detached(py, || Settings::default().works_named_by(&document.inner))
}

/// Compares pairs of documents, each by its number among these. What is found of each document is
/// bytes for `with_parallels`. `numbers` are those of the documents in the corpus.
#[pyfunction]
pub fn parallels_of_pairs<'py>(
    py: Python<'py>,
    documents: Vec<Document>,
    numbers: Vec<usize>,
    pairs: Vec<(usize, usize)>,
    figures: &Figures,
) -> Result<Vec<Option<Bound<'py, PyBytes>>>> {
    let count = documents.len();
    let known = |(a, b): &(usize, usize)| a < b && *b < count;
    if numbers.len() != count || !pairs.iter().all(known) {
        return Err(request("a pair or number is of no document", "the smaller comes first"));
    }
    let figures = Arc::clone(&figures.inner);
    let found = detached(py, || {
        let documents = documents.into_iter().map(owned).collect();
        let settings = Settings::default();
        let found = settings.parallels_of_pairs(documents, &numbers, &pairs, Some(&figures));
        let stored = |found: Vec<FoundParallel>| match found.as_slice() {
            [] => Ok(None),
            found => postcard::to_stdvec(found).map(Some),
        };
        found.into_iter().map(stored).collect::<std::result::Result<Vec<_>, _>>()
    })?;
    let found = found.map_err(|e| Error::request(format!("cannot be stored: {e}")))?;
    Ok(found.into_iter().map(|f| f.map(|f| PyBytes::new(py, &f))).collect())
}

/// The library of documents with the parallels found for each, by `parallels_of_pairs`; it also aligns
/// the translations among them and those beside them.
#[pyfunction]
pub fn with_parallels(
    py: Python<'_>,
    documents: Vec<Document>,
    found: Vec<Vec<Vec<u8>>>,
    beside: Vec<Document>,
) -> Result<Library> {
    let damaged = |_| request("the bytes of these parallels are damaged", "find them again");
    let of_document = |stored: Vec<Vec<u8>>| {
        let all = stored.iter().map(|s| postcard::from_bytes::<Vec<FoundParallel>>(s));
        Ok(all.collect::<std::result::Result<Vec<_>, _>>().map_err(damaged)?.concat())
    };
    let found = found.into_iter().map(of_document).collect::<Result<Vec<_>>>()?;
    let library = detached(py, || {
        let owned = |all: Vec<Document>| all.into_iter().map(owned).collect::<Vec<_>>();
        let mut library =
            Settings::default().with_parallels(owned(documents), found, owned(beside));
        pipeline::align(&mut library);
        library
    })?;
    Ok(Library::of(library))
}
