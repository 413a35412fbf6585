//! Addresses of spans on pages: `#x1.2`, `other.html?w=…#z3`.
//!
//! An address leads to an element; a [`WordRange`](crate::reading::WordRange) beside it gives the
//! exact words. A page without scripts ignores that and shows the sentence.

use std::borrow::Cow;

use super::linked::LinkedLibrary;
use super::sheets::Sheets;
use crate::corpus::Library;
use crate::markup::{Markup, address};
use crate::model::Target;
use crate::reading::{ChapterText, Element};
use crate::source::Span;

/// Where spans of a library's documents are shown.
pub(crate) struct Addresses<'a> {
    pub(super) library: &'a LinkedLibrary<'a>,
    /// What a site has on the document beside its pages.
    pub(super) in_site: InSite,
}

/// What a site has on a document beside its pages.
#[derive(Default)]
pub(crate) struct InSite {
    /// The page of its collation with others.
    pub(crate) collation: Option<String>,
    /// The texts that can be read beside it: ids and titles.
    pub(crate) beside: Vec<(String, String)>,
    /// How a passage of it is cited, for BibTeX; with `⟨locus⟩` and `⟨url⟩` for those of the
    /// passage.
    pub(crate) record: Option<String>,
    /// The same in the styles of notes: a line for each, its name before a tab.
    pub(crate) styles: String,
}

/// An address, and the words meant there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// For `href`.
    pub(crate) href: String,
    /// For `data-w`, in the page itself.
    pub(crate) words: Option<String>,
    /// The text around them if they are on another page, for a preview.
    pub(crate) said: Option<String>,
}

/// Opens a link to `address`; one without an address leads nowhere.
pub(super) fn open_link(h: &mut Markup<'_>, address: Option<Address>) {
    let (href, words) = address.map(|a| (a.href, a.words)).unzip();
    h.open("a").maybe("href", href).maybe("data-w", words.flatten());
}

/// The sheet that contains the addresses.
#[derive(Clone, Copy)]
pub(crate) struct Here<'a> {
    pub(super) chapter: &'a ChapterText<'a>,
    pub(super) sheets: &'a Sheets,
    pub(super) sheet: usize,
}

/// Most characters of another page that are shown in place.
const MAX_PREVIEW_CHARS: usize = 160;

impl<'a> Addresses<'a> {
    /// Those of a library.
    pub(crate) fn new(library: &'a LinkedLibrary<'a>) -> Self {
        Addresses { library, in_site: InSite::default() }
    }

    /// The same, with what a site has on the document.
    pub(super) fn with(self, in_site: InSite) -> Self {
        Addresses { in_site, ..self }
    }

    /// Where a link leads, as seen from `here`; `None` if its target is not shown, or is in the
    /// user's own library, which has no pages.
    pub(crate) fn target(&self, here: Here<'_>, target: &Target) -> Option<Address> {
        match target.doc.as_deref() {
            Some(id) if Library::is_beside(id) => None,
            Some(id) if id != here.chapter.document.id => self.there(id, target.span),
            _ => here.address(target.span),
        }
    }

    /// A place of another document.
    pub(crate) fn there(&self, id: &str, span: Span) -> Option<Address> {
        let (chapter, sheets) = self.library.around(id, span)?;
        Some(from_outside(&chapter, sheets, span).unwrap_or_else(|| Address {
            href: file_of(id),
            words: None,
            said: None,
        }))
    }
}

impl Here<'_> {
    /// A place of the document itself.
    pub(crate) fn address(&self, span: Span) -> Option<Address> {
        let first = first(self.chapter, span)?;
        if self.sheets.at(first.span.start()) != self.sheet {
            return from_outside(self.chapter, self.sheets, span);
        }
        let words = self.chapter.word_range(span)?;
        Some(Address {
            href: format!("#{}", words.from.0),
            words: Some(words.to_string()),
            said: None,
        })
    }
}

fn first<'c>(chapter: &'c ChapterText<'_>, span: Span) -> Option<&'c Element> {
    chapter.elements[chapter.meet(span)].first()
}

/// An address as seen from another page.
fn from_outside(chapter: &ChapterText<'_>, sheets: &Sheets, span: Span) -> Option<Address> {
    let words = chapter.word_range(span)?;
    let sheet = sheets.at(first(chapter, span)?.span.start());
    let file = file_of(&sheet_id(&chapter.document.id, sheet));
    let met = chapter.elements[chapter.meet(span)].iter().filter(|e| e.layer.is_text());
    let mut said: String = met.map(|e| chapter.document.words(e.span)).collect();
    if let Some((end, _)) = said.char_indices().nth(MAX_PREVIEW_CHARS) {
        said.truncate(end);
        said.push('…');
    }
    Some(Address {
        href: format!("{file}?w={words}#{}", words.from.0),
        words: None,
        said: Some(said),
    })
}

fn sheet_id(id: &str, sheet: usize) -> Cow<'_, str> {
    if sheet == 0 { Cow::Borrowed(id) } else { Cow::Owned(format!("{id}.{}", sheet + 1)) }
}

/// The name of a sheet's file. A reference to it is [`file_of`] its id.
pub(super) fn sheet_file(id: &str, sheet: usize) -> String {
    format!("{}.html", sheet_id(id, sheet))
}

/// The sheet of document `id`, as a relative reference.
pub(super) fn sheet_href(id: &str, sheet: usize) -> String {
    file_of(&sheet_id(id, sheet))
}

/// The page of document `id`, as a relative reference.
pub(crate) fn file_of(id: &str) -> String {
    address::page(&format!("{id}.html"))
}

/// True if a file is a page of document `id`: its first, or one of the others.
pub(crate) fn is_page_of(file: &str, id: &str) -> bool {
    let between = file.strip_prefix(id).and_then(|rest| rest.strip_suffix(".html"));
    let is_number = |n: &str| n.strip_prefix('.').is_some_and(|n| n.parse::<usize>().is_ok());
    between.is_some_and(|n| n.is_empty() || is_number(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_cannot_lead_elsewhere() {
        assert_eq!(file_of("yili-05"), "yili-05.html");
        assert_eq!(file_of("../javascript:x"), "..%2Fjavascript%3Ax.html");
        assert_eq!(file_of("鄉射 禮"), "鄉射%20禮.html");
    }
}
