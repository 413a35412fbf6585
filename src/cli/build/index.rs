//! The pages of the site that belong to no one text: contents, apparatus, what could not be placed, how it was made;
//! and what all pages share.

use zhushu::corpus::{Corpus, Library};
use zhushu::site;

/// The pages with their names, complete; they open from the file system.
pub fn pages(corpus: &Corpus, library: &Library) -> Vec<(&'static str, String)> {
    let title = super::title(corpus);
    let about = site::Title { title: Some(&title), editors: &corpus.about.editors, licence: corpus.about.licence.as_deref() };
    site::GENERAL
        .iter()
        .map(|(name, write)| {
            let mut page = Vec::new();
            // Writing to memory does not fail, and the page is UTF-8.
            let _ = write(library, about, &mut page);
            (*name, String::from_utf8(page).unwrap_or_default())
        })
        .chain(site::shared(library))
        .collect()
}
