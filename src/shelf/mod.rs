//! The shelf: texts that a person added to their own library (`zhushu library add`), read once and
//! kept in the platform's data folder, as witnesses and as targets of references of what is read
//! later.
//!
//! A folder with an inventory, a file of grams and the chapters, each a result of its own in a
//! [`Cache`]. What is added is written first, the inventory last and by renaming, so readers see
//! the shelf before or after, and need no lock. Only chapters that share words with the text at
//! hand are read ([`choice`]).

pub(crate) mod choice;
pub(crate) mod grams;
pub(crate) mod inventory;
mod write;

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::cache::{self, Cache, CacheKey};
use crate::corpus::LIBRARY_PREFIX;
use crate::model::{Document, Segment};
use crate::source::regular;
use choice::{Shared, SoughtGrams};
use grams::GramFile;
use inventory::{ChapterCard, Inventory};

pub(crate) use write::{NewFile, ShelfWriter};

/// The inventory's file.
const INVENTORY: &str = "inventory";
/// The folder of chapters.
const CHAPTERS: &str = "chapters";
/// Bytes of text that a run reads from the shelf: so many, and this many for each of its own.
const LEAST_BYTES: u64 = 300_000;
const BYTES_PER_BYTE: u64 = 1;
/// Bytes of text in which quotations are looked up.
const BYTES_FOR_QUOTATIONS: u64 = 4_000_000;

/// A chapter as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeptChapter {
    /// As the passes left it.
    pub(crate) document: Document,
    /// Its layers as its reader left them, if passes found more: what was inferred is no witness
    /// for the layers of another text.
    pub(crate) read: Vec<Segment>,
}

/// Texts of the shelf that are read with others: never written, never changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beside {
    /// With the layers that their sources mark.
    pub(crate) read: Vec<Arc<Document>>,
    /// As the passes left them.
    pub(crate) settled: Vec<Arc<Document>>,
}

/// An open shelf.
#[derive(Debug)]
pub(crate) struct Shelf {
    folder: PathBuf,
    inventory: Inventory,
    grams: Mutex<GramFile>,
    /// What could not be read.
    trouble: Mutex<Option<String>>,
}

/// What is in a folder.
pub(crate) enum FoundShelf {
    /// No shelf.
    Nothing,
    /// One that this program can read.
    Shelf(Box<Shelf>),
    /// Something else, or a damaged one: why.
    Unusable(String),
    /// One of which this file cannot be read, perhaps only for a moment.
    Unreadable(PathBuf, io::Error),
}

impl Shelf {
    /// The shelf in a folder.
    pub(crate) fn open(folder: &Path) -> FoundShelf {
        // If it is replaced between reading the inventory and the grams, the new ones are read.
        match open(folder) {
            FoundShelf::Unusable(_) | FoundShelf::Unreadable(..) => open(folder),
            found => found,
        }
    }

    /// The inventory in a folder, if it is not that of a library of this version: to write there
    /// would replace something else.
    pub(crate) fn foreign_inventory(folder: &Path) -> Option<PathBuf> {
        let path = folder.join(INVENTORY);
        let bytes = regular(&path).ok()?;
        (!bytes.starts_with(&inventory::FORMAT.to_le_bytes())).then_some(path)
    }

    /// What is on it.
    pub(crate) fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// A hash of what is on it.
    pub(crate) fn hash(&self) -> String {
        let kept: Vec<String> = self.inventory.chapters().map(|c| c.kept.to_string()).collect();
        CacheKey::of(kept.iter().map(|k| k.as_bytes())).to_string()
    }

    /// The chapters that share words with some documents. Texts that are among the documents are
    /// left out.
    pub(crate) fn beside(&self, documents: &[Document]) -> Beside {
        let chosen = self.chosen(documents).unwrap_or_else(|e| {
            self.report(e.to_string());
            vec![]
        });
        let read: Vec<Option<KeptChapter>> = chosen.into_par_iter().map(|c| self.read(c)).collect();
        let mut beside = Beside::default();
        for KeptChapter { document, read } in read.into_iter().flatten() {
            let settled = Arc::new(document);
            let marked = match read.is_empty() {
                true => Arc::clone(&settled),
                false => Arc::new(Document { segments: read.into(), ..(*settled).clone() }),
            };
            beside.read.push(marked);
            beside.settled.push(settled);
        }
        beside
    }

