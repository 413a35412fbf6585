//! The files of a book other than its pages: package file, contents, cover, title page.

use std::io;
use std::sync::Arc;

use super::pages::{BookPage, xhtml};
use crate::markup::{Escaping, Markup};
use crate::model::Document;
use crate::writers::editions::Edition;

/// Characters in a line of the cover.
const COVER_LINE_CHARS: usize = 8;

/// An XML file.
fn xml(write: impl FnOnce(&mut Markup<'_>)) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    let mut x = Markup::xml(&mut bytes, Escaping::Html);
    write(&mut x);
    x.line();
    x.finish()?;
    Ok(bytes)
}

/// `package.opf`.
pub(super) fn package(edition: &Edition, pages: &[Vec<BookPage>]) -> io::Result<Vec<u8>> {
    xml(|x| {
        x.open("package").attr("xmlns", "http://www.idpf.org/2007/opf");
        x.attr("version", "3.0").attr("unique-identifier", "id");
        x.attr("xml:lang", edition.language()).line();
        metadata(x, edition);
        manifest(x, pages);
        x.open("spine");
        if edition.layout.vertical {
            x.attr("page-progression-direction", "rtl");
        }
        x.line();
        x.void("itemref").attr("idref", "title").line().void("itemref").attr("idref", "nav").line();
        for page in pages.iter().flatten() {
            x.void("itemref").attr("idref", id(page)).line();
        }
        x.close().line().close();
    })
}

fn metadata(x: &mut Markup<'_>, edition: &Edition) {
    let about = &edition.about;
    x.open("metadata").attr("xmlns:dc", "http://purl.org/dc/elements/1.1/").line();
    x.open("dc:identifier").attr("id", "id").text(edition.uuid()).close().line();
    x.element("dc:title", &about.title).line();
    x.element("dc:language", edition.language()).line();
    for (name, layers) in edition.people() {
        x.open("dc:creator").text(format_args!("{name}({layers})")).close().line();
    }
    for editor in &about.editors {
        x.element("dc:contributor", editor).line();
    }
    let facts: Vec<_> = edition.documents().map(|d| (&d.meta.title, d.meta.facts())).collect();
    let of =
        |id| facts.iter().flat_map(|(_, all)| all).filter(move |f| f.id == id).map(|f| &*f.words);
    unique(of("editors"))
        .into_iter()
        .for_each(|words| _ = x.element("dc:contributor", words).line());
    unique(about.licence.as_deref().into_iter().chain(of("rights")))
        .into_iter()
        .for_each(|words| _ = x.element("dc:rights", words).line());
    for (title, all) in &facts {
        let words: Vec<&str> = all
            .iter()
            .filter(|f| ["edition", "date", "origin"].contains(&f.id))
            .map(|f| &*f.words)
            .collect();
        if !words.is_empty() {
            x.open("dc:source").text(format_args!("{title}: {}", words.join("; "))).close().line();
        }
    }
    x.element("dc:date", about.date).line();
    let property = |x: &mut Markup<'_>, name: &'static str, value: &str| {
        x.open("meta").attr("property", name).text(value).close().line();
    };
    property(x, "dcterms:modified", &format!("{}T00:00:00Z", about.date));
    property(x, "schema:accessMode", "textual");
    property(x, "schema:accessibilityFeature", "tableOfContents");
    property(x, "schema:accessibilityHazard", "none");
    x.close().line();
}

fn unique<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all = vec![];
    for w in words.filter(|w| !w.trim().is_empty()) {
        if !all.contains(&w) {
            all.push(w);
        }
    }
    all
}

fn manifest(x: &mut Markup<'_>, pages: &[Vec<BookPage>]) {
    const XHTML: &str = "application/xhtml+xml";
    let fixed = [
        ("nav", "nav.xhtml", XHTML, Some("nav")),
        ("title", "title.xhtml", XHTML, None),
        ("cover", "cover.svg", "image/svg+xml", Some("cover-image")),
        ("style", "style.css", "text/css", None),
    ];
    let pages = pages.iter().flatten().map(|p| (id(p), p.file.as_str()));
    let mut rows: Vec<(String, &str, &str, Option<&str>)> =
        fixed.map(|(i, f, k, p)| (i.to_string(), f, k, p)).into();
    rows.extend(pages.map(|(i, f)| (i.to_string(), f, XHTML, None)));
    x.open("manifest").line();
    let mut item = |id: &str, file: &str, kind: &str, properties: Option<&str>| {
        x.void("item").attr("id", id);
        x.attr("href", file).attr("media-type", kind).maybe("properties", properties).line();
    };
    rows.iter().for_each(|(id, file, kind, properties)| item(id, file, kind, *properties));
    x.close().line();
}

