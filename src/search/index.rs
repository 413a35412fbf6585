//! An index, open for searching.

use std::path::{Path, PathBuf};

use super::store::file::IndexFile;
use super::store::manifest::IndexManifest;
use super::store::pages::damaged;
use crate::diag::Error;

/// The index of a built corpus. Opening reads next to nothing; a query reads what it needs. It may
/// be used from several threads at once, and goes on working on what it opened while another build
/// puts a new index in its place.
#[derive(Debug)]
pub struct Index {
    folder: PathBuf,
    pub(super) files: Vec<IndexFile>,
    /// Bytes of the texts that are indexed.
    input: u64,
}

impl Index {
    /// Opens the index in `folder`.
    ///
    /// # Errors
    /// When there is none, or it is damaged, not an index, or of another version of the program:
    /// then `zhushu build` makes it anew.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        // A build may put a new index in place between our reading its manifest and opening its
        // files.
        Self::open_once(folder).or_else(|_| Self::open_once(folder))
    }

    fn open_once(folder: &Path) -> Result<Self, Error> {
        let manifest = IndexManifest::read(folder)?;
        let mut files = Vec::with_capacity(manifest.files.len());
        for entry in &manifest.files {
            let path = folder.join(&entry.file);
            let file = IndexFile::open(&path)
                .map_err(|e| if path.exists() { e } else { damaged(&path, "the file is gone") })?;
            if file.size() != entry.bytes {
                return Err(damaged(&path, "it is not as long as the index says"));
            }
            files.push(file);
        }
        Ok(Index {
            folder: folder.into(),
            files,
            input: manifest.files.iter().map(|e| e.input).sum(),
        })
    }

    /// Opens the index in `folder` and reads all of it, to see that it is whole.
    ///
    /// # Errors
    /// As [`Index::open`], and where a checksum does not agree.
    pub fn verify(folder: &Path) -> Result<(), Error> {
        Self::open(folder)?.files.iter().try_for_each(IndexFile::verify)
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Bytes of the texts that are indexed.
    pub fn input(&self) -> u64 {
        self.input
    }
}
