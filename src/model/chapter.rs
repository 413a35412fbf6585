//! The chapters of a whole book.

use crate::source::Span;

/// What a part of a book is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BookChapter {
    /// All of it, with its headings; the chapters of a file cover it.
    pub(crate) span: Span,
    /// What it is.
    pub(crate) kind: ChapterKind,
    /// Its title, as the file has it.
    pub(crate) title: String,
    /// Canonical title of the part of the work, if the list of works has it.
    pub(crate) part: Option<String>,
    /// Canonical title of the chapter, if the list of works has it.
    pub(crate) chapter: Option<String>,
    /// Its number, by the list of works, else by the file.
    pub(crate) number: Option<u32>,
}

impl BookChapter {
    /// Its canonical title, else the one that the file has.
    pub(crate) fn name(&self) -> &str {
        self.chapter.as_deref().or(self.part.as_deref()).unwrap_or(&self.title)
    }

    /// True if the list of works has it.
    pub(crate) fn is_listed(&self) -> bool {
        self.chapter.is_some() || self.part.is_some()
    }
}
