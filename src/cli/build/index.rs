//! The first page of the site: what the corpus holds, and where.

use zhushu::corpus::{Corpus, Library};
use zhushu::site;

/// The page, complete; opens from the file system.
pub fn page(corpus: &Corpus, library: &Library) -> String {
    let title = super::title(corpus);
    let about = site::Title { title: Some(&title), editors: &corpus.about.editors, licence: corpus.about.licence.as_deref() };
    let mut page = Vec::new();
    // Writing to memory does not fail, and the page is UTF-8.
    let _ = site::index(library, about, &mut page);
    String::from_utf8(page).unwrap_or_default()
}
