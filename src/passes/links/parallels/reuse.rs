//! What of a pair is as it was in the last build: a chain far from all that changed has the
//! passages that it had.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::chains::{Candidate, PairChains};
use super::edit::Edit;
use super::packed::WeighedPair;
use super::passage::ParallelPassage;
use super::stored::PartRun;

/// A pair that must be weighed again, at least in part.
#[derive(Debug)]
pub struct OutdatedPair {
    /// As it is now, without passages.
    pub pair: PairChains,
    /// As it was in the last build, if it was there.
    pub old: Option<WeighedPair>,
}

/// What changed since the last build.
pub struct Changes<'a, C> {
    /// How the parts changed that did.
    pub edits: &'a FxHashMap<u32, Edit>,
    /// Did a place within this range become rarer or more frequent? Characters from the beginning
    /// of this part.
    pub has_other_rarity: C,
}

/// What is known of a pair without weighing it.
#[derive(Debug, Default, PartialEq)]
pub struct ReusedChains {
    /// The chains that must be completed and weighed, by their numbers.
    pub again: Vec<u32>,
    /// Of the others, the promising ones, and the candidates.
    pub promising: Vec<u32>,
    pub candidates: Vec<Candidate>,
    /// The candidates of which only words became rarer or more frequent, in order. Which chains
    /// they cover is as before, unless one of `unsettled` became promising or ceased to be.
    pub reweighed: Vec<u32>,
    /// The chains whose blocks became rarer or more frequent, and whether they were promising.
    pub unsettled: Vec<(u32, bool)>,
    /// The passages of all that is not weighed again.
    pub passages: Vec<ParallelPassage>,
}

/// How a chain is, compared with the last build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChainChange {
    /// It is the chain of this number, and all that its passage depends on is as it was.
    None(u32),
    /// It is the chain of this number, but some of its words are rarer or more frequent.
    Rarity(u32),
    /// It is another one.
    Text,
}

impl ChainChange {
    /// Its number in the last build.
    fn old(self) -> Option<u32> {
        match self {
            ChainChange::None(old) | ChainChange::Rarity(old) => Some(old),
            ChainChange::Text => None,
        }
    }
}

/// Where a chain and its passages may be, on both sides.
type Bounds = [Range<u32>; 2];

fn overlap(x: &Bounds, y: &Bounds) -> bool {
    x.iter().zip(y).all(|(x, y)| x.start < y.end && y.start < x.end)
}

impl ReusedChains {
    /// Nothing is known of a pair.
    pub fn none_of(pair: &PairChains) -> Self {
        ReusedChains { again: (0..pair.len()).collect(), ..ReusedChains::default() }
    }

    /// What is known of a pair. With `settled`, no chain is [unsettled](Self::unsettled): what may
    /// be is weighed again.
    pub fn of<C: Fn(u32, Range<u32>) -> bool>(
        outdated: &OutdatedPair,
        changes: &Changes<'_, C>,
        settled: bool,
    ) -> Self {
        let new = &outdated.pair;
        let Some((old, passages)) = &outdated.old else { return ReusedChains::none_of(new) };
        let versions = PairVersions::of(old, new, changes.edits);
        let change = |number| match versions.change(number, changes) {
            ChainChange::Rarity(_) if settled => ChainChange::Text,
            change => change,
        };
        let change: Vec<ChainChange> = (0..new.len()).map(change).collect();
        let mut reused = ReusedChains::default();
        let mut promising = vec![];
        let mut changed = versions.gone(&change);
        for (number, change) in (0..).zip(&change) {
            let Some(old) = change.old() else {
                reused.again.push(number);
                changed.push(new.bounds(number));
                continue;
            };
            let was_promising = versions.promising[old as usize];
            promising.extend(was_promising.then(|| (number, new.bounds(number))));
            if let ChainChange::Rarity(_) = change {
                reused.unsettled.push((number, was_promising));
            }
        }
        // Of chains that cover each other only the longest counts; so what is near a changed chain
        // is weighed with it.
        let mut seen = 0;
        while let Some(bounds) = changed.get(seen).cloned() {
            seen += 1;
            promising.retain(|(number, of)| {
                let is_near = overlap(of, &bounds);
                if is_near {
                    reused.again.push(*number);
                    changed.push(of.clone());
                }
                !is_near
            });
        }
        reused.again.sort_unstable();
        for (number, _) in promising {
            reused.promising.push(number);
            let change = change[number as usize];
            let candidate = change.old().and_then(|old| versions.candidates[old as usize]);
            if candidate.is_some() && matches!(change, ChainChange::Rarity(_)) {
                reused.reweighed.push(number);
            }
            reused.candidates.extend(candidate.map(|old| Candidate { number, ..old }));
        }
        // What an edit touches may have become empty, and then overlaps nothing.
        let kept = passages.iter().filter(|p| !versions.is_edited(&sides(p)));
        let kept = kept.map(|p| versions.moved_passage(p));
        let kept = kept.filter(|p| !changed.iter().any(|bounds| overlap(bounds, &sides(p))));
        reused.passages = kept.collect();
        reused
    }

