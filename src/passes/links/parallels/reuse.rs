//! What of a pair is as it was in the last build: a chain far from all that changed has the passages that it had.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::chains::PairChains;
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
    /// Did the rarity of a place within this range change? Characters from the beginning of this part.
    pub is_rarer: C,
}

/// What is known of a pair without weighing it.
#[derive(Debug, Default, PartialEq)]
pub struct ReusedChains {
    /// The chains that must be weighed, by their numbers.
    pub again: Vec<u32>,
    /// Of the others, the promising ones.
    pub promising: Vec<u32>,
    /// The passages of these.
    pub passages: Vec<ParallelPassage>,
}

/// Where a chain and its passages may be, on both sides.
type Bounds = [Range<u32>; 2];

fn overlap(x: &Bounds, y: &Bounds) -> bool {
    x.iter().zip(y).all(|(x, y)| x.start < y.end && y.start < x.end)
}

impl ReusedChains {
    /// Those of a pair.
    pub fn of<C: Fn(u32, Range<u32>) -> bool>(
        outdated: &OutdatedPair,
        changes: &Changes<'_, C>,
    ) -> Self {
        let new = &outdated.pair;
        let Some((old, passages)) = &outdated.old else {
            return ReusedChains { again: (0..new.len()).collect(), ..ReusedChains::default() };
        };
        let versions = PairVersions::of(old, new, changes.edits);
        let (mut again, mut promising, mut changed) = (vec![], vec![], vec![]);
        for number in 0..new.len() {
            match versions.was(number, changes) {
                Some(true) => promising.push((number, new.bounds(number))),
                Some(false) => {}
                None => {
                    again.push(number);
                    changed.push(new.bounds(number));
                }
            }
        }
        changed.extend(versions.gone(changes));
        // Of chains that cover each other only the longest counts; so what is near a changed chain is weighed with it.
        let mut seen = 0;
        while let Some(bounds) = changed.get(seen).cloned() {
            seen += 1;
            promising.retain(|(number, of)| {
                let is_near = overlap(of, &bounds);
                if is_near {
                    again.push(*number);
                    changed.push(of.clone());
                }
                !is_near
            });
        }
        again.sort_unstable();
        let moved = passages.iter().map(|p| versions.moved_passage(p));
        let is_kept = |p: &ParallelPassage| {
            let of = p.sides.each_ref().map(|s| s.range.start as u32..s.range.end as u32);
            !changed.iter().any(|bounds| overlap(bounds, &of))
        };
        let promising = promising.into_iter().map(|(number, _)| number).collect();
        ReusedChains { again, promising, passages: moved.filter(is_kept).collect() }
    }
}

/// A pair as it was and as it is.
struct PairVersions<'a> {
    old: &'a PairChains,
    new: &'a PairChains,
    edits: [Option<&'a Edit>; 2],
    /// The chains of the old one that no edit is near, by the places where they begin now.
    kept: FxHashMap<[u32; 2], u32>,
    /// For each chain of the old one whether it was promising.
    promising: Vec<bool>,
}

impl<'a> PairVersions<'a> {
    fn of(old: &'a PairChains, new: &'a PairChains, edits: &'a FxHashMap<u32, Edit>) -> Self {
        let edits = old.parts.map(|part| edits.get(&part));
        let mut promising = vec![false; old.len() as usize];
        old.promising().iter().for_each(|number| promising[*number as usize] = true);
        let mut versions = PairVersions { old, new, edits, kept: FxHashMap::default(), promising };
        for number in 0..old.len() {
            let is_near = |(edit, of): (&Option<&Edit>, Range<u32>)| {
                edit.is_some_and(|edit| edit.touches(&of))
            };
            if let Some(first) = old.chain(number).first()
                && !edits.iter().zip(old.bounds(number)).any(is_near)
            {
                let [a, b, _] = versions.moved_run(first);
                versions.kept.insert([a, b], number);
            }
        }
        versions
    }

    /// The number in the old pair of a chain of the new one, if all that its passages depend on is as it was; and so
    /// the rarity of its words.
    fn same(
        &self,
        number: u32,
        changes: &Changes<'_, impl Fn(u32, Range<u32>) -> bool>,
    ) -> Option<u32> {
        let chain = self.new.chain(number);
        let [a, b, _] = chain.first()?;
        let old = *self.kept.get(&[*a, *b])?;
        if !self.old.chain(old).iter().map(|run| self.moved_run(run)).eq(chain.iter().copied()) {
            return None;
        }
        let part = self.new.parts[0];
        let is_rarer = if self.promising[old as usize] {
            let [a, _] = self.new.bounds(number);
            (changes.is_rarer)(part, a)
        } else {
            chain.iter().any(|[a, _, len]| (changes.is_rarer)(part, *a..a + len))
        };
        (!is_rarer).then_some(old)
    }

    /// Whether a chain of the new pair was promising, if it is as it was.
    fn was(
        &self,
        number: u32,
        changes: &Changes<'_, impl Fn(u32, Range<u32>) -> bool>,
    ) -> Option<bool> {
        self.same(number, changes).map(|old| self.promising[old as usize])
    }

    /// Where the promising chains of the old pair were that are no longer there as they were.
    fn gone(&self, changes: &Changes<'_, impl Fn(u32, Range<u32>) -> bool>) -> Vec<Bounds> {
        let mut gone = self.promising.clone();
        (0..self.new.len())
            .filter_map(|number| self.same(number, changes))
            .for_each(|old| gone[old as usize] = false);
        let gone = (0..self.old.len()).filter(|number| gone[*number as usize]);
        gone.map(|number| self.moved(self.old.bounds(number))).collect()
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
        let mut passage = passage.clone();
        let of = passage.sides.each_ref().map(|s| s.range.start as u32..s.range.end as u32);
        for (side, of) in passage.sides.iter_mut().zip(self.moved(of)) {
            side.range = of.start as usize..of.end as usize;
        }
        passage
    }
}
