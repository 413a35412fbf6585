//! Where the dynamic programme searches: for each boundary between units of the classic, a range of
//! boundaries between units of the translation.
//!
//! Small pairs are searched in full. For large ones, rare words that both sides share are chained
//! in order (the heaviest increasing chain, by a Fenwick tree, O(n log n)), and the band follows
//! the chain, so memory and time grow with the length of the texts and not with its square. If a
//! long text has no rare words because it repeats itself, words that are rare within a window are
//! used, and the window moves along the anchors it finds.

use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::ops::Range;

use rustc_hash::FxBuildHasher;

use super::step::{MAX_BEAD_UNITS, PathStep};
use super::units::TextUnit;

/// Pairs up to this many points are searched in full.
const MAX_WHOLE_POINTS: usize = 1 << 15;
/// Half the width of the band along the chain, in units: as far as anchors are apart, within these
/// limits.
const CHAIN_HALF_WIDTHS: (usize, usize) = (8, 24);
/// Other anchors that support one are at most this far away, in units.
const SUPPORT_UNITS: usize = 24;
/// Half the width of the band around an earlier path, in units, where the path is doubtful and
/// where it is sure.
const DOUBTFUL_HALF_WIDTH: usize = 16;
const SURE_HALF_WIDTH: usize = 6;
/// A step is sure from this posterior on, if its neighbours on both sides are too.
const SURE_POSTERIOR: f64 = 0.98;
const SURE_NEIGHBOURS: usize = 4;
/// A word with more places than this on one side is not an anchor.
const MAX_RARE_PLACES: usize = 6;
/// Largest gap between anchors that is searched in full.
const MAX_HOLE_POINTS: usize = 1 << 16;
/// Units of either side in a window between anchors that are far apart.
const WINDOW_UNITS: usize = 384;

/// The band.
#[derive(Clone, Debug)]
pub struct Band {
    low: Vec<u32>,
    high: Vec<u32>,
    start: Vec<usize>,
    columns: usize,
}

impl Band {
    /// The band of all points.
    pub fn whole(rows: usize, columns: usize) -> Self {
        Self::from_rows(vec![(0, columns); rows + 1], columns)
    }

    /// The band for a pair of texts: all points, or along the chain of shared rare words.
    pub fn plan(source: &[TextUnit], translation: &[TextUnit]) -> Self {
        let (rows, columns) = (source.len(), translation.len());
        if (rows + 1) * (columns + 1) <= MAX_WHOLE_POINTS {
            return Self::whole(rows, columns);
        }
        let mut ranges = vec![(usize::MAX, 0); rows + 1];
        let mut from = (0, 0);
        for to in chain(&points(source, translation, (0, 0)), columns)
            .into_iter()
            .chain([(rows, columns)])
        {
            for near in walk(source, translation, from, to).into_iter().chain([to]) {
                hole(&mut ranges, from, near, columns);
                from = near;
            }
        }
        Self::from_rows(ranges, columns)
    }

    /// The band around a path.
    pub fn around(steps: &[PathStep], rows: usize, columns: usize) -> Self {
        let mut ranges = vec![(usize::MAX, 0); rows + 1];
        let mut cover = |i: usize, j: usize, half: usize| {
            for r in &mut ranges[i.saturating_sub(half)..=(i + half).min(rows)] {
                *r = (r.0.min(j.saturating_sub(half)), r.1.max((j + half).min(columns)));
            }
        };
        cover(0, 0, DOUBTFUL_HALF_WIDTH);
        let mut doubtful = steps.iter().map(|s| s.posterior < SURE_POSTERIOR);
        // How many steps ago, and how many steps ahead, the nearest doubtful one is.
        let mut ahead: VecDeque<bool> = doubtful.by_ref().take(SURE_NEIGHBOURS).collect();
        let mut since = 0;
        for s in steps {
            ahead.extend(doubtful.next());
            since = if ahead.pop_front() == Some(true) { 0 } else { since + 1 };
            let sure = since > SURE_NEIGHBOURS && !ahead.contains(&true);
            let half = if sure { SURE_HALF_WIDTH } else { DOUBTFUL_HALF_WIDTH };
            cover(s.source.end, s.translation.end, half);
        }
        cover(rows, columns, DOUBTFUL_HALF_WIDTH);
        Self::from_rows(ranges, columns)
    }

    /// The band with further points in it.
    pub fn through(self, points: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut ranges: Vec<(usize, usize)> =
            self.low.iter().zip(&self.high).map(|(l, h)| (*l as usize, *h as usize)).collect();
        for (i, j) in points {
            ranges[i] = (ranges[i].0.min(j), ranges[i].1.max(j));
        }
        Self::from_rows(ranges, self.columns)
    }

