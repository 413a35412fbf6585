//! Aligns two witnesses: cells that cover both from end to end, and the blocks that are in another
//! place.

use std::ops::Range;

use super::DifferenceClass;
use crate::text::collate::{Base, Chain, CollatedRun, side_by_side};

/// Text that only one of two witnesses has, at least so long, is a lacuna of the other. Sentences
/// are numbered with the same limit (`passes::structure::loci`).
pub const MIN_LACUNA_CHARS: usize = 40;
/// Fewest equal characters of a transposed block; shorter ones may be formulas that recur.
const MIN_MOVED_CHARS: usize = 12;
/// Fewer equal characters than that at an end of a witness are a stray formula if they are so many
/// characters away from the rest, and so many times their own number.
const MIN_STRAY_GAP_CHARS: usize = 20;
const STRAY_GAP_FACTOR: usize = 3;
/// Most characters between two runs of one transposed block.
const MAX_MOVED_GAP_CHARS: usize = 12;

/// A stretch of the base and the stretch of the other witness that corresponds to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignedCell {
    /// Characters of the base.
    pub base: Range<usize>,
    /// Characters of the other witness.
    pub own: Range<usize>,
    /// How they differ; `None` for one equal character on each side.
    pub class: Option<DifferenceClass>,
}

/// A block that the other witness has in another place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedBlock {
    /// Characters of the base.
    pub base: Range<usize>,
    /// Characters of the other witness.
    pub own: Range<usize>,
    /// The runs of equal characters in it.
    pub runs: Vec<CollatedRun>,
}

/// Two witnesses side by side.
pub struct PairAlignment {
    /// In the order of both; they cover both.
    pub cells: Vec<AlignedCell>,
    /// The blocks that are in another place.
    pub moved: Vec<MovedBlock>,
}

impl PairAlignment {
    /// Aligns the folded characters of a witness with those of the base.
    pub fn of(base: &Base<'_>, own: &[char]) -> Self {
        let chains = base.against(own);
        let (path, left) = split(&chains, own.len());
        let mut moved: Vec<MovedBlock> = left.iter().flat_map(|runs| blocks(runs)).collect();
        moved.sort_by_key(|m| m.base.start);
        let mut runs = filled(&path, &moved, base.chars(), own);
        without_strays(&mut runs);
        runs.reverse();
        without_strays(&mut runs);
        runs.reverse();
        PairAlignment { cells: cells(&runs, &moved, base.chars().len(), own.len()), moved }
    }

    /// Characters of the base that have an equal one in the same place.
    pub fn matched(&self) -> usize {
        self.cells.iter().filter(|c| c.class.is_none()).count()
    }
}

/// The heaviest runs that are in the same order in both witnesses, and for each chain those that
/// are left.
fn split(chains: &[Chain], own: usize) -> (Vec<CollatedRun>, Vec<Vec<CollatedRun>>) {
    let of_chain =
        |(n, c): (usize, &Chain)| c.runs.iter().map(move |r| (*r, n)).collect::<Vec<_>>();
    let mut runs: Vec<(CollatedRun, usize)> =
        chains.iter().enumerate().flat_map(of_chain).collect();
    runs.sort_unstable_by_key(|(r, _)| (r.a, r.b));
    let mut best = PrefixBest::new(own + 1);
    let mut before: Vec<Option<usize>> = Vec::with_capacity(runs.len());
    for (n, (run, _)) in runs.iter().enumerate() {
        let (score, last) = best.up_to(run.b);
        before.push(last);
        best.put(run.b_end(), (score + run.len, Some(n)));
    }
    let mut on_path = vec![false; runs.len()];
    let mut at = best.up_to(own).1;
    while let Some(n) = at {
        on_path[n] = true;
        at = before[n];
    }
    let mut left = vec![Vec::new(); chains.len()];
    let mut path = Vec::new();
    for ((run, chain), on_path) in runs.into_iter().zip(on_path) {
        if on_path { path.push(run) } else { left[chain].push(run) }
    }
    (path, left)
}

