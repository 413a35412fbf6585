//! The site of a corpus: the pages of its texts, which are the `html` writer's, and those that
//! belong to no one text.
//!
//! Names of the general pages begin with `index`, which no text is called
//! ([`corpus::id_of`](crate::corpus::id_of)).

mod about;
mod frame;
mod index;
mod lists;
mod search;

use std::io;

use crate::corpus::Library;
use crate::model::Document;
use crate::writers::editions::citation::Cited;
use crate::writers::html;

pub use frame::Title;
pub use index::index;
pub use search::ENDPOINT;

/// Writes a general page of a corpus.
pub type General = fn(&Library, Title<'_>, &mut dyn io::Write) -> io::Result<()>;

/// The general pages by their files' names.
pub static GENERAL: &[(&str, General)] = &[
    (frame::INDEX, index),
    (frame::APPARATUS, lists::apparatus),
    (frame::UNPLACED, lists::unplaced),
    (frame::ABOUT, about::about),
];

/// What the pages of a site share, by the files' names: style sheet, script, search.
pub fn shared(library: &Library) -> Vec<(&'static str, String)> {
    let assets = html::assets::shared().map(|(name, words)| (name, words.to_string()));
    assets.into_iter().chain(search::shared(library)).collect()
}

/// A piece of a site. Pieces know nothing of each other, so that they can be written side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A general page, by its number in [`GENERAL`].
    General(usize),
    /// What the pages share.
    Shared,
    /// How to cite it, for reference managers.
    Citation,
    /// The pages of a text, by its number in the library.
    Text(usize),
}

/// All that the site of a library is made of.
pub fn pieces(library: &Library) -> Vec<Piece> {
    let texts = (0..library.documents.len()).map(Piece::Text);
    texts
        .chain((0..GENERAL.len()).map(Piece::General))
        .chain([Piece::Shared, Piece::Citation])
        .collect()
}

/// Writes a piece. `take` is given name and content of each of its files, one at a time; all lie in
/// one folder.
///
/// # Errors
/// Those of `take`.
pub fn write(
    piece: Piece,
    library: &Library,
    title: Title<'_>,
    take: &mut dyn FnMut(&str, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    match piece {
        Piece::General(n) => {
            let (name, write) = GENERAL[n];
            let mut page = Vec::new();
            write(library, title, &mut page)?;
            take(name, &page)
        }
        Piece::Shared => {
            shared(library).iter().try_for_each(|(name, words)| take(name, words.as_bytes()))
        }
        Piece::Citation => {
            let cited = Cited::library(library, title.name(), title.editors, title.licence);
            let (mut bibtex, mut csl) = (Vec::new(), Vec::new());
            cited.bibtex(&mut bibtex)?;
            cited.csl(&mut csl)?;
            take(frame::BIBTEX, &bibtex)?;
            take(frame::CSL, &csl)
        }
        Piece::Text(n) => pages(&library.documents[n], library, take),
    }
}

/// The content policy that a server of a site states beside that of the pages.
pub const SERVED_POLICY: &str = html::assets::SERVED;

/// Writes the pages of a text, a long one over several files, and its words to search. `take` is
/// given name and content of each, one at a time, so that no more than one is held.
///
/// # Errors
/// Those of `take`.
pub fn pages(
    document: &Document,
    library: &Library,
    take: &mut dyn FnMut(&str, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    html::write_sheets(document, library, take)?;
    let (name, words) = search::words(document, library);
    take(&name, words.as_bytes())
}
