//! The books that quotations are looked for in: indexes of builds, texts that were not built, and
//! the chapters of the person's own library that share words with the quotations. Of the last two
//! an index is made for this run.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Settings;
use crate::ask::{ShelfIndex, index_of_shelf, temporary_index};
use crate::corpus::Library;
use crate::diag::{Error, ErrorKind};
use crate::search::Index;
use crate::shelf::Shelf;
use crate::verify::QuotingText;

use super::super::language::say;
use super::super::{build::age, render, search as searching, texts as named_texts};

/// An index with its name.
pub(super) struct Books {
    pub(super) name: String,
    index: BookIndex,
}

enum BookIndex {
    Own(Index),
    /// With its folder, which is to be deleted with it.
    Made {
        index: Index,
        _folder: TempDir,
    },
    OfShelf(ShelfIndex),
}

impl Books {
    pub(super) fn index(&self) -> &Index {
        match &self.index {
            BookIndex::Own(index) | BookIndex::Made { index, .. } => index,
            BookIndex::OfShelf(found) => &found.index,
        }
    }
}

/// Opens all that is to be searched.
///
/// # Errors
/// When something of it cannot be read.
pub(super) fn open(
    named: &[PathBuf],
    texts: &[QuotingText],
    (settings, shelf): (&Settings, Option<&Shelf>),
) -> Result<Vec<Books>, Error> {
    let mut all = vec![];
    for path in named {
        all.push(one(path, settings)?);
    }
    if let Some(shelf) = shelf {
        all.extend(of_library(shelf, texts)?);
    }
    Ok(all)
}

fn one(path: &Path, settings: &Settings) -> Result<Books, Error> {
    let name = path.display().to_string();
    let folder = searching::folder(path);
    if folder.join("index.json").exists() {
        age::report_changed_files(path);
        return Ok(Books { name, index: BookIndex::Own(searching::open(&folder)?) });
    }
    if !path.exists() {
        let hint = "`zhushu build` writes a folder that can be searched; --in also names texts";
        return Err(Error::input(path, "there is no such file or folder")
            .of_kind(ErrorKind::Io)
            .hint(hint));
    }
    let documents = if path.is_dir() || path.extension().is_some_and(|e| e == "toml") {
        settings.read(&named_texts::open(path, settings)?)?.documents
    } else {
        vec![settings.entry(&named_texts::entry(path, None, None))?]
    };
    let library = named_texts::link_and_align(documents, settings);
    render::undecided(library.documents.iter().map(|d| &**d));
    indexed(name, &library)
}

/// The chapters of the library that share words with the quotations.
fn of_library(shelf: &Shelf, texts: &[QuotingText]) -> Result<Option<Books>, Error> {
    let Some(found) = index_of_shelf(shelf, texts)? else { return Ok(None) };
    let left = found.left_out;
    let name = match left {
        0 => say("your library (the chapters that share words with the text)"),
        _ => say(&format!("your library (not {left} of the chapters that share words)")),
    };
    Ok(Some(Books { name, index: BookIndex::OfShelf(found) }))
}

fn indexed(name: String, library: &Library) -> Result<Books, Error> {
    let (index, folder) = temporary_index(library)?;
    Ok(Books { name, index: BookIndex::Made { index, _folder: folder } })
}
