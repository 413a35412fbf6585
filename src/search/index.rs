//! An index, open for searching.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::stop::Stop;
use super::store::file::IndexFile;
use super::store::file::Region;
use super::store::manifest::IndexManifest;
use super::store::pages::damaged;
use super::units::{DocMeta, runs_on};
use crate::diag::Error;
use crate::model::Layer;

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

/// A text of an index: what it is, and how much of which layer is searched in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountedText {
    /// Id of the document.
    pub id: String,
    /// Name of its file.
    pub file: String,
    /// Its title.
    pub title: String,
    /// Its work, such as 儀禮.
    pub work: Option<String>,
    /// Its chapter, such as 鄉射禮.
    pub chapter: Option<String>,
    /// The first part of its loci: `yili.05`.
    pub locus: String,
    /// The edition that it was read from.
    pub edition: Option<String>,
    /// Who wrote which layer, as far as that is known.
    pub authors: Vec<(String, String)>,
    /// Its layers, in the order of the index, with how many characters they have.
    pub layers: Vec<(Layer, u64)>,
    /// Ids of the texts that it translates.
    pub translates: Vec<String>,
}

impl CountedText {
    fn of(meta: &DocMeta) -> Self {
        let authors = meta.authors.iter().map(|a| (a.layer.clone(), a.name.clone()));
        CountedText {
            id: meta.id.clone(),
            file: meta.file.clone(),
            title: meta.title.clone(),
            work: meta.work.clone(),
            chapter: meta.chapter.clone(),
            locus: meta.text.clone(),
            edition: meta.edition.clone(),
            authors: authors.collect(),
            layers: vec![],
            translates: meta.targets.iter().map(|t| t.id.clone()).collect(),
        }
    }

    fn add(&mut self, region: &Region) {
        let layer = region.sub.unwrap_or(region.layer);
        let breaks = if runs_on(region.layer) { 1 } else { region.unit_end - region.unit };
        let characters = u64::from((region.end - region.first).saturating_sub(breaks));
        match self.layers.iter_mut().find(|(l, _)| *l == layer) {
            Some((_, n)) => *n += characters,
            None => self.layers.push((layer, characters)),
        }
    }
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

    /// The names of its files, which are hashes of their content.
    ///
    /// # Errors
    /// As [`Index::open`].
    pub(crate) fn names(folder: &Path) -> Result<BTreeSet<String>, Error> {
        Ok(IndexManifest::read(folder)?.files.into_iter().map(|f| f.file).collect())
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The texts, in the order of the index.
    ///
    /// # Errors
    /// When the index cannot be read or is damaged.
    pub fn counted_texts(&self) -> Result<Vec<CountedText>, Error> {
        let mut texts = vec![];
        for file in &self.files {
            let first = texts.len();
            for doc in 0..file.documents()?.len() {
                texts.push(CountedText::of(&*file.meta(doc as u32)?));
            }
            for region in file.regions()? {
                if let Some(text) = texts.get_mut(first + region.doc as usize) {
                    text.add(region);
                }
            }
        }
        Ok(texts)
    }

    /// Bytes of the texts that are indexed.
    pub fn input(&self) -> u64 {
        self.input
    }
}
