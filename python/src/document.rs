//! Documents, their segments and their diagnostics.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use zhushu::corpus::Loci;
use zhushu::diag::Error;
use zhushu::model;
use zhushu::source::Span;
use zhushu::writers;

use crate::error::{Result, detached, writing};
use crate::link::{Link, links_of};
use crate::passage::{Passage, few_as_html, passages_of};

/// Before the bytes of a stored document: only the version that wrote them can read them. A CRC-32
/// of all of it comes after them.
const STORED: &str = concat!("zhushu ", env!("CARGO_PKG_VERSION"), "\n");

/// A text with its layers and everything found out about it.
#[pyclass(frozen, from_py_object, module = "zhushu")]
#[derive(Clone)]
pub struct Document {
    /// The document.
    pub inner: Arc<model::Document>,
    /// The library it came from, in which its links are looked up.
    pub library: Option<Arc<zhushu::corpus::Library>>,
}

/// Start and end of a span in code points.
pub fn offsets(document: &model::Document, span: Span) -> (usize, usize) {
    (document.source.char_of(span.start()), document.source.char_of(span.end()))
}

/// The codes of evidence, each with its details if there are any.
pub fn evidence(all: &[model::Evidence]) -> Vec<String> {
    let one = |e: &model::Evidence| match &e.detail {
        Some(detail) => format!("{}: {detail}", e.code()),
        None => e.code().to_string(),
    };
    all.iter().map(one).collect()
}

impl Document {
    /// A document on its own.
    pub fn alone(inner: model::Document) -> Self {
        Document { inner: Arc::new(inner), library: None }
    }
}

