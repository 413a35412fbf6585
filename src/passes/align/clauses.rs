//! Clause by clause inside a bead of sentences, with what the sentences taught.

use super::band::Band;
use super::dp::{Problem, Step, Types};
use super::report::Pair;
use super::score::{Cells, Length};
use super::train::Trained;
use super::units::{self, Unit};
use crate::model::{Bead, Document};

/// The beads of clauses inside one step; a step with an empty side, or with one clause on a side, is one bead.
pub fn split(pair: &Pair, step: &Step, trained: &Trained, documents: (&Document, &Document)) -> Vec<Bead> {
    let a = cut(&pair.source[step.source.clone()], documents.0);
    let b = cut(&pair.translation[step.translation.clone()], documents.1);
    if !step.is_bead() || a.len() < 2 || b.len() < 2 {
        return vec![super::bead(pair, step, trained)];
    }
    let part = Pair { left: pair.left.part(&a), right: pair.right.part(&b), source: a, translation: b };
    let steps = steps(&part, trained, step.posterior);
    steps.iter().map(|s| super::bead(&part, s, trained)).collect()
}

fn cut(units: &[Unit], document: &Document) -> Vec<Unit> {
    units.iter().flat_map(|u| units::clauses(document, &u.spans)).collect()
}

fn steps(part: &Pair, trained: &Trained, cert: f64) -> Vec<Step> {
    let (source, translation) = (&part.left, &part.right);
    let band = Band::whole(source.len(), translation.len());
    let cells = Cells::new(source, translation, &band, |_| &trained.lexicon);
    // Clauses of one sentence differ in length much more than sentences do.
    let length = Length { deviation: trained.length.deviation * 1.5, ..trained.length };
    let types = Types::clauses();
    let steps = Problem { source, translation, band: &band, cells: &cells, length, types: &types }.solve();
    steps.into_iter().map(|s| Step { posterior: s.posterior * cert, ..s }).collect()
}
