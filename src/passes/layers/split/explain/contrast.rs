//! What supports one reading of a passage against another: the features that differ, times their
//! weights.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::feature::FEATURES;
use super::super::features::{Features, RunScorer};
use crate::model::{EvidenceKind, phrases};
use crate::passes::evidence::run::Run;

/// The sentence for each feature, from `data/facts.tsv`.
static FACTS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("../data/facts.tsv").lines().filter(|l| !l.starts_with('#'));
    lines.filter_map(|l| l.split_once('\t')).collect()
});

/// Smaller differences are not shown.
const MIN_SHOWN_WEIGHT: f64 = 0.005;

/// Evidence of one kind, for a candidate or against it.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The kind of evidence, as segments carry it.
    pub kind: EvidenceKind,
    /// How much it supports the candidate (above 0) or opposes it, as natural log odds.
    pub weight: f64,
    /// The facts that add up to it, strongest first.
    pub facts: Vec<Fact>,
}

impl Ground {
    /// The code of its kind.
    pub fn code(&self) -> &str {
        self.kind.code()
    }
}

/// A feature that one reading has and the other lacks, or has less of.
#[derive(Clone, Debug)]
pub struct Fact {
    /// As a sentence.
    pub words: &'static str,
    /// How much it supports the candidate (above 0) or opposes it.
    pub weight: f64,
    /// True if the candidate's reading has it; false if the reading it is compared with does.
    pub with: bool,
}

/// All differences between two readings, by kind of evidence.
pub fn grounds(
    scorer: &RunScorer<'_>,
    weights: &[f64],
    with: &[Run],
    other: &[Run],
) -> Vec<Ground> {
    let (here, there) = (sums(scorer, with, other), sums(scorer, other, with));
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

/// The features of a reading, summed over the runs that the other lacks.
fn sums(scorer: &RunScorer<'_>, of: &[Run], less: &[Run]) -> Vec<f64> {
    let (mut sums, mut v) = (vec![0.0; FEATURES.len()], Features::new());
    for run in of.iter().filter(|r| !less.contains(r)) {
        scorer.features(*run, &mut v);
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
    fn every_feature_has_a_sentence() {
        let lines: Vec<&str> =
            include_str!("../data/facts.tsv").lines().filter(|l| !l.starts_with('#')).collect();
        assert_eq!(
            lines.iter().filter_map(|l| l.split_once('\t')).map(|l| l.0).collect::<Vec<_>>(),
            FEATURES.iter().map(|f| f.0).collect::<Vec<_>>(),
            "data/facts.tsv has one sentence for each feature, in their order"
        );
    }
}
