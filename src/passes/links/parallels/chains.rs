//! Chains blocks of equal characters into passages: as far as the telling goes on, across what one
//! side omits, adds or says otherwise.
//!
//! The chains are those of the collation, with costs of their own. Then the characters between and
//! beyond the blocks are aligned.

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::seeds::EqualBlock;
use super::stored::{self, PartRun};
use crate::corpus::index::CorpusText;
use crate::text::collate::{self, Chain, ChainRules, CollatedRun, completed};

/// Most characters between two blocks of a passage, on either side.
const MAX_GAP_CHARS: usize = 40;
/// How many blocks a block looks back for the one that it continues.
const MAX_BLOCKS_BACK: usize = 64;
/// Characters beyond the first and last block in which the telling may go on.
const REACH_CHARS: usize = 128;
/// Fewest characters of the blocks of a chain.
const MIN_CHAIN_CHARS: usize = 4;

/// Costs of what is between two blocks, in equal characters: of a character that both sides have,
/// of leaving something out, and of each character left out.
const OTHERWISE_COST: f64 = 0.5;
const OMISSION_COST: f64 = 1.5;
const OMITTED_COST: f64 = 0.15;

/// The chains of the blocks of two parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairChains {
    /// The parts, by their numbers.
    pub parts: [u32; 2],
    /// The blocks of all chains, one chain after the other.
    #[serde(with = "stored::runs")]
    blocks: Vec<PartRun>,
    /// Where each chain ends among them.
    #[serde(with = "stored::rising")]
    ends: Vec<u32>,
    /// The numbers of those that were promising.
    #[serde(with = "stored::rising")]
    promising: Vec<u32>,
    /// Those of them that were candidates, by their numbers.
    candidates: Vec<Candidate>,
}

/// A chain that is a passage if its words are rare enough: it is long and similar enough, and no
/// longer chain covers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Candidate {
    /// Its number among the chains of the pair.
    pub number: u32,
    /// How many characters the telling goes on before its first block and after its last, on the
    /// first side.
    pub beyond: [u8; 2],
}

/// The chains of blocks, by the two parts that they are in, in order.
pub fn joined_by_parts(words: &CorpusText, blocks: Vec<EqualBlock>) -> Vec<PairChains> {
    let parts =
        |block: &EqualBlock| [block.a, block.b].map(|at| words.part_number(at as usize) as u32);
    let mut by_parts: Vec<_> = blocks.into_iter().map(|block| (parts(&block), block)).collect();
    by_parts.sort_unstable_by_key(|(parts, _)| *parts);
    let of_parts: Vec<_> = by_parts.chunk_by(|x, y| x.0 == y.0).collect();
    let run = |block: &EqualBlock| CollatedRun {
        a: block.a as usize,
        b: block.b as usize,
        len: block.len as usize,
    };
    let chains = of_parts.into_par_iter().map(|blocks| {
        let runs = blocks.iter().map(|(_, block)| run(block)).collect();
        PairChains::of(words, blocks[0].0, runs)
    });
    chains.collect()
}

impl PairChains {
    fn of(words: &CorpusText, parts: [u32; 2], mut blocks: Vec<CollatedRun>) -> Self {
        let mut pair = PairChains { parts, ..PairChains::default() };
        let starts = pair.starts(words);
        blocks.sort_unstable();
        let chains = joined(&blocks);
        // There are tens of thousands of pairs, most with one or two chains.
        pair.blocks.reserve_exact(chains.iter().map(Vec::len).sum());
        pair.ends.reserve_exact(chains.len());
        for chain in chains {
            pair.blocks.extend(chain.iter().map(|run| in_parts(run, starts)));
            pair.ends.push(pair.blocks.len() as u32);
        }
        pair
    }

    /// A pair with these chains.
    #[cfg(test)]
    pub fn of_chains(parts: [u32; 2], chains: Vec<Vec<PartRun>>) -> Self {
        let mut pair = PairChains { parts, ..PairChains::default() };
        for chain in chains {
            pair.blocks.extend(chain);
            pair.ends.push(pair.blocks.len() as u32);
        }
        pair
    }

    /// Where the parts begin.
    fn starts(&self, words: &CorpusText) -> [usize; 2] {
        self.parts.map(|n| words.parts()[n as usize].range.start)
    }

