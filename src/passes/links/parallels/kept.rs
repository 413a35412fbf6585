//! The passages of a corpus as the last build found them. What two chapters share depends on their
//! words, on which runs of four characters are formulas, and on how rare the words are. So after a
//! change only the pairs that the changed chapters are in are compared again; and of these, and of
//! the others that have words whose rarity is no longer the same, only the chains near what changed
//! are weighed again ([`reuse`](super::reuse)).

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::chains::{PairChains, joined_by_parts};
use super::changes::GramChanges;
use super::edit::Edit;
use super::packed::{PackedPairs, PairQuestions, WeighedPair, replaced};
use super::passage::ParallelPassage;
use super::rarity::Rarity;
use super::reuse::{Changes, OutdatedPair, ReusedChains};
use super::seeds::{self, PairRules, SLICE_PAIRS, SeedPlaces};
use super::weighing::Weighing;
use crate::cache::CacheKey;
use crate::corpus::figures::CorpusFigures;
use crate::corpus::index::CorpusText;
use crate::corpus::{Index, View};
use crate::memo::Memo;

/// Pairs as they are stored. Those of a large corpus take millions of bytes, nearly all of which
/// are as they were in the last build; so what changed is stored beside those of an earlier one.
#[derive(Debug, Serialize, Deserialize)]
struct StoredPairs {
    from: MadeFrom,
    /// The seeds with too many places.
    formulas: Vec<u32>,
    /// Where the [`PackedPairs`] of an earlier build are, in order.
    keys: Vec<CacheKey>,
    /// The parts that changed since, and other pairs that did.
    gone: (Vec<bool>, FxHashSet<[u32; 2]>),
    /// What is in the place of these.
    beside: PackedPairs,
}

/// What chains are made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct MadeFrom {
    /// The chapter of each entry, and how many are own.
    entries: (Vec<usize>, usize),
    /// A hash of the characters of each part.
    parts: Vec<CacheKey>,
}

/// The kind of the result.
const KIND: &str = "chains";

/// At most one in so many pairs is stored beside the others.
const MAX_BESIDE: usize = 8;

/// The passages that the texts of an index have in common, in any order.
pub fn passages(index: &Index, rules: PairRules<'_>, memo: &Memo) -> Vec<ParallelPassage> {
    let words = index.words();
    let from = MadeFrom::of(words, rules);
    let last: Option<StoredPairs> = memo.get(&memo.key(KIND, []));
    let stored = last
        .filter(|last| last.from.has_same_texts(&from))
        .and_then(|last| last.renewed(from.clone(), (index, rules, memo)));
    let fresh = || StoredPairs::fresh(from, (index, rules, memo));
    let (passages, stored) = stored.unwrap_or_else(fresh);
    if let Some(stored) = stored {
        stored.keys.iter().for_each(|key| memo.uses(key));
        memo.put(&memo.key(KIND, []), &stored);
    }
    passages
}

impl MadeFrom {
    fn of(words: &CorpusText, rules: PairRules<'_>) -> Self {
        let entries = (rules.chapters.to_vec(), rules.own);
        let key = |range: &Range<usize>| key_of(&words.text[range.clone()]);
        MadeFrom { entries, parts: words.parts().iter().map(|part| key(&part.range)).collect() }
    }

    /// True if others are made from as many parts of the same chapters.
    fn has_same_texts(&self, other: &Self) -> bool {
        self.entries == other.entries && self.parts.len() == other.parts.len()
    }

    /// Which parts another one has otherwise.
    fn changed(&self, other: &Self) -> Vec<bool> {
        self.parts.iter().zip(&other.parts).map(|(a, b)| a != b).collect()
    }
}

