//! How well a classic and its translation are aligned, measured against beads made by hand.
//!
//! The gold cuts both sides into **units** (sentences or clauses) and says which correspond. The
//! program may cut differently: a unit belongs to a bead that has at least half of its characters,
//! or that has at least half of its own characters in the unit. Beads that cut one unit finer are
//! joined first, so that a correct finer cut costs nothing. Only content characters count.
//!
//! **Strict**: a bead with the same units on both sides. **Links**: pairs of units. A bead that is
//! outside the gold on one side counts as wrong; one outside it on both sides is not scored, so the
//! gold may be partial.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{AddAssign, Range};

use super::{Calibration, GoldError, Tally};
use crate::model::{Alignment, Document};
use crate::source::{Source, Span};
use crate::text::class::is_content;
use crate::text::{Key, collate};

/// Code points, end exclusive.
type Points = Range<usize>;

/// A bead to be scored.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundBead {
    /// Of the classic, in code points.
    pub source: Vec<Points>,
    /// Of the translation.
    pub translation: Vec<Points>,
    /// Its certainty.
    pub certainty: f64,
}

/// The beads of an alignment with content on both sides.
pub fn found(alignment: &Alignment, classic: &Source, translation: &Source) -> Vec<FoundBead> {
    let points = |source: &Source, spans: &[Span]| {
        spans.iter().map(|s| source.char_of(s.start())..source.char_of(s.end())).collect()
    };
    let of = |b: &crate::model::Bead| FoundBead {
        source: points(classic, &b.source),
        translation: points(translation, &b.translation),
        certainty: b.certainty.get(),
    };
    let both = alignment.beads.iter().filter(|b| !b.source.is_empty() && !b.translation.is_empty());
    both.map(of).collect()
}

/// The same beads with the classic in another copy: each character is mapped to its place in
/// `other`; text that `other` lacks is left out.
pub fn carried_over(beads: Vec<FoundBead>, classic: &Document, other: &Source) -> Vec<FoundBead> {
    let all = |source: &Source| Key::of(source.text(), Span::new(0, source.text().len()));
    let base = classic
        .segments
        .iter()
        .filter(|s| s.layer.kind() == crate::model::LayerKind::Base)
        .map(|s| s.span);
    let (here, there) = (Key::of_spans(classic.source.text(), base), all(other));
    let mut at = BTreeMap::new();
    for run in collate::Base::new(&here.chars).against(&there.chars).iter().flat_map(|c| &c.runs) {
        for n in 0..run.len {
            let to = other.char_of(there.at[run.b + n] as usize);
            at.insert(classic.source.char_of(here.at[run.a + n] as usize), to..to + 1);
        }
    }
    let carry = |ranges: &[Points]| {
        ranges.iter().flat_map(|r| at.range(r.clone()).map(|(_, to)| to.clone())).collect()
    };
    beads.into_iter().map(|b| FoundBead { source: carry(&b.source), ..b }).collect()
}

/// One side of the gold.
#[derive(Clone, Debug, Default)]
struct GoldSide {
    /// The unit of each content character.
    of: Vec<Option<usize>>,
    /// Characters of each unit.
    sizes: Vec<usize>,
    /// The whole that each unit is part of: beads in parts of the same whole are joined.
    parts: Vec<usize>,
    /// Whether a code point is content.
    words: Vec<bool>,
}

/// Beads made by hand.
#[derive(Clone, Debug)]
pub struct GoldBeads {
    sides: [GoldSide; 2],
    /// Units of both sides; a side may be empty.
    beads: Vec<[BTreeSet<usize>; 2]>,
    /// The group of each bead.
    groups: Vec<usize>,
}

