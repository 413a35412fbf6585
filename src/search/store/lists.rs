//! Position lists: where each pair of neighbouring characters occurs in a file of the index.

use std::ops::Range;

use super::cache::once;
use super::file::IndexFile;
use super::pages::{records, u32_at};
use super::section;
use super::varint::Numbers;
use super::write::CHARACTER_BYTES;
use crate::diag::Error;

/// The list of the positions of a pair.
#[derive(Clone, Debug)]
pub(crate) struct PairList {
    /// How many positions there are.
    pub(crate) count: u32,
    /// A single position, or the bytes of the list.
    at: Result<u32, Range<usize>>,
}

/// The entry of a character in the table.
#[derive(Clone, Copy)]
struct CharacterRecord {
    /// How often it occurs.
    count: u32,
    /// Start and length of the head, which lists the pairs that it begins.
    head: usize,
    head_len: usize,
}

impl IndexFile {
    fn character(&self, c: char) -> Result<Option<CharacterRecord>, Error> {
        let table = once(&self.characters, || self.pages.all(section::CHARACTERS))?;
        let table = records::<CHARACTER_BYTES>(table);
        let found = table.binary_search_by_key(&(c as u32), |r| u32_at(r, 0));
        Ok(found.ok().map(|i| CharacterRecord {
            head: u32_at(&table[i], 4) as usize,
            head_len: u32_at(&table[i], 8) as usize,
            count: u32_at(&table[i], 12),
        }))
    }

    /// How often a character occurs in the file.
    pub(crate) fn frequency(&self, c: char) -> Result<u32, Error> {
        Ok(self.character(c)?.map_or(0, |record| record.count))
    }

    /// The list of a pair; `None` if it does not occur.
    pub(crate) fn pair(&self, first: char, second: char) -> Result<Option<PairList>, Error> {
        let Some(record) = self.character(first)? else { return Ok(None) };
        for entry in self.pairs_of(record)? {
            let (c, list) = entry?;
            if c >= second as u32 {
                return Ok((c == second as u32).then_some(list));
            }
        }
        Ok(None)
    }

    /// The second characters of the pairs that a character begins, with their lists.
    fn pairs_of(
        &self,
        record: CharacterRecord,
    ) -> Result<impl Iterator<Item = Result<(u32, PairList), Error>> + '_, Error> {
        let mut list = record.head + record.head_len;
        let bytes = self.pages.read(section::LISTS, record.head..list)?;
        let (mut read, mut c) = (0, 0);
        Ok(std::iter::from_fn(move || {
            if read == bytes.len() {
                return None;
            }
            let mut n = Numbers::new(&bytes[read..]);
            let mut entry = || {
                c = n.next_u32()?.checked_add(c)?;
                let (count, what) = (n.next_u32()?, n.next_u32()?);
                let at = if count == 1 { Ok(what) } else { Err(list..list + what as usize) };
                list = at.as_ref().map_or_else(|r| r.end, |_| list);
                Some((c, PairList { count, at }))
            };
            let entry = entry();
            read = if entry.is_some() { read + n.at() } else { bytes.len() };
            Some(entry.ok_or_else(|| self.inconsistent()))
        }))
    }

    /// The positions of a list, in ascending order.
    pub(crate) fn positions(&self, list: &PairList) -> Result<Vec<u32>, Error> {
        let range = match &list.at {
            Ok(position) => return Ok(vec![*position]),
            Err(range) => range.clone(),
        };
        let bytes = self.pages.read(section::LISTS, range)?;
        let mut numbers = Numbers::new(&bytes);
        let mut at = 0u32;
        // Each takes a byte at least, whatever the count says.
        let mut positions = Vec::with_capacity(bytes.len().min(list.count as usize));
        for _ in 0..list.count {
            let next = numbers.next_u32().and_then(|step| at.checked_add(step));
            at = next.ok_or_else(|| self.inconsistent())?;
            positions.push(at);
        }
        Ok(positions)
    }

    /// All positions of a character, in ascending order.
    pub(crate) fn positions_of(&self, c: char) -> Result<Vec<u32>, Error> {
        let Some(record) = self.character(c)? else { return Ok(vec![]) };
        let mut positions = vec![];
        for entry in self.pairs_of(record)? {
            positions.extend(self.positions(&entry?.1)?);
        }
        positions.sort_unstable();
        // A character that is read as another begins several pairs at its place.
        positions.dedup();
        Ok(positions)
    }
}
