//! Writes a document as JSON for other programs (`schema/zhushu.schema.json` describes it).
//!
//! One object, with each span, link or diagnostic on its own line, so that two runs can be compared
//! with `diff`. Offsets are code points of the document's own text; [`Source::char_of`] converts
//! them in constant time, so writing is linear and needs memory only for the current line. The
//! target of a link is named by the file name of its document. The locus of
//! a link is found by its start.

mod links;
mod meta;
mod names;
mod source;
mod spans;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use rustc_hash::FxHashSet;
use serde::Serialize;
use serde_json::Number;

use crate::corpus::loci::{CitableUnit, urn_of};
use crate::corpus::{Library, Loci};
use crate::diag::Diagnostic;
use crate::model::{
    ApparatusEntry, Certainty, Division, Document, Evidence, Header, HeaderPart, Reading,
    SuppliedMark, Target,
};
use crate::reading::{Leaf, Leaves};
use crate::source::{Source, Span};
use links::{Reason, Reasons, link_json};
use meta::{TextJson, meta_json, text_json};
use names::names_json;
use source::source_json;
use spans::{span_json, speech_json};

/// Version of the format, its first key.
const FORMAT: &str = "zhushu/1";

/// Writes `document`; `library` has the documents that its links lead to.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(document: &Document, library: &Library, out: &mut dyn Write) -> io::Result<()> {
    write_book(&[document], library, out)
}

/// Writes the chapters of one file as one object. If there are several, `chapters` lists them, and
/// ids begin with the id of the chapter.
///
/// # Errors
/// When writing to `out` fails.
pub fn write_book(
    chapters: &[&Document],
    library: &Library,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(first) = chapters.first() else { return Ok(()) };
    let reasons = &Reasons::of(chapters);
    let of_book = chapters.len() > 1;
    let all: Vec<LibraryLoci<'_>> =
        chapters.iter().map(|d| LibraryLoci::new(d, library, (of_book, reasons))).collect();
    write!(out, "{{\n\"format\": {FORMAT:?},\n\"source\": ")?;
    item(out, &source_json(chapters))?;
    write!(out, ",\n\"document\": ")?;
    item(out, &meta_json(first, chapters))?;
    if chapters.len() > 1 {
        list(out, "chapters", chapters.iter().map(|d| chapter_json(d)))?;
    }
    write!(out, ",\n\"urn\": ")?;
    item(out, &all[0].here.urn())?;
    // Chapter by chapter, each list with the source and loci of its chapter.
    macro_rules! lists {
        ($( $key:literal, $field:ident, $make:expr; )*) => { $(
            list(out, $key, all.iter().flat_map(|loci| {
                let (d, make) = (loci.document, $make);
                d.$field.iter().map(move |x| make(loci, &*d.source, x))
            }))?;
        )* };
    }
    lists! {
        "spans", segments, |l: &LibraryLoci<'_>, s, x| span_json(l, s, x);
        "marks", marks, |_: &LibraryLoci<'_>, s, x: &Span| chars(s, *x);
    }
    list(out, "reasons", reasons.all.iter())?;
    lists! {
        "links", links, |l, _: &Source, x| link_json(l, x);
        "speeches", speeches, |_: &LibraryLoci<'_>, s, x| speech_json(s, x);
    }
    let units = |l: &'_ LibraryLoci<'_>| {
        let s = &*l.document.source;
        l.here.units().filter_map(|u| locus_json(&l.here, s, u)).collect::<Vec<_>>()
    };
    list(out, "loci", all.iter().flat_map(units))?;
    let mut leaves = chapters.iter().flat_map(|d| leaves_json(d)).peekable();
    if leaves.peek().is_some() {
        list(out, "leaves", leaves)?;
    }
    let supplied = chapters.iter().flat_map(|d| d.supplied.iter().map(move |m| (d, m)));
    let mut supplied = supplied.map(|(d, mark)| supplied_json(d, mark)).peekable();
    if supplied.peek().is_some() {
        list(out, "supplied", supplied)?;
    }
    let mut names = chapters.iter().flat_map(|d| names_json(d)).peekable();
    if names.peek().is_some() {
        list(out, "names", names)?;
    }
    lists! {
        "headers", headers, |_: &LibraryLoci<'_>, s, x| header_json(s, x);
        "divisions", divisions, |_: &LibraryLoci<'_>, s, x| division_json(s, x);
        "readings", readings, |_: &LibraryLoci<'_>, s, x| reading_json(s, x);
        "apparatus", apparatus, |l, _: &Source, x| entry_json(l, x);
        "diagnostics", diagnostics, |_: &LibraryLoci<'_>, s, x| diagnostic_json(s, x);
    }
    out.write_all(b"\n}\n")
}

fn item(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(out, value).map_err(io::Error::from)
}

