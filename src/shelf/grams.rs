//! Which chapters have which runs of four characters: a file in which hashes are looked up where
//! they are, without reading the rest.
//!
//! After a head come the places of the buckets, then the buckets: all hashes with the same first
//! bits, each with the length of its list and the numbers of its chapters, as differences in
//! LEB128. A file is never changed: [`write`] merges others into a new one.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Characters of a gram. Quotations of four characters are common: half a verse of the 詩.
pub const GRAM_CHARS: usize = 4;
/// The first bytes of the file.
const MAGIC: &[u8; 8] = b"zhsgram1";
/// Magic, bits, number of postings, check sum of the table.
const HEAD_BYTES: u64 = 8 + 4 + 8 + 4;
/// Postings in a bucket, on average; a bucket then has some hundred bytes.
const BUCKET_POSTINGS: u64 = 64;
const MAX_BITS: u32 = 22;
/// Buckets that are at most so far apart are read together.
const MAX_GAP_BYTES: u64 = 8 << 10;
/// Most bytes that are read together.
const MAX_READ_BYTES: u64 = 1 << 20;

/// A gram's hash and the number of a chapter that has it.
pub type Posting = (u32, u32);

/// The hash of a gram. It is part of the format, so no hasher of a library.
pub fn hash(gram: &[char]) -> u32 {
    let mixed = gram.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, c| {
        (hash ^ u64::from(*c as u32)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
    });
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// An open file of grams.
#[derive(Debug)]
pub struct GramFile {
    file: File,
    bits: u32,
    /// How many postings it has.
    pub postings: u64,
    /// Where each bucket begins, and where the last one ends.
    places: Vec<u64>,
}

impl GramFile {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut head = [0; HEAD_BYTES as usize];
        file.read_exact(&mut head)?;
        let (bits, postings) = (u32_at(&head, 8), u64_at(&head, 12));
        if &head[..8] != MAGIC || bits > MAX_BITS {
            return Err(damaged());
        }
        let mut table = vec![0; ((1usize << bits) + 1) * 8];
        file.read_exact(&mut table)?;
        if crc32fast::hash(&table) != u32_at(&head, 20) {
            return Err(damaged());
        }
        let places: Vec<u64> = table.chunks_exact(8).map(|b| u64_at(b, 0)).collect();
        let length = file.metadata()?.len();
        if !places.is_sorted() || places.last().is_none_or(|end| *end != length) {
            return Err(damaged());
        }
        Ok(GramFile { file, bits, postings, places })
    }

    /// Gives `take` the chapters of each of these hashes, which are in order and distinct; those
    /// that no chapter has are left out.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged.
    pub fn look_up(&mut self, hashes: &[u32], mut take: impl FnMut(u32, &[u32])) -> io::Result<()> {
        let mut bytes = Vec::new();
        let mut chapters = Vec::new();
        let mut rest = hashes;
        while !rest.is_empty() {
            let (read, first, last) = self.together(rest);
            let from = self.places[first];
            bytes.resize((self.places[last + 1] - from) as usize, 0);
            self.file.seek(SeekFrom::Start(from))?;
            self.file.read_exact(&mut bytes)?;
            let mut here = &rest[..read];
            while let Some(hash) = here.first() {
                let bucket = bucket(*hash, self.bits);
                let n = here.partition_point(|h| self::bucket(*h, self.bits) == bucket);
                let part = |place: u64| (place - from) as usize;
                let range = part(self.places[bucket])..part(self.places[bucket + 1]);
                let sought = &here[..n];
                find(&bytes[range], start(bucket, self.bits), sought, &mut chapters, &mut take)?;
                here = &here[n..];
            }
            rest = &rest[read..];
        }
        Ok(())
    }

    /// How many of the first hashes are read together, with the first and last of their buckets.
    fn together(&self, hashes: &[u32]) -> (usize, usize, usize) {
        let first = bucket(hashes[0], self.bits);
        let mut last = first;
        let near = |h: &&u32| {
            let next = bucket(**h, self.bits);
            let fits = self.places[next] - self.places[last + 1].min(self.places[next])
                <= MAX_GAP_BYTES
                && self.places[next + 1] - self.places[first] <= MAX_READ_BYTES;
            if next == last || fits {
                last = next;
                return true;
            }
            false
        };
        let read = hashes.iter().take_while(near).count();
        (read.max(1), first, last)
    }

    /// All postings, in order.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn all(&self) -> io::Result<Postings> {
        let mut file = BufReader::new(self.file.try_clone()?);
        file.seek(SeekFrom::Start(self.places[0]))?;
        let (places, bits) = (self.places.clone(), self.bits);
        Ok(Postings { file, places, bits, bucket: 0, read: Vec::new().into_iter() })
    }
}

/// The postings of a file, bucket by bucket. They are read at the place of the file that its
/// handle has, so nothing else must be read meanwhile.
pub struct Postings {
    file: BufReader<File>,
    places: Vec<u64>,
    bits: u32,
    bucket: usize,
    read: std::vec::IntoIter<Posting>,
}

