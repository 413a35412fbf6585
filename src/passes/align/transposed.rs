//! Sections that stand elsewhere in the translation.
//!
//! The path runs forward on both sides, so that of two sections in changed order one is left over:
//! on the classic's side here, on the translation's there. Where such leftovers answer to each
//! other, and nearly all of both does, they belong together after all. Less than that proves
//! nothing, since rituals are told again in the same words: a page that goes on where the classic
//! ends holds parallels to whatever the page has not.

use std::ops::Range;

use super::band::Band;
use super::dp::{Problem, Types};
use super::isolated;
use super::lexicon::Lexicon;
use super::pair::TokenSide;
use super::score::{Cells, Length};
use super::step::PathStep;

/// Shortest section that is looked for elsewhere, in sentences.
const MIN_SECTION_SENTENCES: usize = 4;
/// Share of both leftovers that must answer to each other.
const MIN_ANSWERED_SHARE: f64 = 0.8;
/// Mean posterior of their beads.
const MIN_MEAN_POSTERIOR: f64 = 0.7;
/// Largest table that is looked through, and how many.
const MAX_TABLE_CELLS: usize = 1 << 18;
const MAX_TABLES: usize = 256;
/// What a section's standing elsewhere leaves of the certainty of its beads.
const TRANSPOSED_CERTAINTY: f64 = 0.9;

/// What the path was learned with.
#[derive(Clone, Copy)]
pub struct Learned<'a> {
    /// The classic.
    pub source: &'a TokenSide,
    /// The translation.
    pub translation: &'a TokenSide,
    /// From all beads of the path; it has seen nothing of what is left over.
    pub lexicon: &'a Lexicon,
    /// Lengths.
    pub length: Length,
    /// Types of beads.
    pub types: &'a Types,
}

/// Sentences of the classic, and those of the translation that answer to them out of order.
pub type Transposition = (Range<usize>, Range<usize>);

/// The path with beads between leftovers, in the order of the classic, and the sections these are.
pub fn relink(steps: Vec<PathStep>, learned: Learned<'_>) -> (Vec<PathStep>, Vec<Transposition>) {
    let (a, b) = (leftovers(&steps, |s| &s.source), leftovers(&steps, |s| &s.translation));
    let mut found: Vec<(Transposition, Vec<PathStep>)> = Vec::new();
    let like = |a: &Range<usize>, b: &Range<usize>| {
        a.len() <= b.len() * 3 && b.len() <= a.len() * 3 && a.len() * b.len() <= MAX_TABLE_CELLS
    };
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y))).filter(|(x, y)| like(x, y));
    for (x, y) in pairs.take(MAX_TABLES) {
        if !found.iter().any(|(s, _)| s.0 == *x || s.1 == *y)
            && let Some(beads) = answer(x, y, learned)
        {
            found.push(((x.clone(), y.clone()), beads));
        }
    }
    let (sections, beads): (Vec<Transposition>, Vec<Vec<PathStep>>) = found.into_iter().unzip();
    (woven(steps, beads.concat()), sections)
}

/// Runs of sentences of one side that have no counterpart.
fn leftovers(steps: &[PathStep], side: impl Fn(&PathStep) -> &Range<usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for s in steps.iter().filter(|s| !s.is_bead() && !side(s).is_empty()) {
        match runs.last_mut() {
            Some(last) if last.end == side(s).start => last.end = side(s).end,
            _ => runs.push(side(s).clone()),
        }
    }
    runs.retain(|r| r.len() >= MIN_SECTION_SENTENCES);
    runs
}

/// The beads of two leftovers, if nearly all of both has its place in one.
fn answer(a: &Range<usize>, b: &Range<usize>, learned: Learned<'_>) -> Option<Vec<PathStep>> {
    let (source, translation) =
        (learned.source.window(a.clone()), learned.translation.window(b.clone()));
    let band = Band::whole(source.len(), translation.len());
    let cells = Cells::new(&source, &translation, &band, |_| learned.lexicon);
    let problem = Problem {
        source: &source,
        translation: &translation,
        band: &band,
        cells: &cells,
        length: learned.length,
        types: learned.types,
    };
    let beads: Vec<PathStep> =
        isolated::dissolve(problem.solve()).into_iter().filter(PathStep::is_bead).collect();
    let held = |of: fn(&PathStep) -> &Range<usize>, all: usize| {
        beads.iter().map(|s| of(s).len()).sum::<usize>() as f64 / all as f64
    };
    let sure = beads.iter().map(|s| s.posterior).sum::<f64>() / beads.len().max(1) as f64;
    if held(|s| &s.source, a.len()) < MIN_ANSWERED_SHARE
        || held(|s| &s.translation, b.len()) < MIN_ANSWERED_SHARE
        || sure < MIN_MEAN_POSTERIOR
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

/// The path with further beads in the place of the gaps they fill.
fn woven(steps: Vec<PathStep>, beads: Vec<PathStep>) -> Vec<PathStep> {
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
    let mut woven: Vec<PathStep> = steps.into_iter().filter(|s| !filled(s)).collect();
    for bead in beads {
        let at = woven.partition_point(|s| s.source.end <= bead.source.start);
        woven.insert(at, bead);
    }
    woven
}
