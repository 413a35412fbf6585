//! Finds regular expressions by reading the text: of the units that contain what every match must
//! contain, or of all units.

use regex::Regex;

use super::words::{in_regions, regions, starts};
use super::{Folding, HitRange};
use crate::diag::{Error, ErrorKind};
use crate::search::query::Pattern;
use crate::search::store::file::IndexFile;
use crate::search::units::{Laid, Placed};
use crate::text::fold::fold_script;

/// A compiled pattern.
pub(super) struct Scan {
    regex: Regex,
    folding: Folding,
    /// Sets of strings; every match contains one string of each set.
    needles: Vec<Vec<Vec<char>>>,
}

impl Scan {
    pub(super) fn of(pattern: &Pattern, folding: Folding) -> Result<Self, Error> {
        let regex = pattern.compiled(folding).map_err(|e| {
            Error::request(format!("this is not a regular expression: {e}"))
                .of_kind(ErrorKind::Query)
        })?;
        Ok(Scan { regex, folding, needles: pattern.needles(folding) })
    }

    /// All matches, unit by unit.
    pub(super) fn find(
        &self,
        n: u32,
        file: &IndexFile,
        allowed: Option<&[bool]>,
    ) -> Result<Vec<HitRange>, Error> {
        let mut hits = vec![];
        let mut text = String::new();
        let mut one = |unit: Placed| self.unit(n, file, &unit, &mut text, &mut hits);
        match self.candidates(file, allowed)? {
            Some(units) => units.into_iter().try_for_each(|unit| one(file.unit(unit)?))?,
            None => {
                for region in regions(file, allowed)? {
                    file.units(region.unit..region.unit_end).try_for_each(|unit| one(unit?))?;
                }
            }
        }
        Ok(hits)
    }

    /// The units that can contain a match, in ascending order; `None` for all.
    fn candidates(
        &self,
        file: &IndexFile,
        allowed: Option<&[bool]>,
    ) -> Result<Option<Vec<u32>>, Error> {
        let mut best: Option<(u64, &Vec<Vec<char>>)> = None;
        for set in &self.needles {
            let mut cost = 0;
            for word in set {
                let mut rarest = u32::MAX;
                for c in word {
                    rarest = rarest.min(file.frequency(*c)?);
                }
                cost += u64::from(rarest);
            }
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, set));
            }
        }
        let Some((_, set)) = best else { return Ok(None) };
        let mut places = vec![];
        for word in set {
            let word: Vec<Option<char>> = word.iter().copied().map(Some).collect();
            places.append(&mut starts(&word, file)?);
        }
        places.sort_unstable();
        if let Some(allowed) = allowed {
            places = in_regions(places, file.regions()?, allowed);
        }
        let mut units: Vec<u32> = vec![];
        let mut end = 0;
        for place in places {
            if place >= end {
                let unit = file.unit_at(place)?;
                end = unit.end();
                units.push(unit.n);
            }
        }
        Ok(Some(units))
    }

    fn unit(
        &self,
        n: u32,
        file: &IndexFile,
        unit: &Placed,
        text: &mut String,
        hits: &mut Vec<HitRange>,
    ) -> Result<(), Error> {
        let laid = file.laid(unit)?;
        text.clear();
        text.extend((0..laid.chars.len()).map(|i| {
            if self.folding == Folding::Full { laid.chars[i] } else { own(&laid, i, self.folding) }
        }));
        let (mut at, mut index) = (0, 0);
        for found in self.regex.find_iter(text).filter(|m| !m.is_empty()) {
            index += text[at..found.start()].chars().count() as u32;
            at = found.start();
            hits.push(HitRange {
                file: n,
                start: unit.first + index,
                len: found.as_str().chars().count() as u32,
            });
        }
        Ok(())
    }
}

/// A character as written in the source, folded as the search requires.
fn own(laid: &Laid, n: usize, folding: Folding) -> char {
    let original = laid
        .original(n)
        .chars()
        .next()
        .filter(|_| !laid.original(n).starts_with('&'))
        .unwrap_or(laid.chars[n]);
    if folding == Folding::Script { fold_script(original) } else { original }
}