/// The best score and the run it ends with, for all places up to one (a Fenwick tree).
struct PrefixBest(Vec<(usize, Option<usize>)>);

impl PrefixBest {
    fn new(places: usize) -> Self {
        PrefixBest(vec![(0, None); places + 1])
    }

    fn up_to(&self, place: usize) -> (usize, Option<usize>) {
        let (mut n, mut best) = (place + 1, (0, None));
        while n > 0 {
            if self.0[n].0 > best.0 {
                best = self.0[n];
            }
            n &= n - 1;
        }
        best
    }

    fn put(&mut self, place: usize, score: (usize, Option<usize>)) {
        let mut n = place + 1;
        while n < self.0.len() {
            if score.0 > self.0[n].0 {
                self.0[n] = score;
            }
            n += n & n.wrapping_neg();
        }
    }
}

/// The runs of a chain as blocks, without those that are too short.
fn blocks(runs: &[CollatedRun]) -> Vec<MovedBlock> {
    let mut blocks: Vec<MovedBlock> = Vec::new();
    for run in runs {
        match blocks.last_mut() {
            Some(b)
                if run.a - b.base.end <= MAX_MOVED_GAP_CHARS
                    && run.b >= b.own.end
                    && run.b - b.own.end <= MAX_MOVED_GAP_CHARS =>
            {
                (b.base.end, b.own.end) = (run.a_end(), run.b_end());
                b.runs.push(*run);
            }
            _ => blocks.push(MovedBlock {
                base: run.a..run.a_end(),
                own: run.b..run.b_end(),
                runs: vec![*run],
            }),
        }
    }
    let matched = |b: &MovedBlock| b.runs.iter().map(|r| r.len).sum::<usize>();
    blocks.retain(|b| matched(b) >= MIN_MOVED_CHARS);
    blocks
}

/// The path with what is equal between its runs, where no transposed block is.
fn filled(
    path: &[CollatedRun],
    moved: &[MovedBlock],
    base: &[char],
    own: &[char],
) -> Vec<CollatedRun> {
    let mut of_own: Vec<&Range<usize>> = moved.iter().map(|m| &m.own).collect();
    of_own.sort_by_key(|r| r.start);
    let free = |a: &Range<usize>, b: &Range<usize>| {
        let n = moved.partition_point(|m| m.base.end <= a.start);
        let k = of_own.partition_point(|r| r.end <= b.start);
        moved.get(n).is_none_or(|m| m.base.start >= a.end)
            && of_own.get(k).is_none_or(|r| r.start >= b.end)
    };
    let mut runs = Vec::with_capacity(path.len());
    let mut from = (0, 0);
    let end = CollatedRun { a: base.len(), b: own.len(), len: 0 };
    for run in path.iter().chain([&end]) {
        let (a, b) = (from.0..run.a, from.1..run.b);
        if !a.is_empty() && !b.is_empty() && free(&a, &b) {
            let between = side_by_side(&base[a.clone()], &own[b.clone()]);
            let there = |r: CollatedRun| CollatedRun { a: r.a + a.start, b: r.b + b.start, ..r };
            runs.extend(between.into_iter().map(there));
        }
        runs.extend((run.len > 0).then_some(*run));
        from = (run.a_end(), run.b_end());
    }
    runs
}

/// Removes the last runs if they are a formula far from the rest: where one witness ends, its last
/// words find their like anywhere in the other.
fn without_strays(runs: &mut Vec<CollatedRun>) {
    let far = |n: usize, runs: &[CollatedRun], matched: usize| {
        let (last, next) = (runs[n - 1], runs[n]);
        let gap = |(a, b): (usize, usize), (c, d): (usize, usize)| {
            c.saturating_sub(b).max(a.saturating_sub(d))
        };
        let over_base = gap((last.a, last.a_end()), (next.a, next.a_end()));
        let over_own = gap((last.b, last.b_end()), (next.b, next.b_end()));
        over_base.max(over_own) >= MIN_STRAY_GAP_CHARS.max(STRAY_GAP_FACTOR * matched)
    };
    let (mut matched, mut n) = (0, runs.len());
    while n > 1 && matched < MIN_MOVED_CHARS {
        n -= 1;
        matched += runs[n].len;
        if matched < MIN_MOVED_CHARS && far(n, runs, matched) {
            runs.truncate(n);
            matched = 0;
        }
    }
}

