//! What translations show of a paragraph's clauses.

use thin_vec::{ThinVec, thin_vec};

use super::run::Run;

/// What translations show of a paragraph's clauses.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    /// Sums up to each clause of the evidence for 經; empty without a translation.
    classic: ThinVec<f64>,
    /// The same for 注.
    note: ThinVec<f64>,
}

impl Rendered {
    /// From a value for each clause: 1 rendered, −1 passed over, 0 unknown.
    pub fn of(own: &[f64]) -> Self {
        Rendered { classic: sums(own, 1.0), note: sums(own, -1.0) }
    }

    /// How much of a run, taken as a note, is rendered.
    pub fn in_note(&self, run: Run) -> Option<f64> {
        between(&self.classic, run)
    }

    /// How much of a run, taken as classic, is passed over.
    pub fn not_in_classic(&self, run: Run) -> Option<f64> {
        between(&self.note, run)
    }
}

fn between(sums: &[f64], run: Run) -> Option<f64> {
    let n = sums.get(run.to)? - sums.get(run.from)?;
    (n > 0.0).then_some(n)
}

fn sums(own: &[f64], sign: f64) -> ThinVec<f64> {
    let mut sums = thin_vec![0.0];
    own.iter().for_each(|v| sums.push(sums[sums.len() - 1] + (v * sign).max(0.0)));
    sums
}
