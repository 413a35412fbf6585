//! The elements of a page that can be pointed at, and the addresses of spans: `#x1.2`,
//! `other.html?w=…#z3`.
//!
//! Ids are those of the TEI: a segment's own (`z3`), and for classic and translation the sentence's
//! (`x1.2`), never offsets. An exact stretch of words inside such elements is told by [`Words`]
//! beside the address; a page that cannot read it (no script) shows the sentence.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use super::passages::passages;
use super::sheets::Sheets;
use crate::corpus::Library;
use crate::markup::address;
use crate::model::{Document, LayerKind, Target};
use crate::source::Span;
use crate::text::class::is_content;

/// An element that can be pointed at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Its words.
    pub(crate) span: Span,
    /// Index of its segment.
    pub(crate) segment: usize,
    /// Number of the sentence in its segment, from 1; 0 for a segment that is not cut into
    /// sentences.
    pub(crate) n: usize,
    /// Index of its number in the document's [`sentences`](Document::sentences).
    pub(crate) ju: Option<usize>,
}

/// A document with sound ids, and its places in order.
pub(crate) struct Places<'a> {
    pub(crate) document: Cow<'a, Document>,
    pub(crate) all: Vec<Place>,
}

/// True for layers that are written sentence by sentence.
pub(crate) fn has_sentences(kind: LayerKind) -> bool {
    matches!(kind, LayerKind::Base | LayerKind::Translation)
}

impl<'a> Places<'a> {
    pub(crate) fn of(document: &'a Document) -> Self {
        let document = numbered(document);
        let mut all = Vec::with_capacity(document.segments.len() * 2);
        for (segment, s) in document.segments.iter().enumerate().filter(|(_, s)| s.layer.is_text())
        {
            if has_sentences(s.layer.kind()) {
                let pieces = document.sentences_of(s).into_iter().zip(1..);
                all.extend(pieces.map(|((span, ju), n)| Place { span, segment, n, ju }));
            } else {
                all.push(Place { span: s.span, segment, n: 0, ju: None });
            }
        }
        Places { document, all }
    }

    /// Indices of the places that share words with `span` (or, if it has none but marks,
    /// characters).
    pub(crate) fn meet(&self, span: Span) -> std::ops::Range<usize> {
        let text = self.document.source.text();
        let worded = |p: &Place| {
            let (a, b) = (p.span.start().max(span.start()), p.span.end().min(span.end()));
            a < b && text[a..b].contains(is_content)
        };
        let mut from = self.all.partition_point(|p| p.span.end() <= span.start());
        let mut to = from
            + self.all[from..]
                .partition_point(|p| p.span.start() < span.end().max(span.start() + 1));
        if self.all[from..to].iter().any(worded) {
            while from < to && !worded(&self.all[from]) {
                from += 1;
            }
            while from < to && !worded(&self.all[to - 1]) {
                to -= 1;
            }
        }
        from..to
    }

    /// The places of one segment.
    pub(crate) fn of_segment(&self, segment: usize) -> std::ops::Range<usize> {
        let from = self.all.partition_point(|p| p.segment < segment);
        from..from + self.all[from..].partition_point(|p| p.segment == segment)
    }

    pub(crate) fn id(&self, place: &Place) -> Id<'_> {
        Id(&self.document.segments[place.segment].id, place.n)
    }

    /// First and last element of `span` and the words in them; `None` if it lies in nothing that is
    /// shown.
    pub(crate) fn words(&self, span: Span) -> Option<Words<'_>> {
        let range = self.meet(span);
        let (first, last) = (self.all.get(range.start)?, self.all.get(range.end.checked_sub(1)?)?);
        if range.is_empty() {
            return None;
        }
        let count = |from: usize, to: usize| {
            let words = self.document.words(Span::new(from, to.max(from)));
            words.chars().filter(|c| !c.is_whitespace()).count()
        };
        Some(Words {
            from: (self.id(first), count(first.span.start(), span.start().max(first.span.start()))),
            to: (self.id(last), count(last.span.start(), span.end().min(last.span.end()))),
        })
    }
}

/// Id of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id<'a>(&'a str, usize);

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            0 => f.write_str(self.0),
            n => write!(f, "{}.{n}", self.0),
        }
    }
}

/// A stretch of words: elements, and how many characters (white space not counted) stand before in
/// each. Written `x1.2:0-x1.4:7`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    pub(crate) from: (Id<'a>, usize),
    to: (Id<'a>, usize),
}

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}-{}:{}", self.from.0, self.from.1, self.to.0, self.to.1)
    }
}

/// Where spans of a library's documents are shown; learns the places of each document once.
pub(crate) struct Addresses<'a> {
    pub(super) library: &'a Library,
    /// Long documents are written over several files.
    pub(super) sheeted: bool,
    others: HashMap<String, Option<(Places<'a>, Sheets)>>,
}

/// An address, and the words meant there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// For `href`.
    pub(crate) href: String,
    /// For `data-w`, in the page itself.
    pub(crate) words: Option<String>,
    /// The words around, where they are on another page: for a look without going there.
    pub(crate) said: Option<String>,
}

