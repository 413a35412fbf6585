//! Numbers the sentences of the classic, so that its passages can be cited (`yili.05.23.2`), and
//! gives witnesses of one chapter the same sections and numbers for the same words.
//!
//! The witness of a chapter with most of the classic is the reference ([`grid`]). Sections come
//! from the witnesses that state them (labels before scopes), sentences from the punctuated ones,
//! and all others are collated with the reference ([`lay`]). A witness that shares too little with
//! it is numbered by itself. A text alone is numbered by its own sections and punctuation
//! ([`own`]). Without punctuation every run of the classic between notes is a sentence; without
//! sections all of it is section 0.

mod grid;
mod lay;
mod own;

use std::sync::Arc;

use crate::corpus::index::Indexed;
use crate::model::{Document, Role};
use crate::passes::context::Context;
use crate::passes::evidence::neighbours;
use grid::Grid;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    if document.meta.role != Role::Witness {
        return;
    }
    let mut family = family(document, context);
    // A witness alone needs no grid, which is large.
    while family.len() > 1
        && let Some(first) = family.iter().max_by_key(|e| e.view.base.len())
    {
        // All witnesses of the chapter ask for the same.
        let of: Vec<_> = family.iter().map(|e| &e.document).collect();
        let made = context.of_documents(&of, || Grid::of(&first.document.id, &family));
        let (grid, members) = &*made;
        if members.len() < 2 && members.contains(&document.id) {
            break;
        }
        if members.contains(&document.id) {
            return lay::lay(document, &family, grid);
        }
        family.retain(|e| !members.contains(&e.document.id));
    }
    let first = document.meta.first_section.unwrap_or(1);
    document.divisions.iter_mut().for_each(|d| d.n = d.n.saturating_add(first - 1));
    document.sentences = own::numbered(document).into();
}

/// The other witnesses of this document's chapter.
pub fn family_of<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    match document.meta.role {
        Role::Witness => neighbours::of_chapter(document, context),
        _ => vec![],
    }
}

/// True if `other` is a witness of the document's chapter, if that is known.
fn is_witness_of(other: &Document, document: &Document) -> bool {
    let (own, meta) = (&document.meta, &other.meta);
    let known = own.work.is_some() && own.chapter.is_some();
    known && meta.role == Role::Witness && (&own.work, &own.chapter) == (&meta.work, &meta.chapter)
}

/// The witnesses of this document's chapter, including itself; of two equally long ones the earlier
/// comes later.
fn family<'a>(document: &Document, context: &'a Context<'_>) -> Vec<&'a Indexed> {
    let entries = context.index().entries.iter().rev();
    entries.filter(|e| is_witness_of(&e.document, document)).collect()
}

#[cfg(test)]
mod tests;
