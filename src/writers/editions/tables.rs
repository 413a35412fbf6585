//! Texts, segments, links and beads as tables: their columns, their rows, and tab-separated files
//! of them.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::Value;

use super::{Edition, Part};
use crate::corpus::refs::{Catalogue, Place, Reference, Wanted};
use crate::model::{Bead, Document};
use crate::source::Span;

/// One of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// A text a row: what is known of its source and of the whole.
    Texts,
    /// A segment a row.
    Segments,
    /// A reference a row.
    Links,
    /// A pair of classic and translation a row.
    Beads,
}

/// A column, and whether it holds words, whole numbers or probabilities.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds; TSV and JSON do not ask.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    pub kind: Kind,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    Words,
    /// A whole number.
    Number,
    /// A probability.
    Share,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Words, or none.
    Words(Option<Cow<'a, str>>),
    /// A whole number, or none.
    Number(Option<usize>),
    /// A probability.
    Share(f64),
}

impl Cell<'_> {
    /// The same with words of its own.
    #[cfg(feature = "parquet")]
    pub fn to_owned_cell(&self) -> Cell<'static> {
        match self {
            Cell::Words(w) => Cell::Words(w.as_ref().map(|w| Cow::Owned(w.to_string()))),
            Cell::Number(n) => Cell::Number(*n),
            Cell::Share(p) => Cell::Share(*p),
        }
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        match self {
            Cell::Words(w) => w.as_deref().into(),
            Cell::Number(n) => (*n).into(),
            Cell::Share(p) => (*p).into(),
        }
    }
}

const fn words(name: &'static str) -> Column {
    Column { name, kind: Kind::Words }
}
const fn number(name: &'static str) -> Column {
    Column { name, kind: Kind::Number }
}
const CERT: Column = Column { name: "cert", kind: Kind::Share };

const TEXTS: &[Column] = &[
    words("text"),
    words("title"),
    words("work"),
    words("chapter"),
    number("number"),
    words("siglum"),
    words("language"),
    words("by"),
    words("edition"),
    words("editors"),
    words("date"),
    words("origin"),
    words("rights"),
    words("file"),
    words("sha256"),
    words("collection"),
    words("collection_editors"),
    words("collection_date"),
    words("licence"),
];
const SEGMENTS: &[Column] = &[
    words("text"),
    words("id"),
    words("layer"),
    words("locus"),
    number("start"),
    number("end"),
    CERT,
    words("by"),
    words("evidence"),
    words("words"),
];
const LINKS: &[Column] = &[
    words("text"),
    number("n"),
    words("kind"),
    words("status"),
    CERT,
    words("layer"),
    words("locus"),
    number("start"),
    number("end"),
    words("words"),
    words("work"),
    words("target_text"),
    words("target_locus"),
    number("target_start"),
    number("target_end"),
    words("target_words"),
    words("evidence"),
];
const BEADS: &[Column] = &[
    words("text"),
    words("translation_text"),
    number("n"),
    CERT,
    number("start"),
    number("end"),
    number("translation_start"),
    number("translation_end"),
    words("words"),
    words("translation"),
    words("evidence"),
];

impl Table {
    /// All of them.
    pub const ALL: [Table; 4] = [Table::Texts, Table::Segments, Table::Links, Table::Beads];

    /// Name of its file.
    pub fn name(self) -> &'static str {
        match self {
            Table::Texts => "texts",
            Table::Segments => "segments",
            Table::Links => "links",
            Table::Beads => "beads",
        }
    }

    /// What a row is.
    pub fn singular(self) -> &'static str {
        self.name().trim_end_matches('s')
    }

    /// Its columns.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Table::Texts => TEXTS,
            Table::Segments => SEGMENTS,
            Table::Links => LINKS,
            Table::Beads => BEADS,
        }
    }
}

/// Gives all rows of a table to `take`, in the order of texts and words.
///
/// # Errors
/// Those of `take`.
pub fn rows(
    edition: &Edition,
    table: Table,
    take: &mut dyn FnMut(&[Cell<'_>]) -> io::Result<()>,
) -> io::Result<()> {
    let catalogue = Catalogue::of(&edition.library);
    match table {
        Table::Texts => edition.documents().try_for_each(|d| take(&text(edition, d))),
        Table::Segments => edition.documents().try_for_each(|d| segments(d, &catalogue, take)),
        Table::Links => catalogue
            .references(&edition.ids, &Wanted::default())
            .iter()
            .try_for_each(|r| take(&link(r))),
        Table::Beads => edition.alignments().try_for_each(|a| {
            let (Some(source), Some(translation)) =
                (edition.library.get(&a.source), edition.library.get(&a.translation))
            else {
                return Ok(());
            };
            a.beads
                .iter()
                .enumerate()
                .try_for_each(|(n, b)| take(&bead(n + 1, b, source, translation)))
        }),
    }
}

fn some<'a>(words: impl Into<Cow<'a, str>>) -> Cell<'a> {
    Cell::Words(Some(words.into()))
}

fn span(document: &Document, span: Option<Span>) -> [Cell<'static>; 2] {
    let source = &document.source;
    [span.map(|s| source.char_of(s.start())), span.map(|s| source.char_of(s.end()))]
        .map(Cell::Number)
}

fn evidence(all: &[crate::model::Evidence]) -> Cell<'static> {
    some(all.iter().map(|e| e.code).collect::<Vec<_>>().join(" "))
}

