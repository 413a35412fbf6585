//! Reads and writes the sections of an index file. Each page has a checksum, so that damage is
//! noticed although a query reads only a little of a file.
//!
//! Layout: the sections one after the other; a CRC-32 for each page of [`PAGE_BYTES`] bytes of
//! them; a trailer of fixed size with the lengths. `unsafe` code is forbidden here, so files are
//! not mapped into memory: ranges are read.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::diag::{Error, ErrorKind};
use crate::search::stop::Stop;

/// Version of the format of the index.
pub(crate) const FORMAT_VERSION: u32 = 6;
/// Number of sections.
pub(crate) const SECTIONS: usize = 8;

const PAGE_BYTES: usize = 4096;
const MAGIC: &[u8; 8] = b"zhushuIX";
/// Magic, version, length of the sections, their ends, checksum of the page table, checksum of the
/// trailer itself.
const TRAILER_BYTES: usize = 8 + 4 + 8 + 8 * SECTIONS + 4 + 4;

/// Writes sections, page table and trailer.
pub(crate) fn write(sections: &[Vec<u8>; SECTIONS], out: &mut dyn Write) -> io::Result<()> {
    let all: Vec<u8> = sections.concat();
    let table: Vec<u8> =
        all.chunks(PAGE_BYTES).flat_map(|page| crc32fast::hash(page).to_le_bytes()).collect();
    let mut trailer = Vec::with_capacity(TRAILER_BYTES);
    trailer.extend_from_slice(MAGIC);
    trailer.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    trailer.extend_from_slice(&(all.len() as u64).to_le_bytes());
    let mut end = 0u64;
    for section in sections {
        end += section.len() as u64;
        trailer.extend_from_slice(&end.to_le_bytes());
    }
    trailer.extend_from_slice(&crc32fast::hash(&table).to_le_bytes());
    trailer.extend_from_slice(&crc32fast::hash(&trailer).to_le_bytes());
    out.write_all(&all)?;
    out.write_all(&table)?;
    out.write_all(&trailer)
}

/// A file of sections, open for reading.
#[derive(Debug)]
pub(crate) struct PagedFile {
    path: PathBuf,
    file: PositionedFile,
    /// Bytes of the file.
    size: u64,
    length: u64,
    ends: [u64; SECTIONS],
    table_crc: u32,
    table: OnceLock<Vec<u8>>,
    pub(super) stop: Stop,
}

impl PagedFile {
    /// Opens a file and reads its trailer.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let mut file =
            File::open(path).map_err(|e| Error::io(path, "read", &e).hint("rebuild the index"))?;
        let size = file.metadata().map_err(|e| Error::io(path, "read", &e))?.len();
        if size < TRAILER_BYTES as u64 {
            return Err(damaged(path, "the file is too short"));
        }
        let mut trailer = [0; TRAILER_BYTES];
        let read = file
            .seek(SeekFrom::Start(size - TRAILER_BYTES as u64))
            .and_then(|_| file.read_exact(&mut trailer));
        read.map_err(|e| Error::io(path, "read", &e))?;
        if !trailer.starts_with(MAGIC) {
            return Err(damaged(path, "the file was cut off, or is not an index file"));
        }
        let version = u32_at(&trailer, 8);
        if version != FORMAT_VERSION {
            return Err(unusable(
                path,
                format!("this index has format {version}; this program reads {FORMAT_VERSION}"),
            ));
        }
        if crc32fast::hash(&trailer[..TRAILER_BYTES - 4]) != u32_at(&trailer, TRAILER_BYTES - 4) {
            return Err(damaged(path, "the checksum of its trailer is wrong"));
        }
        let length = u64_at(&trailer, 12);
        let mut ends = [0; SECTIONS];
        for (i, end) in ends.iter_mut().enumerate() {
            *end = u64_at(&trailer, 20 + 8 * i);
        }
        let pages = PagedFile {
            path: path.into(),
            file: PositionedFile::new(file),
            size,
            length,
            ends,
            table_crc: u32_at(&trailer, TRAILER_BYTES - 8),
            table: OnceLock::new(),
            stop: Stop::default(),
        };
        let whole = length.checked_add(pages.table_length() + TRAILER_BYTES as u64);
        if whole != Some(size) {
            return Err(damaged(path, "the file does not have the length given in its trailer"));
        }
        if !ends.is_sorted() || ends[SECTIONS - 1] != length {
            return Err(damaged(path, "its sections do not follow each other"));
        }
        Ok(pages)
    }

    /// Bytes of the file.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    fn table_length(&self) -> u64 {
        self.length.div_ceil(PAGE_BYTES as u64) * 4
    }

    /// Bytes of a section.
    pub(crate) fn len(&self, section: usize) -> usize {
        (self.ends[section] - self.start(section)) as usize
    }

    fn start(&self, section: usize) -> u64 {
        if section == 0 { 0 } else { self.ends[section - 1] }
    }

    /// A whole section.
    pub(crate) fn all(&self, section: usize) -> Result<Vec<u8>, Error> {
        self.read(section, 0..self.len(section))
    }

    /// A range of a section.
    pub(crate) fn read(&self, section: usize, range: Range<usize>) -> Result<Vec<u8>, Error> {
        self.stop.check()?;
        if range.start > range.end || range.end > self.len(section) {
            return Err(self.damaged("it refers to bytes outside a section"));
        }
        if range.is_empty() {
            return Ok(vec![]);
        }
        let (from, to) =
            (self.start(section) as usize + range.start, self.start(section) as usize + range.end);
        let (first, last) = (from / PAGE_BYTES, to.div_ceil(PAGE_BYTES));
        let stop = (last * PAGE_BYTES).min(self.length as usize);
        let mut bytes = self.raw(first * PAGE_BYTES, stop - first * PAGE_BYTES)?;
        let table = self.table()?;
        for (page, n) in bytes.chunks(PAGE_BYTES).zip(first..) {
            if crc32fast::hash(page) != u32_at(table, 4 * n) {
                return Err(self.damaged(&format!("the checksum of page {n} is wrong")));
            }
        }
        bytes.truncate(to - first * PAGE_BYTES);
        bytes.drain(..from - first * PAGE_BYTES);
        Ok(bytes)
    }

    /// Reads everything and checks it.
    pub(crate) fn verify(&self) -> Result<(), Error> {
        (0..SECTIONS).try_for_each(|s| self.all(s).map(drop))
    }

    fn table(&self) -> Result<&Vec<u8>, Error> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let table = self.raw(self.length as usize, self.table_length() as usize)?;
        if crc32fast::hash(&table) != self.table_crc {
            return Err(self.damaged("the checksum of its page table is wrong"));
        }
        Ok(self.table.get_or_init(|| table))
    }

    fn raw(&self, at: usize, length: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; length];
        match self.file.read(&mut bytes, at as u64) {
            Ok(()) => Ok(bytes),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
                Err(self.damaged("the file was cut off"))
            }
            Err(e) => Err(Error::io(&self.path, "read", &e)),
        }
    }

    /// An error that this file is damaged.
    pub(crate) fn damaged(&self, why: &str) -> Error {
        damaged(&self.path, why)
    }
}

