//! What refers to the places of a page, and parallels of its own sentences.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::places::{Address, Addresses, Places, here_address};
use crate::corpus::Library;
use crate::model::{Document, Link, LinkKind};

/// One reference to a place of the page (or a parallel of it), as seen from that place.
pub(super) struct Referrer<'a> {
    /// The other end.
    pub(super) document: &'a Document,
    pub(super) link: &'a Link,
    /// Index of the link, if it is one of the page's own.
    pub(super) own: Option<usize>,
    /// The link starts at the place instead of leading there.
    pub(super) outgoing: bool,
}

/// References by the place they lead to.
pub(super) type Referrers<'a> = BTreeMap<usize, Vec<Referrer<'a>>>;

/// Finds what refers to `here`. Lemma headers are left out: they stand below the words they treat.
pub(super) fn referrers<'a>(here: &'a Places<'_>, library: &'a Library) -> Referrers<'a> {
    let own: &Document = &here.document;
    let others = library.documents.iter().filter(|d| d.id != own.id);
    let mut all = Referrers::new();
    let mut add = |span, referrer| {
        let range = here.meet(span);
        if !range.is_empty() {
            all.entry(range.start).or_default().push(referrer);
        }
    };
    for (i, link) in own.links.iter().enumerate() {
        let outgoing = link.kind == LinkKind::Parallel;
        if outgoing && link.target.is_some() {
            add(link.span, Referrer { document: own, link, own: Some(i), outgoing });
        }
        let Some(target) = &link.target else { continue };
        if link.kind != LinkKind::Lemma && target.doc.as_ref().is_none_or(|d| *d == own.id) {
            add(target.span, Referrer { document: own, link, own: Some(i), outgoing: false });
        }
    }
    for document in others {
        let leads_here = |l: &&Link| l.kind != LinkKind::Lemma && l.target.as_ref().is_some_and(|t| t.doc.as_deref() == Some(&own.id));
        for link in document.links.iter().filter(leads_here).filter(|l| !tells_back(own, document, l)) {
            if let Some(target) = &link.target {
                add(target.span, Referrer { document, link, own: None, outgoing: false });
            }
        }
    }
    all
}

/// True for a parallel of another document whose other end `own` tells itself: each is shown once.
fn tells_back(own: &Document, other: &Document, link: &Link) -> bool {
    let back = |l: &Link| {
        let there = l.target.as_ref().filter(|t| t.doc.as_deref() == Some(&other.id));
        l.kind == LinkKind::Parallel && there.is_some_and(|t| t.span.overlap(link.span) > 0)
    };
    link.kind == LinkKind::Parallel && own.links.iter().any(back)
}

impl Referrer<'_> {
    /// Where the other end is.
    pub(super) fn address(&self, here: &Places<'_>, addresses: &mut Addresses<'_>) -> Option<Address> {
        match (self.outgoing, self.own) {
            (true, _) => addresses.target(here, self.link.target.as_ref()?),
            (false, Some(_)) => here_address(here, self.link.span),
            (false, None) => addresses.there(&self.document.id, self.link.span),
        }
    }

    /// The words at the other end, and the document they are in.
    pub(super) fn words<'b>(&'b self, library: &'b Library) -> Option<(&'b Document, Cow<'b, str>)> {
        if !self.outgoing {
            return Some((self.document, self.document.words(self.link.span)));
        }
        let target = self.link.target.as_ref()?;
        let document = match &target.doc {
            Some(id) if *id != self.document.id => library.get(id)?,
            _ => self.document,
        };
        // A target may be stale where the library was put together by hand.
        document.source.text().get(target.span.range())?;
        Some((document, document.words(target.span)))
    }
}
