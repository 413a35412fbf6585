//! The frame of a page: head, content policy, title, switches, contents.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::Page;
use super::markup::Html;
use super::places::sheet_href;
use crate::model::Division;

const STYLE: &str = include_str!("data/page.css");
const SCRIPT: &str = include_str!("data/page.js");

/// What a page is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A file by itself.
    Alone,
    /// A site, whose words to search lie in scripts beside it.
    Site,
}

/// Nothing may be loaded, sent, framed or run except the one style sheet and the one script of the page, and on a site its
/// own files of words. Browsers differ in whether a page from the file system is of its own origin, so these are named too.
fn policy(also: &str) -> String {
    let hash = |words: &str| STANDARD.encode(Sha256::digest(words));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'{also}; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

static ALONE: LazyLock<String> = LazyLock::new(|| policy(""));
static SITE: LazyLock<String> = LazyLock::new(|| policy(" 'self' file:"));

/// A name of Dublin Core (or of the tags that reference managers read) and what it is.
pub(crate) type Fact = (&'static str, String);

/// A whole page around what `content` writes.
pub(crate) fn shell(h: &mut Html<'_>, frame: Frame, title: &str, language: &str, facts: &[Fact], content: impl FnOnce(&mut Html<'_>)) {
    let policy = if frame == Frame::Site { &*SITE } else { &*ALONE };
    h.own("<!DOCTYPE html>\n").open("html").attr("xmlns", "http://www.w3.org/1999/xhtml");
    let language = if language.is_empty() { "lzh-Hant" } else { language };
    h.attr("lang", language).attr("xml:lang", language).line();
    h.open("head").line();
    h.void("meta").attr("charset", "utf-8").line();
    h.void("meta").attr("http-equiv", "Content-Security-Policy").attr("content", policy).line();
    h.void("meta").attr("name", "viewport").attr("content", "width=device-width, initial-scale=1").line();
    h.void("meta").attr("name", "color-scheme").attr("content", "light dark").line();
    h.void("meta").attr("name", "generator").attr("content", concat!("zhushu ", env!("CARGO_PKG_VERSION"))).line();
    for (name, words) in facts.iter().filter(|(_, words)| !words.is_empty()) {
        h.void("meta").attr("name", name).attr("content", words).line();
    }
    h.element("title", title).line();
    h.open("style").own(STYLE).close().line().close().line();
    h.open("body").line();
    content(h);
    h.open("p").attr("id", "say").attr("role", "status").attr("lang", "zh-Hant").attr("hidden", "hidden").close().line();
    h.open("script").own(SCRIPT).close().line();
    h.close().line().close().line();
}

impl Page<'_> {
    pub(super) fn header(&mut self, h: &mut Html<'_>) {
        let document = &*self.places.document;
        h.open("a").attr("class", "skip").attr("href", "#text").text("正文 skip to the text").close().line();
        h.open("header").attr("class", "top").line();
        if self.library.documents.len() > 1 || self.addresses.sheeted {
            h.open("p").attr("class", "up").open("a").attr("href", "index.html").text("總目 contents").close().close().line();
        }
        h.open("h1").words(&document.meta.title).close().line();
        self.about(h);
        if self.addresses.sheeted {
            search(h);
        }
        self.contents(h);
        self.turn(h);
        h.close().line();
        self.bar(h);
    }

    /// Work, chapter, edition in a line.
    fn about(&self, h: &mut Html<'_>) {
        let meta = &self.places.document.meta;
        let locus = meta.locus().filter(|l| *l != meta.title);
        let words: Vec<&str> = locus.as_deref().into_iter().chain(meta.edition.as_deref()).collect();
        if !words.is_empty() {
            h.open("p").attr("class", "about").words(&words.join(" · ")).close().line();
        }
    }

    /// The sections: of all sheets on the first, of the others' own on these, or each would hold as much as the whole.
    fn contents(&self, h: &mut Html<'_>) {
        let divisions = &self.places.document.divisions;
        if divisions.len() < 2 {
            return;
        }
        let (here, id) = (self.here, &self.places.document.id);
        h.open("nav").attr("aria-label", "章目 sections").attr("id", "sections").open("details");
        h.element("summary", format_args!("章目 {} sections", divisions.len()));
        if here.sheet > 0 {
            h.open("p")
                .open("a")
                .attr("href", format_args!("{}#sections", sheet_href(id, 0)))
                .text("全部章目 all sections")
                .close()
                .close();
        }
        h.open("ol").line();
        let mut last = None;
        for sheet in if here.sheet == 0 { 0..here.sheets.len() } else { here.sheet..here.sheet + 1 } {
            let file = if sheet == here.sheet { String::new() } else { sheet_href(id, sheet) };
            for i in self.passages[here.sheets.passages(sheet)].iter().filter_map(|p| p.division) {
                if last.replace(i) == Some(i) {
                    continue;
                }
                h.open("li").attr("value", divisions[i].n).open("a").attr("href", format_args!("{file}#d{}", i + 1));
                h.words(&name_of(&divisions[i])).close().close().line();
            }
        }
        h.close().close().close().line();
    }

    /// Leads to the sheets before and after.
    pub(super) fn turn(&self, h: &mut Html<'_>) {
        let (sheet, of, id) = (self.here.sheet, self.here.sheets.len(), &self.places.document.id);
        if of < 2 {
            return;
        }
        h.open("p").attr("class", "turn");
        if sheet > 0 {
            h.open("a").attr("rel", "prev").attr("href", sheet_href(id, sheet - 1)).text("← 前頁 previous").close().text(" ");
        }
        h.element("span", format_args!("{} / {of}", sheet + 1));
        if sheet + 1 < of {
            h.text(" ").open("a").attr("rel", "next").attr("href", sheet_href(id, sheet + 1)).text("後頁 next →").close();
        }
        h.close().line();
    }

    /// Title of the sheet: the document's, and which of its sheets.
    pub(super) fn title(&self) -> String {
        let title = &self.places.document.meta.title;
        match self.here.sheets.len() {
            1 => title.clone(),
            of => format!("{title} ({}/{of})", self.here.sheet + 1),
        }
    }

    /// What catalogues and reference managers ask of a page.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let meta = &self.places.document.meta;
        let or = |words: &Option<String>| words.clone().unwrap_or_default();
        let mut facts = vec![
            ("DC.title", meta.title.clone()),
            ("DC.type", "Text".into()),
            ("DC.format", "text/html".into()),
            ("DC.language", meta.language.clone()),
            ("DC.identifier", self.places.document.id.clone()),
            ("DC.source", [or(&meta.edition), or(&meta.origin)].iter().filter(|w| !w.is_empty()).cloned().collect::<Vec<_>>().join("; ")),
            ("DC.rights", or(&meta.rights)),
            ("DC.isPartOf", meta.locus().unwrap_or_default()),
            ("citation_title", meta.title.clone()),
        ];
        facts.extend(meta.layers.iter().flat_map(|(_, who)| [("DC.creator", who.name.clone()), ("citation_author", who.name.clone())]));
        facts
    }
}

/// A section by its title, or its number.
fn name_of(division: &Division) -> String {
    division.title.clone().unwrap_or_else(|| format!("第 {} 章", division.n))
}

/// The search box of a site; the page's script shows it.
pub(crate) fn search(h: &mut Html<'_>) {
    h.open("search").attr("id", "search").attr("hidden", "hidden").attr("lang", "zh-Hant").attr("data-index", super::search::SEARCH);
    h.open("label").text("檢索 search ").void("input").attr("type", "search").attr("id", "ask");
    h.attr("autocomplete", "off").attr("spellcheck", "false").close().text(" ");
    h.open("label").text("層 layer ").open("select").attr("id", "where");
    h.open("option").attr("value", "").text("全部 all").close().close().close();
    h.open("div").attr("id", "found").attr("role", "status").close().close().line();
}
