//! One build at a time in an output folder, and a record of what it writes while it runs, so that
//! the next build knows what one that was killed left behind.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::stamp::{self, FOLDER, Stamp};
use crate::diag::{self, Error};
use crate::kept::{self, scratch};
use crate::source::regular;

const LOCK: &str = "lock";
const JOURNAL: &str = "journal";
/// Putting files in place takes less than this.
const SWITCH: Duration = Duration::from_secs(10);

/// The record of the last build, with what a build wrote that did not end.
///
/// # Errors
/// When it cannot be read.
pub fn last(out: &Path) -> Result<Option<Stamp>, Error> {
    check_own(out)?;
    let old = Stamp::read(out)?;
    let path = out.join(FOLDER).join(JOURNAL);
    let journal = match regular(&path) {
        // What is damaged names no file.
        Ok(journal) => String::from_utf8_lossy(&journal).into_owned(),
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(old);
        }
        Err(e) => return Err(Error::io(&path, "read", &e)),
    };
    // The last line may be cut: nothing was written yet under its name.
    let entries = journal.split_inclusive('\n').filter_map(|l| l.strip_suffix('\n'));
    let entries: Vec<_> = entries.filter_map(|l| l.split_once('\t')).collect();
    if entries.is_empty() {
        return Ok(old);
    }
    let mut stamp = old.unwrap_or_default();
    stamp.incomplete = true;
    let entries = entries.into_iter().map(|(hash, path)| (path.to_string(), hash.to_string()));
    stamp.outputs.extend(entries);
    Ok(Some(stamp))
}

/// True while a build puts its files in place: what is read then may be of two builds. One that was
/// killed does it no more.
pub fn is_switching(out: &Path) -> bool {
    let journal = fs::metadata(out.join(FOLDER).join(JOURNAL));
    let written = journal.ok().filter(|about| about.len() > 0).and_then(|a| a.modified().ok());
    written.and_then(|at| at.elapsed().ok()).is_some_and(|since| since < SWITCH)
}

/// An error if a file of its own is none: in a folder from others it could be a link to a file
/// elsewhere, which would be emptied.
fn check_own(out: &Path) -> Result<(), Error> {
    let own = [LOCK, JOURNAL].map(|name| out.join(FOLDER).join(name));
    for path in own.into_iter().chain([stamp::path_in(out)]) {
        if fs::symlink_metadata(&path).is_ok_and(|about| !about.is_file()) {
            return Err(Error::input(&path, "this is not a regular file")
                .of_kind(diag::ErrorKind::Io)
                .hint("delete it; `zhushu build` writes it again"));
        }
    }
    Ok(())
}

/// The right to write into an output folder. It ends with the process, however that ends.
pub struct Transaction {
    out: PathBuf,
    journal: File,
    _lock: File,
}

/// Removes what builds that were killed left in the folders of an edition.
pub fn sweep(out: &Path) {
    let formats = super::formats::EditionFormat::ALL.map(super::formats::EditionFormat::folder);
    for folder in [".", FOLDER].into_iter().chain(formats) {
        scratch::sweep(&out.join(folder));
    }
}

impl Transaction {
    /// Takes the lock of `out`, and removes temporary files of builds that were killed.
    ///
    /// # Errors
    /// If another build has it, or the folder cannot be written.
    pub fn begin(out: &Path) -> Result<Self, Error> {
        check_own(out)?;
        let folder = out.join(FOLDER);
        kept::make_folder(&folder)?;
        let path = folder.join(LOCK);
        let refused = |e: std::io::Error| Error::io(&path, "lock", &e);
        let mut options = OpenOptions::new();
        let mut lock = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(refused)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(taken(out, &mut lock)),
            Err(TryLockError::Error(e)) => return Err(refused(e)),
        }
        lock.set_len(0).map_err(refused)?;
        lock.write_all(std::process::id().to_string().as_bytes()).map_err(refused)?;
        sweep(out);
        let path = folder.join(JOURNAL);
        let journal = OpenOptions::new().append(true).create(true).read(true).open(&path);
        let journal = journal.map_err(|e| Error::io(&path, "write", &e))?;
        Ok(Transaction { out: out.to_path_buf(), journal, _lock: lock })
    }

    /// Notes that files with these paths and hashes are about to get their place.
    ///
    /// # Errors
    /// When that cannot be noted.
    pub fn writes<'a>(
        &mut self,
        files: impl Iterator<Item = (&'a String, &'a String)>,
    ) -> Result<(), Error> {
        let refused = |e| Error::io(&self.out.join(FOLDER).join(JOURNAL), "write", &e);
        let lines: String = files.map(|(path, hash)| format!("{hash}\t{path}\n")).collect();
        self.journal.write_all(lines.as_bytes()).map_err(refused)
    }

    /// Ends it: the build's own record has everything.
    ///
    /// # Errors
    /// When the record of the build cannot be written.
    pub fn end(self, stamp: &Stamp) -> Result<(), Error> {
        stamp.write(&self.out)?;
        let path = self.out.join(FOLDER).join(JOURNAL);
        self.journal.set_len(0).map_err(|e| Error::io(&path, "write", &e))
    }
}

/// Another process has the lock; its number is in the file.
fn taken(out: &Path, lock: &mut File) -> Error {
    let mut holder = String::new();
    let known = lock.read_to_string(&mut holder).is_ok() && !holder.is_empty();
    let who = if known { format!("process {holder}") } else { "another process".into() };
    Error::input(out, format!("{who} is building into this folder"))
        .of_kind(diag::ErrorKind::Io)
        .hint("wait for it to end, or name another folder with -o")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_build_is_refused_while_the_first_lasts() {
        let out = tempfile::tempdir().unwrap();
        let first = Transaction::begin(out.path()).unwrap();
        let refused = Transaction::begin(out.path()).err().unwrap();
        assert!(refused.message.contains(&format!("process {}", std::process::id())), "{refused}");
        first.end(&Stamp::default()).unwrap();
        assert!(Transaction::begin(out.path()).is_ok());
    }

    #[test]
    fn what_a_killed_build_left_is_known_to_the_next() {
        let out = tempfile::tempdir().unwrap();
        let mut killed = Transaction::begin(out.path()).unwrap();
        let files = [("tei/a.xml", "aa"), ("tei/b.xml", "bb")];
        let files = files.map(|(path, hash)| (path.to_string(), hash.to_string()));
        killed.writes(files.iter().map(|(path, hash)| (path, hash))).unwrap();
        fs::write(out.path().join(FOLDER).join(".zhushu-abc123"), "half").unwrap();
        drop(killed);
        let next = Transaction::begin(out.path()).unwrap();
        assert!(!out.path().join(FOLDER).join(".zhushu-abc123").exists());
        let record = last(out.path()).unwrap().unwrap();
        assert_eq!(record.outputs.keys().collect::<Vec<_>>(), ["tei/a.xml", "tei/b.xml"]);
        assert!(record.differs(&Stamp::default()).is_some());
        next.end(&Stamp::default()).unwrap();
        let third = Transaction::begin(out.path()).unwrap();
        assert!(last(out.path()).unwrap().unwrap().outputs.is_empty());
        drop(third);
    }
}