impl StoredPairs {
    /// The passages of a corpus, and its pairs if they could be stored.
    fn fresh(
        from: MadeFrom,
        (index, rules, memo): (&Index, PairRules<'_>, &Memo),
    ) -> (Vec<ParallelPassage>, Option<Self>) {
        let mut keys = vec![];
        let keep = |pairs: &[WeighedPair]| keys.push(memo.keep(KIND, &PackedPairs::of(pairs)));
        let (passages, formulas) = all_passages(index, rules, None, keep);
        let gone = (vec![false; from.parts.len()], FxHashSet::default());
        let stored = keys.into_iter().collect::<Option<_>>().map(|keys| {
            let beside = PackedPairs::default();
            StoredPairs { from, formulas, keys, gone, beside }
        });
        (passages, stored)
    }

    /// The passages of the corpus as it is now, and its pairs. `None` if too much changed, or what
    /// it was is lost.
    fn renewed(
        mut self,
        from: MadeFrom,
        (index, rules, memo): (&Index, PairRules<'_>, &Memo),
    ) -> Option<(Vec<ParallelPassage>, Option<Self>)> {
        let words = index.words();
        let mut now = self.from.changed(&from);
        if now.iter().filter(|changed| **changed).count() * 2 > now.len() {
            return None;
        }
        let edits = self.edits(&now, (index, memo))?;
        let places = edits.grams.places(&words.text, rules.chapters)?;
        let mut pairs = vec![];
        if now.contains(&true) {
            let found = seeds::pairs_of(words, rules, &mut now, &self.formulas);
            pairs = joined(words, found.pairs);
            self.formulas = found.formulas;
        }
        let is_edited = |parts| is_of(parts, &now);
        let (mut passages, old_beside) =
            self.beside.sorted_out(&questions(|_| false, is_edited, words, &places));
        let (mut old, mut of_earlier) = (vec![], 0);
        for group in self.groups(memo) {
            let group = group?;
            let ask = questions(|parts| self.is_gone(parts), is_edited, words, &places);
            let (kept, changed) = group.sorted_out(&ask);
            passages.extend(kept);
            old.extend(changed);
            of_earlier += group.len();
        }
        let again = old.iter().map(|(pair, _)| pair.parts).filter(|parts| !is_edited(*parts));
        self.gone.1.extend(again);
        self.gone.0.iter_mut().zip(&now).for_each(|(gone, now)| *gone |= now);
        let outdated = outdated(pairs, old.into_iter().chain(old_beside), is_edited);
        let again: FxHashSet<[u32; 2]> = outdated.iter().map(|o| o.pair.parts).collect();
        let has_other_rarity =
            |part: u32, range: Range<u32>| changed_within(words, &places, part, range);
        let changes = Changes { edits: &edits.of_parts, has_other_rarity };
        let weighed = weighed_apart(index, rules.chapters, outdated, &changes);
        passages.extend(weighed.iter().flat_map(|(_, made)| made).cloned());
        let is_gone = |parts| is_of(parts, &now) || again.contains(&parts);
        let beside = std::mem::take(&mut self.beside).into_pairs();
        self.beside = replaced(beside, is_gone, weighed.into_iter()).collect();
        self.from = from;
        let stored = if self.beside.len() * MAX_BESIDE > of_earlier {
            self.together(memo)
        } else {
            Some(self)
        };
        Some((passages, stored))
    }

    /// The pairs of the earlier build; `None` for those that are lost.
    fn groups(&self, memo: &Memo) -> impl Iterator<Item = Option<PackedPairs>> {
        self.keys.iter().map(|key| memo.last_of(key))
    }

    /// The same with all pairs in one place. `None` if some are lost, or cannot be kept.
    fn together(mut self, memo: &Memo) -> Option<Self> {
        let beside = std::mem::take(&mut self.beside).into_pairs();
        let mut all_there = true;
        let old = self.groups(memo).map_while(|group| {
            all_there &= group.is_some();
            group
        });
        let old = old.flat_map(PackedPairs::into_pairs);
        let all: PackedPairs = replaced(old, |parts| self.is_gone(parts), beside).collect();
        let key = all_there.then(|| memo.keep(KIND, &all)).flatten()?;
        self.keys = vec![key];
        self.gone = (vec![false; self.from.parts.len()], FxHashSet::default());
        Some(self)
    }

    /// True if the pair of some parts is no longer that of the earlier build.
    fn is_gone(&self, parts: [u32; 2]) -> bool {
        is_of(parts, &self.gone.0) || self.gone.1.contains(&parts)
    }

    /// How the parts changed that did. `None` if it is lost what they were.
    fn edits(&self, changed: &[bool], (index, memo): (&Index, &Memo)) -> Option<PartEdits> {
        let words = index.words();
        let parts = words.parts().iter().enumerate().zip(changed);
        let changed: Vec<_> =
            parts.filter(|(_, changed)| **changed).map(|(part, _)| part).collect();
        let mut edits = PartEdits::default();
        for of_entry in changed.chunk_by(|x, y| x.1.entry == y.1.entry) {
            let old = View::of(&memo.last_document(of_entry[0].1.entry)?);
            for (number, part) in of_entry {
                let (old, new) = (old.stream(part.stream).chars(), &words.text[part.range.clone()]);
                if key_of(old) != self.from.parts[*number] {
                    return None;
                }
                let edit = Edit::between(old, new);
                edits.grams.add(old, new, &edit);
                edits.of_parts.insert(*number as u32, edit);
            }
        }
        Some(edits)
    }
}

/// How the parts of a corpus changed since the last build.
#[derive(Default)]
struct PartEdits {
    of_parts: FxHashMap<u32, Edit>,
    grams: GramChanges,
}

/// What is asked about stored pairs, if the rarity of some places of the text changed.
fn questions<G, E: Fn([u32; 2]) -> bool>(
    is_gone: G,
    is_edited: E,
    words: &CorpusText,
    places: &[usize],
) -> PairQuestions<G, E, impl Fn(u32) -> bool, impl Fn(&PairChains) -> bool> {
    PairQuestions {
        is_gone,
        is_edited,
        may_change: |part| changed_within(words, places, part, 0..u32::MAX),
        is_changed: |pair: &PairChains| {
            pair.places().any(|range| changed_within(words, places, pair.parts[0], range))
        },
    }
}

/// True if a range of a part has one of some places of the text, which are in order.
fn changed_within(words: &CorpusText, places: &[usize], part: u32, range: Range<u32>) -> bool {
    let part = &words.parts()[part as usize].range;
    let from = part.start + range.start as usize;
    let end = part.end.min(part.start.saturating_add(range.end as usize));
    places.get(places.partition_point(|at| *at < from)).is_some_and(|at| *at < end)
}

/// The pairs that must be weighed again, in order: those that were compared again, and those of the
/// last build that were not but are out of date.
fn outdated(
    compared: Vec<PairChains>,
    old: impl Iterator<Item = WeighedPair>,
    is_edited: impl Fn([u32; 2]) -> bool,
) -> Vec<OutdatedPair> {
    let mut old: FxHashMap<[u32; 2], WeighedPair> = old.map(|o| (o.0.parts, o)).collect();
    let with_old = |pair: PairChains| OutdatedPair { old: old.remove(&pair.parts), pair };
    let mut outdated: Vec<OutdatedPair> = compared.into_iter().map(with_old).collect();
    let others = old.into_values().filter(|(pair, _)| !is_edited(pair.parts));
    outdated.extend(others.map(|old| OutdatedPair { pair: old.0.clone(), old: Some(old) }));
    outdated.sort_unstable_by_key(|o| o.pair.parts);
    outdated
}

/// A few pairs with their passages: only the grams of their words are counted, and only of chains
/// that changed.
fn weighed_apart(
    index: &Index,
    chapters: &[usize],
    outdated: Vec<OutdatedPair>,
    changes: &Changes<'_, impl Fn(u32, Range<u32>) -> bool + Sync>,
) -> Vec<WeighedPair> {
    let reused = |settled| {
        move |outdated: OutdatedPair| {
            let reused = ReusedChains::of(&outdated, changes, settled);
            (outdated, reused)
        }
    };
    let all: Vec<ReusedPair> = outdated.into_par_iter().map(reused(false)).collect();
    let rarity = rarity_of(index, chapters, &all);
    let weighing = Weighing { index, rarity: &rarity };
    let is_settled = |(outdated, reused): &ReusedPair| {
        !reused.is_unsettled(|number| weighing.is_promising(&outdated.pair, number))
    };
    let (settled, unsettled): (Vec<_>, Vec<_>) = all.into_par_iter().partition(is_settled);
    let mut weighed = weighed_with(&weighing, settled);
    if !unsettled.is_empty() {
        let unsettled = unsettled.into_par_iter().map(|(outdated, _)| outdated);
        let unsettled: Vec<ReusedPair> = unsettled.map(reused(true)).collect();
        let rarity = rarity_of(index, chapters, &unsettled);
        weighed.extend(weighed_with(&Weighing { index, rarity: &rarity }, unsettled));
        weighed.sort_unstable_by_key(|(pair, _)| pair.parts);
    }
    weighed
}

/// A pair and what is known of it.
type ReusedPair = (OutdatedPair, ReusedChains);

/// How rare the words are that matter for some pairs.
fn rarity_of<'a>(index: &'a Index, chapters: &[usize], pairs: &[ReusedPair]) -> Rarity<'a> {
    let words = index.words();
    let of_pair = |(outdated, reused): &ReusedPair| -> Vec<Range<usize>> {
        let pair = &outdated.pair;
        reused.places(pair).map(|range| pair.within(words, range)).collect()
    };
    Rarity::of_some(words, chapters, pairs.iter().flat_map(of_pair))
}

