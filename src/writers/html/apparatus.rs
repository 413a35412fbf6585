//! What notes say about the text of an element: the readings, each with a link to its note.

use std::collections::BTreeMap;

use super::Page;
use super::addresses::open_link;
use super::phrases::is_low;
use crate::markup::Markup;
use crate::model::phrases::{phrase, why};
use crate::model::{ApparatusEntry, Difference};
use crate::reading::ChapterText;

/// Entries by the element they are about.
pub(super) type Readings<'a> = BTreeMap<usize, Vec<&'a ApparatusEntry>>;

/// Finds what is said about the text of a page.
pub(super) fn readings<'a>(chapter: &'a ChapterText<'_>) -> Readings<'a> {
    let mut all = Readings::new();
    for entry in &chapter.document.apparatus {
        let range = entry.lemma.map(|l| chapter.meet(l)).unwrap_or_default();
        if !range.is_empty() {
            all.entry(range.start).or_default().push(entry);
        }
    }
    all
}

impl Page<'_> {
    /// `縮] 古文 蹙`: the lemma links to its place in the text, the reading to its note.
    pub(super) fn reading_list(&self, h: &mut Markup<'_>, entries: &[&ApparatusEntry]) {
        let document = &self.chapter.document;
        h.said("p", "{readings}").open("ul");
        for e in entries {
            h.open("li").attr("class", if is_low(e.certainty) { "low" } else { "app" });
            let difference = phrase(e.difference.id());
            h.attr_said("title", &format!("{difference} {}", why(e.certainty, &e.evidence)));
            if let Some(lemma) = e.lemma {
                open_link(h, self.here.address(lemma));
                h.words(&document.words(lemma)).close().text("] ");
            }
            open_link(h, self.here.address(e.span));
            h.words(&e.witness).text(" ");
            match (e.difference, e.reading) {
                (Difference::Adds, Some(r)) => h.text("+ ").words(&document.words(r)),
                (_, Some(r)) => h.words(&document.words(r)),
                (Difference::Lacks, None) => h.said("span", "{omits}"),
                (_, None) => h.said("span", "{deletes}"),
            };
            h.close().said("small", &format!(" {difference}")).close();
        }
        h.close();
    }
}
