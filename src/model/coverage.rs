//! How many Chinese characters of a document are in its layers, and how many in none.

use std::collections::BTreeMap;

use super::{Document, EvidenceKind, Layer, LayerKind, Segment};
use crate::diag::Diagnostic;
use crate::text::class::is_content;

/// Share of the characters in no layer above which a text is reported.
const MANY: f64 = 0.02;
/// Least number of them, since a line or two are more than that of a short text.
const LEAST: usize = 40;

/// Chinese characters of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coverage {
    /// By layer; without titles, and without those in no layer.
    pub by_layer: BTreeMap<Layer, usize>,
    /// In no layer: other text than of the work, page furniture, and what is not yet separated.
    pub in_none: usize,
}

impl Coverage {
    /// Adds those of another document.
    pub fn add(&mut self, other: Coverage) {
        for (layer, n) in other.by_layer {
            *self.by_layer.entry(layer).or_default() += n;
        }
        self.in_none += other.in_none;
    }

    /// Share of the characters that are in no layer.
    pub fn share(&self) -> f64 {
        let all = self.by_layer.values().sum::<usize>() + self.in_none;
        self.in_none as f64 / all.max(1) as f64
    }
}

impl Document {
    /// Counts the characters in layers and in none.
    pub(crate) fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::default();
        for segment in &self.segments {
            match segment.layer {
                Layer::Mark | Layer::Blank | Layer::Heading => {}
                layer if is_in_none(layer) => coverage.in_none += self.han_in(segment),
                layer => {
                    *coverage.by_layer.entry(layer).or_default() += self.han_in(segment);
                }
            }
        }
        coverage
    }

    fn han_in(&self, segment: &Segment) -> usize {
        let words = self.without_marks(segment.span);
        words.map(|span| self.slice(span).chars().filter(|c| is_han(*c)).count()).sum()
    }

    /// Warns if many characters are in no layer for which nothing accounts: a preface is none of
    /// the work, and a page that stands twice is left out on purpose.
    pub(crate) fn warn_of_unlayered(&mut self) {
        let unexplained = |s: &&Segment| {
            let because = |kind| s.evidence.iter().any(|e| e.kind == kind);
            is_in_none(s.layer) && !because(EvidenceKind::OutsideTheChapters)
        };
        let none: Vec<&Segment> = self.segments.iter().filter(unexplained).collect();
        let count: usize = none.iter().map(|s| self.han_in(s)).sum();
        let share = Coverage { in_none: count, ..self.coverage() }.share();
        if count < LEAST || share <= MANY {
            return;
        }
        let Some(longest) = none.iter().max_by_key(|s| self.han_in(s)) else { return };
        let message = format!(
            "{count} characters ({:.1} %) are in no layer; the longest piece begins here",
            share * 100.0
        );
        let hint = "name the format with --from or in a manifest, give a plain copy of the classic \
                    with --with, or decide it with “zhushu review”";
        self.diagnostics.push(Diagnostic::warning("in-no-layer", longest.span, message).hint(hint));
    }
}

/// True for what is counted: letters and digits of other scripts are mostly markup.
fn is_han(c: char) -> bool {
    !c.is_ascii() && is_content(c) && !c.is_numeric()
}

fn is_in_none(layer: Layer) -> bool {
    layer == Layer::Other || layer == Layer::Furniture || layer.kind() == LayerKind::Undivided
}
