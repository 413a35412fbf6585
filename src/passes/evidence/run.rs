//! Runs of clauses in one hypothesised layer, and the labels of the two layers.

/// Label of the classic.
pub const CLASSIC: usize = 0;
/// Label of the commentary.
pub const NOTE: usize = 1;
/// Number of labels.
pub const LABELS: usize = 2;

/// A run of clauses with a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// First clause.
    pub from: usize,
    /// One past the last.
    pub to: usize,
    /// Its label.
    pub label: usize,
}