    /// Makes both ends of the ranges increase, and numbers the points.
    fn from_rows(mut ranges: Vec<(usize, usize)>, columns: usize) -> Self {
        let last = ranges.len() - 1;
        ranges[0].0 = 0;
        ranges[last].1 = columns;
        for i in 1..=last {
            ranges[i].1 = ranges[i].1.max(ranges[i - 1].1);
        }
        for i in (0..last).rev() {
            ranges[i].0 = ranges[i].0.min(ranges[i + 1].0);
        }
        let mut start = Vec::with_capacity(ranges.len() + 1);
        let mut size = 0;
        for (low, high) in &ranges {
            start.push(size);
            size += high + 1 - low;
        }
        start.push(size);
        let (low, high) = ranges.into_iter().map(|(l, h)| (l as u32, h as u32)).unzip();
        Band { low, high, start, columns }
    }

    /// The last row of a window that starts at row `from` and has at most so many points, or at
    /// least so many rows.
    pub fn rows_of(&self, from: usize, points: usize, rows: usize) -> usize {
        let last = self.low.len() - 1;
        let full = self.start.partition_point(|start| *start <= self.start[from] + points);
        full.saturating_sub(2).max(from + rows).min(last)
    }

    /// The part between two points, the second of which is at the end of its row.
    pub fn window(&self, from: (usize, usize), to: (usize, usize)) -> Band {
        let part = |i: usize| {
            let row = self.row(i);
            (row.start.max(from.1) - from.1, row.end - 1 - from.1)
        };
        Self::from_rows((from.0..=to.0).map(part).collect(), to.1 - from.1)
    }

    /// Number of points in the band.
    pub fn size(&self) -> usize {
        self.start[self.start.len() - 1]
    }

    /// Columns of row `i` of points.
    pub fn row(&self, i: usize) -> Range<usize> {
        self.low[i] as usize..self.high[i] as usize + 1
    }

    /// Number of a point, if it is in the band.
    pub fn at(&self, i: usize, j: usize) -> Option<usize> {
        let low = self.low[i] as usize;
        (low <= j && j <= self.high[i] as usize).then(|| self.start[i] + j - low)
    }

    /// Row `i` of points; empty if there is no such row.
    pub fn row_points(&self, i: usize) -> RowPoints {
        match (self.low.get(i), self.high.get(i), self.start.get(i)) {
            (Some(low), Some(high), Some(start)) => {
                RowPoints { low: *low as usize, len: (high - low) as usize + 1, start: *start }
            }
            _ => RowPoints::default(),
        }
    }

    /// Units of the translation in beads that start at row `i`.
    pub fn columns_from(&self, i: usize) -> Range<usize> {
        let high = self.high[i] as usize + MAX_BEAD_UNITS;
        self.low[i] as usize..high.min(self.columns)
    }

    /// Units of the translation at which a bead starts that has unit `i` of the classic.
    pub fn columns_to(&self, i: usize) -> Range<usize> {
        let low = self.low[i.saturating_sub(MAX_BEAD_UNITS - 1)] as usize;
        low..(self.high[i] as usize + 1).min(self.columns)
    }
}

/// A row of points.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowPoints {
    low: usize,
    len: usize,
    start: usize,
}

impl RowPoints {
    /// Number of the point in column `j`, which may be negative (wrapped), if it is in the band.
    pub fn at(&self, j: usize) -> Option<usize> {
        let k = j.wrapping_sub(self.low);
        (k < self.len).then(|| self.start + k)
    }
}

/// Anchors between two that are far apart: words that are rare within a window, which moves along
/// them. A window without anchors is crossed in the direction of `to`.
fn walk(
    source: &[TextUnit],
    translation: &[TextUnit],
    from: (usize, usize),
    to: (usize, usize),
) -> Vec<(usize, usize)> {
    let mut links = Vec::new();
    let mut at = from;
    while (to.0 - at.0) * (to.1 - at.1) > MAX_HOLE_POINTS {
        let end = ((at.0 + WINDOW_UNITS).min(to.0), (at.1 + WINDOW_UNITS).min(to.1));
        let mut found = chain(&points(&source[at.0..end.0], &translation[at.1..end.1], at), end.1);
        // Anchors near the far corner are unreliable: the window does not see what follows.
        let reliable = (at.0 + (end.0 - at.0) * 3 / 4, at.1 + (end.1 - at.1) * 3 / 4);
        found.retain(|l| {
            l.0 > at.0 && l.1 > at.1 && (l.0 <= reliable.0 && l.1 <= reliable.1 || end == to)
        });
        let far = |l: &&(usize, usize)| l.0 - at.0 + l.1 - at.1 >= WINDOW_UNITS / 4;
        at = found.last().filter(far).copied().unwrap_or_else(|| across(at, to));
        found.retain(|l| l.0 <= at.0 && l.1 <= at.1);
        links.extend(found);
    }
    links
}

