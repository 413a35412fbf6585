//! A classic and its translation, bead by bead.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyIterator;
use zhushu::align::Options;
use zhushu::corpus::Library as Texts;
use zhushu::model::{self, Grain};
use zhushu::source::Span;

use crate::document::{Diagnostic, Document, evidence, offsets, short};
use crate::error::{Result, detached, request};
use crate::items::position;
use crate::library::Library;
use crate::table::{Table, wrong};

/// Sentences of both sides that correspond; one side may be empty.
#[pyclass(frozen, get_all, module = "zhushu")]
#[derive(Clone)]
pub struct Bead {
    /// Where the sentences of the classic are: start and end in code points of its text.
    source: Vec<(usize, usize)>,
    /// Where those of the translation are.
    translation: Vec<(usize, usize)>,
    /// The text of the classic.
    source_text: String,
    /// The text of the translation.
    translation_text: String,
    /// The probability that the bead is right.
    certainty: f64,
    /// The evidence for or against it.
    evidence: Vec<String>,
}

#[pymethods]
impl Bead {
    fn __repr__(&self) -> String {
        let sides = [&self.source_text, &self.translation_text].map(|text| short(text));
        format!("<zhushu.Bead {} | {}>", sides[0], sides[1])
    }
}

/// The beads of a classic and a translation, in the order of the texts.
#[pyclass(frozen, module = "zhushu")]
pub struct Alignment {
    inner: model::Alignment,
    source: Arc<model::Document>,
    translation: Arc<model::Document>,
    diagnostics: Vec<Diagnostic>,
}

/// Aligns a split classic with a translation of it, by `sentence` or by `clause`.
#[pyfunction]
#[pyo3(signature = (classic, translation, *, by="sentence", prior=true))]
pub fn align(
    py: Python<'_>,
    classic: &Document,
    translation: &Document,
    by: &str,
    prior: bool,
) -> Result<Alignment> {
    let by = match by {
        "sentence" => Grain::Sentence,
        "clause" => Grain::Clause,
        other => {
            let message = format!("beads cannot be made of “{other}”");
            return Err(request(message, "there are: sentence, clause"));
        }
    };
    let options = Options { by, prior };
    let (source, translation) = (Arc::clone(&classic.inner), Arc::clone(&translation.inner));
    let aligned = detached(py, || zhushu::align::align(&source, &translation, &options))?;
    let mut diagnostics: Vec<Diagnostic> =
        aligned.source.iter().map(|d| Diagnostic::of(&source, d)).collect();
    diagnostics.extend(aligned.translation.iter().map(|d| Diagnostic::of(&translation, d)));
    Ok(Alignment { inner: aligned.alignment, source, translation, diagnostics })
}

impl Alignment {
    /// An alignment of a library; none if a document of it is missing.
    pub fn within(library: &Texts, alignment: &model::Alignment) -> Option<Self> {
        Some(Alignment {
            inner: alignment.clone(),
            source: Arc::clone(library.get(&alignment.source)?),
            translation: Arc::clone(library.get(&alignment.translation)?),
            diagnostics: vec![],
        })
    }

    fn bead(&self, bead: &model::Bead) -> Bead {
        let places = |of: &model::Document, spans: &[Span]| -> Vec<_> {
            spans.iter().map(|s| offsets(of, *s)).collect()
        };
        let text = |of: &model::Document, spans: &[Span]| -> String {
            spans.iter().map(|s| of.slice(*s)).collect()
        };
        Bead {
            source: places(&self.source, &bead.source),
            translation: places(&self.translation, &bead.translation),
            source_text: text(&self.source, &bead.source),
            translation_text: text(&self.translation, &bead.translation),
            certainty: bead.certainty.rounded(),
            evidence: evidence(&bead.evidence),
        }
    }
}

#[pymethods]
impl Alignment {
    /// Id of the classic.
    #[getter]
    fn source(&self) -> &str {
        &self.inner.source
    }
    /// Id of the translation.
    #[getter]
    fn translation(&self) -> &str {
        &self.inner.translation
    }
    /// The beads; every sentence of both sides is in exactly one.
    #[getter]
    fn beads(&self) -> Vec<Bead> {
        self.inner.beads.iter().map(|b| self.bead(b)).collect()
    }
    /// What a person should look at. Only `align` reports it here; in a library it is with the
    /// documents.
    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.clone()
    }
    /// A table of the beads.
    #[getter]
    fn table(&self, py: Python<'_>) -> Result<Table> {
        let documents = vec![Arc::clone(&self.source), Arc::clone(&self.translation)];
        let alignments = vec![self.inner.clone()];
        let library = Library::of(Texts { documents, alignments, ..Texts::default() });
        let edition = library.edition(None, library.ids_of(None)?);
        Ok(detached(py, || Table::of(&edition, "beads"))?.map_err(wrong)?)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.beads().into_pyobject(py)?.try_iter()
    }

    fn __len__(&self) -> usize {
        self.inner.beads.len()
    }

    fn __getitem__(&self, at: isize) -> PyResult<Bead> {
        let beads = &self.inner.beads;
        Ok(self.bead(&beads[position(at, beads.len())?]))
    }

    fn __repr__(&self) -> String {
        let (source, translation) = (&self.inner.source, &self.inner.translation);
        format!("<zhushu.Alignment {source} | {translation}: {} beads>", self.inner.beads.len())
    }
}