impl GoldBeads {
    /// Reads beads as figures: one bead a line, the classic, a tab, the translation. A side is a
    /// list of units separated by blanks, or `-`; a unit is `line:first-last` in columns (code
    /// points from 1, the last included), several joined by `+` if it continues in another place,
    /// or only a line's number for the whole line. Empty lines separate groups of beads; `#` opens
    /// a comment.
    ///
    /// ```
    /// use zhushu::score::GoldBeads;
    /// use zhushu::source::Source;
    /// let (a, b) = (Source::from_text("a", "興,共而俟。"), Source::from_text("b", "起立,拱手等候。"));
    /// let gold = GoldBeads::read("1:1-1\t1:1-2\n1:3-5\t1:4-7\n", &a, &b)?;
    /// assert_eq!((gold.len(), gold.grouped().len()), (2, 1));
    /// # Ok::<(), zhushu::score::GoldError>(())
    /// ```
    ///
    /// # Errors
    /// The line that is not a bead, names a place that does not exist, or overlaps another unit.
    pub fn read(figures: &str, classic: &Source, translation: &Source) -> Result<Self, GoldError> {
        let lines = [LineStarts::of(classic), LineStarts::of(translation)];
        let mut gold = GoldBeads {
            sides: [GoldSide::of(classic), GoldSide::of(translation)],
            beads: Vec::new(),
            groups: Vec::new(),
        };
        let mut group = 0;
        for (n, line) in figures.lines().enumerate().filter(|(_, l)| !l.starts_with('#')) {
            if line.trim().is_empty() {
                group += 1;
                continue;
            }
            let wrong = |what| GoldError::NotABead { line: n + 1, what, text: line.to_string() };
            let (a, b) = line.split_once('\t').ok_or_else(|| wrong("no tab"))?;
            let mut bead = [BTreeSet::new(), BTreeSet::new()];
            for (side, units) in [a, b].into_iter().enumerate() {
                for unit in units.split_whitespace().filter(|u| *u != "-") {
                    let points =
                        unit.split('+').map(|p| lines[side].points(p)).collect::<Option<Vec<_>>>();
                    let points = points.ok_or_else(|| wrong("not a place of the text"))?;
                    bead[side].insert(
                        gold.sides[side]
                            .add(&points)
                            .ok_or_else(|| wrong("a place taken twice, or without words"))?,
                    );
                }
            }
            gold.beads.push(bead);
            gold.groups.push(group);
        }
        Ok(gold)
    }