/// Half a window further towards `to`.
fn across(at: (usize, usize), to: (usize, usize)) -> (usize, usize) {
    let (rows, columns) = (to.0 - at.0, to.1 - at.1);
    let step = (WINDOW_UNITS as f64 / 2.0 / rows.max(columns) as f64).min(1.0);
    let part = |n: usize| ((n as f64 * step).round() as usize).clamp(1, n);
    (at.0 + part(rows), at.1 + part(columns))
}

/// Opens the band between two anchors.
fn hole(ranges: &mut [(usize, usize)], from: (usize, usize), to: (usize, usize), columns: usize) {
    let rows = ranges.len() - 1;
    let half = (to.0 - from.0).max(to.1 - from.1).clamp(CHAIN_HALF_WIDTHS.0, CHAIN_HALF_WIDTHS.1);
    let (first, last) = (from.0.saturating_sub(half), (to.0 + half).min(rows));
    let small = (last - first + 1) * (to.1 - from.1 + 1 + 2 * half) <= MAX_HOLE_POINTS;
    let (low, high) = (from.1.saturating_sub(half), (to.1 + half).min(columns));
    for (i, r) in ranges.iter_mut().enumerate().take(last + 1).skip(first) {
        // Too large to search in full: both sides stay unaligned there, first the classic's units,
        // then the translation's.
        let high = if small || i + half >= to.0 { high } else { (from.1 + half).min(columns) };
        *r = (r.0.min(low), r.1.max(high));
    }
}

/// Places where both sides have the same rare pair of characters, with weights. `first` gives the
/// numbers of the first units.
fn points(
    source: &[TextUnit],
    translation: &[TextUnit],
    first: (usize, usize),
) -> Vec<(u32, u32, f32)> {
    let (a, b) = (pairs(source), pairs(translation));
    let (here, mut there) = (runs(&a), runs(&b).peekable());
    let mut points: Vec<(u32, u32, f32)> = Vec::new();
    let rare = |run: &[WordPlace]| run.len() <= MAX_RARE_PLACES;
    for x in here {
        while there.next_if(|y| y[0].word < x[0].word).is_some() {}
        let Some(y) = there.next_if(|y| y[0].word == x[0].word) else { continue };
        if rare(x) && rare(y) {
            let weight = 1.0 / (x.len() * y.len()) as f32;
            let at = |i: &WordPlace, j: &WordPlace| {
                (i.unit + first.0 as u32, j.unit + first.1 as u32, weight)
            };
            points.extend(x.iter().flat_map(|i| y.iter().map(move |j| at(i, j))));
        }
    }
    points.sort_unstable_by(|p, q| (p.0, p.1).cmp(&(q.0, q.1)).then(p.2.total_cmp(&q.2)));
    points.dedup_by(|next, point| {
        let same = (next.0, next.1) == (point.0, point.1);
        point.2 += if same { next.2 } else { 0.0 };
        same
    });
    points
}

/// A hash of two adjacent characters, and a unit that has them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct WordPlace {
    word: u32,
    unit: u32,
}

/// The places of all pairs of adjacent characters, by pair.
fn pairs(units: &[TextUnit]) -> Vec<WordPlace> {
    let hash = |pair: &[char]| (FxBuildHasher.hash_one((pair[0], pair[1])) >> 32) as u32;
    let of = |(i, unit): (usize, &'_ TextUnit)| {
        let words: Vec<u32> = unit.chars.windows(2).map(hash).collect();
        words.into_iter().map(move |word| WordPlace { word, unit: i as u32 })
    };
    let mut places = Vec::with_capacity(units.iter().map(|u| u.chars.len()).sum());
    places.extend(units.iter().enumerate().flat_map(of));
    places.sort_unstable();
    places.dedup();
    places
}

/// The places of each pair.
fn runs(places: &[WordPlace]) -> impl Iterator<Item = &[WordPlace]> {
    places.chunk_by(|a, b| a.word == b.word)
}

/// The heaviest chain of points increasing on both sides; isolated points are dropped.
fn chain(points: &[(u32, u32, f32)], columns: usize) -> Vec<(usize, usize)> {
    let mut tree: Vec<(f32, usize)> = vec![(0.0, usize::MAX); columns + 2];
    let mut before = vec![usize::MAX; points.len()];
    let mut weight = vec![0f32; points.len()];
    let mut k = 0;
    while k < points.len() {
        let row = points[k].0;
        let end = k + points[k..].iter().take_while(|p| p.0 == row).count();
        for p in k..end {
            let (best, from) = highest(&tree, points[p].1 as usize);
            (weight[p], before[p]) = (best + points[p].2, from);
        }
        for p in k..end {
            raise(&mut tree, points[p].1 as usize + 1, (weight[p], p));
        }
        k = end;
    }
    let mut links = Vec::new();
    let mut at = highest(&tree, columns + 1).1;
    while at != usize::MAX {
        links.push((points[at].0 as usize, points[at].1 as usize));
        at = before[at];
    }
    links.reverse();
    supported(&links)
}

