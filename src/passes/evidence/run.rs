//! Runs of clauses in one hypothesised layer, and the labels of the layers.

use crate::model::Layer;

/// Label of the classic.
pub const CLASSIC: usize = 0;
/// Label of the commentary.
pub const NOTE: usize = 1;
/// Label of 音義, the readings of characters. They only open a paragraph after a ○.
pub const YIN: usize = 2;
/// Number of labels.
pub const LABELS: usize = 3;

/// The layer of each label.
pub const LAYERS: [Layer; LABELS] = [Layer::Jing, Layer::Zhu, Layer::Yin];

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
