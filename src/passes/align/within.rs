//! A text that has its translation with it, row by row (a table, labels, pairs of lines): it is
//! aligned with itself. What stands in one row corresponds, whatever the words say; within a row
//! the sentences are aligned as in any pair.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::units;
use crate::model::thresholds::RECOGNISED_BY_FORM;
use crate::model::{
    Bead, Certainty, Document, Evidence, EvidenceKind, LayerKind, Role, Segment, is_decided,
};
use crate::source::Span;

/// Both sides of a row, each from its first byte to its last. A cell that is empty is no span.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitextRow {
    classic: Option<Span>,
    translation: Option<Span>,
}

/// Classic with its notes, or translation, up to the next of the other or of the next row.
struct Stretch {
    is_classic: bool,
    span: Span,
    /// The source shows that a row begins with it.
    begins_row: bool,
}

impl BitextRow {
    fn has_both(&self) -> bool {
        self.classic.is_some() && self.translation.is_some()
    }

    fn add(&mut self, stretch: &Stretch) {
        let side = if stretch.is_classic { &mut self.classic } else { &mut self.translation };
        let start = side.map_or(stretch.span.start(), |before| before.start());
        *side = Some(Span::new(start, stretch.span.end()));
    }
}

/// The rows of a text: classic, with its notes, and what translates it, in either order.
pub fn rows(document: &Document) -> Vec<BitextRow> {
    if document.meta.role == Role::Translation {
        return vec![];
    }
    let all = stretches(document);
    let shown = shown(&all);
    if shown.iter().filter(|row| row.has_both()).count() * 2 > shown.len() {
        return shown;
    }
    let all = merged(all);
    // One may be alone at the beginning or at the end: a title, a passage that nobody translated.
    let from =
        usize::from(all.len() % 2 == 1 && shared(document, &all[1..]) > shared(document, &all));
    all[from.min(all.len())..].chunks_exact(2).map(row).collect()
}

/// Stretches of which no two that follow each other are of one language, whatever rows there are.
fn merged(all: Vec<Stretch>) -> Vec<Stretch> {
    let mut merged: Vec<Stretch> = vec![];
    for stretch in all {
        match merged.last_mut().filter(|last| last.is_classic == stretch.is_classic) {
            Some(last) => last.span = Span::new(last.span.start(), stretch.span.end()),
            None => merged.push(stretch),
        }
    }
    merged
}

fn stretches(document: &Document) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = vec![];
    for segment in &document.segments {
        let is_classic = match segment.layer.kind() {
            LayerKind::Base => true,
            LayerKind::Translation => false,
            _ => continue,
        };
        let begins_row = all.last().is_some_and(|last| {
            row_begins(document, (last.span, last.is_classic != is_classic), segment)
        });
        match all.last_mut().filter(|last| last.is_classic == is_classic && !begins_row) {
            Some(last) => last.span = Span::new(last.span.start(), segment.span.end()),
            None => all.push(Stretch { is_classic, span: segment.span, begins_row }),
        }
    }
    all
}

/// True if the source shows that a row ends after the stretch before a segment, which may be of the
/// other language.
fn row_begins(document: &Document, (before, other): (Span, bool), segment: &Segment) -> bool {
    let between = |from: usize| &document.source.text()[from..segment.span.start()];
    match &*document.reader {
        "table" => {
            // Within a cell lines may end too, but not beside the separator of an empty cell.
            let between = between(before.end());
            between.contains('\n') && (other || between.contains(['\t', ',', ';', '|', '"']))
        }
        "json" => between(before.end()).contains('{'),
        "xml" => {
            between(before.start()).contains("<tu>") || between(before.start()).contains("<tu ")
        }
        _ => between(before.start()).contains("<tr"),
    }
}

/// The rows that the source shows; none if it shows no border.
fn shown(all: &[Stretch]) -> Vec<BitextRow> {
    if !all.iter().any(|s| s.begins_row) {
        return vec![];
    }
    let groups = all.chunk_by(|_, next| !next.begins_row);
    groups.map(row).collect()
}

fn row(stretches: &[Stretch]) -> BitextRow {
    let mut row = BitextRow::default();
    stretches.iter().for_each(|stretch| row.add(stretch));
    row
}

/// How many characters the two sides of rows have in common, if the rows begin here.
fn shared(document: &Document, stretches: &[Stretch]) -> usize {
    let both = stretches.chunks_exact(2).map(|pair| {
        let (classic, translation) =
            (&pair[usize::from(!pair[0].is_classic)], &pair[usize::from(pair[0].is_classic)]);
        let known: FxHashSet<char> = document.slice(classic.span).chars().collect();
        document.slice(translation.span).chars().filter(|c| known.contains(c)).count()
    });
    both.sum()
}

/// Beads of which none is in two rows: a row in which the words decide otherwise is one bead. What
/// a person decided stays as it is, and rows have what is left.
pub fn by_rows(document: &Document, beads: Vec<Bead>, rows: &[BitextRow]) -> Vec<Bead> {
    let (mut others, beads): (Vec<Bead>, Vec<Bead>) =
        beads.into_iter().partition(|b| is_decided(&b.evidence));
    let decided = |of: fn(&Bead) -> &Vec<Span>| -> Vec<Span> {
        others.iter().flat_map(of).copied().collect()
    };
    let decided = [decided(|b| &b.source), decided(|b| &b.translation)];
    let mut of_rows = vec![vec![]; rows.len()];
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
        let left = |side: usize, of: Option<Span>| -> Vec<Span> {
            let own = own(&sides[side], of).iter();
            let is_left = |span: &Span| decided[side].iter().all(|d| d.overlap(*span) == 0);
            own.copied().filter(is_left).collect()
        };
        let own = [left(0, row.classic), left(1, row.translation)];
        match is_settled(&beads, &own) {
            true => others.extend(beads),
            false if own.iter().all(Vec::is_empty) => {}
            false => others.push(row_bead(own)),
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

fn row_at(
    rows: &[BitextRow],
    side: impl Fn(&BitextRow) -> Option<Span>,
    span: Span,
) -> Option<usize> {
    let begin =
        |r: &BitextRow| [r.classic, r.translation].into_iter().flatten().map(|s| s.start()).min();
    let next = rows.partition_point(|r| begin(r) <= Some(span.start()));
    next.checked_sub(1).filter(|n| side(&rows[*n]).is_some_and(|side| side.contains(span)))
}

/// The spans, which rise, that are in one side of a row.
fn own(spans: &[Span], side: Option<Span>) -> &[Span] {
    let Some(side) = side else { return &[] };
    let from = spans.partition_point(|s| s.start() < side.start());
    let to = spans.partition_point(|s| s.start() < side.end());
    &spans[from..to.max(from)]
}

/// True if the beads have all of a row, and nothing else, and leave nothing alone.
fn is_settled(beads: &[Bead], sides: &[Vec<Span>; 2]) -> bool {
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
