//! A library for pages: what those of all its documents look up in the others.
//!
//! A page asks what leads to its document, and where the places are that it leads to. Who answers
//! that from the links and the text of all others for each page takes time squared.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::sheets::Sheets;
use crate::corpus::Library;
use crate::model::{Document, Link, LinkKind};
use crate::reading::{ChapterText, Passages, numbered};
use crate::source::Span;

/// A library with its documents by id, and their links by the document they lead to.
pub(crate) struct LinkedLibrary<'a> {
    library: &'a Library,
    /// Numbers of the documents, those beside them after them.
    numbers: FxHashMap<&'a str, usize>,
    /// By the number of the document; made when first asked for, since most writers do not ask.
    leading_to: OnceLock<Vec<Vec<LinkNumber>>>,
    /// Long documents are written over several files.
    pub(super) sheeted: bool,
    /// By the number of the document, when first asked for.
    targets: Vec<OnceLock<TargetPages>>,
}

/// What a link into a document needs besides the place.
struct TargetPages {
    /// The document, if its ids are not valid.
    renumbered: Option<Box<Document>>,
    sheets: Sheets,
}

/// A link by the numbers of its document and of itself.
struct LinkNumber {
    document: u32,
    link: u32,
}

impl<'a> LinkedLibrary<'a> {
    /// One page for each document, of any length.
    pub(crate) fn of(library: &'a Library) -> Self {
        let mut numbers = FxHashMap::default();
        for (n, document) in library.all().enumerate() {
            // Of two with one id the first, as in the library.
            numbers.entry(document.id.as_str()).or_insert(n);
        }
        let mut targets = Vec::new();
        targets.resize_with(library.documents.len(), OnceLock::new);
        LinkedLibrary { library, numbers, leading_to: OnceLock::new(), sheeted: false, targets }
    }

    /// Long documents over several files.
    pub(crate) fn over_sheets(library: &'a Library) -> Self {
        LinkedLibrary { sheeted: true, ..LinkedLibrary::of(library) }
    }

    /// The library itself.
    pub(crate) fn plain(&self) -> &'a Library {
        self.library
    }

    /// The document with this id.
    pub(crate) fn get(&self, id: &str) -> Option<&'a Arc<Document>> {
        let n = *self.numbers.get(id)?;
        let Library { documents, beside, .. } = self.library;
        documents.get(n).or_else(|| beside.get(n - documents.len()))
    }

    /// The number of the document with this id; `None` if it is not one of the library's own.
    pub(crate) fn number(&self, id: &str) -> Option<usize> {
        self.numbers.get(id).copied().filter(|n| *n < self.library.documents.len())
    }

    /// The links of other documents that lead to the one with this id, in the order of the
    /// documents. Lemma headers are left out: they lead to the text they explain.
    pub(crate) fn leading_to(&self, id: &str) -> impl Iterator<Item = (&'a Document, &'a Link)> {
        let documents = &self.library.documents;
        let all = self.leading_to.get_or_init(|| self.by_target());
        let these = self.number(id).map_or(&[][..], |n| &all[n]);
        these.iter().map(|n| {
            let document: &Document = &documents[n.document as usize];
            (document, &document.links[n.link as usize])
        })
    }

    /// The segments of the library's own document with this id around `span`, and the sheets of the
    /// whole.
    pub(super) fn around(&self, id: &str, span: Span) -> Option<(ChapterText<'_>, &Sheets)> {
        let n = self.number(id)?;
        let document: &Document = &self.library.documents[n];
        let pages = self.targets[n].get_or_init(|| TargetPages::of(document, self.sheeted));
        let document = pages.renumbered.as_deref().unwrap_or(document);
        Some((ChapterText::around(document, span), &pages.sheets))
    }

    fn by_target(&self) -> Vec<Vec<LinkNumber>> {
        let mut all = Vec::new();
        all.resize_with(self.library.documents.len(), Vec::new);
        for (document, d) in (0..).zip(&self.library.documents) {
            for (link, l) in (0..).zip(&d.links).filter(|(_, l)| l.kind != LinkKind::Lemma) {
                let other = l.target.as_ref().and_then(|t| t.doc.as_deref());
                if let Some(n) = other.filter(|id| *id != d.id).and_then(|id| self.number(id)) {
                    all[n].push(LinkNumber { document, link });
                }
            }
        }
        all
    }
}

impl TargetPages {
    fn of(document: &Document, sheeted: bool) -> Self {
        let renumbered = match numbered(document) {
            std::borrow::Cow::Owned(d) => Some(Box::new(d)),
            std::borrow::Cow::Borrowed(_) => None,
        };
        let sheets = if sheeted {
            let chapter = ChapterText::outline(renumbered.as_deref().unwrap_or(document));
            Sheets::several(&chapter, &Passages::of(&chapter, &chapter.document))
        } else {
            Sheets::one(document, 0)
        };
        TargetPages { renumbered, sheets }
    }
}

impl Deref for LinkedLibrary<'_> {
    type Target = Library;

    fn deref(&self) -> &Library {
        self.library
    }
}