#[pymethods]
impl Document {
    /// Id in its corpus: the file's name without its endings.
    #[getter]
    fn id(&self) -> &str {
        &self.inner.id
    }
    /// The text. Offsets count its code points.
    #[getter]
    fn text(&self) -> &str {
        self.inner.source.text()
    }
    /// Title as shown.
    #[getter]
    fn title(&self) -> &str {
        &self.inner.meta.title
    }
    /// Its work, such as 儀禮.
    #[getter]
    fn work(&self) -> Option<&str> {
        self.inner.meta.work.as_deref()
    }
    /// Its chapter, such as 鄉射禮.
    #[getter]
    fn chapter(&self) -> Option<&str> {
        self.inner.meta.chapter.as_deref()
    }
    /// Number of the chapter in the work.
    #[getter]
    fn number(&self) -> Option<u32> {
        self.inner.meta.number
    }
    /// `witness` or `translation`.
    #[getter]
    fn role(&self) -> &'static str {
        match self.inner.meta.role {
            model::Role::Translation => "translation",
            _ => "witness",
        }
    }
    /// Ids of the documents that it translates.
    #[getter]
    fn translates(&self) -> Vec<String> {
        self.inner.meta.translates.clone()
    }
    /// Language of the text (BCP 47).
    #[getter]
    fn language(&self) -> &str {
        &self.inner.meta.language
    }
    /// Name of the reader that read it.
    #[getter]
    fn reader(&self) -> &str {
        &self.inner.reader
    }
    /// Path of its file, as given.
    #[getter]
    fn path(&self) -> String {
        self.inner.source.path().to_string_lossy().into_owned()
    }
    /// Name of the encoding of the file.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.inner.source.encoding()
    }
    /// SHA-256 of the bytes it was read from.
    #[getter]
    fn sha256(&self) -> &str {
        self.inner.source.sha256()
    }
    /// Code points of the file before this text, which may be one chapter of it.
    #[getter]
    fn file_offset(&self) -> usize {
        self.inner.source.file_char_of(0)
    }
    /// True if some text is not split into layers yet.
    #[getter]
    fn undivided(&self) -> bool {
        self.inner.has_undivided()
    }
    /// Its segments of text, in order, without marks and blanks between them.
    #[getter]
    fn segments(&self) -> Vec<Segment> {
        let loci = Loci::of(&self.inner);
        let text = self.inner.segments.iter().enumerate().filter(|(_, s)| s.layer.is_text());
        text.map(|(n, s)| Segment::new(self, n, s.span, &loci)).collect()
    }
    /// What its notes and sub-commentaries report of others, in order.
    #[getter]
    fn speeches(&self) -> Vec<Speech> {
        self.inner.speeches.iter().map(|s| Speech::of(&self.inner, s)).collect()
    }
    /// Who speaks at a code point of the text: whose words are reported there, or who wrote the layer.
    fn speaker(&self, offset: usize) -> Option<String> {
        let at = self.inner.source.text().char_indices().nth(offset)?.0;
        self.inner.speakers().at(at).map(str::to_string)
    }
    /// Its references, with both ends if it came from a library.
    #[getter]
    fn links(&self) -> Vec<Link> {
        links_of(self)
    }
    /// Its passages as a page shows them: runs of the classic with their commentaries.
    #[getter]
    fn passages(&self) -> Vec<Passage> {
        passages_of(self)
    }
    /// What was noticed about it.
    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.inner.diagnostics.iter().map(|d| Diagnostic::of(&self.inner, d)).collect()
    }

    /// Line and column in the file, from 1, of a code point of the text.
    fn place(&self, offset: usize) -> (usize, usize) {
        let text = self.inner.source.text();
        let at = text.char_indices().nth(offset).map_or(text.len(), |(at, _)| at);
        let place = self.inner.source.place(at);
        (place.line, place.column)
    }

    /// The document in a format for one text: `tei`, `json`, `html` or `source`.
    fn write<'py>(&self, py: Python<'py>, format: &str) -> Result<Bound<'py, PyBytes>> {
        let writer = writers::by_name(format)?;
        let alone = || zhushu::corpus::Library {
            documents: vec![Arc::clone(&self.inner)],
            ..Default::default()
        };
        let written = detached(py, || {
            let library = self.library.as_deref().cloned().unwrap_or_else(alone);
            let mut out = vec![];
            (writer.write)(&self.inner, &library, &mut out).map(|()| out)
        })?;
        let bytes = written.map_err(|e| writing(self.inner.source.path(), &e))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// All of it as bytes, which the same version of zhushu reads with `from_bytes`.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        let stored =
            detached(py, || postcard::to_extend(&*self.inner, STORED.as_bytes().to_vec()))?;
        let mut bytes = stored.map_err(|e| Error::request(format!("cannot be stored: {e}")))?;
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(PyBytes::new(py, &bytes))
    }

    /// A document from its bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, stored: &[u8]) -> Result<Self> {
        let document = detached(py, || restored(stored))??;
        Ok(Document::alone(document))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.get_type::<Document>().getattr("from_bytes")?;
        Ok((restore, PyTuple::new(py, [self.to_bytes(py)?])?))
    }

    fn __repr__(&self) -> String {
        let chars = self.inner.source.chars();
        format!(
            "<zhushu.Document {}: {}, {chars} characters>",
            self.inner.id, self.inner.meta.title
        )
    }

    fn _repr_html_(&self) -> String {
        few_as_html(self)
    }
}

fn restored(stored: &[u8]) -> std::result::Result<model::Document, Error> {
    let refused = |why: &str| Error::request(why).hint("read the text again");
    if !stored.starts_with(STORED.as_bytes()) {
        return Err(refused("these are not the bytes of a document of this version of zhushu"));
    }
    let damaged = || refused("the bytes of this document are damaged");
    let (bytes, sum) = stored.split_last_chunk().ok_or_else(damaged)?;
    if crc32fast::hash(bytes).to_le_bytes() != *sum {
        return Err(damaged());
    }
    let document = bytes.get(STORED.len()..).ok_or_else(damaged)?;
    let document: model::Document = postcard::from_bytes(document).map_err(|_| damaged())?;
    document.check().map_err(|_| damaged())?;
    Ok(document)
}

/// A stretch of the text in one layer.
#[pyclass(frozen, get_all, module = "zhushu")]
#[derive(Clone)]
pub struct Segment {
    /// Id of its document.
    document: String,
    /// Id, unique in its document.
    id: String,
    /// Layer: `jing`, `zhu`, `shu` …
    layer: &'static str,
    /// The layer in Chinese.
    layer_zh: &'static str,
    /// Where it starts, in code points of the text.
    start: usize,
    /// Where it ends.
    end: usize,
    /// The text.
    text: String,
    /// Its locus.
    locus: Option<String>,
    /// Who wrote it, if that is known.
    by: Option<String>,
    /// The probability that the segment starts here and has this layer.
    certainty: f64,
    /// Why.
    evidence: Vec<String>,
}

