//! One file of the index, read as far as a query needs it.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::pages::{Pages, u32_at};
use super::section;
use super::units::{BLOCK, Decoder};
use super::varint::Numbers;
use super::write::{CHARACTER, DOCUMENT, REGION, TEXT_RECORD, UNIT_BLOCK, layer};
use crate::diag::Error;
use crate::model::Layer;
use crate::search::units::{DocMeta, Laid, Placed, Unit, runs_on};
use crate::source::{Position, Span};

/// Blocks that are kept, of each kind.
const KEPT: usize = 16;

/// A file of the index.
#[derive(Debug)]
pub(crate) struct Segment {
    pages: Pages,
    documents: OnceLock<Vec<Doc>>,
    region_table: OnceLock<Vec<u8>>,
    regions: OnceLock<Vec<Region>>,
    characters: OnceLock<Vec<u8>>,
    unit_table: OnceLock<Vec<u8>>,
    text_table: OnceLock<Vec<u8>>,
    units: Kept<Vec<Placed>>,
    texts: Kept<Vec<u8>>,
    metas: Kept<DocMeta>,
}

/// A document of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doc {
    /// Position of its first character.
    pub(crate) first: u32,
    /// Its first region.
    pub(crate) region: u32,
    text: u32,
    meta: u32,
    meta_len: u32,
}

/// The units of a layer in a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Region {
    /// Number of the document in the file.
    pub(crate) doc: u32,
    pub(crate) layer: Layer,
    pub(crate) sub: Option<Layer>,
    /// Positions, breaks included.
    pub(crate) first: u32,
    pub(crate) end: u32,
    /// Units.
    pub(crate) unit: u32,
    pub(crate) unit_end: u32,
}

/// Where the positions of a pair stand.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// How many positions.
    pub(crate) count: u32,
    /// The one position, or the range of the list.
    at: Result<u32, std::ops::Range<usize>>,
}

/// The last few blocks that were read.
#[derive(Debug)]
struct Kept<T>(Mutex<VecDeque<(u32, Arc<T>)>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Kept(Mutex::new(VecDeque::new()))
    }
}

impl<T> Kept<T> {
    fn get(&self, n: u32, make: impl FnOnce() -> Result<T, Error>) -> Result<Arc<T>, Error> {
        if let Some((_, found)) =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().find(|(k, _)| *k == n)
        {
            return Ok(found.clone());
        }
        let made = Arc::new(make()?);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_back();
        }
        kept.push_front((n, made.clone()));
        Ok(made)
    }
}

fn once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, Error>) -> Result<&T, Error> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}

