//! The list of pages that search engines read (<https://www.sitemaps.org/protocol.html>), if it is
//! known where they are published.

use crate::corpus::Library;
use crate::markup::address;

pub(super) const FILE: &str = "sitemap.xml";

/// The first page, and the first page of each text.
pub(super) fn of(library: &Library) -> Option<String> {
    let base = library.documents.iter().find_map(|d| d.meta.collection.address.as_deref())?;
    let texts = library.documents.iter().map(|d| format!("{}.html", address::uri(&d.id)));
    let pages = std::iter::once("index.html".to_string()).chain(texts);
    let all: String = pages.map(|page| format!("<url><loc>{base}{page}</loc></url>\n")).collect();
    Some(format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{all}</urlset>\n"
    ))
}