fn text<'a>(edition: &'a Edition, d: &'a Document) -> [Cell<'a>; 19] {
    let (meta, about) = (&d.meta, &edition.about);
    let maybe = |words: &'a Option<String>| Cell::Words(words.as_deref().map(Cow::Borrowed));
    let list = |all: Vec<&str>| Cell::Words((!all.is_empty()).then(|| all.join("; ").into()));
    let by: Vec<String> =
        meta.layers.iter().map(|(layer, who)| format!("{} {}", layer.id(), who.name)).collect();
    [
        some(&*d.id),
        some(&*meta.title),
        maybe(&meta.work),
        maybe(&meta.chapter),
        Cell::Number(meta.number.map(|n| n as usize)),
        maybe(&meta.siglum),
        some(&*meta.language),
        list(by.iter().map(String::as_str).collect()),
        maybe(&meta.edition),
        list(meta.editors.iter().map(String::as_str).collect()),
        maybe(&meta.date),
        maybe(&meta.origin),
        maybe(&meta.rights),
        some(d.source.name()),
        some(d.source.sha256()),
        some(&*about.title),
        list(about.editors.iter().map(String::as_str).collect()),
        some(about.date.to_string()),
        maybe(&about.licence),
    ]
}

fn segments(
    d: &Document,
    catalogue: &Catalogue<'_>,
    take: &mut dyn FnMut(&[Cell<'_>]) -> io::Result<()>,
) -> io::Result<()> {
    let loci = catalogue.get(&d.id);
    for s in d.segments.iter().filter(|s| s.layer.is_text()) {
        let locus = loci.and_then(|l| l.name(s.span)).map(|l| Cow::Owned(l.to_string()));
        let [start, end] = span(d, Some(s.span));
        take(&[
            some(&*d.id),
            some(&*s.id),
            some(s.layer.id()),
            Cell::Words(locus),
            start,
            end,
            Cell::Share(s.certainty.rounded()),
            Cell::Words(d.meta.by(s.layer).map(|who| who.name.as_str().into())),
            evidence(&s.evidence),
            some(d.slice(s.span)),
        ])?;
    }
    Ok(())
}

fn link<'a>(r: &Reference<'a>) -> [Cell<'a>; 17] {
    let (from, link) = (&r.from, r.link);
    let locus = |p: Option<&Place<'_>>| {
        Cell::Words(p.and_then(|p| p.locus.as_ref()).map(|l| l.to_string().into()))
    };
    let [start, end] = span(from.document, Some(from.span));
    let to = r.to.as_ref();
    let [to_start, to_end] =
        to.map_or([Cell::Number(None), Cell::Number(None)], |p| span(p.document, Some(p.span)));
    [
        some(&*from.document.id),
        Cell::Number(Some(r.n)),
        some(link.kind.id()),
        some(link.status.id()),
        Cell::Share(link.certainty.rounded()),
        some(link.layer.id()),
        locus(Some(from)),
        start,
        end,
        some(from.document.slice(from.span)),
        Cell::Words(link.work.as_deref().map(Into::into)),
        Cell::Words(to.map(|p| p.document.id.as_str().into())),
        locus(to),
        to_start,
        to_end,
        Cell::Words(to.map(|p| p.document.slice(p.span).into())),
        evidence(&link.evidence),
    ]
}

fn bead<'a>(n: usize, b: &Bead, source: &'a Document, translation: &'a Document) -> [Cell<'a>; 11] {
    let around = |spans: &[Span]| Some(Span::new(spans.first()?.start(), spans.last()?.end()));
    let text =
        |d: &Document, spans: &[Span]| -> String { spans.iter().map(|s| d.slice(*s)).collect() };
    let [start, end] = span(source, around(&b.source));
    let [to_start, to_end] = span(translation, around(&b.translation));
    [
        some(&*source.id),
        some(&*translation.id),
        Cell::Number(Some(n)),
        Cell::Share(b.certainty.rounded()),
        start,
        end,
        to_start,
        to_end,
        some(text(source, &b.source)),
        some(text(translation, &b.translation)),
        evidence(&b.evidence),
    ]
}

/// A file a table.
pub(super) fn parts(_: &Edition) -> Vec<Part> {
    Table::ALL.iter().enumerate().map(|(which, t)| Part { name: t.name().into(), which }).collect()
}

/// Writes a table tab-separated. In the words, tabs and line ends (and backslashes) stand as `\t`,
/// `\n`, `\r`, `\\`, and a backslash before a sign at the beginning that a spreadsheet would
/// calculate from (`=`, `+`, `-`, `@`).
///
/// # Errors
/// Those of `out`.
pub(super) fn write(edition: &Edition, which: usize, out: &mut dyn Write) -> io::Result<()> {
    let table = Table::ALL[which];
    let names: Vec<_> = table.columns().iter().map(|c| c.name).collect();
    writeln!(out, "{}", names.join("\t"))?;
    rows(edition, table, &mut |row| {
        let cells: Vec<String> = row.iter().map(cell).collect();
        writeln!(out, "{}", cells.join("\t"))
    })
}

fn cell(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Words(w) => {
            let w = w.as_deref().unwrap_or_default();
            let w = w
                .replace('\\', "\\\\")
                .replace('\t', "\\t")
                .replace('\n', "\\n")
                .replace('\r', "\\r");
            if w.starts_with(['=', '+', '-', '@']) { format!("\\{w}") } else { w }
        }
        Cell::Number(n) => n.map(|n| n.to_string()).unwrap_or_default(),
        Cell::Share(p) => p.to_string(),
    }
}
