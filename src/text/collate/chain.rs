//! Chains of blocks: the dynamic programme of minimap2, with costs for texts whose notes may be
//! missing on one side.

use super::seeds::SeedBlock;

/// How many blocks a block looks back for its predecessor.
const MAX_BLOCKS_BACK: usize = 192;
/// Most characters of either text between two blocks of a chain: a long note.
const MAX_GAP_CHARS: usize = 4000;
/// The lowest score of a chain.
const MIN_CHAIN_SCORE: f64 = 8.0;

/// The chains of blocks, best first. Blocks must be sorted by their place in the first text; each
/// block is used at most once.
pub fn chains(blocks: &[SeedBlock]) -> Vec<Vec<SeedBlock>> {
    let (scores, before) = scored(blocks);
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by(|x, y| scores[*y].total_cmp(&scores[*x]).then(x.cmp(y)));
    let mut used = vec![false; blocks.len()];
    let mut chains = Vec::new();
    for end in order {
        let mut chain = Vec::new();
        let mut at = Some(end);
        while let Some(n) = at.filter(|n| !used[*n]) {
            used[n] = true;
            chain.push(n);
            at = before[n];
        }
        let rest = at.map_or(0.0, |n| scores[n]);
        if !chain.is_empty() && scores[end] - rest >= MIN_CHAIN_SCORE {
            chains.push(without_overlap(chain.iter().rev().map(|n| blocks[*n])));
        }
    }
    chains
}

/// For each block the score of the best chain that ends with it, and its predecessor there.
fn scored(blocks: &[SeedBlock]) -> (Vec<f64>, Vec<Option<usize>>) {
    let mut scores: Vec<f64> = blocks.iter().map(|b| b.len as f64).collect();
    let mut before = vec![None; blocks.len()];
    for n in 0..blocks.len() {
        for p in (n.saturating_sub(MAX_BLOCKS_BACK)..n).rev() {
            if blocks[p].a + MAX_GAP_CHARS < blocks[n].a
                && blocks[p].a_end() + MAX_GAP_CHARS < blocks[n].a
            {
                continue;
            }
            if let Some(gain) = gain(blocks[p], blocks[n])
                && scores[p] + gain > scores[n]
            {
                scores[n] = scores[p] + gain;
                before[n] = Some(p);
            }
        }
    }
    (scores, before)
}

/// The score that `next` adds to a chain that ends with `last`: its characters, minus a cost for
/// characters unmatched on both sides, minus a small cost for those unmatched on one side (a note,
/// which may be long).
fn gain(last: SeedBlock, next: SeedBlock) -> Option<f64> {
    if next.a <= last.a
        || next.b <= last.b
        || next.a_end() <= last.a_end()
        || next.b_end() <= last.b_end()
    {
        return None;
    }
    let (over_a, over_b) =
        (last.a_end().saturating_sub(next.a), last.b_end().saturating_sub(next.b));
    let overlap = over_a.max(over_b);
    let (gap_a, gap_b) = ((next.a + overlap) - last.a_end(), (next.b + overlap) - last.b_end());
    if overlap >= next.len || gap_a.max(gap_b) > MAX_GAP_CHARS {
        return None;
    }
    let cost = 0.03 * gap_a.min(gap_b) as f64 + 0.5 * (1.0 + gap_a.abs_diff(gap_b) as f64).ln();
    Some((next.len - overlap) as f64 - cost)
}

fn without_overlap(chain: impl Iterator<Item = SeedBlock>) -> Vec<SeedBlock> {
    let mut out: Vec<SeedBlock> = Vec::new();
    for mut block in chain {
        if let Some(last) = out.last() {
            let overlap =
                last.a_end().saturating_sub(block.a).max(last.b_end().saturating_sub(block.b));
            block = SeedBlock {
                a: block.a + overlap,
                b: block.b + overlap,
                len: block.len.saturating_sub(overlap),
            };
        }
        if block.len > 0 {
            out.push(block);
        }
    }
    out
}
