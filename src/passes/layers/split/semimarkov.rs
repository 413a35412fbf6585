//! Semi-Markov decoding (Sarawagi & Cohen 2004): the best way to cut a sequence of units into
//! labelled runs, and the probability of each run. A whole run gets one score, which may depend on
//! all its text. Classic and note alternate; 音義 can only be the first run, and classic follows it.

use rustc_hash::FxHashMap;

use crate::passes::evidence::run::{CLASSIC, LABELS, NOTE, Run, YIN};

/// The longest run that is considered, in clauses.
pub const MAX_RUN_CLAUSES: usize = 160;

/// The labels that may come before a run of each label.
const BEFORE: [&[usize]; LABELS] = [&[NOTE, YIN], &[CLASSIC], &[]];
/// The labels that may follow each.
const AFTER: [&[usize]; LABELS] = [&[NOTE], &[CLASSIC], &[CLASSIC]];

/// Scores of all runs of one paragraph, by first unit, length and label.
pub struct Lattice {
    units: usize,
    longest: usize,
    scores: Vec<f64>,
}

impl Lattice {
    /// Scores every run of at most `longest` units; 音義 only if the paragraph may begin with it.
    pub fn new(units: usize, longest: usize, yin: bool, mut score: impl FnMut(Run) -> f64) -> Self {
        let longest = longest.min(units).max(1);
        let mut scores = vec![f64::NEG_INFINITY; units * longest * LABELS];
        for from in 0..units {
            for to in from + 1..=(from + longest).min(units) {
                for label in possible(from, yin) {
                    scores[(from * longest + to - from - 1) * LABELS + label] =
                        score(Run { from, to, label });
                }
            }
        }
        Lattice { units, longest, scores }
    }

    fn score(&self, run: Run) -> f64 {
        self.scores[(run.from * self.longest + run.to - run.from - 1) * LABELS + run.label]
    }

    /// The same, with each run made worse by what it costs.
    pub fn with_costs(&self, cost: impl Fn(Run) -> f64) -> Lattice {
        let mut lattice =
            Lattice { units: self.units, longest: self.longest, scores: self.scores.clone() };
        for (n, score) in lattice.scores.iter_mut().enumerate() {
            if *score > f64::NEG_INFINITY {
                let (place, label) = (n / LABELS, n % LABELS);
                let (from, length) = (place / self.longest, place % self.longest + 1);
                *score -= cost(Run { from, to: from + length, label });
            }
        }
        lattice
    }

    /// The logarithm of the sum over all sequences of runs.
    pub fn log_total(&self) -> f64 {
        self.marginals(|_, _| ())
    }

    /// All runs that end before unit `to`.
    fn ending(&self, to: usize, label: usize) -> impl Iterator<Item = Run> + Clone + use<> {
        (to.saturating_sub(self.longest)..to).map(move |from| Run { from, to, label })
    }

    /// The best sequence of runs (Viterbi).
    pub fn best(&self) -> Vec<Run> {
        self.best_of(|_| true).unwrap_or_default()
    }

    /// The best sequence of allowed runs; none if there is no such sequence.
    pub fn best_of(&self, allowed: impl Fn(Run) -> bool) -> Option<Vec<Run>> {
        let mut best = vec![[(0.0, 0usize); LABELS]; self.units + 1];
        let before = |best: &[[(f64, usize); LABELS]], r: Run| match r.from {
            0 => (0.0, r.label),
            from => BEFORE[r.label]
                .iter()
                .map(|l| (best[from][*l].0, *l))
                .fold((f64::NEG_INFINITY, r.label), |a, b| if b.0 > a.0 { b } else { a }),
        };
        for to in 1..=self.units {
            for label in 0..LABELS {
                best[to][label] = self
                    .ending(to, label)
                    .filter(|r| allowed(*r))
                    .map(|r| (self.score(r) + before(&best, r).0, r.from))
                    .fold((f64::NEG_INFINITY, 0), |a, b| if b.0 > a.0 { b } else { a });
            }
        }
        let mut to = self.units;
        let better = |a: usize, b: usize| if best[to][b].0 > best[to][a].0 { b } else { a };
        let mut label = (0..LABELS).fold(0, better);
        if best[to][label].0 == f64::NEG_INFINITY {
            return None;
        }
        let mut runs = Vec::new();
        while to > 0 {
            let from = best[to][label].1;
            let run = Run { from, to, label };
            runs.push(run);
            (to, label) = (from, before(&best, run).1);
        }
        runs.reverse();
        Some(runs)
    }