/// Best value of the first `n` columns.
fn highest(tree: &[(f32, usize)], mut n: usize) -> (f32, usize) {
    let mut best = (0.0, usize::MAX);
    while n > 0 {
        if tree[n].0 > best.0 {
            best = tree[n];
        }
        n &= n - 1;
    }
    best
}

fn raise(tree: &mut [(f32, usize)], mut at: usize, value: (f32, usize)) {
    while at < tree.len() {
        if value.0 > tree[at].0 {
            tree[at] = value;
        }
        at += at & at.wrapping_neg();
    }
}

/// Links that have at least two others nearby.
fn supported(links: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let near = |a: (usize, usize), b: (usize, usize)| {
        a.0.abs_diff(b.0) <= SUPPORT_UNITS && a.1.abs_diff(b.1) <= SUPPORT_UNITS
    };
    (0..links.len())
        .filter(|&k| {
            let around = k.saturating_sub(3)..(k + 4).min(links.len());
            around.filter(|&o| o != k && near(links[k], links[o])).count() >= 2
        })
        .map(|k| links[k])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit of three characters that only units of this number have.
    fn unit(number: usize) -> TextUnit {
        let c = |n: usize| char::from_u32(0x4E00 + n as u32).expect("a character");
        let chars: Vec<char> = (0..3).map(|n| c(number * 3 + n)).collect();
        TextUnit::of_chars(chars)
    }

    #[test]
    fn a_text_that_repeats_itself_is_followed_by_words_that_are_rare_within_a_window() {
        // Every word has ten places on each side, and one or two in a window. The translation has a
        // unit more after each 50.
        let number = |k: usize| k % 300;
        let source: Vec<TextUnit> = (0..3_000).map(|k| unit(number(k))).collect();
        let (mut translation, mut path) = (vec![], vec![]);
        for k in 0..source.len() {
            path.push((k, translation.len()));
            translation.push(unit(number(k)));
            if k % 50 == 49 {
                translation.push(unit(1_000 + k / 50));
            }
        }
        let words = points(&source, &translation, (0, 0));
        assert!(words.is_empty(), "{}", words.len());
        let band = Band::plan(&source, &translation);
        let missed: Vec<_> = path.iter().filter(|(i, j)| band.at(*i, *j).is_none()).collect();
        assert!(
            missed.is_empty(),
            "{} of {}: {:?}",
            missed.len(),
            path.len(),
            &missed[..4.min(missed.len())]
        );
        let width = band.size() / source.len();
        assert!(width <= 2 * CHAIN_HALF_WIDTHS.1, "{width} points a row");
    }

    #[test]
    fn a_stretch_without_common_words_is_crossed_in_the_direction_of_its_end() {
        let (from, to) = ((100, 200), (1_100, 2_200));
        let mut at = from;
        for _ in 0..4 {
            let next = across(at, to);
            assert!(next.0 > at.0 && next.1 > at.1, "{at:?} {next:?}");
            at = next;
        }
        // Four steps of half a window along the longer side.
        assert_eq!(at.1, 200 + 4 * WINDOW_UNITS / 2);
        let slope = (at.0 - from.0) as f64 / (at.1 - from.1) as f64;
        assert!((slope - 0.5).abs() < 0.01, "{slope}");
        assert_eq!(across((9, 9), (10, 10)), (10, 10));
    }

    #[test]
    fn a_window_has_as_many_rows_as_fit_and_at_least_those_asked_for() {
        let band = Band::whole(9, 9);
        assert_eq!(band.rows_of(0, 35, 1), 2);
        assert_eq!(band.rows_of(2, 35, 1), 4);
        assert_eq!(band.rows_of(0, 5, 3), 3);
        assert_eq!(band.rows_of(8, 1_000, 1), 9);
    }

    #[test]
    fn a_window_of_a_band_has_the_points_of_the_band() {
        let ranges = vec![(0, 3), (0, 5), (2, 6), (3, 9), (5, 9), (7, 12), (8, 12)];
        let band = Band::from_rows(ranges, 12);
        for (from, last) in [((0, 0), 3), ((1, 1), 4), ((2, 4), 5), ((3, 3), 6)] {
            let right = band.row(last).end - 1;
            let window = band.window(from, (last, right));
            for i in from.0..=last {
                for j in from.1..=right {
                    // A path begins in the first column, and may end in any of the last row.
                    let is_corner = (i, j) == from;
                    assert_eq!(
                        window.at(i - from.0, j - from.1).is_some(),
                        band.at(i, j).is_some() || is_corner,
                        "{from:?}..{last}: {i} {j}"
                    );
                }
            }
        }
    }
}
