//! References: from words of one document to words of the same or another.

use super::{Certainty, Evidence, Layer};
use crate::source::Span;

/// What kind of reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LinkKind {
    /// Part of a lemma header and the words it treats.
    Lemma,
    /// Words of the passage explained (云“…”者).
    Quotation,
    /// Another work or chapter.
    Citation,
    /// 上文, 下記, 自此盡….
    Internal,
    /// The same told elsewhere.
    Parallel,
}

impl LinkKind {
    /// All of them.
    pub const ALL: [LinkKind; 5] = [
        LinkKind::Lemma,
        LinkKind::Quotation,
        LinkKind::Citation,
        LinkKind::Internal,
        LinkKind::Parallel,
    ];

    /// Name in JSON.
    pub fn id(self) -> &'static str {
        match self {
            LinkKind::Lemma => "lemma",
            LinkKind::Quotation => "quotation",
            LinkKind::Citation => "citation",
            LinkKind::Internal => "internal",
            LinkKind::Parallel => "parallel",
        }
    }
}

/// How well the place was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// The same characters, punctuation aside.
    Exact,
    /// The same words, some written otherwise.
    Variant,
    /// The sense, not the words.
    Paraphrase,
    /// From one place to another.
    Range,
    /// Work or chapter known, no words to look for or not found there.
    TitleOnly,
    /// Not placed.
    Unresolved,
}

impl Status {
    /// All of them, the best found first.
    pub const ALL: [Status; 6] = [
        Status::Exact,
        Status::Variant,
        Status::Paraphrase,
        Status::Range,
        Status::TitleOnly,
        Status::Unresolved,
    ];

    /// Name in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Status::Exact => "exact",
            Status::Variant => "variant",
            Status::Paraphrase => "paraphrase",
            Status::Range => "range",
            Status::TitleOnly => "title-only",
            Status::Unresolved => "unresolved",
        }
    }
}

/// Where a reference leads.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Id of the document; `None` for the citing one.
    pub doc: Option<String>,
    /// The words.
    pub span: Span,
}

/// One reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// What kind.
    pub kind: LinkKind,
    /// The words that refer.
    pub span: Span,
    /// Of these, the words said to stand elsewhere.
    pub quoted: Option<Span>,
    /// Layer that speaks.
    pub layer: Layer,
    /// Canonical title, chapters joined by ・; `None` where the text names none.
    pub work: Option<String>,
    /// The place; `None` when it is not in the corpus or was not found.
    pub target: Option<Target>,
    /// Other places with the same words that were not chosen.
    pub alternatives: Vec<Target>,
    /// How well it was found.
    pub status: Status,
    /// How sure.
    pub certainty: Certainty,
    /// Why.
    pub evidence: Vec<Evidence>,
}

/// A lemma header, parsed: `“眾賓”至“上耦”。注“於是”至“及賓”。`
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The whole header.
    pub span: Span,
    /// What it names, in order.
    pub parts: Vec<HeaderPart>,
}

/// One named stretch of a header.
#[derive(Clone, Debug, PartialEq)]
pub struct HeaderPart {
    /// [`Layer::Jing`] or [`Layer::Zhu`] (after 注).
    pub layer: Layer,
    /// From the first quoted word to the last, quotation marks and 至 between them included, 注
    /// left out.
    pub span: Span,
    /// The first words, without quotation marks.
    pub from: Span,
    /// The last words; `None` where the header quotes the whole.
    pub to: Option<Span>,
}

/// What kind of other reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadingKind {
    /// Damage of this copy, such as 雲 for 云: a correction.
    Repair,
    /// The same word written otherwise: a regularisation.
    Variant,
}

/// Another reading of some words: stands beside the text, never in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The words as they stand.
    pub span: Span,
    /// As they should be read.
    pub reading: String,
    /// Why they differ.
    pub kind: ReadingKind,
    /// How sure.
    pub certainty: Certainty,
    /// Why.
    pub evidence: Vec<Evidence>,
}
