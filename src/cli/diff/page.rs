//! The changes as a page.

use std::io;

use super::ComparedText;
use crate::language::Language;
use crate::markup::Markup;
use crate::writers::html::{About, Frame, shell};

/// Writes the page.
pub fn write(all: &[ComparedText], own: Language, out: &mut dyn io::Write) -> io::Result<()> {
    let mut h = Markup::html(out);
    let title = "{changes}";
    let facts = [("DC.title", own.fill(title)), ("DC.format", "text/html".into())];
    let about =
        About { title, text: None, language: None, own, facts: &facts, beside: false, images: "" };
    shell(&mut h, Frame::Alone, &about, |h| {
        h.open("header").attr("class", "top").line();
        h.said("h1", title).line().close().line();
        h.open("main").attr("id", "text").attr("class", "text").line();
        for text in all.iter().filter(|t| t.only.is_some() || !t.changes.is_empty()) {
            h.open("section").line().open("h2").words(&text.id).close().line();
            match text.only {
                Some(which) => {
                    h.element("p", format_args!("only in the {which} folder")).line();
                }
                None => table(h, text),
            }
            h.close().line();
        }
        if all.iter().all(|t| t.only.is_none() && t.changes.is_empty()) {
            h.said("p", "{nothing-changed}").line();
        }
        h.close().line();
    });
    h.finish()
}

fn table(h: &mut Markup<'_>, text: &ComparedText) {
    h.element("p", super::counts(&text.changes)).line();
    h.open("table").line().open("thead").open("tr");
    for head in
        ["{change-place}", "{change-kind}", "{change-words}", "{change-old}", "{change-new}"]
    {
        h.open("th").attr("scope", "col").say(head).close();
    }
    h.close().close().line().open("tbody").line();
    for c in &text.changes {
        h.open("tr").element("td", c.place()).element("td", c.kind);
        for words in [&c.words, &c.old, &c.new] {
            h.open("td").words(words).close();
        }
        h.close().line();
    }
    h.close().close().line();
}
