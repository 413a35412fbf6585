//! An index, open for searching.

use std::path::{Path, PathBuf};

use super::stop::Stop;
use super::store::file::IndexFile;
use super::store::manifest::IndexManifest;
use super::store::pages::damaged;
use crate::diag::Error;

/// The index of a built corpus. Opening reads very little; a query reads only what it needs. It may
/// be used from several threads at once, and keeps working on the files it opened while a build
/// replaces the index.
#[derive(Debug)]
pub struct Index {
    folder: PathBuf,
    pub(super) files: Vec<IndexFile>,
    /// Bytes of the texts that are indexed.
    input: u64,
    pub(super) stop: Stop,
}

impl Index {
    /// Opens the index in `folder`.
    ///
    /// # Errors
    /// When there is none, or it is damaged, not an index, or of another version of the program:
    /// then `zhushu build` rebuilds it.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        // A build may replace the index after we have read its manifest and before we have opened
        // its files.
        Self::open_once(folder).or_else(|_| Self::open_once(folder))
    }

    fn open_once(folder: &Path) -> Result<Self, Error> {
        let manifest = IndexManifest::read(folder)?;
        let mut files = Vec::with_capacity(manifest.files.len());
        for entry in &manifest.files {
            let path = folder.join(&entry.file);
            let file = IndexFile::open(&path).map_err(|e| {
                if path.exists() { e } else { damaged(&path, "the file is missing") }
            })?;
            if file.size() != entry.bytes {
                return Err(damaged(&path, "its length is not the one in index.json"));
            }
            files.push(file);
        }
        Ok(Index {
            folder: folder.into(),
            files,
            input: manifest.files.iter().fold(0, |sum, e| sum.saturating_add(e.input)),
            stop: Stop::default(),
        })
    }

    /// Opens the index in `folder` and reads all of it to check that it is undamaged.
    ///
    /// # Errors
    /// As [`Index::open`], and if a checksum does not match.
    pub fn verify(folder: &Path) -> Result<(), Error> {
        Self::open(folder)?.files.iter().try_for_each(IndexFile::verify)
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Bytes of the texts that are indexed.
    pub fn input(&self) -> u64 {
        self.input
    }
}