    /// True if some chain is promising that was not, or the other way round.
    pub fn is_unsettled(&self, is_promising: impl Fn(u32) -> bool) -> bool {
        self.unsettled.iter().any(|(number, was_promising)| is_promising(*number) != *was_promising)
    }

    /// The words whose rarity matters, on the first side. Characters from the beginning of the
    /// part; some are beyond it.
    pub fn places(&self, pair: &PairChains) -> impl Iterator<Item = Range<u32>> {
        let again = self.again.iter().map(|number| {
            let [a, _] = pair.bounds(*number);
            a
        });
        let unsettled = self.unsettled.iter().map(|(number, _)| pair.extent_of_blocks(*number));
        let is_reweighed = |c: &&Candidate| self.reweighed.binary_search(&c.number).is_ok();
        let reweighed = self.candidates.iter().filter(is_reweighed);
        again.chain(unsettled).chain(reweighed.map(|candidate| pair.extent(candidate)))
    }
}

/// Where a passage is.
fn sides(passage: &ParallelPassage) -> Bounds {
    passage.sides.each_ref().map(|s| s.range.start as u32..s.range.end as u32)
}

/// A pair as it was and as it is.
struct PairVersions<'a> {
    old: &'a PairChains,
    new: &'a PairChains,
    edits: [Option<&'a Edit>; 2],
    /// The chains of the old one that no edit is near, by the places where they begin now.
    kept: FxHashMap<[u32; 2], u32>,
    /// For each chain of the old one whether it was promising, and the candidate that it was.
    promising: Vec<bool>,
    candidates: Vec<Option<Candidate>>,
}

impl<'a> PairVersions<'a> {
    fn of(old: &'a PairChains, new: &'a PairChains, edits: &'a FxHashMap<u32, Edit>) -> Self {
        let edits = old.parts.map(|part| edits.get(&part));
        let mut promising = vec![false; old.len() as usize];
        old.promising().iter().for_each(|number| promising[*number as usize] = true);
        let mut candidates = vec![None; old.len() as usize];
        old.candidates().iter().for_each(|c| candidates[c.number as usize] = Some(*c));
        let kept = FxHashMap::default();
        let mut versions = PairVersions { old, new, edits, kept, promising, candidates };
        for number in 0..old.len() {
            if let Some(first) = old.chain(number).first()
                && !versions.is_edited(&old.bounds(number))
            {
                let [a, b, _] = versions.moved_run(first);
                versions.kept.insert([a, b], number);
            }
        }
        versions
    }

