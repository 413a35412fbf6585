//! Replaces all files of a folder at once.
//!
//! New files are made in a folder beside it. What stays is linked there too, and the two folders
//! exchange their names in one step of the system. So a reader of the folder, or a process that is
//! killed, never leaves or sees files of two states. Where the system cannot exchange folders, or a
//! file cannot be linked, the new files are moved one by one.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::kept::scratch;

/// New files of a folder that are ready to take its name.
pub struct Switch {
    /// Where the new files are.
    made: PathBuf,
    /// The folder they are for.
    folder: PathBuf,
    /// The new files, from `made`.
    new: Vec<PathBuf>,
    /// Files to be removed, from the folder.
    gone: BTreeSet<PathBuf>,
    way: Way,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// There is no such folder yet.
    Rename,
    /// `made` has everything that the folder shall have.
    Exchange,
    /// `made` has the new files only.
    Each,
}

impl Switch {
    /// Makes the folder `made` complete: every file of `folder` is linked there, unless there is a
    /// new one under its name or it is `gone`. Both must be in one file system.
    ///
    /// # Errors
    /// When `made` cannot be read.
    pub fn prepare(made: &Path, folder: &Path, gone: BTreeSet<PathBuf>) -> io::Result<Self> {
        let new = files_in(made)?;
        let way = match fs::symlink_metadata(folder) {
            Err(_) => Way::Rename,
            // A link to a folder elsewhere shall stay one.
            Ok(about) if !about.is_dir() || is_in_use(folder) => Way::Each,
            // One file is replaced at once too.
            Ok(_) if new.len() == 1 && gone.is_empty() => Way::Each,
            Ok(_) => match link_others(made, folder, &gone) {
                Ok(()) => Way::Exchange,
                Err(_) => Way::Each,
            },
        };
        Ok(Switch { made: made.to_path_buf(), folder: folder.to_path_buf(), new, gone, way })
    }

    /// Gives the new files their place. Afterwards the folder in which they were made may hold the
    /// old ones.
    ///
    /// # Errors
    /// When they cannot be moved.
    pub fn switch(self) -> io::Result<()> {
        match self.way {
            Way::Rename => fs::rename(&self.made, &self.folder),
            Way::Exchange => match exchange(&self.made, &self.folder) {
                Ok(()) => self.take_over(),
                Err(_) => self.each(),
            },
            Way::Each => self.each(),
        }
    }

    /// Moves into the folder what others have put into the old one since that was read.
    fn take_over(&self) -> io::Result<()> {
        for file in files_in(&self.made)? {
            if self.gone.contains(&file) || self.new.binary_search(&file).is_ok() {
                continue;
            }
            let (from, to) = (self.made.join(&file), self.folder.join(&file));
            let is_linked = fs::symlink_metadata(&to).is_ok_and(|new| {
                fs::symlink_metadata(&from).is_ok_and(|old| is_same_file(&old, &new))
            });
            if !is_linked {
                to.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::rename(&from, &to)?;
            }
        }
        Ok(())
    }

    /// Moves and removes one file after the other.
    fn each(&self) -> io::Result<()> {
        for file in &self.new {
            let to = self.folder.join(file);
            to.parent().map_or(Ok(()), fs::create_dir_all)?;
            move_file(&self.made.join(file), &to)?;
        }
        for file in &self.gone {
            match fs::remove_file(self.folder.join(file)) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Moves a file, also to another disk: a link may lead there.
fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(e) if e.kind() == io::ErrorKind::CrossesDevices => {
            let copy = scratch::file_in(to.parent().unwrap_or(Path::new(".")))?;
            fs::copy(from, copy.path())?;
            copy.persist(to)?;
            Ok(())
        }
        done => done,
    }
}

/// A shell that is in the folder would be left in the old one.
fn is_in_use(folder: &Path) -> bool {
    let real = |path: io::Result<PathBuf>| path.and_then(|p| p.canonicalize());
    match (real(std::env::current_dir()), folder.canonicalize()) {
        (Ok(here), Ok(folder)) => here.starts_with(folder),
        _ => true,
    }
}

/// True if two names are of one file. Where folders are exchanged, files have numbers.
#[cfg(unix)]
fn is_same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// The files in a folder and the folders in it, by their path from it, in order.
fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        if !entry.file_type().is_dir() {
            files.extend(entry.path().strip_prefix(folder).map(Path::to_path_buf));
        }
    }
    files.sort();
    Ok(files)
}

