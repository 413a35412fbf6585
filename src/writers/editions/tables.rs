//! Texts, segments, links and beads as tables: columns, rows, and files of them with tabs.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::Value;

use super::Edition;
use super::formats::{EditionFile, Format};
use crate::corpus::refs::{Catalogue, CitedPlace, Reference, Wanted};
use crate::model::{Bead, Document};
use crate::reading::{Leaves, marked_names};
use crate::source::Span;
use crate::text::cell::escaped;

/// Receives the rows of a table, one by one.
pub type TakeRow<'t> = &'t mut dyn FnMut(&[Cell<'_>]) -> io::Result<()>;

/// One of the tables.
pub struct EditionTable {
    /// Name of its file.
    pub name: &'static str,
    /// Its columns, with `:number` or `:share` after those that are not text.
    columns: &'static str,
    rows: fn(&Edition, &Catalogue<'_>, TakeRow<'_>) -> io::Result<()>,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct TableColumn {
    /// Its name.
    pub name: &'static str,
    /// Its type; TSV and JSON do not need it.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    pub kind: ColumnKind,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text.
    Text,
    /// A whole number.
    Number,
    /// A probability.
    Share,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Text, or none.
    Text(Option<Cow<'a, str>>),
    /// A whole number, or none.
    Number(Option<usize>),
    /// A probability.
    Share(f64),
}

impl Cell<'_> {
    /// Owned text.
    #[cfg(feature = "parquet")]
    pub fn to_owned_cell(&self) -> Cell<'static> {
        match self {
            Cell::Text(w) => Cell::Text(w.as_ref().map(|w| Cow::Owned(w.to_string()))),
            Cell::Number(n) => Cell::Number(*n),
            Cell::Share(p) => Cell::Share(*p),
        }
    }

    /// The cell as JSON.
    pub fn json(&self) -> Value {
        match self {
            Cell::Text(w) => w.as_deref().into(),
            Cell::Number(n) => (*n).into(),
            Cell::Share(p) => (*p).into(),
        }
    }
}

const TEXTS: &str = "text title work chapter number:number siglum language by edition editors date \
    origin rights file sha256 collection collection_editors collection_date \
    licence";
const SEGMENTS: &str =
    "text id layer locus start:number end:number cert:share by evidence words leaf";
const LINKS: &str = "text n:number kind status cert:share layer locus start:number end:number words \
    work target_text target_locus target_start:number target_end:number \
    target_words evidence";
const BEADS: &str = "text translation_text n:number cert:share start:number end:number \
    translation_start:number translation_end:number words translation evidence";
const NAMES: &str = "text kind locus layer start:number end:number words ids";

/// All tables.
pub static TABLES: [EditionTable; 5] = [
    EditionTable { name: "texts", columns: TEXTS, rows: text_rows },
    EditionTable { name: "segments", columns: SEGMENTS, rows: segment_rows },
    EditionTable { name: "links", columns: LINKS, rows: link_rows },
    EditionTable { name: "beads", columns: BEADS, rows: bead_rows },
    EditionTable { name: "names", columns: NAMES, rows: name_rows },
];

impl EditionTable {
    /// What a row is.
    pub fn singular(&self) -> &'static str {
        self.name.trim_end_matches('s')
    }

    /// Its columns.
    pub fn columns(&self) -> impl Iterator<Item = TableColumn> {
        self.columns.split(' ').map(|column| match column.split_once(':') {
            None => TableColumn { name: column, kind: ColumnKind::Text },
            Some((name, "number")) => TableColumn { name, kind: ColumnKind::Number },
            Some((name, _)) => TableColumn { name, kind: ColumnKind::Share },
        })
    }

    /// Passes all rows to `take`, in the order of the texts and within them of the source.
    ///
    /// # Errors
    /// When `take` fails.
    pub fn rows(&self, edition: &Edition, take: TakeRow<'_>) -> io::Result<()> {
        (self.rows)(edition, &Catalogue::of(&edition.library), take)
    }
}

fn text_rows(edition: &Edition, _: &Catalogue<'_>, take: TakeRow<'_>) -> io::Result<()> {
    edition.documents().try_for_each(|d| take(&text(edition, d)))
}

fn segment_rows(edition: &Edition, loci: &Catalogue<'_>, take: TakeRow<'_>) -> io::Result<()> {
    edition.documents().try_for_each(|d| segments(d, loci, take))
}

fn link_rows(edition: &Edition, loci: &Catalogue<'_>, take: TakeRow<'_>) -> io::Result<()> {
    let references = loci.references(&edition.ids, &Wanted::default());
    references.iter().try_for_each(|r| take(&link(r)))
}

fn bead_rows(edition: &Edition, _: &Catalogue<'_>, take: TakeRow<'_>) -> io::Result<()> {
    edition.alignments().filter_map(|a| Some((a, edition.sides(a)?))).try_for_each(
        |(alignment, (source, translation))| {
            let mut beads = (1..).zip(&alignment.beads);
            beads.try_for_each(|(n, b)| take(&bead(n, b, source, translation)))
        },
    )
}

/// The names that the sources mark.
fn name_rows(edition: &Edition, catalogue: &Catalogue<'_>, take: TakeRow<'_>) -> io::Result<()> {
    for d in edition.documents() {
        let loci = catalogue.get(&d.id);
        for name in marked_names(d) {
            let layer = d.segment_at(name.span.start()).map(|i| d.segments[i].layer.id());
            let [start, end] = span(d, Some(name.span));
            take(&[
                some(&*d.id),
                some(name.kind.id()),
                Cell::Text(loci.and_then(|l| l.name(name.span)).map(|l| l.to_string().into())),
                Cell::Text(layer.map(Into::into)),
                start,
                end,
                some(name.words),
                Cell::Text((!name.ids.is_empty()).then(|| name.ids.join(" ").into())),
            ])?;
        }
    }
    Ok(())
}

fn some<'a>(text: impl Into<Cow<'a, str>>) -> Cell<'a> {
    Cell::Text(Some(text.into()))
}

