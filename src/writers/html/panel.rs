//! The panel beside the text: what there is about the sentence that a reader points at, in tabs
//! with counts. It is empty and hidden here; the page's script fills it from the page itself, so it
//! also works when the page is opened from a folder.

use serde_json::{Value, json};

use super::icons::icon;
use crate::markup::Markup;
use crate::model::phrases::phrase;
use crate::reading::ChapterText;
use crate::reading::glosses::{Gloss, GlossKind};
use crate::source::Span;

/// The tabs: id and name.
const TABS: &[(&str, &str)] = &[
    ("said", "{panel-said}"),
    ("beside", "{panel-beside}"),
    ("from", "{panel-from}"),
    ("to", "{panel-to}"),
    ("read", "{panel-read}"),
    ("gloss", "{panel-gloss}"),
    ("cite", "{panel-cite}"),
];

/// The panel, closed.
pub(super) fn panel(h: &mut Markup<'_>) {
    h.open("aside").attr("id", "panel").attr("hidden", "hidden").attr("tabindex", -1);
    h.in_own_language().attr_said("aria-label", "{panel}").line();
    h.open("p").attr("class", "place").open("span").close().text(" ");
    for (id, name) in [("panel-before", "{panel-before}"), ("panel-next", "{panel-next}")] {
        step(h, id, name);
    }
    step(h, "panel-close", "{close}");
    h.close().line();
    h.open("blockquote").close().line();
    h.open("p").attr("class", "doubts").close().line();
    h.open("div").attr("role", "tablist").attr_said("aria-label", "{panel}").line();
    for (id, name) in TABS {
        h.open("button").attr("type", "button").attr("role", "tab");
        h.attr("id", format_args!("panel-{id}")).attr("aria-controls", "panel-body");
        h.said("span", name).text(" ").open("small").close().close().line();
    }
    h.close().line();
    h.open("div").attr("role", "tabpanel").attr("id", "panel-body").attr("tabindex", 0);
    h.close().line();
    gloss_words(h);
    h.close().line();
}

fn step(h: &mut Markup<'_>, id: &str, name: &str) {
    h.open("button").attr("type", "button").attr("id", id).attr_said("title", name);
    h.attr_said("aria-label", name);
    icon(h, name);
    h.close();
}

/// The glosses of the sentences of a page, for the script: the word's element, that of the
/// statement, kind, headword, sense, who, layer. In a site there are those of all texts too.
pub(super) fn glosses(
    h: &mut Markup<'_>,
    chapter: &ChapterText<'_>,
    all: &[Gloss],
    in_site: bool,
    holds: impl Fn(Span) -> bool,
) {
    let is_here = |g: &&Gloss| holds(g.span) || g.lemma.is_some_and(&holds);
    let here: Vec<Value> = all.iter().filter(is_here).filter_map(|g| one(chapter, g)).collect();
    if here.is_empty() && !in_site {
        return;
    }
    h.open("div").attr("id", "gloss-data").attr("hidden", "hidden");
    h.maybe("data-site", in_site.then_some(""));
    h.attr("data-glosses", Value::from(here)).close().line();
}

/// The names of the kinds of glosses, which the script shows.
fn gloss_words(h: &mut Markup<'_>) {
    h.open("div").attr("id", "gloss-words").attr("hidden", "hidden");
    h.open("span").attr("data-kind", "all").say("{panel-gloss-all}").close();
    for kind in GlossKind::ALL {
        h.open("span").attr("data-kind", kind.id()).say(&phrase(kind.id())).close();
    }
    h.close().line();
}

/// None if the page has no element for the statement, to which a link could lead.
fn one(chapter: &ChapterText<'_>, g: &Gloss) -> Option<Value> {
    let id = |span: Span| {
        let first = chapter.elements.get(chapter.meet(span).start)?;
        Some(chapter.id(first).to_string())
    };
    let lemma = g.lemma.and_then(id);
    let from = id(g.span)?;
    Some(json!([lemma, from, g.kind.id(), g.headword, g.sense, g.who, g.layer.id()]))
}
