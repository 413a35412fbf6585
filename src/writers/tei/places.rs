//! Which elements a span of a document falls into: pointers are ids of elements, never offsets.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::corpus::Library;
use crate::markup::address;
use crate::model::{Document, Layer, LayerKind, Target};
use crate::source::Span;
use crate::text::class::is_content;

/// An element that can be pointed at: a segment, or a sentence of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Its words.
    pub(super) span: Span,
    /// Index of its segment.
    pub(super) segment: u32,
    /// Number of the sentence in its segment, from 1; 0 for a segment that is not cut into
    /// sentences.
    pub(super) n: u32,
    /// Index of its number in the document's [`sentences`](Document::sentences).
    pub(super) ju: Option<usize>,
}

/// The elements of a document in order: classic and translation by sentence, all else by segment.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) all: Vec<Place>,
}

/// True for layers that are written sentence by sentence.
pub(super) fn has_sentences(kind: LayerKind) -> bool {
    matches!(kind, LayerKind::Base | LayerKind::Translation)
}

impl Places {
    pub(super) fn of(document: &Document) -> Self {
        let mut all = Vec::with_capacity(document.segments.len() * 2);
        for (i, s) in document.segments.iter().enumerate() {
            let segment = i as u32;
            if has_sentences(s.layer.kind()) {
                let pieces = document.sentences_of(s).into_iter().zip(1..);
                all.extend(pieces.map(|((span, ju), n)| Place { span, segment, n, ju }));
            } else {
                all.push(Place { span: s.span, segment, n: 0, ju: None });
            }
        }
        Places { all }
    }

    /// Index of the first place that ends after byte `at`.
    pub(super) fn from(&self, at: usize) -> usize {
        self.all.partition_point(|p| p.span.end() <= at)
    }

    /// The places that share characters with `span`, words before marks: places of which it holds
    /// nothing but punctuation or blanks count only if there are no others, and blanks between
    /// segments never, as they may have no element.
    fn meet<'a>(&'a self, document: &'a Document, span: Span) -> impl Iterator<Item = &'a Place> {
        let first = self.from(span.start());
        let within =
            move |p: &&Place| p.span.start() < span.end() || p.span.start() == span.start();
        let shown = move |p: &&Place| document.segments[p.segment as usize].layer != Layer::Blank;
        let worded = move |p: &Place| {
            let (a, b) = (p.span.start().max(span.start()), p.span.end().min(span.end()));
            document.segments[p.segment as usize].layer.is_text()
                && a < b
                && document.source.text()[a..b].contains(is_content)
        };
        let any = self.all[first..].iter().take_while(within).any(worded);
        self.all[first..].iter().take_while(within).filter(shown).filter(move |p| !any || worded(p))
    }
}

/// Pointers into the documents of a library; what it learns of another document it keeps.
pub(super) struct Pointers<'a> {
    library: &'a Library,
    here: &'a Document,
    places: &'a Places,
    others: HashMap<String, Option<(Arc<Document>, Places)>>,
}

impl<'a> Pointers<'a> {
    pub(super) fn new(library: &'a Library, here: &'a Document, places: &'a Places) -> Self {
        Pointers { library, here, places, others: HashMap::new() }
    }

    /// `#x1.2 #z1`: the elements of this document that `span` touches; what stands before it if it
    /// touches none.
    pub(super) fn here(&self, span: Span) -> String {
        let mut list = String::new();
        point(&mut list, "", self.here, self.places, span);
        if list.is_empty() {
            let until = self.here.segments.partition_point(|s| s.span.end() <= span.end());
            let before = self.here.segments[..until].iter().rev().find(|s| s.layer != Layer::Blank);
            list = before.map_or_else(|| "#zhushu".to_string(), |s| format!("#{}", s.id));
        }
        list
    }

    /// The elements of document `id` that `span` touches; the whole file if the document is not in
    /// the library.
    pub(super) fn there(&mut self, id: &str, span: Span) -> String {
        if id == self.here.id {
            return self.here(span);
        }
        let library = self.library;
        let other = self.others.entry(id.to_string()).or_insert_with(|| {
            library.get(id).map(|d| {
                let document = super::numbered_arc(d);
                let places = Places::of(&document);
                (document, places)
            })
        });
        let file = file_of(id);
        let mut list = String::new();
        if let Some((document, places)) = other {
            point(&mut list, &file, document, places, span);
        }
        if list.is_empty() { file } else { list }
    }

    /// Where a link leads; `#unresolved` if nowhere.
    pub(super) fn target(&mut self, target: Option<&Target>) -> String {
        match target {
            None => "#unresolved".to_string(),
            Some(Target { doc: None, span }) => self.here(*span),
            Some(Target { doc: Some(id), span }) => self.there(id, *span),
        }
    }
}

fn point(list: &mut String, file: &str, document: &Document, places: &Places, span: Span) {
    for p in places.meet(document, span) {
        let id = &document.segments[p.segment as usize].id;
        let gap = if list.is_empty() { "" } else { " " };
        let _ = match p.n {
            0 => write!(list, "{gap}{file}#{id}"),
            n => write!(list, "{gap}{file}#{id}.{n}"),
        };
    }
}

/// The file that document `id` is written to, as a relative reference.
pub(super) fn file_of(id: &str) -> String {
    format!("{}.xml", address::tei(id))
}
