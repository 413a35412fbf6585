//! References to the elements of a page, and parallels of its own sentences.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::addresses::{Address, Addresses, Here};
use super::linked::LinkedLibrary;
use crate::model::{Document, Link, LinkKind};
use crate::reading::ChapterText;
use crate::source::Span;

/// How many earlier parallels of the page may reach to a place.
const MAX_PARALLELS_BACK: usize = 16;

/// One reference to a place of the page (or a parallel of it), as seen from that place.
pub(super) struct Referrer<'a> {
    /// The other end.
    pub(super) document: &'a Document,
    pub(super) link: &'a Link,
    /// Index of the link, if it is one of the page's own.
    pub(super) own: Option<usize>,
    /// True if the link starts at the place instead of leading there.
    pub(super) outgoing: bool,
}

/// References by their target.
pub(super) type Referrers<'a> = BTreeMap<usize, Vec<Referrer<'a>>>;

/// Finds references to `here`. Lemma headers are left out: they are directly below the text that
/// they explain.
pub(super) fn referrers<'a>(
    here: &'a ChapterText<'_>,
    library: &'a LinkedLibrary<'a>,
) -> Referrers<'a> {
    let own: &Document = &here.document;
    let cited = cited_in(own);
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
        if link.kind != LinkKind::Lemma
            && !is_reading(own, link)
            && target.doc.as_ref().is_none_or(|d| *d == own.id)
        {
            add(target.span, Referrer { document: own, link, own: Some(i), outgoing: false });
        }
    }
    for (document, link) in library.leading_to(&own.id) {
        let back = leads_back(cited.get(document.id.as_str()), link);
        if let Some(target) = link.target.as_ref().filter(|_| !back) {
            add(target.span, Referrer { document, link, own: None, outgoing: false });
        }
    }
    all
}

/// True for what the apparatus shows as a reading.
fn is_reading(document: &Document, link: &Link) -> bool {
    link.evidence.iter().any(|e| e.code() == "recension")
        && document.apparatus.iter().any(|e| e.lemma.is_some() && e.span.overlap(link.span) > 0)
}

/// Where the parallels of a document lead, by document and in order.
fn cited_in(own: &Document) -> HashMap<&str, Vec<Span>> {
    let mut cited: HashMap<&str, Vec<Span>> = HashMap::new();
    for target in
        own.links.iter().filter(|l| l.kind == LinkKind::Parallel).filter_map(|l| l.target.as_ref())
    {
        cited.entry(target.doc.as_deref().unwrap_or(&own.id)).or_default().push(target.span);
    }
    cited.values_mut().for_each(|spans| spans.sort_unstable_by_key(|s| (s.start(), s.end())));
    cited
}

/// True for a parallel of another document that the page shows from its own end: each is shown
/// once.
fn leads_back(cited: Option<&Vec<Span>>, link: &Link) -> bool {
    let Some(cited) = cited.filter(|_| link.kind == LinkKind::Parallel) else { return false };
    let before = cited.partition_point(|s| s.start() < link.span.end());
    cited[..before].iter().rev().take(MAX_PARALLELS_BACK).any(|s| s.overlap(link.span) > 0)
}

impl Referrer<'_> {
    /// Where the other end is.
    pub(super) fn address(&self, here: Here<'_>, addresses: &Addresses<'_>) -> Option<Address> {
        match (self.outgoing, self.own) {
            (true, _) => addresses.target(here, self.link.target.as_ref()?),
            (false, Some(_)) => here.address(self.link.span),
            (false, None) => addresses.there(&self.document.id, self.link.span),
        }
    }

    /// The text at the other end, and the document it is in.
    pub(super) fn words<'b>(
        &'b self,
        library: &LinkedLibrary<'b>,
    ) -> Option<(&'b Document, Cow<'b, str>)> {
        if !self.outgoing {
            return Some((self.document, self.shown(self.document, self.link.span)));
        }
        let target = self.link.target.as_ref()?;
        let document = match &target.doc {
            Some(id) if *id != self.document.id => library.get(id)?,
            _ => self.document,
        };
        // A target may be out of range in a library put together by hand.
        document.source.text().get(target.span.range())?;
        Some((document, self.shown(document, target.span)))
    }

    /// A parallel goes on over notes, which are not shown with it.
    fn shown<'b>(&self, document: &'b Document, span: Span) -> Cow<'b, str> {
        match self.link.kind {
            LinkKind::Parallel => Cow::Owned(document.words_of_layer(span)),
            _ => document.words(span),
        }
    }
}
