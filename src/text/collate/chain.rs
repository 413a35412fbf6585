//! Chains of blocks: the dynamic programme of minimap2 (H. Li, Bioinformatics 34, 2018). The best
//! chain that ends with a block continues the best one that ends with a block before it, or begins
//! there if what is between costs more than it is worth.

use super::seeds::SeedBlock;

/// What a chain may pass over, and at what cost.
pub struct ChainRules {
    /// How many blocks a block looks back for its predecessor.
    pub max_blocks_back: usize,
    /// Most characters of either text between two blocks.
    pub max_gap_chars: usize,
    /// The cost, in equal characters, of so many characters of the first text and so many of the
    /// second between two blocks.
    pub cost: fn(usize, usize) -> f64,
}

/// A chain that begins where a better one had used the blocks before it.
pub struct ScoredChain {
    /// What its own blocks add to the score.
    pub score: f64,
    /// Its blocks, without overlaps.
    pub blocks: Vec<SeedBlock>,
}

/// The chains of blocks, best first. Blocks must be sorted by their place in the first text; each
/// block is used at most once.
pub fn chains(blocks: &[SeedBlock], rules: &ChainRules) -> Vec<ScoredChain> {
    let (scores, before) = scored(blocks, rules);
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
        if !chain.is_empty() {
            let rest = at.map_or(0.0, |n| scores[n]);
            let blocks = without_overlap(chain.iter().rev().map(|n| blocks[*n]));
            chains.push(ScoredChain { score: scores[end] - rest, blocks });
        }
    }
    chains
}

/// For each block the score of the best chain that ends with it, and its predecessor there.
fn scored(blocks: &[SeedBlock], rules: &ChainRules) -> (Vec<f64>, Vec<Option<usize>>) {
    let mut scores: Vec<f64> = blocks.iter().map(|b| b.len as f64).collect();
    let mut before = vec![None; blocks.len()];
    for n in 0..blocks.len() {
        for p in (n.saturating_sub(rules.max_blocks_back)..n).rev() {
            if blocks[p].a + rules.max_gap_chars < blocks[n].a
                && blocks[p].a_end() + rules.max_gap_chars < blocks[n].a
            {
                continue;
            }
            if let Some(gain) = gain(blocks[p], blocks[n], rules)
                && scores[p] + gain > scores[n]
            {
                scores[n] = scores[p] + gain;
                before[n] = Some(p);
            }
        }
    }
    (scores, before)
}

/// The score that `next` adds to a chain that ends with `last`: its characters, minus the cost of
/// what is between them.
fn gain(last: SeedBlock, next: SeedBlock, rules: &ChainRules) -> Option<f64> {
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
    if overlap >= next.len || gap_a.max(gap_b) > rules.max_gap_chars {
        return None;
    }
    Some((next.len - overlap) as f64 - (rules.cost)(gap_a, gap_b))
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
