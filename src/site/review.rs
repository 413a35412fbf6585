//! The pages of a text while it is reviewed: with the doubtful places marked, and a script that
//! asks about them. A server writes them into memory; no site on disk has them.

use std::io;

use super::collated;
use crate::corpus::Library;
use crate::language::Language;
use crate::markup::{Markup, address};
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

/// A text of the list with which a review begins.
pub(crate) struct ListedText {
    /// The id of its first document, whose page is opened.
    pub(crate) id: String,
    pub(crate) title: String,
    /// How many questions are left; `None` if they were not counted yet.
    pub(crate) left: Option<usize>,
    /// How many decisions there are.
    pub(crate) decided: usize,
}

/// The first page of a site with the list of texts under review before its contents.
///
/// # Errors
/// When the list cannot be written.
pub(crate) fn first_page(page: &str, texts: &[ListedText], own: Language) -> io::Result<String> {
    let mut list = vec![];
    let mut h = Markup::html(&mut list);
    h.speak(own, true);
    h.open("section").attr("class", "review-texts").in_own_language().line();
    h.said("h2", "{review}").open("ol").line();
    for text in texts {
        h.open("li").open("a").attr("href", address::page(&format!("{}.html", text.id)));
        h.text(&text.title).close().text(" ").open("small");
        match text.left {
            Some(n) => _ = h.said("span", &format!("{{review-left n={n}}}")),
            None => _ = h.text("…"),
        }
        h.text(" · ").said("span", &format!("{{review-decided n={}}}", text.decided));
        h.close().close().line();
    }
    h.close().close().line();
    h.finish()?;
    let list = String::from_utf8_lossy(&list);
    let at = page.find(BEFORE_CONTENTS).map_or(page.len(), |at| at + BEFORE_CONTENTS.len());
    Ok(format!("{}{list}{}", &page[..at], &page[at..]))
}

/// What is before the contents on the first page.
const BEFORE_CONTENTS: &str = "<main id=\"text\" class=\"text\">\n";

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
