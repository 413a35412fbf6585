//! An edition of a folder of texts for as long as it is asked: only the index and what a build
//! keeps of its texts, in a temporary folder.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::build::{Build, EditionFormat, Wanted};
use crate::diag::Error;
use crate::settings::Settings;

/// An edition in a temporary folder, which goes with it.
pub(super) struct MadeEdition {
    _folder: TempDir,
    /// Where it is.
    pub(super) out: PathBuf,
    /// What could not be read.
    pub(super) unread: Vec<String>,
}

/// Reads and links the texts of a folder, or of a manifest.
///
/// # Errors
/// When they cannot be read, or there is no place for the edition.
pub(super) fn make(path: &Path, settings: &Settings) -> Result<MadeEdition, Error> {
    let folder = TempDir::with_prefix("zhushu-")
        .map_err(|e| Error::io(&std::env::temp_dir(), "make the folder", &e))?;
    let out = folder.path().join("out");
    let wanted = Wanted {
        out: &out,
        corpus: path,
        encoding: None,
        formats: &[EditionFormat::Index],
        force: false,
        language: settings.language,
    };
    let build = Build::of(settings.open(path)?, settings, wanted)?;
    let done = build.run(&|_| String::new(), &|_| ())?;
    let unread = done.errors.iter().map(ToString::to_string).collect();
    Ok(MadeEdition { _folder: folder, out, unread })
}
