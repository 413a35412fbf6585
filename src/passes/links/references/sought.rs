//! Words whose place is sought, and the place that was found.

use std::ops::Range;

use crate::model::{Document, Evidence, EvidenceKind, Status, Target};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{ends_clause, ends_sentence};

/// A place found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Where.
    pub target: Target,
    /// How well.
    pub status: Status,
    /// How sure, 0 to 1.
    pub certainty: f64,
    /// Kebab-case name of how it was found.
    pub how: EvidenceKind,
    /// Other places.
    pub alternatives: Vec<Target>,
    /// Characters that differ.
    pub diff: usize,
    /// Which.
    pub differs: Option<Evidence>,
}

/// Words to be found, and where their clauses end.
#[derive(Clone, Debug)]
pub struct Words {
    /// Their characters.
    pub key: Key,
    /// Ends of clauses, as indices into them; the last is their number.
    pub cuts: Vec<usize>,
}

impl Words {
    /// The words of a span.
    pub fn of(document: &Document, span: Span) -> Self {
        let text = document.source.text();
        let key = Key::of(text, span);
        let mut cuts = Vec::new();
        for i in 1..key.len() {
            let between = &text[key.ends[i - 1] as usize..key.at[i] as usize];
            if between.chars().any(|c| ends_clause(c) || ends_sentence(c)) {
                cuts.push(i);
            }
        }
        cuts.push(key.len());
        Words { key, cuts }
    }

    /// Number of characters.
    pub fn len(&self) -> usize {
        self.key.len()
    }

    /// The clauses.
    pub fn clauses(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.cuts.iter().scan(0, |from, &to| {
            let r = *from..to;
            *from = to;
            Some(r)
        })
    }
}

/// Differences let pass in `n` characters.
pub fn tolerance(n: usize) -> usize {
    match n {
        0..=2 => 0,
        3..=6 => 1,
        7..=11 => 2,
        _ => (n / 5).min(6),
    }
}