/// Links the files of `folder` that are not `gone` into `made`, where it lacks them.
fn link_others(made: &Path, folder: &Path, gone: &BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        let Ok(path) = entry.path().strip_prefix(folder) else { continue };
        let to = made.join(path);
        if entry.file_type().is_dir() {
            fs::create_dir_all(&to)?;
            fs::set_permissions(&to, entry.metadata()?.permissions())?;
        } else if !gone.contains(path) && fs::symlink_metadata(&to).is_err() {
            fs::hard_link(entry.path(), &to)?;
        }
    }
    Ok(())
}

/// Exchanges the names of two folders.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two folders: the new files, and the old ones.
    fn folders() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let at = tempfile::tempdir().unwrap();
        let (made, folder) = (at.path().join("made"), at.path().join("folder"));
        for (path, content) in [("same", "1"), ("sub/changed", "1"), ("old", "1"), ("own", "mine")]
        {
            write(&folder.join(path), content);
        }
        write(&made.join("sub/changed"), "2");
        write(&made.join("new"), "2");
        (at, made, folder)
    }

    fn write(path: &Path, content: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn content(folder: &Path) -> Vec<(String, String)> {
        let read =
            |f: PathBuf| (f.display().to_string(), fs::read_to_string(folder.join(&f)).unwrap());
        files_in(folder).unwrap().into_iter().map(read).collect()
    }

    fn after() -> Vec<(String, String)> {
        [("new", "2"), ("own", "mine"), ("same", "1"), ("sub/changed", "2")]
            .map(|(path, content)| (path.to_string(), content.to_string()))
            .to_vec()
    }

    fn gone() -> BTreeSet<PathBuf> {
        BTreeSet::from([PathBuf::from("old"), PathBuf::from("never-there")])
    }

    #[test]
    fn both_ways_give_the_same_files() {
        for way in [Way::Exchange, Way::Each] {
            let (_at, made, folder) = folders();
            let mut switch = Switch::prepare(&made, &folder, gone()).unwrap();
            assert_eq!(switch.way, Way::Exchange);
            switch.way = way;
            switch.switch().unwrap();
            assert_eq!(content(&folder), after(), "{way:?}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_others_put_into_the_folder_meanwhile_stays() {
        let (_at, made, folder) = folders();
        let switch = Switch::prepare(&made, &folder, gone()).unwrap();
        write(&folder.join("sub/late"), "mine");
        fs::remove_file(folder.join("own")).unwrap();
        write(&folder.join("own"), "changed");
        switch.switch().unwrap();
        let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
        assert_eq!([read("sub/late"), read("own"), read("new")], ["mine", "changed", "2"]);
        assert!(!folder.join("old").exists());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_opened_the_folder_before_reads_the_old_files() {
        let (_at, made, folder) = folders();
        let before = fs::File::open(&folder).unwrap();
        Switch::prepare(&made, &folder, gone()).unwrap().switch().unwrap();
        let held = |file: &str| {
            rustix::fs::accessat(
                &before,
                file,
                rustix::fs::Access::EXISTS,
                rustix::fs::AtFlags::empty(),
            )
        };
        assert!(held("old").is_ok() && held("new").is_err());
    }

    #[test]
    fn a_folder_that_is_not_there_is_new() {
        let (_at, made, folder) = folders();
        let to = folder.with_file_name("other");
        Switch::prepare(&made, &to, gone()).unwrap().switch().unwrap();
        assert_eq!(content(&to).len(), 2);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_to_a_folder_stays_a_link() {
        let (_at, made, folder) = folders();
        let link = folder.with_file_name("link");
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        Switch::prepare(&made, &link, gone()).unwrap().switch().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(content(&folder), after());
    }

    #[test]
    fn files_change_at_once_unless_only_one_does() {
        for (new, gone, way) in [
            (&["new"][..], &[][..], Way::Each),
            (&["new", "sub/changed"], &[], Way::Exchange),
            (&["new"], &["old"], Way::Exchange),
            (&[], &["old"], Way::Exchange),
        ] {
            let (_at, made, folder) = folders();
            fs::remove_dir_all(&made).unwrap();
            fs::create_dir(&made).unwrap();
            new.iter().for_each(|file| write(&made.join(file), "2"));
            let switch = Switch::prepare(&made, &folder, gone.iter().map(PathBuf::from).collect());
            let switch = switch.unwrap();
            assert_eq!(switch.way, way, "{new:?} {gone:?}");
            switch.switch().unwrap();
            let read = |file: &&str| fs::read_to_string(folder.join(file)).unwrap();
            assert!(new.iter().all(|file| read(file) == "2"), "{new:?} {gone:?}");
            assert_eq!(folder.join("old").exists(), gone.is_empty());
        }
    }

    #[test]
    fn the_new_folder_is_complete_before_it_gets_the_name() {
        let (_at, made, folder) = folders();
        write(&folder.join("only/same"), "1");
        let switch = Switch::prepare(&made, &folder, gone()).unwrap();
        assert_eq!(switch.way, Way::Exchange);
        let mut whole = after();
        whole.insert(1, ("only/same".into(), "1".into()));
        assert_eq!(content(&made), whole);
        switch.switch().unwrap();
        assert_eq!(content(&folder), whole);
    }

    #[test]
    #[cfg(unix)]
    fn folders_keep_their_rights() {
        use std::os::unix::fs::PermissionsExt;
        let (_at, made, folder) = folders();
        write(&folder.join("only/same"), "1");
        let modes = [("", 0o755), ("sub", 0o750), ("only", 0o700)];
        for (path, mode) in modes {
            let rights = fs::Permissions::from_mode(mode);
            fs::set_permissions(folder.join(path), rights).unwrap();
        }
        Switch::prepare(&made, &folder, gone()).unwrap().switch().unwrap();
        for (path, mode) in modes {
            let about = fs::metadata(folder.join(path)).unwrap();
            assert_eq!(about.permissions().mode() & 0o777, mode, "{path}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_new_folder_of_others_is_taken_over_and_one_in_the_way_is_an_error() {
        let (_at, made, folder) = folders();
        write(&made.join("deep/page"), "2");
        let switch = Switch::prepare(&made, &folder, gone()).unwrap();
        write(&folder.join("late/notes"), "mine");
        switch.switch().unwrap();
        assert_eq!(fs::read(folder.join("late/notes")).unwrap(), b"mine");
        let (_at, made, folder) = folders();
        write(&made.join("deep/page"), "2");
        let switch = Switch::prepare(&made, &folder, gone()).unwrap();
        write(&folder.join("deep"), "mine");
        assert!(switch.switch().is_err());
        assert_eq!(fs::read(made.join("deep")).unwrap(), b"mine");
    }

    #[test]
    fn what_cannot_be_moved_or_removed_is_an_error() {
        let (_at, made, folder) = folders();
        fs::create_dir(folder.join("new")).unwrap();
        assert!(Switch::prepare(&made, &folder, gone()).unwrap().switch().is_err());
        let (_at, made, folder) = folders();
        let gone = BTreeSet::from([PathBuf::from("sub")]);
        let mut switch = Switch::prepare(&made, &folder, gone).unwrap();
        switch.way = Way::Each;
        assert!(switch.switch().is_err());
    }

    #[test]
    fn a_folder_that_goes_meanwhile_gets_the_new_files() {
        let (_at, made, folder) = folders();
        let switch = Switch::prepare(&made, &folder, gone()).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        switch.switch().unwrap();
        let files: Vec<_> = content(&folder).into_iter().map(|(file, _)| file).collect();
        assert_eq!(files, ["new", "sub/changed"]);
    }

    #[test]
    fn a_new_folder_gets_its_files_at_once() {
        let (_at, made, folder) = folders();
        let to = folder.with_file_name("other");
        let switch = Switch::prepare(&made, &to, BTreeSet::new()).unwrap();
        assert!(!to.exists());
        switch.switch().unwrap();
        assert!(content(&to).len() == 2 && !made.exists());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn new_files_go_to_another_disk_too() {
        use std::os::unix::fs::MetadataExt;
        let disk = |path: &Path| fs::metadata(path).unwrap().dev();
        let (_at, made, folder) = folders();
        let Ok(other) = tempfile::tempdir_in("/dev/shm") else { return };
        if disk(other.path()) == disk(&folder) {
            return;
        }
        let switch = |to: &str, before: &str| {
            let to = other.path().join(to);
            write(&to.join("old"), "1");
            write(&to.join(before), "1");
            let switch = Switch::prepare(&made, &to, gone()).unwrap();
            assert_eq!(switch.way, Way::Each);
            switch.switch().map(|()| content(&to))
        };
        let whole: Vec<_> = after().into_iter().filter(|(file, _)| file != "own").collect();
        assert_eq!(switch("a", "same").unwrap(), whole);
        write(&made.join("new"), "2");
        assert!(switch("b", "new/a").is_err(), "a folder has this name");
        fs::remove_file(made.join("new")).unwrap();
        std::os::unix::fs::symlink("nothing", made.join("new")).unwrap();
        assert!(switch("c", "same").is_err(), "there is nothing to copy");
        assert!(!other.path().join("c/new").exists());
    }

    #[test]
    fn a_folder_is_not_exchanged_under_the_shell_that_is_in_it() {
        let here = std::env::current_dir().unwrap();
        assert!(here.ancestors().all(is_in_use));
        let (_at, made, folder) = folders();
        assert!(!is_in_use(&made) && !is_in_use(&folder));
        // What cannot be known is left as it is.
        assert!(is_in_use(&made.join("nothing")));
    }
}
