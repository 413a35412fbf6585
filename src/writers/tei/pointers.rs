//! Pointers to the elements that a span falls into: ids, never offsets.
//!
//! All pointers of a document are computed before anything is written.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};

use crate::corpus::Library;
use crate::markup::address;
use crate::model::{Alignment, Bead, Certainty, Document, Layer, Link, Target, decided_by};
use crate::reading::{ChapterText, numbered};
use crate::source::Span;

/// The values of `@target` and other pointers of a document.
pub(super) struct Pointers {
    /// By link.
    pub(super) links: Vec<LinkEnds>,
    /// By reading.
    pub(super) readings: Vec<String>,
    /// By speech.
    pub(super) speeches: Vec<String>,
    /// By entry of the apparatus: its lemma and its note.
    pub(super) apparatus: Vec<(String, String)>,
    /// The alignments of this document with its translations.
    pub(super) alignments: Vec<Vec<BeadSides>>,
    /// By diagnostic.
    pub(super) diagnostics: Vec<String>,
}

/// Both ends of a link.
pub(super) struct LinkEnds {
    from: String,
    pub(super) target: String,
}

impl fmt::Display for LinkEnds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.from, self.target)
    }
}

/// The sides of a bead that are not empty: the source's, then the translation's.
pub(super) struct BeadSides {
    pub(super) sides: Vec<String>,
    pub(super) certainty: Certainty,
    /// Who decided it.
    pub(super) by: Option<String>,
}

impl Pointers {
    /// The pointers of the document of `chapter` into the documents of `library`.
    pub(super) fn of(chapter: &ChapterText<'_>, library: &Library) -> Self {
        let document = &*chapter.document;
        let mut resolver = Resolver { chapter, others: others(document, library) };
        let alignments = library.alignments.iter().filter(|a| a.source == document.id);
        let alignments = alignments.map(|a| resolver.alignment(a)).collect();
        let links = document.links.iter().map(|link| resolver.link(link)).collect();
        let here = |span: Option<Span>, otherwise: &str| {
            span.map_or_else(|| otherwise.to_string(), |span| resolver.here(span))
        };
        let apparatus = document.apparatus.iter();
        let diagnostics = document.diagnostics.iter();
        Pointers {
            readings: document.readings.iter().map(|r| resolver.here(r.span)).collect(),
            speeches: document.speeches.iter().map(|s| resolver.here(s.span)).collect(),
            apparatus: apparatus
                .map(|e| (here(e.lemma, UNRESOLVED), resolver.here(e.span)))
                .collect(),
            diagnostics: diagnostics.map(|d| here(d.span, WHOLE_FILE)).collect(),
            alignments,
            links,
        }
    }
}

const UNRESOLVED: &str = "#unresolved";
/// The program's element in the header.
const WHOLE_FILE: &str = "#zhushu";

/// Finds elements in the documents of a library.
struct Resolver<'a> {
    chapter: &'a ChapterText<'a>,
    others: HashMap<&'a str, Cow<'a, Document>>,
}

/// The documents that links and alignments of this one lead to, by id.
fn others<'a>(document: &Document, library: &'a Library) -> HashMap<&'a str, Cow<'a, Document>> {
    let links = document.links.iter().filter_map(|l| l.target.as_ref()?.doc.as_deref());
    let aligned = library.alignments.iter().filter(|a| a.source == document.id);
    let ids: HashSet<&str> = links.chain(aligned.map(|a| a.translation.as_str())).collect();
    let others = library.all().filter(|d| ids.contains(d.id.as_str()) && d.id != document.id);
    // Of two with one id the first, as in the library.
    let mut found = HashMap::new();
    others.for_each(|d| _ = found.entry(d.id.as_str()).or_insert_with(|| numbered(d)));
    found
}

impl Resolver<'_> {
    fn link(&mut self, link: &Link) -> LinkEnds {
        let target = match &link.target {
            None => UNRESOLVED.to_string(),
            Some(Target { doc, span }) => self.there(doc.as_deref(), *span),
        };
        LinkEnds { from: self.here(link.span), target }
    }

    fn alignment(&mut self, alignment: &Alignment) -> Vec<BeadSides> {
        let translation = Some(alignment.translation.as_str());
        let mut sides = |bead: &Bead| {
            let sides = [(None, &bead.source), (translation, &bead.translation)];
            let filled = sides.into_iter().filter(|(_, spans)| !spans.is_empty());
            filled.map(|(id, spans)| self.side(id, spans)).collect()
        };
        let beads = alignment.beads.iter();
        let by = |b: &Bead| decided_by(&b.evidence).map(str::to_string);
        beads.map(|b| BeadSides { sides: sides(b), certainty: b.certainty, by: by(b) }).collect()
    }

    /// The elements of one side of a bead, each once.
    fn side(&mut self, id: Option<&str>, spans: &[Span]) -> String {
        let mut elements: Vec<String> = Vec::new();
        for span in spans {
            for element in self.there(id, *span).split(' ') {
                if !elements.iter().any(|e| e == element) {
                    elements.push(element.to_string());
                }
            }
        }
        elements.join(" ")
    }

    /// `#x1.2 #z1`: the elements of this document that `span` overlaps, or the one before it if
    /// there are none.
    fn here(&self, span: Span) -> String {
        let list = point("", self.chapter, span);
        if !list.is_empty() {
            return list;
        }
        let segments = &self.chapter.document.segments;
        let until = segments.partition_point(|s| s.span.end() <= span.end());
        let before = segments[..until].iter().rev().find(|s| s.layer != Layer::Blank);
        before.map_or_else(|| WHOLE_FILE.to_string(), |s| format!("#{}", s.id))
    }

    /// The elements of document `id`, or of this one, that `span` overlaps; the whole file if the
    /// document is not in the library.
    fn there(&mut self, id: Option<&str>, span: Span) -> String {
        let Some(id) = id.filter(|id| *id != self.chapter.document.id) else {
            return self.here(span);
        };
        let other = self.others.get(id);
        let file = file_of(id);
        let list = other.as_ref().map(|d| point(&file, &ChapterText::around(d, span), span));
        list.filter(|l| !l.is_empty()).unwrap_or(file)
    }
}

/// The elements of `chapter` that `span` points at.
fn point(file: &str, chapter: &ChapterText<'_>, span: Span) -> String {
    let mut list = String::new();
    for element in chapter.pointed(span) {
        let gap = if list.is_empty() { "" } else { " " };
        // Writing to a string does not fail.
        let _ = write!(list, "{gap}{file}#{}", chapter.id(element));
    }
    list
}

/// The file that document `id` is written to, as a relative reference.
pub(super) fn file_of(id: &str) -> String {
    format!("{}.xml", address::tei(id))
}
