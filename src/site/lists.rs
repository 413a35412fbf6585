//! Lists over all texts of a corpus: the apparatus, and what could not be placed.

use std::io;

use super::frame::{APPARATUS, Title, UNPLACED, frame};
use crate::corpus::{Library, Loci};
use crate::markup::Markup;
use crate::model::phrases::{Phrase, Why};
use crate::model::{ApparatusEntry, Difference, Document, Link, LinkKind, Status};
use crate::source::Span;
use crate::writers::html::addresses::Addresses;
use crate::writers::html::clip;
use crate::writers::html::phrases::{Reference, is_low};

/// Writes `index.apparatus.html`: the other readings that the notes report, with links to lemma and
/// note.
pub(super) fn apparatus(
    library: &Library,
    title: Title<'_>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut addresses = Addresses::over_sheets(library);
    frame(APPARATUS, title, out, |h| {
        let mut texts = library.documents.iter().filter(|d| !d.apparatus.is_empty()).peekable();
        h.open("h2").text("校勘 apparatus").close().line();
        if texts.peek().is_none() {
            h.element("p", "無 nothing").line();
        }
        for document in texts {
            let loci = Loci::of(document);
            h.open("h3").words(&document.meta.title);
            h.element("small", format_args!(" {}", document.apparatus.len())).close();
            h.open("ol").attr("class", "app").line();
            for e in &document.apparatus {
                entry(h, document, &loci, e, &mut addresses);
            }
            h.close().line();
        }
    })
}

fn entry(
    h: &mut Markup<'_>,
    document: &Document,
    loci: &Loci<'_>,
    e: &ApparatusEntry,
    addresses: &mut Addresses<'_>,
) {
    h.open("li").attr("class", if is_low(e.certainty) { "low" } else { "app" });
    let locus = loci.name(e.lemma.unwrap_or(e.span));
    h.open("small").text(locus.map(|l| l.passage()).unwrap_or_default()).text(" ").close();
    match e.lemma {
        Some(lemma) => linked(h, document, lemma, addresses),
        None => _ = h.open("span").attr("class", "none").text("〔未詳何字〕").close(),
    }
    h.text("] ").words(&e.witness).text(" ");
    match (e.difference, e.reading) {
        (Difference::Adds, Some(r)) => {
            h.text("+ ");
            linked(h, document, r, addresses);
        }
        (_, Some(r)) => linked(h, document, r, addresses),
        (Difference::Lacks, None) => _ = h.text("無 om."),
        (_, None) => _ = h.text("衍 del."),
    }
    h.element(
        "small",
        format_args!(" {} · {}", Phrase(e.difference.id()), Why(e.certainty, &e.evidence)),
    )
    .close()
    .line();
}

/// Words of a text as a link to their place.
fn linked(h: &mut Markup<'_>, document: &Document, span: Span, addresses: &mut Addresses<'_>) {
    let address = addresses.there(&document.id, span);
    h.open("a").maybe("href", address.map(|a| a.href));
    h.words(clip(&document.words(span), 40)).close();
}

/// Writes `index.unplaced.html`: references without a target, by text and kind, each with its
/// place.
pub(super) fn unplaced(
    library: &Library,
    title: Title<'_>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let is_lost = |l: &&Link| l.target.is_none() && l.status != Status::TitleOnly;
    let lost = |d: &Document| d.links.iter().filter(is_lost).count();
    let total: usize = library.documents.iter().map(|d| lost(d)).sum();
    let mut addresses = Addresses::over_sheets(library);
    frame(UNPLACED, title, out, |h| {
        h.open("h2").text("未能定位 what could not be placed");
        h.element("small", format_args!(" {total}")).close().line();
        for document in library.documents.iter().filter(|d| lost(d) > 0) {
            h.open("details").attr("open", "open").open("summary").words(&document.meta.title);
            h.element("small", format_args!(" {}", lost(document))).close().line();
            for kind in LinkKind::ALL {
                let links: Vec<&Link> =
                    document.links.iter().filter(|l| l.kind == kind && is_lost(l)).collect();
                if links.is_empty() {
                    continue;
                }
                h.open("h3").text(Phrase(kind.id()));
                h.element("small", format_args!(" {}", links.len())).close().open("ul").line();
                for link in links {
                    h.open("li");
                    linked(h, document, link.span, &mut addresses);
                    h.element("small", format_args!(" {}", Reference(link))).close().line();
                }
                h.close().line();
            }
            h.close().line();
        }
    })
}
