//! What the splitter knows before it sees a text: models of 經 and 注, and the weights of its features
//! (`data/weights.tsv`, made by `zhushu train --lesson`).

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::features::{CLASSIC, FEATURES, NOTE};
use crate::model::Layer;
use crate::passes::known;
use crate::text::ngram::CharModel;

static WEIGHTS_TABLE: &str = include_str!("data/weights.tsv");

/// Characters assumed to exist, for those never seen.
pub const ALPHABET: usize = 8000;

/// The models of 經 and 注 learned from what ships with the program.
pub static SHIPPED: LazyLock<[CharModel; 2]> = LazyLock::new(|| {
    let mut models = [CharModel::new(ALPHABET), CharModel::new(ALPHABET)];
    learn(&mut models, known::runs());
    models
});

/// Adds runs to the models of their layers.
pub fn learn(models: &mut [CharModel; 2], runs: impl Iterator<Item = (Layer, Vec<char>)>) {
    for (layer, run) in runs {
        let label = if layer == Layer::Zhu { NOTE } else { CLASSIC };
        models[label].learn(run.into_iter());
    }
}

/// The weights that ship with the program, in the order of the features.
pub static WEIGHTS: LazyLock<Vec<f64>> = LazyLock::new(|| read_weights(WEIGHTS_TABLE));

fn read_weights(table: &str) -> Vec<f64> {
    let mut weights = vec![0.0; FEATURES.len()];
    for line in table.lines().filter(|l| !l.starts_with('#')) {
        let mut cells = line.split('\t');
        if let (Some(name), Some(Ok(w))) = (cells.next(), cells.next().map(str::parse))
            && let Some(n) = FEATURES.iter().position(|(f, _)| *f == name)
        {
            weights[n] = w;
        }
    }
    weights
}

/// The weights as the file that ships.
pub fn write_weights(weights: &[f64]) -> String {
    let mut out = String::from("# Weights of the splitter's features, made by `zhushu train --lesson`.\n# feature\tweight\n");
    for ((name, _), w) in FEATURES.iter().zip(weights) {
        let _ = writeln!(out, "{name}\t{w:.3}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_its_weight_and_no_weight_is_left_over() {
        let names: Vec<&str> = WEIGHTS_TABLE.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split('\t').next()).collect();
        assert_eq!(
            names,
            FEATURES.iter().map(|f| f.0).collect::<Vec<_>>(),
            "learn the weights anew (`zhushu train --lesson`) after changing the features"
        );
    }

    #[test]
    fn the_weights_of_witnesses_are_those_that_are_set() {
        for (feature, weight) in super::super::witness::FIXED {
            assert_eq!(WEIGHTS[feature as usize], weight, "{feature:?}");
        }
    }
}
