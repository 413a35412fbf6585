//! The pages of a book: XHTML, one for each section, several for a long section.

use std::collections::HashSet;
use std::io;

use crate::markup::{Escaping, Markup};
use crate::model::{Document, Layer};
use crate::writers::editions::Edition;
use crate::writers::editions::flow::{self, EditionBlock, EditionRun, EditionSection};

/// Most blocks on a page, since reading systems lay out a whole page at once.
const MAX_PAGE_BLOCKS: usize = 300;

/// A page of the book.
pub(super) struct BookPage {
    /// Its name in the book.
    pub(super) file: String,
    /// Its title in the contents; none for a page that continues a section.
    pub(super) title: Option<String>,
    /// Its XHTML.
    pub(super) bytes: Vec<u8>,
}

/// The pages of the `n`th document.
pub(super) fn pages(edition: &Edition, document: &Document, n: usize) -> io::Result<Vec<BookPage>> {
    let mut pages = vec![];
    let sections = edition.sections(document);
    for (s, section) in sections.iter().enumerate() {
        for (c, blocks) in section.blocks.chunks(MAX_PAGE_BLOCKS).enumerate() {
            let file = format!(
                "t{n}-{}{}.xhtml",
                s + 1,
                if c == 0 { String::new() } else { format!("-{}", c + 1) }
            );
            let head = PageHead {
                title: (s == 0 && c == 0).then_some(&document.meta.title),
                section: (c == 0).then_some(section),
            };
            let name =
                name(section).unwrap_or_else(|| if s == 0 { "卷首".into() } else { "餘".into() });
            let bytes = page(document, &format!("{} {name}", document.meta.title), |h| {
                body(h, edition, document, &head, blocks)
            })?;
            pages.push(BookPage { file, title: (c == 0).then_some(name), bytes });
        }
    }
    let entries = edition.apparatus(document);
    if !entries.is_empty() || pages.is_empty() {
        let title = "校勘".to_string();
        let bytes = page(document, &format!("{} {title}", document.meta.title), |h| {
            h.element("h2", &title).line();
            apparatus(h, &entries);
        })?;
        pages.push(BookPage { file: format!("t{n}-app.xhtml"), title: Some(title), bytes });
    }
    Ok(pages)
}

/// The beginning of a page.
struct PageHead<'a> {
    title: Option<&'a String>,
    section: Option<&'a EditionSection>,
}

fn name(section: &EditionSection) -> Option<String> {
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

fn body(
    h: &mut Markup<'_>,
    edition: &Edition,
    document: &Document,
    head: &PageHead<'_>,
    blocks: &[EditionBlock],
) {
    h.open("section").line();
    if let Some(title) = head.title {
        h.open("h1").words(title).close().line();
    }
    if let Some(section) = head.section
        && let Some(n) = section.number
    {
        h.open("h2").open("span").attr("class", "n").text(n).close().text(" ");
        h.words(section.title.as_deref().unwrap_or_default()).close().line();
    }
    let mut writer = Blocks { h, edition, document, ids: HashSet::new(), notes: vec![] };
    blocks.iter().for_each(|b| writer.block(b));
    writer.footnotes();
    writer.h.close().line();
}

struct Blocks<'a, 'w, 'h> {
    h: &'h mut Markup<'w>,
    edition: &'a Edition,
    document: &'a Document,
    ids: HashSet<&'a str>,
    notes: Vec<&'a EditionRun>,
}

impl<'a> Blocks<'a, '_, '_> {
    fn block(&mut self, block: &'a EditionBlock) {
        match block {
            EditionBlock::Heading(words) => self.paragraph("h3", None, |b| b.words(words)),
            EditionBlock::Label(words) => self.paragraph("p", Some("label"), |b| b.words(words)),
            EditionBlock::Other(words) => self.paragraph("p", Some("other"), |b| b.words(words)),
            EditionBlock::Translation(words) => self.paragraph("p", Some("translation"), |b| {
                b.h.attr("lang", "zh");
                b.words(words);
            }),
            EditionBlock::Text(runs) => self.paragraph("p", Some("text"), |b| b.runs(runs)),
            EditionBlock::Said { layer, header, runs } => self.paragraph("p", Some("said"), |b| {
                b.h.element("b", layer.zh());
                if let Some(header) = header {
                    b.h.open("cite");
                    b.words(header);
                    b.h.close();
                }
                b.runs(runs);
            }),
        }
    }

    fn paragraph(
        &mut self,
        tag: &'static str,
        class: Option<&'static str>,
        inside: impl FnOnce(&mut Self),
    ) {
        self.h.open(tag).maybe("class", class);
        inside(self);
        self.h.close().line();
    }

    fn words(&mut self, words: &str) {
        self.h.words(words);
    }

    fn runs(&mut self, runs: &'a [EditionRun]) {
        let alone = runs.iter().all(EditionRun::is_note);
        for run in runs {
            if run.is_note() && !alone {
                self.notes.push(run);
                self.reference(run.layer, self.notes.len());
                continue;
            }
            self.h.open("span");
            if let Some(id) = run.locus.as_deref().filter(|id| self.ids.insert(id)) {
                self.h.attr("id", anchor(id, self.document));
            }
            if let Some(n) = run.number.as_deref().filter(|_| self.edition.layout.numbers) {
                self.h.open("sup").attr("class", "n").text(n).close();
            }
            self.words(&run.words);
            self.h.close();
        }
    }

    fn reference(&mut self, layer: Layer, n: usize) {
        self.h.open("a");
        self.h.attr("epub:type", "noteref").attr("role", "doc-noteref").attr("class", "noteref");
        self.h.attr("href", format_args!("#n{n}")).attr("id", format_args!("r{n}"));
        self.h.text(layer.zh()).text(n).close();
    }

    fn footnotes(&mut self) {
        for (i, note) in std::mem::take(&mut self.notes).into_iter().enumerate() {
            let n = i + 1;
            self.h.open("aside").attr("epub:type", "footnote");
            self.h.attr("role", "doc-footnote").attr("id", format_args!("n{n}"));
            self.h.open("p").open("a").attr("href", format_args!("#r{n}"));
            self.h.text(note.layer.zh()).text(n).close().text(" ");
            self.words(note.words.trim());
            self.h.close().close().line();
        }
    }
}

/// An XML id for a locus: its part after work and chapter, which has only digits, Latin letters and
/// full stops.
fn anchor(locus: &str, document: &Document) -> String {
    let text = crate::corpus::loci::text_of(document).to_string();
    format!("p{}", locus.strip_prefix(&text).unwrap_or(locus))
}

fn apparatus(h: &mut Markup<'_>, entries: &[flow::Variant]) {
    h.open("ul").attr("class", "apparatus").line();
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
