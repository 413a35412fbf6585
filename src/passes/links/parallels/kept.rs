//! The chains of a corpus as the last build found them. What two chapters share depends on their words
//! only, and on which runs of four characters are formulas; so after a change only the pairs that the
//! changed chapters are in are compared again.

use serde::{Deserialize, Serialize};

use super::chains::{PairChains, joined_by_parts};
use super::packed::Packed;
use super::seeds::{self, PairRules, SLICE_PAIRS, SeedPlaces};
use crate::cache::CacheKey;
use crate::corpus::figures::CorpusFigures;
use crate::corpus::index::CorpusText;
use crate::memo::Memo;

/// The chains of each two parts of a corpus, and what they were made from.
#[derive(Debug, Default)]
pub struct KeptChains {
    from: MadeFrom,
    /// The seeds with too many places.
    formulas: Vec<u32>,
    base: Option<StoredBase>,
    /// In the order of their parts.
    pub pairs: Packed<PairChains>,
}

/// What chains are made from.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct MadeFrom {
    /// The chapter of each entry, and how many are own.
    entries: (Vec<usize>, usize),
    /// A hash of the characters of each part.
    parts: Vec<CacheKey>,
}

/// Chains as they are stored. Those of a large corpus take millions of bytes, nearly all of which are as
/// they were in the last build; so those of changed parts are stored beside those of an earlier one.
type StoredChains = (MadeFrom, Vec<u32>, StoredBase, Vec<PairChains>);

/// Where most of the chains are stored, and the parts that changed since.
type StoredBase = (CacheKey, Vec<bool>);

/// The chains of changed parts are stored beside the others as long as they are no more than one in so many.
const MAX_BESIDE: usize = 8;

impl KeptChains {
    /// Those of a corpus.
    pub fn of(
        words: &CorpusText,
        rules: PairRules<'_>,
        figures: Option<&CorpusFigures>,
        memo: Option<&Memo>,
    ) -> Self {
        let Some(memo) = memo.filter(|_| figures.is_none()) else {
            let (pairs, _) = all_pairs(words, rules, figures);
            return KeptChains { pairs, ..KeptChains::default() };
        };
        let entries = (rules.chapters.to_vec(), rules.own);
        let parts: Vec<CacheKey> =
            words.parts().iter().map(|p| key_of(&words.text[p.range.clone()])).collect();
        let from = MadeFrom { entries, parts };
        let (pairs, formulas, base) = renewed(memo, words, rules, &from).unwrap_or_else(|| {
            let (pairs, formulas) = all_pairs(words, rules, None);
            (pairs, formulas, None)
        });
        KeptChains { from, formulas, base, pairs }
    }

    /// Keeps them for the next build.
    pub fn keep(self, memo: &Memo) {
        let KeptChains { from, formulas, base, pairs } = self;
        let changed = base.as_ref().map_or(&[][..], |(_, changed)| changed);
        let mut beside = vec![];
        if changed.contains(&true) {
            beside.extend(pairs.iter().filter(|pair| pair.is_of(changed)));
        }
        let base = match base.filter(|_| beside.len() * MAX_BESIDE <= pairs.len()) {
            None => {
                beside.clear();
                memo.keep(KIND, &pairs).map(|key| (key, vec![false; from.parts.len()]))
            }
            base => base,
        };
        let Some(base) = base else { return };
        memo.uses(&base.0);
        let kept: StoredChains = (from, formulas, base, beside);
        memo.put(&memo.key(KIND, []), &kept);
    }
}

impl PairChains {
    /// True if one of its parts is among some.
    fn is_of(&self, parts: &[bool]) -> bool {
        self.parts.iter().any(|n| parts[*n as usize])
    }
}

/// The kind of the result.
const KIND: &str = "chains";

/// The chains of the corpus as it is now, the formulas, and where most of them are stored, if the last build
/// had as many parts of the same chapters.
fn renewed(
    memo: &Memo,
    words: &CorpusText,
    rules: PairRules<'_>,
    from: &MadeFrom,
) -> Option<(Packed<PairChains>, Vec<u32>, Option<StoredBase>)> {
    let last: StoredChains = memo.get(&memo.key(KIND, []))?;
    let (before, mut formulas, (key, mut changed), mut beside) = last;
    if before.entries != from.entries || before.parts.len() != from.parts.len() {
        return None;
    }
    let mut pairs: Packed<PairChains> = memo.last_of(&key)?;
    let parts = before.parts.iter().zip(&from.parts);
    let mut now: Vec<bool> = parts.map(|(a, b)| a != b).collect();
    if now.contains(&true) {
        let found = seeds::pairs_of(words, rules, &mut now, &formulas);
        beside.retain(|pair| !pair.is_of(&now));
        beside.extend(joined(words, found.pairs));
        beside.sort_unstable_by_key(|pair| pair.parts);
        formulas = found.formulas;
        changed.iter_mut().zip(now).for_each(|(before, now)| *before |= now);
    }
    if changed.contains(&true) {
        pairs = pairs.replaced(|pair| !pair.is_of(&changed), beside, |pair| pair.parts);
    }
    Some((pairs, formulas, Some((key, changed))))
}