impl Segment {
    /// Opens a file; reads nothing but its trailer.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        Ok(Segment {
            pages: Pages::open(path)?,
            documents: OnceLock::new(),
            region_table: OnceLock::new(),
            regions: OnceLock::new(),
            characters: OnceLock::new(),
            unit_table: OnceLock::new(),
            text_table: OnceLock::new(),
            units: Kept::default(),
            texts: Kept::default(),
            metas: Kept::default(),
        })
    }

    /// Bytes of the file.
    pub(crate) fn size(&self) -> u64 {
        self.pages.size()
    }

    /// Reads everything, to see that it is whole.
    pub(crate) fn verify(&self) -> Result<(), Error> {
        self.pages.verify()
    }

    /// The documents.
    pub(crate) fn documents(&self) -> Result<&[Doc], Error> {
        let read = || {
            let bytes = self.pages.all(section::DOCUMENTS)?;
            let doc = |b: &[u8]| Doc {
                first: u32_at(b, 0),
                region: u32_at(b, 4),
                text: u32_at(b, 8),
                meta: u32_at(b, 12),
                meta_len: u32_at(b, 16),
            };
            Ok(bytes.chunks_exact(DOCUMENT).map(doc).collect())
        };
        Ok(once(&self.documents, read)?)
    }

    /// The regions, in the order of their positions.
    pub(crate) fn regions(&self) -> Result<&[Region], Error> {
        let read = || {
            let documents = self.documents()?;
            let table = self.region_table()?;
            let mut regions = Vec::with_capacity(table.len() / REGION);
            let mut doc = 0;
            for n in 0..table.len() / REGION {
                while documents.get(doc as usize + 1).is_some_and(|d| d.region as usize <= n) {
                    doc += 1;
                }
                let unit_end = if (n + 1) * REGION < table.len() {
                    u32_at(table, (n + 1) * REGION + 8)
                } else {
                    self.unit_count()?
                };
                regions.push(self.region(n, doc, unit_end)?);
            }
            Ok(regions)
        };
        Ok(once(&self.regions, read)?)
    }

    fn region_table(&self) -> Result<&Vec<u8>, Error> {
        once(&self.region_table, || self.pages.all(section::REGIONS))
    }

    /// Region `n` as the table has it; what it does not say is told.
    fn region(&self, n: usize, doc: u32, unit_end: u32) -> Result<Region, Error> {
        let b = self
            .region_table()?
            .get(n * REGION..(n + 1) * REGION)
            .ok_or_else(|| self.nonsense())?;
        let layer_of = layer(b[0]).ok_or_else(|| self.nonsense())?;
        Ok(Region {
            doc,
            layer: layer_of,
            sub: layer(b[1]),
            first: u32_at(b, 4),
            unit: u32_at(b, 8),
            end: u32_at(b, 12),
            unit_end,
        })
    }

    /// The region of a position, without a list of all; of the end of its units it says nothing.
    fn home(&self, position: u32) -> Result<Region, Error> {
        let table = self.region_table()?;
        let (mut low, mut high) = (0, table.len() / REGION);
        while low < high {
            let middle = (low + high) / 2;
            if u32_at(table, middle * REGION + 12) <= position {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let doc = self.documents()?.partition_point(|d| d.region as usize <= low).saturating_sub(1)
            as u32;
        self.region(low, doc, u32::MAX)
    }

    /// The last block must be read to know how many units there are.
    fn unit_count(&self) -> Result<u32, Error> {
        let blocks = self.unit_table()?.len() / UNIT_BLOCK;
        if blocks == 0 {
            return Ok(0);
        }
        let last = self.decode(blocks as u32 - 1)?;
        Ok(last.last().map_or(0, |u| u.n + 1))
    }

    /// The region of a position.
    pub(crate) fn region_at(&self, position: u32) -> Result<&Region, Error> {
        let regions = self.regions()?;
        regions.get(regions.partition_point(|r| r.end <= position)).ok_or_else(|| self.nonsense())
    }

    /// What is known of a document.
    pub(crate) fn meta(&self, doc: u32) -> Result<Arc<DocMeta>, Error> {
        self.metas.get(doc, || {
            let d = *self.documents()?.get(doc as usize).ok_or_else(|| self.nonsense())?;
            let bytes = self
                .pages
                .read(section::METAS, d.meta as usize..d.meta as usize + d.meta_len as usize)?;
            DocMeta::from_bytes(&bytes).ok_or_else(|| self.nonsense())
        })
    }

    /// How often a character stands anywhere, and where the pairs are that it begins: start and
    /// length of the head.
    fn character(&self, c: char) -> Result<Option<(u32, usize, usize)>, Error> {
        let table = once(&self.characters, || self.pages.all(section::CHARACTERS))?;
        let (mut low, mut high) = (0, table.len() / CHARACTER);
        while low < high {
            let middle = (low + high) / 2;
            match u32_at(table, middle * CHARACTER) {
                code if code == c as u32 => {
                    let n = |i: usize| u32_at(table, middle * CHARACTER + 4 * i);
                    return Ok(Some((n(3), n(1) as usize, n(2) as usize)));
                }
                code if code < c as u32 => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(None)
    }

    /// How often a character stands in the file.
    pub(crate) fn frequency(&self, c: char) -> Result<u32, Error> {
        Ok(self.character(c)?.map_or(0, |(count, ..)| count))
    }

    /// The list of a pair.
    pub(crate) fn pair(&self, first: char, second: char) -> Result<Option<List>, Error> {
        let Some((_, at, head)) = self.character(first)? else { return Ok(None) };
        for entry in self.heads(at, head)? {
            let (c, list) = entry?;
            if c >= second as u32 {
                return Ok((c == second as u32).then_some(list));
            }
        }
        Ok(None)
    }

    /// Second characters with their lists.
    fn heads(
        &self,
        at: usize,
        head: usize,
    ) -> Result<impl Iterator<Item = Result<(u32, List), Error>> + '_, Error> {
        let bytes = self.pages.read(section::LISTS, at..at + head)?;
        let (mut read, mut c, mut list) = (0, 0, at + head);
        Ok(std::iter::from_fn(move || {
            if read == bytes.len() {
                return None;
            }
            let mut n = Numbers::new(&bytes[read..]);
            let mut entry = || {
                c += n.next_u32()?;
                let (count, what) = (n.next_u32()?, n.next_u32()?);
                let at = if count == 1 { Ok(what) } else { Err(list..list + what as usize) };
                list = at.as_ref().map_or_else(|r| r.end, |_| list);
                Some((c, List { count, at }))
            };
            let entry = entry();
            read = if entry.is_some() { read + n.at() } else { bytes.len() };
            Some(entry.ok_or_else(|| self.nonsense()))
        }))
    }

    /// The positions of a list, rising.
    pub(crate) fn positions(&self, list: &List) -> Result<Vec<u32>, Error> {
        match &list.at {
            Ok(position) => Ok(vec![*position]),
            Err(range) => {
                let bytes = self.pages.read(section::LISTS, range.clone())?;
                let mut numbers = Numbers::new(&bytes);
                let mut at = 0u32;
                let mut positions = Vec::with_capacity(list.count as usize);
                for _ in 0..list.count {
                    let step = numbers.next_u32().ok_or_else(|| self.nonsense())?;
                    at = at.checked_add(step).ok_or_else(|| self.nonsense())?;
                    positions.push(at);
                }
                Ok(positions)
            }
        }
    }

    /// All positions of a character, rising.
    pub(crate) fn of_character(&self, c: char) -> Result<Vec<u32>, Error> {
        let Some((count, at, head)) = self.character(c)? else { return Ok(vec![]) };
        let mut positions = Vec::with_capacity(count as usize);
        for entry in self.heads(at, head)? {
            positions.extend(self.positions(&entry?.1)?);
        }
        positions.sort_unstable();
        Ok(positions)
    }

    /// The unit that holds a position (for a break, the one after it).
    pub(crate) fn unit_at(&self, position: u32) -> Result<Placed, Error> {
        let table = self.unit_table()?;
        let (mut low, mut high) = (0, table.len() / UNIT_BLOCK);
        while low < high {
            let middle = (low + high) / 2;
            if u32_at(table, middle * UNIT_BLOCK) <= position {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let block = self.unit_block(low.saturating_sub(1) as u32)?;
        let i = block.partition_point(|u| u.end() <= position);
        match block.get(i) {
            Some(unit) => Ok(unit.clone()),
            None => self.unit(block.last().map_or(0, |u| u.n + 1)),
        }
    }

    /// The unit with this number.
    pub(crate) fn unit(&self, n: u32) -> Result<Placed, Error> {
        let block = self.unit_block(n / BLOCK as u32)?;
        block.get(n as usize % BLOCK).cloned().ok_or_else(|| self.nonsense())
    }

    /// The units of a range of numbers, in order.
    pub(crate) fn units(
        &self,
        range: std::ops::Range<u32>,
    ) -> impl Iterator<Item = Result<Placed, Error>> + '_ {
        let mut block: Option<(u32, Arc<Vec<Placed>>)> = None;
        range.map(move |n| {
            let number = n / BLOCK as u32;
            if block.as_ref().is_none_or(|(b, _)| *b != number) {
                block = Some((number, self.unit_block(number)?));
            }
            let found = block.as_ref().and_then(|(_, units)| units.get(n as usize % BLOCK));
            found.cloned().ok_or_else(|| self.nonsense())
        })
    }

    fn unit_table(&self) -> Result<&Vec<u8>, Error> {
        once(&self.unit_table, || self.pages.all(section::UNIT_BLOCKS))
    }

    fn unit_block(&self, n: u32) -> Result<Arc<Vec<Placed>>, Error> {
        self.units.get(n, || self.decode(n))
    }

    fn decode(&self, n: u32) -> Result<Vec<Placed>, Error> {
        let table = self.unit_table()?;
        let at = n as usize * UNIT_BLOCK;
        if at + UNIT_BLOCK > table.len() {
            return Err(self.nonsense());
        }
        let end = if at + UNIT_BLOCK == table.len() {
            self.pages.len(section::UNITS)
        } else {
            u32_at(table, at + UNIT_BLOCK + 4) as usize
        };
        let bytes = self.pages.read(section::UNITS, u32_at(table, at + 4) as usize..end)?;
        let mut decoder = Decoder::new(&bytes);
        let (mut first, mut number) = (u32_at(table, at), n * BLOCK as u32);
        let mut units = Vec::with_capacity(BLOCK);
        let mut region = self.home(first)?;
        while !decoder.is_done() {
            if region.end <= first {
                region = self.home(first)?;
            }
            let unit = decoder.next(region.layer, region.sub).ok_or_else(|| self.nonsense())?;
            let end = first.saturating_add(unit.len);
            let ends_run = !runs_on(region.layer) || end + 1 >= region.end;
            units.push(Placed { n: number, doc: region.doc, first, ends_run, unit });
            first = end + u32::from(ends_run);
            number += 1;
        }
        Ok(units)
    }

    /// The words of a unit, laid out.
    pub(crate) fn laid(&self, unit: &Placed) -> Result<Laid, Error> {
        let laid = Laid::of(&unit.unit, |span| self.words(unit.doc, span).map(Into::into))?;
        if laid.chars.len() == unit.unit.len as usize { Ok(laid) } else { Err(self.nonsense()) }
    }

    /// Words of a document's source.
    pub(crate) fn words(&self, doc: u32, span: Span) -> Result<String, Error> {
        let mut n = self.text_of(doc, span.start())?;
        let mut words = String::with_capacity(span.len());
        while words.len() < span.len() {
            let block = self.text_block(n)?;
            let from =
                if words.is_empty() { span.start() - self.text_record(n, 0)? as usize } else { 0 };
            let to = (from + span.len() - words.len()).min(block.len());
            let piece =
                block.get(from..to).filter(|p| !p.is_empty()).ok_or_else(|| self.nonsense())?;
            words.push_str(std::str::from_utf8(piece).map_err(|_| self.nonsense())?);
            n += 1;
        }
        Ok(words)
    }

    /// Line and column of a byte of a source, and its character.
    pub(crate) fn place(&self, doc: u32, byte: usize) -> Result<(Position, usize), Error> {
        let n = self.text_of(doc, byte)?;
        let block = self.text_block(n)?;
        let words =
            block.get(..byte - self.text_record(n, 0)? as usize).ok_or_else(|| self.nonsense())?;
        let character = self.text_record(n, 1)? as usize + count(words, |b| b & 0xC0 != 0x80);
        let line = self.text_record(n, 2)? as usize + count(words, |b| b == b'\n') + 1;
        let column = match words.iter().rposition(|b| *b == b'\n') {
            Some(i) => count(&words[i + 1..], |b| b & 0xC0 != 0x80),
            None => self.text_record(n, 3)? as usize + count(words, |b| b & 0xC0 != 0x80),
        };
        Ok((Position { line, column: column + 1 }, character))
    }

    /// Number of the block of text that holds a byte of a document.
    fn text_of(&self, doc: u32, byte: usize) -> Result<u32, Error> {
        let documents = self.documents()?;
        let first = documents.get(doc as usize).ok_or_else(|| self.nonsense())?.text;
        let end = match documents.get(doc as usize + 1) {
            Some(next) => next.text,
            None => (self.text_table()?.len() / TEXT_RECORD) as u32,
        };
        let (mut low, mut high) = (first, end);
        while low < high {
            let middle = low.midpoint(high);
            if self.text_record(middle, 0)? as usize <= byte {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low == first { Err(self.nonsense()) } else { Ok(low - 1) }
    }

    fn text_table(&self) -> Result<&Vec<u8>, Error> {
        once(&self.text_table, || {
            let count = u32_at(&self.pages.read(section::TEXT, 0..4)?, 0) as usize;
            self.pages.read(section::TEXT, 4..4 + count * TEXT_RECORD)
        })
    }

    fn text_record(&self, n: u32, field: usize) -> Result<u32, Error> {
        let (table, at) = (self.text_table()?, n as usize * TEXT_RECORD + 4 * field);
        if at + 4 > table.len() { Err(self.nonsense()) } else { Ok(u32_at(table, at)) }
    }

    /// A block of text; it begins with a character and ends with one.
    fn text_block(&self, n: u32) -> Result<Arc<Vec<u8>>, Error> {
        self.texts.get(n, || {
            let base = 4 + self.text_table()?.len();
            let start = self.text_record(n, 4)? as usize;
            let last = (n as usize + 1) * TEXT_RECORD == self.text_table()?.len();
            let end = if last {
                self.pages.len(section::TEXT) - base
            } else {
                self.text_record(n + 1, 4)? as usize
            };
            let bytes = self.pages.read(section::TEXT, base + start..base + end)?;
            lz4_flex::decompress_size_prepended(&bytes).map_err(|_| self.nonsense())
        })
    }

    /// A complaint that the bytes make no sense, although they agree with their checksums.
    pub(crate) fn nonsense(&self) -> Error {
        self.pages.damaged("what it says does not fit together")
    }
}

/// How many bytes are such, counted in stretches so short that a byte holds their number: the
/// compiler makes vectors of that.
fn count(bytes: &[u8], such: impl Fn(u8) -> bool) -> usize {
    bytes.chunks(255).map(|c| usize::from(c.iter().map(|b| u8::from(such(*b))).sum::<u8>())).sum()
}

/// The bytes of a unit's parts that are of use to whoever resolves references to it.
pub(crate) fn covers(unit: &Unit, span: Span) -> bool {
    unit.parts.iter().any(|p| p.span.overlap(span) > 0)
}
