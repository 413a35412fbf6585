//! One file of the index. A query reads only the parts of it that it needs: documents, regions and
//! units here, position lists in [`super::lists`], texts in [`super::text`].

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::cache::{BlockCache, once};
use super::pages::{PagedFile, records, u32_at};
use super::recent::Recent;
use super::section;
use super::units::{BLOCK_UNITS, Decoder};
use super::write::{DOCUMENT_BYTES, REGION_BYTES, UNIT_BLOCK_BYTES, layer};
use crate::diag::Error;
use crate::model::Layer;
use crate::search::stop::Stop;
use crate::search::units::{DocMeta, Placed, Unit, runs_on};
use crate::source::Span;

/// A file of the index.
#[derive(Debug)]
pub(crate) struct IndexFile {
    pub(super) pages: PagedFile,
    documents: OnceLock<Vec<DocumentRecord>>,
    region_table: OnceLock<Vec<u8>>,
    regions: OnceLock<Vec<Region>>,
    pub(super) characters: OnceLock<Vec<u8>>,
    unit_table: OnceLock<Vec<u8>>,
    pub(super) text_table: OnceLock<Vec<u8>>,
    units: BlockCache<Vec<Placed>>,
    pub(super) texts: BlockCache<Vec<u8>>,
    metas: BlockCache<DocMeta>,
    pub(super) recent: Recent,
}

/// A document of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DocumentRecord {
    /// Position of its first character.
    pub(crate) first: u32,
    /// Its first region.
    pub(crate) region: u32,
    /// Its first block of text.
    pub(super) text: u32,
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
    /// Numbers of its units.
    pub(crate) unit: u32,
    pub(crate) unit_end: u32,
}