    /// How a chain of the new pair changed.
    fn change(
        &self,
        number: u32,
        changes: &Changes<'_, impl Fn(u32, Range<u32>) -> bool>,
    ) -> ChainChange {
        let Some(old) = self.same(number) else { return ChainChange::Text };
        let part = self.new.parts[0];
        let mut blocks = self.new.chain(number).iter().map(|[a, _, len]| *a..a + len);
        let candidate = self.candidates[old as usize].map(|c| Candidate { number, ..c });
        let extent = candidate.map(|candidate| self.new.extent(&candidate));
        let differs = match extent {
            Some(extent) => (changes.has_other_rarity)(part, extent),
            None => blocks.any(|block| (changes.has_other_rarity)(part, block)),
        };
        if differs { ChainChange::Rarity(old) } else { ChainChange::None(old) }
    }

    /// The number in the old pair of a chain of the new one, if its words and what is around them
    /// are as they were.
    fn same(&self, number: u32) -> Option<u32> {
        let chain = self.new.chain(number);
        let [a, b, _] = chain.first()?;
        let old = *self.kept.get(&[*a, *b])?;
        let moved = self.old.chain(old).iter().map(|run| self.moved_run(run));
        moved.eq(chain.iter().copied()).then_some(old)
    }

    /// Where the promising chains of the old pair were that are no longer there as they were.
    fn gone(&self, change: &[ChainChange]) -> Vec<Bounds> {
        let mut gone = self.promising.clone();
        change.iter().filter_map(|c| c.old()).for_each(|old| gone[old as usize] = false);
        let gone = (0..self.old.len()).filter(|number| gone[*number as usize]);
        gone.map(|number| self.moved(self.old.bounds(number))).collect()
    }

    /// True if an edit touches one of two ranges of the old pair.
    fn is_edited(&self, bounds: &Bounds) -> bool {
        let touches =
            |(edit, of): (&Option<&Edit>, &Range<u32>)| edit.is_some_and(|e| e.touches(of));
        self.edits.iter().zip(bounds).any(touches)
    }

    fn moved_run(&self, [a, b, len]: &PartRun) -> PartRun {
        let moved = |n: usize, at: u32| self.edits[n].map_or(at, |edit| edit.start_moved(at));
        [moved(0, *a), moved(1, *b), *len]
    }

    fn moved(&self, [a, b]: Bounds) -> Bounds {
        let moved = |n: usize, of: Range<u32>| match self.edits[n] {
            Some(edit) => edit.moved(&of),
            None => of,
        };
        [moved(0, a), moved(1, b)]
    }

