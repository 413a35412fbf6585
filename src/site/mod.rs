//! The site of a corpus: the pages of its texts, which are the `html` writer's, and those that belong to no one text.
//!
//! Names of the general pages hold a full stop (`index.about.html`), which no document's id does.

mod about;
mod frame;
mod index;
mod lists;
mod search;

use std::io;

use crate::corpus::Library;
use crate::model::Document;
use crate::writers::html;

pub use frame::Title;
pub use index::index;
pub use search::ENDPOINT;

/// Writes a general page of a corpus.
pub type General = fn(&Library, Title<'_>, &mut dyn io::Write) -> io::Result<()>;

/// The general pages by their files' names.
pub static GENERAL: &[(&str, General)] =
    &[(frame::INDEX, index), (frame::APPARATUS, lists::apparatus), (frame::UNPLACED, lists::unplaced), (frame::ABOUT, about::about)];

/// What the pages of a site share, by the files' names: style sheet, script, search.
pub fn shared(library: &Library) -> Vec<(&'static str, String)> {
    let assets = html::assets::shared().map(|(name, words)| (name, words.to_string()));
    assets.into_iter().chain(search::shared(library)).collect()
}

/// The content policy that a server of a site states beside that of the pages.
pub const SERVED_POLICY: &str = html::assets::SERVED;

/// Writes the pages of a text, a long one over several files, and its words to search. `take` is given name and content of each, one at a time, so
/// that no more than one is held.
///
/// # Errors
/// Those of `take`.
pub fn pages(document: &Document, library: &Library, take: &mut dyn FnMut(&str, &[u8]) -> io::Result<()>) -> io::Result<()> {
    html::write_sheets(document, library, take)?;
    let (name, words) = search::words(document, library);
    take(&name, words.as_bytes())
}
