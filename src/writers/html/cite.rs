//! How to cite a sentence: its words with their source, its locus, URN and address, and a record
//! for reference managers. The page's script fills in the sentence that the reader asks for.

use super::Page;
use crate::markup::Markup;

/// What can be copied, and its name.
const PARTS: &[(&str, &str)] =
    &[("words", "{cite-words}"), ("urn", "{cite-urn}"), ("link", "{cite-link}")];

impl Page<'_> {
    /// The form that is filled in; it is closed until then.
    pub(super) fn citation(&self, h: &mut Markup<'_>) {
        let document = &*self.chapter.document;
        h.open("div").attr("id", "cite").attr("class", "pop").attr("popover", "auto");
        h.attr("data-urn", self.anchors.urn()).attr("data-locus", self.anchors.text());
        h.attr("data-title", &document.meta.title).in_own_language();
        let styles = &self.addresses.in_site.styles;
        h.maybe("data-styles", (!styles.is_empty()).then_some(styles));
        h.attr_said("aria-label", "{cite}").attr("role", "dialog");
        if h.is_switchable() {
            h.maybe("data-record", self.addresses.in_site.record.as_ref());
        } else {
            form(h.line(), self.addresses.in_site.record.as_deref(), false);
        }
        h.close().line();
    }
}

/// All that can be copied. In a site a sentence can also be collected.
pub(super) fn form(h: &mut Markup<'_>, record: Option<&str>, in_site: bool) {
    h.open("dl").line();
    for (part, name) in PARTS {
        copied(h, part, name, "span", "");
    }
    // The page's script fills in the styles.
    h.open("dt").open("select").attr("class", "cite-style").attr_said("aria-label", "{cite-style}");
    h.close().close().open("dd").open("span").attr("data-cite", "style").close();
    button(h, "style");
    if let Some(record) = record {
        copied(h, "record", "BibTeX", "pre", record);
    }
    if in_site {
        h.said("dt", "{collected}").open("dd");
        collecting(h, "add", "{collect-add}");
        collecting(h, "show", "{collect-show}");
        h.close().line();
    }
    h.close();
}

/// The sentences that were collected, as a list from which `zhushu export --passages` makes a
/// handout. The script fills it in.
pub(super) fn collected(h: &mut Markup<'_>) {
    h.open("div").attr("id", "collected").attr("class", "pop").attr("popover", "auto");
    h.attr("tabindex", -1).attr("role", "dialog").in_own_language();
    h.attr_said("aria-label", "{collected}").line();
    h.said("h2", "{collected}").open("ol").close().line();
    h.open("span").attr("id", "collect-remove").attr("hidden", "hidden").say("{collect-remove}");
    h.close().line();
    h.open("p").attr("class", "none").say("{collected-none}").close().line();
    h.open("p").attr("class", "some").say("{collected-about}").close().line();
    h.open("p").attr("class", "some");
    for (does, name) in
        [("copy", "{collect-copy}"), ("save", "{collect-save}"), ("clear", "{collect-clear}")]
    {
        collecting(h, does, name);
    }
    h.close().close().line();
}

fn collecting(h: &mut Markup<'_>, does: &str, name: &str) {
    h.open("button").attr("type", "button").attr("data-collect", does);
    h.said("span", name);
    if does == "show" {
        h.text(" ").open("small").close();
    }
    h.close().text(" ");
}

/// One part with its button.
fn copied(
    h: &mut Markup<'_>,
    part: &'static str,
    name: &'static str,
    element: &'static str,
    words: &str,
) {
    h.said("dt", name).open("dd").open(element).attr("data-cite", part).text(words).close();
    button(h, part);
}

/// Ends a part with the button that copies it.
fn button(h: &mut Markup<'_>, part: &'static str) {
    h.text(" ").open("button").attr("type", "button").attr("data-copy", part);
    h.say("{copy}").close().close().line();
}
