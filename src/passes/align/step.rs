//! Steps of the path through both texts.

use std::ops::Range;

/// Most units a bead may have on one side.
pub const MAX_BEAD_UNITS: usize = 6;

/// A bead, or one unit of a gap, on the path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathStep {
    /// Units of the classic.
    pub source: Range<usize>,
    /// Units of the translation.
    pub translation: Range<usize>,
    /// Posterior probability.
    pub posterior: f64,
}

impl PathStep {
    /// True if both sides have units.
    pub fn is_bead(&self) -> bool {
        !self.source.is_empty() && !self.translation.is_empty()
    }
}
