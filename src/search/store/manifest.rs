//! `index.json`: the files of the index. It is written last and put in place by renaming, so a
//! build that is killed, or that fills the disk, leaves the old index unchanged.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::pages::{FORMAT_VERSION, damaged, unusable};
use crate::diag::Error;
use crate::kept::{self, Durability};
use crate::source::regular;
use crate::text::fold;

/// Name of the file.
pub(crate) const MANIFEST_NAME: &str = "index.json";
const FORMAT: &str = "zhushu search index";
/// Beginning of the names of files that are still being written.
const UNFINISHED_PREFIX: &str = ".zhushu-";
/// Extension of the files of an index.
pub(crate) const FILE_ENDING: &str = "seg";
/// Hexadecimal digits of the name before it.
pub(crate) const NAME_DIGITS: usize = 24;

/// The manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct IndexManifest {
    format: String,
    version: u32,
    /// Checksum of the folding table.
    folding: u32,
    /// The files, in the order of the documents.
    #[serde(rename = "segments")]
    pub(crate) files: Vec<FileEntry>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileEntry {
    /// Its name, a hash of its content.
    pub(crate) file: String,
    /// Its length in bytes.
    pub(crate) bytes: u64,
    /// Bytes of the texts that it indexes.
    pub(crate) input: u64,
    /// How many documents.
    pub(crate) documents: usize,
}

impl IndexManifest {
    pub(crate) fn new(files: Vec<FileEntry>) -> Self {
        IndexManifest {
            format: FORMAT.into(),
            version: FORMAT_VERSION,
            folding: fold::version(),
            files,
        }
    }

    /// Reads the manifest of an index folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(MANIFEST_NAME);
        let text = match regular(&path) {
            Err(e)
                if matches!(
                    e.kind(),
                    std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
                ) =>
            {
                return Err(Error::io(folder, "search", &e).hint("build the index first"));
            }
            text => text.map_err(|e| Error::io(&path, "read", &e))?,
        };
        let any: serde_json::Value =
            serde_json::from_slice(&text).map_err(|e| damaged(&path, &format!("not JSON: {e}")))?;
        if any["format"] != FORMAT {
            return Err(unusable(&path, "this is not a search index of zhushu"));
        }
        if any["version"] != FORMAT_VERSION {
            let message = format!(
                "this index has format {}; this program reads {FORMAT_VERSION}",
                any["version"]
            );
            return Err(unusable(&path, message));
        }
        let manifest: IndexManifest =
            serde_json::from_value(any).map_err(|e| damaged(&path, &e.to_string()))?;
        if manifest.folding != fold::version() {
            return Err(unusable(&path, "this index was built with another folding table"));
        }
        if let Some(entry) = manifest.files.iter().find(|e| !is_plain(&e.file)) {
            return Err(damaged(&path, &format!("“{}” is not a valid file name", entry.file)));
        }
        Ok(manifest)
    }

    /// Puts the manifest in place.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), Error> {
        let json = serde_json::to_vec_pretty(self).unwrap_or_default();
        put(folder, MANIFEST_NAME, |out| out.write_all(&json))
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.')
        && !name.starts_with('.')
}

/// Writes a file under a temporary name first, so that it appears complete or not at all.
pub(crate) fn put(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Error> {
    let path = folder.join(name);
    let put = kept::put(&path, Durability::OnDisk, write);
    put.map(drop).map_err(|e| Error::io(&path, "write", &e))
}

/// Removes files of earlier builds that the manifest does not list.
pub(crate) fn sweep(folder: &Path, keep: &IndexManifest) -> Result<(), Error> {
    let files = fs::read_dir(folder).map_err(|e| Error::io(folder, "read", &e))?;
    let ours = |p: &PathBuf| {
        let name = p.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let old = is_segment(&name) && !keep.files.iter().any(|e| e.file == name);
        old || name.starts_with(UNFINISHED_PREFIX)
    };
    for path in files.filter_map(|f| Some(f.ok()?.path())).filter(|p| p.is_file() && ours(p)) {
        fs::remove_file(&path).map_err(|e| Error::io(&path, "remove", &e))?;
    }
    Ok(())
}

/// True for the name of a file of an index: what it holds, as a number.
fn is_segment(name: &str) -> bool {
    let number = name.strip_suffix(FILE_ENDING).and_then(|name| name.strip_suffix('.'));
    number.is_some_and(|n| n.len() == NAME_DIGITS && n.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Removes an index, and its folder if nothing else is in it.
pub(crate) fn remove(folder: &Path) -> Result<(), Error> {
    if IndexManifest::read(folder).is_err() {
        return Ok(());
    }
    let path = folder.join(MANIFEST_NAME);
    fs::remove_file(&path).map_err(|e| Error::io(&path, "remove", &e))?;
    sweep(folder, &IndexManifest::new(vec![]))?;
    // With files of others it stays.
    let _ = fs::remove_dir(folder);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_names_only_files_of_its_own_folder() {
        assert!(is_plain("0123456789abcdef.seg") && is_plain("a..b"));
        for name in ["", ".", "..", ".hidden", "a/b", "../a.seg", "a\\b", "C:a", "經.seg", "a\0"] {
            assert!(!is_plain(name), "{name:?}");
        }
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), MANIFEST_NAME, |out| out.write_all(b"old")).unwrap();
        let full = put(folder.path(), MANIFEST_NAME, |out| {
            out.write_all(&[0; 100_000])?;
            Err(std::io::ErrorKind::StorageFull.into())
        });
        assert!(full.is_err());
        assert_eq!(fs::read(folder.path().join(MANIFEST_NAME)).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
