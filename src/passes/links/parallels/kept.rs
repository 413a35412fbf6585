//! The chains of a corpus as the last build found them. What two chapters share depends on their words
//! only, and on which runs of four characters are formulas; so after a change only the pairs that the
//! changed chapters are in are compared again.

use serde::{Deserialize, Serialize};

use super::chains::{PairChains, joined_by_parts};
use super::packed::PackedPairs;
use super::seeds::{self, PairRules, SLICE_PAIRS, SeedPlaces};
use crate::cache::CacheKey;
use crate::corpus::figures::CorpusFigures;
use crate::corpus::index::CorpusText;
use crate::memo::Memo;

/// The chains of each two parts of a corpus, and what they were made from.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct KeptChains {
    /// The chapter of each entry, and how many are own.
    entries: (Vec<usize>, usize),
    /// A hash of the characters of each part.
    parts: Vec<CacheKey>,
    /// The seeds with too many places.
    formulas: Vec<u32>,
    /// In the order of their parts.
    pub pairs: PackedPairs,
}

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
        let last: Option<KeptChains> = memo.get(&memo.key(KIND, []));
        let last = last.filter(|last| last.entries == entries && last.parts.len() == parts.len());
        let (pairs, formulas) = match last {
            Some(last) => last.renewed(words, rules, &parts),
            None => all_pairs(words, rules, None),
        };
        KeptChains { entries, parts, formulas, pairs }
    }

    /// The pairs and formulas of the corpus as it is now.
    fn renewed(
        self,
        words: &CorpusText,
        rules: PairRules<'_>,
        parts: &[CacheKey],
    ) -> (PackedPairs, Vec<u32>) {
        let mut changed: Vec<bool> = self.parts.iter().zip(parts).map(|(a, b)| a != b).collect();
        if !changed.contains(&true) {
            return (self.pairs, self.formulas);
        }
        let found = seeds::pairs_of(words, rules, &mut changed, &self.formulas);
        let is_kept = |p: &PairChains| p.parts.iter().all(|n| !changed[*n as usize]);
        (self.pairs.replaced(is_kept, joined(words, found.pairs)), found.formulas)
    }

    /// Keeps them for the next build.
    pub fn keep(&self, memo: &Memo) {
        memo.put(&memo.key(KIND, []), self);
    }
}

/// The kind of the result.
const KIND: &str = "chains";

/// The chains of all pairs of parts, and the formulas.
fn all_pairs(
    words: &CorpusText,
    rules: PairRules<'_>,
    figures: Option<&CorpusFigures>,
) -> (PackedPairs, Vec<u32>) {
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
    let bytes: Vec<u8> = text.iter().flat_map(|c| (*c as u32).to_le_bytes()).collect();
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
    const TEXTS: usize = 6;
    const LENGTH: usize = 640;

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
        let chapters = [0, 1, 2, 3, 1, 5];
        let (mut formulas, mut changed) = (vec![], 0);
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
            kept.keep(&memo());
        }
        assert!(changed > 6 && !formulas.is_empty(), "{changed}");
    }
}
