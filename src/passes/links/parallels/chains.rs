//! Chains blocks of equal characters into passages: as far as the telling goes on, across what one
//! side omits, adds or says otherwise.
//!
//! The chains are those of the collation, with costs of their own. Then the characters between and
//! beyond the blocks are aligned.

use std::collections::HashMap;

use rayon::prelude::*;

use super::seeds::EqualBlock;
use crate::corpus::index::CorpusText;
use crate::memo::Memo;
use crate::text::collate::{self, Chain, ChainRules, CollatedRun, completed};

/// Most characters between two blocks of a passage, on either side.
const MAX_GAP_CHARS: usize = 40;
/// How many blocks a block looks back for the one that it continues.
const MAX_BLOCKS_BACK: usize = 64;
/// Characters beyond the first and last block in which the telling may go on.
const REACH_CHARS: usize = 128;
/// Fewest characters of the blocks of a chain.
const MIN_CHAIN_CHARS: usize = 4;

/// Says, among the alignments of a build, that these are runs of a completed chain.
const COMPLETED: u32 = 1;

/// Costs of what is between two blocks, in equal characters: of a character that both sides have,
/// of leaving something out, and of each character left out.
const OTHERWISE_COST: f64 = 0.5;
const OMISSION_COST: f64 = 1.5;
const OMITTED_COST: f64 = 0.15;

/// The chains of the blocks of each two parts, longest first, their runs as places in the text of
/// all. Only chains whose blocks are promising are completed, for the alignment of what is between
/// and beyond them costs most of the time.
pub fn chains(
    words: &CorpusText,
    memo: Option<&Memo>,
    blocks: Vec<EqualBlock>,
    is_promising: impl Fn(&[CollatedRun]) -> bool + Sync,
) -> Vec<Chain> {
    let mut by_parts: HashMap<(usize, usize), Vec<CollatedRun>> = HashMap::new();
    for EqualBlock { a, b, len } in blocks {
        let parts = (words.part(a).range.start, words.part(b).range.start);
        by_parts.entry(parts).or_default().push(CollatedRun { a, b, len });
    }
    let mut all: Vec<_> = by_parts.into_iter().collect();
    all.sort_unstable_by_key(|(parts, _)| *parts);
    let of_parts = |(_, mut blocks): (_, Vec<CollatedRun>)| {
        blocks.sort_unstable();
        let chains = joined(&blocks).into_iter().filter(|c| is_promising(c));
        distinct(chains.map(|c| whole(words, memo, &c)).collect())
    };
    let of_all: Vec<Vec<Chain>> = all.into_par_iter().map(of_parts).collect();
    of_all.into_iter().flatten().collect()
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
fn whole(words: &CorpusText, memo: Option<&Memo>, blocks: &[CollatedRun]) -> Chain {
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
        return Chain { runs: vec![] };
    };
    let window = |from: usize, to: usize| {
        let part = &words.part(from).range;
        from.saturating_sub(REACH_CHARS).max(part.start)..(to + REACH_CHARS).min(part.end)
    };
    let (a, b) = (window(first.a, last.a_end()), window(first.b, last.b_end()));
    let inside: Vec<CollatedRun> = blocks
        .iter()
        .map(|r| CollatedRun { a: r.a - a.start, b: r.b - b.start, len: r.len })
        .collect();
    let mut chain = aligned(&inside, [&words.text[a.clone()], &words.text[b.clone()]], memo);
    for run in &mut chain.runs {
        (run.a, run.b) = (run.a + a.start, run.b + b.start);
    }
    chain
}

/// A chain completed, or as the last build completed it.
fn aligned(blocks: &[CollatedRun], [a, b]: [&[char]; 2], memo: Option<&Memo>) -> Chain {
    let Some(memo) = memo else { return completed(blocks, a, b) };
    let numbers = |runs: &[CollatedRun]| -> Vec<u32> {
        runs.iter().flat_map(|r| [r.a as u32, r.b as u32, r.len as u32]).collect()
    };
    let given = [COMPLETED, blocks.len() as u32, a.len() as u32].into_iter().chain(numbers(blocks));
    let of = given.chain(a.iter().chain(b).map(|c| *c as u32));
    let runs = memo.aligned(of, || numbers(&completed(blocks, a, b).runs));
    let run = |r: &[u32]| CollatedRun { a: r[0] as usize, b: r[1] as usize, len: r[2] as usize };
    Chain { runs: runs.chunks_exact(3).map(run).collect() }
}

/// The longest chains first, without those that a longer one covers by half on both sides.
fn distinct(mut chains: Vec<Chain>) -> Vec<Chain> {
    chains.sort_by_key(|c| (std::cmp::Reverse(c.matched()), c.a().start, c.b().start));
    let half = |x: &std::ops::Range<usize>, y: &std::ops::Range<usize>| {
        x.end.min(y.end).saturating_sub(x.start.max(y.start)) * 2 >= y.len()
    };
    let mut kept: Vec<Chain> = Vec::new();
    // Places of kept chains by stretches of the first text, so that each chain meets few others.
    let mut at: HashMap<usize, Vec<usize>> = HashMap::new();
    for chain in chains {
        let (a, b) = (chain.a(), chain.b());
        let stretches = a.start / REACH_CHARS..=a.end / REACH_CHARS;
        let mut near = stretches.clone().filter_map(|s| at.get(&s)).flatten();
        if near.any(|n| half(&kept[*n].a(), &a) && half(&kept[*n].b(), &b)) {
            continue;
        }
        stretches.for_each(|s| at.entry(s).or_default().push(kept.len()));
        kept.push(chain);
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
        let all = vec![inside, elsewhere.clone(), beyond.clone(), long.clone(), mostly];
        let kept: Vec<_> = distinct(all).iter().map(|c| (c.a(), c.b())).collect();
        assert_eq!(kept, [long, beyond, elsewhere].map(|c| (c.a(), c.b())));
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