/// The sheet that addresses are seen from.
#[derive(Clone, Copy)]
pub(crate) struct Here<'a> {
    pub(super) places: &'a Places<'a>,
    pub(super) sheets: &'a Sheets,
    pub(super) sheet: usize,
}

/// Most characters of another page that are shown in place.
const SAID: usize = 160;

impl<'a> Addresses<'a> {
    /// A page a document, whatever its length.
    pub(crate) fn new(library: &'a Library) -> Self {
        Addresses { library, sheeted: false, others: HashMap::new() }
    }

    /// Long documents over several files.
    pub(crate) fn over_sheets(library: &'a Library) -> Self {
        Addresses { sheeted: true, ..Addresses::new(library) }
    }

    /// The places of another document; `None` if it is not in the library.
    fn places(&mut self, id: &str) -> Option<&(Places<'a>, Sheets)> {
        if !self.others.contains_key(id) {
            let known = self.library.get(id).map(|d| {
                let places = Places::of(d);
                let passages = if self.sheeted { passages(&places) } else { vec![] };
                let sheets = if self.sheeted {
                    Sheets::several(&places, &passages)
                } else {
                    Sheets::one(&places, &passages)
                };
                (places, sheets)
            });
            self.others.insert(id.to_string(), known);
        }
        self.others.get(id)?.as_ref()
    }

    /// Where a link leads that is seen from `here`; `None` if nowhere that is shown.
    pub(crate) fn target(&mut self, here: Here<'_>, target: &Target) -> Option<Address> {
        match target.doc.as_deref() {
            Some(id) if id != here.places.document.id => self.there(id, target.span),
            _ => here.address(target.span),
        }
    }

    /// A place of another document.
    pub(crate) fn there(&mut self, id: &str, span: Span) -> Option<Address> {
        let (places, sheets) = self.places(id)?;
        Some(places.address(sheets, span).unwrap_or_else(|| Address {
            href: file_of(id),
            words: None,
            said: None,
        }))
    }
}

impl Here<'_> {
    /// A place of the document itself.
    pub(crate) fn address(&self, span: Span) -> Option<Address> {
        let first = self.places.first(span)?;
        if self.sheets.at(first.span.start()) != self.sheet {
            return self.places.address(self.sheets, span);
        }
        let words = self.places.words(span)?;
        Some(Address {
            href: format!("#{}", words.from.0),
            words: Some(words.to_string()),
            said: None,
        })
    }
}

impl Places<'_> {
    fn first(&self, span: Span) -> Option<&Place> {
        let range = self.meet(span);
        (!range.is_empty()).then(|| &self.all[range.start])
    }

    /// As seen from another page.
    fn address(&self, sheets: &Sheets, span: Span) -> Option<Address> {
        let words = self.words(span)?;
        let file = file_of(&sheet_id(&self.document.id, sheets.at(self.first(span)?.span.start())));
        let mut said: String =
            self.meet(span).map(|i| self.document.words(self.all[i].span)).collect();
        if let Some((end, _)) = said.char_indices().nth(SAID) {
            said.truncate(end);
            said.push('…');
        }
        Some(Address {
            href: format!("{file}?w={words}#{}", words.from.0),
            words: None,
            said: Some(said),
        })
    }
}

fn sheet_id(id: &str, sheet: usize) -> Cow<'_, str> {
    if sheet == 0 { Cow::Borrowed(id) } else { Cow::Owned(format!("{id}.{}", sheet + 1)) }
}

/// The name of a sheet's file; where a reference to it stands, [`file_of`] its id.
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

/// The document with sound ids; numbered anew where it has none.
fn numbered(document: &Document) -> Cow<'_, Document> {
    let mut seen = std::collections::HashSet::with_capacity(document.segments.len());
    if document.segments.iter().all(|s| is_sound(&s.id) && seen.insert(s.id.as_str())) {
        return Cow::Borrowed(document);
    }
    let mut copy = document.clone();
    copy.number();
    Cow::Owned(copy)
}

/// True for ids of the shape the model gives: one letter and a number.
fn is_sound(id: &str) -> bool {
    let mut chars = id.chars();
    chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && id.len() > 1
        && chars.as_str().bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Layer, Segment};
    use crate::source::Source;
    use std::sync::Arc;

    #[test]
    fn words_are_told_by_sentence_and_count() {
        let text = "卒射。降,反位。\n坐";
        let mut d = Document::new(Arc::new(Source::from_text("a.txt", text)), "test");
        d.segments = vec![Segment::marked(Layer::Jing, Span::new(0, text.len()))];
        let places = Places::of(&d);
        let at = text.find("反").unwrap();
        assert_eq!(places.words(Span::new(at, at + 6)).unwrap().to_string(), "x1.2:2-x1.2:4");
        assert_eq!(places.words(Span::new(0, text.len())).unwrap().to_string(), "x1.1:0-x1.3:1");
    }

    #[test]
    fn file_names_cannot_lead_elsewhere() {
        assert_eq!(file_of("yili-05"), "yili-05.html");
        assert_eq!(file_of("../javascript:x"), "..%2Fjavascript%3Ax.html");
        assert_eq!(file_of("鄉射 禮"), "鄉射%20禮.html");
    }
}