/// Cells that cover both witnesses.
fn cells(runs: &[CollatedRun], moved: &[MovedBlock], base: usize, own: usize) -> Vec<AlignedCell> {
    let mut of_own: Vec<Range<usize>> = moved.iter().map(|m| m.own.clone()).collect();
    of_own.sort_by_key(|r| r.start);
    let of_base: Vec<Range<usize>> = moved.iter().map(|m| m.base.clone()).collect();
    let mut cells = Vec::new();
    let mut from = (0, 0);
    let end = CollatedRun { a: base, b: own, len: 0 };
    for run in runs.iter().chain([&end]) {
        let left = pieces(from.0..run.a, &of_base);
        let right = pieces(from.1..run.b, &of_own);
        gap(&left, &right, run.len == 0, &mut cells);
        cells.extend((0..run.len).map(|k| AlignedCell {
            base: run.a + k..run.a + k + 1,
            own: run.b + k..run.b + k + 1,
            class: None,
        }));
        from = (run.a_end(), run.b_end());
    }
    cells
}

/// A range cut at the blocks in it, in order; true for a block.
fn pieces(range: Range<usize>, blocks: &[Range<usize>]) -> Vec<(Range<usize>, bool)> {
    let first = blocks.partition_point(|b| b.end <= range.start);
    let (mut out, mut from) = (Vec::new(), range.start);
    for block in blocks[first..].iter().take_while(|b| b.start < range.end) {
        // Blocks do not overlap unless runs of one are inside a gap of another.
        let (start, end) = (block.start.max(from), block.end.min(range.end));
        if start >= end {
            continue;
        }
        out.push((from..start, false));
        out.push((start..end, true));
        from = end;
    }
    out.push((from..range.end, false));
    out.retain(|(r, _)| !r.is_empty());
    out
}

/// The cells of a gap: what is in the same place on both sides, then what only one of them has. In
/// the last gap the end of the other witness comes before what it lacks, where it was written.
fn gap(
    left: &[(Range<usize>, bool)],
    right: &[(Range<usize>, bool)],
    is_last: bool,
    cells: &mut Vec<AlignedCell>,
) {
    if let ([(base, false)], [(own, false)]) = (left, right)
        && base.len().abs_diff(own.len()) < MIN_LACUNA_CHARS
    {
        let class = Some(DifferenceClass::Substantive);
        cells.push(AlignedCell { base: base.clone(), own: own.clone(), class });
        return;
    }
    let class = |range: &Range<usize>, moved: bool, short: DifferenceClass| match moved {
        true => Some(DifferenceClass::Transposition),
        false if range.len() >= MIN_LACUNA_CHARS => Some(DifferenceClass::Lacuna),
        false => Some(short),
    };
    let only_base = |cells: &mut Vec<AlignedCell>| {
        let at = cells.last().map_or(0, |c| c.own.end);
        cells.extend(left.iter().map(|(base, moved)| AlignedCell {
            base: base.clone(),
            own: at..at,
            class: class(base, *moved, DifferenceClass::Omission),
        }));
    };
    let only_own = |cells: &mut Vec<AlignedCell>| {
        let at = cells.last().map_or(0, |c| c.base.end);
        cells.extend(right.iter().map(|(own, moved)| AlignedCell {
            base: at..at,
            own: own.clone(),
            class: class(own, *moved, DifferenceClass::Addition),
        }));
    };
    match is_last && !cells.is_empty() {
        true => {
            only_own(cells);
            only_base(cells);
        }
        false => {
            only_base(cells);
            only_own(cells);
        }
    }
}
