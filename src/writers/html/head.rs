//! The frame of a page: head, content policy, title, switches, contents.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::markup::Html;
use super::{Page, layers};
use crate::model::{Document, Layer, LayerKind, Role};

const STYLE: &str = include_str!("data/page.css");
const SCRIPT: &str = include_str!("data/page.js");

/// Nothing may be loaded, sent, framed or run except the one style sheet and the one script of the page.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = |words: &str| STANDARD.encode(Sha256::digest(words));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
});

/// A whole page around what `content` writes.
pub(crate) fn shell(h: &mut Html<'_>, title: &str, language: &str, content: impl FnOnce(&mut Html<'_>)) {
    h.own("<!DOCTYPE html>\n").open("html").attr("xmlns", "http://www.w3.org/1999/xhtml");
    let language = if language.is_empty() { "lzh-Hant" } else { language };
    h.attr("lang", language).attr("xml:lang", language).line();
    h.open("head").line();
    h.void("meta").attr("charset", "utf-8").line();
    h.void("meta").attr("http-equiv", "Content-Security-Policy").attr("content", &*POLICY).line();
    h.void("meta").attr("name", "viewport").attr("content", "width=device-width, initial-scale=1").line();
    h.void("meta").attr("name", "color-scheme").attr("content", "light dark").line();
    h.void("meta").attr("name", "generator").attr("content", concat!("zhushu ", env!("CARGO_PKG_VERSION"))).line();
    h.element("title", title).line();
    h.open("style").own(STYLE).close().line().close().line();
    h.open("body").line();
    content(h);
    h.open("p").attr("id", "say").attr("role", "status").attr("lang", "zh-Hant").attr("hidden", "hidden").close().line();
    h.open("script").own(SCRIPT).close().line();
    h.close().line().close().line();
}

/// A switch: what it is called in the page's classes, its label, what it does, whether it begins on.
struct Switch(&'static str, String, String, bool);

impl Page<'_> {
    pub(super) fn header(&mut self, h: &mut Html<'_>) {
        let document = &*self.places.document;
        h.open("a").attr("class", "skip").attr("href", "#text").text("正文 skip to the text").close().line();
        h.open("header").attr("class", "top").line();
        if self.library.documents.len() > 1 {
            h.open("p").attr("class", "up").open("a").attr("href", "index.html").text("總目 contents").close().close().line();
        }
        h.open("h1").words(&document.meta.title).close().line();
        self.about(h);
        self.contents(h);
        h.close().line();
        self.switches(h);
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

    fn contents(&self, h: &mut Html<'_>) {
        let divisions = &self.places.document.divisions;
        if divisions.len() < 2 {
            return;
        }
        h.open("nav").attr("aria-label", "章目 sections").open("details");
        h.element("summary", format_args!("章目 {} sections", divisions.len())).open("ol").line();
        let mut last = None;
        for i in self.passages.iter().filter_map(|p| p.division) {
            if last.replace(i) == Some(i) {
                continue;
            }
            h.open("li").attr("value", divisions[i].n).open("a").attr("href", format_args!("#d{}", i + 1));
            match &divisions[i].title {
                Some(t) => h.words(t),
                None => h.text(format_args!("第 {} 章", divisions[i].n)),
            };
            h.close().close().line();
        }
        h.close().close().close().line();
    }

    fn switches(&self, h: &mut Html<'_>) {
        h.open("form").attr("class", "bar").attr("lang", "zh-Hant").attr("aria-label", "顯示 display").line();
        h.open("fieldset").element("legend", "層 layers");
        for Switch(name, label, title, on) in switches(&self.places.document, self.companions.any) {
            h.open("label").attr("title", title).void("input").attr("type", "checkbox").attr("id", format_args!("sw-{name}"));
            h.maybe("checked", on.then_some("checked")).open("span").text(label).close().close();
        }
        h.close().line();
        choice(h, "size", "字號 size", &[("s", "小", "small type"), ("m", "中", "medium type"), ("l", "大", "large type")], "m");
        choice(h, "hue", "色 colours", &[("auto", "自", "as the system has it"), ("light", "明", "light"), ("dark", "暗", "dark")], "auto");
        h.close().line();
    }
}

/// One of several, as radio buttons.
fn choice(h: &mut Html<'_>, name: &'static str, legend: &str, options: &[(&str, &str, &str)], on: &str) {
    h.open("fieldset").element("legend", legend);
    for (value, label, title) in options {
        h.open("label").attr("title", title).void("input").attr("type", "radio").attr("name", name);
        h.attr("id", format_args!("{name}-{value}")).maybe("checked", (*value == on).then_some("checked"));
        h.open("span").text(label).close().close();
    }
    h.close().line();
}

/// The switches a document has use for.
fn switches(document: &Document, beside: bool) -> Vec<Switch> {
    let mut all: Vec<Switch> = Vec::new();
    for layer in layers(document) {
        let name = match layer {
            Layer::Heading | Layer::Other | Layer::ShuHeader | Layer::Label => continue,
            l if l.kind() == LayerKind::Undivided => continue,
            l => l.id(),
        };
        let who = document.meta.by(layer).map(|c| format!("{} ", c.name)).unwrap_or_default();
        all.push(Switch(name, layer.zh().to_string(), format!("{who}{}", layer.info().about), true));
    }
    if beside {
        let (label, title) = match document.meta.role {
            Role::Witness => ("譯", "the translation beside"),
            Role::Translation => ("原", "the classic beside"),
        };
        all.push(Switch("beside", label.into(), title.into(), true));
    }
    if !document.readings.is_empty() {
        all.push(Switch("fix", "校".into(), "what damaged characters should read, in the text".into(), false));
    }
    all
}
