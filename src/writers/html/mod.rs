//! The reading page: one self-contained HTML file for each document, which opens from the file
//! system and loads nothing from a network.
//!
//! The classic is large, commentary and sub-commentary each in its own type below it, the
//! translation beside it; references are links. Inferences are shown unobtrusively: a mark where a
//! cut is uncertain, dots under what could not be placed, the evidence on demand. All of the
//! source's text is on the page, unchanged and in order, except furniture, which the foot of the
//! page lists.
//!
//! The flow: the reading model gives elements and passages, [`marked_spans`] flattens what
//! overlaps, [`beside`] and [`refs`] look up the library; then [`body`], [`inline`] and [`foot`]
//! write through [`crate::markup`], in time linear in the text. Layouts, switches and colours are
//! in the style sheet (`data/page.css`) and work without the scripts (`data/state.js`,
//! `data/page.js`), which highlight corresponding elements and remember choices. A single page
//! contains style sheet and scripts, so that a strict content policy can name them by hash; the
//! pages of a site share them.

pub(crate) mod addresses;
mod apparatus;
pub(crate) mod asked;
pub(crate) mod assets;
mod bar;
mod beside;
mod body;
mod cite;
mod drawer;
mod foot;
mod head;
mod icons;
mod inline;
mod legend;
mod linked;
mod loci;
mod marked_spans;
mod panel;
pub(crate) mod phrases;
mod refs;
mod shared;
mod sheets;
mod zi;

use std::io;

use crate::corpus::Library;
use crate::markup::Markup;
use crate::model::{Document, Layer, Segment};
use crate::reading::glosses::{self, Gloss};
use crate::reading::{ChapterText, Leaves, MarkedName, Passages, marked_names};
use crate::source::Span;

pub(crate) use addresses::InSite;
use addresses::{Addresses, Here};
use asked::PageReview;
use beside::Companions;
use marked_spans::MarkedSpan;
use refs::Referrers;
use sheets::Sheets;

pub(crate) use bar::BESIDE_FILE;
pub(crate) use bar::common as common_bar;
pub(crate) use bar::filters as filter_bar;
pub(crate) use drawer::DRAWER_FILE;
pub(crate) use head::{ASK_FILE, About, Frame, search, shell};
pub(crate) use inline::clip;
pub(crate) use legend::legend;
pub(crate) use linked::LinkedLibrary;

/// The context of all parts of a page.
struct Page<'a> {
    chapter: &'a ChapterText<'a>,
    /// The number of the sheet being written.
    here: Here<'a>,
    passages: &'a Passages<'a>,
    library: &'a LinkedLibrary<'a>,
    /// The number of the document in it.
    number: Option<usize>,
    marked_spans: &'a [MarkedSpan],
    /// What the source marks as persons, places and the like.
    names: &'a [MarkedName],
    /// What notes say of words.
    glosses: &'a [Gloss],
    /// Where leaves of the print begin.
    leaves: &'a Leaves,
    /// From where it has images of them.
    images: &'a str,
    companions: &'a Companions<'a>,
    referrers: &'a Referrers<'a>,
    anchors: &'a loci::Anchors,
    /// The layers of the document.
    layers: Vec<Layer>,
    /// The links that begin on each sheet, and the diagnostics.
    links: Vec<Vec<usize>>,
    diagnostics: Vec<Vec<usize>>,
    readings: &'a apparatus::Readings<'a>,
    addresses: Addresses<'a>,
    /// Links that have an element with their id, since the foot of the page lists them.
    anchored: Vec<bool>,
    /// Links that are the innermost of some words.
    has_words: Vec<bool>,
    /// Places whose list of references is not written yet.
    pending: Vec<usize>,
    /// A review of the document, which of its places have their button, and those that must wait.
    review: Option<&'a PageReview>,
    asked: Vec<bool>,
    held: Vec<usize>,
}

/// Writes the reading page of the whole `document`. Links lead to the pages of the library's other
/// documents, which are beside it under their ids (`yili-07-judou.html`).
///
/// # Errors
/// When writing fails.
pub fn write(document: &Document, library: &Library, out: &mut dyn io::Write) -> io::Result<()> {
    let library = &LinkedLibrary::of(library);
    prepared(document, Addresses::new(library), None, &mut |page, _| page.write(&mut *out))
}