    fn moved_passage(&self, passage: &ParallelPassage) -> ParallelPassage {
        let (mut passage, of) = (passage.clone(), sides(passage));
        for (side, of) in passage.sides.iter_mut().zip(self.moved(of)) {
            side.range = of.start as usize..of.end as usize;
        }
        passage
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::links::parallels::passage::StreamRange;

    /// What is reused of a pair with a chain and its passage at each of some places, after a
    /// stretch of the first part is left out.
    fn reused(places: &[u32], left_out: Range<u32>, chars: u32) -> ReusedChains {
        let chains = |at: &dyn Fn(u32) -> Option<u32>| {
            let chains = places.iter().filter_map(|place| Some(vec![[at(*place)?, *place, 30]]));
            PairChains::of_chains([0, 1], chains.collect())
        };
        let passage = |place: &u32| {
            let range = *place as usize..*place as usize + 30;
            ParallelPassage {
                sides: [0, 1].map(|part| StreamRange::of_part(part, range.clone())),
                margin: 20.0,
                equal: 30,
                differences: Box::default(),
            }
        };
        let text: Vec<char> = (0..chars).filter_map(|n| char::from_u32(0x4e00 + n)).collect();
        let mut now = text.clone();
        now.drain(left_out.start as usize..left_out.end as usize);
        let gone = left_out.len() as u32;
        let at = |place: u32| match place {
            before if before + 30 <= left_out.start => Some(before),
            after if after >= left_out.end => Some(after - gone),
            _ => None,
        };
        let mut old = chains(&Some);
        old.set_weighed((0..places.len() as u32).collect(), vec![]);
        let outdated = OutdatedPair {
            pair: chains(&at),
            old: Some((old, places.iter().map(passage).collect())),
        };
        let edits = [(0, Edit::between(&text, &now))].into_iter().collect();
        let changes = Changes { edits: &edits, has_other_rarity: |_, _| false };
        ReusedChains::of(&outdated, &changes, false)
    }

    #[test]
    fn passages_of_what_was_left_out_are_gone() {
        let starts = |reused: &ReusedChains| -> Vec<usize> {
            reused.passages.iter().map(|p| p.sides[0].range.start).collect()
        };
        for (left_out, place) in [(0..60, 10), (300..700, 350), (300..700, 560), (700..1000, 850)] {
            let made = reused(&[place], left_out.clone(), 1000);
            assert_eq!((starts(&made), made.again.len()), (vec![], 0), "{left_out:?}");
        }
        let far = reused(&[10, 350, 900], 300..700, 1000);
        assert_eq!(
            (starts(&far), &*far.promising, &*far.again),
            (vec![10, 500], &[0, 1][..], &[][..])
        );
        let near = reused(&[10, 320, 900], 400..500, 1000);
        assert_eq!(
            (starts(&near), &*near.promising, &*near.again),
            (vec![10, 800], &[0, 2][..], &[1][..])
        );
    }

    /// Three chains of thirty characters, all promising, the first two candidates that go on for
    /// three characters; nothing was edited, and one place became rarer.
    fn reweighed(place: u32, settled: bool) -> ReusedChains {
        let starts = [10, 350, 900];
        let chains = || starts.map(|at| vec![[at, at, 30]]).to_vec();
        let mut old = PairChains::of_chains([0, 1], chains());
        let candidates = [0, 1].map(|number| Candidate { number, beyond: [3, 3] });
        old.set_weighed(vec![0, 1, 2], candidates.to_vec());
        let passage = |at: u32| ParallelPassage {
            sides: [0, 1].map(|part| StreamRange::of_part(part, at as usize - 3..at as usize + 33)),
            margin: 20.0,
            equal: 36,
            differences: Box::default(),
        };
        let passages = starts[..2].iter().map(|at| passage(*at)).collect();
        let pair = PairChains::of_chains([0, 1], chains());
        let outdated = OutdatedPair { pair, old: Some((old, passages)) };
        let has_other_rarity = |_: u32, range: Range<u32>| range.contains(&place);
        let edits = FxHashMap::default();
        ReusedChains::of(&outdated, &Changes { edits: &edits, has_other_rarity }, settled)
    }

    #[test]
    fn of_a_candidate_with_a_rarer_word_only_its_own_passage_is_weighed() {
        for place in [347, 360, 382] {
            let made = reweighed(place, false);
            assert_eq!((&*made.again, &*made.reweighed), (&[][..], &[1][..]), "{place}");
            assert_eq!((&*made.unsettled, made.candidates.len()), (&[(1, true)][..], 2));
            assert_eq!((made.promising.len(), made.passages.len()), (3, 2));
            assert!(made.is_unsettled(|_| false) && !made.is_unsettled(|_| true));
        }
        assert_eq!(reweighed(383, false), reweighed(600, false), "beyond its last character");
        // What is no candidate has no passage, but its blocks may not be promising any more.
        let other = reweighed(910, false);
        assert_eq!((&*other.reweighed, &*other.unsettled), (&[][..], &[(2, true)][..]));
        assert_eq!(reweighed(897, false), reweighed(600, false), "beside its blocks");
    }

    #[test]
    fn if_other_chains_may_be_covered_all_near_a_rarer_word_is_weighed() {
        let made = reweighed(360, true);
        assert_eq!((&*made.again, made.unsettled.len()), (&[1][..], 0));
        assert_eq!((made.promising.len(), made.candidates.len(), made.passages.len()), (2, 1, 1));
    }
}
