//! The common parts of general pages: head, links to each other, foot.

use std::io;

use crate::language::{Language, escape};
use crate::markup::Markup;
use crate::model::Document;
use crate::model::NEEDS_REVIEW;
use crate::writers::html::addresses::file_of;
use crate::writers::html::{About, Frame, common_bar, search, shell};

pub(super) const INDEX: &str = "index.html";
pub(super) const APPARATUS: &str = "index.apparatus.html";
pub(super) const UNPLACED: &str = "index.unplaced.html";
pub(super) const FIGURES: &str = "index.figures.html";
pub(super) const ABOUT: &str = "index.about.html";

/// Records for reference managers.
pub(super) const BIBTEX: &str = "index.citation.bib";
pub(super) const CSL: &str = "index.citation.json";

/// The general pages and their names.
const PAGES: &[(&str, &str)] = &[
    (INDEX, "{contents}"),
    (APPARATUS, "{apparatus}"),
    (UNPLACED, "{not-placed}"),
    (FIGURES, "{figures}"),
    (ABOUT, "{about}"),
];

/// What the manifest says about the whole corpus.
#[derive(Clone, Copy, Debug, Default)]
pub struct Title<'a> {
    /// Title of the corpus.
    pub title: Option<&'a str>,
    /// Who made it.
    pub editors: &'a [String],
    /// Licence in words.
    pub licence: Option<&'a str>,
}

impl Title<'_> {
    /// Its name, as a template.
    pub(super) fn name(&self) -> String {
        self.title.map_or_else(|| "{contents}".into(), escape)
    }
}

/// A general page around `content`.
pub(super) fn frame(
    page: &'static str,
    (title, own): (Title<'_>, Language),
    out: &mut dyn io::Write,
    content: impl FnOnce(&mut Markup<'_>),
) -> io::Result<()> {
    let what = PAGES.iter().find(|(file, _)| *file == page).map_or("", |(_, what)| what);
    let name = title.name();
    let full = if page == INDEX { name } else { format!("{what} · {name}") };
    let page = NamedPage { file: page, full };
    named_frame(page, (title, own), out, common_bar, content)
}

/// A page that may not be in the list of general pages.
pub(super) struct NamedPage<'a> {
    /// Its file.
    pub file: &'a str,
    /// Its title in full, as a template.
    pub full: String,
}

/// The same for such a page, with its bar.
pub(super) fn named_frame(
    NamedPage { file: page, full }: NamedPage<'_>,
    (title, own): (Title<'_>, Language),
    out: &mut dyn io::Write,
    bar: impl FnOnce(&mut Markup<'_>),
    content: impl FnOnce(&mut Markup<'_>),
) -> io::Result<()> {
    let mut h = Markup::html(out);
    let name = title.name();
    let facts = [
        ("DC.title", own.fill(&full)),
        ("DC.creator", title.editors.join("; ")),
        ("DC.rights", title.licence.unwrap_or_default().to_string()),
        ("DC.type", "Collection".into()),
        ("DC.format", "text/html".into()),
        ("og:type", "website".into()),
        ("og:title", own.fill(&full)),
    ];
    let about = About {
        title: &full,
        text: None,
        language: None,
        own,
        facts: &facts,
        beside: false,
        images: "",
    };
    shell(&mut h, Frame::Site, &about, |h| {
        h.open("a").attr("class", "skip").attr("href", "#text");
        h.say("{skip}").close().line();
        bar(h);
        h.open("header").attr("class", "top").line();
        h.said("h1", &name).line();
        if !title.editors.is_empty() {
            h.open("p").attr("class", "about").words(&title.editors.join(" · ")).close().line();
        }
        h.open("nav")
            .attr("class", "general")
            .in_own_language()
            .attr_said("aria-label", "{general-pages}")
            .open("ul");
        for (file, what) in PAGES {
            h.open("li").open("a").attr("href", file);
            h.maybe("aria-current", (*file == page).then_some("page")).say(what).close().close();
        }
        h.close().close().line();
        search(h);
        h.close().line();
        h.open("main").attr("id", "text").attr("class", "text").line();
        content(h);
        h.close().line();
        foot(h, title);
    });
    h.finish()
}

fn foot(h: &mut Markup<'_>, title: Title<'_>) {
    h.open("footer").in_own_language().line();
    if let Some(licence) = title.licence {
        h.open("p").words(licence).close().line();
    }
    h.said("p", made_by()).line();
    h.said("p", &format!("{{footer review={NEEDS_REVIEW}}}")).line();
    h.close().line();
}

/// Which program made a page, as a template.
pub(super) fn made_by() -> &'static str {
    concat!("{made-by version=", env!("CARGO_PKG_VERSION"), "}")
}

/// A link to a document's first page.
pub(super) fn page(h: &mut Markup<'_>, document: &Document) {
    h.open("a").attr("href", file_of(&document.id)).words(&document.meta.title).close();
}