/// Writes the pages of `document` in a site, several for a long one. `take` receives each file's
/// name and content, one at a time. With a review they show what is asked.
///
/// # Errors
/// When `take` fails.
pub(crate) fn write_sheets(
    document: &Document,
    library: &LinkedLibrary<'_>,
    in_site: InSite,
    review: Option<&PageReview>,
    take: &mut dyn FnMut(&str, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let addresses = Addresses::new(library).with(in_site);
    prepared(document, addresses, review, &mut |page, name| {
        let mut bytes = Vec::new();
        page.write(&mut bytes)?;
        take(name, &bytes)
    })
}

/// Looks up everything that the sheets of a document share, then writes them.
fn prepared(
    document: &Document,
    addresses: Addresses<'_>,
    review: Option<&PageReview>,
    each: &mut dyn FnMut(&mut Page<'_>, &str) -> io::Result<()>,
) -> io::Result<()> {
    let chapter = &ChapterText::of(document);
    let passages = &Passages::of(chapter, &chapter.document);
    let sheets = &if addresses.library.sheeted {
        Sheets::several(chapter, passages)
    } else {
        Sheets::one(&chapter.document, passages.len())
    };
    let library = addresses.library;
    let names = &marked_names(&chapter.document);
    let marked_spans = &marked_spans::of(&chapter.document, names, review);
    let mut has_words = vec![false; document.links.len()];
    marked_spans.iter().filter_map(|s| s.link).for_each(|i| has_words[i as usize] = true);
    let leaves = &Leaves::of(document).at_text(document);
    let addresses_of_images: Vec<String> =
        leaves.all().iter().filter_map(|l| Some(l.image(&document.meta)?.address)).collect();
    let mut page = Page {
        chapter,
        here: Here { chapter, sheets, sheet: 0 },
        passages,
        library,
        number: library.number(&document.id),
        marked_spans,
        names,
        glosses: &glosses::of(&chapter.document),
        leaves,
        images: &assets::places_of(addresses_of_images.iter().map(String::as_str)),
        companions: &Companions::of(chapter, passages, library),
        referrers: &refs::referrers(chapter, library),
        anchors: &loci::anchors(chapter, sheets),
        layers: layers(&chapter.document),
        links: sheets.sorted(document.links.iter().map(|l| Some(l.span))),
        diagnostics: sheets.sorted(document.diagnostics.iter().map(|d| d.span)),
        readings: &apparatus::readings(chapter),
        addresses,
        anchored: vec![false; document.links.len()],
        has_words,
        pending: Vec::new(),
        review,
        asked: vec![false; review.map_or(0, |r| r.places.len())],
        held: Vec::new(),
    };
    for sheet in 0..sheets.len() {
        page.here.sheet = sheet;
        each(&mut page, &addresses::sheet_file(&document.id, sheet))?;
    }
    Ok(())
}

impl Page<'_> {
    /// One sheet.
    fn write(&mut self, out: &mut dyn io::Write) -> io::Result<()> {
        let mut h = Markup::html(out);
        let meta = &self.chapter.document.meta;
        let (title, facts) = (self.title(), self.facts());
        let about = About {
            title: &title,
            text: Some(&self.chapter.document.id),
            language: Some(&meta.language),
            own: self.library.language,
            facts: &facts,
            beside: self.companions.any,
            images: self.images,
        };
        shell(&mut h, self.frame(), &about, |h| {
            self.header(h);
            self.body(h);
            self.foot(h);
            self.citation(h);
            let in_site = self.frame() == Frame::Site;
            panel::glosses(h, self.chapter, self.glosses, in_site, |span| self.holds(span));
            self.review(h);
        });
        h.finish()
    }

    fn frame(&self) -> Frame {
        if self.addresses.library.sheeted { Frame::Site } else { Frame::Alone }
    }

    /// The bytes of the sheet.
    fn span(&self) -> Span {
        self.here.sheets.span(self.here.sheet)
    }

    /// True for spans that begin on the sheet.
    fn holds(&self, span: Span) -> bool {
        self.here.sheets.at(span.start()) == self.here.sheet
    }

    fn is_last(&self) -> bool {
        self.here.sheet + 1 == self.here.sheets.len()
    }
}

impl<'a> Page<'a> {
    /// The links that begin on the sheet.
    fn links_here(&self) -> impl Iterator<Item = usize> + use<> {
        self.links[self.here.sheet].clone().into_iter()
    }

    /// The segments that begin on the sheet.
    fn segments_here(&self) -> &'a [Segment] {
        let (all, span) = (&self.chapter.document.segments, self.span());
        let before = |at: usize| all.partition_point(|s| s.span.start() < at);
        &all[before(span.start())..before(span.end())]
    }
}

/// The layers of a document, each once, in the order of the table.
fn layers(document: &Document) -> Vec<Layer> {
    let present: std::collections::BTreeSet<Layer> =
        document.segments.iter().map(|s| s.layer).filter(|l| l.is_text()).collect();
    present.into_iter().collect()
}
