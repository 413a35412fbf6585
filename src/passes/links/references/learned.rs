//! Weighs what speaks for and against something by weights that were learned from lists made by hand.
//!
//! A candidate has features: numbers with names. A logistic function makes a probability of their
//! weighted sum. The weights are in `data/weights.tsv`; `lab/fit_references.py` fits them.

use std::borrow::Cow;
use std::fs::File;
use std::io::Write;
use std::sync::{LazyLock, Mutex, PoisonError};

use rustc_hash::FxHashMap;

static DATA: &str = include_str!("data/weights.tsv");

/// How many features a candidate usually has.
const USUAL_FEATURES: usize = 40;

/// Features of a candidate.
#[derive(Clone, Debug)]
pub struct Features(Vec<(Cow<'static, str>, f32)>);

impl Default for Features {
    fn default() -> Self {
        Features(Vec::with_capacity(USUAL_FEATURES))
    }
}

impl Features {
    /// Adds one.
    pub fn add(&mut self, name: impl Into<Cow<'static, str>>, value: f32) {
        if value != 0.0 {
            self.0.push((name.into(), value));
        }
    }

    /// Adds one that is there or not.
    pub fn flag(&mut self, name: impl Into<Cow<'static, str>>, is_so: bool) {
        self.add(name, f32::from(u8::from(is_so)));
    }

    /// All of them.
    pub fn all(&self) -> &[(Cow<'static, str>, f32)] {
        &self.0
    }
}

/// What decides about candidates of one sort.
pub struct Model {
    weights: FxHashMap<&'static str, f32>,
}

impl Model {
    fn of(sort: &str) -> Self {
        let rows = DATA.lines().filter(|l| !l.starts_with('#'));
        let of_sort = rows.filter_map(|row| {
            let mut cells = row.split('\t');
            let (model, name) = (cells.next()?, cells.next()?);
            let weight = cells.next()?.parse().ok()?;
            (model == sort).then_some((name, weight))
        });
        Model { weights: of_sort.collect() }
    }

    /// How probable it is that a candidate is right.
    pub fn probability(&self, features: &Features) -> f64 {
        let weight = |name: &str| self.weights.get(name).copied().unwrap_or(0.0);
        let sum: f32 =
            features.all().iter().map(|(name, value)| weight(name.as_ref()) * value).sum();
        1.0 / (1.0 + f64::from(-sum - weight("base")).exp())
    }
}

/// Whether a place is what a citation means.
pub static GUESSES: LazyLock<Model> = LazyLock::new(|| Model::of("guess"));

/// The file that `ZHUSHU_WEIGHED` names, to which candidates are written that weights are learned from.
static WEIGHED: LazyLock<Option<Mutex<File>>> = LazyLock::new(|| {
    let path = std::env::var_os("ZHUSHU_WEIGHED")?;
    File::create(path).ok().map(Mutex::new)
});

/// True if all candidates are wanted.
pub fn is_noting() -> bool {
    WEIGHED.is_some()
}

/// Writes a candidate, if they are wanted: what it is, then its features.
pub fn note(what: impl FnOnce() -> String, features: &Features) {
    let Some(file) = &*WEIGHED else { return };
    let features: Vec<String> = features.all().iter().map(|(n, v)| format!("{n}={v}")).collect();
    let row = format!("{}\t{}\n", what(), features.join(" "));
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    // A row that is not written is not learned from; the links are the same.
    let _ = file.write_all(row.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_model_a_name_and_a_figure() {
        for row in DATA.lines().filter(|l| !l.starts_with('#')) {
            let cells: Vec<&str> = row.split('\t').collect();
            let [model, name, weight] = cells[..] else { panic!("{row}") };
            let is_known = model == "guess";
            assert!(is_known && !name.is_empty() && weight.parse::<f32>().is_ok(), "{row}");
        }
    }

    #[test]
    fn what_speaks_for_a_candidate_makes_it_more_probable() {
        let model = Model { weights: FxHashMap::from_iter([("base", -2.0), ("exact", 3.0)]) };
        let mut exact = Features::default();
        exact.flag("exact", true);
        exact.flag("unknown", true);
        let (with, without) = (model.probability(&exact), model.probability(&Features::default()));
        assert!((with - 0.731).abs() < 0.001 && (without - 0.119).abs() < 0.001);
    }
}
