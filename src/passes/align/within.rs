//! A text that has its translation with it, row by row (a table, labels, pairs of lines): it is
//! aligned with itself. What stands in one row corresponds, whatever the words say; within a row
//! the sentences are aligned as in any pair.

use super::units;
use crate::model::thresholds::RECOGNISED_BY_FORM;
use crate::model::{Bead, Certainty, Document, Evidence, EvidenceKind, LayerKind, Role};
use crate::source::Span;

/// Both sides of a row, each from its first byte to its last.
#[derive(Clone, Copy, Debug)]
pub struct BitextRow {
    classic: Span,
    translation: Span,
}

/// The rows of a text: classic, with its notes, and what translates it, in either order.
pub fn rows(document: &Document) -> Vec<BitextRow> {
    let mut rows: Vec<(Option<Span>, Option<Span>)> = vec![];
    if document.meta.role == Role::Translation {
        return vec![];
    }
    let mut first = None;
    for segment in &document.segments {
        let is_classic = match segment.layer.kind() {
            LayerKind::Base => true,
            LayerKind::Translation => false,
            _ => continue,
        };
        let opens = *first.get_or_insert(is_classic) == is_classic;
        let is_full = rows.last().is_none_or(|(classic, translation)| match opens {
            true => (if is_classic { translation } else { classic }).is_some(),
            false => false,
        });
        if is_full {
            rows.push((None, None));
        }
        let Some((classic, translation)) = rows.last_mut() else { continue };
        let side = if is_classic { classic } else { translation };
        *side = Some(side.map_or(segment.span, |s| Span::new(s.start(), segment.span.end())));
    }
    let whole = rows.into_iter().filter_map(|(classic, translation)| {
        Some(BitextRow { classic: classic?, translation: translation? })
    });
    whole.collect()
}

/// Beads of which none is in two rows: a row in which the words decide otherwise is one bead.
pub fn by_rows(document: &Document, beads: Vec<Bead>, rows: &[BitextRow]) -> Vec<Bead> {
    let row_of = |bead: &Bead| {
        let classic = bead.source.first().map(|s| row_at(rows, |r| r.classic, *s));
        classic.or_else(|| bead.translation.first().map(|s| row_at(rows, |r| r.translation, *s)))?
    };
    let mut of_rows = vec![vec![]; rows.len()];
    let mut others = vec![];
    for bead in beads {
        match row_of(&bead) {
            Some(row) => of_rows[row].push(bead),
            None => others.push(bead),
        }
    }
    let (classic, translation) = (units::classic(document), units::translation(document));
    let own = |units: &[units::TextUnit], side: Span| -> Vec<Span> {
        let spans = units.iter().flat_map(|u| u.spans.iter().copied());
        spans.filter(|s| side.contains(*s)).collect()
    };
    for (row, beads) in rows.iter().zip(of_rows) {
        let sides = [own(&classic, row.classic), own(&translation, row.translation)];
        match is_settled(&beads, &sides) {
            true => others.extend(beads),
            false => others.push(row_bead(sides)),
        }
    }
    others.sort_by_key(|bead| bead.source.first().or(bead.translation.first()).map(|s| s.start()));
    others
}

fn row_at(rows: &[BitextRow], side: impl Fn(&BitextRow) -> Span, span: Span) -> Option<usize> {
    let next = rows.partition_point(|r| side(r).start() <= span.start());
    next.checked_sub(1).filter(|n| side(&rows[*n]).contains(span))
}

/// True if the beads have all of a row, and nothing else, and leave nothing alone on both sides.
fn is_settled(beads: &[Bead], [classic, translation]: &[Vec<Span>; 2]) -> bool {
    let all = |side: fn(&Bead) -> &Vec<Span>| {
        let mut spans: Vec<Span> = beads.iter().flat_map(side).copied().collect();
        spans.sort_by_key(|s| s.start());
        spans
    };
    all(|b| &b.source) == *classic
        && all(|b| &b.translation) == *translation
        && beads.iter().all(|b| !b.source.is_empty() && !b.translation.is_empty())
}

fn row_bead([source, translation]: [Vec<Span>; 2]) -> Bead {
    let evidence = vec![Evidence::of(EvidenceKind::Layout)];
    Bead { source, translation, certainty: Certainty::new(RECOGNISED_BY_FORM), evidence }
}
