//! Calibration: how reliable certainties are.
//!
//! An inferred segment claims, with its certainty, that it starts there and has its layer
//! ([`crate::model::Segment::certainty`]). The claim is **right** if the gold has the same layers
//! on both sides of the start. So a border that is not in the gold is a wrong claim, and so is the
//! first run of a paragraph in the wrong layer. Claims are scored at the nearest scored characters;
//! line ends count.
//!
//! Not counted: what the source itself marks (no claim is made), starts of 疏 (the text marks them,
//! so they would only improve the figures), segments without scored characters, and starts directly
//! after text that the gold marks as unsure.

use std::ops::AddAssign;

use super::neighbours::{Before, Neighbours};
use super::{Gold, LayerCut};
use crate::model::Layer;

/// Lower bounds of the bins, which are narrower where most certainties are.
const BOUNDS: [f64; 6] = [0.99, 0.97, 0.9, 0.7, 0.5, 0.0];

/// Claims of similar certainty.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// Its lower bound.
    pub from: f64,
    /// How many claims.
    pub n: usize,
    /// How many of them are right.
    pub right: usize,
    /// Sum of their certainties.
    pub sum: f64,
}

impl Bin {
    /// Mean of the certainties; 0 for none.
    pub fn given(&self) -> f64 {
        self.sum / self.n.max(1) as f64
    }
    /// The share that is right; 0 for none.
    pub fn right_share(&self) -> f64 {
        super::share(self.right, self.n)
    }
}

/// Claims by certainty, the most certain bin first. The module documentation defines a claim.
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
    /// Scores the claims of a cut.
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
        // Certainties are stored in single precision; .99 must not fall below its own bin.
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

    /// Expected calibration error: the distance between the share that is right and the mean
    /// certainty, averaged over bins weighted by their claims; 0 is best.
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
