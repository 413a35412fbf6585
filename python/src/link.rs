//! References with both ends, and the list of them.

use std::collections::HashMap;
use std::str::FromStr;

use pyo3::prelude::*;
use zhushu::corpus::Library as Texts;
use zhushu::corpus::loci::{self, Loci};
use zhushu::corpus::refs::{Catalogue, CitedPlace, Reference, Wanted};
use zhushu::corpus::works::Works;
use zhushu::diag::Error;
use zhushu::model::{Layer, LinkKind, Locus, Status, Target};
use zhushu::source::Span;

use crate::document::{Document, evidence, short};
use crate::error::{Result, detached, request};
use crate::library::Library;

/// A place that a reference is made in or leads to.
#[pyclass(frozen, get_all, module = "zhushu")]
#[derive(Clone)]
pub struct Place {
    /// Id of the document.
    document: String,
    /// Where it starts, in code points of the text.
    start: usize,
    /// Where it ends.
    end: usize,
    /// The text.
    text: String,
    /// Its locus; `None` in a translation.
    locus: Option<String>,
}

#[pymethods]
impl Place {
    fn __repr__(&self) -> String {
        let name = self.locus.as_ref().unwrap_or(&self.document);
        format!("<zhushu.Place {name}: {}>", short(&self.text))
    }
}

/// One reference.
#[pyclass(frozen, get_all, module = "zhushu")]
#[derive(Clone)]
pub struct Link {
    /// Its number in its document, from 1.
    n: usize,
    /// `lemma`, `quotation`, `citation`, `internal` or `parallel`.
    kind: &'static str,
    /// How well it was found: `exact`, `variant`, `paraphrase`, `range`, `title-only`, `unresolved`.
    status: &'static str,
    /// The probability that it is right.
    certainty: f64,
    /// The layer that refers.
    layer: &'static str,
    /// The words that refer.
    source: Place,
    /// The part of them that is quoted from elsewhere.
    quoted: Option<String>,
    /// Title of the work, with its chapter.
    work: Option<String>,
    /// Where it leads; `None` if that was not found, or is in a text that is not in the library.
    target: Option<Place>,
    /// Other places with the same words.
    alternatives: Vec<Place>,
    /// Why.
    evidence: Vec<String>,
}

#[pymethods]
impl Link {
    fn __repr__(&self) -> String {
        let to = self.target.as_ref().map_or_else(
            || self.work.clone().unwrap_or_else(|| self.status.to_string()),
            |t| t.locus.clone().unwrap_or_else(|| t.document.clone()),
        );
        format!("<zhushu.Link {}: {} → {to}>", self.kind, short(&self.source.text))
    }
}

/// A place for Python.
pub fn place(at: &CitedPlace<'_>) -> Place {
    let (start, end) = at.chars();
    Place {
        document: at.document.id.clone(),
        start,
        end,
        text: at.document.slice(at.span).to_string(),
        locus: at.locus.as_ref().map(ToString::to_string),
    }
}

fn link(r: &Reference<'_>) -> Link {
    let of = r.link;
    Link {
        n: r.n,
        kind: of.kind.id(),
        status: of.status.id(),
        certainty: of.certainty.rounded(),
        layer: of.layer.id(),
        source: place(&r.from),
        quoted: of.quoted.map(|q| r.from.document.words(q).into_owned()),
        work: of.work.as_deref().map(String::from),
        target: r.to.as_ref().map(place),
        alternatives: r.alternatives.iter().map(place).collect(),
        evidence: evidence(&of.evidence),
    }
}

/// The links of a document, looked up in its library, or in itself if it has none. Only the loci of
/// texts that it refers to are computed.
pub fn links_of(document: &Document) -> Vec<Link> {
    let own = &document.inner;
    let mut loci: HashMap<&str, Loci<'_>> = HashMap::new();
    let mut cited = |target: Option<&Target>, span: Span| {
        let id = target.and_then(|t| t.doc.as_deref()).filter(|id| *id != own.id);
        let of = match id {
            None => own,
            Some(id) => document.library.as_ref()?.get(id)?,
        };
        of.source.text().get(span.range())?;
        let loci = loci.entry(&of.id).or_insert_with(|| Loci::of(of));
        Some(CitedPlace { document: of, span, locus: loci.name(span) })
    };
    let mut links = vec![];
    for (n, of) in (1..).zip(&own.links) {
        let to = of.target.as_ref().and_then(|t| cited(Some(t), t.span));
        let alternatives = of.alternatives.iter().filter_map(|t| cited(Some(t), t.span)).collect();
        if let Some(from) = cited(None, of.span) {
            links.push(link(&Reference { link: of, n, from, to, alternatives }));
        }
    }
    links
}

fn listed(library: &Texts, ids: &[String], wanted: &Wanted) -> Vec<Link> {
    Catalogue::of(library).references(ids, wanted).iter().map(link).collect()
}

/// The references of a library. Lists and loci that are not given ask for all.
#[pyfunction]
#[pyo3(signature = (library, *, texts=None, kinds=None, layers=None, statuses=None, certainty=0.0,
    work=None, source=None, target=None))]
#[allow(clippy::too_many_arguments)]
pub fn references(
    py: Python<'_>,
    library: &Library,
    texts: Option<Vec<String>>,
    kinds: Option<Vec<String>>,
    layers: Option<Vec<String>>,
    statuses: Option<Vec<String>>,
    certainty: f64,
    work: Option<String>,
    source: Option<String>,
    target: Option<String>,
) -> Result<Vec<Link>> {
    let wanted = Wanted {
        kinds: named(kinds, "kind of reference", &LinkKind::ALL, LinkKind::id)?,
        layers: layers_named(layers)?,
        statuses: named(statuses, "status", &Status::ALL, Status::id)?,
        certainty,
        work,
        from: source.as_deref().map(locus).transpose()?,
        to: target.as_deref().map(locus).transpose()?,
    };
    let ids = library.ids_of(texts)?;
    detached(py, || listed(&library.inner, &ids, &wanted))
}

fn locus(words: &str) -> Result<Locus> {
    let parsed = loci::parse(words, &Works::builtin());
    parsed.map_err(|e| Error::request(e.to_string()).hint("a locus is like yili.05.23.2").into())
}

/// The layers with these names.
pub fn layers_named(names: Option<Vec<String>>) -> Result<Vec<Layer>> {
    let layer = |name: String| {
        let ids = || Layer::all().map(|l| l.id).collect::<Vec<_>>().join(", ");
        let unknown =
            |_| request(format!("no layer is called “{name}”"), format!("there are: {}", ids()));
        Layer::from_str(&name).map_err(unknown)
    };
    names.into_iter().flatten().map(layer).collect()
}

fn named<T: Copy>(
    names: Option<Vec<String>>,
    what: &str,
    all: &[T],
    id: fn(T) -> &'static str,
) -> Result<Vec<T>> {
    let one = |name: String| {
        let found = all.iter().copied().find(|t| id(*t) == name);
        let there = || all.iter().map(|t| id(*t)).collect::<Vec<_>>().join(", ");
        found.ok_or_else(|| {
            request(format!("no {what} is called “{name}”"), format!("there are: {}", there()))
        })
    };
    names.into_iter().flatten().map(one).collect()
}
