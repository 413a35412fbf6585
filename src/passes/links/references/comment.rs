//! Reads a sub-commentary from left to right: quotations, titles, and references to other places in
//! the text.
//!
//! The words before a quotation give its source. 雲“…” after a title belongs to the title; 注雲 or
//! 又雲 just after such a citation continues it; 下文, 上經 and 下記 point into the chapter; all
//! else is looked for in the passage explained.

use super::rules::Rule;
use std::cell::OnceCell;
use std::rc::Rc;

use super::citation::locus;
use super::link::draft;
use super::locate::CitedSource;
use super::pairs::PassagePairs;
use super::place::{PlaceFinder, QuotedBefore};
use super::scan::{CommentToken, TokenKind, tokens};
use super::sought::{FoundPlace, SoughtWords};
use crate::corpus::view::{ExplainedText, Stream};
use crate::corpus::works::{Named, Resolved, Works};
use crate::model::{Layer, LayerKind, Link, LinkKind, Status};
use crate::source::Span;

/// So many citations may be continued at most. Those further back are never looked at, and a
/// sub-commentary may have thousands.
const MAX_OPEN: usize = 64;
/// Fewest characters of a quotation inside another that are looked for in the passage.
const MIN_NESTED_CHARS: usize = 3;
/// The same in the rest of the chapter.
const MIN_NESTED_AHEAD_CHARS: usize = 5;

/// A citation that the following text may continue.
#[derive(Clone)]
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
        let place = found.filter(|f| f.target.doc.is_none()).map(|f| f.target.span.end());
        let end = span.end();
        OpenCitation { named: None, work, start: None, end, place, year: None, found_in: None }
    }

    /// One of a work and chapter that ends at a byte.
    pub fn of(named: Named, end: usize) -> Self {
        let work = Some(named.locus());
        let named = Some(named);
        OpenCitation { named, work, start: None, end, place: None, year: None, found_in: None }
    }

    /// One of what a title names.
    pub fn of_title(works: &Works, resolved: Resolved, end: usize) -> Self {
        let work = Some(locus(works, &resolved));
        OpenCitation { work, ..OpenCitation::of(resolved.named, end) }
    }

    /// What it cites, as a source of words at byte `near`.
    pub fn source(&self, stream: Stream, near: usize) -> Option<CitedSource<'_>> {
        let named = self.named.as_ref()?;
        Some(CitedSource { named, stream, near, year: self.year })
    }

    /// What a quotation that goes on with it cites: 其職云 is from the office, not from the list of
    /// offices, and 經云 from the classic, not from its preface.
    pub fn says(&self, cue: &str) -> Option<String> {
        let itself = cue.contains(['職', '职', '經', '经']);
        self.named.as_ref().filter(|_| itself).map(Named::locus).or_else(|| self.work.clone())
    }
}

/// Reads one sub-commentary segment.
pub struct Reader<'a> {
    /// Where to look.
    pub places: &'a PlaceFinder<'a>,
    /// The passage it explains.
    pub passage: &'a ExplainedText,
    /// The layer of the segment.
    pub layer: Layer,
    /// Spans that are already links of scopes.
    pub taken: Vec<Span>,
    /// The result.
    pub links: Vec<Link>,
    /// The citations so far, the last of them last: the text that follows may continue any.
    pub open: Vec<OpenCitation>,
    /// What is read.
    pub span: Span,
    /// Where the previous quotation was found.
    pub after: Option<usize>,
    /// The words that the quotations before were found to be, the last of them last.
    pub recent: Vec<Span>,
    /// The quotation with which the outline of a section began, and the place of its words: 自“命司空”以下.
    pub outlined: Option<(Span, Span)>,
    /// In how many quotations the reader is.
    pub depth: usize,
    /// What notes on a quotation were just found to say: it is read.
    pub noted: Option<Span>,
    /// The words that the header before the segment quotes.
    pub header: Option<Span>,
    /// The duke whose year was named last.
    pub duke: Option<char>,
    /// The pairs of characters of the passage, once something asks for them.
    pub pairs: OnceCell<Rc<PassagePairs>>,
}