impl Iterator for Postings {
    type Item = io::Result<Posting>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(posting) = self.read.next() {
                return Some(Ok(posting));
            }
            let bucket = self.bucket;
            let length = self.places.get(bucket + 1)? - self.places[bucket];
            self.bucket += 1;
            match self.postings(bucket, length) {
                Ok(postings) => self.read = postings.into_iter(),
                Err(e) => return Some(Err(e)),
            }
        }
    }
}

impl Postings {
    fn postings(&mut self, bucket: usize, length: u64) -> io::Result<Vec<Posting>> {
        let mut bytes = vec![0; length as usize];
        self.file.read_exact(&mut bytes)?;
        let (mut all, mut chapters, mut at) = (vec![], vec![], 0);
        let mut hash = start(bucket, self.bits);
        while at < bytes.len() {
            let list;
            (hash, list) = entry(&bytes, &mut at, hash)?;
            read_list(list, &mut chapters)?;
            all.extend(chapters.iter().map(|c| (hash, *c)));
        }
        Ok(all)
    }
}

/// Finds hashes in a bucket.
fn find(
    bytes: &[u8],
    start: u32,
    sought: &[u32],
    chapters: &mut Vec<u32>,
    take: &mut impl FnMut(u32, &[u32]),
) -> io::Result<()> {
    let (mut at, mut hash, mut sought) = (0, start, sought.iter().peekable());
    while at < bytes.len() {
        let list;
        (hash, list) = entry(bytes, &mut at, hash)?;
        while sought.next_if(|h| **h < hash).is_some() {}
        match sought.peek() {
            None => break,
            Some(h) if **h == hash => {
                read_list(list, chapters)?;
                take(hash, chapters);
            }
            _ => {}
        }
    }
    Ok(())
}

/// The hash after `last`, and the list of its chapters.
fn entry<'b>(bytes: &'b [u8], at: &mut usize, last: u32) -> io::Result<(u32, &'b [u8])> {
    let hash = last.checked_add(number(bytes, at)?).ok_or_else(damaged)?;
    let length = number(bytes, at)? as usize;
    let list = bytes.get(*at..).and_then(|b| b.get(..length)).ok_or_else(damaged)?;
    *at += length;
    Ok((hash, list))
}

/// Reads a list of chapters.
fn read_list(list: &[u8], chapters: &mut Vec<u32>) -> io::Result<()> {
    chapters.clear();
    let (mut at, mut chapter) = (0, 0u32);
    while at < list.len() {
        chapter = chapter.checked_add(number(list, &mut at)?).ok_or_else(damaged)?;
        chapters.push(chapter);
    }
    Ok(())
}

