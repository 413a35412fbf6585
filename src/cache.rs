//! Results on disk, each under a key that says what it was computed from. A result that is gone or
//! damaged is computed again, so everything in a cache can be deleted at any time.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::kept::{self, Durability};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use lz4_flex::frame::{FrameDecoder, FrameEncoder};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A result is not longer than this. What says that it is was made to fill the memory.
const MAX_PLAIN: u64 = 2 << 30;

/// Bytes before the result: its CRC-32.
const CHECK_BYTES: usize = 4;

/// A folder of results.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    packing: Packing,
}

/// How results are compressed. Both are read again, whichever a cache uses.
#[derive(Clone, Copy, Debug)]
enum Packing {
    /// LZ4: for what a person's library reads for each text.
    Fast,
    /// Deflate, a third less: for what an edition keeps.
    Small,
}

/// The key of a result: a hash of everything it depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct CacheKey(String);

impl CacheKey {
    /// The key of what is computed from these parts, in this order.
    pub(crate) fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            // With its length, so that “ab”, “c” and “a”, “bc” differ.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        CacheKey::from_hash(&hash.finalize())
    }

    fn from_hash(hash: &[u8]) -> Self {
        CacheKey(hash[..16].iter().map(|b| format!("{b:02x}")).collect())
    }

    /// As bytes, to be a part of another key.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// The key of a value: a hash of what it contains.
///
/// # Panics
/// If it has a list of unknown length. Types of this crate have none.
pub(crate) fn digest<T: Serialize>(value: &T) -> CacheKey {
    let writer = BufWriter::with_capacity(1 << 12, HashWriter(Sha256::new()));
    let written = postcard::to_io(value, writer).expect("lists have a length");
    let hash = written.into_inner().map(|writer| writer.0.finalize());
    CacheKey::from_hash(&hash.expect("writing to a hash does not fail"))
}

/// Hashes what is written.
#[derive(Debug, Default)]
pub(crate) struct HashWriter(pub(crate) Sha256);

