//! Chains as passages: those that are long, similar and rare enough.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::chains::{PairChains, distinct};
use super::passage::{ParallelPassage, STEPS_PER_BIT, StreamRange};
use super::rarity::Rarity;
use super::reuse::ReusedChains;
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
        self.of_reused(pair, ReusedChains::none_of(pair))
    }

    /// The passages of a pair of which something is known.
    pub fn of_reused(&self, pair: &mut PairChains, reused: ReusedChains) -> Vec<ParallelPassage> {
        let words = self.index.words();
        let is_promising = |number: &u32| self.is_promising(pair, *number);
        let mut promising: Vec<u32> = reused.again.into_iter().filter(is_promising).collect();
        let completed = promising.iter().map(|number| (*number, pair.completed(words, *number)));
        let mut passages = reused.passages;
        self.weigh_again(pair, &reused.reweighed, &mut passages);
        let mut candidates = reused.candidates;
        for (number, chain) in distinct(completed.collect()) {
            if is_candidate(&chain) {
                candidates.push(pair.candidate(words, number, &chain));
                passages.extend(self.passage(&chain));
            }
        }
        promising.extend(reused.promising);
        pair.set_weighed(promising, candidates);
        passages
    }

    /// True if the blocks of a chain say enough that what is between and beyond them is looked at:
    /// the alignment of that costs most of the time.
    pub fn is_promising(&self, pair: &PairChains, number: u32) -> bool {
        let blocks = pair.blocks(self.index.words(), number);
        let bits: f64 = blocks.map(|r| self.rarity.bits(r.a..r.a_end())).sum();
        bits >= MIN_BLOCK_SHARE * self.rarity.expected()
    }

    /// Replaces the passages of some candidates, whose words became rarer or more frequent.
    fn weigh_again(
        &self,
        pair: &PairChains,
        candidates: &[u32],
        passages: &mut Vec<ParallelPassage>,
    ) {
        let words = self.index.words();
        let completed = candidates.iter().map(|number| pair.completed(words, *number));
        let completed: Vec<Chain> = completed.collect();
        let side = |range: Range<usize>| StreamRange::of(words.part(range.start), range);
        let sides = |chain: &Chain| [side(chain.a()), side(chain.b())];
        let replaced: FxHashSet<[StreamRange; 2]> = completed.iter().map(sides).collect();
        passages.retain(|passage| !replaced.contains(&passage.sides));
        passages.extend(completed.iter().filter_map(|chain| self.passage(chain)));
    }

    /// A candidate as a passage, if it is rare enough.
    fn passage(&self, chain: &Chain) -> Option<ParallelPassage> {
        let words = self.index.words();
        let telling = chain.runs.iter().filter(|r| r.len >= MIN_TELLING_CHARS);
        let bits: f64 = telling.map(|r| self.rarity.bits(r.a..r.a_end())).sum();
        let differ: f64 = chain.runs.windows(2).map(|w| difference(w[0], w[1])).sum();
        let margin = in_steps(bits - differ - self.rarity.expected());
        if margin < MIN_MARGIN_BITS {
            return None;
        }
        let differences = differences(chain);
        let sides =
            [chain.a(), chain.b()].map(|range| StreamRange::of(words.part(range.start), range));
        Some(ParallelPassage { sides, margin, equal: chain.matched(), differences })
    }
}

/// True if a completed chain is long and similar enough.
fn is_candidate(chain: &Chain) -> bool {
    let (equal, longer) = (chain.matched(), chain.a().len().max(chain.b().len()));
    equal >= MIN_EQUAL_CHARS && equal as f64 >= MIN_EQUAL_SHARE * longer as f64
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
