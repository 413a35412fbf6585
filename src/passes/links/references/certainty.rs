//! How often references are right to which a rule gives some certainty.
//!
//! Every rule gives its links a certainty of its own: by the margin over the next place, by how
//! many characters differ, or a constant where it has nothing to go by. A logistic function makes
//! a probability of it, with an offset for each kind of reference and way of being found. Its
//! figures are in `data/certainty.tsv`; `lab/fit_certainties.py` fits them to the lists made
//! by hand, and shows how well they fit a list that was left out.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::model::{Certainty, Link};

static DATA: &str = include_str!("data/certainty.tsv");

static SAID: &str = include_str!("data/said.tsv");

macro_rules! said {
    ($($name:ident)*) => {
        $(
            #[allow(missing_docs)]
            pub static $name: LazyLock<f64> = LazyLock::new(|| figure(stringify!($name)));
        )*
    };
}

said! {
    EXACT SHORT CROWD DIFFERING TITLE UNRESOLVED UNNAMED UNNAMED_CROWD FAR UNSAID HALF_RANGE SCOPE_END
    THIS REPEATED ECHO SENTENCE JUST_BEFORE EXPLAINED TWO_BEFORE OWN_READING OTHER_READING FLAT
    SHORT_FLAT
}

fn figure(name: &str) -> f64 {
    let mut rows = SAID.lines().filter_map(|row| row.split_once('\t'));
    let row = rows.find(|(n, _)| *n == name).expect("said.tsv has a row of this name");
    row.1.parse().expect("a probability")
}

/// The closest to 0 and 1 that a rule's certainty counts.
const MIN_DOUBT: f64 = 0.001;

struct Fit {
    base: f64,
    slope: f64,
    offsets: HashMap<(&'static str, &'static str), f64>,
}

static FIT: LazyLock<Fit> = LazyLock::new(|| {
    let mut fit = Fit { base: 0.0, slope: 1.0, offsets: HashMap::new() };
    let rows = DATA.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
    for row in rows {
        let mut cells = row.split('\t');
        let (kind, status) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        let value = cells.next().and_then(|v| v.parse().ok()).unwrap_or_default();
        match (kind, status) {
            ("all", "base") => fit.base = value,
            ("all", "slope") => fit.slope = value,
            of => _ = fit.offsets.insert(of, value),
        }
    }
    fit
});

/// The probability that a link is right, from what its rule says.
pub fn fitted(link: &Link) -> Certainty {
    let fit = &*FIT;
    let offset = fit.offsets.get(&(link.kind.id(), link.status.id())).copied().unwrap_or(0.0);
    let said = link.certainty.get().clamp(MIN_DOUBT, 1.0 - MIN_DOUBT);
    let x = fit.base + offset + fit.slope * (said / (1.0 - said)).ln();
    Certainty::new(1.0 / (1.0 + (-x).exp()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{LinkKind, Status};

    #[test]
    fn every_figure_of_the_table_is_used_and_a_probability() {
        let source = include_str!("certainty.rs");
        for row in SAID.lines().filter(|l| !l.starts_with('#')) {
            let (name, _) = row.split_once('\t').expect("a name and a figure");
            assert!(source.split([' ', '\n']).any(|word| word == name), "{name}");
            assert!((0.0..=1.0).contains(&figure(name)), "{name}");
        }
    }

    #[test]
    fn every_row_is_of_a_kind_and_a_status_and_has_a_figure() {
        let kinds: Vec<_> = LinkKind::ALL.iter().map(|k| k.id()).collect();
        let statuses: Vec<_> = Status::ALL.iter().map(|s| s.id()).collect();
        for row in DATA.lines().filter(|l| !l.starts_with('#')) {
            let cells: Vec<&str> = row.split('\t').collect();
            let [kind, status, value] = cells[..] else { panic!("{row}") };
            assert!(kind == "all" || kinds.contains(&kind) && statuses.contains(&status), "{row}");
            assert!(value.parse::<f64>().is_ok(), "{row}");
        }
        assert!(FIT.slope > 0.0, "what a rule is surer of stays surer");
    }
}
