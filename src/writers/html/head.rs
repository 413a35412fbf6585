//! The frame of a page: head, content policy, title, switches, contents.

use super::addresses::{file_of, sheet_href};
use super::icons::icon;
use super::{Page, assets, drawer, panel, shared};
use crate::language::{Language, escape};
use crate::markup::Markup;
use crate::model::{Division, LayerKind};

/// What a page is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A file by itself.
    Alone,
    /// A site, with its style sheet, script and search data beside the page.
    Site,
}

/// A name of Dublin Core (or of the tags that reference managers read) and its value.
pub(crate) type Fact = (&'static str, String);

/// The fact that is the address of the page itself.
const CANONICAL: &str = "canonical";

/// The data for the head of a page.
pub(crate) struct About<'a> {
    /// As a template.
    pub(crate) title: &'a str,
    /// The id of the text; none for a general page.
    pub(crate) text: Option<&'a str>,
    /// The language of the text; none for a page of our own words.
    pub(crate) language: Option<&'a str>,
    /// The language of our own words.
    pub(crate) own: Language,
    pub(crate) facts: &'a [Fact],
    /// True if something is beside the text: there are two columns.
    pub(crate) beside: bool,
    /// From where it has images, as a content policy says it.
    pub(crate) images: &'a str,
}

/// A whole page around what `content` writes.
pub(crate) fn shell(
    h: &mut Markup<'_>,
    frame: Frame,
    about: &About<'_>,
    content: impl FnOnce(&mut Markup<'_>),
) {
    let About { title, text, language, own, facts, beside, images } = *about;
    h.speak(own, frame == Frame::Site);
    h.verbatim("<!DOCTYPE html>\n").open("html").attr("xmlns", "http://www.w3.org/1999/xhtml");
    let of_text = language.map(|l| if l.is_empty() { "lzh-Hant" } else { l });
    let language = of_text.unwrap_or(own.id());
    h.attr("lang", language).attr("xml:lang", language).attr("data-language", own.id());
    h.maybe("data-own", (of_text.is_none() && frame == Frame::Site).then_some("")).line();
    h.open("head").line();
    h.void("meta").attr("charset", "utf-8").line();
    h.void("meta");
    h.attr("http-equiv", "Content-Security-Policy")
        .attr("content", assets::policy(frame, images))
        .line();
    h.void("meta");
    h.attr("name", "viewport").attr("content", "width=device-width, initial-scale=1").line();
    h.void("meta").attr("name", "color-scheme").attr("content", "light dark").line();
    h.void("meta").attr("name", "generator");
    h.attr("content", concat!("zhushu ", env!("CARGO_PKG_VERSION"))).line();
    for (name, words) in facts.iter().filter(|(_, words)| !words.is_empty()) {
        match *name {
            CANONICAL => _ = h.void("link").attr("rel", name).attr("href", words).line(),
            // What cards show has names of its own kind.
            _ => {
                let kind = if name.starts_with("og:") { "property" } else { "name" };
                h.void("meta").attr(kind, name).attr("content", words).line();
            }
        }
    }
    h.page_title(title).line();
    assets::style(h, frame);
    h.close().line();
    h.open("body").maybe("class", beside.then_some("two")).line();
    // First, so that it is not found only at the foot of a long page.
    h.open("noscript").open("p").attr("class", "about").in_own_language();
    h.say("{scripts-off}").close().close().line();
    content(h);
    h.open("p").attr("id", "say");
    h.attr("role", "status").in_own_language().attr("hidden", "hidden").close().line();
    match frame {
        Frame::Site => drawer::dialog(h, text),
        Frame::Alone => {
            shared::words(h);
            if text.is_some() {
                panel::panel(h);
            }
        }
    }
    assets::page(h, frame);
    h.close().line().close().line();
}

impl Page<'_> {
    pub(super) fn header(&mut self, h: &mut Markup<'_>) {
        let document = &*self.chapter.document;
        h.open("a").attr("class", "skip").attr("href", "#text");
        h.in_own_language().say("{skip}").close().line();
        // All that stands before the text is in one line.
        h.open("header").attr("class", "bar").line();
        let library = self.library;
        let several = self.chapter.document.divisions.len() > 1;
        let leads = several || library.sheeted || library.documents.len() > 1;
        if leads {
            drawer::button(h, true);
        }
        h.open("div").attr("class", "title");
        h.open("h1").words(&document.meta.title).close();
        self.about(h);
        h.close().line();
        if self.library.sheeted {
            search(h);
        }
        self.switches(h);
        h.close().line();
        if leads {
            self.sections(h);
        }
        assets::state(h, self.frame());
    }

    /// Work, chapter and edition in one line.
    fn about(&self, h: &mut Markup<'_>) {
        let meta = &self.chapter.document.meta;
        let locus = meta.locus().filter(|l| *l != meta.title);
        let words: Vec<&str> =
            locus.as_deref().into_iter().chain(meta.edition.as_deref()).collect();
        if !words.is_empty() {
            h.open("p").attr("class", "about").words(&words.join(" · ")).close();
        }
    }

    /// What the button of the contents opens without scripts: where the text stands, and its
    /// sections. All of them on the first sheet, only its own on any other, since otherwise each
    /// sheet would be as large as the whole.
    fn sections(&self, h: &mut Markup<'_>) {
        h.open("nav").attr_said("aria-label", "{sections}").attr("id", "sections");
        h.attr("class", "menu").attr("popover", "auto").line();
        if self.library.sheeted {
            self.turn(h);
        } else if self.library.documents.len() > 1 {
            h.open("p").open("a").attr("href", "index.html").in_own_language();
            h.say("{contents}").close().close().line();
        }
        if self.chapter.document.divisions.len() > 1 {
            self.list_of_sections(h);
        }
        h.close().line();
    }

    fn list_of_sections(&self, h: &mut Markup<'_>) {
        let divisions = &self.chapter.document.divisions;
        let (here, id) = (self.here, &self.chapter.document.id);
        h.open("p").in_own_language();
        h.say(&format!("{{sections-count n={}}}", divisions.len())).close();
        h.open("ol").line();
        let mut last = None;
        for sheet in if here.sheet == 0 { 0..here.sheets.len() } else { here.sheet..here.sheet + 1 }
        {
            let file = if sheet == here.sheet { String::new() } else { sheet_href(id, sheet) };
            for i in here.sheets.passages(sheet).filter_map(|n| self.passages.division(n)) {
                if last.replace(i) == Some(i) {
                    continue;
                }
                h.open("li").attr("value", divisions[i].n);
                h.open("a").attr("href", format_args!("{file}#d{}", i + 1));
                name_of(h, &divisions[i]);
                h.close().close().line();
            }
        }
        h.close().line();
    }

    /// Links to the sheets before and after, from the ends of a text to its neighbours in the
    /// contents, and to the contents.
    pub(super) fn turn(&self, h: &mut Markup<'_>) {
        if !self.library.sheeted {
            return;
        }
        let (sheet, of, id) = (self.here.sheet, self.here.sheets.len(), &self.chapter.document.id);
        let text = |n: Option<usize>| n.and_then(|n| self.library.documents.get(n));
        let here = self.number;
        h.open("p").attr("class", "turn").in_own_language();
        if sheet > 0 {
            h.open("a").attr("rel", "prev").attr("href", sheet_href(id, sheet - 1));
            h.say("{previous-page}").close().text(" ");
        } else if let Some(before) = text(here.and_then(|n| n.checked_sub(1))) {
            h.open("a").attr("rel", "prev").attr("href", file_of(&before.id));
            h.said("span", "{previous-text}").words(&before.meta.title).close().text(" ");
        }
        h.open("a").attr("href", "index.html").say("{contents}").close();
        if let Some(collation) = &self.addresses.in_site.collation {
            h.text(" ").open("a").attr("href", collation).say("{collation}").close();
        }
        if sheet > 0 && self.chapter.document.divisions.len() > 1 {
            h.text(" ").open("a").attr("href", format_args!("{}#sections", file_of(id)));
            h.say("{all-sections}").close();
        }
        if of > 1 {
            h.text(" ").element("span", format_args!("{} / {of}", sheet + 1));
        }
        if sheet + 1 < of {
            h.text(" ").open("a").attr("rel", "next").attr("href", sheet_href(id, sheet + 1));
            h.say("{next-page}").close();
        } else if let Some(after) = text(here.map(|n| n + 1)) {
            h.text(" ").open("a").attr("rel", "next").attr("href", file_of(&after.id));
            h.said("span", "{next-text}").words(&after.meta.title).text(" →").close();
        }
        h.close().line();
    }

    /// Title of the sheet: the document's, with the number of the sheet.
    pub(super) fn title(&self) -> String {
        let title = &self.chapter.document.meta.title;
        match self.here.sheets.len() {
            1 => escape(title),
            of => format!("{} ({}/{of})", escape(title), self.here.sheet + 1),
        }
    }

    /// Metadata for catalogues and reference managers.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let meta = &self.chapter.document.meta;
        let or = |words: &Option<String>| words.clone().unwrap_or_default();
        let mut facts = vec![
            ("DC.title", meta.title.clone()),
            ("DC.type", "Text".into()),
            ("DC.format", "text/html".into()),
            ("DC.language", meta.language.clone()),
            ("DC.identifier", self.chapter.document.id.clone()),
            (
                "DC.source",
                [or(&meta.edition), or(&meta.origin)]
                    .iter()
                    .filter(|w| !w.is_empty())
                    .cloned()
                    .collect::<Vec<_>>()
                    .join("; "),
            ),
            ("DC.rights", or(&meta.rights)),
            ("DC.isPartOf", meta.locus().unwrap_or_default()),
            ("citation_title", meta.title.clone()),
            ("citation_inbook_title", or(&meta.collection.title)),
            ("citation_publication_date", or(&meta.collection.date)),
            ("citation_language", meta.language.clone()),
            ("description", self.description()),
            ("og:type", "article".into()),
            ("og:title", meta.title.clone()),
            ("og:description", self.description()),
            ("og:site_name", or(&meta.collection.title)),
        ];
        let file = sheet_href(&self.chapter.document.id, self.here.sheet);
        facts.extend(meta.collection.address.iter().map(|a| (CANONICAL, format!("{a}{file}"))));
        facts.extend(meta.layers.iter().flat_map(|(_, who)| {
            [("DC.creator", who.name.clone()), ("citation_author", who.name.clone())]
        }));
        facts
    }
}

