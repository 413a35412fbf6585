//! Lists over all texts of a corpus: the apparatus, and what could not be placed.

use std::io;

use super::frame::{APPARATUS, Title, UNPLACED, frame};
use crate::corpus::{Library, Loci};
use crate::markup::Markup;
use crate::model::phrases::{phrase, why};
use crate::model::{ApparatusEntry, Difference, Document, Link, LinkKind, Status};
use crate::source::Span;
use crate::writers::html::addresses::Addresses;
use crate::writers::html::clip;
use crate::writers::html::phrases::{is_low, reference};

/// Writes `index.apparatus.html`: the other readings that the notes report, with links to lemma and
/// note.
pub(super) fn apparatus(
    library: &Library,
    title: Title<'_>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut addresses = Addresses::over_sheets(library);
    frame(APPARATUS, (title, library.language), out, |h| {
        let mut texts = library.documents.iter().filter(|d| !d.apparatus.is_empty()).peekable();
        h.said("h2", "{apparatus}").line();
        if texts.peek().is_none() {
            h.said("p", "{nothing}").line();
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
        None => _ = h.open("span").attr("class", "none").say("{lemma-unknown}").close(),
    }
    h.text("] ").words(&e.witness).text(" ");
    match (e.difference, e.reading) {
        (Difference::Adds, Some(r)) => {
            h.text("+ ");
            linked(h, document, r, addresses);
        }
        (_, Some(r)) => linked(h, document, r, addresses),
        (Difference::Lacks, None) => _ = h.said("span", "{omits}"),
        (_, None) => _ = h.said("span", "{deletes}"),
    }
    let why = why(e.certainty, &e.evidence);
    h.said("small", &format!(" {} · {why}", phrase(e.difference.id()))).close().line();
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
    frame(UNPLACED, (title, library.language), out, |h| {
        h.open("h2").said("span", "{not-placed}");
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
                h.open("h3").said("span", &phrase(kind.id()));
                h.element("small", format_args!(" {}", links.len())).close().open("ul").line();
                for link in links {
                    h.open("li");
                    linked(h, document, link.span, &mut addresses);
                    h.said("small", &format!(" {}", reference(link))).close().line();
                }
                h.close().line();
            }
            h.close().line();
        }
    })
}