fn number(bytes: &[u8], at: &mut usize) -> io::Result<u32> {
    let mut value = 0u32;
    for shift in (0..32).step_by(7) {
        let byte = *bytes.get(*at).ok_or_else(damaged)?;
        *at += 1;
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(damaged())
}

fn push_number(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn bucket(hash: u32, bits: u32) -> usize {
    (u64::from(hash) << bits >> 32) as usize
}

/// The least hash of a bucket.
fn start(bucket: usize, bits: u32) -> u32 {
    ((bucket as u64) << (32 - bits)) as u32
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the index is damaged")
}

/// Writes a file of all postings of several sources, each in order. `keep` leaves chapters out.
///
/// # Errors
/// When a source cannot be read or the file cannot be written.
pub fn write(
    file: &File,
    sources: Vec<Box<dyn Iterator<Item = io::Result<Posting>> + '_>>,
    expected: u64,
    keep: impl Fn(u32) -> bool,
) -> io::Result<()> {
    let mut writer = GramWriter::new(file, expected)?;
    let mut sources: Vec<_> = sources.into_iter().map(Iterator::peekable).collect();
    let least = |s: &mut std::iter::Peekable<_>| match s.peek() {
        Some(Ok(posting)) => Some(*posting),
        // A source that failed comes first, so that its error is returned.
        Some(Err(_)) => Some((0, 0)),
        None => None,
    };
    loop {
        let first = sources.iter_mut().enumerate().filter_map(|(n, s)| Some((least(s)?, n))).min();
        let Some((_, n)) = first else { break };
        if let Some(posting) = sources[n].next() {
            let posting: Posting = posting?;
            if keep(posting.1) {
                writer.push(posting)?;
            }
        }
    }
    writer.end()
}

struct GramWriter<'a> {
    out: BufWriter<&'a File>,
    bits: u32,
    postings: u64,
    places: Vec<u64>,
    at: u64,
    /// The hash before the one that is being collected, or where its bucket begins.
    last: u32,
    hash: u32,
    chapters: Vec<u32>,
}

impl<'a> GramWriter<'a> {
    fn new(file: &'a File, expected: u64) -> io::Result<Self> {
        let bits = (expected / BUCKET_POSTINGS).max(1).ilog2().min(MAX_BITS);
        let mut out = BufWriter::new(file);
        let at = HEAD_BYTES + ((1 << bits) + 1) * 8;
        out.seek(SeekFrom::Start(at))?;
        let (places, chapters) = (vec![at], vec![]);
        Ok(GramWriter { out, bits, postings: 0, places, at, last: 0, hash: 0, chapters })
    }

    fn push(&mut self, (hash, chapter): Posting) -> io::Result<()> {
        if hash != self.hash {
            self.flush()?;
            self.hash = hash;
        }
        if self.chapters.last() != Some(&chapter) {
            self.chapters.push(chapter);
        }
        Ok(())
    }

    /// Writes the hash that is being collected.
    fn flush(&mut self) -> io::Result<()> {
        if self.chapters.is_empty() {
            return Ok(());
        }
        let bucket = bucket(self.hash, self.bits);
        if self.places.len() <= bucket {
            self.places.resize(bucket + 1, self.at);
            self.last = start(bucket, self.bits);
        }
        let (mut list, mut bytes) = (Vec::with_capacity(2 * self.chapters.len()), vec![]);
        let mut before = 0;
        for chapter in &self.chapters {
            push_number(&mut list, chapter - before);
            before = *chapter;
        }
        push_number(&mut bytes, self.hash - self.last);
        push_number(&mut bytes, list.len() as u32);
        bytes.extend(list);
        self.out.write_all(&bytes)?;
        self.at += bytes.len() as u64;
        self.postings += self.chapters.len() as u64;
        self.last = self.hash;
        self.chapters.clear();
        Ok(())
    }

    /// Writes what comes before the buckets.
    fn end(mut self) -> io::Result<()> {
        self.flush()?;
        self.places.resize((1 << self.bits) + 1, self.at);
        let table: Vec<u8> = self.places.iter().flat_map(|p| p.to_le_bytes()).collect();
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(MAGIC)?;
        self.out.write_all(&self.bits.to_le_bytes())?;
        self.out.write_all(&self.postings.to_le_bytes())?;
        self.out.write_all(&crc32fast::hash(&table).to_le_bytes())?;
        self.out.write_all(&table)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    type Sources = Vec<BTreeSet<Posting>>;

    fn written(sources: &Sources, keep: impl Fn(u32) -> bool) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let all = sources.iter().map(|s| Box::new(s.iter().map(|p| Ok(*p))) as Box<_>).collect();
        let expected = sources.iter().map(|s| s.len() as u64).sum();
        write(file.as_file(), all, expected, keep).unwrap();
        file
    }

    fn sources() -> impl Strategy<Value = Sources> {
        let hash = prop_oneof![any::<u32>(), 0u32..40, Just(u32::MAX)];
        let postings = proptest::collection::btree_set((hash, 0u32..300), 0..400);
        proptest::collection::vec(postings, 0..4)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]
        #[test]
        fn look_ups_find_what_a_scan_finds(all in sources(), other in any::<[u32; 8]>()) {
            let keep = |c: u32| c % 7 != 3;
            let file = written(&all, keep);
            let mut slow: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            let postings: BTreeSet<Posting> =
                all.iter().flatten().copied().filter(|p| keep(p.1)).collect();
            postings.iter().for_each(|(h, c)| slow.entry(*h).or_default().push(*c));
            let mut grams = GramFile::open(file.path()).unwrap();
            let sought: BTreeSet<u32> =
                all.iter().flatten().map(|p| p.0).step_by(2).chain(other).collect();
            let sought: Vec<u32> = sought.into_iter().collect();
            let mut found = BTreeMap::new();
            grams.look_up(&sought, |h, c| { found.insert(h, c.to_vec()); }).unwrap();
            slow.retain(|h, _| sought.contains(h));
            prop_assert_eq!(found, slow);
            let read: Result<BTreeSet<Posting>, _> = grams.all().unwrap().collect();
            prop_assert_eq!(read.unwrap(), postings);
        }

        #[test]
        fn a_damaged_file_is_an_error_or_gives_something(at in 0usize..4000, bit in 0u8..8) {
            let one: BTreeSet<Posting> = (0..300).map(|n| (n * 9_000_000, n % 11)).collect();
            let file = written(&vec![one], |_| true);
            let mut bytes = std::fs::read(file.path()).unwrap();
            let at = at % bytes.len();
            bytes[at] ^= 1 << bit;
            std::fs::write(file.path(), &bytes).unwrap();
            if let Ok(mut grams) = GramFile::open(file.path()) {
                let sought: Vec<u32> = (0..300).map(|n| n * 9_000_000).collect();
                let _ = grams.look_up(&sought, |_, _| {});
            }
            std::fs::write(file.path(), &bytes[..at]).unwrap();
            prop_assert!(GramFile::open(file.path()).is_err());
        }
    }

    #[test]
    fn grams_of_the_same_characters_in_another_order_differ() {
        let hash = |words: &str| hash(&words.chars().collect::<Vec<_>>());
        assert_ne!(hash("司馬正洗"), hash("正洗司馬"));
    }
}
