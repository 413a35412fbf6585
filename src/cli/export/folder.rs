//! Writing several files so that none is ever half there: all are made in a folder beside, which
//! then takes its place, or whose files do where the folder is there already.

use std::fs;
use std::io;
use std::path::Path;

use crate::diag::Error;

use crate::cli::Failure;

/// Writes what `make` writes into the folder it is given (files only) into the folder at `path`;
/// other files there are left alone.
///
/// # Errors
/// When one cannot be written; then the folder is as it was before.
pub fn write(path: &Path, make: impl FnOnce(&Path) -> Result<(), Failure>) -> Result<(), Failure> {
    let refused = |what| move |e: io::Error| Error::io(path, what, &e);
    if path.exists() && !path.is_dir() {
        return Err(Error::request(format!(
            "“{}” is a file, and several files are to be written",
            path.display()
        ))
        .hint("name a folder with -o")
        .into());
    }
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(refused("make the folder"))?;
    let beside = tempfile::Builder::new()
        .prefix(".zhushu-")
        .tempdir_in(parent)
        .map_err(refused("make the folder"))?;
    make(beside.path())?;
    fs::create_dir_all(path).map_err(refused("make the folder"))?;
    for file in fs::read_dir(beside.path()).map_err(refused("write into the folder"))? {
        let file = file.map_err(refused("write into the folder"))?;
        fs::rename(file.path(), path.join(file.file_name()))
            .map_err(refused("write into the folder"))?;
    }
    Ok(())
}