    /// How many chains it has.
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The numbers of the promising chains.
    pub fn promising(&self) -> &[u32] {
        &self.promising
    }

    /// The candidates.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Keeps which chains are promising, and which are candidates.
    pub fn set_weighed(&mut self, mut promising: Vec<u32>, mut candidates: Vec<Candidate>) {
        promising.sort_unstable();
        promising.shrink_to_fit();
        candidates.sort_unstable();
        candidates.shrink_to_fit();
        (self.promising, self.candidates) = (promising, candidates);
    }

    /// A range on the first side, in the text of all.
    pub fn within(&self, words: &CorpusText, range: Range<u32>) -> Range<usize> {
        let part = &words.parts()[self.parts[0] as usize].range;
        part.start + range.start as usize..part.end.min(part.start + range.end as usize)
    }

    /// All words whose rarity matters for its passages, on the first side: the blocks, and how far
    /// the telling of the candidates goes. Characters from the beginning of the part.
    pub fn places(&self) -> impl Iterator<Item = Range<u32>> {
        let blocks = self.blocks.iter().map(|[a, _, len]| *a..a + len);
        blocks.chain(self.candidates.iter().map(|candidate| self.extent(candidate)))
    }

    /// From the first to the last equal character of a candidate, on the first side.
    pub fn extent(&self, candidate: &Candidate) -> Range<u32> {
        let blocks = self.extent_of_blocks(candidate.number);
        let [before, after] = candidate.beyond.map(u32::from);
        blocks.start.saturating_sub(before)..blocks.end + after
    }

    /// From the first block of a chain to its last, on the first side.
    pub fn extent_of_blocks(&self, number: u32) -> Range<u32> {
        let chain = self.chain(number);
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else { return 0..0 };
        first[0]..last[0] + last[2]
    }

    /// The blocks of a chain.
    pub fn chain(&self, number: u32) -> &[PartRun] {
        let from = (number as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.blocks[from as usize..self.ends[number as usize] as usize]
    }

    /// What a chain and its passage are within, on both sides. Characters from the beginning of the
    /// parts; some are beyond them.
    pub fn bounds(&self, number: u32) -> [Range<u32>; 2] {
        let chain = self.chain(number);
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else { return [0..0, 0..0] };
        let reach = REACH_CHARS as u32;
        [0, 1].map(|n| first[n].saturating_sub(reach)..(last[n] + last[2]).saturating_add(reach))
    }

    /// The blocks of a chain, as places in the text of all.
    pub fn blocks(&self, words: &CorpusText, number: u32) -> impl Iterator<Item = CollatedRun> {
        let starts = self.starts(words);
        self.chain(number).iter().map(move |run| in_all(run, starts))
    }

    /// A chain with the characters between its blocks and beyond its ends, as places in the text of
    /// all.
    pub fn completed(&self, words: &CorpusText, number: u32) -> Chain {
        whole(words, &self.blocks(words, number).collect::<Vec<_>>())
    }

    /// A completed chain as a candidate.
    pub fn candidate(&self, words: &CorpusText, number: u32, completed: &Chain) -> Candidate {
        let (blocks, all) = (self.within(words, self.extent_of_blocks(number)), completed.a());
        let beyond = [blocks.start.saturating_sub(all.start), all.end.saturating_sub(blocks.end)];
        // At most as far as the telling may go on, which is less.
        let beyond = beyond.map(|chars| u8::try_from(chars).unwrap_or(u8::MAX));
        Candidate { number, beyond }
    }
}

/// A run of the text of all, from the beginning of its parts.
fn in_parts(run: &CollatedRun, starts: [usize; 2]) -> PartRun {
    [(run.a - starts[0]) as u32, (run.b - starts[1]) as u32, run.len as u32]
}

/// The opposite.
fn in_all([a, b, len]: &PartRun, starts: [usize; 2]) -> CollatedRun {
    CollatedRun { a: *a as usize + starts[0], b: *b as usize + starts[1], len: *len as usize }
}

/// Chains of sorted blocks; no block serves twice.
fn joined(blocks: &[CollatedRun]) -> Vec<Vec<CollatedRun>> {
    let rules = ChainRules { max_blocks_back: MAX_BLOCKS_BACK, max_gap_chars: MAX_GAP_CHARS, cost };
    let all = collate::chains(blocks, &rules).into_iter().map(|c| c.blocks);
    all.filter(|c| c.iter().map(|b| b.len).sum::<usize>() >= MIN_CHAIN_CHARS).collect()
}

/// What it costs that `a` characters of one side correspond to `b` other ones.
fn cost(a: usize, b: usize) -> f64 {
    let omitted = a.abs_diff(b) as f64;
    let omission = if a == b { 0.0 } else { OMISSION_COST + OMITTED_COST * omitted };
    OTHERWISE_COST * a.min(b) as f64 + omission
}

/// A chain with the characters between its blocks and beyond its ends.
fn whole(words: &CorpusText, blocks: &[CollatedRun]) -> Chain {
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
        return Chain { runs: vec![] };
    };
    let (a, b) = (first.a..last.a_end(), first.b..last.b_end());
    let (a, b) = (reach(words, a), reach(words, b));
    let inside: Vec<CollatedRun> = blocks
        .iter()
        .map(|r| CollatedRun { a: r.a - a.start, b: r.b - b.start, len: r.len })
        .collect();
    let mut chain = completed(&inside, &words.text[a.clone()], &words.text[b.clone()]);
    for run in &mut chain.runs {
        (run.a, run.b) = (run.a + a.start, run.b + b.start);
    }
    chain
}

