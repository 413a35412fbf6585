//! How well a text is cut, measured against a cut made by hand: borders, characters, certainties.
//!
//! A **border** lies between two neighbouring characters of text
//! ([`crate::text::class::is_content`]) in different layers. It is right if the gold has the same
//! two layers at the same place. So it does not matter to which side a full stop belongs, or which
//! layer a mark such as `[疏]` has. What the gold calls mark, heading, furniture or other is
//! ignored, and where it is unsure nothing is scored. The header of a 疏 counts as 疏, and 傳 as 經
//! if the gold has no 傳. Borders of 疏 at line ends are never counted, since the text itself marks
//! them; other borders at line ends
//! are, unless [`Lines::Within`] leaves them out.
//!
//! Certainties are scored for each start of a segment, see [`Calibration`].
//!
//! ```
//! use zhushu::score::{LayerCut, Gold, Lines, score};
//! use zhushu::source::Source;
//! let source = Source::from_text("a.txt", "二筭為純。純猶全也。耦陰陽。");
//! let gold = Gold::read(&serde_json::json!({"spans": [[0, 5, "經"], [5, 14, "注"]]}), &source)?;
//! let cut = serde_json::json!({"spans": [[0, 10, "jing"], [10, 14, "zhu"]]});
//! let cut = LayerCut::read(&cut, &source)?;
//! let score = score(&source, &gold, &cut, Lines::Across);
//! assert_eq!((score.borders.right, score.borders.gold, score.borders.found), (0, 1, 1));
//! assert_eq!((score.characters.right, score.characters.all), (7, 11));
//! # Ok::<(), zhushu::score::GoldError>(())
//! ```

mod beads;
mod calibration;
mod cut;
mod error;
mod links;
mod neighbours;
pub mod pairs;

use std::collections::BTreeMap;
use std::ops::AddAssign;

pub use beads::{BeadScore, FoundBead, GoldBeads, carried_over, found};
pub use calibration::{Bin, Calibration};
pub use cut::{Gold, JudgedStart, Labelled, LayerCut, spans};
pub use error::GoldError;
pub use links::{GoldLinks, LinkScore, Ratio};

use crate::model::Layer;
use crate::source::Source;
use neighbours::{NeighbourPair, Neighbours};

/// Whether borders at line ends count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// They do.
    Across,
    /// Only borders within a line do.
    Within,
}

/// A place where the layer changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Border {
    /// The first character of text after it, as a code point.
    pub at: usize,
    /// The layer before it.
    pub before: Layer,
    /// The layer after it.
    pub after: Layer,
}

/// Borders counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// In both cuts.
    pub right: usize,
    /// In the cut made by hand.
    pub gold: usize,
    /// In the scored cut.
    pub found: usize,
}

impl Tally {
    /// The share of the borders found that are right; 0 if none was found.
    pub fn precision(&self) -> f64 {
        share(self.right, self.found)
    }
    /// The share of the true borders that were found; 0 if there is none.
    pub fn recall(&self) -> f64 {
        share(self.right, self.gold)
    }
    /// The harmonic mean of both; 0 if there are no borders.
    pub fn f1(&self) -> f64 {
        share(2 * self.right, self.gold + self.found)
    }
}

/// Characters counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Characters {
    /// In the right layer.
    pub right: usize,
    /// All that are scored.
    pub all: usize,
}

impl Characters {
    /// The share in the right layer; 0 if there are none.
    pub fn accuracy(&self) -> f64 {
        share(self.right, self.all)
    }
}

/// One layer separately: a small layer hardly affects the totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfLayer {
    /// Its characters, counted like borders: in both cuts, in the gold, in the scored cut.
    pub characters: Tally,
    /// Borders into it or out of it.
    pub borders: Tally,
}

/// The score of a cut.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Borders.
    pub borders: Tally,
    /// Characters.
    pub characters: Characters,
    /// Every layer of the gold, in the order of the table of layers.
    pub layers: BTreeMap<Layer, OfLayer>,
    /// How reliable the certainties are.
    pub calibration: Calibration,
    /// Borders of the gold that were not found, in order.
    pub missed: Vec<Border>,
    /// Borders found that the gold does not have, in order.
    pub wrong: Vec<Border>,
}

/// Adds up the figures of several texts; their errors stay with each.
impl AddAssign<&Score> for Score {
    fn add_assign(&mut self, other: &Score) {
        self.borders += other.borders;
        self.characters.right += other.characters.right;
        self.characters.all += other.characters.all;
        for (layer, of) in &other.layers {
            let sum = self.layers.entry(*layer).or_default();
            sum.characters += of.characters;
            sum.borders += of.borders;
        }
        self.calibration += &other.calibration;
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.right += other.right;
        self.gold += other.gold;
        self.found += other.found;
    }
}

/// Scores a cut of a text against the one made by hand.
pub fn score(source: &Source, gold: &Gold, cut: &LayerCut, lines: Lines) -> Score {
    let cut = &*cut.in_layers_of(gold);
    let text: Vec<char> = source.text().chars().collect();
    let neighbours = Neighbours::of(&text, gold);
    let pairs: Vec<NeighbourPair> = neighbours.scored(lines);
    let truth: Vec<Border> = pairs.iter().filter_map(|p| p.border(|i| gold.layers[i])).collect();
    let found: Vec<Border> =
        pairs.iter().filter_map(|p| p.border(|i| Some(cut.layers[i]))).collect();
    let (missed, wrong) = (less(&truth, &found), less(&found, &truth));
    let mut layers = BTreeMap::new();
    let mut characters = Characters::default();
    for i in &neighbours.characters {
        let (Some(is), had) = (gold.layers[*i], cut.layers[*i]) else { continue };
        characters.all += 1;
        characters.right += usize::from(is == had);
        layers.entry(is).or_insert_with(OfLayer::default).characters.gold += 1;
    }
    for (layer, of) in &mut layers {
        let here = |b: &&Border| b.before == *layer || b.after == *layer;
        let count = |borders: &[Border]| borders.iter().filter(here).count();
        of.borders = tally(count(&truth), count(&found), count(&missed));
        let had = |i: &&usize| cut.layers[**i] == *layer;
        of.characters.found = neighbours.characters.iter().filter(had).count();
        of.characters.right = neighbours
            .characters
            .iter()
            .filter(had)
            .filter(|i| gold.layers[**i] == Some(*layer))
            .count();
    }
    Score {
        borders: tally(truth.len(), found.len(), missed.len()),
        characters,
        layers,
        calibration: Calibration::of(cut, gold, &neighbours),
        missed,
        wrong,
    }
}

fn tally(gold: usize, found: usize, missed: usize) -> Tally {
    Tally { right: gold - missed, gold, found }
}

/// What is in one list and not in the other; both are sorted.
fn less(list: &[Border], other: &[Border]) -> Vec<Border> {
    list.iter().filter(|b| other.binary_search(b).is_err()).copied().collect()
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests;
