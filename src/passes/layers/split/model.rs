//! The weights of the splitter's features (`data/weights.tsv`, made by `lab train --lessons`).

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use super::common::CommonCharacters;
use super::feature::{FEATURES, WITNESS_FEATURES};

static WEIGHTS_TABLE: &str = include_str!("data/weights.tsv");

/// Number of guides.
const GUIDES: usize = 7;

/// Which evidence a document has; each feature has other weights for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guide {
    /// The headers of the sub-commentary name notes and are strong evidence. Without them the text
    /// itself must decide.
    pub headers: bool,
    /// The text is much like those the models have learned from. Otherwise the models are less
    /// reliable than they seem.
    pub kin: bool,
    /// The text is one of the classics that the program knows. If so, `kin` does not
    /// matter.
    pub canon: bool,
    /// None of these, nor has any other text its words: it has to be guessed from itself.
    pub alone: bool,
}

impl Guide {
    /// All guides, in the order of the table's columns.
    pub const ALL: [Guide; GUIDES] = [
        Guide { headers: true, kin: true, canon: false, alone: false },
        Guide { headers: true, kin: false, canon: false, alone: false },
        Guide { headers: false, kin: true, canon: false, alone: false },
        Guide { headers: false, kin: false, canon: false, alone: false },
        Guide { headers: true, kin: true, canon: true, alone: false },
        Guide { headers: false, kin: true, canon: true, alone: false },
        Guide::ALONE,
    ];

    /// Of a text of which nothing but itself is evidence.
    pub const ALONE: Guide = Guide { headers: false, kin: false, canon: false, alone: true };

    /// True if nothing of the program's own is evidence; other texts may be.
    pub fn is_unknown(self) -> bool {
        !self.headers && !self.kin && !self.canon
    }

    fn index(self) -> usize {
        if self.alone {
            return GUIDES - 1;
        }
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
    /// Characters that are common in notes or in classics: for books of which something is known,
    /// and for all others, which are learned from more kinds of books.
    common: [Arc<CommonCharacters>; 2],
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
    "alone-first",
    "alone-later",
];

impl Weights {
    /// All weights 0.
    pub fn zero() -> Weights {
        let sets = std::array::from_fn(|_| std::array::from_fn(|_| vec![0.0; FEATURES.len()]));
        Weights { sets, common: Default::default() }
    }

    /// The weights that ship with the program.
    pub fn builtin() -> &'static Weights {
        &BUILTIN
    }

    /// The weights of a table made by [`write_weights`].
    ///
    /// # Errors
    /// The number of the first wrong line, and what is wrong with it.
    pub fn parse(table: &str) -> Result<Weights, (usize, String)> {
        let mut weights = Weights::zero();
        let mut common = [CommonCharacters::default(), CommonCharacters::default()];
        let mut guessed = 0;
        let rows = table.lines().enumerate();
        let mut features = FEATURES.iter().enumerate();
        for (line, row) in rows {
            if row.starts_with('#') {
                guessed = guessed.max(usize::from(row == GUESSED_HEAD));
                continue;
            }
            let mut cells = row.split('\t');
            let name = cells.next().unwrap_or_default();
            if common[guessed].read_row(name, &mut cells.clone()) {
                continue;
            }
            let Some((n, _)) = features.next().filter(|(_, (f, _))| *f == name) else {
                return Err((line + 1, format!("“{name}” is not the feature expected here")));
            };
            for set in weights.sets.iter_mut().flatten() {
                let cell = cells.next().and_then(|c| c.parse::<f64>().ok());
                let figure = cell.filter(|c| c.is_finite());
                set[n] = figure.ok_or((line + 1, format!("a figure of “{name}” is missing")))?;
            }
        }
        match features.next() {
            Some((_, (missing, _))) => {
                Err((table.lines().count(), format!("the feature “{missing}” is missing")))
            }
            None => {
                weights.common = common.map(Arc::new);
                Ok(weights)
            }
        }
    }

    /// Sets the characters that are common in notes or in classics.
    pub fn set_common(&mut self, guide: Guide, common: CommonCharacters) {
        self.common[usize::from(guide.alone)] = Arc::new(common);
    }

