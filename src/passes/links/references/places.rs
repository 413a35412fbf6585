//! A text whose references are read, and what they are looked up in.

use super::words::SoughtWords;
use crate::corpus::index::{Index, Indexed};
use crate::corpus::view::View;
use crate::corpus::works::{Named, Resolved, Scholar, Works};
use crate::model::{Document, Target};
use crate::source::Span;
use crate::text::char_ceil;

/// A scholar who is named as the speaker of something.
#[derive(Clone, Copy, Debug)]
pub struct Speaker<'a> {
    /// Who.
    pub scholar: &'a Scholar,
    /// The name and the verb.
    pub span: Span,
    /// The name is the surname alone.
    pub by_surname: bool,
}

/// A text, and what its words are looked up in.
pub struct Places<'a> {
    /// The document.
    pub document: &'a Document,
    /// Its view.
    pub view: &'a View,
    /// Its number in the index.
    pub entry: usize,
    /// All texts.
    pub index: &'a Index,
    /// The work and chapter of the document, if they are known.
    pub home: Option<Named>,
    /// Whose words it reports, in order.
    pub speakers: Vec<Speaker<'a>>,
}

impl<'a> Places<'a> {
    /// The work of the document.
    pub fn work(&self) -> Option<&str> {
        self.home.as_ref().map(|n| n.work.as_str())
    }

    /// What this chapter is called.
    pub fn locus(&self) -> Option<String> {
        self.document.meta.locus().or_else(|| self.home.as_ref().map(Named::locus))
    }

    /// The authority file.
    pub fn works(&self) -> &'a Works {
        &self.index.works
    }

    /// The text of the source.
    pub fn text(&self) -> &'a str {
        self.document.source.text()
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &'a str {
        &self.text()[span.range()]
    }

    /// The words of a span.
    pub fn words(&self, span: Span) -> SoughtWords {
        SoughtWords::of(self.text(), span)
    }

    /// What a title names, as the text that is explained would use it.
    pub fn resolve(&self, title: &str) -> Option<Resolved> {
        self.works().resolve(title, self.work())
    }

    /// The text that a target is in.
    pub fn text_of(&self, target: &Target) -> &Indexed {
        let there = target.doc.as_ref().and_then(|id| self.index.get(id));
        there.unwrap_or(&self.index.entries[self.entry])
    }

    /// The first byte, at most so many before byte `at`, that begins a character.
    pub fn back(&self, at: usize, bytes: usize) -> usize {
        char_ceil(self.text(), at.saturating_sub(bytes))
    }
}
