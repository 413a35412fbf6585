//! The pages of a book: XHTML. Short sections share a page, a long section has several.

use std::io;
use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::markup::{Escaping, Markup};
use crate::model::{Document, Layer, LocusPath};
use crate::writers::editions::flow::{self, EditionBlock, EditionRun, EditionSection};
use crate::writers::editions::{Edition, tradition};

/// Most blocks on a page, since reading systems lay out a whole page at once.
const MAX_PAGE_BLOCKS: usize = 300;

/// Most blocks on a page that several sections share. A file for each section of a few sentences
/// would be smaller than what packing it costs: 837 files of 1 MB of text were packed in three
/// times the time, and to twice the size.
const MAX_SHARED_BLOCKS: usize = 100;

/// A page of the book.
pub(super) struct BookPage {
    /// Its name in the book.
    pub(super) file: String,
    /// What begins on it.
    pub(super) entries: Vec<BookEntry>,
    /// The leaves of the print that begin on it.
    pub(super) leaves: Vec<BookEntry>,
    /// Its XHTML.
    pub(super) bytes: Vec<u8>,
}

/// An entry of the contents.
pub(super) struct BookEntry {
    /// What it points at: `t1-2.xhtml#s3`.
    pub(super) href: String,
    /// Its words.
    pub(super) title: String,
}

/// A section or, of a long one, a part.
struct SectionPart<'a> {
    section: &'a EditionSection<'a>,
    /// The place of the section in the document, from 1.
    s: usize,
    /// The part of the section, from 1.
    part: usize,
    blocks: &'a [EditionBlock<'a>],
}

impl SectionPart<'_> {
    fn file(&self, n: usize) -> String {
        match self.part {
            1 => format!("t{n}-{}.xhtml", self.s),
            part => format!("t{n}-{}-{part}.xhtml", self.s),
        }
    }

    fn name(&self) -> String {
        let unnumbered = if self.s == 1 { "卷首" } else { "餘" };
        name(self.section).unwrap_or_else(|| unnumbered.into())
    }
}

/// The pages of the `n`th document.
pub(super) fn pages(edition: &Edition, document: &Document, n: usize) -> io::Result<Vec<BookPage>> {
    let sections = edition.sections(document);
    let parts: Vec<SectionPart<'_>> = sections.iter().zip(1..).flat_map(parts).collect();
    let mut pages = vec![];
    for parts in pages_of(&parts) {
        let Some(first) = parts.first() else { continue };
        let file = first.file(n);
        let title = format!("{} {}", document.meta.title, first.name());
        let mut leaves = vec![];
        let bytes = page(document, &title, |h| {
            let (ids, notes) = Default::default();
            let mut writer = Blocks { h, edition, document, ids, notes, first: 0, leaves: vec![] };
            parts.iter().for_each(|part| writer.part(part));
            leaves = writer.leaves;
        })?;
        let leaf = |(n, name): (usize, &str)| BookEntry {
            href: format!("{file}#leaf{n}"),
            title: name.to_string(),
        };
        let leaves = (1..).zip(leaves).map(leaf).collect();
        let begins = parts.iter().filter(|p| p.part == 1);
        let entry =
            |p: &SectionPart<'_>| BookEntry { href: format!("{file}#s{}", p.s), title: p.name() };
        pages.push(BookPage { entries: begins.map(entry).collect(), leaves, file, bytes });
    }
    let entries = edition.apparatus(document);
    if !entries.is_empty() || pages.is_empty() {
        let title = "校勘".to_string();
        let bytes = page(document, &format!("{} {title}", document.meta.title), |h| {
            h.element("h2", &title).line();
            apparatus(h, &entries);
        })?;
        let file = format!("t{n}-app.xhtml");
        pages.push(BookPage {
            entries: vec![BookEntry { href: file.clone(), title }],
            leaves: vec![],
            file,
            bytes,
        });
    }
    Ok(pages)
}

