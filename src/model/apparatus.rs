//! The apparatus: what a note says about another reading, as witness, reading and the words that it
//! replaces.

use super::{Certainty, Evidence, SharedList, Status};
use crate::source::Span;

/// How a reading differs from the text.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[non_exhaustive]
pub enum Difference {
    /// Other words instead: 古文縮爲蹙.
    Other,
    /// The words are missing: 今文無奠.
    Lacks,
    /// Additional words that the text does not have: 注疏本衍也字.
    Adds,
    /// To be understood as another word: 參讀爲糝.
    ReadAs,
    /// Considered a mistake for another word, or superfluous: 觚當爲觶.
    Emends,
}

impl Difference {
    /// All of them.
    pub const ALL: [Difference; 5] = [
        Difference::Other,
        Difference::Lacks,
        Difference::Adds,
        Difference::ReadAs,
        Difference::Emends,
    ];

    /// Name in JSON and TEI.
    pub fn id(self) -> &'static str {
        match self {
            Difference::Other => "other",
            Difference::Lacks => "lacks",
            Difference::Adds => "adds",
            Difference::ReadAs => "read-as",
            Difference::Emends => "emends",
        }
    }
}

/// One entry: a note reports a reading. The note itself does not change.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ApparatusEntry {
    /// The part of the note that reports it.
    pub span: Span,
    /// The witness with this reading: 今文, 注疏本; the commentator if it is his view.
    pub witness: String,
    /// How it differs.
    pub difference: Difference,
    /// The words of the text as the note quotes them, unless it quotes only the other reading.
    pub named: Option<Span>,
    /// The other reading as the note quotes it; none if the words are missing there.
    pub reading: Option<Span>,
    /// Who agrees with the text, if the note says so: 宋本.
    pub support: Vec<String>,
    /// The words of the text that are meant, if they were found.
    pub lemma: Option<Span>,
    /// How well they were found: exact, variant or unresolved.
    pub status: Status,
    /// Certainty.
    pub certainty: Certainty,
    /// Why.
    pub evidence: SharedList<Evidence>,
}