fn span(document: &Document, span: Option<Span>) -> [Cell<'static>; 2] {
    let source = &document.source;
    [span.map(|s| source.char_of(s.start())), span.map(|s| source.char_of(s.end()))]
        .map(Cell::Number)
}

fn evidence(all: &[crate::model::Evidence]) -> Cell<'static> {
    some(crate::writers::codes(all))
}

fn text<'a>(edition: &'a Edition, d: &'a Document) -> [Cell<'a>; 19] {
    let (meta, about) = (&d.meta, &edition.about);
    let maybe = |words: &'a Option<String>| Cell::Text(words.as_deref().map(Cow::Borrowed));
    let list = |all: Vec<&str>| Cell::Text((!all.is_empty()).then(|| all.join("; ").into()));
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

fn segments(d: &Document, catalogue: &Catalogue<'_>, take: TakeRow<'_>) -> io::Result<()> {
    let loci = catalogue.get(&d.id);
    let leaves = Leaves::of(d).at_text(d);
    for s in d.segments.iter().filter(|s| s.layer.is_text()) {
        let locus = loci.and_then(|l| l.name(s.span)).map(|l| Cow::Owned(l.to_string()));
        let [start, end] = span(d, Some(s.span));
        take(&[
            some(&*d.id),
            some(&*s.id),
            some(s.layer.id()),
            Cell::Text(locus),
            start,
            end,
            Cell::Share(s.certainty.rounded()),
            Cell::Text(d.meta.by(s.layer).map(|who| who.name.as_str().into())),
            evidence(&s.evidence),
            Cell::Text(Some(d.words(s.span))),
            Cell::Text(leaves.at(s.span.start()).map(|leaf| leaf.name().into())),
        ])?;
    }
    Ok(())
}

fn link<'a>(r: &Reference<'a>) -> [Cell<'a>; 17] {
    let (from, link) = (&r.from, r.link);
    let locus = |p: Option<&CitedPlace<'_>>| {
        Cell::Text(p.and_then(|p| p.locus.as_ref()).map(|l| l.to_string().into()))
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
        Cell::Text(Some(from.document.words(from.span))),
        Cell::Text(link.work.as_deref().map(Into::into)),
        Cell::Text(to.map(|p| p.document.id.as_str().into())),
        locus(to),
        to_start,
        to_end,
        Cell::Text(to.map(|p| p.document.words(p.span))),
        evidence(&link.evidence),
    ]
}

fn bead<'a>(n: usize, b: &Bead, source: &'a Document, translation: &'a Document) -> [Cell<'a>; 11] {
    let around = |spans: &[Span]| Some(Span::new(spans.first()?.start(), spans.last()?.end()));
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
        some(source.line_of(&b.source)),
        some(translation.line_of(&b.translation)),
        evidence(&b.evidence),
    ]
}

pub(super) const FORMAT: Format = Format {
    name: "tsv",
    extension: "tsv",
    about: "tables: texts.tsv, segments.tsv, links.tsv, beads.tsv, names.tsv",
    files,
    write,
    ..Format::PLAIN
};

/// A file for each table.
pub(super) fn files(_: &Edition) -> Vec<EditionFile> {
    let file = |(which, t): (usize, &EditionTable)| EditionFile { name: t.name.into(), which };
    TABLES.iter().enumerate().map(file).collect()
}

/// Writes a table with tabs between its cells. In text, tabs, line ends and backslashes are written
/// `\t`, `\n`, `\r`, `\\`. A backslash also comes before a first character that would make a
/// spreadsheet calculate (`=`, `+`, `-`, `@`).
pub(super) fn write(edition: &Edition, which: usize, out: &mut dyn Write) -> io::Result<()> {
    let table = &TABLES[which];
    let names: Vec<_> = table.columns().map(|c| c.name).collect();
    writeln!(out, "{}", names.join("\t"))?;
    table.rows(edition, &mut |row| {
        let cells: Vec<String> = row.iter().map(cell).collect();
        writeln!(out, "{}", cells.join("\t"))
    })
}

fn cell(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Text(w) => escaped(w.as_deref().unwrap_or_default()),
        Cell::Number(n) => n.map(|n| n.to_string()).unwrap_or_default(),
        Cell::Share(p) => p.to_string(),
    }
}