impl<'a> Reader<'a> {
    /// A reader with no links yet.
    pub fn new(
        places: &'a PlaceFinder<'a>,
        passage: &'a ExplainedText,
        layer: Layer,
        taken: Vec<Span>,
    ) -> Self {
        let span = passage.comment;
        Reader {
            places,
            passage,
            layer,
            taken,
            links: vec![],
            open: vec![],
            span,
            after: None,
            recent: vec![],
            outlined: None,
            depth: 0,
            noted: None,
            header: None,
            duke: None,
            pairs: OnceCell::new(),
        }
    }

    /// The authority file.
    pub fn works(&self) -> &'a Works {
        &self.places.index.works
    }

    /// The text of the source.
    pub fn text(&self) -> &'a str {
        self.places.document.source.text()
    }

    /// Reads `span`.
    pub fn read(&mut self, span: Span) {
        self.span = span;
        let tokens = tokens(self.text(), span);
        let mut i = 0;
        while i < tokens.len() {
            i = match tokens[i].kind {
                TokenKind::Title => self.title(&tokens, i),
                TokenKind::Quote => self.quote(&tokens, i),
                TokenKind::Plain => self.plain(&tokens, i),
            };
        }
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

    /// The text of a span.
    pub fn slice(&self, s: Span) -> &'a str {
        &self.text()[s.range()]
    }

    /// A quotation inside another: what the tradition says (傳曰‘…’), or exactly words of the passage or of another
    /// chapter.
    fn within_quotation(&mut self, tokens: &[CommentToken], at: usize) {
        let quote = tokens[at];
        let words = SoughtWords::of(self.places.document, quote.inner);
        if words.len() < MIN_NESTED_CHARS {
            return;
        }
        let found = self.places.in_passage(self.passage, &words, None, self.quoted_before());
        if let Some(found) =
            found.filter(|f| f.status == Status::Exact && Rule::NestedInPassage.on())
        {
            let link = draft(LinkKind::Quotation, quote.outer, self.layer).quoted(quote.inner);
            self.links.push(link.found(Some(found)).link());
        } else if !(Rule::NestedElsewhere.on()
            && self.quotes_another(quote.outer, quote.inner, &words, ""))
        {
            let own = (words.len() >= MIN_NESTED_AHEAD_CHARS && Rule::NestedInChapter.on())
                .then(|| self.places.in_own_chapter(self.passage.text, &words))
                .flatten();
            let (places, layer) = (self.places, self.layer);
            self.links
                .extend(own.map(|own| own.draft(places, quote.outer, quote.inner, layer).link()));
        }
    }

    /// Reads the titles inside a quotation. Where it is cited itself (`cites`), its source stays the
    /// last that is open; else the last title inside it is.
    pub fn nested(&mut self, span: Span, cites: bool) {
        let mut outer = std::mem::take(&mut self.open);
        // Seldom, since all that stay are moved.
        if outer.len() > 2 * MAX_OPEN {
            outer.drain(..outer.len() - MAX_OPEN);
        }
        self.depth += 1;
        let tokens = tokens(self.text(), span);
        let mut i = 0;
        while i < tokens.len() {
            i = match tokens[i].kind {
                TokenKind::Title => self.title(&tokens, i),
                TokenKind::Quote => {
                    self.within_quotation(&tokens, i);
                    self.nested(tokens[i].inner, cites);
                    i + 1
                }
                TokenKind::Plain => i + 1,
            };
        }
        self.depth -= 1;
        let mut inner = std::mem::take(&mut self.open);
        if inner.is_empty() {
            self.open = outer;
            return;
        }
        for o in &mut inner {
            o.end = span.end();
        }
        let (mut first, mut last) =
            if cites && Rule::OuterStaysLast.on() { (inner, outer) } else { (outer, inner) };
        first.append(&mut last);
        self.open = first;
    }
}
