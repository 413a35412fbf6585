//! Learns the weights from texts with known cuts: maximum likelihood of a semi-Markov conditional
//! random field with a Gaussian prior, by gradient ascent with a step for each weight (Rprop,
//! Riedmiller & Braun 1993).

use rayon::prelude::*;

use super::feature::{FEATURES, FIXED_WEIGHTS, Feature};
use super::features::{Features, RunScorer};
use super::semimarkov::{Lattice, possible};
use crate::passes::evidence::run::{LABELS, Run};

/// A paragraph with known runs.
pub struct Example<'a> {
    /// The paragraph and its evidence.
    pub scorer: RunScorer<'a>,
    /// Its true runs.
    pub runs: Vec<Run>,
    /// How much it counts.
    pub weight: f64,
}

/// Number of examples that are summed together.
const CHUNK_EXAMPLES: usize = 64;
/// Variance of the prior on each weight.
const PRIOR_VARIANCE: f64 = 4.0;

/// An example with the features of all its runs, which stay the same while weights are learned.
struct Prepared {
    units: usize,
    longest: usize,
    yin: bool,
    /// Where the features of each run begin, in the order of [`Prepared::index`].
    starts: Vec<u32>,
    features: Vec<(u16, f32)>,
    truth: Vec<Run>,
    weight: f64,
}

impl Prepared {
    fn new(e: &Example<'_>, longest: usize) -> Self {
        let units = e.scorer.paragraph.units.len();
        let longest = longest.min(units).max(1);
        let (mut starts, mut features, mut v) = (vec![0], Vec::new(), Features::new());
        for from in 0..units {
            for to in from + 1..=from + longest {
                for label in 0..LABELS {
                    if to <= units
                        && possible(from, e.scorer.paragraph.opens_with_circle).contains(&label)
                    {
                        e.scorer.features(Run { from, to, label }, &mut v);
                        features.extend(v.iter().map(|(f, x)| (*f as u16, *x as f32)));
                    }
                    starts.push(features.len() as u32);
                }
            }
        }
        Prepared {
            units,
            longest,
            yin: e.scorer.paragraph.opens_with_circle,
            starts,
            features,
            truth: e.runs.clone(),
            weight: e.weight,
        }
    }

    fn index(&self, run: Run) -> usize {
        (run.from * self.longest + run.to - run.from - 1) * LABELS + run.label
    }

    fn of(&self, run: Run) -> &[(u16, f32)] {
        let n = self.index(run);
        &self.features[self.starts[n] as usize..self.starts[n + 1] as usize]
    }

    /// Adds the features of the true runs, minus their expectation under the weights.
    fn add_gradient(&self, w: &[f64], gradient: &mut [f64]) {
        for run in self.truth.iter().filter(|r| r.to - r.from <= self.longest) {
            self.of(*run)
                .iter()
                .for_each(|(f, x)| gradient[*f as usize] += self.weight * f64::from(*x));
        }
        let lattice = Lattice::new(self.units, self.longest, self.yin, |run| {
            self.of(run).iter().map(|(f, x)| w[*f as usize] * f64::from(*x)).sum()
        });
        lattice.marginals(|run, p| {
            if p > 1e-9 {
                self.of(run)
                    .iter()
                    .for_each(|(f, x)| gradient[*f as usize] -= self.weight * p * f64::from(*x));
            }
        });
    }
}

/// The weights that make the examples most probable. [`FIXED_WEIGHTS`] keep their values; `silent`
/// features get weight 0.
pub fn fit(
    examples: &[Example<'_>],
    silent: &[Feature],
    rounds: usize,
    longest: usize,
) -> Vec<f64> {
    let prepared: Vec<Prepared> = examples.par_iter().map(|e| Prepared::new(e, longest)).collect();
    let mut w = vec![0.0f64; FEATURES.len()];
    let mut step = vec![0.1f64; w.len()];
    let mut last = vec![0.0f64; w.len()];
    for _ in 0..rounds {
        let mut gradient: Vec<f64> = w.iter().map(|w| -w / PRIOR_VARIANCE).collect();
        // Sums in the order of the chunks, so that the result is always the same.
        let parts: Vec<Vec<f64>> = prepared
            .par_chunks(CHUNK_EXAMPLES)
            .map(|chunk| {
                let mut part = vec![0.0; w.len()];
                chunk.iter().for_each(|e| e.add_gradient(&w, &mut part));
                part
            })
            .collect();
        parts.iter().for_each(|part| gradient.iter_mut().zip(part).for_each(|(g, x)| *g += x));
        silent.iter().for_each(|f| gradient[*f as usize] = 0.0);
        for n in 0..w.len() {
            let turn = gradient[n] * last[n];
            let pace = if turn > 0.0 {
                1.2
            } else if turn < 0.0 {
                0.5
            } else {
                1.0
            };
            step[n] = (step[n] * pace).clamp(1e-5, 1.0);
            last[n] = if turn < 0.0 { 0.0 } else { gradient[n] };
            w[n] += if last[n] == 0.0 { 0.0 } else { step[n] * last[n].signum() };
        }
    }
    for (feature, weight) in FIXED_WEIGHTS {
        w[feature as usize] = weight;
    }
    w
}

/// The lattice of a paragraph under the given weights.
pub fn lattice(scorer: &RunScorer<'_>, w: &[f64], longest: usize) -> Lattice {
    let mut v = Features::new();
    let p = scorer.paragraph;
    Lattice::new(p.units.len(), longest, p.opens_with_circle, |run| {
        scorer.features(run, &mut v);
        v.iter().map(|(f, x)| w[*f as usize] * x).sum()
    })
}
