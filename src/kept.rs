//! How everything that is kept is written: corrections, tables of questions, manifests, the
//! library, editions, search indexes and caches.
//!
//! A file is made beside its place and renamed, so that the old file or the new one is there at any
//! moment. The new one has the rights of the old. What a person decides is changed by one writer at
//! a time ([`KeptFile`]).

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::diag::Error;

pub(crate) mod scratch;
pub(crate) mod switch;

/// Whether a file must be there after a loss of power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durability {
    /// It is on disk, with its name, before writing ends.
    OnDisk,
    /// It can be made again, and who reads it notices if it is not whole. (Waiting for the disk at
    /// each of some thousand pages takes longer than making them.)
    Later,
}

/// Writes a file. Returns true if it belonged to somebody else before, who cannot stay its owner.
///
/// # Errors
/// When that fails; then the old file is as it was.
pub(crate) fn put(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<bool> {
    let folder = folder_of(path);
    let file = scratch::file_in(folder)?;
    // Before anything is in it: what nobody else may read is read by nobody else.
    let old = fs::metadata(path);
    let is_other = old.map_or(Ok(false), |old| take_rights(file.as_file(), &old))?;
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    if durability == Durability::OnDisk {
        file.as_file().sync_all()?;
    }
    file.persist(path)?;
    if durability == Durability::OnDisk {
        // The name is on disk when the folder is; not every system lets a folder be opened.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(is_other)
}

/// The right to change a file that people keep, held until it is dropped. Other programs of this
/// kind wait.
///
/// The lock is on the folder, so that nothing is left behind; a file system that has no locks is
/// used without.
pub(crate) struct KeptFile {
    path: PathBuf,
    _lock: Option<File>,
}

impl KeptFile {
    /// Waits until nobody else writes into the folder of the file. A link is written through if it
    /// leads to a file in the folder `within`.
    ///
    /// # Errors
    /// If the file is a link that leads out of that folder.
    pub(crate) fn lock(path: &Path, within: &Path) -> Result<Self, Error> {
        let path = target(path, within)?;
        let folder = folder_of(&path);
        let lock = File::open(folder).ok().filter(|folder| folder.lock().is_ok());
        scratch::sweep(folder);
        Ok(KeptFile { path, _lock: lock })
    }

    /// Replaces the file. The new one is on disk when this returns. Returns true if the old one
    /// belonged to somebody else.
    ///
    /// # Errors
    /// When it cannot be written; then the old one is as it was.
    pub(crate) fn replace(&self, bytes: &[u8]) -> Result<bool, Error> {
        put(&self.path, Durability::OnDisk, |out| out.write_all(bytes))
            .map_err(|e| Error::io(&self.path, "write", &e))
    }
}

/// Creates a folder and its parents, unless it exists.
///
/// # Errors
/// When that fails.
pub(crate) fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|e| Error::io(path, "make the folder", &e))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file itself, which may be behind a link.
fn target(path: &Path, within: &Path) -> Result<PathBuf, Error> {
    if !path.is_symlink() {
        return Ok(path.to_path_buf());
    }
    let failed = |e: io::Error| Error::io(path, "write", &e);
    let within = fs::canonicalize(within).map_err(failed)?;
    let target = fs::canonicalize(path).map_err(failed)?;
    if target.starts_with(within) {
        return Ok(target);
    }
    let message = format!("this link leads out of the corpus, to {}", target.display());
    Err(Error::input(path, message).hint("copy that file here instead of the link"))
}

/// Gives a file the rights of another, and its group and owner where that is allowed. Returns true
/// if the owner is another.
fn take_rights(new: &File, old: &fs::Metadata) -> io::Result<bool> {
    #[cfg(unix)]
    let is_other = {
        use std::os::unix::fs::{MetadataExt, fchown};
        let made = new.metadata()?;
        let _ = fchown(new, None, Some(old.gid()));
        made.uid() != old.uid() && fchown(new, Some(old.uid()), None).is_err()
    };
    #[cfg(not(unix))]
    let is_other = false;
    new.set_permissions(old.permissions())?;
    Ok(is_other)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn rights_stay_and_a_new_file_has_those_of_any_other() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&other, "").unwrap();
        KeptFile::lock(&path, folder.path()).unwrap().replace(b"1").unwrap();
        assert_eq!(mode(&path), mode(&other));
        fs::set_permissions(&path, Permissions::from_mode(0o664)).unwrap();
        KeptFile::lock(&path, folder.path()).unwrap().replace(b"2").unwrap();
        assert_eq!((mode(&path), fs::read(&path).unwrap()), (0o664, b"2".to_vec()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn the_owner_stays_where_that_is_allowed() {
        use std::os::unix::fs::{MetadataExt, chown};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let write = || put(&path, Durability::Later, |out| out.write_all(b"1")).unwrap();
        // A new file, and one's own.
        assert!(!write() && !write());
        if chown(&path, Some(12345), Some(54321)).is_err() {
            return; // Only root may give a file away.
        }
        assert!(!write());
        let about = fs::metadata(&path).unwrap();
        assert_eq!((about.uid(), about.gid()), (12345, 54321));
    }

    #[test]
    fn who_writes_waits_for_another_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let kept = KeptFile::lock(&path, folder.path()).unwrap();
        let other = File::open(folder.path()).unwrap();
        assert!(other.try_lock().is_err());
        drop(kept);
        assert!(other.try_lock().is_ok());
        assert_eq!(folder_of(Path::new("a")), Path::new("."));
        assert_eq!(folder_of(Path::new("b/a")), Path::new("b"));
    }

    #[test]
    fn a_link_is_written_through_within_the_corpus_and_refused_outside() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("in"), tempfile::tempdir().unwrap());
        fs::create_dir(&inside).unwrap();
        fs::write(folder.path().join("b"), "").unwrap();
        symlink("../b", inside.join("a")).unwrap();
        KeptFile::lock(&inside.join("a"), folder.path()).unwrap().replace(b"1").unwrap();
        assert!(inside.join("a").is_symlink());
        assert_eq!(fs::read(folder.path().join("b")).unwrap(), b"1");
        fs::write(outside.path().join("c"), "").unwrap();
        symlink(outside.path().join("c"), inside.join("c")).unwrap();
        assert!(KeptFile::lock(&inside.join("c"), folder.path()).is_err());
    }

    #[test]
    fn a_file_that_cannot_be_written_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let (path, taken) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&path, "old").unwrap();
        let half = put(&path, Durability::OnDisk, |out| {
            out.write_all(b"ne")?;
            Err(io::Error::other("it ends here"))
        });
        assert!(half.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        // A folder has its name.
        fs::create_dir(&taken).unwrap();
        let error = KeptFile::lock(&taken, folder.path()).unwrap().replace(b"new").unwrap_err();
        assert!(error.message.starts_with("cannot write: "), "{}", error.message);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing half written is left");
    }

    #[test]
    fn a_private_file_is_private_while_it_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        let written = put(&path, Durability::Later, |out| {
            out.write_all(b"new")?;
            let modes = fs::read_dir(folder.path())?.flatten().map(|e| mode(&e.path()));
            assert_eq!(modes.collect::<Vec<_>>(), [0o600, 0o600]);
            Ok(())
        });
        assert!(written.is_ok());
        assert_eq!((mode(&path), fs::read(&path).unwrap()), (0o600, b"new".to_vec()));
    }

    #[test]
    fn who_writes_through_a_link_holds_the_folder_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("in");
        fs::create_dir(&inside).unwrap();
        fs::write(folder.path().join("b"), "").unwrap();
        symlink("../b", inside.join("a")).unwrap();
        let _kept = KeptFile::lock(&inside.join("a"), folder.path()).unwrap();
        assert!(File::open(folder.path()).unwrap().try_lock().is_err());
    }

    #[test]
    fn why_a_link_is_not_written_through_is_said() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (out, nowhere) = (folder.path().join("out"), folder.path().join("nowhere"));
        fs::write(outside.path().join("c"), "").unwrap();
        symlink(outside.path().join("c"), &out).unwrap();
        symlink("nothing", &nowhere).unwrap();
        let error = |link: &Path| KeptFile::lock(link, folder.path()).err().unwrap();
        assert!(error(&out).message.contains("leads out of the corpus, to "));
        assert!(error(&out).hint.is_some_and(|hint| hint.contains("copy that file here")));
        assert_eq!(error(&nowhere).message, "cannot write: it is a link to what is not there");
    }

    #[test]
    fn a_folder_is_made_with_its_parents_unless_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        make_folder(&inner).unwrap();
        make_folder(&inner).unwrap();
        fs::write(inner.join("c"), "").unwrap();
        let error = make_folder(&inner.join("c")).unwrap_err();
        assert!(error.message.starts_with("cannot make the folder: "), "{}", error.message);
    }

    /// Runs a test of this file under strace: whether it passes, and the calls.
    fn traced(test: &str, options: &[&str]) -> (bool, String) {
        let folder = tempfile::tempdir().unwrap();
        let trace = folder.path().join("trace");
        let name = format!("{}::{test}", module_path!().split_once("::").unwrap().1);
        let mut strace = std::process::Command::new("strace");
        strace.args(["-f", "-qq", "-y", "-o"]).arg(&trace).args(options);
        strace.arg(std::env::current_exe().unwrap()).args(["--exact", &name]);
        let output = strace.output().expect("strace is installed");
        (output.status.success(), fs::read_to_string(trace).unwrap())
    }

    #[test]
    #[ignore = "needs strace"]
    fn what_is_kept_is_on_disk_before_it_has_its_name_and_its_folder_after() {
        let replaced = "rights_stay_and_a_new_file_has_those_of_any_other";
        let calls = ["-e", "trace=fsync,rename,renameat,renameat2"];
        let (is_well, trace) = traced(replaced, &calls);
        let order: Vec<_> =
            trace.lines().map(|c| (c.contains("fsync("), c.contains(".zhushu-"))).collect();
        let once = [(true, true), (false, true), (true, false)];
        assert!(is_well && order == [once, once].concat(), "{trace}");
        let owned = "the_owner_stays_where_that_is_allowed";
        // A disk or a file system that refuses.
        for (test, call) in [(replaced, "fsync:error=EIO"), (owned, "fchmod:error=EPERM")] {
            assert!(!traced(test, &["-e", &format!("inject={call}")]).0, "{call}");
        }
        let (is_well, trace) = traced(owned, &calls);
        assert!(is_well && !trace.contains("fsync("), "nobody waits for what is made again");
    }
}