impl IndexFile {
    /// Opens a file. Reads only its trailer.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        Ok(IndexFile {
            pages: PagedFile::open(path)?,
            documents: OnceLock::new(),
            region_table: OnceLock::new(),
            regions: OnceLock::new(),
            characters: OnceLock::new(),
            unit_table: OnceLock::new(),
            text_table: OnceLock::new(),
            units: BlockCache::default(),
            texts: BlockCache::default(),
            metas: BlockCache::default(),
            recent: Recent::default(),
        })
    }

    /// From now on reading stops when this says so.
    pub(crate) fn stop_with(&mut self, stop: Stop) {
        self.pages.stop = stop;
    }

    /// Size of the file in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.pages.size()
    }

    /// Reads the whole file and checks that it is undamaged.
    pub(crate) fn verify(&self) -> Result<(), Error> {
        self.pages.verify()
    }

    /// The documents.
    pub(crate) fn documents(&self) -> Result<&[DocumentRecord], Error> {
        let read = || {
            let bytes = self.pages.all(section::DOCUMENTS)?;
            let document = |b: &[u8; DOCUMENT_BYTES]| DocumentRecord {
                first: u32_at(b, 0),
                region: u32_at(b, 4),
                text: u32_at(b, 8),
                meta: u32_at(b, 12),
                meta_len: u32_at(b, 16),
            };
            Ok(records(&bytes).iter().map(document).collect())
        };
        Ok(once(&self.documents, read)?)
    }

    /// The regions, in the order of their positions.
    pub(crate) fn regions(&self) -> Result<&[Region], Error> {
        let read = || {
            let documents = self.documents()?;
            let table = self.region_table()?;
            let mut regions = Vec::with_capacity(table.len());
            let mut doc = 0;
            for n in 0..table.len() {
                while documents.get(doc as usize + 1).is_some_and(|d| d.region as usize <= n) {
                    doc += 1;
                }
                let unit_end = match table.get(n + 1) {
                    Some(next) => u32_at(next, 8),
                    None => self.unit_count()?,
                };
                regions.push(self.region(n, doc, unit_end)?);
            }
            Ok(regions)
        };
        Ok(once(&self.regions, read)?)
    }

    fn region_table(&self) -> Result<&[[u8; REGION_BYTES]], Error> {
        Ok(records(once(&self.region_table, || self.pages.all(section::REGIONS))?))
    }

    /// Region `n` of the table; document and end of the units are not in the table.
    fn region(&self, n: usize, doc: u32, unit_end: u32) -> Result<Region, Error> {
        let b = self.region_table()?.get(n).ok_or_else(|| self.inconsistent())?;
        Ok(Region {
            doc,
            layer: layer(b[0]).ok_or_else(|| self.inconsistent())?,
            sub: layer(b[1]),
            first: u32_at(b, 4),
            unit: u32_at(b, 8),
            end: u32_at(b, 12),
            unit_end,
        })
    }

    /// The region of a position, read without the list of all regions. The end of its units is not
    /// filled in.
    fn region_alone(&self, position: u32) -> Result<Region, Error> {
        let n = self.region_table()?.partition_point(|r| u32_at(r, 12) <= position);
        let doc = self.documents()?.partition_point(|d| d.region as usize <= n).saturating_sub(1);
        self.region(n, doc as u32, u32::MAX)
    }

    /// How many units there are. Only the last block knows.
    fn unit_count(&self) -> Result<u32, Error> {
        let blocks = self.unit_table()?.len();
        if blocks == 0 {
            return Ok(0);
        }
        let last = self.decode(blocks as u32 - 1)?;
        Ok(last.last().map_or(0, |u| u.n.saturating_add(1)))
    }

    /// The region of a position.
    pub(crate) fn region_at(&self, position: u32) -> Result<&Region, Error> {
        let regions = self.regions()?;
        regions
            .get(regions.partition_point(|r| r.end <= position))
            .ok_or_else(|| self.inconsistent())
    }

    /// The number of a unit in its document.
    pub(crate) fn number_in_document(&self, unit: &Placed) -> Result<u32, Error> {
        unit.n.checked_sub(self.first_unit(unit.doc)?).ok_or_else(|| self.inconsistent())
    }

    /// The numbers of the units of a region in its document.
    pub(crate) fn units_in_document(&self, region: &Region) -> Result<Range<u32>, Error> {
        let first = self.first_unit(region.doc)?;
        let from = region.unit.checked_sub(first).ok_or_else(|| self.inconsistent())?;
        Ok(from..region.unit_end.checked_sub(first).ok_or_else(|| self.inconsistent())?)
    }

    /// The number of the first unit of a document.
    fn first_unit(&self, doc: u32) -> Result<u32, Error> {
        let of = self.documents()?.get(doc as usize).ok_or_else(|| self.inconsistent())?;
        let region = self.region_table()?.get(of.region as usize);
        Ok(region.map_or(0, |b| u32_at(b, 8)))
    }

    /// The metadata of a document.
    pub(crate) fn meta(&self, doc: u32) -> Result<Arc<DocMeta>, Error> {
        self.metas.get(doc, || {
            let d = *self.documents()?.get(doc as usize).ok_or_else(|| self.inconsistent())?;
            let range = d.meta as usize..d.meta as usize + d.meta_len as usize;
            let bytes = self.pages.read(section::METAS, range)?;
            DocMeta::from_bytes(&bytes).ok_or_else(|| self.inconsistent())
        })
    }

    /// The unit that contains a position (for a break, the unit after it).
    pub(crate) fn unit_at(&self, position: u32) -> Result<Placed, Error> {
        let after = self.unit_table()?.partition_point(|r| u32_at(r, 0) <= position);
        let block = self.unit_block(after.saturating_sub(1) as u32)?;
        match block.get(block.partition_point(|u| u.end() <= position)) {
            Some(unit) => Ok(unit.clone()),
            None => self.unit(block.last().map_or(0, |u| u.n.saturating_add(1))),
        }
    }

    /// The unit with this number.
    pub(crate) fn unit(&self, n: u32) -> Result<Placed, Error> {
        let block = self.unit_block(n / BLOCK_UNITS as u32)?;
        block.get(n as usize % BLOCK_UNITS).cloned().ok_or_else(|| self.inconsistent())
    }

    /// The units of a range of numbers, in order.
    pub(crate) fn units(
        &self,
        range: Range<u32>,
    ) -> impl Iterator<Item = Result<Placed, Error>> + '_ {
        let mut block: Option<(u32, Arc<Vec<Placed>>)> = None;
        range.map(move |n| {
            let number = n / BLOCK_UNITS as u32;
            if block.as_ref().is_none_or(|(b, _)| *b != number) {
                block = Some((number, self.unit_block(number)?));
            }
            let found = block.as_ref().and_then(|(_, units)| units.get(n as usize % BLOCK_UNITS));
            found.cloned().ok_or_else(|| self.inconsistent())
        })
    }

    fn unit_table(&self) -> Result<&[[u8; UNIT_BLOCK_BYTES]], Error> {
        Ok(records(once(&self.unit_table, || self.pages.all(section::UNIT_BLOCKS))?))
    }

    fn unit_block(&self, n: u32) -> Result<Arc<Vec<Placed>>, Error> {
        self.units.get(n, || self.decode(n))
    }

    /// Reads a block of units.
    fn decode(&self, n: u32) -> Result<Vec<Placed>, Error> {
        let table = self.unit_table()?;
        let record = table.get(n as usize).ok_or_else(|| self.inconsistent())?;
        let end = match table.get(n as usize + 1) {
            Some(next) => u32_at(next, 4) as usize,
            None => self.pages.len(section::UNITS),
        };
        let bytes = self.pages.read(section::UNITS, u32_at(record, 4) as usize..end)?;
        let mut decoder = Decoder::new(&bytes);
        let (mut first, mut number) = (u32_at(record, 0), n.saturating_mul(BLOCK_UNITS as u32));
        let mut units = Vec::with_capacity(BLOCK_UNITS);
        let mut region = self.region_alone(first)?;
        while !decoder.is_done() {
            if region.end <= first {
                region = self.region_alone(first)?;
            }
            let unit = decoder.next(region.layer, region.sub).ok_or_else(|| self.inconsistent())?;
            let end = first.saturating_add(unit.len);
            let ends_run = !runs_on(region.layer) || end.saturating_add(1) >= region.end;
            units.push(Placed { n: number, doc: region.doc, first, ends_run, unit });
            first = end.saturating_add(u32::from(ends_run));
            number = number.saturating_add(1);
        }
        Ok(units)
    }

    /// An error for bytes that agree with their checksums but contradict each other.
    pub(crate) fn inconsistent(&self) -> Error {
        self.pages.damaged("its parts contradict each other")
    }
}

/// True if a span overlaps a part of a unit.
pub(crate) fn overlaps(unit: &Unit, span: Span) -> bool {
    unit.parts.iter().any(|p| p.span.overlap(span) > 0)
}
