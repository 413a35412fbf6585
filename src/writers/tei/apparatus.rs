//! The apparatus: what notes say of readings, as `app` in a `listApp` after the text. It stands off
//! because the words meant lie elsewhere than the note, and often inside other elements; `@from`
//! points at the element that holds them, `lem` repeats them, `rdg/@source` points at the note,
//! which stays what it is.

use std::io;

use super::Context;
use super::inline::{evidence, responsible};
use super::places::Pointers;
use super::standoff::StandOff;
use super::text::Out;
use crate::model::{ApparatusEntry, Difference, Document, Layer};

/// Id of what the text itself reads.
const TEXT: &str = "wit-text";

/// The witnesses that entries name, each once, in the order met.
fn witnesses(document: &Document) -> Vec<&str> {
    let mut all: Vec<&str> = Vec::new();
    for w in document.apparatus.iter().flat_map(|e| std::iter::once(&e.witness).chain(&e.support)) {
        if !all.contains(&w.as_str()) {
            all.push(w);
        }
    }
    all
}

fn id(document: &Document, witness: &str) -> String {
    format!("wit-{}", witnesses(document).iter().position(|w| *w == witness).map_or(0, |i| i + 1))
}

/// The list of witnesses, for the header.
pub(super) fn list_wit(out: &mut Out<'_>, document: &Document) {
    if document.apparatus.is_empty() {
        return;
    }
    let siglum = document.meta.siglum.as_deref().unwrap_or("the text");
    out.raw("<listWit>\n");
    let named = witnesses(document);
    let ids = std::iter::once(TEXT.to_string()).chain(named.iter().map(|w| id(document, w)));
    for (id, words) in ids.zip(std::iter::once(siglum).chain(named.iter().copied())) {
        out.raw("<witness");
        out.attr("xml:id", &id);
        out.raw(">");
        out.plain(words);
        out.raw("</witness>\n");
    }
    out.raw("</listWit>\n");
}

impl StandOff<'_, '_> {
    /// All entries.
    pub(super) fn apparatus(
        &mut self,
        context: &Context<'_>,
        pointers: &Pointers<'_>,
    ) -> io::Result<()> {
        for (i, entry) in self.document.apparatus.iter().enumerate() {
            if i == 0 {
                self.group("<listApp>\n");
            }
            self.entry(context, entry, pointers);
            self.out.spill()?;
        }
        self.close(!self.document.apparatus.is_empty(), "</listApp>\n")
    }

    fn entry(&mut self, context: &Context<'_>, entry: &ApparatusEntry, pointers: &Pointers<'_>) {
        let document = self.document;
        self.out.raw("<app");
        self.out.attr("type", entry.difference.id());
        let place = entry.lemma.map_or_else(|| "#unresolved".to_string(), |l| pointers.here(l));
        let (first, last) = place
            .split_once(' ')
            .map_or((place.as_str(), None), |(a, rest)| (a, rest.split(' ').next_back()));
        self.out.attr("from", first);
        if let Some(last) = last {
            self.out.attr("to", last);
        }
        let mut ana = format!("#{}", entry.status.id());
        if let Some(codes) = evidence(&entry.evidence) {
            ana.push(' ');
            ana.push_str(&codes);
        }
        responsible(self.out, entry.certainty, true, Some(ana));
        self.out.raw(">");
        if let Some(lemma) = entry.lemma {
            let wit: Vec<String> = std::iter::once(TEXT.to_string())
                .chain(entry.support.iter().map(|s| id(document, s)))
                .collect();
            self.out.raw("<lem");
            self.out
                .attr("wit", &wit.iter().map(|w| format!("#{w}")).collect::<Vec<_>>().join(" "));
            self.out.raw(">");
            self.out.source(&document.words(lemma), false);
            self.out.raw("</lem>");
        }
        self.out.raw("<rdg");
        self.out.attr("wit", &format!("#{}", id(document, &entry.witness)));
        self.out.attr("source", &pointers.here(entry.span));
        let layer = document
            .segment_at(entry.span.start())
            .map_or(Layer::Zhu, |i| document.segments[i].layer);
        if let Some(who) = context
            .person(layer)
            .filter(|_| matches!(entry.difference, Difference::ReadAs | Difference::Emends))
        {
            self.out.attr("resp", &format!("#{who}"));
        }
        if let Some(reading) = entry.reading {
            self.out.raw(">");
            if entry.difference == Difference::Adds {
                self.out.source(
                    &entry.lemma.map(|l| document.words(l).into_owned()).unwrap_or_default(),
                    false,
                );
            }
            self.out.source(&document.words(reading), false);
            self.out.raw("</rdg>");
        } else {
            self.out.raw("/>");
        }
        self.out.raw("</app>\n");
    }
}