    /// Characters that are common in notes or in classics.
    pub fn common(&self, guide: Guide) -> &Arc<CommonCharacters> {
        &self.common[usize::from(guide.alone)]
    }

    /// The same with all that is used for a guide taken from others.
    pub fn with(mut self, guide: Guide, others: &Weights) -> Weights {
        self.sets[guide.index()] = others.sets[guide.index()].clone();
        self.set_common(guide, (**others.common(guide)).clone());
        self
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

static BUILTIN: LazyLock<Arc<Weights>> = LazyLock::new(|| {
    Arc::new(Weights::parse(WEIGHTS_TABLE).expect("weights.tsv is read by a test"))
});

/// Opens the second part of the table.
const COMMON_HEAD: &str = "# Characters, in any book, as logarithms of odds.\n\
    # character\tin notes\tbegins a note\tbegins classic after one\n";

/// Opens the third part of the table.
const GUESSED_HEAD: &str = "# The same for books of which nothing is known.";

/// The weights as the file that ships.
pub fn write_weights(weights: &Weights) -> String {
    let columns = COLUMNS.join("\t");
    let mut out = format!(
        "# Weights of the splitter's features, made by `lab train --lessons`.\n# feature\t{columns}\n"
    );
    for (n, (name, _)) in FEATURES.iter().enumerate() {
        let _ = write!(out, "{name}");
        weights.columns().for_each(|set| {
            let _ = write!(out, "\t{:.3}", set[n]);
        });
        out.push('\n');
    }
    out.push_str(COMMON_HEAD);
    out.push_str(&weights.common[0].rows());
    let _ = writeln!(out, "{GUESSED_HEAD}");
    out.push_str(&weights.common[1].rows());
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
            .filter(|name| name.is_ascii())
            .collect();
        assert_eq!(
            names,
            FEATURES.iter().map(|f| f.0).collect::<Vec<_>>(),
            "data/weights.tsv has one row for each feature, in their order: learn them again (`lab \
             train --lessons`), or write a row of zeros"
        );
    }

    #[test]
    fn fixed_weights_have_their_set_values() {
        for (feature, weight) in FIXED_WEIGHTS {
            assert!(
                Weights::builtin().columns().all(|set| set[feature as usize] == weight),
                "{feature:?}"
            );
        }
    }

    #[test]
    fn a_written_table_is_read_again() {
        assert_eq!(write_weights(Weights::builtin()), WEIGHTS_TABLE);
        let mut weights = Weights::zero();
        let guides = || Guide::ALL.into_iter().flat_map(|guide| [(guide, true), (guide, false)]);
        for (n, (guide, first)) in guides().enumerate() {
            weights.set(guide, first, vec![n as f64; FEATURES.len()]);
        }
        for (n, (guide, first)) in guides().enumerate() {
            // The columns of the table are in this order.
            let set = vec![n as f64; FEATURES.len()];
            assert_eq!(weights.of(guide, first), set, "{guide:?} {first}");
            assert_eq!(weights.columns().nth(n), Some(&set));
        }
        let read = Weights::parse(&write_weights(&weights)).unwrap();
        for (guide, first) in guides() {
            assert_eq!(read.of(guide, first), weights.of(guide, first), "{guide:?} {first}");
            assert_ne!(weights.of(guide, true), weights.of(guide, false));
        }
    }

    #[test]
    fn an_error_names_the_line() {
        let lines: Vec<&str> = WEIGHTS_TABLE.lines().collect();
        let at = lines.iter().position(|l| l.starts_with("NoteBegins")).unwrap();
        let line_of = |lines: &[&str]| Weights::parse(&lines.join("\n")).unwrap_err();
        let mut changed = lines.clone();
        changed[at] = "NoteBegins\t1.0";
        assert_eq!(line_of(&changed), (at + 1, "a figure of “NoteBegins” is missing".into()));
        changed[at] = "NoteEnds";
        let message = "“NoteEnds” is not the feature expected here";
        assert_eq!(line_of(&changed), (at + 1, message.into()));
        let (line, message) = line_of(&lines[..at]);
        assert_eq!((line, message.as_str()), (at, "the feature “NoteBegins” is missing"));
    }
}
