//! The panel beside the text: what there is about the sentence that a reader points at, in tabs
//! with counts. It is empty and hidden here; the page's script fills it from the page itself, so it
//! also works when the page is opened from a folder.

use super::icons::icon;
use crate::markup::Markup;

/// The tabs: id and name.
const TABS: &[(&str, &str)] = &[
    ("said", "{panel-said}"),
    ("beside", "{panel-beside}"),
    ("from", "{panel-from}"),
    ("to", "{panel-to}"),
    ("read", "{panel-read}"),
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
    h.close().line().close().line();
}

fn step(h: &mut Markup<'_>, id: &str, name: &str) {
    h.open("button").attr("type", "button").attr("id", id).attr_said("title", name);
    h.attr_said("aria-label", name);
    icon(h, name);
    h.close();
}
