//! How files are written that a person keeps, such as corrections: one writer at a time, the old
//! file or the new one at any moment, and the new one with the rights of the old.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::corpus::MANIFEST;
use crate::diag::Error;

/// The right to write a file, held until it is dropped. Other programs of this kind wait.
///
/// The lock is on the folder, so that nothing is left behind; a file system that has no locks is
/// used without.
pub(crate) struct KeptFile {
    path: PathBuf,
    _lock: Option<File>,
}

impl KeptFile {
    /// Waits until nobody else writes into the folder of the file.
    ///
    /// # Errors
    /// If the file is a link that leads out of its corpus.
    pub fn lock(path: &Path) -> Result<Self, Error> {
        let path = target(path)?;
        let lock = File::open(folder_of(&path)).ok().filter(|folder| folder.lock().is_ok());
        Ok(KeptFile { path, _lock: lock })
    }

    /// Replaces the file. The new one is on disk when this returns.
    ///
    /// # Errors
    /// When it cannot be written; then the old one is as it was.
    pub fn replace(&self, bytes: &[u8]) -> Result<(), Error> {
        self.try_replace(bytes).map_err(|e| Error::io(&self.path, "write", &e))
    }

    fn try_replace(&self, bytes: &[u8]) -> io::Result<()> {
        let folder = folder_of(&self.path);
        let mut new = new_file_in(folder)?;
        new.write_all(bytes)?;
        if let Ok(old) = fs::metadata(&self.path) {
            take_rights(new.as_file(), &old)?;
        }
        new.as_file().sync_all()?;
        new.persist(&self.path).map_err(|e| e.error)?;
        // The name is on disk when the folder is; not every system lets a folder be opened.
        if let Ok(folder) = File::open(folder) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file itself: a link is written through if it leads to a file of the same corpus.
fn target(path: &Path) -> Result<PathBuf, Error> {
    if !path.is_symlink() {
        return Ok(path.to_path_buf());
    }
    let failed = |e: io::Error| Error::io(path, "write", &e);
    let folder = fs::canonicalize(folder_of(path)).map_err(failed)?;
    let corpus = folder.ancestors().find(|f| f.join(MANIFEST).exists()).unwrap_or(&folder);
    let target = fs::canonicalize(path).map_err(failed)?;
    if target.starts_with(corpus) {
        return Ok(target);
    }
    let message = format!("this link leads out of the corpus, to {}", target.display());
    Err(Error::input(path, message).hint("copy that file here instead of the link"))
}

/// A file beside the others, which others may read as files are usually read.
fn new_file_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let permissions: Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(permissions);
    builder.tempfile_in(folder)
}

/// Gives a file the rights of another, and its group where that is allowed.
fn take_rights(new: &File, old: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let _ = fchown(new, None, Some(old.gid()));
    }
    new.set_permissions(old.permissions())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn rights_stay_and_a_new_file_has_those_of_any_other() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&other, "").unwrap();
        KeptFile::lock(&path).unwrap().replace(b"1").unwrap();
        assert_eq!(mode(&path), mode(&other));
        fs::set_permissions(&path, Permissions::from_mode(0o664)).unwrap();
        KeptFile::lock(&path).unwrap().replace(b"2").unwrap();
        assert_eq!((mode(&path), fs::read(&path).unwrap()), (0o664, b"2".to_vec()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_link_is_written_through_within_the_corpus_and_refused_outside() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("in"), tempfile::tempdir().unwrap());
        fs::create_dir(&inside).unwrap();
        fs::write(folder.path().join(MANIFEST), "").unwrap();
        fs::write(folder.path().join("b"), "").unwrap();
        symlink("../b", inside.join("a")).unwrap();
        KeptFile::lock(&inside.join("a")).unwrap().replace(b"1").unwrap();
        assert!(inside.join("a").is_symlink());
        assert_eq!(fs::read(folder.path().join("b")).unwrap(), b"1");
        fs::write(outside.path().join("c"), "").unwrap();
        symlink(outside.path().join("c"), inside.join("c")).unwrap();
        assert!(KeptFile::lock(&inside.join("c")).is_err());
    }
}
