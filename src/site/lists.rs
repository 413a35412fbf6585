//! The apparatus of a corpus: a list over all texts.

use std::io;

use super::Take;
use super::frame::{APPARATUS, Title};
use super::long_list::{ListedEntry, LongList};
use crate::corpus::{Library, Loci};
use crate::markup::Markup;
use crate::model::phrases::{phrase, why};
use crate::model::{ApparatusEntry, Difference, Document};
use crate::source::Span;
use crate::writers::html::LinkedLibrary;
use crate::writers::html::addresses::Addresses;
use crate::writers::html::clip;
use crate::writers::html::phrases::is_low;

/// Writes `index.apparatus.html` and its further pages: the other readings that the notes report,
/// with links to lemma and note.
pub(super) fn apparatus(library: &Library, title: Title<'_>, take: Take<'_>) -> io::Result<()> {
    let list = LongList {
        page: APPARATUS,
        title: "{apparatus}",
        text: "h3",
        list: ("ol", "app"),
        entries: library.documents.iter().flat_map(|d| entries(d)).collect(),
    };
    let linked_library = LinkedLibrary::over_sheets(library);
    let addresses = Addresses::new(&linked_library);
    // Of one text at a time: those of all take more memory than the texts.
    let mut loci: Option<(&Document, Loci<'_>)> = None;
    let top = |h: &mut Markup<'_>| {
        if list.entries.is_empty() {
            h.said("p", "{nothing}").line();
        }
    };
    list.write(
        (library, title),
        take,
        top,
        |_, _| (),
        |h, e| {
            let known = loci.take().filter(|(document, _)| std::ptr::eq(*document, e.document));
            let (_, loci) =
                loci.insert(known.unwrap_or_else(|| (e.document, Loci::of(e.document))));
            entry(h, e.document, loci, e.item, &addresses);
        },
    )
}

fn entries(document: &Document) -> impl Iterator<Item = ListedEntry<'_, &ApparatusEntry>> {
    document.apparatus.iter().map(move |item| ListedEntry { group: 0, document, item })
}

fn entry(
    h: &mut Markup<'_>,
    document: &Document,
    loci: &Loci<'_>,
    e: &ApparatusEntry,
    addresses: &Addresses<'_>,
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
pub(super) fn linked(
    h: &mut Markup<'_>,
    document: &Document,
    span: Span,
    addresses: &Addresses<'_>,
) {
    let address = addresses.there(&document.id, span);
    h.open("a").maybe("href", address.map(|a| a.href));
    h.words(clip(&document.words(span), 40)).close();
}
