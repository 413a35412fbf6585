//! Finds words by the lists of their pairs.

use super::{Folding, Hit, Options};
use crate::diag::Error;
use crate::search::query::Words;
use crate::search::store::segment::{List, Region, Segment};
use crate::search::units::Laid;
use crate::text::fold::fold_script;

/// What must stand at an offset from the start of the words.
enum Clue {
    Pair(List),
    Character(char),
}

/// All places where words stand.
pub(super) fn find(
    words: &Words,
    n: u32,
    segment: &Segment,
    allowed: Option<&[bool]>,
    options: Options,
) -> Result<Vec<Hit>, Error> {
    let len = words.chars.len() as u32;
    let mut starts = starts(&words.chars, segment)?;
    if let Some(allowed) = allowed {
        starts = in_regions(starts, segment.regions()?, allowed);
    }
    if words.chars.contains(&None) {
        keep(&mut starts, |s| unbroken(segment, s, s + len))?;
    }
    if !options.crossing {
        keep(&mut starts, |s| Ok(segment.unit_at(s)?.end() >= s + len))?;
    }
    if options.folding != Folding::Full {
        let mut texts = Texts { segment, unit: None };
        keep(&mut starts, |s| texts.agrees(words, s, options.folding))?;
    }
    Ok(starts.into_iter().map(|start| Hit { segment: n, start, len }).collect())
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

/// Where the characters stand one after the other; with wildcards also across a break.
pub(super) fn starts(chars: &[Option<char>], segment: &Segment) -> Result<Vec<u32>, Error> {
    let mut clues: Vec<(u32, u32, Clue)> = vec![];
    for (offset, stretch) in stretches(chars) {
        if stretch.len() == 1 {
            clues.push((
                segment.frequency(stretch[0])?,
                offset as u32,
                Clue::Character(stretch[0]),
            ));
        }
        let last = stretch.len().saturating_sub(2);
        for i in (0..stretch.len().saturating_sub(1)).filter(|i| i % 2 == 0 || *i == last) {
            let Some(list) = segment.pair(stretch[i], stretch[i + 1])? else { return Ok(vec![]) };
            clues.push((list.count, (offset + i) as u32, Clue::Pair(list)));
        }
    }
    // The rarest first: what it leaves is little to compare the others with.
    clues.sort_by_key(|(count, ..)| *count);
    let mut found: Option<Vec<u32>> = None;
    for (_, offset, clue) in clues {
        let positions = match clue {
            Clue::Pair(list) => segment.positions(&list)?,
            Clue::Character(c) => segment.of_character(c)?,
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

/// The runs of characters between wildcards, with their offsets.
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

/// What two rising lists share.
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

/// The positions in regions that are allowed.
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

/// How often a character stands in the regions that are allowed.
pub(in crate::search) fn frequency(
    segment: &Segment,
    c: char,
    allowed: Option<&[bool]>,
) -> Result<u64, Error> {
    let Some(allowed) = allowed else { return Ok(segment.frequency(c)?.into()) };
    Ok(in_regions(segment.of_character(c)?, segment.regions()?, allowed).len() as u64)
}

/// True if positions `start..end` are characters of one run.
pub(super) fn unbroken(segment: &Segment, start: u32, end: u32) -> Result<bool, Error> {
    let mut unit = segment.unit_at(start)?;
    if unit.first > start {
        return Ok(false);
    }
    while unit.end() < end {
        if unit.ends_run {
            return Ok(false);
        }
        unit = segment.unit(unit.n + 1)?;
    }
    Ok(true)
}

/// The regions of a file that are allowed.
pub(super) fn regions<'s>(
    segment: &'s Segment,
    allowed: Option<&'s [bool]>,
) -> Result<impl Iterator<Item = &'s Region>, Error> {
    let regions = segment.regions()?.iter().enumerate();
    Ok(regions.filter(move |(i, _)| allowed.is_none_or(|a| a[*i])).map(|(_, r)| r))
}

/// A hit for each unit.
pub(super) fn units(
    n: u32,
    segment: &Segment,
    allowed: Option<&[bool]>,
) -> Result<Vec<Hit>, Error> {
    let mut hits = vec![];
    for region in regions(segment, allowed)? {
        for unit in segment.units(region.unit..region.unit_end) {
            let unit = unit?;
            hits.push(Hit { segment: n, start: unit.first, len: unit.unit.len });
        }
    }
    Ok(hits)
}

/// The words at positions, one unit kept.
struct Texts<'a> {
    segment: &'a Segment,
    unit: Option<(u32, u32, bool, Laid)>,
}

impl Texts<'_> {
    /// True if the words stand at a position as they were typed.
    fn agrees(&mut self, words: &Words, start: u32, folding: Folding) -> Result<bool, Error> {
        for (typed, at) in words.typed.iter().zip(start..) {
            let Some(typed) = typed else { continue };
            if self.unit.as_ref().is_none_or(|(first, end, ..)| at < *first || *end <= at) {
                let unit = self.segment.unit_at(at)?;
                self.unit =
                    Some((unit.first, unit.end(), unit.ends_run, self.segment.laid(&unit)?));
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
