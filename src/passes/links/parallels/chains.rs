//! Joins blocks that follow each other closely in two streams into one parallel passage.

use std::collections::HashMap;

use super::seeds::EqualBlock;
use crate::corpus::index::CorpusText;

/// Most characters between two blocks of a passage, on either side.
const MAX_GAP_CHARS: usize = 8;
/// How many of the latest chains a block may continue.
const MAX_OPEN_CHAINS: usize = 32;

/// The chains: blocks of the same two parts, close together and in order on both sides.
pub fn chains(words: &CorpusText, blocks: Vec<EqualBlock>) -> Vec<Vec<EqualBlock>> {
    let mut by_parts: HashMap<(usize, usize), Vec<EqualBlock>> = HashMap::new();
    for block in blocks {
        let parts = (words.part(block.a).range.start, words.part(block.b).range.start);
        by_parts.entry(parts).or_default().push(block);
    }
    let mut all: Vec<_> = by_parts.into_iter().collect();
    all.sort_unstable_by_key(|(parts, _)| *parts);
    all.into_iter().flat_map(|(_, blocks)| joined(blocks)).collect()
}

fn joined(mut blocks: Vec<EqualBlock>) -> Vec<Vec<EqualBlock>> {
    blocks.sort_unstable_by_key(|b| (b.a, b.b));
    let mut chains: Vec<Vec<EqualBlock>> = Vec::new();
    for block in blocks {
        let from = chains.len().saturating_sub(MAX_OPEN_CHAINS);
        let nearest = chains[from..]
            .iter_mut()
            .filter_map(|c| Some((follows(*c.last()?, block)?, c)))
            .min_by_key(|(gap, _)| *gap);
        match nearest {
            Some((_, chain)) => append(chain, block),
            None => chains.push(vec![block]),
        }
    }
    chains
}

/// How far `next` is from `last`, if it continues it.
fn follows(last: EqualBlock, next: EqualBlock) -> Option<usize> {
    let (a, b) = (last.a + last.len, last.b + last.len);
    let rises =
        next.a > last.a && next.b > last.b && next.a + next.len > a && next.b + next.len > b;
    let (gap_a, gap_b) = (next.a.saturating_sub(a), next.b.saturating_sub(b));
    (rises && gap_a <= MAX_GAP_CHARS && gap_b <= MAX_GAP_CHARS).then_some(gap_a + gap_b)
}

/// Adds a block, cut off where it overlaps the one before.
fn append(chain: &mut Vec<EqualBlock>, block: EqualBlock) {
    let over = chain.last().map_or(0, |l| {
        (l.a + l.len).saturating_sub(block.a).max((l.b + l.len).saturating_sub(block.b))
    });
    if over < block.len {
        chain.push(EqualBlock { a: block.a + over, b: block.b + over, len: block.len - over });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_close_together_are_one_passage() {
        let block = |a, b, len| EqualBlock { a, b, len };
        let chains =
            joined(vec![block(0, 100, 6), block(8, 108, 5), block(12, 112, 6), block(40, 90, 6)]);
        assert_eq!(
            chains,
            [vec![block(0, 100, 6), block(8, 108, 5), block(13, 113, 5)], vec![block(40, 90, 6)]]
        );
    }
}
