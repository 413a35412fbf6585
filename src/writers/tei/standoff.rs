//! What stands off after the text: links that cannot nest, parallels, the alignment with a
//! translation, evidence in words, and what was noticed.

use std::io;

use super::Context;
use super::inline::{Inline, evidence, judged, responsible};
use super::places::Pointers;
use super::text::Out;
use crate::diag::Diagnostic;
use crate::model::{Alignment, Bead, Document, Evidence, Link, LinkKind, Reading, ReadingKind};
use crate::source::Span;

/// From `<standOff>` to `</standOff>`, or nothing where there is nothing to say.
pub(super) fn write(
    out: &mut Out<'_>,
    context: &Context<'_>,
    pointers: &mut Pointers<'_>,
    plan: &Inline,
) -> io::Result<()> {
    let mut off = StandOff { out, document: context.document, open: false, annotations: 0 };
    off.evidence(plan)?;
    off.readings(pointers, plan)?;
    for kind in LinkKind::ALL {
        let links =
            plan.loose_links.iter().map(|i| &context.document.links[*i]).filter(|l| l.kind == kind);
        off.links(kind, links, pointers)?;
    }
    off.differences(pointers)?;
    for alignment in context.library.alignments.iter().filter(|a| a.source == context.document.id) {
        off.alignment(alignment, pointers)?;
    }
    off.apparatus(context, pointers)?;
    off.diagnostics(pointers)?;
    if off.open {
        off.out.raw("</standOff>\n");
    }
    Ok(())
}

pub(super) struct StandOff<'a, 'w> {
    pub(super) out: &'a mut Out<'w>,
    pub(super) document: &'a Document,
    open: bool,
    annotations: usize,
}

impl StandOff<'_, '_> {
    /// Opens the group `xml` after opening what holds it.
    pub(super) fn group(&mut self, xml: &str) {
        if !std::mem::replace(&mut self.open, true) {
            self.out.raw("<standOff>\n");
        }
        self.out.raw(xml);
    }

    /// `<annotation …>` up to its content; `@n` is a number of ours.
    fn annotation(&mut self, motivation: &str, target: &str, n: Option<usize>) {
        self.annotations += 1;
        self.out.raw("<annotation xml:id=\"annotation-");
        self.out.show(self.annotations);
        self.out.raw("\" motivation=\"");
        self.out.raw(motivation);
        self.out.raw("\"");
        self.out.attr("target", target);
        if let Some(n) = n {
            self.out.raw(" n=\"");
            self.out.show(n);
            self.out.raw("\"");
        }
    }

    fn note(&mut self, kind: &str, code: Option<&str>, words: &str) {
        self.out.raw("<note");
        self.out.attr("type", kind);
        if let Some(code) = code {
            self.out.attr("n", code);
        }
        self.out.raw(">");
        self.out.plain(words);
        self.out.raw("</note>");
    }

    /// Evidence that is in words, of segments: `@n` is its number among the evidence that `@ana`
    /// lists, from 1.
    fn evidence(&mut self, plan: &Inline) -> io::Result<()> {
        let document = self.document;
        let mut any = false;
        let of = document.segments.iter().map(|s| (s.id.clone(), &s.evidence));
        let inline = |i: &usize| plan.loose_readings.binary_search(i).is_err();
        let readings = (0..document.readings.len())
            .filter(inline)
            .map(|i| (format!("r{}", i + 1), &document.readings[i].evidence));
        for (id, list) in of.chain(readings) {
            for (n, Evidence { code, detail }) in list.iter().enumerate() {
                let Some(detail) = detail else { continue };
                if !std::mem::replace(&mut any, true) {
                    self.group("<listAnnotation type=\"evidence\">\n");
                }
                self.annotation("describing", &format!("#{id}"), Some(n + 1));
                self.out.raw(">");
                self.note("evidence", Some(code), detail);
                self.out.raw("</annotation>\n");
                self.out.spill()?;
            }
        }
        self.close(any, "</listAnnotation>\n")
    }

    pub(super) fn close(&mut self, any: bool, xml: &str) -> io::Result<()> {
        if any {
            self.out.raw(xml);
        }
        self.out.spill()
    }

    /// Readings whose words cross the border of a sentence or a segment.
    fn readings(&mut self, pointers: &Pointers<'_>, plan: &Inline) -> io::Result<()> {
        let document = self.document;
        for (k, i) in plan.loose_readings.iter().enumerate() {
            if k == 0 {
                self.group("<listAnnotation type=\"readings\">\n");
            }
            let Reading { span, reading, kind, certainty, evidence: why } = &document.readings[*i];
            self.annotation("editing", &pointers.here(*span), None);
            responsible(self.out, *certainty, true, evidence(why));
            self.out.raw("><note type=\"reading\"><choice>");
            let (here, there) = match kind {
                ReadingKind::Repair => ("sic", "corr"),
                ReadingKind::Variant => ("orig", "reg"),
            };
            for (element, words) in [(here, document.slice(*span)), (there, reading)] {
                self.out.show(format_args!("<{element}>"));
                self.out.source(words, false);
                self.out.show(format_args!("</{element}>"));
            }
            self.out.raw("</choice></note></annotation>\n");
        }
        self.close(!plan.loose_readings.is_empty(), "</listAnnotation>\n")
    }

