//! Writing several files so that none is ever half there: all are made in a folder beside, which then takes its place, or
//! whose files do where the folder is there already.

use std::fs;
use std::io;
use std::path::Path;

use zhushu::diag::Error;
use zhushu::writers::editions::{Edition, Part};

use crate::cli::{Failure, output};

/// Writes `files` into the folder at `path`; other files in it are left alone.
///
/// # Errors
/// When one cannot be written; then the folder is as it was before.
pub fn write(
    path: &Path,
    files: &[(&Edition, &Part)],
    extension: &str,
    make: impl Fn(&Edition, &Part, &mut dyn io::Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let refused = |what| move |e: io::Error| Error::io(path, what, &e);
    if path.exists() && !path.is_dir() {
        return Err(Error::usage(format!("“{}” is a file, and {} files are to be written", path.display(), files.len()))
            .hint("name a folder with -o")
            .into());
    }
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(refused("make the folder"))?;
    let beside = tempfile::Builder::new().prefix(".zhushu-").tempdir_in(parent).map_err(refused("make the folder"))?;
    let names: Vec<String> = files.iter().map(|(_, part)| format!("{}.{extension}", part.name)).collect();
    for ((edition, part), name) in files.iter().zip(&names) {
        output::to(Some(&beside.path().join(name)), |out| make(edition, part, out))?;
    }
    fs::create_dir_all(path).map_err(refused("make the folder"))?;
    for name in &names {
        fs::rename(beside.path().join(name), path.join(name)).map_err(refused("write into the folder"))?;
    }
    Ok(())
}
