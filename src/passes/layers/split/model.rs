//! The weights of the splitter's features (`data/weights.tsv`, made by `zhushu train --lesson`).

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::feature::{FEATURES, OF_WITNESSES};

static WEIGHTS_TABLE: &str = include_str!("data/weights.tsv");

/// What can be relied on in a document; every feature means something else by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guide {
    /// The headers of the sub-commentary name notes: little else need be believed. Otherwise the
    /// words themselves must tell.
    pub headers: bool,
    /// The words are much like those the models have learned from; otherwise the models say less
    /// than they seem to.
    pub kin: bool,
}

impl Guide {
    /// All there are, in the order of the table's columns.
    pub const ALL: [Guide; 4] = [
        Guide { headers: true, kin: true },
        Guide { headers: true, kin: false },
        Guide { headers: false, kin: true },
        Guide { headers: false, kin: false },
    ];

    fn index(self) -> usize {
        2 * usize::from(!self.headers) + usize::from(!self.kin)
    }
}

/// The weights of the features for each guide, for the first reading of a document (its language
/// models know only other texts) and for those after it (they have learned from the document).
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    sets: [[Vec<f64>; 2]; 4],
}

/// Columns of the table, in the order of [`Weights`].
const COLUMNS: [&str; 8] = [
    "headers-kin-first",
    "headers-kin-later",
    "headers-new-first",
    "headers-new-later",
    "kin-first",
    "kin-later",
    "new-first",
    "new-later",
];

impl Weights {
    /// Weights of nothing.
    pub fn zero() -> Weights {
        let sets = std::array::from_fn(|_| std::array::from_fn(|_| vec![0.0; FEATURES.len()]));
        Weights { sets }
    }

    /// Those for a reading.
    pub fn of(&self, guide: Guide, first: bool) -> &[f64] {
        &self.sets[guide.index()][usize::from(!first)]
    }

    /// Puts others in their place.
    pub fn set(&mut self, guide: Guide, first: bool, weights: Vec<f64>) {
        self.sets[guide.index()][usize::from(!first)] = weights;
    }

    /// The same, deaf to witnesses.
    pub fn without_witnesses(&self) -> Weights {
        let mut deaf = self.clone();
        let sets = deaf.sets.iter_mut().flatten();
        sets.for_each(|set| OF_WITNESSES.iter().for_each(|f| set[*f as usize] = 0.0));
        deaf
    }

    fn columns(&self) -> impl Iterator<Item = &Vec<f64>> {
        self.sets.iter().flatten()
    }
}

/// The weights that ship with the program.
pub static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| read_weights(WEIGHTS_TABLE));

fn read_weights(table: &str) -> Weights {
    let mut weights = Weights::zero();
    for line in table.lines().filter(|l| !l.starts_with('#')) {
        let mut cells = line.split('\t');
        let name = cells.next().unwrap_or_default();
        let Some(n) = FEATURES.iter().position(|(f, _)| *f == name) else { continue };
        for (set, cell) in weights.sets.iter_mut().flatten().zip(cells) {
            set[n] = cell.parse().unwrap_or(0.0);
        }
    }
    weights
}

/// The weights as the file that ships.
pub fn write_weights(weights: &Weights) -> String {
    let columns = COLUMNS.join("\t");
    let mut out = format!(
        "# Weights of the splitter's features, made by `zhushu train --lesson`.\n# feature\t{columns}\n"
    );
    for (n, (name, _)) in FEATURES.iter().enumerate() {
        let _ = write!(out, "{name}");
        weights.columns().for_each(|set| {
            let _ = write!(out, "\t{:.3}", set[n]);
        });
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::layers::split::feature::FIXED_WEIGHTS;

    #[test]
    fn every_feature_has_its_weight_and_no_weight_is_left_over() {
        let names: Vec<&str> = WEIGHTS_TABLE
            .lines()
            .filter(|l| !l.starts_with('#'))
            .filter_map(|l| l.split('\t').next())
            .collect();
        assert_eq!(
            names,
            FEATURES.iter().map(|f| f.0).collect::<Vec<_>>(),
            "learn the weights anew (`zhushu train --lesson`) after changing the features"
        );
    }

    #[test]
    fn the_weights_that_are_not_learned_are_those_that_are_set() {
        for (feature, weight) in FIXED_WEIGHTS {
            assert!(WEIGHTS.columns().all(|set| set[feature as usize] == weight), "{feature:?}");
        }
    }
}