fn list<T: Serialize>(
    out: &mut dyn Write,
    key: &str,
    items: impl Iterator<Item = T>,
) -> io::Result<()> {
    write!(out, ",\n{key:?}: [")?;
    super::json_items(out, items)?;
    out.write_all(b"]")
}

/// The leaves of the print, each with its first character.
fn leaves_json(d: &Document) -> Vec<LeafJson> {
    let leaves = Leaves::of(d).at_text(d);
    let json = |leaf: &Leaf| LeafJson {
        start: d.source.file_char_of(leaf.at),
        edition: leaf.edition.clone(),
        n: leaf.number.clone(),
        image: leaf.image(&d.meta).map(|image| image.address),
    };
    leaves.all().iter().map(json).collect()
}

#[derive(Serialize)]
struct LeafJson {
    start: usize,
    edition: Option<String>,
    n: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<String>,
}

/// A chapter of a file: what it is, and where it is.
#[derive(Serialize)]
struct ChapterJson<'a> {
    #[serde(flatten)]
    text: TextJson<'a>,
    urn: String,
    #[serde(flatten)]
    at: Offsets,
}

fn chapter_json(d: &Document) -> ChapterJson<'_> {
    ChapterJson { text: text_json(d), urn: urn_of(d), at: offsets(&d.source, d.source.span()) }
}

/// Start and end in code points.
fn chars(source: &Source, span: Span) -> (usize, usize) {
    (source.file_char_of(span.start()), source.file_char_of(span.end()))
}

/// Start and end as two keys.
#[derive(Serialize)]
struct Offsets {
    start: usize,
    end: usize,
}

fn offsets(source: &Source, span: Span) -> Offsets {
    let (start, end) = chars(source, span);
    Offsets { start, end }
}

/// A certainty; a full one is 1, not 1.0.
fn number(certainty: Certainty) -> Number {
    let full = certainty == Certainty::SURE;
    let exact = Number::from_f64(certainty.rounded()).filter(|_| !full);
    exact.unwrap_or_else(|| 1.into())
}

/// Certainty and evidence, the same for everything inferred but links, of which there are many.
#[derive(Serialize)]
struct InferenceJson<'a> {
    #[serde(rename = "cert")]
    certainty: Number,
    #[serde(flatten)]
    reason: Reason<'a>,
}

fn inference(certainty: Certainty, evidence: &[Evidence]) -> InferenceJson<'_> {
    InferenceJson { certainty: number(certainty), reason: Reason::of(evidence) }
}

#[derive(Serialize)]
struct TargetJson<'a> {
    path: Cow<'a, str>,
    #[serde(flatten)]
    at: Offsets,
    id: Option<Cow<'a, str>>,
    locus: Option<String>,
    /// It is in the user's own library.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    library: bool,
}

/// The loci of the document, and the others of its library.
struct LibraryLoci<'a> {
    document: &'a Document,
    /// The document is one of several chapters of its file.
    of_book: bool,
    reasons: &'a Reasons<'a>,
    here: Loci<'a>,
    /// Those that it links to.
    others: HashMap<&'a str, &'a Document>,
}

impl<'a> LibraryLoci<'a> {
    fn new(
        document: &'a Document,
        library: &'a Library,
        (of_book, reasons): (bool, &'a Reasons<'a>),
    ) -> Self {
        let targets = document.links.iter().flat_map(|l| l.target.iter().chain(&l.alternatives));
        let linked: FxHashSet<&str> = targets.filter_map(|t| t.doc.as_deref()).collect();
        let others = library.all().filter(|d| linked.contains(d.id.as_str()));
        let others = others.map(|d| (d.id.as_str(), &**d)).collect();
        LibraryLoci { document, of_book, reasons, here: Loci::of(document), others }
    }

    /// Id of a segment; in a file of several chapters with the id of its chapter before it.
    fn id<'s>(&self, document: &Document, id: &'s str) -> Cow<'s, str> {
        match self.of_book && document.source.file_part().is_some() {
            true => format!("{}.{id}", document.id).into(),
            false => id.into(),
        }
    }

    /// The document of a target, and the locus there; `None` if it is not in the library. To
    /// compute all loci of each text that is cited would take most of the time of a large library.
    fn get(&self, target: &Target) -> Option<(&'a Document, Option<String>)> {
        match target.doc.as_deref() {
            Some(id) if id != self.document.id => {
                let other: &Document = self.others.get(id)?;
                Some((other, name(&Loci::around(other, target.span), target.span)))
            }
            _ => Some((self.document, name(&self.here, target.span))),
        }
    }
}

fn name(loci: &Loci<'_>, span: Span) -> Option<String> {
    loci.name(span).map(|l| l.to_string())
}