/// Characters of the text in what a search engine or a card shows of a page.
const MAX_DESCRIBED_CHARS: usize = 60;

impl Page<'_> {
    /// Who wrote the layers, and the first words of the sheet.
    fn description(&self) -> String {
        let document = &self.chapter.document;
        let named = document.meta.layers.iter().filter(|(_, who)| !who.name.is_empty());
        let who: Vec<String> =
            named.map(|(layer, who)| format!("{}{}", who.name, layer.zh())).collect();
        let text = self.segments_here().iter().filter(|s| s.layer.kind() != LayerKind::Structure);
        let text = text.filter(|s| s.layer.is_text()).map(|s| document.words(s.span));
        let words = text.flat_map(|words| words.chars().collect::<Vec<_>>());
        let words = words.filter(|c| !c.is_whitespace()).take(MAX_DESCRIBED_CHARS).collect();
        let parts = [who.join("、"), words].into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("：")
    }
}

/// A section by its title, or its number.
fn name_of(h: &mut Markup<'_>, division: &Division) {
    match &division.title {
        Some(title) => h.words(title),
        None => h.said("span", &format!("{{section-n n={}}}", division.n)),
    };
}

/// Files of the search of a site: what the search box loads first.
pub(crate) const ASK_FILE: &str = "index.ask.js";

/// The search box of a site; the page's script shows it.
pub(crate) fn search(h: &mut Markup<'_>) {
    h.open("search").attr("id", "search");
    h.attr("hidden", "hidden").in_own_language();
    h.attr("data-script", assets::versioned(ASK_FILE));
    h.open("label");
    icon(h, "{search}");
    h.said("span", "{search}").text(" ").void("input").attr("type", "search").attr("id", "ask");
    h.attr("autocomplete", "off").attr("spellcheck", "false").close();
    h.open("div").attr("id", "found").attr("tabindex", -1).close().close().line();
}
