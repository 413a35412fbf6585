//! What is written after the text: links that cannot nest, parallels, the alignment with a
//! translation, evidence in words, and what was noticed.

use std::fmt::Display;

use super::Context;
use super::inline::{Inline, evidence, judged, responsible};
use super::pointers::Pointers;
use super::text::{Plain, source};
use crate::markup::Markup;
use crate::model::{Alignment, Bead, Document, Link, LinkKind, ReadingKind};
use crate::source::Span;

/// Writes `standOff`, if there is anything in it.
pub(super) fn write(
    xml: &mut Markup<'_>,
    context: &Context<'_>,
    pointers: &mut Pointers<'_>,
    plan: &Inline,
) {
    let mut off = StandOff { xml, document: context.document, open: false, annotations: 0 };
    off.evidence(plan);
    off.readings(pointers, plan);
    for kind in LinkKind::ALL {
        let links = plan.loose_links.iter().map(|i| &context.document.links[*i]);
        off.links(kind, links.filter(|l| l.kind == kind), pointers);
    }
    off.differences(pointers);
    for alignment in context.library.alignments.iter().filter(|a| a.source == context.document.id) {
        off.alignment(alignment, pointers);
    }
    off.apparatus(context, pointers);
    off.diagnostics(pointers);
    if off.open {
        off.xml.close().line();
    }
}

pub(super) struct StandOff<'a, 'w> {
    pub(super) xml: &'a mut Markup<'w>,
    pub(super) document: &'a Document,
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

    /// Evidence in words, of segments and readings: `@n` is its number in the list of `@ana`, from
    /// 1.
    fn evidence(&mut self, plan: &Inline) {
        let document = self.document;
        let segments = document.segments.iter().map(|s| (s.id.clone(), &s.evidence));
        let inline = |i: &usize| plan.loose_readings.binary_search(i).is_err();
        let readings = (0..document.readings.len())
            .filter(inline)
            .map(|i| (format!("r{}", i + 1), &document.readings[i].evidence));
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
    fn readings(&mut self, pointers: &Pointers<'_>, plan: &Inline) {
        let document = self.document;
        let readings = plan.loose_readings.iter().map(|i| &document.readings[*i]);
        self.group("listAnnotation", Some("readings"), readings, |off, r| {
            let xml = &mut *off.annotation("editing", pointers.here(r.span)).xml;
            responsible(xml, r.certainty, true, evidence(&r.evidence));
            xml.open("note").attr("type", "reading").open("choice");
            let (here, there) = match r.kind {
                ReadingKind::Repair => ("sic", "corr"),
                ReadingKind::Variant => ("orig", "reg"),
            };
            for (element, text) in [(here, document.slice(r.span)), (there, &r.reading)] {
                source(xml.open(element), text, false);
                xml.close();
            }
            xml.close().close().close().line();
        });
    }

    fn links<'l>(
        &mut self,
        kind: LinkKind,
        links: impl Iterator<Item = &'l Link>,
        pointers: &mut Pointers<'_>,
    ) {
        self.group("linkGrp", Some(kind.id()), links, |off, link| {
            judged(off.xml.void("link").attr("target", ends(link, pointers)), link);
            off.xml.line();
        });
    }

    /// How a quotation or parallel differs from the text it leads to: an annotation of both ends.
    fn differences(&mut self, pointers: &mut Pointers<'_>) {
        let details = self.document.links.iter().flat_map(|link| {
            let details =
                link.evidence.iter().filter_map(|e| Some((e.code(), e.detail.as_deref()?)));
            details.map(move |(code, detail)| (link, code, detail))
        });
        self.group("listAnnotation", Some("differences"), details, |off, (link, code, detail)| {
            off.annotation("describing", ends(link, pointers)).note("evidence", Some(code), detail);
            off.xml.close().line();
        });
    }

    /// Beads with two sides as links; those with one get a note that they have no counterpart.
    fn alignment(&mut self, alignment: &Alignment, pointers: &mut Pointers<'_>) {
        let filled =
            alignment.beads.iter().filter(|b| !b.source.is_empty() || !b.translation.is_empty());
        let (paired, lone): (Vec<&Bead>, Vec<&Bead>) =
            filled.partition(|b| !b.source.is_empty() && !b.translation.is_empty());
        let translation = Some(alignment.translation.as_str());
        self.group("linkGrp", Some("translation"), paired, |off, bead| {
            let source = side(pointers, None, &bead.source);
            let target = side(pointers, translation, &bead.translation);
            off.xml.void("link").attr("target", format_args!("{source} {target}"));
            responsible(off.xml, bead.certainty, true, None);
            off.xml.line();
        });
        self.group("listAnnotation", Some("unaligned"), lone, |off, bead| {
            let target = match bead.source.is_empty() {
                true => side(pointers, translation, &bead.translation),
                false => side(pointers, None, &bead.source),
            };
            responsible(off.annotation("commenting", target).xml, bead.certainty, true, None);
            off.note("unaligned", None, "no counterpart").xml.close().line();
        });
    }

    fn diagnostics(&mut self, pointers: &Pointers<'_>) {
        let diagnostics = &self.document.diagnostics;
        self.group("listAnnotation", Some("diagnostics"), diagnostics, |off, d| {
            let target = d.span.map_or_else(|| "#zhushu".to_string(), |s| pointers.here(s));
            off.annotation("commenting", target);
            off.note(d.severity.as_str(), Some(d.code), &d.message);
            if let Some(hint) = &d.hint {
                off.note("hint", None, hint);
            }
            off.xml.close().line();
        });
    }
}

/// Both ends of a link.
fn ends(link: &Link, pointers: &mut Pointers<'_>) -> String {
    format!("{} {}", pointers.here(link.span), pointers.target(link.target.as_ref()))
}

/// The ids of one side of a bead, each once.
fn side(pointers: &mut Pointers<'_>, doc: Option<&str>, spans: &[Span]) -> String {
    let mut list: Vec<String> = Vec::new();
    for span in spans {
        let ids = match doc {
            None => pointers.here(*span),
            Some(id) => pointers.there(id, *span),
        };
        for id in ids.split(' ') {
            if !list.iter().any(|l| l == id) {
                list.push(id.to_string());
            }
        }
    }
    list.join(" ")
}