    /// Number of beads with content on both sides.
    pub fn len(&self) -> usize {
        self.scored().count()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Each group as one bead: sentences, if the lines are their clauses.
    pub fn grouped(&self) -> GoldBeads {
        let mut beads: Vec<[BTreeSet<usize>; 2]> = Vec::new();
        let mut last = None;
        for (bead, group) in self.beads.iter().zip(&self.groups) {
            match beads.last_mut().filter(|_| last == Some(group)) {
                Some(whole) => whole.iter_mut().zip(bead).for_each(|(w, b)| w.extend(b)),
                None => beads.push(bead.clone()),
            }
            last = Some(group);
        }
        let mut sides = self.sides.clone();
        for (n, bead) in beads.iter().enumerate() {
            for (side, units) in sides.iter_mut().zip(bead) {
                units.iter().for_each(|unit| side.parts[*unit] = n);
            }
        }
        GoldBeads { sides, groups: (0..beads.len()).collect(), beads }
    }

    fn scored(&self) -> impl Iterator<Item = &[BTreeSet<usize>; 2]> {
        self.beads.iter().filter(|b| b.iter().all(|side| !side.is_empty()))
    }

    /// Scores beads.
    pub fn score(&self, beads: &[FoundBead]) -> BeadScore {
        let held: Vec<[HeldUnits; 2]> = beads
            .iter()
            .map(|b| [self.sides[0].held(&b.source), self.sides[1].held(&b.translation)])
            .collect();
        let judged: Vec<usize> =
            (0..beads.len()).filter(|&k| held[k].iter().any(|h| !h.touched.is_empty())).collect();
        let truth: BTreeSet<&[BTreeSet<usize>; 2]> = self.scored().collect();
        let mut score = BeadScore::default();
        let mut links = BTreeSet::new();
        for joined in self.joined(&held, &judged) {
            let units =
                [0, 1].map(|side| self.sides[side].most(joined.iter().map(|&k| &held[k][side])));
            let right = truth.contains(&units);
            let certainty = joined.iter().map(|&k| beads[k].certainty).fold(1.0, f64::min);
            score.calibration.claim(certainty, right);
            score.strict.found += 1;
            score.strict.right += usize::from(right);
            links.extend(pairs(&units));
            score.links.found += usize::from(units.iter().any(BTreeSet::is_empty));
        }
        let true_links: BTreeSet<_> = truth.iter().flat_map(|b| pairs(b)).collect();
        score.strict.gold = truth.len();
        score.links.gold = true_links.len();
        score.links.found += links.len();
        score.links.right = links.intersection(&true_links).count();
        score
    }

    /// Beads that share a unit, together.
    fn joined(&self, held: &[[HeldUnits; 2]], judged: &[usize]) -> Vec<Vec<usize>> {
        let mut root: Vec<usize> = (0..held.len()).collect();
        for side in 0..2 {
            let mut first: BTreeMap<usize, usize> = BTreeMap::new();
            for &k in judged.iter().filter(|&&k| held[k].iter().all(|h| !h.units.is_empty())) {
                for unit in held[k][side].units.keys() {
                    let other = *first.entry(self.sides[side].parts[*unit]).or_insert(k);
                    let (a, b) = (find(&root, k), find(&root, other));
                    root[a.max(b)] = a.min(b);
                }
            }
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        judged.iter().for_each(|&k| groups.entry(find(&root, k)).or_default().push(k));
        groups.into_values().collect()
    }
}

fn find(root: &[usize], mut k: usize) -> usize {
    while root[k] != k {
        k = root[k];
    }
    k
}

fn pairs(bead: &[BTreeSet<usize>; 2]) -> Vec<(usize, usize)> {
    bead[0].iter().flat_map(|a| bead[1].iter().map(move |b| (*a, *b))).collect()
}

/// The part of one side in a bead.
struct HeldUnits {
    /// Units that it shares characters with.
    touched: BTreeSet<usize>,
    /// Units that belong to it, with the number of their characters in it.
    units: BTreeMap<usize, usize>,
}

impl GoldSide {
    fn of(source: &Source) -> Self {
        let words: Vec<bool> = source.text().chars().map(is_content).collect();
        GoldSide { of: vec![None; words.len()], sizes: Vec::new(), parts: Vec::new(), words }
    }

    /// A new unit; none if it has no content, or overlaps another.
    fn add(&mut self, points: &[Points]) -> Option<usize> {
        let own: Vec<usize> = points.iter().cloned().flatten().filter(|&p| self.words[p]).collect();
        if own.is_empty() || own.iter().any(|&p| self.of[p].is_some()) {
            return None;
        }
        own.iter().for_each(|&p| self.of[p] = Some(self.sizes.len()));
        self.sizes.push(own.len());
        self.parts.push(self.parts.len());
        Some(self.sizes.len() - 1)
    }

    fn held(&self, points: &[Points]) -> HeldUnits {
        let own: Vec<usize> = points.iter().cloned().flatten().filter(|&p| self.words[p]).collect();
        let mut units: BTreeMap<usize, usize> = BTreeMap::new();
        for unit in own.iter().filter_map(|&p| self.of[p]) {
            *units.entry(unit).or_default() += 1;
        }
        let touched = units.keys().copied().collect();
        units.retain(|unit, n| *n * 2 >= self.sizes[*unit] || *n * 2 >= own.len());
        HeldUnits { touched, units }
    }

    /// Units of which joined beads together contain half.
    fn most<'a>(&self, held: impl Iterator<Item = &'a HeldUnits>) -> BTreeSet<usize> {
        let mut sum: BTreeMap<usize, usize> = BTreeMap::new();
        held.flat_map(|h| &h.units).for_each(|(unit, n)| *sum.entry(*unit).or_default() += n);
        sum.into_iter()
            .filter(|(unit, n)| n * 2 >= self.sizes[*unit])
            .map(|(unit, _)| unit)
            .collect()
    }
}

/// Where the lines of a text begin, in code points.
struct LineStarts {
    starts: Vec<usize>,
}

impl LineStarts {
    fn of(source: &Source) -> Self {
        let ends =
            source.text().chars().enumerate().filter(|(_, c)| *c == '\n').map(|(i, _)| i + 1);
        LineStarts { starts: std::iter::once(0).chain(ends).chain([source.chars() + 1]).collect() }
    }

    /// `12:3-5` or `12`.
    fn points(&self, place: &str) -> Option<Points> {
        let (line, columns) = place.split_once(':').map_or((place, None), |(l, c)| (l, Some(c)));
        let line: usize = line.parse().ok()?;
        let (start, end) = (*self.starts.get(line.checked_sub(1)?)?, *self.starts.get(line)? - 1);
        let (first, last) = columns.map_or(Some(("1", "")), |c| c.split_once('-'))?;
        let last = if last.is_empty() { end } else { start + last.parse::<usize>().ok()? };
        let first = start + first.parse::<usize>().ok()?.checked_sub(1)?;
        (first < last && last <= end).then_some(first..last)
    }
}

/// The score of an alignment.
#[derive(Clone, Debug, Default)]
pub struct BeadScore {
    /// Beads with the same units on both sides.
    pub strict: Tally,
    /// Pairs of units.
    pub links: Tally,
    /// Calibration of the certainties of beads.
    pub calibration: Calibration,
}

/// Adds up the figures of several pairs.
impl AddAssign<&BeadScore> for BeadScore {
    fn add_assign(&mut self, other: &BeadScore) {
        self.strict += other.strict;
        self.links += other.links;
        self.calibration += &other.calibration;
    }
}
