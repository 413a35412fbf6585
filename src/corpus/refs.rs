//! References as a list: the passage of each, its target, and a filter.

use std::collections::HashMap;

use super::{Library, Loci};
use crate::model::{Document, Layer, Link, LinkKind, Locus, Status, Target};
use crate::source::Span;

/// A place and its locus.
#[derive(Clone, Debug)]
pub struct CitedPlace<'a> {
    /// The document.
    pub document: &'a Document,
    /// The text.
    pub span: Span,
    /// Their locus; none in a translation.
    pub locus: Option<Locus>,
}

/// A reference with both ends.
#[derive(Clone, Debug)]
pub struct Reference<'a> {
    /// The link.
    pub link: &'a Link,
    /// Its number in its document, from 1.
    pub n: usize,
    /// The text that refers.
    pub from: CitedPlace<'a>,
    /// The place referred to, if it was found and its document is in the library.
    pub to: Option<CitedPlace<'a>>,
    /// Other places with the same words.
    pub alternatives: Vec<CitedPlace<'a>>,
}

/// Which references to list; empty or `None` means all.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Of these kinds.
    pub kinds: Vec<LinkKind>,
    /// Made by these layers.
    pub layers: Vec<Layer>,
    /// Found with one of these statuses.
    pub statuses: Vec<Status>,
    /// At least as certain as this.
    pub certainty: f64,
    /// To this work, or a chapter of it.
    pub work: Option<String>,
    /// Made by this passage.
    pub from: Option<Locus>,
    /// To this passage, or parallel to it.
    pub to: Option<Locus>,
}

/// The loci of all documents of a library.
#[derive(Debug)]
pub struct Catalogue<'a> {
    all: HashMap<&'a str, Loci<'a>>,
    library: &'a Library,
}

impl<'a> Catalogue<'a> {
    /// Computes all loci.
    pub fn of(library: &'a Library) -> Self {
        Catalogue { all: library.all().map(|d| (d.id.as_str(), Loci::of(d))).collect(), library }
    }

    /// The loci of a document.
    pub fn get(&self, id: &str) -> Option<&Loci<'a>> {
        self.all.get(id)
    }

    /// All of them, in the order of the library.
    pub fn loci(&self) -> impl Iterator<Item = &Loci<'a>> {
        self.library.documents.iter().filter_map(|d| self.all.get(d.id.as_str()))
    }

    /// The requested references of the documents with these ids, in the order of the library and
    /// the texts.
    pub fn references(&self, ids: &[String], wanted: &Wanted) -> Vec<Reference<'a>> {
        let documents = self.library.documents.iter().filter(|d| ids.contains(&d.id));
        let all = documents
            .flat_map(|d| d.links.iter().enumerate().map(move |(i, link)| (&**d, i, link)));
        let [from, to] = [&wanted.from, &wanted.to].map(|l| l.as_ref().map(|l| self.spans(l)));
        let fits = |(d, _, link): &(&'a Document, usize, &'a Link)| {
            wanted.fits(link)
                && from.as_ref().is_none_or(|p| meets(p, d, link.span))
                && to.as_ref().is_none_or(|p| self.leads_to(p, d, link))
        };
        all.filter(fits).map(|(d, i, link)| self.reference(d, i, link)).collect()
    }

    fn reference(&self, document: &'a Document, index: usize, link: &'a Link) -> Reference<'a> {
        let place = |t: &Target| self.place(self.document(document, t)?, t.span);
        Reference {
            link,
            n: index + 1,
            from: CitedPlace {
                document,
                span: link.span,
                locus: self.get(&document.id).and_then(|l| l.name(link.span)),
            },
            to: link.target.as_ref().and_then(place),
            alternatives: link.alternatives.iter().filter_map(place).collect(),
        }
    }

    fn place(&self, document: &'a Document, span: Span) -> Option<CitedPlace<'a>> {
        document.source.text().get(span.range())?;
        Some(CitedPlace {
            document,
            span,
            locus: self.get(&document.id).and_then(|l| l.name(span)),
        })
    }

    /// The document a target is in.
    fn document(&self, here: &'a Document, target: &Target) -> Option<&'a Document> {
        match target.doc.as_deref() {
            Some(id) if id != here.id => self.library.get(id).map(|d| &**d),
            _ => Some(here),
        }
    }

    /// The spans that a locus names in each document.
    fn spans(&self, locus: &Locus) -> HashMap<&'a str, Vec<Span>> {
        self.all
            .iter()
            .map(|(id, loci)| (*id, loci.find(locus).into_iter().map(|(s, _)| s).collect()))
            .collect()
    }

    /// True if a link leads to one of these passages. Parallels lead both ways.
    fn leads_to(
        &self,
        passages: &HashMap<&'a str, Vec<Span>>,
        document: &'a Document,
        link: &'a Link,
    ) -> bool {
        let there = link.target.as_ref().and_then(|t| Some((self.document(document, t)?, t.span)));
        there.is_some_and(|(d, span)| meets(passages, d, span))
            || link.kind == LinkKind::Parallel && meets(passages, document, link.span)
    }
}

/// True if a span overlaps a passage of its document.
fn meets(passages: &HashMap<&str, Vec<Span>>, document: &Document, span: Span) -> bool {
    passages
        .get(document.id.as_str())
        .is_some_and(|spans| spans.iter().any(|s| s.overlap(span) > 0))
}

impl Wanted {
    fn fits(&self, link: &Link) -> bool {
        let work = |w: &String| {
            link.work.as_deref().is_some_and(|l| {
                l == w || l.strip_prefix(w.as_str()).is_some_and(|r| r.starts_with('・'))
            })
        };
        (self.kinds.is_empty() || self.kinds.contains(&link.kind))
            && (self.layers.is_empty() || self.layers.contains(&link.layer))
            && (self.statuses.is_empty() || self.statuses.contains(&link.status))
            && link.certainty.get() >= self.certainty
            && self.work.as_ref().is_none_or(work)
    }
}

impl CitedPlace<'_> {
    /// The text, without that of other layers that interrupts it.
    pub fn words(&self) -> String {
        self.document.words_of_layer(self.span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The locus; if there is none, the document and the place in it as file, line and column.
    pub fn name(&self) -> String {
        self.locus.as_ref().map_or_else(|| self.line(), ToString::to_string)
    }

    /// `corpus/a.txt:3:14`.
    pub fn line(&self) -> String {
        let place = self.document.source.place(self.span.start());
        format!("{}:{}:{}", self.document.source.path().display(), place.line, place.column)
    }

    /// Start and end in code points.
    pub fn chars(&self) -> (usize, usize) {
        (
            self.document.source.char_of(self.span.start()),
            self.document.source.char_of(self.span.end()),
        )
    }
}
