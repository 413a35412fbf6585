//! The apparatus: what a note says of another reading, as witness, reading and the words it stands
//! for.

use super::{Certainty, Evidence, Status};
use crate::source::Span;

/// How a reading differs from the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Difference {
    /// Other words in their place: 古文縮爲蹙.
    Other,
    /// The words are not there: 今文無奠.
    Lacks,
    /// Words after them that the text does not have: 注疏本衍也字.
    Adds,
    /// To be understood as another word: 參讀爲糝.
    ReadAs,
    /// Held to be a mistake for another word, or superfluous: 觚當爲觶.
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

/// One entry: a note tells of a reading. The note stays what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct ApparatusEntry {
    /// The words of the note that tell.
    pub span: Span,
    /// Who reads so: 今文, 注疏本; the commentator where it is his view.
    pub witness: String,
    /// How it differs.
    pub difference: Difference,
    /// The words of the text as the note names them; none where it names only the other reading.
    pub named: Option<Span>,
    /// The other reading, as words of the note; none where words are lacking.
    pub reading: Option<Span>,
    /// Who reads as the text does, if the note says so: 宋本.
    pub support: Vec<String>,
    /// The words of the text that are meant; none where they were not found.
    pub lemma: Option<Span>,
    /// How well they were found: exact, variant or unresolved.
    pub status: Status,
    /// How sure.
    pub certainty: Certainty,
    /// Why.
    pub evidence: Vec<Evidence>,
}
