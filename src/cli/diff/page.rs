//! The changes as a page.

use std::io;

use super::ComparedText;
use crate::markup::Markup;
use crate::writers::html::{About, Frame, shell};

/// Writes the page.
pub fn write(all: &[ComparedText], out: &mut dyn io::Write) -> io::Result<()> {
    let mut h = Markup::html(out);
    let title = "改動 changes";
    let facts = [("DC.title", title.to_string()), ("DC.format", "text/html".into())];
    let about = About { title, language: "zh-Hant", facts: &facts, beside: false };
    shell(&mut h, Frame::Alone, &about, |h| {
        h.open("header").attr("class", "top").line();
        h.open("h1").words(title).close().line().close().line();
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
            h.element("p", "無 nothing changed").line();
        }
        h.close().line();
    });
    h.finish()
}

fn table(h: &mut Markup<'_>, text: &ComparedText) {
    h.element("p", super::counts(&text.changes)).line();
    h.open("table").line().open("thead").open("tr");
    for head in ["處 place", "類 kind", "文 words", "舊 old", "新 new"] {
        h.open("th").attr("scope", "col").text(head).close();
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
