//! Writes several files so that none is ever incomplete. All are written into a temporary folder
//! beside the goal, which then takes its name, at once.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use walkdir::WalkDir;

use crate::diag::Error;

use crate::cli::columns::counted;
use crate::cli::switch::Switch;
use crate::cli::{Failure, output, render};
use crate::kept::scratch::{self, ScratchFolder};

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

/// Calls `make` with a temporary folder, and the folder at `path` then has the files that it wrote
/// there. Other files there are kept.
///
/// # Errors
/// When a file cannot be written; then the folder is unchanged.
pub fn write(path: &Path, make: impl FnOnce(&Path) -> Result<(), Failure>) -> Result<(), Failure> {
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
    for made in WalkDir::new(beside.path()).into_iter().flatten() {
        let to = path.join(made.path().strip_prefix(beside.path()).unwrap_or(Path::new("")));
        output::spare_texts(&to).map_err(|e| Error::io(&to, "write", &e))?;
    }
    note_others(path, beside.path());
    let switch = Switch::prepare(beside.path(), path, BTreeSet::new());
    Ok(switch.and_then(Switch::switch).map_err(refused("write into the folder"))?)
}
