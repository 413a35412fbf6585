//! Learns the weights from texts whose cuts are known: maximum likelihood of a semi-Markov conditional random field, with
//! a Gaussian prior, by gradient ascent with steps of its own for each weight (Rprop, Riedmiller & Braun 1993).

use super::features::{FEATURES, Scene, Vector};
use super::semimarkov::{Lattice, Run};
use super::witness::FIXED;

/// A paragraph whose runs are known.
pub struct Example<'a> {
    /// The paragraph and its evidence.
    pub scene: Scene<'a>,
    /// Its true runs.
    pub runs: Vec<Run>,
}

/// Variance of the prior on each weight.
const VARIANCE: f64 = 4.0;

/// Weights that make the examples most probable; those of the witnesses are what they are.
pub fn fit(examples: &[Example<'_>], rounds: usize, longest: usize) -> Vec<f64> {
    let mut w = vec![0.0f64; FEATURES.len()];
    let mut step = vec![0.1f64; w.len()];
    let mut last = vec![0.0f64; w.len()];
    for _ in 0..rounds {
        let mut gradient: Vec<f64> = w.iter().map(|w| -w / VARIANCE).collect();
        for e in examples {
            add_gradient(e, &w, longest, &mut gradient);
        }
        for n in 0..w.len() {
            let turn = gradient[n] * last[n];
            step[n] = (step[n]
                * if turn > 0.0 {
                    1.2
                } else if turn < 0.0 {
                    0.5
                } else {
                    1.0
                })
            .clamp(1e-5, 1.0);
            last[n] = if turn < 0.0 { 0.0 } else { gradient[n] };
            w[n] += step[n] * last[n].signum() * f64::from(u8::from(last[n] != 0.0));
        }
    }
    for (feature, weight) in FIXED {
        w[feature as usize] = weight;
    }
    w
}

fn add_gradient(e: &Example<'_>, w: &[f64], longest: usize, gradient: &mut [f64]) {
    let mut v = Vector::new();
    for run in &e.runs {
        e.scene.features(*run, &mut v);
        v.iter().for_each(|(f, x)| gradient[*f as usize] += x);
    }
    let lattice = lattice(&e.scene, w, longest);
    lattice.marginals(|run, p| {
        if p > 1e-9 {
            e.scene.features(run, &mut v);
            v.iter().for_each(|(f, x)| gradient[*f as usize] -= p * x);
        }
    });
}

/// The lattice of a paragraph under given weights.
pub fn lattice(scene: &Scene<'_>, w: &[f64], longest: usize) -> Lattice {
    let mut v = Vector::new();
    Lattice::new(scene.paragraph.units.len(), longest, |run| {
        scene.features(run, &mut v);
        v.iter().map(|(f, x)| w[*f as usize] * x).sum()
    })
}
