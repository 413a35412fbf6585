//! What speaks for one reading of a passage and against another: the features that differ, times
//! their weights.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::feature::FEATURES;
use super::super::features::{Features, RunScorer};
use crate::model::{EvidenceKind, phrases};
use crate::passes::evidence::run::Run;

/// Feature → what it says, from `data/facts.tsv`.
static FACTS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("../data/facts.tsv").lines().filter(|l| !l.starts_with('#'));
    lines.filter_map(|l| l.split_once('\t')).collect()
});

/// Differences below this say nothing.
const MIN_SHOWN_WEIGHT: f64 = 0.005;

/// Evidence of one kind, for a candidate or against it.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The kind of evidence, as segments carry it.
    pub kind: EvidenceKind,
    /// How much it speaks for the candidate (above 0) or against it, as a natural logarithm of
    /// odds.
    pub weight: f64,
    /// What it is made up of, strongest first.
    pub facts: Vec<Fact>,
}

impl Ground {
    /// The code of its kind.
    pub fn code(&self) -> &str {
        self.kind.code()
    }
}

/// Something that is true of one reading and not (or less) of the other.
#[derive(Clone, Debug)]
pub struct Fact {
    /// In words.
    pub words: &'static str,
    /// How much it speaks for the candidate (above 0) or against it.
    pub weight: f64,
    /// True if it holds with the candidate; otherwise of the reading it is compared with.
    pub with: bool,
}

/// All that tells two readings apart, by evidence.
pub fn grounds(scene: &RunScorer<'_>, weights: &[f64], with: &[Run], other: &[Run]) -> Vec<Ground> {
    let (here, there) = (sums(scene, with, other), sums(scene, other, with));
    let mut grounds: Vec<Ground> = Vec::new();
    for (n, (name, kind)) in FEATURES.iter().enumerate() {
        let weight = weights[n] * (here[n] - there[n]);
        if weight.abs() < MIN_SHOWN_WEIGHT {
            continue;
        }
        let fact = Fact { words: words(name, kind), weight, with: here[n] > there[n] };
        match grounds.iter_mut().find(|g| g.kind == *kind) {
            Some(g) => {
                g.weight += weight;
                g.facts.push(fact);
            }
            None => grounds.push(Ground { kind: kind.clone(), weight, facts: vec![fact] }),
        }
    }
    grounds.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    grounds
        .iter_mut()
        .for_each(|g| g.facts.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs())));
    grounds
}

/// The features of a reading, summed over the runs that the other has not.
fn sums(scene: &RunScorer<'_>, of: &[Run], less: &[Run]) -> Vec<f64> {
    let (mut sums, mut v) = (vec![0.0; FEATURES.len()], Features::new());
    for run in of.iter().filter(|r| !less.contains(r)) {
        scene.features(*run, &mut v);
        v.iter().for_each(|(f, x)| sums[*f as usize] += x);
    }
    sums
}

fn words(feature: &'static str, kind: &'static EvidenceKind) -> &'static str {
    FACTS.get(feature).copied().unwrap_or_else(|| phrases::english(kind.code()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_its_sentence() {
        let lines: Vec<&str> =
            include_str!("../data/facts.tsv").lines().filter(|l| !l.starts_with('#')).collect();
        assert_eq!(
            lines.iter().filter_map(|l| l.split_once('\t')).map(|l| l.0).collect::<Vec<_>>(),
            FEATURES.iter().map(|f| f.0).collect::<Vec<_>>(),
            "data/facts.tsv has one sentence for each feature, in their order"
        );
    }
}
