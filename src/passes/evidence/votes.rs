//! What witnesses show of the characters of a paragraph.

use std::sync::Arc;

use thin_vec::ThinVec;

use super::run::{CLASSIC, NOTE};
use crate::model::{Evidence, EvidenceKind};

/// The least strength of the votes on both sides of a border that is projected.
pub const FIRM_VOTE: f64 = 0.6;

/// What witnesses show of a paragraph.
#[derive(Clone, Debug, Default)]
pub struct Votes {
    /// For each character: above 0 for 經, below 0 for 注, 0 without a witness; 1 is certain.
    pub of: ThinVec<f64>,
    /// Places where a layer begins in a witness, in order.
    pub borders: ThinVec<Border>,
    /// All witnesses of it are plain classics, without notes.
    pub plain: bool,
    /// The witness with votes on the most characters.
    pub witness: Option<Arc<str>>,
}

/// A place where a layer begins in a witness.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Border {
    /// The character it begins with.
    pub at: usize,
    /// The witness marks it. If false, the witness lacks a note that begins or ends here.
    pub exact: bool,
    /// The witness.
    pub witness: Arc<str>,
}

impl Votes {
    /// Prefix sums of the votes for a label; empty without a witness.
    pub fn sums(&self, label: usize) -> Vec<f64> {
        let votes = self.of.iter().scan(0.0, |sum, v| {
            *sum += for_label(label, *v);
            Some(*sum)
        });
        if self.of.is_empty() { Vec::new() } else { std::iter::once(0.0).chain(votes).collect() }
    }

    /// The sum of the votes for a label on characters `from..to`.
    pub fn sum(&self, label: usize, from: usize, to: usize) -> f64 {
        self.of.get(from..to).map_or(0.0, |v| v.iter().map(|v| for_label(label, *v)).sum())
    }

    /// The evidence of the witnesses for a run, with a sentence.
    pub fn evidence(&self, run_from: usize, run_to: usize, label: usize) -> Evidence {
        let name = |w: &Arc<str>| w.to_string();
        let border =
            self.borders.iter().find(|b| b.at == run_from && run_from > 0).map(|b| &b.witness);
        let words = match (border, label) {
            (Some(w), NOTE) => format!("{} ends the 經 here", name(w)),
            (Some(w), _) => format!("{} ends the 注 here", name(w)),
            _ if self.sum(label, run_from, run_to) > 0.0 => {
                let who = self.witness.as_ref().map(name).unwrap_or_default();
                format!("{who} has these words as {}", ["經", "注", "音義"][label])
            }
            _ => return Evidence::of(EvidenceKind::Witness),
        };
        Evidence::new(EvidenceKind::Witness, words)
    }
}

/// How strongly a vote supports a label.
pub fn for_label(label: usize, vote: f64) -> f64 {
    if label == CLASSIC { vote.max(0.0) } else { (-vote).max(0.0) }
}
