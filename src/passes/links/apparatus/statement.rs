//! A statement of a note about a reading.

use crate::model::Difference;
use crate::source::Span;

/// A statement of a note, before the text it means is found.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub span: Span,
    pub witness: String,
    pub difference: Difference,
    /// The words of the text that it names.
    pub named: Option<Span>,
    /// Words next to them: 坐取觶 in 今文坐取觶無進.
    pub beside: Option<Span>,
    /// The other reading.
    pub reading: Option<Span>,
    /// Witnesses that agree with the text.
    pub support: Vec<String>,
    /// True if the text meant is right before the note, false if it is anywhere in the classic
    /// before it.
    pub close: bool,
}