    /// The score of a sequence of runs.
    pub fn total(&self, runs: &[Run]) -> f64 {
        runs.iter().map(|r| self.score(*r)).sum()
    }

    /// The probability that a run begins, by its first unit and label.
    pub fn starts(&self) -> FxHashMap<(usize, usize), f64> {
        let mut starts: FxHashMap<(usize, usize), f64> = FxHashMap::default();
        self.marginals(|run, p| *starts.entry((run.from, run.label)).or_default() += p);
        starts
    }

    /// Passes the probability of every possible run to `each` (forward–backward); returns the
    /// logarithm of the sum over all sequences.
    pub fn marginals(&self, mut each: impl FnMut(Run, f64)) -> f64 {
        let n = self.units;
        // `entry[k][label]`: all ways to come to a run of `label` from unit k; `exit[k][label]`:
        // all ways to go on after one that ends before unit k.
        let mut entry = vec![[0.0; LABELS]; n + 1];
        let mut exit = vec![[0.0; LABELS]; n + 1];
        let mut ended = [f64::NEG_INFINITY; LABELS];
        for to in 1..=n {
            ended = std::array::from_fn(|label| {
                let runs = self.ending(to, label);
                log_sum(runs.map(|r| self.score(r) + entry[r.from][label]))
            });
            entry[to] = BEFORE.map(|before| log_sum(before.iter().map(|l| ended[*l])));
        }
        for from in (0..n).rev() {
            let begun: [f64; LABELS] = std::array::from_fn(|label| {
                let ends = from + 1..=(from + self.longest).min(n);
                log_sum(ends.map(|to| self.score(Run { from, to, label }) + exit[to][label]))
            });
            exit[from] = AFTER.map(|after| log_sum(after.iter().map(|l| begun[*l])));
        }
        let total = log_sum(ended.into_iter());
        for to in 1..=n {
            for (label, after) in exit[to].into_iter().enumerate() {
                for r in self.ending(to, label) {
                    let score = self.score(r);
                    if score > f64::NEG_INFINITY {
                        each(r, (entry[r.from][label] + score + after - total).exp());
                    }
                }
            }
        }
        total
    }
}

/// A sum of numbers that are given as logarithms.
#[derive(Clone, Copy)]
struct LogSum {
    most: f64,
    rest: f64,
}

impl LogSum {
    const NOTHING: LogSum = LogSum { most: f64::NEG_INFINITY, rest: 0.0 };

    fn add(&mut self, term: f64) {
        if term <= self.most {
            if term > self.most - NEGLIGIBLE_LOG_ODDS {
                self.rest += (term - self.most).exp();
            }
        } else if term > f64::NEG_INFINITY {
            let rest = if self.rest == 0.0 { 0.0 } else { self.rest * (self.most - term).exp() };
            *self = LogSum { most: term, rest: rest + 1.0 };
        }
    }

    fn value(self) -> f64 {
        if self.rest == 0.0 { f64::NEG_INFINITY } else { self.most + self.rest.ln() }
    }
}

/// The probability of each of some scored runs of `units` units, which are in the order of their
/// ends: as [`Lattice::marginals`], where all other runs are impossible.
pub fn probabilities(units: usize, runs: &[(Run, f64)]) -> Vec<f64> {
    let mut ended = vec![[LogSum::NOTHING; LABELS]; units + 1];
    let mut entry = vec![[f64::NAN; LABELS]; units + 1];
    entry[0] = [0.0; LABELS];
    let among = |sums: &[LogSum; LABELS], labels: &[usize]| {
        log_sum(labels.iter().map(|l| sums[*l].value()))
    };
    for (r, score) in runs {
        if entry[r.from][r.label].is_nan() {
            entry[r.from] = BEFORE.map(|before| among(&ended[r.from], before));
        }
        ended[r.to][r.label].add(score + entry[r.from][r.label]);
    }
    let mut begun = vec![[LogSum::NOTHING; LABELS]; units + 1];
    let mut exit = vec![[f64::NAN; LABELS]; units + 1];
    exit[units] = [0.0; LABELS];
    for (r, score) in runs.iter().rev() {
        if exit[r.to][r.label].is_nan() {
            exit[r.to] = AFTER.map(|after| among(&begun[r.to], after));
        }
        begun[r.from][r.label].add(score + exit[r.to][r.label]);
    }
    let total = among(&ended[units], &[0, 1, 2]);
    let probability = |(r, score): &(Run, f64)| {
        (entry[r.from][r.label] + score + exit[r.to][r.label] - total).exp()
    };
    runs.iter().map(probability).collect()
}

