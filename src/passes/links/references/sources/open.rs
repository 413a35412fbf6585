//! The discourse: what a comment explains, and the citations that the following text may continue.

use crate::corpus::view::{ExplainedText, Stream};
use crate::corpus::works::Named;
use crate::model::{Layer, LayerKind, Link};
use crate::passes::links::references::candidates::aligned::CitedSource;
use crate::passes::links::references::candidates::exact::QuotedBefore;
use crate::passes::links::references::found::FoundPlace;
use crate::passes::links::references::link::Draft;
use crate::passes::links::references::places::Places;
use crate::passes::links::references::words::{CUE_BYTES, PARAGRAPH_BYTES, SENTENCE_BYTES};
use crate::source::Span;
use crate::text::class::{closes, ends_sentence};

/// So many citations may be continued at most, and so many quotations be repeated. Those further
/// back are never looked at, and a sub-commentary may have thousands.
const MAX_OPEN: usize = 64;
/// Most works cited before that a quotation is looked for in.
pub const MAX_OPEN_SOURCES: usize = 4;
/// Citations before, whose work may be meant without its name.
pub const MAX_CITED_BEFORE: usize = 2;

/// A citation that the following text may continue.
#[derive(Clone, Default)]
pub struct OpenCitation {
    /// The work and chapter, if known.
    pub named: Option<Named>,
    /// Its title.
    pub work: Option<String>,
    /// Byte where it begins, if it has no link of its own yet.
    pub start: Option<usize>,
    /// Byte where it ends.
    pub end: usize,
    /// Where it was found in this text.
    pub place: Option<usize>,
    /// The year of a chapter of annals.
    pub year: Option<u32>,
    /// The chapter that has its words, if it names only a work.
    pub found_in: Option<Named>,
}

impl OpenCitation {
    /// What a reference to another place of this chapter leaves open.
    pub fn of_chapter(work: Option<String>, span: Span, found: Option<&FoundPlace>) -> Self {
        let here = found.map(|f| &f.target).filter(|t| t.doc.is_none());
        let place = here.map(|t| t.span.end());
        OpenCitation { work, place, end: span.end(), ..OpenCitation::default() }
    }

    /// One of a work and chapter that ends at a byte.
    pub fn of(named: Named, end: usize) -> Self {
        let (work, named) = (Some(named.locus()), Some(named));
        OpenCitation { named, work, end, ..OpenCitation::default() }
    }

    /// What it cites, as a source of words at byte `near`.
    pub fn source(&self, stream: Stream, near: usize) -> Option<CitedSource<'_>> {
        let named = self.named.as_ref()?;
        Some(CitedSource { named, stream, near, year: self.year })
    }

    /// The work that it cites.
    pub fn of_work(&self) -> Option<&str> {
        self.named.as_ref().map(|n| n.work.as_str())
    }

    /// True if it ended at most so many bytes before byte `at`.
    pub fn is_near(&self, at: usize, bytes: usize) -> bool {
        self.end <= at && at - self.end < bytes
    }

    /// A span that begins with it, if it has no link of its own.
    pub fn with(&self, span: Span) -> Span {
        self.start.map_or(span, |s| Span::new(s.min(span.start()), span.end()))
    }
}

/// A comment that is being read.
pub struct Discourse<'a> {
    /// Where to look.
    pub places: &'a Places<'a>,
    /// The passage it explains.
    pub passage: &'a ExplainedText,
    /// The layer of the segment.
    pub layer: Layer,
    /// The words that the header before the segment quotes.
    pub header: Option<Span>,
    /// What is read.
    pub span: Span,
    /// Spans that have links already.
    pub taken: Vec<Span>,
    /// The links so far.
    pub links: Vec<Link>,
    /// The citations so far, the last of them last: the text that follows may continue any.
    pub open: Vec<OpenCitation>,
    /// Where the previous quotation was found.
    pub after: Option<usize>,
    /// The words that the quotations before were found to be, the last of them last.
    pub recent: Vec<Span>,
    /// The quotation with which the outline of a section began, and the place of its words:
    /// 自“命司空”以下.
    pub outlined: Option<(Span, Span)>,
    /// In how many quotations the text is.
    pub depth: usize,
    /// The duke whose year was named last.
    pub duke: Option<char>,
}

