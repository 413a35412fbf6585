//! The apparatus: readings reported in notes, as `app` in a `listApp` after the text. It is
//! stand-off because the lemma is not in the note, and often inside other elements. `@from` points
//! at the element that contains the lemma, `lem` repeats it, and `rdg/@source` points at the note,
//! which does not change.

use super::Context;
use super::standoff::StandOff;
use super::text::{Plain, source};
use crate::markup::Markup;
use crate::model::{ApparatusEntry, Difference, Document, Layer};

/// Id of the text as a witness.
const TEXT: &str = "wit-text";

/// The witnesses that entries name, each once, in the order of first mention.
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
pub(super) fn list_wit(xml: &mut Markup<'_>, document: &Document) {
    if document.apparatus.is_empty() {
        return;
    }
    let siglum = document.meta.siglum.as_deref().unwrap_or("the text");
    xml.open("listWit").line();
    let named = witnesses(document);
    let ids = std::iter::once(TEXT.to_string()).chain(named.iter().map(|w| id(document, w)));
    for (id, name) in ids.zip(std::iter::once(siglum).chain(named.iter().copied())) {
        xml.open("witness").attr("xml:id", id).text(Plain(name)).close().line();
    }
    xml.close().line();
}

impl StandOff<'_, '_> {
    /// All entries.
    pub(super) fn apparatus(&mut self) {
        let Context { document, pointers, .. } = self.context;
        let entries = document.apparatus.iter().zip(&pointers.apparatus);
        self.group("listApp", None, entries, |off, (entry, (lemma, note))| {
            off.entry(entry, lemma, note);
        });
    }

    /// One entry; its lemma is in the elements `place`, its note in `note`.
    fn entry(&mut self, entry: &ApparatusEntry, place: &str, note: &str) {
        let (document, xml) = (self.context.document, &mut *self.xml);
        let (first, last) = place
            .split_once(' ')
            .map_or((place, None), |(a, rest)| (a, rest.split(' ').next_back()));
        xml.open("app").attr("type", entry.difference.id()).attr("from", first).maybe("to", last);
        self.context.inferred(xml, entry.certainty, Some(entry.status), &entry.evidence);
        if let Some(lemma) = entry.lemma {
            let wit: Vec<String> = std::iter::once(format!("#{TEXT}"))
                .chain(entry.support.iter().map(|s| format!("#{}", id(document, s))))
                .collect();
            xml.open("lem").attr("wit", wit.join(" "));
            source(xml, &document.words(lemma), false);
            xml.close();
        }
        match entry.reading {
            Some(_) => xml.open("rdg"),
            None => xml.void("rdg"),
        };
        xml.attr("wit", format_args!("#{}", id(document, &entry.witness)));
        xml.attr("source", note);
        let layer = document
            .segment_at(entry.span.start())
            .map_or(Layer::Zhu, |i| document.segments[i].layer);
        if let Some(who) = self
            .context
            .person(layer)
            .filter(|_| matches!(entry.difference, Difference::ReadAs | Difference::Emends))
        {
            xml.attr("resp", format_args!("#{who}"));
        }
        if let Some(reading) = entry.reading {
            if let Some(lemma) = entry.lemma.filter(|_| entry.difference == Difference::Adds) {
                source(xml, &document.words(lemma), false);
            }
            source(xml, &document.words(reading), false);
            xml.close();
        }
        xml.close().line();
    }
}