/// The parts of the `s`th section.
fn parts<'a>(
    (section, s): (&'a EditionSection<'a>, usize),
) -> impl Iterator<Item = SectionPart<'a>> {
    let parts = section.blocks.chunks(MAX_PAGE_BLOCKS).zip(1..);
    parts.map(move |(blocks, part)| SectionPart { section, s, part, blocks })
}

/// Consecutive parts that share a page.
fn pages_of<'p, 'a>(parts: &'p [SectionPart<'a>]) -> impl Iterator<Item = &'p [SectionPart<'a>]> {
    let mut blocks = 0;
    parts.chunk_by(move |before, next| {
        blocks += before.blocks.len();
        let shared = blocks + next.blocks.len() <= MAX_SHARED_BLOCKS;
        if !shared {
            blocks = 0;
        }
        shared
    })
}

fn name(section: &EditionSection<'_>) -> Option<String> {
    let n = section.number?;
    Some(section.title.as_ref().map_or(n.to_string(), |t| format!("{n} {t}")))
}

/// A page with the content that `body` writes.
fn page(
    document: &Document,
    title: &str,
    body: impl FnOnce(&mut Markup<'_>),
) -> io::Result<Vec<u8>> {
    xhtml(&document.meta.language, title, body)
}

/// An XHTML file of the book.
pub(super) fn xhtml(
    language: &str,
    title: &str,
    body: impl FnOnce(&mut Markup<'_>),
) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    let mut h = Markup::xml(&mut bytes, Escaping::Html);
    h.verbatim("<!DOCTYPE html>\n");
    h.open("html").attr("xmlns", "http://www.w3.org/1999/xhtml");
    h.attr("xmlns:epub", "http://www.idpf.org/2007/ops");
    if !language.is_empty() {
        h.attr("lang", language).attr("xml:lang", language);
    }
    h.open("head").void("meta").attr("charset", "UTF-8").element("title", title);
    h.void("link");
    h.attr("rel", "stylesheet").attr("type", "text/css").attr("href", "style.css").close().line();
    h.open("body").line();
    body(&mut h);
    h.close().close().line();
    h.finish()?;
    Ok(bytes)
}

/// Writes the parts of a page. Notes are numbered through the page and follow the part that they
/// belong to.
struct Blocks<'a, 'w, 'h> {
    h: &'h mut Markup<'w>,
    edition: &'a Edition,
    document: &'a Document,
    ids: FxHashSet<LocusPath>,
    /// Notes of this part.
    notes: Vec<&'a EditionRun<'a>>,
    /// How many notes the parts before have.
    first: usize,
    /// The names of the leaves that have begun.
    leaves: Vec<&'a str>,
}

impl<'a> Blocks<'a, '_, '_> {
    fn part(&mut self, part: &SectionPart<'a>) {
        self.h.open("section");
        if part.part == 1 {
            self.h.attr("id", format_args!("s{}", part.s)).line();
            self.head(part);
        }
        part.blocks.iter().for_each(|b| self.block(b));
        self.footnotes();
        self.h.close().line();
    }

    fn head(&mut self, part: &SectionPart<'_>) {
        if part.s == 1 {
            self.h.open("h1").words(&self.document.meta.title).close().line();
        }
        if let Some(n) = part.section.number {
            self.h.open("h2").open("span").attr("class", "n").text(n).close().text(" ");
            self.h.words(part.section.title.unwrap_or_default()).close().line();
        }
    }

    fn block(&mut self, block: &'a EditionBlock<'a>) {
        match block {
            EditionBlock::Heading(words) => self.paragraph("h3", None, |b| b.words(words)),
            EditionBlock::Label(words) => {
                self.paragraph("p", Some("section-label"), |b| b.words(words))
            }
            EditionBlock::Other(words) => {
                self.paragraph("p", Some("other-text"), |b| b.words(words))
            }
            EditionBlock::Translation(words) => self.paragraph("p", Some("translation"), |b| {
                b.h.attr("lang", "zh").open("b").attr("class", "layer-label");
                b.h.plain(Layer::Translation.zh()).close();
                b.words(words);
            }),
            EditionBlock::Text(runs) => {
                let class = tradition(runs).map(|layer| format!("text layer-{}", layer.id()));
                self.paragraph("p", Some(class.as_deref().unwrap_or("text")), |b| b.runs(runs));
            }
            EditionBlock::Said { layer, header, runs } => {
                let class = format!("said layer-{}", layer.id());
                self.paragraph("p", Some(&class), |b| {
                    b.h.open("b").attr("class", "layer-label").plain(layer.zh()).close();
                    if let Some(header) = header {
                        b.h.open("cite");
                        b.words(header);
                        b.h.close();
                    }
                    b.runs(runs);
                });
            }
        }
    }

