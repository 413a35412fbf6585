//! Errors in a cut or in beads that are read from a file.

use std::fmt;

use crate::model::UnknownLayer;

/// Why gold data cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GoldError {
    /// The JSON has no list `spans`.
    NoSpans,
    /// A span without start, end or layer; the span as JSON.
    NotASpan(String),
    /// A span that overlaps another or is outside the text. All in code points.
    Misplaced {
        /// First code point.
        start: usize,
        /// One past the last.
        end: usize,
        /// Length of the text.
        characters: usize,
    },
    /// A layer that does not exist.
    UnknownLayer(UnknownLayer),
    /// A line that is not a bead.
    NotABead {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        what: &'static str,
        /// The line.
        text: String,
    },
}

impl fmt::Display for GoldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoldError::NoSpans => f.write_str("it has no list “spans”"),
            GoldError::NotASpan(json) => write!(f, "not a span with start, end and layer: {json}"),
            GoldError::Misplaced { start, end, characters } => write!(
                f,
                "span {start}–{end} overlaps another or leaves the text, which has {characters} characters"
            ),
            GoldError::UnknownLayer(e) => e.fmt(f),
            GoldError::NotABead { line, what, text } => write!(f, "line {line}: {what}: {text}"),
        }
    }
}

impl std::error::Error for GoldError {}
