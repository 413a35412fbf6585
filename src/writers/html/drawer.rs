//! The contents of a site in a drawer, which any of its pages opens. What it contains is in one
//! file for all pages, which is loaded when the drawer is first opened.

use super::addresses::file_of;
use super::assets::versioned;
use super::icons::icon;
use crate::markup::Markup;

/// The script of the drawer, with the contents.
pub(crate) const DRAWER_FILE: &str = "index.contents.js";

/// The button that opens it; without scripts it opens the sections of a page that has some, and is
/// hidden on others.
pub(super) fn button(h: &mut Markup<'_>, sections: bool) {
    h.open("button").attr("type", "button").attr("id", "open-contents").in_own_language();
    let (target, hidden) = if sections { (Some("sections"), None) } else { (None, Some("hidden")) };
    h.maybe("popovertarget", target).maybe("hidden", hidden).attr_said("title", "{key-contents}");
    icon(h, "{contents}");
    h.said("span", "{contents}").close().line();
}

/// The drawer, closed and empty, on a page of a text or on a general page.
pub(super) fn dialog(h: &mut Markup<'_>, text: Option<&str>) {
    h.open("dialog").attr("id", "drawer").attr("data-script", versioned(DRAWER_FILE));
    h.maybe("data-text", text.map(file_of));
    h.in_own_language().attr_said("aria-label", "{contents}").close().line();
}

/// What is in it at first.
pub(super) fn inside(h: &mut Markup<'_>) {
    h.open("p").open("label").said("span", "{jump}").text(" ");
    h.void("input").attr("type", "search").attr("autocomplete", "off").attr("spellcheck", "false");
    h.close().text(" ");
    h.open("button").attr("type", "button").say("{close}").close().close();
    // Words that no title has are looked for in the texts.
    h.open("p").attr("hidden", "hidden").open("button").attr("type", "button");
    h.attr("class", "texts").say("{jump-search}").close().close();
    h.open("nav").attr_said("aria-label", "{contents}").close();
}