    fn links<'l>(
        &mut self,
        kind: LinkKind,
        links: impl Iterator<Item = &'l Link>,
        pointers: &mut Pointers<'_>,
    ) -> io::Result<()> {
        let mut any = false;
        for link in links {
            if !std::mem::replace(&mut any, true) {
                self.group(&format!("<linkGrp type=\"{}\">\n", kind.id()));
            }
            let from = pointers.here(link.span);
            let to = pointers.target(link.target.as_ref());
            self.out.raw("<link");
            self.out.attr("target", &format!("{from} {to}"));
            judged(self.out, link);
            self.out.raw("/>\n");
            self.out.spill()?;
        }
        self.close(any, "</linkGrp>\n")
    }

    /// What a quotation or parallel has otherwise than the words it leads to: an annotation of both
    /// ends.
    fn differences(&mut self, pointers: &mut Pointers<'_>) -> io::Result<()> {
        let document = self.document;
        let mut any = false;
        for link in &document.links {
            let details = link.evidence.iter().filter_map(|e| Some((e.code, e.detail.as_deref()?)));
            for (code, detail) in details {
                if !std::mem::replace(&mut any, true) {
                    self.group("<listAnnotation type=\"differences\">\n");
                }
                let ends = format!(
                    "{} {}",
                    pointers.here(link.span),
                    pointers.target(link.target.as_ref())
                );
                self.annotation("describing", &ends, None);
                self.out.raw(">");
                self.note("evidence", Some(code), detail);
                self.out.raw("</annotation>\n");
                self.out.spill()?;
            }
        }
        self.close(any, "</listAnnotation>\n")
    }

    /// Beads with two sides as links; those with one are said to have no counterpart.
    fn alignment(&mut self, alignment: &Alignment, pointers: &mut Pointers<'_>) -> io::Result<()> {
        let worded =
            alignment.beads.iter().filter(|b| !b.source.is_empty() || !b.translation.is_empty());
        let (paired, lone): (Vec<&Bead>, Vec<&Bead>) =
            worded.partition(|b| !b.source.is_empty() && !b.translation.is_empty());
        for (i, bead) in paired.iter().enumerate() {
            if i == 0 {
                self.group("<linkGrp type=\"translation\">\n");
            }
            let target = [
                side(pointers, None, &bead.source),
                side(pointers, Some(&alignment.translation), &bead.translation),
            ]
            .join(" ");
            self.out.raw("<link");
            self.out.attr("target", &target);
            self.out.raw(" cert=\"");
            self.out.show(bead.certainty.rounded());
            self.out.raw("\" resp=\"#zhushu\"/>\n");
            self.out.spill()?;
        }
        self.close(!paired.is_empty(), "</linkGrp>\n")?;
        for (i, bead) in lone.iter().enumerate() {
            if i == 0 {
                self.group("<listAnnotation type=\"unaligned\">\n");
            }
            let target = match bead.source.is_empty() {
                true => side(pointers, Some(&alignment.translation), &bead.translation),
                false => side(pointers, None, &bead.source),
            };
            self.annotation("commenting", &target, None);
            self.out.raw(" cert=\"");
            self.out.show(bead.certainty.rounded());
            self.out.raw("\" resp=\"#zhushu\">");
            self.note("unaligned", None, "no counterpart");
            self.out.raw("</annotation>\n");
            self.out.spill()?;
        }
        self.close(!lone.is_empty(), "</listAnnotation>\n")
    }

    fn diagnostics(&mut self, pointers: &Pointers<'_>) -> io::Result<()> {
        let document = self.document;
        for (i, Diagnostic { severity, code, span, message, hint }) in
            document.diagnostics.iter().enumerate()
        {
            if i == 0 {
                self.group("<listAnnotation type=\"diagnostics\">\n");
            }
            let target = span.map_or_else(|| "#zhushu".to_string(), |s| pointers.here(s));
            self.annotation("commenting", &target, None);
            self.out.raw(">");
            self.note(severity.as_str(), Some(code), message);
            if let Some(hint) = hint {
                self.note("hint", None, hint);
            }
            self.out.raw("</annotation>\n");
            self.out.spill()?;
        }
        self.close(!document.diagnostics.is_empty(), "</listAnnotation>\n")
    }
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
