//! Chains as passages: those that are long, similar and rare enough.

use std::ops::Range;

use super::chains::{PairChains, distinct};
use super::passage::{ParallelPassage, STEPS_PER_BIT, StreamRange};
use super::rarity::Rarity;
use crate::corpus::Index;
use crate::passes::links::differs;
use crate::text::collate::{Chain, CollatedRun};

/// Fewest equal characters of a parallel.
const MIN_EQUAL_CHARS: usize = 6;
/// Fewest equal characters side by side that say something of their own.
const MIN_TELLING_CHARS: usize = 3;
/// Least share of equal characters in the longer side.
const MIN_EQUAL_SHARE: f64 = 0.4;
/// Costs in bits: of a character that differs, of leaving something out, of each character left
/// out.
const BITS_PER_DIFFERENCE: f64 = 1.8;
const BITS_PER_OMISSION: f64 = 2.0;
const BITS_PER_OMITTED: f64 = 0.25;
/// Fewest bits above what chance explains. Below this, a third were formulas in samples read by
/// hand.
const MIN_MARGIN_BITS: f64 = 12.0;

/// The blocks of a chain must have this share of the bits that are expected by chance before what
/// is between and beyond them is looked at.
const MIN_BLOCK_SHARE: f64 = 0.6;

/// Weighs chains by how rare their words are.
#[derive(Clone, Copy)]
pub struct Weighing<'a> {
    /// Where they are.
    pub index: &'a Index,
    /// How rare the words are.
    pub rarity: &'a Rarity<'a>,
}

impl Weighing<'_> {
    /// The passages of a pair.
    pub fn of_pair(&self, pair: &mut PairChains) -> Vec<ParallelPassage> {
        let all = 0..pair.len();
        self.passages(self.promising(pair, (all, &[])))
    }

    /// Those of some chains of a pair that may be passages, completed. Of the others, those that may are known.
    pub fn promising(
        &self,
        pair: &mut PairChains,
        chains: (impl Iterator<Item = u32>, &[u32]),
    ) -> Vec<Chain> {
        let is_promising = |blocks: &[CollatedRun]| {
            let bits: f64 = blocks.iter().map(|r| self.rarity.bits(r.a..r.a_end())).sum();
            bits >= MIN_BLOCK_SHARE * self.rarity.expected()
        };
        pair.completed(self.index.words(), chains, is_promising)
    }

    /// The completed chains of a pair as passages: those that are long, similar and rare enough.
    pub fn passages(&self, chains: Vec<Chain>) -> Vec<ParallelPassage> {
        distinct(chains).iter().filter_map(|chain| self.passage(chain)).collect()
    }

    fn passage(&self, chain: &Chain) -> Option<ParallelPassage> {
        let words = self.index.words();
        let (a, b, equal) = (chain.a(), chain.b(), chain.matched());
        if equal < MIN_EQUAL_CHARS || (equal as f64) < MIN_EQUAL_SHARE * a.len().max(b.len()) as f64
        {
            return None;
        }
        let telling = chain.runs.iter().filter(|r| r.len >= MIN_TELLING_CHARS);
        let bits: f64 = telling.map(|r| self.rarity.bits(r.a..r.a_end())).sum();
        let differ: f64 = chain.runs.windows(2).map(|w| difference(w[0], w[1])).sum();
        let margin = in_steps(bits - differ - self.rarity.expected());
        if margin < MIN_MARGIN_BITS {
            return None;
        }
        let differences = differences(chain);
        let sides = [a, b].map(|range| StreamRange::of(words.part(range.start), range));
        Some(ParallelPassage { sides, margin, equal, differences })
    }
}

/// The ranges between the equal ones.
fn differences(chain: &Chain) -> Box<[[Range<u32>; 2]]> {
    let (a, b) = (chain.a().start, chain.b().start);
    let short = |from: usize, to: usize| from as u32..to as u32;
    let gap = |w: &[CollatedRun]| {
        [short(w[0].a_end() - a, w[1].a - a), short(w[0].b_end() - b, w[1].b - b)]
    };
    let gaps = chain.runs.windows(2).map(gap).filter(|gap| gap.iter().any(|r| !r.is_empty()));
    // One more than are listed says that there are more.
    gaps.take(differs::MAX_SHOWN_DIFFERENCES + 1).collect()
}

/// Bits in steps. The statistics of a corpus change with each of its characters; a
/// passage that has nothing to do with the change stays as it is.
fn in_steps(bits: f64) -> f64 {
    (STEPS_PER_BIT * bits).round() / STEPS_PER_BIT
}

/// What it costs, in bits, that something differs between two runs.
fn difference(last: CollatedRun, next: CollatedRun) -> f64 {
    let (a, b) = (next.a - last.a_end(), next.b - last.b_end());
    let omission = if a == b { 0.0 } else { BITS_PER_OMISSION };
    BITS_PER_DIFFERENCE * a.min(b) as f64 + omission + BITS_PER_OMITTED * a.abs_diff(b) as f64
}