/// A file that several threads read at different positions.
#[cfg(unix)]
#[derive(Debug)]
struct PositionedFile(File);

#[cfg(unix)]
impl PositionedFile {
    fn new(file: File) -> Self {
        PositionedFile(file)
    }

    fn read(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, bytes, at)
    }
}

/// The same for systems where reading moves the position of the file.
#[cfg(not(unix))]
#[derive(Debug)]
struct PositionedFile(std::sync::Mutex<File>);

#[cfg(not(unix))]
impl PositionedFile {
    fn new(file: File) -> Self {
        PositionedFile(file.into())
    }

    fn read(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(bytes))
    }
}

/// An error that an index cannot be used.
pub(crate) fn unusable(path: &Path, why: impl Into<String>) -> Error {
    Error::input(path, why).of_kind(ErrorKind::Index).hint("rebuild the index")
}

/// An error that a file of an index is damaged.
pub(crate) fn damaged(path: &Path, why: &str) -> Error {
    unusable(path, format!("the search index is damaged: {why}"))
}

/// A table as records of `N` bytes.
pub(crate) fn records<const N: usize>(table: &[u8]) -> &[[u8; N]] {
    table.as_chunks().0
}

/// The little-endian number at byte `at`.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4].iter().rev().fold(0, |n, b| n << 8 | u32::from(*b))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().rev().fold(0, |n, b| n << 8 | u64::from(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let mut sections: [Vec<u8>; SECTIONS] = Default::default();
        sections[1] = (0..10_000u32).flat_map(|n| n.to_le_bytes()).collect();
        sections[3] = b"abc".to_vec();
        let mut bytes = vec![];
        write(&sections, &mut bytes).unwrap();
        bytes
    }

    /// Opens the file, reads some ranges, and verifies all of it.
    fn use_it(bytes: &[u8]) -> Result<(), Error> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let pages = PagedFile::open(file.path())?;
        assert_eq!(pages.read(1, 16..20)?, 4u32.to_le_bytes());
        assert_eq!(pages.read(1, 4000..9000)?.len(), 5000);
        assert_eq!(pages.all(3)?, b"abc");
        pages.verify()
    }

    #[test]
    fn a_complete_file_is_read() {
        use_it(&sample()).unwrap();
    }

    #[test]
    fn every_cut_and_every_flipped_bit_is_noticed() {
        let whole = sample();
        for n in (0..whole.len()).step_by(997) {
            assert!(use_it(&whole[..n]).is_err(), "cut at {n}");
        }
        for n in (0..whole.len()).step_by(499).chain(whole.len() - TRAILER_BYTES..whole.len()) {
            let mut bytes = whole.clone();
            bytes[n] ^= 4;
            assert!(use_it(&bytes).is_err(), "byte {n} flipped");
        }
    }
}
