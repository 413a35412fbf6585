//! Changes of the shelf: one writer at a time.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::choice::grams_of;
use super::grams::{self, GramFile, Posting};
use super::inventory::{self, ChapterCard, Inventory, KeptFile};
use super::{CHAPTERS, FoundShelf, INVENTORY, KeptChapter, Shelf, inventory_alone};
use crate::cache::{self, Cache};
use crate::kept::{self, Durability, scratch};

/// The file that a writer locks.
const LOCK: &str = "lock";
/// Name of a file of grams, before its number.
const GRAMS: &str = "grams-";
/// The kind of a chapter, for its key.
const CHAPTER: &str = "shelved";
/// Postings that are held in memory before they are written.
const MAX_POSTINGS: usize = 1 << 23;

/// A shelf that is being changed. What it writes is used once [`end`](Self::end) returns.
pub(crate) struct ShelfWriter {
    folder: PathBuf,
    /// What is on the shelf, and will be.
    pub(crate) inventory: Inventory,
    old: Option<GramFile>,
    store: Cache,
    new: Vec<Posting>,
    runs: Vec<(tempfile::NamedTempFile, u64)>,
    /// Held until the writer is dropped.
    _lock: File,
}

/// A text that was read for the shelf: its chapters, each with its hashes of grams.
pub(crate) struct NewFile {
    chapters: Vec<(ChapterCard, Vec<u32>)>,
}

impl ShelfWriter {
    /// Waits until no one else changes the shelf in a folder, calling `wait` if that takes time.
    /// The index of a damaged shelf is made again, or all of it if its inventory is damaged; why
    /// comes with it.
    ///
    /// # Errors
    /// When the folder cannot be written, or what is there cannot be read.
    pub(crate) fn begin(folder: &Path, wait: impl Fn()) -> io::Result<(Self, Option<String>)> {
        fs::create_dir_all(folder)?;
        // Not emptied: it could be a link.
        let options = File::options().write(true).create(true).truncate(false).clone();
        let lock = options.open(folder.join(LOCK))?;
        if lock.try_lock().is_err() {
            wait();
            lock.lock()?;
        }
        scratch::sweep(folder);
        let (inventory, old, unusable) = match Shelf::open(folder) {
            FoundShelf::Shelf(shelf) => {
                let grams = shelf.grams.into_inner().ok();
                (shelf.inventory, grams, None)
            }
            FoundShelf::Nothing => (Inventory::default(), None, None),
            FoundShelf::Unusable(why) => (inventory_alone(folder), None, Some(why)),
            // What cannot be read for a moment is not thrown away.
            FoundShelf::Unreadable(path, e) => {
                return Err(io::Error::new(e.kind(), format!("{}: {e}", path.display())));
            }
        };
        let store = Cache::in_folder(folder.join(CHAPTERS));
        let folder = folder.to_path_buf();
        let (new, runs) = (vec![], vec![]);
        let mut writer = ShelfWriter { folder, inventory, old, store, new, runs, _lock: lock };
        if unusable.is_some() {
            // The chapters have all that was in the index.
            writer.new = writer.all_grams();
        }
        Ok((writer, unusable))
    }