fn weighed_with(weighing: &Weighing<'_>, pairs: Vec<ReusedPair>) -> Vec<WeighedPair> {
    let weighed = pairs.into_par_iter().map(|(outdated, reused)| {
        let mut pair = outdated.pair;
        let passages = weighing.of_reused(&mut pair, reused);
        (pair, passages)
    });
    weighed.collect()
}

/// True if one of two parts is among some.
fn is_of(parts: [u32; 2], some: &[bool]) -> bool {
    parts.iter().any(|n| some[*n as usize])
}

/// The passages of all pairs of parts, and the formulas. `each` sees the pairs, those of one slice
/// of the text after the other: all together would take more memory than the text.
pub fn all_passages(
    index: &Index,
    rules: PairRules<'_>,
    figures: Option<&CorpusFigures>,
    mut each: impl FnMut(&[WeighedPair]),
) -> (Vec<ParallelPassage>, Vec<u32>) {
    let words = index.words();
    let rarity = Rarity::of(words, rules.chapters, figures);
    let weighing = Weighing { index, rarity: &rarity };
    let weighed = |mut pair: PairChains| {
        let passages = weighing.of_pair(&mut pair);
        (pair, passages)
    };
    let places = SeedPlaces::of(words, figures);
    let mut passages = vec![];
    for slice in places.slices(words, SLICE_PAIRS) {
        let pairs = joined(words, places.pairs(words, rules, &slice));
        let pairs: Vec<WeighedPair> = pairs.into_par_iter().map(weighed).collect();
        each(&pairs);
        passages.extend(pairs.into_iter().flat_map(|(_, made)| made));
    }
    (passages, places.formulas)
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
    use super::*;
    use crate::cache::Cache;
    use crate::passes::links::parallels::passages::passages;
    use crate::passes::links::parallels::tests::index_of;

    /// So few that a change makes a formula of a seed, or ends one.
    const CHARACTERS: [char; 3] = ['甲', '乙', '丙'];

    /// Texts of pieces: `of_few` of the first so many characters, a sentence that some texts have,
    /// and other characters.
    struct Corpus {
        texts: usize,
        pieces: usize,
        few: usize,
        of_few: usize,
        sentences: usize,
        others: usize,
    }

    /// How many passages there were, how often formulas changed, and something was stored beside
    /// the pairs of an earlier build, also because words became rarer or more frequent.
    #[derive(Debug, Default)]
    struct Seen {
        passages: usize,
        formulas: usize,
        beside: usize,
        rarer: usize,
    }

    /// Changes a corpus some times. What is kept must be what is made without it.
    fn change(corpus: &Corpus, seen: &mut Seen) {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = || Cache::in_folder(folder.path().join("documents"));
        let memo = |last: Vec<CacheKey>| {
            let base = CacheKey::of([&b"test"[..]]);
            Memo::in_folder(folder.path().join("memo"), base, (cache(), Some(last)))
        };
        let mut state = 1u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % n
        };
        let rare = |n: usize| char::from_u32(0x4e00 + n as u32).expect("a character");
        let sentences: Vec<Vec<char>> = (0..corpus.sentences)
            .map(|n| (0..8 + n % 7).map(|_| rare(below(90))).collect())
            .collect();
        let mut text = || {
            let piece = |n: usize, below: &mut dyn FnMut(usize) -> usize| match n % 3 {
                0 => (0..corpus.of_few).map(|_| CHARACTERS[below(corpus.few)]).collect::<Vec<_>>(),
                1 => sentences[below(sentences.len())].clone(),
                _ => (0..corpus.others).map(|_| rare(below(90))).collect(),
            };
            (0..corpus.pieces).flat_map(|n| piece(n, &mut below)).collect::<Vec<char>>()
        };
        let mut texts: Vec<Vec<char>> = (0..corpus.texts).map(|_| text()).collect();
        let (mut last, mut formulas) = (vec![], vec![]);
        for step in 0..24 {
            let text = below(texts.len());
            let at = below(texts[text].len());
            let c = if step % 2 == 0 { CHARACTERS[below(corpus.few)] } else { rare(below(90)) };
            let other = texts[below(texts.len())].clone();
            let stretch = |of: &[char], from: usize| from..(from + below(of.len())).min(of.len());
            let (mut stretch, text) = (stretch, &mut texts[text]);
            match step % 8 {
                0 | 5 => text[at] = c,
                1 => text.insert(at, c),
                2 => _ = text.remove(at),
                3 => _ = text.drain(stretch(text, at)),
                4 => _ = text.splice(at..at, other[stretch(&other, 0)].iter().copied()),
                6 => _ = text.drain(stretch(text, 0)),
                // Two places at once.
                _ => (text[0], text[at]) = (c, c),
            }
            if text.is_empty() {
                text.extend(other);
            }
            let (index, memo) = (index_of(&texts), memo(last));
            let kept = passages(&index, None, Some(&memo));
            // What is wrong once stays wrong.
            if step % 3 == 2 {
                assert_eq!(kept, passages(&index, None, None), "step {step}");
            }
            seen.passages += kept.len();
            let stored: StoredPairs = memo.get(&memo.key(KIND, [])).expect("pairs are stored");
            seen.formulas += usize::from(step > 0 && formulas != stored.formulas);
            seen.beside += usize::from(stored.beside.len() > 0);
            seen.rarer += usize::from(!stored.gone.1.is_empty());
            formulas = stored.formulas;
            let documents = index.entries.iter();
            let keys = documents.map(|e| cache().keep("document", &*e.document));
            last = keys.collect::<Result<_, _>>().expect("documents are kept");
        }
    }

    #[test]
    fn after_a_change_they_are_as_if_nothing_was_kept() {
        let usual = Corpus { texts: 40, pieces: 9, few: 3, of_few: 12, sentences: 60, others: 15 };
        // Long enough that a part of a text is far from the rest.
        let long = Corpus { texts: 6, pieces: 90, sentences: 400, ..usual };
        let formulas = Corpus { texts: 18, pieces: 9, few: 2, of_few: 18, sentences: 6, others: 0 };
        let mut seen = Seen::default();
        for corpus in [usual, long, formulas] {
            let before = seen.passages;
            change(&corpus, &mut seen);
            assert!(
                seen.passages > before + 100,
                "{} texts: {}",
                corpus.texts,
                seen.passages - before
            );
        }
        assert!(seen.formulas > 0 && seen.beside > 1 && seen.rarer > 0, "{seen:?}");
    }
}
