//! Pointers to the elements that a span falls into: ids, never offsets.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::corpus::Library;
use crate::markup::address;
use crate::model::{Layer, Target};
use crate::reading::ChapterText;
use crate::source::Span;

/// Pointers into the documents of a library; what it learns of another document it keeps.
pub(super) struct Pointers<'a> {
    library: &'a Library,
    here: &'a ChapterText<'a>,
    others: HashMap<String, Option<ChapterText<'a>>>,
}

impl<'a> Pointers<'a> {
    pub(super) fn new(library: &'a Library, here: &'a ChapterText<'a>) -> Self {
        Pointers { library, here, others: HashMap::new() }
    }

    /// `#x1.2 #z1`: the elements of this document that `span` touches; what is before it if it
    /// touches none.
    pub(super) fn here(&self, span: Span) -> String {
        let mut list = String::new();
        point(&mut list, "", self.here, span);
        if list.is_empty() {
            let segments = &self.here.document.segments;
            let until = segments.partition_point(|s| s.span.end() <= span.end());
            let before = segments[..until].iter().rev().find(|s| s.layer != Layer::Blank);
            list = before.map_or_else(|| "#zhushu".to_string(), |s| format!("#{}", s.id));
        }
        list
    }

    /// The elements of document `id` that `span` touches; the whole file if the document is not in
    /// the library.
    pub(super) fn there(&mut self, id: &str, span: Span) -> String {
        if id == self.here.document.id {
            return self.here(span);
        }
        let library = self.library;
        let known = || library.get(id).map(|d| ChapterText::outline(d));
        let other = self.others.entry(id.to_string()).or_insert_with(known);
        let file = file_of(id);
        let mut list = String::new();
        if let Some(chapter) = other {
            point(&mut list, &file, chapter, span);
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

/// Adds pointers to the elements of `chapter` that `span` points at.
fn point(list: &mut String, file: &str, chapter: &ChapterText<'_>, span: Span) {
    for e in chapter.pointed(span) {
        let gap = if list.is_empty() { "" } else { " " };
        // Writing to a string does not fail.
        let _ = write!(list, "{gap}{file}#{}", chapter.id(e));
    }
}

/// The file that document `id` is written to, as a relative reference.
pub(super) fn file_of(id: &str) -> String {
    format!("{}.xml", address::tei(id))
}
