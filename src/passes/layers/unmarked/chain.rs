//! The most likely layers of a text without marks, by what the network expects of each gap.
//!
//! The network judges each gap by itself. A chain over the characters makes its judgements agree:
//! what a note ends, a note must have begun. Layouts add costs to it ([`super::layout`]).

use crate::network::Gap;
use crate::passes::evidence::run::{CLASSIC, NOTE, Run};

/// No probability is taken to be smaller.
const LEAST_PROBABILITY: f64 = 1e-6;
/// How far the network is trusted about single characters beside the gaps: neighbours say the same.
const CHARACTER_TRUST: f64 = 0.05;
/// Added to the logarithm of each border: the network sees too few.
const BORDER_BONUS: f64 = 0.7;

/// Numbers for the pairs of layers before and after a gap: classic and classic, classic and note,
/// note and classic, note and note.
pub type LayerPairs = [f64; 4];
/// The pair that a border of each kind is.
pub const TO_NOTE: usize = 1;
pub const TO_CLASSIC: usize = 2;

/// Log weights of the pairs at each gap but the first, and of the layers of the first character.
#[derive(Clone)]
pub struct Chain {
    first: [f64; 2],
    pairs: Vec<LayerPairs>,
}

impl Chain {
    /// The chain of a text.
    pub fn of(gaps: &[Gap]) -> Self {
        let character = |gap: &Gap| {
            let note = f64::from(gap.note()).clamp(LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY);
            [CHARACTER_TRUST * (1.0 - note).ln(), CHARACTER_TRUST * note.ln()]
        };
        let log = |p: f32| f64::from(p).max(LEAST_PROBABILITY).ln();
        let pairs = |gap: &Gap| {
            let (own, stay) = (character(gap), log(1.0 - gap.border()));
            [
                stay + own[CLASSIC],
                log(gap.layers[TO_NOTE]) + own[NOTE] + BORDER_BONUS,
                log(gap.layers[TO_CLASSIC]) + own[CLASSIC] + BORDER_BONUS,
                stay + own[NOTE],
            ]
        };
        let first = gaps.first().map_or([0.0; 2], character);
        Chain { first, pairs: gaps.iter().skip(1).map(pairs).collect() }
    }

    /// The same, with costs for the pairs at each gap after the first.
    pub fn with_costs(&self, costs: &[LayerPairs]) -> Chain {
        let mut chain = self.clone();
        for (pairs, costs) in chain.pairs.iter_mut().zip(costs) {
            pairs.iter_mut().zip(costs).for_each(|(pair, cost)| *pair -= cost);
        }
        chain
    }

    /// The logarithm of the sum over all sequences of layers.
    pub fn log_total(&self) -> f64 {
        let [classic, note] = *self.forward().last().unwrap_or(&self.first);
        log_add(classic, note)
    }

    /// Sums over the beginnings of all sequences, by the layer of each character.
    fn forward(&self) -> Vec<[f64; 2]> {
        let mut all = Vec::with_capacity(self.pairs.len() + 1);
        let mut sums = self.first;
        all.push(sums);
        for [cc, cn, nc, nn] in &self.pairs {
            let [classic, note] = sums;
            sums = [log_add(classic + cc, note + nc), log_add(classic + cn, note + nn)];
            all.push(sums);
        }
        all
    }

    /// The probabilities of the pairs at each gap; the first has those of the first character's
    /// layers, as if the same layer were before it.
    pub fn probabilities(&self) -> Vec<LayerPairs> {
        let forward = self.forward();
        let mut found = vec![[0.0; 4]; forward.len()];
        let mut after = [0.0; 2];
        for n in (0..self.pairs.len()).rev() {
            let pairs = self.pairs[n];
            let [classic, note] = forward[n];
            let ways = [
                classic + pairs[0] + after[0],
                classic + pairs[1] + after[1],
                note + pairs[2] + after[0],
                note + pairs[3] + after[1],
            ];
            found[n + 1] = normed(ways);
            after = [
                log_add(pairs[0] + after[0], pairs[1] + after[1]),
                log_add(pairs[2] + after[0], pairs[3] + after[1]),
            ];
        }
        let [classic, note] = self.first;
        let never = f64::NEG_INFINITY;
        found[0] = normed([classic + after[0], never, never, note + after[1]]);
        found
    }
}