/// A range with as much of its part on both sides as the telling may go on.
fn reach(words: &CorpusText, range: Range<usize>) -> Range<usize> {
    let part = &words.part(range.start).range;
    range.start.saturating_sub(REACH_CHARS).max(part.start)..(range.end + REACH_CHARS).min(part.end)
}

/// The longest chains first, with their numbers, without those that a longer one covers by half on
/// both sides.
pub fn distinct(mut chains: Vec<(u32, Chain)>) -> Vec<(u32, Chain)> {
    chains.sort_by_key(|(_, c)| (std::cmp::Reverse(c.matched()), c.a().start, c.b().start));
    let half = |x: &Range<usize>, y: &Range<usize>| {
        x.end.min(y.end).saturating_sub(x.start.max(y.start)) * 2 >= y.len()
    };
    let mut kept: Vec<(u32, Chain)> = Vec::new();
    // Places of kept chains by stretches of the first text, so that each chain meets few others.
    let mut at: HashMap<usize, Vec<usize>> = HashMap::new();
    for (number, chain) in chains {
        let (a, b) = (chain.a(), chain.b());
        let stretches = a.start / REACH_CHARS..=a.end / REACH_CHARS;
        let mut near = stretches.clone().filter_map(|s| at.get(&s)).flatten();
        if near.any(|n| half(&kept[*n].1.a(), &a) && half(&kept[*n].1.b(), &b)) {
            continue;
        }
        stretches.for_each(|s| at.entry(s).or_default().push(kept.len()));
        kept.push((number, chain));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn block(a: usize, b: usize, len: usize) -> CollatedRun {
        CollatedRun { a, b, len }
    }

    #[test]
    fn of_chains_that_cover_each_other_the_longest_is_kept() {
        let chain = |a: usize, b: usize, len: usize| Chain { runs: vec![block(a, b, len)] };
        let long = chain(0, 1000, 100);
        let inside = chain(20, 1020, 30);
        let mostly = chain(80, 1080, 36);
        let beyond = chain(90, 1090, 40);
        let elsewhere = chain(20, 5000, 30);
        let all = (0..).zip([inside, elsewhere.clone(), beyond.clone(), long.clone(), mostly]);
        let kept: Vec<_> =
            distinct(all.collect()).iter().map(|(n, c)| (*n, c.a(), c.b())).collect();
        let expected = [(3, long), (2, beyond), (1, elsewhere)];
        assert_eq!(kept, expected.map(|(n, c)| (n, c.a(), c.b())));
    }

    #[test]
    fn a_chain_goes_on_as_long_as_its_gaps_cost_less_than_what_follows() {
        let mut blocks =
            vec![block(0, 100, 6), block(8, 108, 5), block(12, 132, 9), block(40, 90, 6)];
        blocks.sort_unstable();
        assert_eq!(
            joined(&blocks),
            [vec![block(0, 100, 6), block(8, 108, 5), block(13, 133, 8)], vec![block(40, 90, 6)]]
        );
        assert_eq!(joined(&[block(0, 100, 4), block(40, 105, 4)]).len(), 2);
    }
}