/// The labels that a run from unit `from` can have.
pub fn possible(from: usize, yin: bool) -> std::ops::Range<usize> {
    if from == 0 && yin { 0..LABELS } else { 0..YIN }
}

/// Terms of a sum that are smaller than the largest by this factor (as a logarithm) change nothing.
const NEGLIGIBLE_LOG_ODDS: f64 = 40.0;

fn log_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = terms.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    let near = terms.filter(|t| *t > most - NEGLIGIBLE_LOG_ODDS);
    most + near.map(|t| (t - most).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way of cutting, by brute force; with 音義 first if `yin`.
    fn all(n: usize, yin: bool) -> Vec<Vec<Run>> {
        let mut found = vec![];
        for cuts in 0..1u32 << (n - 1) {
            for first in 0..if yin { LABELS } else { YIN } {
                let (mut runs, mut from, mut label) = (vec![], 0, first);
                for to in 1..=n {
                    if to == n || cuts >> (to - 1) & 1 == 1 {
                        runs.push(Run { from, to, label });
                        (from, label) = (to, AFTER[label][0]);
                    }
                }
                found.push(runs);
            }
        }
        found
    }

    fn agrees(yin: bool, longest: usize) {
        let score = |r: Run| {
            ((r.from * 7 + r.to * 13 + r.label * 5) % 11) as f64 / 3.0
                - (r.to - r.from) as f64 * 0.2
        };
        let lattice = Lattice::new(6, longest, yin, score);
        let sum = |runs: &[Run]| runs.iter().map(|r| score(*r)).sum::<f64>();
        let mut paths = all(6, yin);
        paths.retain(|path| path.iter().all(|r| r.to - r.from <= longest));
        let best = paths.iter().max_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap();
        assert_eq!(&lattice.best(), best);
        let through = |run: Run| run.from == 0 || run.label == 0;
        let best = paths
            .iter()
            .filter(|p| p.iter().all(|r| through(*r)))
            .max_by(|a, b| sum(a).total_cmp(&sum(b)))
            .unwrap();
        assert_eq!(lattice.best_of(through).as_ref(), Some(best));
        assert_eq!(lattice.best_of(|r| r.from > 0), None);
        assert!((lattice.total(best) - sum(best)).abs() < 1e-9);
        let z: f64 = paths.iter().map(|p| sum(p).exp()).sum();
        let mut runs = vec![];
        for to in 1..=6_usize {
            for from in to.saturating_sub(longest)..to {
                runs.extend(possible(from, yin).map(|label| Run { from, to, label }));
            }
        }
        let scored: Vec<(Run, f64)> = runs.iter().map(|r| (*r, score(*r))).collect();
        let listed = probabilities(6, &scored);
        let total = lattice.marginals(|run, p| {
            let n = runs.iter().position(|r| *r == run).unwrap();
            assert!((listed[n] - p).abs() < 1e-9, "{run:?} {} {p}", listed[n]);
            let slow: f64 = paths
                .iter()
                .filter(|path| path.contains(&run))
                .map(|path| sum(path).exp())
                .sum::<f64>()
                / z;
            assert!((slow - p).abs() < 1e-9, "{run:?} {slow} {p}");
        });
        assert!((total - z.ln()).abs() < 1e-9);
    }

    #[test]
    fn agrees_with_brute_force() {
        for longest in [3, 4, 9] {
            agrees(false, longest);
            agrees(true, longest);
        }
    }
}
