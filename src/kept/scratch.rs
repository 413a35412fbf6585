//! Temporary files and folders, beside what they become when they are complete.
//!
//! A process that is killed leaves its own behind. So each is locked as long as its process lives,
//! and who writes beside it later removes those that nobody holds. The system frees the lock of a
//! process however that ends. (Names with numbers of processes say less: numbers are given again,
//! and those of another machine or container mean nothing.)

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// What their names begin with.
const PREFIX: &str = ".zhushu-";
/// Letters and digits that follow.
const RANDOM_CHARS: usize = 6;
/// What follows in the name of a folder; the rest is the name of a file, which is locked.
const FOLDER_ENDING: &str = ".d";
/// How often a new file is tried, if another process removes it before it is locked.
const TRIES: usize = 8;

/// A temporary folder. It is removed when this is dropped.
pub(crate) struct ScratchFolder {
    path: PathBuf,
    /// Held for its lock.
    _lock: NamedTempFile,
}

impl ScratchFolder {
    /// A new one in a folder.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn new_in(folder: &Path) -> io::Result<Self> {
        let lock = file_in(folder)?;
        let path = folder_of(lock.path());
        fs::create_dir(&path)?;
        Ok(ScratchFolder { path, _lock: lock })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // What cannot be removed does no harm, and is tried again later.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A new temporary file in a folder, with the permissions of any new file.
///
/// # Errors
/// When it cannot be made.
pub(crate) fn file_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).rand_bytes(RANDOM_CHARS);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    for _ in 0..TRIES {
        let file = builder.tempfile_in(folder)?;
        // Some network file systems have no locks. There nothing is removed either.
        let _ = file.as_file().lock();
        if file.path().exists() {
            return Ok(file);
        }
    }
    Err(io::Error::other("a temporary file was removed again and again"))
}

/// Removes from a folder what processes that were killed left there.
pub(crate) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(kind) = entry.file_type() else { continue };
        let lock = name.strip_suffix(FOLDER_ENDING).filter(|lock| kind.is_dir() && is_ours(lock));
        // What cannot be removed does no harm.
        if kind.is_file() && is_ours(&name) {
            let _ = remove_unless_held(&entry.path());
        } else if lock.is_some_and(|lock| !folder.join(lock).exists()) {
            // Its process could not remove it before its lock: too many files were open.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn remove_unless_held(path: &Path) -> io::Result<()> {
    let file = File::open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(()),
        Err(TryLockError::Error(e)) => return Err(e),
    }
    // The lock is kept until its file is gone, so that nobody takes it meanwhile.
    match fs::remove_dir_all(folder_of(path)) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => fs::remove_file(path),
    }
}

/// The folder that is locked by a file.
fn folder_of(lock: &Path) -> PathBuf {
    let mut name = lock.as_os_str().to_os_string();
    name.push(FOLDER_ENDING);
    name.into()
}

fn is_ours(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|rest| {
        rest.len() == RANDOM_CHARS && rest.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<_> =
            entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_nobody_holds_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at(".zhushu-abc123"), "half").unwrap();
        fs::write(at(".zhushu-dead00"), "").unwrap();
        fs::create_dir(at(".zhushu-dead00.d")).unwrap();
        fs::write(at(".zhushu-dead00.d/page.html"), "half").unwrap();
        fs::write(at(".zhushu-of-a-person"), "whole").unwrap();
        let file = file_in(folder.path()).unwrap();
        let inner = ScratchFolder::new_in(folder.path()).unwrap();
        fs::write(inner.path().join("page.html"), "whole").unwrap();
        sweep(folder.path());
        assert!(file.path().exists() && inner.path().join("page.html").exists());
        assert!(!at(".zhushu-abc123").exists() && !at(".zhushu-dead00").exists());
        assert!(!at(".zhushu-dead00.d").exists());
        drop((file, inner));
        assert_eq!(names(folder.path()), [".zhushu-of-a-person"]);
    }

    #[test]
    fn what_a_killed_process_was_making_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (lock, path) = file_in(folder.path()).unwrap().keep().unwrap();
        fs::create_dir(folder_of(&path)).unwrap();
        fs::write(folder_of(&path).join("page.html"), "half").unwrap();
        sweep(folder.path());
        assert_eq!(names(folder.path()).len(), 2, "its process lives");
        drop(lock);
        sweep(folder.path());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_folder_without_its_lock_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".zhushu-abc123.d")).unwrap();
        fs::create_dir(folder.path().join("abc123.d")).unwrap();
        sweep(folder.path());
        assert_eq!(names(folder.path()), ["abc123.d"]);
    }

    #[test]
    fn files_with_other_names_are_never_removed() {
        let folder = tempfile::tempdir().unwrap();
        let mut own = [".zhushu-abc12-", ".zhushu-abcdefg", ".zhushu-", "notes.txt", "abc123"];
        own.sort_unstable();
        own.iter().for_each(|name| fs::write(folder.path().join(name), "mine").unwrap());
        sweep(folder.path());
        assert_eq!(names(folder.path()), own);
    }

    #[test]
    fn a_lock_stays_as_long_as_its_folder_cannot_be_removed() {
        let folder = tempfile::tempdir().unwrap();
        // A file where its folder would be.
        let both = [".zhushu-abc123", ".zhushu-abc123.d"];
        both.iter().for_each(|name| fs::write(folder.path().join(name), "").unwrap());
        sweep(folder.path());
        assert_eq!(names(folder.path()), both);
    }

    #[test]
    fn a_folder_is_beside_what_it_becomes_and_goes_with_its_holder() {
        let folder = tempfile::tempdir().unwrap();
        let inner = ScratchFolder::new_in(folder.path()).unwrap();
        assert!(inner.path().is_dir() && inner.path().parent() == Some(folder.path()));
        drop(inner);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_file_that_another_process_sweeps_before_it_is_locked_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            let making = scope.spawn(|| {
                (0..500).all(|_| file_in(folder.path()).is_ok_and(|file| file.path().exists()))
            });
            while !making.is_finished() {
                sweep(folder.path());
            }
            assert!(making.join().unwrap());
        });
    }
}