    fn paragraph(
        &mut self,
        tag: &'static str,
        class: Option<&str>,
        inside: impl FnOnce(&mut Self),
    ) {
        self.h.open(tag).maybe("class", class);
        inside(self);
        self.h.close().line();
    }

    fn words(&mut self, words: &str) {
        self.h.words(words);
    }

    fn runs(&mut self, runs: &'a [EditionRun<'a>]) {
        let alone = runs.iter().all(EditionRun::is_note);
        for run in runs {
            if run.is_note() && !alone {
                self.notes.push(run);
                self.reference(run.layer, self.first + self.notes.len());
                continue;
            }
            self.h.open("span");
            // The part of a locus after work and chapter is an XML id: digits, Latin letters, full
            // stops.
            if let Some(path) = run.path.filter(|path| self.ids.insert(*path)) {
                self.h.attr("id", format_args!("p.{path}"));
            }
            if let Some(n) = run.number.filter(|_| self.edition.layout.numbers) {
                self.h.open("sup").attributes(" class=\"n\"").text(n).close();
            }
            self.leafed(run, 0..run.words.len());
            self.h.close();
        }
    }

    /// Some of the words of a run, with the leaves that begin in it.
    fn leafed(&mut self, run: &'a EditionRun<'a>, range: Range<usize>) {
        let mut from = range.start;
        for (at, name) in &run.leaves {
            let at = (*at).clamp(from, range.end);
            self.words(&run.words[from..at]);
            self.leaves.push(name);
            self.h.open("span").attributes(" epub:type=\"pagebreak\" role=\"doc-pagebreak\"");
            self.h.attr("id", format_args!("leaf{}", self.leaves.len()));
            self.h.attr("aria-label", name).close();
            from = at;
        }
        self.words(&run.words[from..range.end]);
    }

    fn reference(&mut self, layer: Layer, n: usize) {
        self.h.open("a");
        self.h.attributes(" epub:type=\"noteref\" role=\"doc-noteref\" class=\"noteref\"");
        self.h.attr("href", format_args!("#n{n}")).attr("id", format_args!("r{n}"));
        self.h.plain(layer.zh()).text(n).close();
    }

    fn footnotes(&mut self) {
        for note in std::mem::take(&mut self.notes) {
            self.first += 1;
            let n = self.first;
            self.h.open("aside").attributes(" epub:type=\"footnote\" role=\"doc-footnote\"");
            self.h
                .attr("id", format_args!("n{n}"))
                .attr("class", format_args!("layer-{}", note.layer.id()));
            self.h.open("p").open("a").attr("href", format_args!("#r{n}"));
            self.h.plain(note.layer.zh()).text(n).close().plain(" ");
            let start = note.words.len() - note.words.trim_start().len();
            self.leafed(note, start..note.words.trim_end().len().max(start));
            self.h.close().close().line();
        }
    }
}

fn apparatus(h: &mut Markup<'_>, entries: &[flow::Variant]) {
    h.open("ul").attr("class", "variants-of-the-text").line();
    for e in entries {
        h.open("li");
        h.open("span").attr("class", "n").text(e.locus.as_deref().unwrap_or("–")).close().text(" ");
        h.words(&e.lemma).text("] ").words(&e.says).close().line();
    }
    if entries.is_empty() {
        h.element("li", "–");
    }
    h.close().line();
}