    /// All chapters that have four characters of a document in a row, those with the rarest first,
    /// up to a limit; and how many others have some.
    ///
    /// # Errors
    /// When the file of grams cannot be read.
    pub(crate) fn sharing(&self, document: &Document) -> io::Result<(Vec<Arc<Document>>, usize)> {
        let sought = SoughtGrams::of([document]);
        let mut worth: HashMap<u32, f64> = HashMap::new();
        let mut grams = self.grams.lock().unwrap_or_else(PoisonError::into_inner);
        grams.look_up(&sought.hashes(), |_, chapters| {
            let own = 1.0 / chapters.len().max(1) as f64;
            chapters.iter().for_each(|c| *worth.entry(*c).or_default() += own);
        })?;
        let worth = |c: &ChapterCard| worth.get(&c.number).copied();
        let mut cards: Vec<(f64, &ChapterCard)> =
            self.inventory.chapters().filter_map(|c| Some((worth(c)?, c))).collect();
        // Sorting is stable: those of the same worth stay in the order in which they were added.
        cards.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut left, mut left_out) = (BYTES_FOR_QUOTATIONS, 0);
        cards.retain(|(_, card)| {
            let is_fitting = u64::from(card.bytes) <= left;
            left -= if is_fitting { u64::from(card.bytes) } else { 0 };
            left_out += usize::from(!is_fitting);
            is_fitting
        });
        let read = cards.into_iter().filter_map(|(_, card)| self.read(card));
        Ok((read.map(|kept| Arc::new(kept.document)).collect(), left_out))
    }

    /// The chapters with these ids, which have the prefix; those that are gone are left out.
    pub(crate) fn named(&self, ids: &HashSet<&str>) -> Vec<Arc<Document>> {
        let id = |c: &ChapterCard| format!("{LIBRARY_PREFIX}{}", c.id);
        let cards = self.inventory.chapters().filter(|c| ids.contains(&*id(c)));
        cards.filter_map(|c| self.read(c)).map(|k| Arc::new(k.document)).collect()
    }

    /// A chapter as the passes left it, with the id by which links name it.
    pub(crate) fn chapter(&self, card: &ChapterCard) -> Option<Document> {
        self.read(card).map(|kept| kept.document)
    }

    /// How many bytes a chapter has on disk.
    pub(crate) fn bytes_of(&self, card: &ChapterCard) -> u64 {
        Cache::in_folder(self.folder.join(CHAPTERS)).bytes_of(&card.kept)
    }

    /// What could not be read so far.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn report(&self, trouble: String) {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(trouble);
    }

    fn chosen(&self, documents: &[Document]) -> io::Result<Vec<&ChapterCard>> {
        let own_paths: HashSet<PathBuf> =
            documents.iter().filter_map(|d| d.source.path().canonicalize().ok()).collect();
        let own_texts: HashSet<&str> = documents.iter().map(|d| d.source.sha256()).collect();
        let others = self
            .inventory
            .files()
            .filter(|f| !own_paths.contains(&f.path) && !own_texts.contains(&*f.sha256));
        let cards: Vec<&ChapterCard> = others.flat_map(|f| &f.chapters).collect();
        if cards.is_empty() {
            return Ok(vec![]);
        }
        let sought = SoughtGrams::of(documents);
        let mut shared = Shared::new(&sought, cards.len());
        let mut grams = self.grams.lock().unwrap_or_else(PoisonError::into_inner);
        grams.look_up(&sought.hashes(), |hash, chapters| shared.add(&sought, hash, chapters))?;
        let own: u64 = documents.iter().map(|d| d.source.text().len() as u64).sum();
        let offer = cards.iter().map(|c| (c.number, c.bytes)).collect();
        let (chosen, _) = shared.choose(&offer, LEAST_BYTES + BYTES_PER_BYTE * own);
        let chosen: HashSet<u32> = chosen.into_iter().collect();
        // In the order in which they were added, whichever was found first.
        Ok(cards.into_iter().filter(|c| chosen.contains(&c.number)).collect())
    }

    fn read(&self, card: &ChapterCard) -> Option<KeptChapter> {
        let store = Cache::in_folder(self.folder.join(CHAPTERS));
        let kept = store.read::<KeptChapter>(&card.kept).filter(|k| k.is_sound());
        if kept.is_none() {
            self.report(format!("{} is missing or damaged", card.id));
        }
        let mut kept = kept?;
        kept.document.id = format!("{LIBRARY_PREFIX}{}", card.id);
        Some(kept)
    }
}

impl KeptChapter {
    fn is_sound(&self) -> bool {
        let ends =
            self.read.last().is_none_or(|s| s.span.end() == self.document.source.text().len());
        ends && self.document.check().is_ok()
    }
}

/// What is on a shelf whose index cannot be used; nothing if its inventory is damaged too.
pub(crate) fn inventory_alone(folder: &Path) -> Inventory {
    let bytes = regular(&folder.join(INVENTORY)).unwrap_or_default();
    let read =
        bytes.split_at_checked(4).filter(|(form, _)| *form == inventory::FORMAT.to_le_bytes());
    read.and_then(|(_, packed)| cache::unpacked(packed)).unwrap_or_default()
}

/// True if a file was read and is not what it should be, or is gone: to read it again is no help.
fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, NotFound, UnexpectedEof};
    matches!(error.kind(), InvalidData | NotFound | UnexpectedEof)
}

fn open(folder: &Path) -> FoundShelf {
    let path = folder.join(INVENTORY);
    let bytes = match regular(&path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return FoundShelf::Nothing,
        Err(e) => return FoundShelf::Unreadable(path, e),
    };
    let Some((format, bytes)) = bytes.split_at_checked(4) else {
        return FoundShelf::Unusable(format!("{} is damaged", path.display()));
    };
    if format != inventory::FORMAT.to_le_bytes() {
        return FoundShelf::Unusable("another version of zhushu made it".into());
    }
    let Some(inventory) = cache::unpacked::<Inventory>(bytes) else {
        return FoundShelf::Unusable(format!("{} is damaged", path.display()));
    };
    match GramFile::open(&folder.join(&inventory.grams)) {
        Ok(grams) => FoundShelf::Shelf(Box::new(Shelf {
            folder: folder.into(),
            inventory,
            grams: Mutex::new(grams),
            trouble: Mutex::default(),
        })),
        Err(e) if is_damage(&e) => FoundShelf::Unusable(format!("its index: {e}")),
        Err(e) => FoundShelf::Unreadable(folder.join(&inventory.grams), e),
    }
}