fn id(page: &BookPage) -> &str {
    page.file.trim_end_matches(".xhtml")
}

/// `nav.xhtml`: texts and their sections.
pub(super) fn contents(
    edition: &Edition,
    documents: &[&Arc<Document>],
    pages: &[Vec<BookPage>],
) -> io::Result<Vec<u8>> {
    xhtml(edition.language(), "目錄", |h| {
        h.open("nav").attr("epub:type", "toc").attr("role", "doc-toc").line();
        h.element("h1", "目錄").open("ol").line();
        for (document, pages) in documents.iter().zip(pages) {
            let Some(first) = pages.first() else { continue };
            h.open("li").open("a").attr("href", &first.file).words(&document.meta.title).close();
            h.open("ol").line();
            for entry in pages.iter().flat_map(|p| &p.entries) {
                h.open("li");
                h.open("a").attr("href", &entry.href).words(&entry.title).close().close().line();
            }
            h.close().close().line();
        }
        h.close().close().line();
        let leaves: Vec<_> = pages.iter().flatten().flat_map(|p| &p.leaves).collect();
        if leaves.is_empty() {
            return;
        }
        h.open("nav").attributes(" epub:type=\"page-list\" role=\"doc-pagelist\" hidden=\"\"");
        h.open("ol").line();
        for leaf in leaves {
            h.open("li");
            h.open("a").attr("href", &leaf.href).words(&leaf.title).close().close().line();
        }
        h.close().close().line();
    })
}

/// `cover.svg`: the title, in lines.
pub(super) fn cover(edition: &Edition) -> io::Result<Vec<u8>> {
    let title: Vec<char> = edition.about.title.chars().collect();
    xml(|x| {
        x.open("svg").attr("xmlns", "http://www.w3.org/2000/svg").attr("viewBox", "0 0 600 800");
        x.attr("width", 600).attr("height", 800).line();
        x.void("rect").attr("width", 600).attr("height", 800).attr("fill", "#f4efe4").line();
        x.void("rect");
        x.attr("x", 30).attr("y", 30).attr("width", 540).attr("height", 740).attr("fill", "none");
        x.attr("stroke", "#5b3a29").attr("stroke-width", 4).line();
        for (n, line) in title.chunks(COVER_LINE_CHARS).take(8).enumerate() {
            x.open("text").attr("x", 300);
            x.attr("y", 180 + n * 75).attr("font-size", 54).attr("text-anchor", "middle");
            x.attr("fill", "#2b1d14").attr("font-family", "serif");
            x.text(line.iter().collect::<String>().trim()).close().line();
        }
        x.close();
    })
}

/// `title.xhtml`: cover, title, people and facts of the edition.
pub(super) fn title_page(edition: &Edition, documents: &[&Arc<Document>]) -> io::Result<Vec<u8>> {
    let about = &edition.about;
    xhtml(edition.language(), &about.title, |h| {
        h.open("section").attr("epub:type", "titlepage").line();
        h.open("p").void("img");
        h.attr("src", "cover.svg").attr("alt", "").attr("class", "cover").close().line();
        h.open("h1").words(&about.title).close().line();
        for (name, layers) in edition.people() {
            h.open("p").words(&name).text(" ").words(&layers).close().line();
        }
        for line in about.editors.iter().chain(&about.licence) {
            h.open("p").words(line).close().line();
        }
        h.element("p", about.date).line();
        for d in documents {
            h.open("h2").words(&d.meta.title).close().line();
            for fact in d.meta.facts() {
                h.open("p").text(fact.zh).text(" ").words(&fact.words).close().line();
            }
        }
        h.close().line();
    })
}
