//! References from a place in a document to a place in the same or another document.

use ecow::EcoString;

use super::{Certainty, Evidence, Layer, SharedList};
use crate::source::Span;

/// The kind of a reference.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[non_exhaustive]
pub enum LinkKind {
    /// From part of a lemma header to the text it explains.
    Lemma,
    /// To words quoted from the passage that is explained (云“…”者).
    Quotation,
    /// To another work or chapter.
    Citation,
    /// To another place of the same work: 上文, 下記, 自此盡….
    Internal,
    /// To a passage with the same content.
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

/// How well the target was found.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[non_exhaustive]
pub enum Status {
    /// The same characters, apart from punctuation.
    Exact,
    /// The same words, some in variant characters.
    Variant,
    /// The same sense in other words.
    Paraphrase,
    /// From one place to another.
    Range,
    /// The work or chapter is known, but there are no words to look for, or they were not found.
    TitleOnly,
    /// Not found.
    Unresolved,
}

impl Status {
    /// All of them, from well to badly found.
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

/// The target of a reference.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Target {
    /// Id of the document; `None` for the citing document.
    pub doc: Option<EcoString>,
    /// The words.
    pub span: Span,
}

/// One reference.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Link {
    /// Kind.
    pub kind: LinkKind,
    /// The text that makes the reference.
    pub span: Span,
    /// The part of them that is quoted from elsewhere.
    pub quoted: Option<Span>,
    /// The layer that refers.
    pub layer: Layer,
    /// Canonical title, chapters joined by ・; `None` if the text names no work.
    pub work: Option<EcoString>,
    /// The target; `None` if it is not in the corpus, was not found, or may be any of
    /// `alternatives`.
    pub target: Option<Target>,
    /// Other places with the same words that were not chosen; all of them where none was.
    pub alternatives: SharedList<Target>,
    /// How well it was found.
    pub status: Status,
    /// Certainty.
    pub certainty: Certainty,
    /// Why.
    pub evidence: SharedList<Evidence>,
}

/// A lemma header, parsed: `“眾賓”至“上耦”。注“於是”至“及賓”。`
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Header {
    /// The whole header.
    pub span: Span,
    /// What it names, in order.
    pub parts: Vec<HeaderPart>,
}

/// One lemma of a header.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct HeaderPart {
    /// [`Layer::Jing`] or [`Layer::Zhu`] (after 注).
    pub layer: Layer,
    /// From the first quoted word to the last, with the quotation marks and 至 between them, without
    /// 注.
    pub span: Span,
    /// The first words, without quotation marks.
    pub from: Span,
    /// The last words; `None` if the header quotes all of it.
    pub to: Option<Span>,
}

/// The kind of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum ReadingKind {
    /// A correction of damage in this copy, such as 雲 for 云.
    Repair,
    /// A regularisation: the same word in its usual form.
    Variant,
    /// What the source has where the text of an edition is repaired.
    Source,
    /// What another witness has, in a text that is merged from several. The evidence names it.
    Witness,
    /// Words that the manuscript has lost and its transcription supplies; the reading is empty.
    Supplied,
    /// Signs that stand for lost characters in a transcription; the reading is empty.
    Lost,
}

impl ReadingKind {
    /// Name in JSON.
    pub(crate) fn id(self) -> &'static str {
        match self {
            ReadingKind::Repair => "repair",
            ReadingKind::Variant => "variant",
            ReadingKind::Source => "source",
            ReadingKind::Witness => "witness",
            ReadingKind::Supplied => "supplied",
            ReadingKind::Lost => "lost",
        }
    }
}

/// Another reading of some words. It is kept beside the text and never replaces it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Reading {
    /// The words in the text.
    pub span: Span,
    /// How they should be read.
    pub reading: EcoString,
    /// The kind of difference.
    pub kind: ReadingKind,
    /// Certainty.
    pub certainty: Certainty,
    /// Why.
    pub evidence: SharedList<Evidence>,
}
