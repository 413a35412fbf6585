//! Applies the numbering of a chapter to one of its witnesses.

use std::collections::HashMap;

use super::grid::{AlignedChars, Grid};
use super::own::{self, NumberedPiece};
use crate::corpus::index::Indexed;
use crate::model::{Certainty, Division, Document, Evidence, EvidenceKind};
use crate::source::Span;
use crate::text::PackedKey;

/// Most characters that the first witness lacks and that still belong to the sentence around them.
pub(super) const MAX_MISSING_CHARS: usize = 40;

/// Numbers `document` by `grid`, and gives it the sections of the grid.
pub fn lay(document: &mut Document, family: &[&Indexed], grid: &Grid) {
    let Some(here) = family.iter().find(|e| e.document.id == document.id) else { return };
    let base = &here.view.base;
    let starts: Vec<usize> = own::starts(document)
        .iter()
        .filter(|s| s.opens)
        .map(|s| base.index_at(s.span.start()))
        .collect();
    let ids = fill(&grid.maps[&document.id], &starts, grid);
    if !grid.sections.is_empty() {
        document.divisions = divisions(document, base, &ids, grid).into();
    }
    document.sentences = own::parts(document, &pieces(document, base, &ids)).into();
}

/// Section and sentence of every character of the witness. Characters without a counterpart belong
/// to the sentence before them or, from their own sentence start on, to the one after. A long run
/// of them gets new numbers after the last of its section.
fn fill(map: &AlignedChars, starts: &[usize], grid: &Grid) -> Vec<(u32, u32)> {
    let mut ids: Vec<Option<(u32, u32)>> =
        map.iter().map(|a| a.and_then(|a| grid.ids.get(a).copied())).collect();
    let mut last: HashMap<u32, u32> = grid.last.clone();
    let mut i = 0;
    while i < ids.len() {
        if ids[i].is_some() {
            i += 1;
            continue;
        }
        let end = (i..ids.len()).find(|k| ids[*k].is_some()).unwrap_or(ids.len());
        let before = i.checked_sub(1).and_then(|k| ids[k]);
        let after = ids.get(end).copied().flatten();
        let cut = starts.partition_point(|s| *s < i);
        if end - i > MAX_MISSING_CHARS {
            let section = before.or(after).map_or(0, |(s, _)| s);
            let n = last.entry(section).or_insert(0);
            for (k, id) in ids.iter_mut().enumerate().take(end).skip(i) {
                *n += u32::from(k == i || starts.binary_search(&k).is_ok());
                *id = Some((section, *n));
            }
        } else {
            let cut = starts.get(cut).copied().filter(|c| *c < end).unwrap_or(end);
            for (k, id) in ids.iter_mut().enumerate().take(end).skip(i) {
                *id = if k < cut { before.or(after) } else { after.or(before) };
            }
        }
        i = end;
    }
    ids.into_iter().map(|id| id.unwrap_or((0, 1))).collect()
}

/// The classic cut where segments or numbers change; a piece without words belongs to the one
/// before it.
fn pieces(document: &Document, base: &PackedKey, ids: &[(u32, u32)]) -> Vec<NumberedPiece> {
    let mut out: Vec<NumberedPiece> = Vec::new();
    for start in own::starts(document) {
        let (first, last) = (base.index_at(start.span.start()), base.index_at(start.span.end()));
        let mut at = start.span.start();
        let mut i = first;
        while i < last {
            let (section, n) = ids[i];
            let next = (i..last).find(|k| ids[*k] != ids[i]).unwrap_or(last);
            let end = if next < last { base.at(next) } else { start.span.end() };
            out.push(NumberedPiece { span: Span::new(at, end), section, n });
            (at, i) = (end, next);
        }
        if first == last
            && let Some(before) = out.last().copied()
        {
            out.push(NumberedPiece { span: start.span, ..before });
        }
    }
    out
}

/// The sections as they are in this witness; one that it states itself keeps its title and
/// certainty.
fn divisions(
    document: &Document,
    base: &PackedKey,
    ids: &[(u32, u32)],
    grid: &Grid,
) -> Vec<Division> {
    let end =
        document.segments.iter().rev().find(|s| s.layer.is_text()).map_or(0, |s| s.span.end());
    let mut out: Vec<Division> = Vec::new();
    let mut now = 0;
    for (i, (n, _)) in ids.iter().enumerate().filter(|(i, (n, _))| *i == 0 || *n != ids[i - 1].0) {
        let at = base.at(i);
        if now != 0
            && let Some(last) = out.last_mut()
        {
            last.span = Span::new(last.span.start(), at);
        }
        now = *n;
        let Some(section) = grid.sections.get(n) else { continue };
        let stated = document.divisions.iter().find(|d| base.index_at(d.span.start()) == i);
        let whole = out.iter().all(|d| d.n != *n);
        let (title, certainty, evidence) = match stated {
            Some(d) => (d.title.clone().or(section.title.clone()), d.certainty, d.evidence.clone()),
            None => (
                section.title.clone().filter(|_| whole),
                section.certainty,
                section.evidence.clone(),
            ),
        };
        let (certainty, evidence) = if evidence.is_empty() {
            (Certainty::new(0.9), vec![Evidence::of(EvidenceKind::SectionOfWitness)])
        } else {
            (certainty, evidence)
        };
        out.push(Division { n: *n, title, span: Span::new(at, end.max(at)), certainty, evidence });
    }
    out
}
