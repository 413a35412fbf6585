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

use std::path::{Path, PathBuf};

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
    let of_text = |path: &PathBuf| {
        let other = path.file_name().unwrap_or_default().to_string_lossy();
        other
            .strip_prefix(name.as_str())
            .and_then(|rest| rest.strip_suffix(ENDING))
            .is_some_and(|who| who.is_empty() || who.starts_with('.'))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|e| e.path()).filter(of_text).collect();
    files.sort();
    files
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
