//! Learns the weights from texts with known cuts: maximum likelihood of a semi-Markov conditional
//! random field with a Gaussian prior, by gradient ascent with a step for each weight (Rprop,
//! Riedmiller & Braun 1993).

use rayon::prelude::*;

use zhushu::passes::evidence::run::Run;
use zhushu::passes::split::feature::{FEATURES, FIXED_WEIGHTS, Feature};
use zhushu::passes::split::features::{Features, RunScorer};
use zhushu::passes::split::semimarkov::{possible, probabilities};

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
const PRIOR_VARIANCE: f64 = 12.0;

/// Runs of a smaller probability do not count.
const MIN_RUN_PROBABILITY: f64 = 1e-7;
/// All runs are weighed in the first steps, and then in every so many steps: most stay next to
/// impossible.
const FULL_STEPS: usize = 12;
const STEPS_BETWEEN_FULL: usize = 10;
/// Steps of the gradient ascent.
const ASCENT_STEPS: usize = 200;
/// Weights that change by less than this are learned.
const SMALL_STEP: f64 = 5e-4;

/// An example with the features of all its runs, which stay the same while weights are learned.
struct Prepared {
    units: usize,
    /// All possible runs, by their ends.
    runs: Vec<Run>,
    /// Where the features of each run begin.
    starts: Vec<u32>,
    features: Vec<(u16, f32)>,
    /// Runs that were possible, if barely, when all of them were last weighed.
    active: Vec<u32>,
    /// The true runs.
    truth: Vec<u32>,
    weight: f64,
}

impl Prepared {
    fn new(e: &Example<'_>, longest: usize) -> Self {
        let p = e.scorer.paragraph;
        // The true runs must be possible: without one of them the sums of the features differ.
        let longest = e.runs.iter().map(|r| r.to - r.from).fold(longest, usize::max);
        let (mut runs, mut starts, mut features) = (Vec::new(), vec![0], Vec::new());
        let mut v = Features::new();
        for to in 1..=p.units.len() {
            for from in to.saturating_sub(longest)..to {
                for label in possible(from, p.opens_with_circle) {
                    let run = Run { from, to, label };
                    e.scorer.features(run, &mut v);
                    features.extend(v.iter().map(|(f, x)| (*f as u16, *x as f32)));
                    starts.push(features.len() as u32);
                    runs.push(run);
                }
            }
        }
        let number = |run: &Run| runs.iter().position(|r| r == run).map(|n| n as u32);
        Prepared {
            units: p.units.len(),
            truth: e.runs.iter().filter_map(number).collect(),
            active: (0..runs.len() as u32).collect(),
            runs,
            starts,
            features,
            weight: e.weight,
        }
    }

    fn of(&self, run: u32) -> &[(u16, f32)] {
        let n = run as usize;
        &self.features[self.starts[n] as usize..self.starts[n + 1] as usize]
    }

    /// Adds the features of the true runs, minus their expectation under the weights. With `all`,
    /// every run is computed; runs with almost no probability are then left out until the next call
    /// with `all`.
    fn add_gradient(&mut self, w: &[f64], gradient: &mut [f64], all: bool) {
        if all {
            self.active = (0..self.runs.len() as u32).collect();
        }
        let mut add = |run: u32, times: f64| {
            let features = self.of(run).iter();
            features
                .for_each(|(f, x)| gradient[*f as usize] += self.weight * times * f64::from(*x));
        };
        self.truth.iter().for_each(|run| add(*run, 1.0));
        let score =
            |run: &u32| self.of(*run).iter().map(|(f, x)| w[*f as usize] * f64::from(*x)).sum();
        let scored = |run: &u32| (self.runs[*run as usize], score(run));
        let runs: Vec<(Run, f64)> = self.active.iter().map(scored).collect();
        let probabilities = probabilities(self.units, &runs);
        let mut left = Vec::new();
        for (run, p) in self.active.iter().zip(probabilities) {
            if p > MIN_RUN_PROBABILITY {
                add(*run, -p);
                left.push(*run);
            }
        }
        if all {
            left.extend(&self.truth);
            left.sort_unstable();
            left.dedup();
            self.active = left;
        }
    }
}

/// The weights that make the examples most probable. [`FIXED_WEIGHTS`] keep their values; `silent`
/// features get weight 0. Learning begins at the weights `from`, or at 0.
pub fn fit(
    examples: &[Example<'_>],
    silent: &[Feature],
    from: Option<&[f64]>,
    longest: usize,
) -> Vec<f64> {
    let mut prepared: Vec<Prepared> =
        examples.par_iter().map(|e| Prepared::new(e, longest)).collect();
    let mut w = from.map_or(vec![0.0; FEATURES.len()], <[f64]>::to_vec);
    for (feature, _) in FIXED_WEIGHTS {
        w[feature as usize] = 0.0;
    }
    let mut step = vec![0.1f64; w.len()];
    let mut last = vec![0.0f64; w.len()];
    for round in 0..ASCENT_STEPS {
        let all = round < FULL_STEPS || round % STEPS_BETWEEN_FULL == 0;
        let mut gradient: Vec<f64> = w.iter().map(|w| -w / PRIOR_VARIANCE).collect();
        // Sums in the order of the chunks, so that the result is always the same.
        let parts: Vec<Vec<f64>> = prepared
            .par_chunks_mut(CHUNK_EXAMPLES)
            .map(|chunk| {
                let mut part = vec![0.0; w.len()];
                chunk.iter_mut().for_each(|e| e.add_gradient(&w, &mut part, all));
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
        if step.iter().zip(&gradient).all(|(s, g)| *s < SMALL_STEP || *g == 0.0) {
            break;
        }
    }
    for (feature, weight) in FIXED_WEIGHTS {
        w[feature as usize] = weight;
    }
    w
}
