//! Finds phrases by the position lists of their pairs of characters.

use std::sync::Arc;

use super::{Folding, HitRange, Options};
use crate::diag::Error;
use crate::search::query::Phrase;
use crate::search::store::file::{IndexFile, Region};
use crate::search::store::lists::PairList;
use crate::search::units::Laid;
use crate::text::fold::fold_script;

/// What must occur at an offset from the start of the phrase.
enum Constraint {
    Pair(PairList),
    Character(char),
}

/// All places of a phrase.
pub(super) fn find(
    words: &Phrase,
    n: u32,
    file: &IndexFile,
    allowed: Option<&[bool]>,
    options: Options,
) -> Result<Vec<HitRange>, Error> {
    let len = words.chars.len() as u32;
    let mut starts = starts(&words.chars, file)?;
    if let Some(allowed) = allowed {
        starts = in_regions(starts, file.regions()?, allowed);
    }
    if words.chars.contains(&None) {
        keep(&mut starts, |s| unbroken(file, s, s + len))?;
    }
    if !options.crossing {
        keep(&mut starts, |s| Ok(file.unit_at(s)?.end() >= s + len))?;
    }
    if options.folding != Folding::Full {
        let mut verifier = PhraseVerifier { file, unit: None };
        keep(&mut starts, |s| verifier.agrees(words, s, options.folding))?;
    }
    Ok(starts.into_iter().map(|start| HitRange { file: n, start, len }).collect())
}

fn keep(
    starts: &mut Vec<u32>,
    mut test: impl FnMut(u32) -> Result<bool, Error>,
) -> Result<(), Error> {
    let mut failed = None;
    starts.retain(|s| match test(*s) {
        Ok(yes) => yes,
        Err(e) => {
            failed = Some(e);
            false
        }
    });
    failed.map_or(Ok(()), Err)
}

/// Where the characters follow one another; if there are wildcards, also across a break.
pub(super) fn starts(chars: &[Option<char>], file: &IndexFile) -> Result<Vec<u32>, Error> {
    let mut constraints: Vec<(u32, u32, Constraint)> = vec![];
    for (offset, stretch) in stretches(chars) {
        if stretch.len() == 1 {
            constraints.push((
                file.frequency(stretch[0])?,
                offset as u32,
                Constraint::Character(stretch[0]),
            ));
        }
        let last = stretch.len().saturating_sub(2);
        for i in (0..stretch.len().saturating_sub(1)).filter(|i| i % 2 == 0 || *i == last) {
            let Some(list) = file.pair(stretch[i], stretch[i + 1])? else { return Ok(vec![]) };
            constraints.push((list.count, (offset + i) as u32, Constraint::Pair(list)));
        }
    }
    // The rarest first: it leaves few places to compare with the others.
    constraints.sort_by_key(|(count, ..)| *count);
    let mut found: Option<Vec<u32>> = None;
    for (_, offset, constraint) in constraints {
        let positions = match constraint {
            Constraint::Pair(list) => file.positions(&list)?,
            Constraint::Character(c) => file.positions_of(c)?,
        };
        let before = positions.partition_point(|p| *p < offset);
        let starts = positions[before..].iter().map(|p| p - offset);
        found = Some(match found {
            None => starts.collect(),
            Some(found) => both(&found, starts),
        });
        if found.as_ref().is_some_and(Vec::is_empty) {
            break;
        }
    }
    Ok(found.unwrap_or_default())
}

/// The sequences of characters between wildcards, with their offsets.
fn stretches(chars: &[Option<char>]) -> Vec<(usize, Vec<char>)> {
    let mut runs: Vec<(usize, Vec<char>)> = vec![];
    for (i, c) in chars.iter().enumerate() {
        let Some(c) = c else { continue };
        match runs.last_mut() {
            Some((offset, run)) if *offset + run.len() == i => run.push(*c),
            _ => runs.push((i, vec![*c])),
        }
    }
    runs
}

/// What two ascending lists share.
fn both(a: &[u32], b: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut a = a.iter().copied().peekable();
    let mut shared = vec![];
    for y in b {
        while a.next_if(|x| *x < y).is_some() {}
        match a.peek() {
            Some(x) if *x == y => shared.push(y),
            Some(_) => {}
            None => break,
        }
    }
    shared
}

/// The positions that are in allowed regions.
pub(super) fn in_regions(mut starts: Vec<u32>, regions: &[Region], allowed: &[bool]) -> Vec<u32> {
    let mut region = 0;
    starts.retain(|s| {
        while regions.get(region).is_some_and(|r| r.end <= *s) {
            region += 1;
        }
        allowed.get(region).copied().unwrap_or(false)
    });
    starts
}

/// How often a character occurs in the allowed regions.
pub(in crate::search) fn frequency(
    file: &IndexFile,
    c: char,
    allowed: Option<&[bool]>,
) -> Result<u64, Error> {
    let Some(allowed) = allowed else { return Ok(file.frequency(c)?.into()) };
    Ok(in_regions(file.positions_of(c)?, file.regions()?, allowed).len() as u64)
}

/// True if positions `start..end` are characters of one run.
pub(super) fn unbroken(file: &IndexFile, start: u32, end: u32) -> Result<bool, Error> {
    let mut unit = file.unit_at(start)?;
    if unit.first > start {
        return Ok(false);
    }
    while unit.end() < end {
        if unit.ends_run {
            return Ok(false);
        }
        unit = file.unit(unit.n + 1)?;
    }
    Ok(true)
}

/// The allowed regions of a file.
pub(super) fn regions<'s>(
    file: &'s IndexFile,
    allowed: Option<&'s [bool]>,
) -> Result<impl Iterator<Item = &'s Region>, Error> {
    let regions = file.regions()?.iter().enumerate();
    Ok(regions.filter(move |(i, _)| allowed.is_none_or(|a| a[*i])).map(|(_, r)| r))
}

/// One hit for each unit.
pub(super) fn units(
    n: u32,
    file: &IndexFile,
    allowed: Option<&[bool]>,
) -> Result<Vec<HitRange>, Error> {
    let mut hits = vec![];
    for region in regions(file, allowed)? {
        for unit in file.units(region.unit..region.unit_end) {
            let unit = unit?;
            hits.push(HitRange { file: n, start: unit.first, len: unit.unit.len });
        }
    }
    Ok(hits)
}

/// Compares a phrase with the text as written; keeps the unit it read last.
struct PhraseVerifier<'a> {
    file: &'a IndexFile,
    unit: Option<(u32, u32, bool, Arc<Laid>)>,
}

impl PhraseVerifier<'_> {
    /// True if the phrase occurs at a position as it was typed.
    fn agrees(&mut self, words: &Phrase, start: u32, folding: Folding) -> Result<bool, Error> {
        for (typed, at) in words.typed.iter().zip(start..) {
            let Some(typed) = typed else { continue };
            if self.unit.as_ref().is_none_or(|(first, end, ..)| at < *first || *end <= at) {
                let unit = self.file.unit_at(at)?;
                if at < unit.first {
                    return Err(self.file.inconsistent());
                }
                self.unit = Some((unit.first, unit.end(), unit.ends_run, self.file.laid(&unit)?));
            }
            let Some((first, _, _, laid)) = &self.unit else { continue };
            let original = laid.original((at - first) as usize);
            let same = match folding {
                Folding::Exact => original == typed,
                _ => original.chars().map(fold_script).eq(typed.chars().map(fold_script)),
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