    /// Keeps the chapters of a text. Several threads may do so at once.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn keep(&self, chapters: &[KeptChapter]) -> io::Result<NewFile> {
        let card = |c: &KeptChapter| {
            let d = &c.document;
            let card = ChapterCard {
                number: 0,
                id: d.id.clone(),
                title: d.meta.title.clone(),
                bytes: d.source.text().len() as u32,
                kept: self.store.keep(CHAPTER, c)?,
            };
            Ok((card, grams_of(d)))
        };
        Ok(NewFile { chapters: chapters.iter().map(card).collect::<io::Result<_>>()? })
    }

    /// True if chapters of the shelf are still there, whole.
    pub(crate) fn has(&self, chapters: &[ChapterCard]) -> bool {
        chapters.iter().all(|c| self.store.read::<KeptChapter>(&c.kept).is_some())
    }

    /// Numbers the chapters of a text and takes their grams into the index.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn enter(&mut self, file: NewFile) -> io::Result<Vec<ChapterCard>> {
        let mut cards = vec![];
        for (mut card, hashes) in file.chapters {
            card.number = self.inventory.next;
            self.inventory.next += 1;
            self.new.extend(hashes.into_iter().map(|h| (h, card.number)));
            cards.push(card);
        }
        if self.new.len() > MAX_POSTINGS {
            self.spill()?;
        }
        Ok(cards)
    }

    /// Writes the postings that are held to a temporary file.
    fn spill(&mut self) -> io::Result<()> {
        let mut postings = std::mem::take(&mut self.new);
        postings.sort_unstable();
        let n = postings.len() as u64;
        let file = scratch::file_in(&self.folder)?;
        grams::write(file.as_file(), vec![Box::new(postings.into_iter().map(Ok))], n, |_| true)?;
        self.runs.push((file, n));
        Ok(())
    }

    /// Writes the index and the inventory, and removes what is no longer on the shelf.
    ///
    /// # Errors
    /// When they cannot be written; the shelf is then as before.
    pub(crate) fn end(mut self) -> io::Result<()> {
        make_ids_unique(&mut self.inventory);
        if self.write_grams().is_err() {
            // The old index may be damaged: the chapters have all that is in it.
            self.new = self.all_grams();
            (self.old, self.runs) = (None, vec![]);
            self.write_grams()?;
        }
        self.inventory.program = env!("CARGO_PKG_VERSION").into();
        let packed = cache::packed(&self.inventory)?;
        // Last, and on disk after what it names.
        kept::put(&self.folder.join(INVENTORY), Durability::OnDisk, |out| {
            out.write_all(&inventory::FORMAT.to_le_bytes())?;
            out.write_all(&packed)
        })?;
        self.tidy();
        Ok(())
    }

    /// The postings of all chapters that can be read.
    fn all_grams(&self) -> Vec<Posting> {
        let read = |card: &ChapterCard| self.store.read::<KeptChapter>(&card.kept);
        let of = |card: &ChapterCard| {
            let hashes = read(card).map(|kept| grams_of(&kept.document)).unwrap_or_default();
            hashes.into_iter().map(|hash| (hash, card.number)).collect::<Vec<_>>()
        };
        self.inventory.chapters().flat_map(of).collect()
    }

    fn write_grams(&mut self) -> io::Result<()> {
        self.new.sort_unstable();
        let here: HashSet<u32> = self.inventory.chapters().map(|c| c.number).collect();
        let runs: Vec<GramFile> =
            self.runs.iter().map(|(f, _)| GramFile::open(f.path())).collect::<io::Result<_>>()?;
        let expected =
            self.new.len() as u64 + self.old.iter().chain(&runs).map(|g| g.postings).sum::<u64>();
        type Source<'a> = Box<dyn Iterator<Item = io::Result<Posting>> + 'a>;
        let mut sources: Vec<Source<'_>> = vec![Box::new(self.new.iter().map(|p| Ok(*p)))];
        for grams in self.old.iter().chain(&runs) {
            sources.push(Box::new(grams.all()?));
        }
        let file = scratch::file_in(&self.folder)?;
        grams::write(file.as_file(), sources, expected, |c| here.contains(&c))?;
        file.as_file().sync_all()?;
        self.inventory.grams_bytes = file.as_file().metadata()?.len();
        // Under a name that no file has yet: readers may have opened the old one.
        let random = file.path().extension().or(file.path().file_name()).unwrap_or_default();
        self.inventory.grams = format!("{GRAMS}{}", random.to_string_lossy());
        file.persist(self.folder.join(&self.inventory.grams)).map_err(|e| e.error)?;
        Ok(())
    }

    /// Removes files that nothing names. What cannot be removed does no harm.
    fn tidy(&self) {
        let kept: HashSet<_> = self.inventory.chapters().map(|c| &c.kept).collect();
        self.store.retain(&kept);
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_own = name.strip_prefix(GRAMS).is_some_and(|rest| rest.len() >= "aB3dE6".len());
            if is_own && name != self.inventory.grams {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Ids of chapters of different files may be the same; links must tell them apart.
fn make_ids_unique(inventory: &mut Inventory) {
    let mut seen = HashSet::new();
    for holding in &mut inventory.holdings {
        let name = &holding.name;
        for card in holding.files.iter_mut().flat_map(|f: &mut KeptFile| &mut f.chapters) {
            if seen.insert(card.id.clone()) {
                continue;
            }
            let plain = card.id.clone();
            let named = std::iter::once(format!("{name}.{plain}"));
            let mut others = named.chain((2..).map(|n| format!("{name}.{plain}-{n}")));
            card.id = others.find(|id| !seen.contains(id)).unwrap_or(plain);
            seen.insert(card.id.clone());
        }
    }
}
