//! Writes several files so that none is ever incomplete. All are written into a temporary folder
//! beside the goal, which then takes its name, at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::build::read_hash;
use crate::diag::{Error, ErrorKind};

use crate::cli::columns::counted;
use crate::cli::{Failure, output, render};
use crate::kept::scratch::{self, ScratchFolder};
use crate::kept::switch::Switch;

/// Says which files were in the folder before and are not of this export.
fn note_others(path: &Path, new: &Path) {
    let names = |folder: &Path| -> BTreeSet<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect()
    };
    let others: Vec<String> = names(path).difference(&names(new)).cloned().collect();
    if !others.is_empty() {
        let shown = others[..others.len().min(MAX_NAMES)].join(", ");
        let more = if others.len() > MAX_NAMES { ", …" } else { "" };
        // If standard error is closed, nobody wants to know.
        let _ = render::note(&format!(
            "{} had {} that this export does not write: {shown}{more}; left as it was",
            path.display(),
            counted(others.len(), "file"),
        ));
    }
}

/// Names that are listed.
const MAX_NAMES: usize = 5;

/// The list of what exports wrote into a folder: the hash of each file and its name.
const RECORD: &str = ".zhushu-export";

/// What exports wrote into a folder before: hashes by names.
fn written_before(folder: &Path) -> BTreeMap<String, String> {
    let lines = fs::read_to_string(folder.join(RECORD)).unwrap_or_default();
    let entry = |line: &str| line.split_once('\t').map(|(hash, name)| (name.into(), hash.into()));
    lines.lines().filter_map(entry).collect()
}

/// Refuses to replace files that no export wrote, or that were changed since, and puts the list of
/// what exports wrote beside the new ones.
fn spare_others(path: &Path, made: &Path, force: bool) -> Result<(), Error> {
    let mut written = written_before(path);
    let mut others: Vec<PathBuf> = vec![];
    for file in WalkDir::new(made).sort_by_file_name().into_iter().flatten() {
        let name = file.path().strip_prefix(made).unwrap_or(Path::new(""));
        let to = path.join(name);
        output::spare_texts(&to).map_err(|e| Error::io(&to, "write", &e))?;
        if !file.file_type().is_file() {
            continue;
        }
        let read = |file: &Path| read_hash(file).map_err(|e| Error::io(file, "read", &e));
        let (name, new) = (name.to_string_lossy().into_owned(), read(file.path())?);
        if to.is_file() {
            let old = read(&to)?;
            if old != new && written.get(&name) != Some(&old) {
                others.push(to);
            }
        }
        written.insert(name, new);
    }
    if let Some(first) = others.first().filter(|_| !force) {
        let message = match others.len() - 1 {
            0 => "no export made this file".to_string(),
            more => format!("no export made this file and {more} more"),
        };
        let hint = "name another folder with -o, or replace them with --force";
        return Err(Error::input(first, message).of_kind(ErrorKind::Request).hint(hint));
    }
    let lines: String = written.iter().map(|(name, hash)| format!("{hash}\t{name}\n")).collect();
    fs::write(made.join(RECORD), lines).map_err(|e| Error::io(made, "write", &e))
}

/// Calls `make` with a temporary folder, and the folder at `path` then has the files that it wrote
/// there. Other files there are kept; with `force`, those of the same names are replaced.
///
/// # Errors
/// When a file cannot be written, or would replace one that no export wrote; then the folder is
/// unchanged.
pub fn write(
    path: &Path,
    force: bool,
    make: impl FnOnce(&Path) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let refused = |what| move |e: io::Error| Error::io(path, what, &e);
    if path.exists() && !path.is_dir() {
        return Err(Error::request(format!(
            "“{}” is a file, but several files must be written",
            path.display()
        ))
        .hint("name a folder with -o")
        .into());
    }
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(refused("make the folder"))?;
    scratch::sweep(parent);
    let beside = ScratchFolder::new_in(parent).map_err(refused("make the folder"))?;
    make(beside.path())?;
    spare_others(path, beside.path(), force)?;
    note_others(path, beside.path());
    let switch = Switch::prepare(beside.path(), path, BTreeSet::new());
    Ok(switch.and_then(Switch::switch).map_err(refused("write into the folder"))?)
}
