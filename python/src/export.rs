//! Editions of a library in any format.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use zhushu::corpus::LayerChoice;
use zhushu::diag::Error;
use zhushu::writers::editions::{Edition, FORMATS, by_name};

use crate::error::{Raised, Result, detached, writing};
use crate::library::Library;
use crate::link::layers_named;

/// The names of the formats that `export` writes.
#[pyfunction]
pub fn formats() -> Vec<&'static str> {
    FORMATS.iter().map(|f| f.name).collect()
}

/// Writes an edition and returns the paths of its files. A format with one file writes it as
/// `path`, one with several makes `path` a folder of them.
#[pyfunction]
#[pyo3(signature = (library, format, path, *, texts=None, layers=None, title=None))]
pub fn export(
    py: Python<'_>,
    library: &Library,
    format: &str,
    path: PathBuf,
    texts: Option<Vec<String>>,
    layers: Option<Vec<String>>,
    title: Option<String>,
) -> Result<Vec<PathBuf>> {
    let format = by_name(format)?;
    let ids = library.ids_of(texts)?;
    let layers = layers_named(layers)?;
    if format.explained && !layers.is_empty() {
        let error = Error::request(format!("layers does not work with {}", format.name));
        let hint = "glosses are found in notes together with the text that they explain";
        return Err(error.hint(hint).into());
    }
    detached(py, || -> Result<Vec<PathBuf>> {
        let whole = library.edition(title, ids);
        let edition = match layers.is_empty() {
            true => whole,
            false => {
                let choice = LayerChoice { layers, ..LayerChoice::default() };
                Edition { library: choice.of(&whole.library), ..whole }
            }
        };
        let files = (format.files)(&edition);
        let alone = files.len() == 1;
        let mut written = vec![];
        for file in &files {
            let to = match alone {
                true => path.clone(),
                false => path.join(format!("{}.{}", file.name, format.extension)),
            };
            let mut bytes = vec![];
            (format.write)(&edition, file.which, &mut bytes).map_err(|e| writing(&to, &e))?;
            put(&to, &bytes)?;
            written.push(to);
        }
        Ok(written)
    })?
}

/// Writes a temporary file and renames it.
fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |e: std::io::Error| -> Raised { writing(path, &e) };
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // The permissions of any new file; those of a temporary one are stricter.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.prefix(".zhushu-").tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(())
}
