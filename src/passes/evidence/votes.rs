//! What witnesses say of the characters of a paragraph.

use std::sync::Arc;

use super::run::{CLASSIC, NOTE};
use crate::model::{Evidence, EvidenceKind};

/// The least strength of a vote that a border is projected by.
pub const FIRM_VOTE: f64 = 0.6;

/// What the witnesses say of a paragraph.
#[derive(Clone, Debug, Default)]
pub struct Votes {
    /// For each character, above 0 for 經, below 0 for 注, 0 where no witness speaks; 1 is sure.
    pub of: Vec<f64>,
    /// Places where a layer begins in a witness, in order, with the witness.
    pub borders: Vec<Border>,
    /// The witness that speaks of most of its characters.
    pub witness: Option<Arc<str>>,
}

/// A place where a layer begins in a witness.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Border {
    /// The character it begins with.
    pub at: usize,
    /// The witness marks it; otherwise it lacks a note there.
    pub exact: bool,
    /// The witness.
    pub witness: Arc<str>,
}

impl Votes {
    /// Prefix sums of the votes for a label; nothing where no witness speaks.
    pub fn sums(&self, label: usize) -> Vec<f64> {
        let votes = self.of.iter().scan(0.0, |sum, v| {
            *sum += for_label(label, *v);
            Some(*sum)
        });
        if self.of.is_empty() { Vec::new() } else { std::iter::once(0.0).chain(votes).collect() }
    }

    /// The votes on a stretch that speak for a layer, as a sum.
    pub fn sum(&self, label: usize, from: usize, to: usize) -> f64 {
        self.of.get(from..to).map_or(0.0, |v| v.iter().map(|v| for_label(label, *v)).sum())
    }

    /// Why a run is what it is, in words.
    pub fn evidence(&self, run_from: usize, run_to: usize, label: usize) -> Evidence {
        let name = |w: &Arc<str>| w.to_string();
        let border =
            self.borders.iter().find(|b| b.at == run_from && run_from > 0).map(|b| &b.witness);
        let words = match (border, label) {
            (Some(w), NOTE) => format!("{} ends the 經 here", name(w)),
            (Some(w), _) => format!("{} ends the 注 here", name(w)),
            _ if self.sum(label, run_from, run_to) > 0.0 => {
                let who = self.witness.as_ref().map(name).unwrap_or_default();
                format!("{who} has these words as {}", ["經", "注"][label])
            }
            _ => return Evidence::of(EvidenceKind::Witness),
        };
        Evidence::new(EvidenceKind::Witness, words)
    }
}

/// How strongly a vote speaks for a label.
pub fn for_label(label: usize, vote: f64) -> f64 {
    if label == CLASSIC { vote.max(0.0) } else { (-vote).max(0.0) }
}
