//! The pages of a text while it is reviewed: with the doubtful places marked, and a script that
//! asks about them. A server writes them into memory; no site on disk has them.

use std::io;

use super::collated;
use crate::corpus::Library;
use crate::model::Document;
use crate::writers::html::{self, LinkedLibrary};

pub(crate) use crate::writers::html::asked::{AskedPlace, PageReview};
pub(crate) use crate::writers::html::phrases::layer_name;

/// The style sheet and the script: names and content.
pub(crate) const FILES: [(&str, &str); 2] = [
    ("index.review.css", include_str!("data/review.css")),
    ("index.review.js", include_str!("data/review.js")),
];

/// The file of the collation of a text with others, if a site has one.
pub(crate) fn collation_file(id: &str) -> String {
    format!("index.collated.{id}.html")
}

/// Writes the pages of a text with its review, as a [`Site`](super::Site) does without.
///
/// # Errors
/// When `take` fails.
pub(crate) fn pages(
    document: &Document,
    collated: bool,
    library: &Library,
    review: &PageReview,
    take: &mut dyn FnMut(&str, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let collation = collated.then(|| collated::page_of(&document.id));
    // What is reviewed may change, so no one should cite it yet.
    let in_site = html::InSite { collation, ..html::InSite::default() };
    let library = LinkedLibrary::over_sheets(library);
    html::write_sheets(document, &library, in_site, Some(review), take)
}
