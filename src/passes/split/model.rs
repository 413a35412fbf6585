//! What the splitter knows before it sees a text: characters of 經 and 注 to learn from, and the weights of its features.
//!
//! Both ship with the program as text (`data/model.txt`, `data/weights.tsv`), made by `zhushu train`.

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::features::{CLASSIC, FEATURES, NOTE};
use super::ngram::Trigrams;
use crate::model::{Document, Layer};
use crate::text::Key;

static RUNS: &str = include_str!("data/model.txt");
static WEIGHTS_TABLE: &str = include_str!("data/weights.tsv");

/// The two models learned from the texts that ship with the program.
pub static SHIPPED: LazyLock<[Trigrams; 2]> = LazyLock::new(|| {
    let mut models = [Trigrams::default(), Trigrams::default()];
    for line in RUNS.lines() {
        let Some((layer, words)) = line.split_once('\t') else { continue };
        let label = match layer {
            "jing" => CLASSIC,
            "zhu" => NOTE,
            _ => continue,
        };
        let words: Vec<char> = words.chars().map(crate::text::fold::fold).collect();
        models[label].learn(&words, 1.0);
    }
    models
});

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
    let mut out = String::from("# Weights of the splitter's features, made by `zhushu train --weights`.\n# feature\tweight\n");
    for ((name, _), w) in FEATURES.iter().zip(weights) {
        let _ = writeln!(out, "{name}\t{w:.3}");
    }
    out
}

/// The runs of 經 and 注 that some documents' own marks set apart, as the file that ships.
pub fn write_runs<'a>(documents: impl IntoIterator<Item = &'a Document>) -> String {
    let mut out = String::from("# Runs of 經 and 注 as their sources mark them, made by `zhushu train`.\n");
    for d in documents {
        let _ = writeln!(out, "# {}", d.id);
        for (label, run) in marked_runs(d) {
            let words: String = run.iter().collect();
            let _ = writeln!(out, "{}\t{words}", ["jing", "zhu"][label]);
        }
    }
    out
}

/// Runs that a document's own marks set apart, folded.
pub fn marked_runs(document: &Document) -> Vec<(usize, Vec<char>)> {
    let mut runs: Vec<(usize, Vec<char>)> = Vec::new();
    for s in &document.segments {
        let label = match s.layer {
            Layer::Jing => CLASSIC,
            Layer::Zhu => NOTE,
            _ => continue,
        };
        if s.cert.get() < 0.9 {
            continue;
        }
        let chars = Key::of(document.source.text(), s.span).chars;
        if !chars.is_empty() {
            runs.push((label, chars));
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_its_weight_and_no_weight_is_left_over() {
        let names: Vec<&str> = WEIGHTS_TABLE.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split('\t').next()).collect();
        assert_eq!(names, FEATURES.iter().map(|f| f.0).collect::<Vec<_>>(), "run `zhushu train --weights` after changing the features");
    }

    #[test]
    fn the_weights_of_witnesses_are_those_that_are_set() {
        for (feature, weight) in super::super::witness::FIXED {
            assert_eq!(WEIGHTS[feature as usize], weight, "{feature:?}");
        }
    }
}
