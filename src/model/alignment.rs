//! A classic and its translation, bead by bead.

use super::{Certainty, Evidence};
use crate::source::Span;

/// Sentences of one side that correspond to sentences of the other; one side may be empty.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Bead {
    /// Of the classic, in order. Several spans if a note lies between them.
    pub source: Vec<Span>,
    /// Of the translation.
    pub translation: Vec<Span>,
    /// Certainty.
    pub certainty: Certainty,
    /// The evidence for or against it.
    pub evidence: Vec<Evidence>,
}

/// What beads consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum Grain {
    /// Sentences.
    #[default]
    Sentence,
    /// Clauses, inside beads of sentences.
    Clause,
}

/// The beads of a pair of documents, in the order of the texts.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Alignment {
    /// Id of the classic's document.
    pub source: String,
    /// Id of the translation's document.
    pub translation: String,
    /// What beads consist of.
    pub grain: Grain,
    /// The beads; every sentence of both sides is in exactly one.
    pub beads: Vec<Bead>,
}
