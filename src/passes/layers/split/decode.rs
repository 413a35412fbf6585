//! From the probabilities of runs to the runs that are written.
//!
//! As a rule these are the most probable ones together. In a text that the program has to guess, no
//! cut is probable, and the most probable runs together are a few long ones: nearly all cuts are
//! then missed. There the cuts are chosen one by one, for the best balance of found and false ones
//! (posterior decoding: R. Durbin et al., “Biological sequence analysis”, 1998, chapter 4).

use rustc_hash::FxHashMap;

use super::features::{Features, RunScorer};
use super::semimarkov::{Lattice, MAX_RUN_CLAUSES};
use crate::passes::evidence::run::{CLASSIC, NOTE, Run};

/// Most clauses of a run in a text that has to be guessed. Of the runs in the lessons, six in
/// a thousand are longer.
pub const MAX_GUESSED_CLAUSES: usize = 40;
/// A cut is made where its probability is above this.
const LEAST_PROBABILITY: f64 = 0.33;

/// All runs of a paragraph, scored.
pub fn lattice(scorer: &RunScorer<'_>, weights: &[f64]) -> Lattice {
    let longest = if scorer.paragraph.guessed { MAX_GUESSED_CLAUSES } else { MAX_RUN_CLAUSES };
    let mut v = Features::new();
    let p = scorer.paragraph;
    Lattice::new(p.units.len(), longest, p.opens_with_circle, |run| {
        scorer.features(run, &mut v);
        v.iter().map(|(f, x)| weights[*f as usize] * x).sum()
    })
}

/// The runs to write. `starts` has the probabilities of the starts of runs in `lattice`.
pub fn runs(
    scorer: &RunScorer<'_>,
    lattice: &Lattice,
    starts: &FxHashMap<(usize, usize), f64>,
) -> Vec<Run> {
    let p = scorer.paragraph;
    if p.guessed && !p.opens_with_circle {
        probable_cuts(p.units.len(), starts, LEAST_PROBABILITY)
    } else {
        lattice.best()
    }
}

/// The runs of 經 and 注 by turns whose starts have the greatest sum of probabilities, of which each
/// start after the first costs `cost`.
fn probable_cuts(units: usize, starts: &FxHashMap<(usize, usize), f64>, cost: f64) -> Vec<Run> {
    const TURNS: [usize; 2] = [CLASSIC, NOTE];
    let starting = |unit| TURNS.map(|label| starts.get(&(unit, label)).copied().unwrap_or(0.0));
    let mut best = starting(0);
    // For each unit after the first and each label, whether the label begins there.
    let mut begins = Vec::with_capacity(units);
    for unit in 1..units {
        let gain = starting(unit).map(|p| p - cost);
        let begun = [best[1] + gain[0], best[0] + gain[1]];
        begins.push([begun[0] > best[0], begun[1] > best[1]]);
        best = [best[0].max(begun[0]), best[1].max(begun[1])];
    }
    let mut turn = usize::from(best[1] > best[0]);
    let mut runs = Vec::new();
    let mut to = units;
    for unit in (1..units).rev() {
        if begins[unit - 1][turn] {
            runs.push(Run { from: unit, to, label: TURNS[turn] });
            (to, turn) = (unit, 1 - turn);
        }
    }
    runs.push(Run { from: 0, to, label: TURNS[turn] });
    runs.reverse();
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(from: usize, to: usize, label: usize) -> Run {
        Run { from, to, label }
    }

    #[test]
    fn cuts_are_made_where_they_are_probable_enough() {
        let starts: FxHashMap<_, _> =
            [((0, CLASSIC), 0.9), ((0, NOTE), 0.1), ((2, NOTE), 0.4), ((4, CLASSIC), 0.3)]
                .into_iter()
                .collect();
        let all = vec![run(0, 2, CLASSIC), run(2, 4, NOTE), run(4, 6, CLASSIC)];
        assert_eq!(probable_cuts(6, &starts, 0.2), all);
        assert_eq!(probable_cuts(6, &starts, 0.35), [run(0, 2, CLASSIC), run(2, 6, NOTE)]);
        assert_eq!(probable_cuts(6, &starts, 0.5), [run(0, 6, CLASSIC)]);
    }

    #[test]
    fn a_cut_that_only_another_makes_possible_is_weighed_with_it() {
        // The first cut alone costs more than it brings; with the second it is worth it.
        let starts: FxHashMap<_, _> =
            [((0, NOTE), 0.6), ((0, CLASSIC), 0.4), ((1, CLASSIC), 0.2), ((3, NOTE), 0.6)]
                .into_iter()
                .collect();
        let runs = probable_cuts(4, &starts, 0.24);
        assert_eq!(runs, [run(0, 1, NOTE), run(1, 3, CLASSIC), run(3, 4, NOTE)]);
    }
}
