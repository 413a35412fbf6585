//! A text that has its translation with it, row by row (a table, labels, pairs of lines): it is
//! aligned with itself. What stands in one row corresponds, whatever the words say; within a row
//! the sentences are aligned as in any pair.

use std::ops::Range;

use rustc_hash::FxHashSet;

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

/// Classic with its notes, or translation, up to the next of the other.
struct Stretch {
    is_classic: bool,
    span: Span,
}

/// The rows of a text: classic, with its notes, and what translates it, in either order.
pub fn rows(document: &Document) -> Vec<BitextRow> {
    if document.meta.role == Role::Translation {
        return vec![];
    }
    let mut all: Vec<Stretch> = vec![];
    for segment in &document.segments {
        let is_classic = match segment.layer.kind() {
            LayerKind::Base => true,
            LayerKind::Translation => false,
            _ => continue,
        };
        match all.last_mut().filter(|last| last.is_classic == is_classic) {
            Some(last) => last.span = Span::new(last.span.start(), segment.span.end()),
            None => all.push(Stretch { is_classic, span: segment.span }),
        }
    }
    // One may be alone at the beginning or at the end: a title, a passage that nobody translated.
    let from =
        usize::from(all.len() % 2 == 1 && shared(document, &all[1..]) > shared(document, &all));
    let pairs = all[from.min(all.len())..].chunks_exact(2);
    pairs.map(|pair| row(&pair[0], &pair[1])).collect()
}

fn row(one: &Stretch, other: &Stretch) -> BitextRow {
    let (classic, translation) = if one.is_classic { (one, other) } else { (other, one) };
    BitextRow { classic: classic.span, translation: translation.span }
}

/// How many characters the two sides of rows have in common, if the rows begin here.
fn shared(document: &Document, stretches: &[Stretch]) -> usize {
    let pairs = stretches.chunks_exact(2).map(|pair| row(&pair[0], &pair[1]));
    let both = pairs.map(|row| {
        let known: FxHashSet<char> = document.slice(row.classic).chars().collect();
        document.slice(row.translation).chars().filter(|c| known.contains(c)).count()
    });
    both.sum()
}

/// Beads of which none is in two rows: a row in which the words decide otherwise is one bead.
pub fn by_rows(document: &Document, beads: Vec<Bead>, rows: &[BitextRow]) -> Vec<Bead> {
    let mut of_rows = vec![vec![]; rows.len()];
    let mut others = vec![];
    for bead in beads {
        match row_of(rows, &bead) {
            Some(row) => of_rows[row].push(bead),
            None => others.push(bead),
        }
    }
    let spans = |units: Vec<units::TextUnit>| -> Vec<Span> {
        units.into_iter().flat_map(|u| u.spans).collect()
    };
    let sides = [spans(units::classic(document)), spans(units::translation(document))];
    for (row, beads) in rows.iter().zip(of_rows) {
        let own = [own(&sides[0], row.classic), own(&sides[1], row.translation)];
        match is_settled(&beads, &own) {
            true => others.extend(beads),
            false => others.push(row_bead(own.map(<[Span]>::to_vec))),
        }
    }
    others.sort_by_key(|bead| bead.source.first().or(bead.translation.first()).map(|s| s.start()));
    others
}

/// The row of a bead: that of its classic, else of its translation.
fn row_of(rows: &[BitextRow], bead: &Bead) -> Option<usize> {
    match bead.source.first() {
        Some(span) => row_at(rows, |r| r.classic, *span),
        None => row_at(rows, |r| r.translation, *bead.translation.first()?),
    }
}

fn row_at(rows: &[BitextRow], side: impl Fn(&BitextRow) -> Span, span: Span) -> Option<usize> {
    let next = rows.partition_point(|r| side(r).start() <= span.start());
    next.checked_sub(1).filter(|n| side(&rows[*n]).contains(span))
}

/// The spans, which rise, that are in one side of a row.
fn own(spans: &[Span], side: Span) -> &[Span] {
    let from = spans.partition_point(|s| s.start() < side.start());
    let to = spans.partition_point(|s| s.start() < side.end());
    &spans[from..to.max(from)]
}

/// True if the beads have all of a row, and nothing else, and leave nothing alone.
fn is_settled(beads: &[Bead], sides: &[&[Span]; 2]) -> bool {
    let of: [fn(&Bead) -> &Vec<Span>; 2] = [|b| &b.source, |b| &b.translation];
    let is_whole = || {
        of.iter()
            .zip(sides)
            .all(|(of, side)| extent(beads.iter().flat_map(of)) == extent(side.iter()))
    };
    beads.iter().all(|b| !b.source.is_empty() && !b.translation.is_empty()) && is_whole()
}

/// From the first to the last of some spans.
fn extent<'s>(spans: impl Iterator<Item = &'s Span>) -> Option<Range<usize>> {
    spans.map(|s| s.range()).reduce(|all, s| all.start.min(s.start)..all.end.max(s.end))
}

fn row_bead([source, translation]: [Vec<Span>; 2]) -> Bead {
    let evidence = vec![Evidence::of(EvidenceKind::Layout)];
    Bead { source, translation, certainty: Certainty::new(RECOGNISED_BY_FORM), evidence }
}