/// The chains of all pairs of parts, and the formulas.
fn all_pairs(
    words: &CorpusText,
    rules: PairRules<'_>,
    figures: Option<&CorpusFigures>,
) -> (Packed<PairChains>, Vec<u32>) {
    let places = SeedPlaces::of(words, figures);
    // One slice at a time is in memory: the work on each is done in parallel.
    let slices = places.slices(words, SLICE_PAIRS);
    let pairs = slices.iter().flat_map(|slice| joined(words, places.pairs(words, rules, slice)));
    (pairs.collect(), places.formulas)
}

fn joined(words: &CorpusText, pairs: Vec<(u32, u32)>) -> Vec<PairChains> {
    joined_by_parts(words, seeds::blocks(words, pairs))
}

fn key_of(text: &[char]) -> CacheKey {
    let mut bytes = Vec::with_capacity(size_of_val(text));
    text.iter().for_each(|c| bytes.extend_from_slice(&(*c as u32).to_le_bytes()));
    CacheKey::of([bytes.as_slice()])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::cache::Cache;
    use crate::corpus::{Index, Library, Works};
    use crate::model::{Document, Layer};
    use crate::passes::links::parallels::chains::weighed_chains;
    use crate::text::collate::CollatedRun;

    /// So few that a change makes a formula of a seed, or ends one.
    const CHARACTERS: [char; 3] = ['甲', '乙', '丙'];
    const TEXTS: usize = 18;
    const LENGTH: usize = 214;

    fn index_of(texts: &[Vec<char>]) -> Index {
        let document = |text: &Vec<char>| {
            let text: String = text.iter().collect();
            Arc::new(Document::of_pieces(&[(Layer::Jing, &*text)]))
        };
        let documents = texts.iter().map(document).collect();
        Index::of(&Library { documents, ..Library::default() }, &Works::builtin())
    }

    #[test]
    fn after_a_change_they_are_as_if_nothing_was_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let memo = || {
            let cache = Cache::in_folder(folder.path().join("documents"));
            let base = CacheKey::of([&b"test"[..]]);
            Memo::in_folder(folder.path().join("memo"), base, (cache, None))
        };
        let mut state = 1u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % n
        };
        let mut texts: Vec<Vec<char>> =
            (0..TEXTS).map(|_| (0..LENGTH).map(|_| CHARACTERS[below(3)]).collect()).collect();
        let mut chapters: Vec<usize> = (0..TEXTS).collect();
        chapters[4] = 1;
        let (mut formulas, mut changed, mut beside) = (vec![], 0, 0);
        for step in 0..24 {
            let (text, at, c) = (below(TEXTS), below(LENGTH / 2), CHARACTERS[below(3)]);
            match step % 3 {
                0 => texts[text][at] = c,
                1 => texts[text].insert(at, c),
                _ => _ = texts[text].remove(at),
            }
            let index = index_of(&texts);
            let rules = PairRules { chapters: &chapters, own: TEXTS - 1, only: None };
            let long = |blocks: &[CollatedRun]| {
                blocks.iter().map(|b| b.len).sum::<usize>() > 20 + step % 2
            };
            let mut kept = KeptChains::of(index.words(), rules, None, Some(&memo()));
            let mut fresh = KeptChains::of(index.words(), rules, None, None);
            let chains = [&mut kept, &mut fresh]
                .map(|k| weighed_chains(index.words(), (&mut k.pairs, true), long, Some))
                .map(|chains| chains.into_iter().map(|c| c.runs).collect::<Vec<_>>());
            assert_eq!(chains[0], chains[1], "step {step}");
            assert!(kept.pairs == fresh.pairs && !chains[0].is_empty(), "step {step}");
            changed += usize::from(step > 0 && formulas != kept.formulas);
            formulas.clone_from(&kept.formulas);
            let since = kept.base.as_ref().map_or(0, |(_, c)| c.iter().filter(|c| **c).count());
            beside += usize::from(since > 1);
            kept.keep(&memo());
        }
        assert!(changed > 3 && !formulas.is_empty(), "{changed}");
        assert!(beside > 3, "{beside}");
    }
}
