//! Modern translations: they render the classic and pass over its notes.
//!
//! The alignment with a translation uses the text before it is cut ([`support`]). So no cut can
//! confirm itself by an alignment that was made from it.

use super::neighbours;
use super::paragraph::Paragraph;
use super::rendered::Rendered;
use crate::model::Document;
use crate::passes::align::support::{Support, support};
use crate::passes::context::Context;
use crate::source::Span;

/// A clause counts as rendered from this probability on.
const MIN_RENDERED_PROBABILITY: f64 = 0.9;
/// Clauses between two rendered ones count as passed over if these are at most this far apart, in
/// clauses: a long note. A longer gap is a gap in the translation and shows nothing.
const MAX_NOTE_CLAUSES: usize = 48;
/// The least share of a translation's clauses, from the first to the last that is aligned, that
/// must be aligned. In a text that merely has parallels, few are.
const MIN_PLACED_SHARE: f64 = 0.7;
/// The least number of clauses that must be aligned.
const MIN_PLACED_CLAUSES: usize = 8;

/// Adds the evidence of the library's translations that may be of this document.
pub fn consult(document: &Document, context: &Context<'_>, paragraphs: &mut [Paragraph]) {
    let clauses: Vec<Span> = paragraphs.iter().flat_map(clauses).collect();
    let mut opinions = vec![0.0; clauses.len()];
    for other in neighbours::translations(document, context) {
        let support = support(document.source.text(), &clauses, other);
        for (strongest, own) in opinions.iter_mut().zip(opinion(&support)) {
            *strongest = if own.abs() > f64::abs(*strongest) { own } else { *strongest };
        }
    }
    let mut opinions = opinions.into_iter();
    for p in paragraphs.iter_mut() {
        let own: Vec<f64> = opinions.by_ref().take(p.units.len()).collect();
        if own.iter().any(|v| *v != 0.0) {
            p.rendered = Rendered::of(&own);
        }
    }
}

/// The span of each clause.
fn clauses(p: &Paragraph) -> impl Iterator<Item = Span> + '_ {
    p.units.iter().map(|u| p.key.span(u.from, u.to))
}

/// For each clause, from 1 (rendered) to −1 (passed over); 0 away from the translated clauses.
fn opinion(support: &Support) -> Vec<f64> {
    let mut opinion = vec![0.0; support.rendered.len()];
    if !is_translation(&support.renders) {
        return opinion;
    }
    let there: Vec<usize> =
        (0..opinion.len()).filter(|k| support.rendered[*k] >= MIN_RENDERED_PROBABILITY).collect();
    for w in there.windows(2).filter(|w| w[1] - w[0] <= MAX_NOTE_CLAUSES) {
        (w[0]..=w[1]).for_each(|k| opinion[k] = 2.0 * support.rendered[k] - 1.0);
    }
    opinion
}

/// True if a translation's clauses are aligned densely enough.
fn is_translation(renders: &[f64]) -> bool {
    let placed: Vec<usize> =
        (0..renders.len()).filter(|k| renders[*k] >= MIN_RENDERED_PROBABILITY).collect();
    let (Some(first), Some(last)) = (placed.first(), placed.last()) else { return false };
    placed.len() >= MIN_PLACED_CLAUSES
        && placed.len() as f64 >= MIN_PLACED_SHARE * (last + 1 - first) as f64
}
