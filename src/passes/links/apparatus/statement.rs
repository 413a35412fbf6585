//! What a note states.

use crate::model::Difference;
use crate::source::Span;

/// What a note states, before the words meant are found.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub span: Span,
    pub witness: String,
    pub difference: Difference,
    /// The words of the text that it names.
    pub named: Option<Span>,
    /// Words that stand beside them: 今文坐取觶無進.
    pub beside: Option<Span>,
    /// The other reading.
    pub reading: Option<Span>,
    /// Who reads as the text does.
    pub support: Vec<String>,
    /// The words stand close behind the note's own place, or anywhere in the passage.
    pub close: bool,
}
