//! How far certainties can be trusted.
//!
//! A segment that was inferred claims, with its certainty, to start where it does and to be of its
//! layer ([`crate::model::Segment::certainty`]). The claim is **right** if the gold has the same
//! layers on both sides of the start: before it what the cut has before it, after it the segment's
//! own. So a border that the gold does not have is a wrong claim, and so is a paragraph's first run
//! in the wrong layer. Claims are judged at the nearest characters that are scored; line ends
//! count.
//!
//! Not counted: what the source itself marks (no claim is made), starts of 疏 (the text marks them,
//! so that they would only flatter), segments without scored characters, and starts right after
//! text that the gold marks as unsure.

use std::ops::AddAssign;

use super::neighbours::{Before, Neighbours};
use super::{Gold, LayerCut};
use crate::model::Layer;

/// Lower bounds of the bins. Finer where certainties crowd.
const BOUNDS: [f64; 6] = [0.99, 0.97, 0.9, 0.7, 0.5, 0.0];

/// Claims of like certainty.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// The least certainty in it.
    pub from: f64,
    /// How many claims.
    pub n: usize,
    /// How many of them are right.
    pub right: usize,
    /// Sum of their certainties.
    pub sum: f64,
}

impl Bin {
    /// Mean of the certainties given; 0 for none.
    pub fn given(&self) -> f64 {
        self.sum / self.n.max(1) as f64
    }
    /// The share that is right; 0 for none.
    pub fn right_share(&self) -> f64 {
        super::share(self.right, self.n)
    }
}

/// Claims by certainty, the surest bin first. See the head of this file's module for what a claim
/// is.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// All bins, also empty ones.
    pub bins: [Bin; BOUNDS.len()],
}

impl Default for Calibration {
    fn default() -> Self {
        Calibration { bins: BOUNDS.map(|from| Bin { from, ..Bin::default() }) }
    }
}

impl Calibration {
    /// Judges the claims of a cut.
    pub(super) fn of(cut: &LayerCut, gold: &Gold, neighbours: &Neighbours) -> Self {
        let mut calibration = Calibration::default();
        for start in cut.starts.iter().filter(|s| s.layer != Layer::Shu) {
            let Some(certainty) = start.certainty else { continue };
            let n = neighbours.characters.partition_point(|i| *i < start.at.0);
            let Some(first) = neighbours.characters.get(n).filter(|i| **i < start.at.1) else {
                continue;
            };
            let same = |i: usize| gold.layers[i] == Some(cut.layers[i]);
            let before = match neighbours.before[n] {
                Before::Unsure => continue,
                Before::Nothing => true,
                Before::Character(b) => same(b),
            };
            calibration.claim(certainty.get(), before && same(*first));
        }
        calibration
    }

    /// Counts a claim.
    pub fn claim(&mut self, certainty: f64, right: bool) {
        // Certainties are stored in single precision, so that .99 must not fall below itself.
        let bin = self.bins.iter_mut().find(|b| certainty + 1e-6 >= b.from);
        if let Some(bin) = bin {
            bin.n += 1;
            bin.right += usize::from(right);
            bin.sum += certainty;
        }
    }

    /// How many claims.
    pub fn n(&self) -> usize {
        self.bins.iter().map(|b| b.n).sum()
    }

    /// Expected calibration error: how far the share that is right is from the mean certainty
    /// given, bin by bin, weighted by their claims; 0 is best.
    pub fn ece(&self) -> f64 {
        let off = |b: &Bin| b.n as f64 * (b.given() - b.right_share()).abs();
        self.bins.iter().map(off).sum::<f64>() / self.n().max(1) as f64
    }
}

impl AddAssign<&Calibration> for Calibration {
    fn add_assign(&mut self, other: &Calibration) {
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            bin.n += more.n;
            bin.right += more.right;
            bin.sum += more.sum;
        }
    }
}