/// Locus, layer, start and end: a list, as there are so many.
type LocusJson = (String, &'static str, usize, usize);

fn locus_json(loci: &Loci<'_>, source: &Source, unit: CitableUnit) -> Option<LocusJson> {
    let (start, end) = chars(source, unit.span);
    Some((name(loci, unit.span)?, unit.layer.id(), start, end))
}

/// A place in its own document; `None` if that document is not in the library.
fn target_json<'a>(loci: &LibraryLoci<'a>, t: &Target) -> Option<TargetJson<'a>> {
    let (d, locus) = loci.get(t)?;
    let id = d.segment_at(t.span.start()).map(|i| loci.id(d, &d.segments[i].id));
    Some(TargetJson {
        path: d.source.name(),
        at: offsets(&d.source, t.span),
        id,
        locus,
        library: Library::is_beside(&d.id),
    })
}

#[derive(Serialize)]
struct HeaderJson {
    #[serde(flatten)]
    at: Offsets,
    parts: Vec<PartJson>,
}

#[derive(Serialize)]
struct PartJson {
    layer: &'static str,
    #[serde(flatten)]
    at: Offsets,
    from: (usize, usize),
    to: Option<(usize, usize)>,
}

fn header_json(source: &Source, h: &Header) -> HeaderJson {
    let part = |p: &HeaderPart| PartJson {
        layer: p.layer.id(),
        at: offsets(source, p.span),
        from: chars(source, p.from),
        to: p.to.map(|t| chars(source, t)),
    };
    HeaderJson { at: offsets(source, h.span), parts: h.parts.iter().map(part).collect() }
}

#[derive(Serialize)]
struct DivisionJson<'a> {
    n: u32,
    title: Option<&'a str>,
    #[serde(flatten)]
    at: Offsets,
    #[serde(flatten)]
    inference: InferenceJson<'a>,
}

fn division_json<'a>(source: &Source, d: &'a Division) -> DivisionJson<'a> {
    DivisionJson {
        n: d.n,
        title: d.title.as_deref(),
        at: offsets(source, d.span),
        inference: inference(d.certainty, &d.evidence),
    }
}

#[derive(Serialize)]
struct ReadingJson<'a> {
    kind: &'static str,
    #[serde(flatten)]
    at: Offsets,
    text: &'a str,
    reading: &'a str,
    #[serde(flatten)]
    inference: InferenceJson<'a>,
}

fn reading_json<'a>(source: &'a Source, r: &'a Reading) -> ReadingJson<'a> {
    ReadingJson {
        kind: r.kind.id(),
        at: offsets(source, r.span),
        text: source.slice(r.span),
        reading: &r.reading,
        inference: inference(r.certainty, &r.evidence),
    }
}

#[derive(Serialize)]
struct SuppliedJson<'a> {
    start: usize,
    words: &'a str,
    #[serde(flatten)]
    inference: InferenceJson<'a>,
}

fn supplied_json<'a>(document: &'a Document, mark: &'a SuppliedMark) -> SuppliedJson<'a> {
    let evidence = std::slice::from_ref(&mark.evidence);
    SuppliedJson {
        start: offsets(&document.source, Span::new(mark.at, mark.at)).start,
        words: &mark.words,
        inference: inference(mark.certainty, evidence),
    }
}

#[derive(Serialize)]
struct EntryJson<'a> {
    witness: &'a str,
    difference: &'static str,
    #[serde(flatten)]
    at: Offsets,
    text: Cow<'a, str>,
    locus: Option<String>,
    named: Option<(usize, usize)>,
    reading: Option<Cow<'a, str>>,
    support: &'a [String],
    lemma: Option<TargetJson<'a>>,
    lemma_text: Option<Cow<'a, str>>,
    status: &'static str,
    #[serde(flatten)]
    inference: InferenceJson<'a>,
}

fn entry_json<'a>(loci: &LibraryLoci<'a>, e: &'a ApparatusEntry) -> EntryJson<'a> {
    let document = loci.document;
    EntryJson {
        witness: &e.witness,
        difference: e.difference.id(),
        at: offsets(&document.source, e.span),
        text: document.words(e.span),
        locus: name(&loci.here, e.span),
        named: e.named.map(|n| chars(&document.source, n)),
        reading: e.reading.map(|r| document.words(r)),
        support: &e.support,
        lemma: e.lemma.and_then(|span| target_json(loci, &Target { doc: None, span })),
        lemma_text: e.lemma.map(|l| document.words(l)),
        status: e.status.id(),
        inference: inference(e.certainty, &e.evidence),
    }
}

#[derive(Serialize)]
struct DiagnosticJson<'a> {
    severity: &'static str,
    code: &'a str,
    start: Option<usize>,
    end: Option<usize>,
    message: &'a str,
    hint: Option<&'a str>,
}

fn diagnostic_json<'a>(source: &Source, d: &'a Diagnostic) -> DiagnosticJson<'a> {
    let (start, end) = d.span.map(|s| chars(source, s)).unzip();
    DiagnosticJson {
        severity: d.severity.as_str(),
        code: &d.code,
        start,
        end,
        message: &d.message,
        hint: d.hint.as_deref(),
    }
}
