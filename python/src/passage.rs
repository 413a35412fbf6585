//! A passage: a run of the classic with its commentaries. In a notebook it is shown with its layers.

use std::sync::Arc;

use pyo3::prelude::*;
use zhushu::corpus::{Library, Loci};
use zhushu::diag::Error;
use zhushu::model::{Layer, LayerKind, NEEDS_REVIEW};
use zhushu::{Settings, ask};

use crate::document::{Document, Segment};

/// How many passages of a document a notebook shows.
const SHOWN_PASSAGES: usize = 5;

/// A run of the classic with its commentaries.
#[pyclass(frozen, module = "zhushu")]
#[derive(Clone)]
pub struct Passage {
    segments: Vec<ShownSegment>,
}

/// A segment, or the part of it that is in the passage.
#[derive(Clone)]
struct ShownSegment {
    segment: Segment,
    layer: Layer,
    text: String,
    certainty: f64,
}

/// The passages of a document.
pub fn passages_of(document: &Document) -> Vec<Passage> {
    let loci = Loci::of(&document.inner);
    let shown = |(n, span)| ShownSegment::of(document, n, span, &loci);
    let passages = zhushu::passages_of(&document.inner).into_iter();
    passages.map(|parts| Passage { segments: parts.into_iter().map(shown).collect() }).collect()
}

/// The passage with a locus, in all texts of a library that have it.
///
/// # Errors
/// When the words are no locus, or no text has it.
pub fn passage_of(locus: &str, library: &Arc<Library>) -> Result<Passage, Error> {
    let parts = ask::passage_of(locus, library, &Settings::default())?;
    let mut segments = vec![];
    for of_text in parts.chunk_by(|a, b| a.document.id == b.document.id) {
        let Some(inner) = library.get(&of_text[0].document.id) else { continue };
        let inner = Arc::clone(inner);
        let document = Document { inner, library: Some(Arc::clone(library)) };
        let loci = Loci::of(&document.inner);
        let shown = of_text.iter().map(|p| ShownSegment::of(&document, p.segment, p.span, &loci));
        segments.extend(shown);
    }
    Ok(Passage { segments })
}

#[pymethods]
impl Passage {
    /// What it consists of, in order: segments, or the parts of them that are in it.
    #[getter]
    fn segments(&self) -> Vec<Segment> {
        self.segments.iter().map(|s| s.segment.clone()).collect()
    }

    /// The text of the classic in it; if several texts have it, that of the first.
    #[getter]
    fn classic(&self) -> String {
        let base = || self.segments.iter().filter(|s| s.layer.kind() == LayerKind::Base);
        let first = base().next().map(|s| s.segment.document());
        base().filter(|s| Some(s.segment.document()) == first).map(|s| s.text.as_str()).collect()
    }

    /// What is said about it: notes, sub-commentaries, glosses, of all texts that have it.
    #[getter]
    fn commentary(&self) -> Vec<Segment> {
        let is_said =
            |s: &&ShownSegment| matches!(s.layer.kind(), LayerKind::Note | LayerKind::Commentary);
        self.segments.iter().filter(is_said).map(|s| s.segment.clone()).collect()
    }

    fn __repr__(&self) -> String {
        format!("<zhushu.Passage {}>", crate::document::short(&self.classic()))
    }

    /// The passage with its layers: each in its type, its name before it, doubtful borders dotted.
    fn _repr_html_(&self) -> String {
        let mut html = String::from(r#"<div lang="lzh" style="line-height:1.7;margin:.6em 0">"#);
        self.segments.iter().for_each(|s| html.push_str(&s.html()));
        html + "</div>"
    }
}

impl ShownSegment {
    /// A segment of a document, or the part of it that is in a passage.
    fn of(document: &Document, n: usize, span: zhushu::source::Span, loci: &Loci<'_>) -> Self {
        let of = &document.inner.segments[n];
        ShownSegment {
            segment: Segment::new(document, n, span, loci),
            layer: of.layer,
            text: document.inner.words(span).into_owned(),
            certainty: of.certainty.get(),
        }
    }

    fn html(&self) -> String {
        let (size, left, colour) = match self.layer.kind() {
            LayerKind::Base | LayerKind::Undivided => ("1.2em", "0", "inherit"),
            LayerKind::Note => ("1em", "1.5em", "#1d5c8f"),
            LayerKind::Commentary => (".92em", "3em", "#5d5d5d"),
            _ => (".92em", "1.5em", "#7a4a00"),
        };
        let dots = match self.certainty < NEEDS_REVIEW {
            true => ";border-left:2px dotted currentColor;padding-left:.3em",
            false => "",
        };
        format!(
            r#"<div style="font-size:{size};margin-left:{left};color:{colour}{dots}" title="{}"><sup>{}</sup> {}</div>"#,
            escaped(&self.title()),
            escaped(self.layer.zh()),
            escaped(self.text.trim()),
        )
    }

    /// Locus, certainty and evidence.
    fn title(&self) -> String {
        let (locus, certainty, evidence) = self.segment.reasons();
        let mut parts: Vec<String> = locus.into_iter().collect();
        if certainty < 1.0 {
            parts.push(format!("{certainty} {evidence}"));
        }
        parts.join(" · ")
    }
}

/// The first passages of a document, with its title.
pub fn few_as_html(document: &Document) -> String {
    let passages = passages_of(document);
    let of = &document.inner;
    let mut html = format!("<p><b>{}</b> {}</p>", escaped(&of.meta.title), escaped(&of.id));
    passages.iter().take(SHOWN_PASSAGES).for_each(|p| html.push_str(&p._repr_html_()));
    if passages.len() > SHOWN_PASSAGES {
        html.push_str(&format!("<p>… {} passages</p>", passages.len()));
    }
    html
}

/// Text for HTML.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}
