//! What a person decided about places of a text, kept in a small file beside it: `NAME.review.toml`
//! for the file `NAME`, and `NAME.WHO.review.toml` where several people work.
//!
//! An entry quotes the words at its place and around it, and never has a number of a line or a
//! character, so it finds its place again after the text has changed ([`anchor`]). An entry that
//! does not is reported as an error ([`placed`]) and never left out silently.

pub mod anchor;
pub mod file;
pub mod placed;
mod quote;
mod tags;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::model::Confirmation;

/// The end of the names of files of corrections.
pub const ENDING: &str = ".review.toml";

/// The words at a place of a text and around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quote {
    /// The words before the place. A ¶ is the end of a line.
    pub before: String,
    /// The words it is about; if they are many, the first of them.
    pub at: String,
    /// The last of them, if `at` has only the first.
    pub until: Option<String>,
    /// The words after it.
    pub after: String,
}

/// One entry of a file of corrections.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// The place.
    pub quote: Quote,
    /// What was decided.
    pub what: Confirmation,
    /// Who decided.
    pub by: String,
    /// When, as in RFC 3339.
    pub when: String,
    /// Anything else that the person said about it.
    pub note: Option<String>,
}

/// The files of corrections of a text, in the order of their names.
pub fn files_of(text: &Path) -> Vec<PathBuf> {
    let Some(name) = text.file_name().map(|n| n.to_string_lossy().into_owned()) else {
        return vec![];
    };
    let folder = text.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let of_text = |other: &&String| {
        let who = other.strip_prefix(name.as_str()).and_then(|rest| rest.strip_suffix(ENDING));
        who.is_some_and(|who| who.is_empty() || who.starts_with('.'))
    };
    let listed = listed(folder);
    listed.iter().filter(of_text).map(|name| text.with_file_name(name)).collect()
}

/// The names of the files of corrections in a folder, when they were listed and how new the folder
/// was then. A folder of thousands of texts is not listed for each of them.
struct FolderListing {
    names: Arc<Vec<String>>,
    listed: SystemTime,
    modified: SystemTime,
}

/// A folder that was changed less than this before it was listed is listed again: a later change
/// may have the same time.
const MAX_CLOCK_STEP: Duration = Duration::from_secs(2);

fn listed(folder: &Path) -> Arc<Vec<String>> {
    static KNOWN: LazyLock<Mutex<HashMap<PathBuf, FolderListing>>> = LazyLock::new(Mutex::default);
    let modified = std::fs::metadata(folder).and_then(|m| m.modified());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let (Some(listing), Ok(modified)) = (known.get(folder), &modified)
        && listing.modified == *modified
        && listing.listed.duration_since(*modified).is_ok_and(|age| age > MAX_CLOCK_STEP)
    {
        return Arc::clone(&listing.names);
    }
    let listed = SystemTime::now();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(ENDING)).collect();
    names.sort();
    let names = Arc::new(names);
    if let Ok(modified) = modified {
        let listing = FolderListing { names: Arc::clone(&names), listed, modified };
        known.insert(folder.to_path_buf(), listing);
    }
    names
}

/// The file in which a person's corrections of a text are kept.
pub fn file_of(text: &Path, who: Option<&str>) -> PathBuf {
    let mut name = text.file_name().unwrap_or_default().to_os_string();
    who.iter().for_each(|who| name.push(format!(".{who}")));
    name.push(ENDING);
    text.with_file_name(name)
}

/// A decision in the words of a file of corrections; `None` if it is none.
pub fn decision(kind: &str, decision: &str) -> Option<Confirmation> {
    Confirmation::read(kind, decision)?.ok()
}
