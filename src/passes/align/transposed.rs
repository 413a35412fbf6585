//! Sections that are in another order in the translation.
//!
//! The path runs forward on both sides, so one of two swapped sections is left over on each side.
//! If nearly all of two such leftovers matches, they are linked after all. Less than that proves
//! nothing, since rituals are described again in the same words: a page that continues after the
//! end of the classic has parallels to parts that the page lacks.

use std::ops::Range;

use super::band::Band;
use super::confirmed::{ConfirmedUnits, Constraints};
use super::lexicon::Lexicon;
use super::pair::TokenSide;
use super::score::Length;
use super::step::PathStep;
use super::types::Types;
use super::windows::PathSearch;

/// Shortest section that is searched for elsewhere, in sentences.
const MIN_SECTION_SENTENCES: usize = 2;
/// Sections with fewer sentences than this are searched for only nearby, in steps of the path:
/// short texts resemble each other.
const MIN_FAR_SENTENCES: usize = 4;
const NEARBY_STEPS: usize = 24;
/// Least share of both leftovers that must match.
const MIN_ANSWERED_SHARE: f64 = 0.8;
/// Least mean posterior of their beads.
const MIN_MEAN_POSTERIOR: f64 = 0.7;
/// Largest table that is searched, and all tables together.
const MAX_TABLE_CELLS: usize = 1 << 18;
const MAX_ALL_CELLS: usize = 1 << 21;
/// Factor on the certainty of beads in a transposed section.
const TRANSPOSED_CERTAINTY: f64 = 0.9;

/// The data and parameters that the path was trained with.
#[derive(Clone, Copy)]
pub struct Learned<'a> {
    /// The classic.
    pub source: &'a TokenSide,
    /// The translation.
    pub translation: &'a TokenSide,
    /// Trained on all beads of the path, and so not on what is left over.
    pub lexicon: &'a Lexicon,
    /// The distribution of lengths.
    pub length: Length,
    /// Types of beads.
    pub types: &'a Types,
    /// What a person decided.
    pub confirmed: &'a ConfirmedUnits,
}

/// Sentences of the classic, and their translation in another order.
pub type Transposition = (Range<usize>, Range<usize>);

/// The path with beads between leftovers, in the order of the classic, and the transposed sections.
pub fn relink(steps: Vec<PathStep>, learned: Learned<'_>) -> (Vec<PathStep>, Vec<Transposition>) {
    let open = |s: &PathStep| !learned.confirmed.has(s);
    let a = leftovers(&steps, |s| &s.source, open);
    let b = leftovers(&steps, |s| &s.translation, open);
    let mut found: Vec<(Transposition, Vec<PathStep>)> = Vec::new();
    let mut cells = 0;
    for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (x, y))).filter(|(x, y)| x.may_be(y))
    {
        let (x, y) = (&x.units, &y.units);
        cells += x.len() * y.len();
        if cells > MAX_ALL_CELLS {
            break;
        }
        if !found.iter().any(|(s, _)| s.0 == *x || s.1 == *y)
            && let Some(beads) = beads_between(x, y, learned)
        {
            found.push(((x.clone(), y.clone()), beads));
        }
    }
    let (sections, beads): (Vec<Transposition>, Vec<Vec<PathStep>>) = found.into_iter().unzip();
    (with_beads(steps, beads.concat()), sections)
}

/// Sentences of one side that have no counterpart.
struct Leftover {
    units: Range<usize>,
    /// Where it is on the path.
    step: usize,
}

impl Leftover {
    /// True if the translation's leftover may be the counterpart of this one.
    fn may_be(&self, other: &Leftover) -> bool {
        let (a, b) = (self.units.len(), other.units.len());
        let near = self.step.abs_diff(other.step) <= NEARBY_STEPS;
        a <= b * 3
            && b <= a * 3
            && a * b <= MAX_TABLE_CELLS
            && (near || a.min(b) >= MIN_FAR_SENTENCES)
    }
}