impl<'a> Discourse<'a> {
    /// A comment on a passage of which nothing is read yet.
    pub fn new(places: &'a Places<'a>, passage: &'a ExplainedText, layer: Layer) -> Self {
        Discourse {
            places,
            passage,
            layer,
            header: None,
            span: passage.comment,
            taken: vec![],
            links: vec![],
            open: vec![],
            after: None,
            recent: vec![],
            outlined: None,
            depth: 0,
            duke: None,
        }
    }

    /// Adds a link.
    pub fn push(&mut self, link: Draft) {
        self.links.push(link.link());
    }

    /// What was quoted before, for the choice among several places.
    pub fn quoted_before(&self) -> QuotedBefore<'_> {
        QuotedBefore { after: self.after, recent: &[], header: self.header_stream() }
    }

    /// The stream from which the header quotes.
    fn header_stream(&self) -> Option<Stream> {
        let segment = self.places.document.segment_at(self.header?.start())?;
        match self.places.document.segments[segment].layer.kind() {
            LayerKind::Base => Some(Stream::Base),
            LayerKind::Note => Some(Stream::Notes),
            _ => None,
        }
    }

    /// Notes the place of a quotation.
    pub fn was_quoted(&mut self, place: Option<Span>) {
        self.after = place.map(|s| s.start()).or(self.after);
        self.recent.extend(place);
        if self.recent.len() > 2 * MAX_OPEN {
            self.recent.drain(..MAX_OPEN);
        }
    }

    /// True if no link has these words yet.
    pub fn is_free(&self, span: Span) -> bool {
        self.taken.iter().all(|t| t.overlap(span) == 0)
    }

    /// The last citation, if it names a work and ended not long before byte `at`.
    pub fn open_just_before(&self, at: usize) -> Option<&OpenCitation> {
        self.open.last().filter(|o| o.named.is_some() && o.is_near(at, SENTENCE_BYTES))
    }

    /// The last citations before byte `at`, the last first.
    pub fn open_near(&self, at: usize, bytes: usize) -> impl Iterator<Item = &OpenCitation> {
        self.open.iter().rev().filter(move |o| at.saturating_sub(o.end) < bytes)
    }

    /// The works of the last citations, the last first.
    pub fn works_before(&self) -> impl Iterator<Item = &str> {
        self.open.iter().rev().take(MAX_CITED_BEFORE).filter_map(OpenCitation::of_work)
    }

    /// True if a citation ended just before byte `at`, or not long before if the cue has 彼 or 箋.
    pub fn goes_on(&self, at: usize, cue: &str) -> bool {
        let is_far = cue.contains(['彼', '箋', '笺']);
        let bytes = if is_far { PARAGRAPH_BYTES } else { CUE_BYTES };
        self.open.last().is_some_and(|o| {
            o.is_near(at, bytes) && (is_far || !self.places.text()[o.end..at].contains('者'))
        })
    }

    /// True if the sentence that goes on at byte `at` has cited something, and has taken up nothing
    /// since (者).
    pub fn cites_in_sentence(&self, at: usize) -> bool {
        let text = self.places.text();
        self.open_just_before(at).is_some_and(|open| {
            let is_over = text[..open.end].trim_end_matches(closes).ends_with(ends_sentence);
            let between = &text[open.end..at];
            !is_over && !between.contains(|c| ends_sentence(c) || matches!(c, '者' | '○' | '\n'))
        })
    }

    /// Begins to read what is quoted, with no citation open.
    pub fn enter(&mut self) -> Vec<OpenCitation> {
        self.depth += 1;
        let mut outer = std::mem::take(&mut self.open);
        // Seldom, since all that stay are moved.
        if outer.len() > 2 * MAX_OPEN {
            outer.drain(..outer.len() - MAX_OPEN);
        }
        outer
    }

    /// Ends to read it. Where the quotation is cited itself (`cites`), its source stays the last
    /// that is open; else the last title inside it is.
    pub fn leave(&mut self, outer: Vec<OpenCitation>, quoted: Span, cites: bool) {
        self.depth -= 1;
        let mut inner = std::mem::replace(&mut self.open, outer);
        inner.iter_mut().for_each(|o| o.end = quoted.end());
        let at = if cites && !inner.is_empty() { 0 } else { self.open.len() };
        self.open.splice(at..at, inner);
    }
}
