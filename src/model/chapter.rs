//! The chapters of a whole book.

use crate::source::Span;

/// What a part of a book is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum ChapterKind {
    /// Preface, contents: all before the first chapter.
    Front,
    /// A chapter.
    Chapter,
    /// Postface, collation notes: all after the last chapter.
    Back,
}

impl ChapterKind {
    /// Its name for programs.
    pub(crate) fn id(self) -> &'static str {
        match self {
            ChapterKind::Front => "front",
            ChapterKind::Chapter => "chapter",
            ChapterKind::Back => "back",
        }
    }
}

/// A chapter of a file.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct BookChapter {
    /// Its span, with its headings; the chapters of a file cover the file.
    pub(crate) span: Span,
    /// What it is.
    pub(crate) kind: ChapterKind,
    /// Title of its work, if the file has several.
    pub(crate) work: Option<String>,
    /// Its title in the file.
    pub(crate) title: String,
    /// Canonical title of the part of the work, if it is in the list of works.
    pub(crate) part: Option<String>,
    /// Canonical title of the chapter, if it is in the list of works.
    pub(crate) chapter: Option<String>,
    /// Its number in the list of works, or in the file.
    pub(crate) number: Option<u32>,
}

impl BookChapter {
    /// Its canonical title, or the one in the file.
    pub(crate) fn name(&self) -> &str {
        self.chapter.as_deref().or(self.part.as_deref()).unwrap_or(&self.title)
    }

    /// True if it is in the list of works.
    pub(crate) fn is_listed(&self) -> bool {
        self.chapter.is_some() || self.part.is_some()
    }
}
