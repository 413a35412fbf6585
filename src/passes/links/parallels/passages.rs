//! Passages: what two texts have in common, weighed.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::kept;
use super::passage::ParallelPassage;
use super::seeds::{self, PairRules};
use crate::corpus::{Index, Stream};
use crate::memo::Memo;

/// Two texts that share more than this part of the shorter's classic are witnesses of one text.
const MIN_WITNESS_SHARE: f64 = 0.7;

/// All passages that the texts of an index have in common, in the order of the text of all; `only`
/// says which pairs of them are compared.
pub fn passages(
    index: &Index,
    only: Option<&FxHashSet<(usize, usize)>>,
    memo: Option<&Memo>,
) -> Vec<ParallelPassage> {
    let chapters = seeds::chapters(index);
    if chapters.windows(2).all(|pair| pair[0] == pair[1]) {
        return vec![];
    }
    let rules = PairRules { chapters: &chapters, own: index.own, only };
    let mut passages = match memo.filter(|_| index.figures.is_none()) {
        Some(memo) => kept::passages(index, rules, memo),
        None => kept::all_passages(index, rules, index.figures.as_deref(), |_| ()).0,
    };
    // Without a copy of the keys, which are as large as the passages.
    passages.sort_unstable_by_key(ParallelPassage::order);
    without_witnesses(index, passages)
}

/// Leaves out passages between two witnesses of one text that are not both identified as a chapter.
fn without_witnesses(index: &Index, mut passages: Vec<ParallelPassage>) -> Vec<ParallelPassage> {
    let mut common: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    for p in passages.iter().filter(|p| p.sides.iter().all(|s| s.stream == Stream::Base)) {
        *common.entry([0, 1].map(|n| p.sides[n].entry)).or_insert(0) += p.equal;
    }
    let classic = |n: usize| index.entries[n].view.base.len();
    let titled = |n: usize| index.entries[n].document.meta.chapter.is_some();
    common.retain(|[a, b], equal| {
        !(titled(*a) && titled(*b))
            && *equal as f64 > MIN_WITNESS_SHARE * classic(*a).min(classic(*b)) as f64
    });
    passages.retain(|p| !common.contains_key(&[0, 1].map(|n| p.sides[n].entry)));
    passages
}