/// Runs of sentences of one side that have no counterpart, and of which nobody decided that.
fn leftovers(
    steps: &[PathStep],
    side: impl Fn(&PathStep) -> &Range<usize>,
    open: impl Fn(&PathStep) -> bool,
) -> Vec<Leftover> {
    let mut runs: Vec<Leftover> = Vec::new();
    let alone = |s: &PathStep| !s.is_bead() && !side(s).is_empty() && open(s);
    for (step, s) in steps.iter().enumerate().filter(|(_, s)| alone(s)) {
        match runs.last_mut() {
            Some(last) if last.units.end == side(s).start => last.units.end = side(s).end,
            _ => runs.push(Leftover { units: side(s).clone(), step }),
        }
    }
    runs.retain(|r| r.units.len() >= MIN_SECTION_SENTENCES);
    runs
}

/// The beads of two leftovers, if nearly all of both is in beads.
fn beads_between(
    a: &Range<usize>,
    b: &Range<usize>,
    learned: Learned<'_>,
) -> Option<Vec<PathStep>> {
    let (source, translation) =
        (learned.source.window(a.clone()), learned.translation.window(b.clone()));
    let band = Band::whole(source.len(), translation.len());
    let search = PathSearch {
        source: &source,
        translation: &translation,
        band: &band,
        length: learned.length,
        types: learned.types,
        confirmed: Constraints::NONE,
    };
    let path = search.path(|_| learned.lexicon);
    let beads: Vec<PathStep> = path.into_iter().filter(PathStep::is_bead).collect();
    let covered_share = |of: fn(&PathStep) -> &Range<usize>, all: usize| {
        beads.iter().map(|s| of(s).len()).sum::<usize>() as f64 / all as f64
    };
    let mean_posterior = beads.iter().map(|s| s.posterior).sum::<f64>() / beads.len().max(1) as f64;
    if covered_share(|s| &s.source, a.len()) < MIN_ANSWERED_SHARE
        || covered_share(|s| &s.translation, b.len()) < MIN_ANSWERED_SHARE
        || mean_posterior < MIN_MEAN_POSTERIOR
    {
        return None;
    }
    let shift = |r: &Range<usize>, by: usize| r.start + by..r.end + by;
    let placed = |s: PathStep| PathStep {
        source: shift(&s.source, a.start),
        translation: shift(&s.translation, b.start),
        posterior: s.posterior * TRANSPOSED_CERTAINTY,
    };
    Some(beads.into_iter().map(placed).collect())
}

/// The path with further beads instead of the gaps they fill.
pub fn with_beads(steps: Vec<PathStep>, beads: Vec<PathStep>) -> Vec<PathStep> {
    if beads.is_empty() {
        return steps;
    }
    let within = |r: &Range<usize>, of: fn(&PathStep) -> &Range<usize>| {
        !r.is_empty() && beads.iter().any(|b| of(b).start <= r.start && r.end <= of(b).end)
    };
    let filled = |s: &PathStep| {
        !s.is_bead()
            && (within(&s.source, |b| &b.source) || within(&s.translation, |b| &b.translation))
    };
    let mut merged: Vec<PathStep> = steps.into_iter().filter(|s| !filled(s)).collect();
    for bead in beads {
        let at = merged.partition_point(|s| s.source.end <= bead.source.start);
        merged.insert(at, bead);
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_of_like_length_are_compared_and_short_ones_only_nearby() {
        let may_be = |(a, at): (usize, usize), (b, other): (usize, usize)| {
            let of = |n: usize, step: usize| Leftover { units: 0..n, step };
            assert_eq!(of(a, at).may_be(&of(b, other)), of(b, other).may_be(&of(a, at)));
            of(a, at).may_be(&of(b, other))
        };
        let far = NEARBY_STEPS + 1;
        assert!(may_be((2, 0), (2, NEARBY_STEPS)));
        assert!(!may_be((2, 0), (2, far)));
        assert!(may_be((MIN_FAR_SENTENCES, 0), (MIN_FAR_SENTENCES, far)));
        assert!(!may_be((MIN_FAR_SENTENCES - 1, 0), (9, far)));
        assert!(may_be((3, 0), (9, 0)));
        assert!(!may_be((3, 0), (10, 0)));
        let side = 1 << 9;
        assert_eq!(side * side, MAX_TABLE_CELLS);
        assert!(may_be((side, 0), (side, 0)) && !may_be((side, 0), (side + 1, 0)));
    }
}
