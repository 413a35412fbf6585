//! The weights of the splitter's features (`data/weights.tsv`, made by `zhushu train --lesson`).

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::feature::{FEATURES, WITNESS_FEATURES};

static WEIGHTS_TABLE: &str = include_str!("data/weights.tsv");

/// Number of guides.
const GUIDES: usize = 6;

/// Which evidence a document has; each feature has other weights for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guide {
    /// The headers of the sub-commentary name notes and are strong evidence. Without them the text
    /// itself must decide.
    pub headers: bool,
    /// The text is much like those the models have learned from. Otherwise the models are less
    /// reliable than they seem.
    pub kin: bool,
    /// The text is one of the classics that the program knows. This tells more than `kin`, which
    /// then does not matter.
    pub canon: bool,
}

impl Guide {
    /// All guides, in the order of the table's columns.
    pub const ALL: [Guide; GUIDES] = [
        Guide { headers: true, kin: true, canon: false },
        Guide { headers: true, kin: false, canon: false },
        Guide { headers: false, kin: true, canon: false },
        Guide { headers: false, kin: false, canon: false },
        Guide { headers: true, kin: true, canon: true },
        Guide { headers: false, kin: true, canon: true },
    ];

    fn index(self) -> usize {
        match self.canon {
            false => 2 * usize::from(!self.headers) + usize::from(!self.kin),
            true => 4 + usize::from(!self.headers),
        }
    }
}

/// The weights of the features for each guide: for the first reading of a document (its language
/// models know only other texts), and for later ones (they have learned from the document).
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    sets: [[Vec<f64>; 2]; GUIDES],
}

/// Columns of the table, in the order of [`Weights`].
const COLUMNS: [&str; 2 * GUIDES] = [
    "headers-kin-first",
    "headers-kin-later",
    "headers-new-first",
    "headers-new-later",
    "kin-first",
    "kin-later",
    "new-first",
    "new-later",
    "headers-canon-first",
    "headers-canon-later",
    "canon-first",
    "canon-later",
];

impl Weights {
    /// All weights 0.
    pub fn zero() -> Weights {
        let sets = std::array::from_fn(|_| std::array::from_fn(|_| vec![0.0; FEATURES.len()]));
        Weights { sets }
    }

    /// The weights for a reading.
    pub fn of(&self, guide: Guide, first: bool) -> &[f64] {
        &self.sets[guide.index()][usize::from(!first)]
    }

    /// Sets the weights for a reading.
    pub fn set(&mut self, guide: Guide, first: bool, weights: Vec<f64>) {
        self.sets[guide.index()][usize::from(!first)] = weights;
    }

    /// The same, without the weights of witnesses.
    pub fn without_witnesses(&self) -> Weights {
        let mut weights = self.clone();
        let sets = weights.sets.iter_mut().flatten();
        sets.for_each(|set| WITNESS_FEATURES.iter().for_each(|f| set[*f as usize] = 0.0));
        weights
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
    fn features_and_weights_match_one_to_one() {
        let names: Vec<&str> = WEIGHTS_TABLE
            .lines()
            .filter(|l| !l.starts_with('#'))
            .filter_map(|l| l.split('\t').next())
            .collect();
        assert_eq!(
            names,
            FEATURES.iter().map(|f| f.0).collect::<Vec<_>>(),
            "learn the weights again (`zhushu train --lesson`) after changing the features"
        );
    }

    #[test]
    fn fixed_weights_have_their_set_values() {
        for (feature, weight) in FIXED_WEIGHTS {
            assert!(WEIGHTS.columns().all(|set| set[feature as usize] == weight), "{feature:?}");
        }
    }
}
