//! What was there in the last build and is not now: the edition of it must not vanish because it
//! cannot be reached for a moment. Unless a person says so, the last edition stays as it is.

use std::fs;
use std::io;
use std::path::Path;

use super::stamp::Stamp;
use crate::corpus::{Corpus, MANIFEST};
use crate::corrections::{self, file};
use crate::diag::{Error, ErrorKind};
use crate::load::Loaded;
use crate::settings::Settings;

/// Stops before what the texts of a person's library gave an edition is lost, because they cannot
/// be read at the moment.
///
/// # Errors
/// Then.
pub(super) fn has_its_library(old: &Stamp, settings: &Settings) -> Result<(), Error> {
    let folder = settings.library.as_ref().filter(|_| settings.shelf.is_none());
    match folder.filter(|_| old.used_a_library()) {
        None => Ok(()),
        Some(folder) => {
            let message = "the library that the last build used is not there or cannot be read, \
                           and its texts would vanish from the edition";
            Err(Error::input(folder, message)
                .of_kind(ErrorKind::Io)
                .hint("build again when it is there, or go on without it by --no-library"))
        }
    }
}

/// Stops if texts of a person's library could not be read: what the others quote of them would be
/// missing.
///
/// # Errors
/// Then.
pub(super) fn library_was_read(settings: &Settings) -> Result<(), Error> {
    let shelf = settings.shelf.as_ref();
    let Some((trouble, folder)) = shelf.and_then(|s| s.trouble()).zip(settings.library.as_ref())
    else {
        return Ok(());
    };
    let message = format!("part of the library cannot be used: {trouble}");
    Err(Error::input(folder, message)
        .of_kind(ErrorKind::Io)
        .hint("`zhushu library update` reads it again; or go on without it by --no-library"))
}

/// Stops before the manifest, decisions of a person, or texts that cannot be reached vanish from
/// an edition. `now` has the files as they are.
///
/// # Errors
/// The first of them.
pub(super) fn has_its_files(old: &Stamp, (corpus, now): (&Corpus, &Stamp)) -> Result<(), Error> {
    let stays = "the last build is unchanged; put it back, or go on without it by --force";
    let error = |path: &Path, message: &str, kind: ErrorKind| {
        Error::input(path, message).of_kind(kind).hint(stays)
    };
    if corpus.manifest.is_none() && old.inputs.contains_key(MANIFEST) {
        let message =
            "the manifest of the last build is gone, and with it what it says of the texts";
        return Err(error(&corpus.root.join(MANIFEST), message, ErrorKind::Manifest));
    }
    for name in old.files.keys() {
        let path = corpus.root.join(name);
        let is_gone = !now.inputs.contains_key(name);
        let is_other = || old.inputs.get(name) != now.inputs.get(name);
        if let Some(text) = text_of_corrections(name, now) {
            if is_gone || is_other() && has_lost_all(&path) {
                let message =
                    format!("the decisions about {text} that the last build had are gone");
                return Err(error(&path, &message, ErrorKind::Io));
            }
        } else if is_gone && corpus.manifest.is_none() && is_out_of_reach(&corpus.root, name) {
            let message = "this text of the last build cannot be reached";
            return Err(error(&path, message, ErrorKind::Io));
        }
    }
    Ok(())
}

/// True for a file of corrections without any, unless each was taken back.
fn has_lost_all(path: &Path) -> bool {
    let is_empty = file::read(path).is_ok_and(|all| all.is_empty());
    is_empty && fs::read(path).is_ok_and(|bytes| bytes != file::TAKEN_BACK.as_bytes())
}

/// The text, if it is still there, of a file of corrections.
fn text_of_corrections<'n>(name: &'n str, now: &Stamp) -> Option<&'n str> {
    let text = name.strip_suffix(corrections::ENDING)?;
    // FILE.review.toml, or FILE.WHO.review.toml.
    let names = [Some(text), text.rsplit_once('.').map(|(text, _)| text)];
    names.into_iter().flatten().find(|name| now.inputs.contains_key(*name))
}

/// True if something is in the place of a file or of a folder on the way to it, such as a link that
/// leads nowhere. What was deleted or moved is not out of reach.
fn is_out_of_reach(root: &Path, name: &str) -> bool {
    let mut path = root.to_path_buf();
    for part in Path::new(name) {
        path.push(part);
        if fs::symlink_metadata(&path).is_err_and(|e| e.kind() == io::ErrorKind::NotFound) {
            // The folder of a disk that is not mounted is empty.
            let folder = path.parent().filter(|folder| *folder != root && folder.is_symlink());
            let mut entries = folder.and_then(|folder| fs::read_dir(folder).ok());
            return entries.as_mut().is_some_and(|entries| entries.next().is_none());
        }
        if fs::metadata(&path).is_err() {
            return true;
        }
    }
    !path.is_file()
}

/// Stops before the edition of a text is deleted that cannot be read at the moment.
///
/// # Errors
/// The first reason why a file is no text that was one in the last build. That a file is not there
/// any more is none.
pub(super) fn nothing_vanishes(corpus: &Corpus, loaded: &Loaded, old: &Stamp) -> Result<(), Error> {
    let hint = "the last build is unchanged; build again when this can be read, or delete the \
                file, or go on without it by --force";
    let gone = |path: &Path| {
        let looked = fs::symlink_metadata(path);
        looked.is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
    };
    let was_text = |path: &Path| {
        let entry = corpus.about.texts.iter().find(|text| text.path == path);
        let was_read = entry.is_some_and(|entry| old.has_text(&entry.id));
        was_read && !gone(path)
    };
    // What the last build read is in its place.
    let stands = |path: &Path| {
        let mut entries = corpus.about.texts.iter().filter(|text| text.path == path);
        entries.any(|text| loaded.documents.iter().any(|d| d.id == text.id))
    };
    let is_lost = |e: &&Error| match &e.path {
        // A folder, or corrections: texts may be behind them.
        Some(path) if stands(path) => false,
        Some(path) if matches!(e.kind, ErrorKind::Io | ErrorKind::Manifest) => !gone(path),
        Some(path) => was_text(path),
        None => false,
    };
    if let Some(e) = loaded.errors.iter().find(is_lost) {
        return Err(e.clone().hint(hint));
    }
    match loaded.left_out.iter().find(|(path, _)| was_text(path)) {
        Some((path, why)) => Err(Error::input(path, why.clone()).hint(hint)),
        None => Ok(()),
    }
}
