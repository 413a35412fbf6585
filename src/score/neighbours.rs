//! Which characters of a text are scored, and which of them are neighbours.

use super::{Border, Gold, Lines};
use crate::model::Layer;
use crate::text::class::is_content;

/// What precedes a scored character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Nothing that is scored: the text begins here.
    Nothing,
    /// Text that the gold marks as unsure.
    Unsure,
    /// This scored character.
    Character(usize),
}

/// The scored characters of a text.
pub struct Neighbours {
    /// Code points, in order.
    pub characters: Vec<usize>,
    /// What precedes each.
    pub before: Vec<Before>,
    /// Pairs on different lines with 疏 on either side are left out.
    pairs: Vec<NeighbourPair>,
}

/// Two neighbours between which a border is scored.
#[derive(Clone, Copy, Debug)]
pub struct NeighbourPair {
    before: usize,
    at: usize,
    /// A line ends between them.
    broken: bool,
}

impl NeighbourPair {
    /// The border between them, if `layer` gives them different layers.
    pub fn border(&self, layer: impl Fn(usize) -> Option<Layer>) -> Option<Border> {
        let (before, after) = (layer(self.before)?, layer(self.at)?);
        (before != after).then_some(Border { at: self.at, before, after })
    }
}

impl Neighbours {
    /// Finds the scored characters of a text. A mark `[疏]` is not text, whatever its layer in the
    /// gold.
    pub fn of(text: &[char], gold: &Gold) -> Self {
        let mut found =
            Neighbours { characters: Vec::new(), before: Vec::new(), pairs: Vec::new() };
        let (mut before, mut broken) = (Before::Nothing, false);
        for (i, c) in text.iter().enumerate() {
            broken |= *c == '\n';
            if !is_content(*c) || text[..i].ends_with(&['[']) && text[i..].starts_with(&['疏', ']'])
            {
                continue;
            }
            if gold.unsure[i] {
                before = Before::Unsure;
            }
            let Some(layer) = gold.layers[i] else { continue };
            if let Before::Character(b) = before
                && !(broken && [gold.layers[b], Some(layer)].contains(&Some(Layer::Shu)))
            {
                found.pairs.push(NeighbourPair { before: b, at: i, broken });
            }
            found.characters.push(i);
            found.before.push(before);
            (before, broken) = (Before::Character(i), false);
        }
        found
    }

    /// The pairs between which a border is scored.
    pub fn scored(&self, lines: Lines) -> Vec<NeighbourPair> {
        self.pairs.iter().filter(|p| lines == Lines::Across || !p.broken).copied().collect()
    }
}
