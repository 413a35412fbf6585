//! An edition that is asked: one that `zhushu build` wrote, or one that is made of a folder of
//! texts when it is first asked. It is opened again when a build has replaced it.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::made::{MadeEdition, make};
use super::store::TextStore;
use crate::build::{Built, EditionFormat, record_of, state_of};
use crate::diag::{Error, ErrorKind};
use crate::search::{CountedText, Index};
use crate::settings::Settings;

/// An edition, or a folder of texts, that may be asked.
pub(super) struct AskedEdition {
    path: PathBuf,
    made: OnceLock<Result<MadeEdition, Error>>,
    open: Mutex<Option<(String, Arc<OpenEdition>)>>,
}

/// So long a question waits for the end of a build.
const PATIENCE: Duration = Duration::from_secs(2);

/// An edition as a build left it.
pub(super) struct OpenEdition {
    /// The title of its pages, or the name of its folder.
    pub(super) name: String,
    /// The folder of its index.
    pub(super) index: PathBuf,
    /// The texts of its index.
    pub(super) texts: Vec<CountedText>,
    /// Its texts, or why there are none.
    pub(super) kept: Result<TextStore, String>,
    /// What could not be read when it was made.
    pub(super) unread: Vec<String>,
    editions: HashMap<String, String>,
    /// True if a build had not ended when it was opened.
    is_between: bool,
}

/// The folder of the index in a folder, or the folder itself if it is one.
fn index_in(out: &Path) -> PathBuf {
    let inside = out.join(EditionFormat::Index.folder());
    if !inside.exists() && out.join("index.json").exists() { out.into() } else { inside }
}

/// True if a folder is an edition, or an index.
pub(super) fn is_edition(folder: &Path) -> bool {
    record_of(folder).is_file() || index_in(folder).join("index.json").is_file()
}

impl AskedEdition {
    /// What is in a folder. It is not read yet.
    ///
    /// # Errors
    /// When there is no such folder or manifest.
    pub(super) fn of(path: &Path) -> Result<Self, Error> {
        std::fs::metadata(path).map_err(|e| {
            Error::io(path, "read", &e).hint("name a folder of texts, or one that `build` wrote")
        })?;
        Ok(AskedEdition { path: path.to_path_buf(), made: OnceLock::new(), open: Mutex::default() })
    }

    /// The edition as it is now.
    ///
    /// # Errors
    /// When its index cannot be read, or it cannot be made of its texts.
    pub(super) fn open(&self, settings: &Settings) -> Result<Arc<OpenEdition>, Error> {
        let mut unread = vec![];
        let out = match is_edition(&self.path) {
            true => &self.path,
            false => {
                let made = self.made.get_or_init(|| make(&self.path, settings));
                let made = made.as_ref().map_err(Clone::clone)?;
                unread.clone_from(&made.unread);
                &made.out
            }
        };
        // What is read while a build puts its files in place may be of two builds.
        let end = Instant::now() + PATIENCE;
        while Built::is_switching(out) && Instant::now() < end {
            std::thread::sleep(PATIENCE / 40);
        }
        let state = state_of(out);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, edition)) = &*open
            && *of == state
        {
            return Ok(Arc::clone(edition));
        }
        let edition = OpenEdition { unread, ..OpenEdition::of(out, self.name(), settings)? };
        let edition = Arc::new(edition);
        // In the moment between the record of a build and its end the texts cannot be read yet.
        if edition.kept.is_ok() || !edition.is_between {
            *open = Some((state, Arc::clone(&edition)));
        }
        Ok(edition)
    }

    /// The name of its folder.
    pub(super) fn name(&self) -> String {
        let real = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        real.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

impl OpenEdition {
    fn of(out: &Path, folder: String, settings: &Settings) -> Result<Self, Error> {
        // Before anything of it is read: what was read meanwhile may be of two builds.
        let is_between = Built::is_unfinished(out);
        let index = index_in(out);
        let hint = "`zhushu build` writes an edition with its index";
        let texts = Index::open(&index).and_then(|index| index.counted_texts());
        let texts = texts.map_err(|e| if e.kind == ErrorKind::Io { e.hint(hint) } else { e })?;
        // A record that cannot be read does not hinder a search.
        let built = kept_in(out, settings);
        let title = built.as_ref().ok().map(|b| b.title().trim().to_string());
        let own = |t: &CountedText| Some((t.id.clone(), t.edition.clone()?));
        Ok(OpenEdition {
            name: title.filter(|t| !t.is_empty() && t != "out").unwrap_or(folder),
            index,
            editions: texts.iter().filter_map(own).collect(),
            texts,
            kept: built.map(TextStore::of_build),
            unread: vec![],
            is_between,
        })
    }

    /// Its texts, if there are any.
    pub(super) fn store(&self) -> Option<&TextStore> {
        self.kept.as_ref().ok()
    }

    /// The edition that a text of the index was read from.
    pub(super) fn edition_of(&self, id: &str) -> Option<&str> {
        self.editions.get(id).map(String::as_str)
    }

    /// What an answer says of it when it was searched, but for the texts with these ids.
    pub(super) fn described(&self, unread: &BTreeSet<String>) -> Value {
        let read = || self.texts.iter().filter(|t| !unread.contains(&t.id));
        let characters: u64 = read().flat_map(|t| &t.layers).map(|(_, n)| n).sum();
        json!({ "edition": self.name, "texts": read().count(), "characters": characters })
    }
}

/// What a build kept of its texts, or why there is nothing.
fn kept_in(out: &Path, settings: &Settings) -> Result<Built, String> {
    match Built::open(out, settings) {
        Ok(Some(built)) => Ok(built),
        Err(e) => Err(format!("the record of its build cannot be read: {e}")),
        Ok(None) if Built::is_unfinished(out) => Err("its build did not end".into()),
        Ok(None) if !record_of(out).is_file() => Err("it is an index without its texts".into()),
        Ok(None) => Err("it was built by another version of the program".into()),
    }
}