/// The runs whose borders have the greatest sum of probabilities, of which each costs `cost`, and
/// each pair at a gap after the first what `costs` says.
pub fn best(probabilities: &[LayerPairs], cost: f64, costs: &[LayerPairs]) -> Vec<Run> {
    let [mut classic, mut note] = match probabilities.first() {
        Some(first) => [first[0], first[3]],
        None => return vec![],
    };
    // Whether the best way to each layer at each gap turns there.
    let mut turns = Vec::with_capacity(costs.len());
    for (p, costs) in probabilities[1..].iter().zip(costs) {
        let stay = [classic - costs[0], note - costs[3]];
        let turn = [
            note + p[TO_CLASSIC] - cost - costs[TO_CLASSIC],
            classic + p[TO_NOTE] - cost - costs[TO_NOTE],
        ];
        turns.push([turn[0] > stay[0], turn[1] > stay[1]]);
        [classic, note] = [stay[0].max(turn[0]), stay[1].max(turn[1])];
    }
    let mut label = if note > classic { NOTE } else { CLASSIC };
    let (mut runs, mut to) = (vec![], probabilities.len());
    for from in (1..probabilities.len()).rev() {
        if turns[from - 1][label] {
            runs.push(Run { from, to, label });
            (to, label) = (from, 1 - label);
        }
    }
    runs.push(Run { from: 0, to, label });
    runs.reverse();
    runs
}

fn log_add(a: f64, b: f64) -> f64 {
    let (more, less) = if a > b { (a, b) } else { (b, a) };
    if less == f64::NEG_INFINITY { more } else { more + (less - more).exp().ln_1p() }
}

fn normed(logs: LayerPairs) -> LayerPairs {
    let most = logs.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let powers = logs.map(|l| (l - most).exp());
    let sum: f64 = powers.iter().sum();
    powers.map(|p| p / sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of six characters with weights that are not regular.
    fn chain() -> Chain {
        let pairs = |n: usize| [0, 1, 2, 3].map(|k| ((n * 7 + k * 5) % 11) as f64 / 3.0);
        Chain { first: [0.3, -0.2], pairs: (0..5).map(pairs).collect() }
    }

    /// The layers of all characters, as bits, with the weight of the sequence.
    fn all(chain: &Chain) -> Vec<(usize, f64)> {
        let bit = |layers: usize, n: usize| layers >> n & 1;
        let weight = |layers: usize| {
            let pairs = chain.pairs.iter().enumerate();
            let pairs = pairs.map(|(n, p)| p[bit(layers, n) * 2 + bit(layers, n + 1)]);
            (chain.first[bit(layers, 0)] + pairs.sum::<f64>()).exp()
        };
        (0..64).map(|layers| (layers, weight(layers))).collect()
    }

    #[test]
    fn probabilities_agree_with_all_sequences() {
        let chain = chain();
        let all = all(&chain);
        let total: f64 = all.iter().map(|(_, w)| w).sum();
        assert!((chain.log_total() - total.ln()).abs() < 1e-9);
        for (n, found) in chain.probabilities().into_iter().enumerate() {
            for (pair, found) in found.into_iter().enumerate() {
                let is = |layers: usize| match n {
                    0 => (layers & 1) * 3 == pair,
                    _ => (layers >> (n - 1) & 1) * 2 + (layers >> n & 1) == pair,
                };
                let own: f64 = all.iter().filter(|(l, _)| is(*l)).map(|(_, w)| w).sum();
                assert!((found - own / total).abs() < 1e-9, "{n} {pair}");
            }
        }
    }

    #[test]
    fn a_border_is_made_where_it_is_worth_its_cost() {
        let p = [[0.9, 0.0, 0.0, 0.1], [0.5, 0.4, 0.0, 0.1], [0.1, 0.0, 0.3, 0.6]];
        let run = |from, to, label| Run { from, to, label };
        let free = [[0.0; 4]; 2];
        let three = [run(0, 1, CLASSIC), run(1, 2, NOTE), run(2, 3, CLASSIC)];
        assert_eq!(best(&p, 0.2, &free), three);
        assert_eq!(best(&p, 0.35, &free), [run(0, 1, CLASSIC), run(1, 3, NOTE)]);
        assert_eq!(best(&p, 0.45, &free), [run(0, 3, CLASSIC)]);
        let never = [[0.0; 4], [0.0, 0.0, 9.0, 0.0]];
        assert_eq!(best(&p, 0.2, &never), [run(0, 1, CLASSIC), run(1, 3, NOTE)]);
        assert_eq!(best(&[], 0.2, &[]), []);
    }
}