impl Segment {
    /// Segment number `n` of a document, or the part `span` of it.
    pub fn new(document: &Document, n: usize, span: Span, loci: &Loci<'_>) -> Self {
        let (of, segment) = (&document.inner, &document.inner.segments[n]);
        let (start, end) = offsets(of, span);
        Segment {
            document: of.id.clone(),
            id: segment.id.to_string(),
            layer: segment.layer.id(),
            layer_zh: segment.layer.zh(),
            start,
            end,
            text: of.slice(span).to_string(),
            locus: loci.name(span).map(|l| l.to_string()),
            by: of.author(segment).map(|who| who.name.clone()),
            certainty: segment.certainty.rounded(),
            evidence: evidence(&segment.evidence),
        }
    }

    /// The id of its document.
    pub fn document(&self) -> &str {
        &self.document
    }

    /// Its locus, its certainty and why.
    pub fn reasons(&self) -> (Option<String>, f64, String) {
        (self.locus.clone(), self.certainty, self.evidence.join(", "))
    }
}

#[pymethods]
impl Segment {
    fn __repr__(&self) -> String {
        format!("<zhushu.Segment {} {}: {}>", self.id, self.layer_zh, short(&self.text))
    }
}

/// The beginning of a text, for `repr`.
pub fn short(text: &str) -> String {
    let clipped: String = text.chars().take(24).collect();
    if clipped.len() < text.len() { clipped + "…" } else { clipped }
}

/// Words that a note or a sub-commentary reports of someone.
#[pyclass(frozen, get_all, module = "zhushu")]
#[derive(Clone)]
pub struct Speech {
    /// Who says them.
    who: String,
    /// Where they start, in code points of the text.
    start: usize,
    /// Where they end.
    end: usize,
    /// The words.
    text: String,
    /// The probability that this person says them.
    certainty: f64,
    /// Why.
    evidence: Vec<String>,
}

impl Speech {
    fn of(document: &model::Document, speech: &model::Speech) -> Self {
        let (start, end) = offsets(document, speech.span);
        Speech {
            who: speech.who.to_string(),
            start,
            end,
            text: document.words(speech.span).into_owned(),
            certainty: speech.certainty.rounded(),
            evidence: evidence(&speech.evidence),
        }
    }
}

#[pymethods]
impl Speech {
    fn __repr__(&self) -> String {
        format!("<zhushu.Speech {}: {}>", self.who, short(&self.text))
    }
}

/// Something noticed at a place of a document.
#[pyclass(frozen, get_all, module = "zhushu")]
#[derive(Clone)]
pub struct Diagnostic {
    /// `info`, `warning` or `error`.
    severity: &'static str,
    /// Name of its kind.
    code: String,
    /// One sentence.
    message: String,
    /// What a person could do about it.
    hint: Option<String>,
    /// Where it starts, in code points of the text; `None` for the document as a whole.
    start: Option<usize>,
    /// Where it ends.
    end: Option<usize>,
    /// Line in the file, from 1.
    line: Option<usize>,
    /// Column, from 1.
    column: Option<usize>,
}

impl Diagnostic {
    /// A diagnostic of a document.
    pub fn of(document: &model::Document, d: &zhushu::diag::Diagnostic) -> Self {
        let place = d.span.map(|s| document.source.place(s.start()));
        let around = d.span.map(|s| offsets(document, s));
        Diagnostic {
            severity: d.severity.as_str(),
            code: d.code.to_string(),
            message: d.message.clone(),
            hint: d.hint.clone(),
            start: around.map(|a| a.0),
            end: around.map(|a| a.1),
            line: place.map(|p| p.line),
            column: place.map(|p| p.column),
        }
    }
}

#[pymethods]
impl Diagnostic {
    fn __repr__(&self) -> String {
        let place = self.line.map_or(String::new(), |line| format!(" line {line}"));
        format!("<zhushu.Diagnostic {}{place}: {}>", self.severity, self.message)
    }
}
