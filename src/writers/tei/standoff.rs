//! What is written after the text: links that cannot nest, parallels, the alignment with a
//! translation, details of evidence, and diagnostics.

use std::fmt::Display;

use ecow::eco_format;

use super::Context;
use super::inline::{both_original_and_reading, is_about_the_words};
use super::pointers::BeadSides;
use super::text::{Plain, source};
use crate::markup::Markup;
use crate::model::{LinkKind, ReadingKind, shown};

/// Writes `standOff`, if there is anything in it.
pub(super) fn write(xml: &mut Markup<'_>, context: &Context<'_>) {
    let mut off = StandOff { xml, context, open: false, annotations: 0 };
    off.evidence();
    off.readings();
    LinkKind::ALL.into_iter().for_each(|kind| off.links(kind));
    off.speeches();
    off.differences();
    context.pointers.alignments.iter().for_each(|beads| off.alignment(beads));
    off.apparatus();
    off.diagnostics();
    if off.open {
        xml.close().line();
    }
}

pub(super) struct StandOff<'a, 'w> {
    pub(super) xml: &'a mut Markup<'w>,
    pub(super) context: &'a Context<'a>,
    open: bool,
    annotations: usize,
}

impl StandOff<'_, '_> {
    /// An element around what `write` writes for each item; none if there are no items.
    pub(super) fn group<T>(
        &mut self,
        name: &'static str,
        kind: Option<&str>,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        let mut items = items.into_iter().peekable();
        if items.peek().is_none() {
            return;
        }
        if !std::mem::replace(&mut self.open, true) {
            self.xml.open("standOff").line();
        }
        self.xml.open(name).maybe("type", kind).line();
        items.for_each(|item| write(self, item));
        self.xml.close().line();
    }

    /// Opens an `annotation`; attributes and content may follow.
    fn annotation(&mut self, motivation: &str, target: impl Display) -> &mut Self {
        self.annotations += 1;
        self.xml.open("annotation").attr("xml:id", format_args!("annotation-{}", self.annotations));
        self.xml.attr("motivation", motivation).attr("target", target);
        self
    }

    /// A `note` in an annotation.
    fn note(&mut self, kind: &str, code: Option<&str>, text: &str) -> &mut Self {
        self.xml.open("note").attr("type", kind).maybe("n", code).text(Plain(text)).close();
        self
    }

    /// Details of the evidence of segments and readings: `@n` is its number in the list of `@ana`,
    /// from 1.
    fn evidence(&mut self) {
        let Context { document, inline, .. } = self.context;
        let segments = document.segments.iter().map(|s| (s.id.clone(), &s.evidence[..]));
        let readings = (0..document.readings.len())
            .filter(|i| inline.loose_readings.binary_search(i).is_err())
            .map(|i| (eco_format!("r{}", i + 1), &document.readings[i].evidence[..]));
        let details = segments.chain(readings).flat_map(|(id, list)| {
            let details = (1..).zip(list).filter_map(|(n, e)| Some((n, e, e.detail.as_ref()?)));
            details.map(move |(n, e, detail)| (id.clone(), n, e.code(), detail))
        });
        self.group("listAnnotation", Some("evidence"), details, |off, (id, n, code, detail)| {
            off.annotation("describing", format_args!("#{id}")).xml.attr("n", n);
            off.note("evidence", Some(code), detail).xml.close().line();
        });
    }

    /// Readings that cross the border of a sentence or a segment.
    fn readings(&mut self) {
        let Context { document, inline, pointers, .. } = self.context;
        self.group("listAnnotation", Some("readings"), &inline.loose_readings, |off, i| {
            let reading = &document.readings[*i];
            let context = off.context;
            let xml = &mut *off.annotation("editing", &pointers.readings[*i]).xml;
            context.inferred(xml, reading.certainty, None, &reading.evidence);
            let (both, original, other) = both_original_and_reading(reading.kind);
            xml.open("note").attr("type", "reading");
            if is_about_the_words(reading.kind) {
                source(
                    xml.open(original).attr("reason", super::inline::why_not_there(reading)),
                    document.slice(reading.span),
                    false,
                );
                xml.close().close().close().line();
                return;
            }
            xml.open(both);
            let mut words = [document.slice(reading.span), &reading.reading];
            if reading.kind == ReadingKind::Source {
                words.reverse();
            }
            for (element, text) in [original, other].into_iter().zip(words) {
                source(xml.open(element), text, false);
                xml.close();
            }
            xml.close().close().close().line();
        });
    }

    /// The links of a kind that could not nest.
    fn links(&mut self, kind: LinkKind) {
        let Context { document, inline, pointers, .. } = self.context;
        let links = inline.loose_links.iter().map(|i| (&document.links[*i], &pointers.links[*i]));
        let links = links.filter(|(link, _)| link.kind == kind);
        self.group("linkGrp", Some(kind.id()), links, |off, (link, ends)| {
            off.xml.void("link").attr("target", ends);
            off.context.inferred(off.xml, link.certainty, Some(link.status), &link.evidence);
            off.xml.line();
        });
    }

    /// What is said across the borders of elements.
    fn speeches(&mut self) {
        let Context { document, inline, pointers, .. } = self.context;
        self.group("listAnnotation", Some("speeches"), &inline.loose_speeches, |off, i| {
            let speech = &document.speeches[*i];
            let context = off.context;
            let xml = &mut *off.annotation("identifying", &pointers.speeches[*i]).xml;
            context.inferred(xml, speech.certainty, None, &speech.evidence);
            off.note("speaker", None, &speech.who).xml.close().line();
        });
    }

    /// How a quotation or parallel differs from the text it leads to: an annotation of both ends.
    fn differences(&mut self) {
        let Context { document, pointers, .. } = self.context;
        let details = document.links.iter().zip(&pointers.links).flat_map(|(link, ends)| {
            let details =
                shown(&link.evidence).filter_map(|e| Some((e.code(), e.detail.as_ref()?)));
            details.map(move |(code, detail)| (ends, code, detail))
        });
        self.group("listAnnotation", Some("differences"), details, |off, (ends, code, detail)| {
            off.annotation("describing", ends).note("evidence", Some(code), detail);
            off.xml.close().line();
        });
    }

    /// Beads with two sides as links; those with one side get a note that they have no counterpart.
    fn alignment(&mut self, beads: &[BeadSides]) {
        let filled = beads.iter().filter(|b| !b.sides.is_empty());
        let (paired, lone): (Vec<_>, Vec<_>) = filled.partition(|b| b.sides.len() == 2);
        self.group("linkGrp", Some("translation"), paired, |off, bead| {
            off.xml.void("link").attr("target", bead.sides.join(" "));
            off.xml.inferred_by(bead.certainty, bead.by.as_deref()).line();
        });
        self.group("listAnnotation", Some("unaligned"), lone, |off, bead| {
            let by = bead.by.as_deref();
            off.annotation("commenting", &bead.sides[0]).xml.inferred_by(bead.certainty, by);
            off.note("unaligned", None, "no counterpart").xml.close().line();
        });
    }

    fn diagnostics(&mut self) {
        let Context { document, pointers, .. } = self.context;
        let diagnostics = document.diagnostics.iter().zip(&pointers.diagnostics);
        self.group("listAnnotation", Some("diagnostics"), diagnostics, |off, (d, target)| {
            off.annotation("commenting", target);
            off.note(d.severity.as_str(), Some(&d.code), &d.message);
            if let Some(hint) = &d.hint {
                off.note("hint", None, hint);
            }
            off.xml.close().line();
        });
    }
}