impl Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for CacheKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Cache {
    /// The cache in a folder, which is created when the first result is written.
    pub(crate) fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Cache { folder: folder.into(), packing: Packing::Fast }
    }

    /// The same, which takes less room and more time.
    pub(crate) fn small(self) -> Self {
        Cache { packing: Packing::Small, ..self }
    }

    /// The result under `key`; `None` if it is not there, or not whole.
    pub(crate) fn read<T: DeserializeOwned>(&self, key: &CacheKey) -> Option<T> {
        unpacked(&fs::read(self.path(key)).ok()?)
    }

    /// Writes a result under a key made of its own bytes and `kind`, and returns the key. Equal
    /// results are stored once.
    ///
    /// # Errors
    /// When that fails.
    pub(crate) fn keep<T: Serialize>(&self, kind: &str, result: &T) -> io::Result<CacheKey> {
        let bytes = self.packing.packed(result)?;
        let key = CacheKey::of([kind.as_bytes(), &bytes]);
        let path = self.path(&key);
        // A damaged one is written again: its name says what it should be.
        let is_there = fs::read(&path).is_ok_and(|there| there == bytes);
        if !is_there {
            self.put(&path, &bytes)?;
        }
        Ok(key)
    }

    /// Writes a result under a key.
    ///
    /// # Errors
    /// When that fails.
    pub(crate) fn write<T: Serialize>(&self, key: &CacheKey, result: &T) -> io::Result<()> {
        self.write_packed(key, &self.packed(result)?)
    }

    /// A result as it is written.
    ///
    /// # Errors
    /// When it cannot be.
    pub(crate) fn packed<T: Serialize>(&self, result: &T) -> io::Result<Vec<u8>> {
        self.packing.packed(result)
    }

    /// The same of a result that is [`packed`](Self::packed).
    ///
    /// # Errors
    /// When that fails.
    pub(crate) fn write_packed(&self, key: &CacheKey, bytes: &[u8]) -> io::Result<()> {
        self.put(&self.path(key), bytes)
    }

    /// The size of a result on disk; 0 if it is not there.
    pub(crate) fn bytes_of(&self, key: &CacheKey) -> u64 {
        fs::metadata(self.path(key)).map_or(0, |m| m.len())
    }

    /// Puts a result under another key.
    ///
    /// # Errors
    /// When it is not there, or that fails.
    pub(crate) fn rename(&self, from: &CacheKey, to: &CacheKey) -> io::Result<()> {
        let to = self.path(to);
        fs::create_dir_all(to.parent().unwrap_or(&self.folder))?;
        fs::rename(self.path(from), to)
    }

    /// Removes all results but these. What cannot be removed does no harm.
    pub(crate) fn retain(&self, keys: &HashSet<&CacheKey>) {
        let Ok(folders) = fs::read_dir(&self.folder) else { return };
        for entry in folders.flatten().filter_map(|f| fs::read_dir(f.path()).ok()).flatten() {
            let Ok(entry) = entry else { continue };
            let name = CacheKey(entry.file_name().to_string_lossy().into_owned());
            if !keys.contains(&name) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Writes a result, which is then whole or not there.
    fn put(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        kept::put(path, Durability::Later, |out| out.write_all(bytes)).map(drop)
    }

    fn path(&self, key: &CacheKey) -> PathBuf {
        // Thousands of files in one folder are slow on some file systems.
        self.folder.join(&key.0[..key.0.len().min(2)]).join(&key.0)
    }
}

/// A result as bytes: compressed, with a check sum.
pub(crate) fn packed<T: Serialize>(result: &T) -> io::Result<Vec<u8>> {
    Packing::Fast.packed(result)
}

/// How much deflate tries. More takes far longer and saves little.
const EFFORT: u32 = 3;

thread_local! {
    /// Its state has many times the bytes of a result, and has to be aligned: if each result made
    /// one, the system's allocator would keep the gaps between them, more than all texts take.
    static DEFLATE: RefCell<DeflateEncoder<Vec<u8>>> = RefCell::new(encoder());
}

fn encoder() -> DeflateEncoder<Vec<u8>> {
    DeflateEncoder::new(vec![], Compression::new(EFFORT))
}

/// Adds a compressed result to some bytes. It is compressed as it is written: of a long text it
/// would take as much memory as the text's document.
fn deflated<T: Serialize>(result: &T, to: Vec<u8>) -> io::Result<Vec<u8>> {
    DEFLATE.with_borrow_mut(|deflate| {
        let made = deflate.reset(to).and_then(|_| {
            written(result, &mut *deflate)?;
            deflate.reset(vec![])
        });
        // What failed half-way is of no more use.
        made.inspect_err(|_| *deflate = encoder())
    })
}

/// The same, which takes less time and more room.
fn in_frame<T: Serialize>(result: &T, to: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut frame = FrameEncoder::new(to);
    written(result, &mut frame)?;
    Ok(frame.finish()?)
}

fn written<T: Serialize>(result: &T, to: impl Write) -> io::Result<()> {
    let to = BufWriter::with_capacity(1 << 12, to);
    postcard::to_io(result, to).map_err(io::Error::other)?.flush()
}

impl Packing {
    fn packed<T: Serialize>(self, result: &T) -> io::Result<Vec<u8>> {
        let bytes = vec![0; CHECK_BYTES];
        let mut bytes = match self {
            Packing::Fast => in_frame(result, bytes)?,
            Packing::Small => deflated(result, bytes)?,
        };
        let check = self.check(&bytes[CHECK_BYTES..]);
        bytes[..CHECK_BYTES].copy_from_slice(&check);
        Ok(bytes)
    }

    /// The check sum, which says too how the bytes were made.
    fn check(self, packed: &[u8]) -> [u8; CHECK_BYTES] {
        let sum = crc32fast::hash(packed);
        match self {
            Packing::Fast => sum.to_le_bytes(),
            Packing::Small => (!sum).to_le_bytes(),
        }
    }

    fn plain(self, packed: &[u8]) -> Option<Vec<u8>> {
        let mut plain = vec![];
        let mut read = |from: &mut dyn Read| from.take(MAX_PLAIN + 1).read_to_end(&mut plain);
        match self {
            Packing::Fast => read(&mut FrameDecoder::new(packed)).ok()?,
            Packing::Small => read(&mut DeflateDecoder::new(packed)).ok()?,
        };
        (plain.len() as u64 <= MAX_PLAIN).then_some(plain)
    }
}

/// The result of bytes; `None` if they are not whole.
pub(crate) fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (check, packed) = bytes.split_at_checked(CHECK_BYTES)?;
    let mut ways = [Packing::Fast, Packing::Small].into_iter();
    let way = ways.find(|way| way.check(packed) == check)?;
    postcard::from_bytes(&way.plain(packed)?).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Document, Layer};
    use crate::source::Source;

    fn in_memory(document: &Document) -> Document {
        unpacked(&packed(document).unwrap()).unwrap()
    }

    #[test]
    fn a_document_comes_back_as_it_was() {
        for path in ["corpus/yili-05-zhushu.txt", "corpus/yili-07-judou.md"] {
            let Ok(bytes) = fs::read(path) else { panic!("{path} is not there") };
            let source = Source::decode(path, bytes, None).unwrap();
            let library = crate::pipeline::convert(source, None).unwrap();
            for document in &library.documents {
                let back = in_memory(document);
                assert_eq!(format!("{back:?}"), format!("{document:?}"));
                assert_eq!(back.source.sha256(), document.source.sha256());
                assert_eq!(back.check(), Ok(()));
            }
        }
    }

    #[test]
    fn bytes_that_do_not_decode_come_back_too() {
        let bytes = b"\xd1\xa7\xb6\xf8\xff\xca\xb1\xcf\xb0\xd6\xae\r\xb2\xbb\xd2\xe0".to_vec();
        let source = Source::decode("a.txt", bytes.clone(), Some("gb18030")).unwrap();
        let back = in_memory(&Document::new(Arc::new(source), "plain"));
        assert_eq!((back.source.bytes(), back.source.encoding()), (bytes, "gb18030"));
    }

    #[test]
    fn a_damaged_result_is_none() {
        let document = Document::of_pieces(&[(Layer::Jing, "學而時習之")]);
        for way in [Packing::Fast, Packing::Small] {
            let bytes = way.packed(&document).unwrap();
            let back: Document = unpacked(&bytes).unwrap();
            assert_eq!(format!("{back:?}"), format!("{document:?}"));
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                assert!(unpacked::<Document>(&damaged).is_none());
                assert!(unpacked::<Document>(&bytes[..at]).is_none());
            }
        }
    }

    #[test]
    fn equal_results_are_one_file_and_others_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::in_folder(folder.path());
        let (a, b) = (cache.keep("n", &1u32).unwrap(), cache.keep("n", &2u32).unwrap());
        assert_eq!((cache.keep("n", &1u32).unwrap(), a == b), (a.clone(), false));
        assert_eq!((cache.read(&a), cache.read(&b)), (Some(1u32), Some(2u32)));
        cache.retain(&HashSet::from([&b]));
        assert_eq!((cache.read::<u32>(&a), cache.read(&b)), (None, Some(2u32)));
    }

    #[test]
    fn parts_of_a_key_are_kept_apart() {
        let key = |parts: &[&str]| CacheKey::of(parts.iter().map(|p| p.as_bytes()));
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
    }
}
