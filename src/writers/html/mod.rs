//! The reading page: one self-contained HTML file a document, that opens from the file system and asks nothing of any
//! network.
//!
//! The classic stands large, commentary and sub-commentary each in its own type below, the translation beside; words
//! that refer are links. What the program inferred is told quietly: a mark where a cut is doubtful, dots under what
//! could not be placed, the evidence in words on demand. All of the source's text is on the page, in order and as the
//! file has it, except furniture, which the foot of the page lists.
//!
//! The flow: [`places`] (what can be pointed at) and [`passages`] (what stands together) lay the page out, [`runs`]
//! flattens what overlaps, [`beside`] and [`refs`] look up the library; then [`body`], [`inline`] and [`foot`] write, by
//! way of [`markup`], in time linear in the text. Layouts, switches, colours are the style sheet's (`data/page.css`),
//! and work without the script (`data/page.js`), which lights what answers to each other and remembers choices. Both
//! are in the page, so a strict content policy can name them by hash.

mod apparatus;
mod beside;
mod body;
mod foot;
mod head;
mod inline;
mod loci;
pub(crate) mod markup;
mod passages;
pub(crate) mod phrases;
pub(crate) mod places;
mod refs;
mod runs;

use std::io;

use crate::corpus::Library;
use crate::model::{Document, Layer};

use beside::Companions;
use markup::Html;
use passages::Passage;
use places::{Addresses, Places};
use refs::Referrers;
use runs::Run;

pub(crate) use head::shell;
pub(crate) use inline::clip;

/// What all parts of a page look at.
struct Page<'a> {
    places: &'a Places<'a>,
    passages: &'a [Passage],
    library: &'a Library,
    runs: &'a [Run],
    companions: &'a Companions<'a>,
    referrers: &'a Referrers<'a>,
    anchors: &'a loci::Anchors,
    readings: &'a apparatus::Readings<'a>,
    addresses: Addresses<'a>,
    /// Links that have an element with their id on the page.
    anchored: Vec<bool>,
    /// Places whose list of referrers is still to be written.
    pending: Vec<usize>,
}

/// Writes the reading page of `document`. Links lead to the pages of the library's other documents, which lie beside it
/// under their ids (`yili-07-judou.html`).
///
/// # Errors
/// When `out` does not take the words.
pub fn write(document: &Document, library: &Library, out: &mut dyn io::Write) -> io::Result<()> {
    let places = &Places::of(document);
    let passages = &passages::passages(places);
    let mut page = Page {
        places,
        passages,
        library,
        runs: &runs::runs(&places.document),
        companions: &Companions::of(places, passages, library),
        referrers: &refs::referrers(places, library),
        anchors: &loci::anchors(places),
        readings: &apparatus::readings(places),
        addresses: Addresses::new(library),
        anchored: vec![false; document.links.len()],
        pending: Vec::new(),
    };
    let mut h = Html::new(out);
    shell(&mut h, &document.meta.title, &document.meta.language, |h| {
        page.header(h);
        page.body(h);
        page.foot(h);
    });
    h.finish()
}

/// The layers of a document, each once, in the order of the table.
fn layers(document: &Document) -> Vec<Layer> {
    let mut present = [false; 64];
    for s in &document.segments {
        present[s.layer as usize] = true;
    }
    Layer::all().map(|i| i.layer).filter(|l| l.is_text() && present[*l as usize]).collect()
}
