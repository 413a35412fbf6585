//! Gives the files of an edition their places, when all are made: folder by folder, each at once,
//! and then the index. A build that fails or is killed before leaves the last edition as it was.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::formats::EditionFormat;
use super::outputs::{Folders, Written};
use super::stamp::{self, Stamp};
use super::transaction::Transaction;
use crate::diag::{Error, ErrorKind};
use crate::kept;
use crate::kept::scratch::ScratchFolder;
use crate::kept::switch::Switch;
use crate::search::{self, Built, NewIndex};

/// The folder in which new files wait. It is in the output folder, so that they need not be copied
/// to another disk.
///
/// # Errors
/// When it cannot be made.
pub fn waiting_in(out: &Path) -> Result<ScratchFolder, Error> {
    ScratchFolder::new_in(out).map_err(|e| Error::io(out, "write into the folder", &e))
}

/// Refuses to replace files that no build made, unless `force` is set.
///
/// # Errors
/// When there are such files.
pub fn spare_others(
    out: &Path,
    written: &Written,
    old: Option<&Stamp>,
    force: bool,
) -> Result<(), Error> {
    let folders = EditionFormat::ALL.map(|format| out.join(format.folder()));
    if let Some(file) = folders.iter().find(|path| path.is_file()) {
        return Err(Error::input(file, "this is a file, and a folder must be there")
            .of_kind(ErrorKind::Request)
            .hint("move it away, or name another folder with -o"));
    }
    // What a record that cannot be read any more named is not known.
    if force || old.is_none() && stamp::path_in(out).exists() {
        return Ok(());
    }
    let is_own = |path: &&String| old.is_some_and(|old| old.outputs.contains_key(*path));
    let new = written.new.iter().filter(|path| !is_own(path)).map(|path| out.join(path));
    let index =
        fs::read_dir(out.join(EditionFormat::Index.folder())).ok().filter(|_| old.is_none());
    let index = index.into_iter().flatten().flatten().map(|file| file.path());
    let there = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|about| !about.is_dir());
    let others: Vec<PathBuf> = new.chain(index).filter(there).collect();
    let Some(first) = others.first() else { return Ok(()) };
    let is_edited = |file: &PathBuf| {
        let path = file.strip_prefix(out).ok().and_then(Path::to_str);
        path.zip(old).is_some_and(|(path, old)| old.edited.contains(path))
    };
    if let Some(file) = others.iter().find(|file| is_edited(file)) {
        let message = "this file was edited after a build wrote it, and the edits would be lost";
        return Err(Error::input(file, message)
            .of_kind(ErrorKind::Request)
            .hint("move it away and build again, or replace it with --force"));
    }
    let message = match others.len() {
        1 => "no build made this file, and it would be replaced".to_string(),
        n => format!("no build made this file and {} more, and they would be replaced", n - 1),
    };
    let hint = "name another folder with -o, or replace them with --force";
    Err(Error::input(first, message).of_kind(ErrorKind::Request).hint(hint))
}

/// Gives everything its place. All is prepared first, so that what follows are a few renames.
///
/// # Errors
/// When a file cannot be put in its place. The next build knows what this one was about to do.
pub fn all(
    folders: Folders<'_>,
    written: &Written,
    index: Option<NewIndex>,
    transaction: &mut Transaction,
) -> Result<Option<Built>, Error> {
    let Folders { out, made } = folders;
    let refused = |path: &Path, e| Error::io(path, "replace", &e);
    let mut rooms = by_room(written);
    let beside = rooms.remove("").unwrap_or_default();
    let mut switches = Vec::new();
    for (room, gone) in rooms {
        let (from, to) = (made.join(room), out.join(room));
        kept::make_folder(&from)?;
        let switch = Switch::prepare(&from, &to, gone);
        switches.push((switch.map_err(|e| refused(&to, e))?, to));
    }
    transaction.writes(written.new.iter().filter_map(|path| written.hashes.get_key_value(path)))?;
    let exchange = || {
        for (switch, to) in switches {
            switch.switch().map_err(|e| refused(&to, e))?;
        }
        for file in written.new.iter().filter(|path| !path.contains('/')) {
            let to = out.join(file);
            fs::rename(made.join(file), &to).map_err(|e| refused(&to, e))?;
        }
        for file in beside {
            let file = out.join(file);
            fs::remove_file(&file).map_err(|e| Error::io(&file, "remove", &e))?;
        }
        match index {
            Some(index) => index.switch().map(Some),
            None => search::remove(&out.join(EditionFormat::Index.folder())).map(|()| None),
        }
    };
    // What is not written any more leaves an empty folder.
    let sweep = |format: EditionFormat| _ = fs::remove_dir(out.join(format.folder()));
    exchange().inspect(|_| EditionFormat::ALL.into_iter().for_each(sweep)).map_err(|e| {
        e.hint(
            "until the next build, some files of the edition may be new and others old; build \
             again when this can be written",
        )
    })
}

/// The folders of the edition in which something changes, and what is removed from each. The empty
/// name is that of the output folder itself.
fn by_room(written: &Written) -> BTreeMap<&str, BTreeSet<PathBuf>> {
    let mut rooms: BTreeMap<&str, BTreeSet<PathBuf>> = BTreeMap::new();
    for path in &written.new {
        rooms.entry(path.split_once('/').map_or("", |(room, _)| room)).or_default();
    }
    for path in &written.gone {
        let (room, path) = path.split_once('/').unwrap_or(("", path));
        rooms.entry(room).or_default().insert(path.into());
    }
    rooms
}
