//! What is on the shelf: a small file that is replaced as a whole.

use crate::corpus::CORRECTIONS;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::cache::CacheKey;

/// The form of all files of the shelf. It changes when what they contain changes, such as the
/// fields of a document.
pub const FORMAT: u32 = 1;

/// Everything on the shelf.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Inventory {
    /// The version of the program that wrote it.
    pub program: String,
    /// Number of the next chapter. No number is used twice.
    pub next: u32,
    /// Name of the file of grams.
    pub grams: String,
    /// Its size in bytes.
    pub grams_bytes: u64,
    /// What a person added, in this order.
    pub holdings: Vec<Holding>,
}

/// A file or a folder of texts that a person added.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Holding {
    /// The name by which it is removed.
    pub name: String,
    /// The file, the folder, or the manifest.
    pub path: PathBuf,
    /// Its encoding, if the person named one.
    pub encoding: Option<String>,
    /// When its files were read, in seconds since 1970.
    pub read: u64,
    /// Its texts, in their order.
    pub files: Vec<KeptFile>,
}

/// A text that was read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptFile {
    /// The canonical path of the file.
    pub path: PathBuf,
    /// The file as it was.
    pub state: FileState,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// What the manifest says about it, as a key.
    pub about: CacheKey,
    /// Its chapters.
    pub chapters: Vec<ChapterCard>,
}

/// Size and time of a file: if they are as before, it is not read to see whether it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileState {
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was changed, in nanoseconds since 1970, if that is known.
    pub modified: Option<u64>,
}

impl FileState {
    /// Of a file and of its corrections as they are now; `None` if it is not there.
    pub fn of(path: &Path) -> Option<Self> {
        let own = Self::of_one(path)?;
        let mut name = path.file_name()?.to_os_string();
        name.push(CORRECTIONS);
        let Some(corrections) = Self::of_one(&path.with_file_name(name)) else { return Some(own) };
        let bytes = own.bytes.wrapping_add(corrections.bytes);
        Some(FileState { bytes, modified: own.modified.max(corrections.modified) })
    }

    fn of_one(path: &Path) -> Option<Self> {
        let meta = std::fs::metadata(path).ok()?;
        let since = meta.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        let modified = since.and_then(|d| u64::try_from(d.as_nanos()).ok());
        Some(FileState { bytes: meta.len(), modified })
    }
}

/// A chapter, without its text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChapterCard {
    /// Its number in the file of grams.
    pub number: u32,
    /// Its id, as links show it, without the prefix of the library.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Bytes of its text.
    pub bytes: u32,
    /// Where it is kept.
    pub kept: CacheKey,
}

impl Inventory {
    /// All texts.
    pub fn files(&self) -> impl Iterator<Item = &KeptFile> {
        self.holdings.iter().flat_map(|h| &h.files)
    }

    /// All chapters.
    pub fn chapters(&self) -> impl Iterator<Item = &ChapterCard> {
        self.files().flat_map(|f| &f.chapters)
    }

    /// A name that no holding has yet.
    pub fn free_name(&self, wanted: &str) -> String {
        let taken: HashSet<&str> = self.holdings.iter().map(|h| &*h.name).collect();
        let numbered = (2..).map(|n| format!("{wanted}-{n}"));
        let mut names = std::iter::once(wanted.to_string()).chain(numbered);
        names.find(|n| !taken.contains(&**n)).unwrap_or_default()
    }
}

impl Holding {
    /// All its chapters.
    pub fn chapters(&self) -> impl Iterator<Item = &ChapterCard> {
        self.files.iter().flat_map(|f| &f.chapters)
    }
}
