//! The files of a folder and its subfolders, in a fixed order, and what is left out.
//!
//! Only regular files count: opening a pipe or a device could block forever. Links are followed if
//! they stay in the folder: a folder from others must not publish what else is on this machine. A
//! file or folder that several links lead to counts once.

use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::MANIFEST;
use crate::diag::{Error, ErrorKind};

/// Where `build` keeps its record in its output folder.
const RECORD: &str = ".zhushu";

/// The usual name of that folder.
const OUTPUT: &str = "out";

/// How the names of files of corrections end.
pub(crate) const CORRECTIONS: &str = ".review.toml";

/// What programs that keep folders the same put into the names of the second of two versions:
/// Dropbox and Nextcloud, Syncthing, Google Drive, Seafile, and the Chinese Dropbox.
const CONFLICTS: [&str; 9] = [
    "conflicted",
    ".sync-conflict-",
    "_conflict-",
    ".conflict.",
    "[Conflict]",
    "(Case Conflict",
    "(SFConflict ",
    "冲突副本",
    "衝突副本",
];

/// What is at the end of the name of a copy, beside the file itself.
const COPIES: [&str; 5] = [" - Copy", " copy", " - 副本", " 副本", " (1)"];

/// What OneDrive puts before the name of a computer in the names of second versions.
const COMPUTERS: [&str; 2] = ["-DESKTOP-", "-LAPTOP-"];

/// What ends the names of files that editors and git leave beside those they change.
const LEAVINGS: [&str; 9] =
    ["~", ".orig", ".rej", ".bak", ".swp", ".tmp", ".part", ".crdownload", ".download"];

/// How the names of files end that are texts, if they are anything of a corpus.
pub(super) const ENDINGS: [&str; 14] = [
    "txt", "md", "xml", "json", "html", "htm", "xhtml", "docx", "odt", "rtf", "epub", "xlsx",
    "org", "tei",
];

/// Names, before the first dot, of files that are about the texts beside them.
const ABOUT: [&str; 5] = ["README", "LICENSE", "LICENCE", "COPYING", "CHANGELOG"];

/// The content of a folder.
#[derive(Default)]
pub(super) struct Walked {
    /// Files that may be texts, by path.
    pub(super) files: Vec<PathBuf>,
    /// Everything else, with the reason.
    pub(super) left_out: Vec<(PathBuf, String)>,
    /// What may be texts, but could not be read.
    pub(super) unread: Vec<Error>,
}

/// More files and folders are no corpus.
const MAX_ENTRIES: usize = 1_000_000;

/// Walks a folder; with `follow` also links that lead out of it.
///
/// # Errors
/// When the folder itself cannot be read, or is the root of half a disk.
pub(super) fn walk(root: &Path, follow: bool) -> Result<Walked, Error> {
    let refused = |e| Error::io(root, "read the folder", &e);
    fs::read_dir(root).map_err(refused)?;
    let mut links =
        Links { root: root.canonicalize().map_err(refused)?, follow, seen: HashSet::new() };
    let mut walked = Walked::default();
    let mut entries = WalkDir::new(root).min_depth(1).follow_links(true).into_iter();
    let mut n = 0;
    while let Some(entry) = entries.next() {
        n += 1;
        if n > MAX_ENTRIES {
            let message = format!("there are more than {MAX_ENTRIES} files in this folder");
            return Err(Error::input(root, message).hint("name the folder of the texts"));
        }
        match entry {
            Err(e) => match no_text(&e) {
                Some(why) => walked.left_out.push((e.path().unwrap_or(root).into(), why)),
                None => walked.unread.push(unread(root, &e)),
            },
            Ok(entry) => {
                match skipped(root, &entry).map(str::to_string).or_else(|| links.skips(&entry)) {
                    Some(why) => {
                        if let Some(e) = without_effect(entry.path()) {
                            walked.unread.push(e);
                            continue;
                        }
                        walked.left_out.push((entry.path().into(), why));
                        if entry.file_type().is_dir() {
                            entries.skip_current_dir();
                        }
                    }
                    None if entry.file_type().is_dir() => {}
                    None => walked.files.push(entry.into_path()),
                }
            }
        }
    }
    walked.files.sort();
    walked.drop_the_same();
    walked.left_out.sort();
    let idle = walked.left_out.iter().filter_map(|(path, why)| idle_corrections(path, why));
    walked.unread.extend(idle.collect::<Vec<_>>());
    Ok(walked)
}

/// Where links may lead.
struct Links {
    /// The folder, without links.
    root: PathBuf,
    /// Links may lead out of it.
    follow: bool,
    /// Folders that were reached by a link. Without them, folders full of links to each other would
    /// be walked in every order.
    seen: HashSet<PathBuf>,
}

impl Links {
    /// Why what a link leads to is left out.
    fn skips(&mut self, entry: &DirEntry) -> Option<String> {
        if !entry.path_is_symlink() {
            return None;
        }
        let target = entry.path().canonicalize().ok()?;
        if !self.follow && !target.starts_with(&self.root) {
            return Some("a link that leads out of this folder; --follow takes it".into());
        }
        let is_again = entry.file_type().is_dir() && !self.seen.insert(target.clone());
        is_again.then(|| format!("the same as {}", target.display()))
    }
}

/// Why a file or folder is left out.
fn skipped(root: &Path, entry: &DirEntry) -> Option<&'static str> {
    let (name, kind) = (entry.file_name().to_string_lossy(), entry.file_type());
    let is_output = || name == OUTPUT || entry.path().join(RECORD).is_dir();
    if name.starts_with('.') {
        Some("hidden")
    } else if kind.is_dir() {
        is_output().then_some("a folder that build writes")
    } else if !kind.is_file() {
        Some("not a regular file")
    } else if is_second_version(entry.path()) {
        Some("a second version")
    } else if name.ends_with(CORRECTIONS) {
        Some("corrections of the text beside it")
    } else if LEAVINGS.iter().any(|end| name.ends_with(end)) {
        Some("what an editor or git left of another file, by its name")
    } else if name == MANIFEST && entry.path().parent() != Some(root) {
        Some("the manifest of a folder inside this one; name that folder to use it")
    } else {
        is_about_texts(entry.path()).then_some("a readme, licence or changelog, by its name")
    }
}

/// True for a readme and its like.
pub(super) fn is_about_texts(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
    name.starts_with('.') || ABOUT.contains(&stem.as_str())
}

/// Why something that cannot be opened is no text; none if it may be one.
fn no_text(e: &walkdir::Error) -> Option<String> {
    // ELOOP, a link that leads to itself: the standard library has no stable name for it.
    let loops = Some(if cfg!(target_os = "linux") { 40 } else { 62 });
    match (e.loop_ancestor(), e.io_error()) {
        (Some(_), _) => Some("a link to a folder that contains it".to_string()),
        (_, Some(e)) if e.kind() == std::io::ErrorKind::NotFound || e.raw_os_error() == loops => {
            Some("a broken link".to_string())
        }
        _ => None,
    }
}

/// Why a file that a person made has no effect, by the name that it has; none if it may have.
pub(super) fn without_effect(path: &Path) -> Option<Error> {
    if path.is_dir() {
        return None;
    }
    let (message, hint) = if is_second_version(path) {
        (
            "by its name this is a second version that a program kept which could not decide; it \
             has no effect",
            "take from it what the other lacks and delete it, or rename it",
        )
    } else if is_of_no_text(path) {
        (
            "the text of these corrections is not beside them, so they have no effect",
            "name them after their text, or delete them",
        )
    } else {
        return None;
    };
    Some(Error::input(path, message).hint(hint))
}

/// The corrections of a file that is left out, which have no effect.
fn idle_corrections(text: &Path, why: &str) -> Option<Error> {
    let mut name = text.file_name()?.to_os_string();
    name.push(CORRECTIONS);
    let corrections = text.with_file_name(name);
    corrections.is_file().then(|| {
        let message =
            format!("the text of these corrections is left out ({why}), so they have no effect");
        Error::input(&corrections, message)
            .hint("name them after the text that is read, or delete them")
    })
}

/// True for corrections whose text is not there.
fn is_of_no_text(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(text) = name.strip_suffix(CORRECTIONS) else { return false };
    // FILE.review.toml, or FILE.WHO.review.toml.
    let names = [Some(text), text.rsplit_once('.').map(|(text, _)| text)];
    !names.into_iter().flatten().any(|name| path.with_file_name(name).exists())
}

/// True for the second of two versions of a file, by its name; also for corrections whose name is
/// not quite that of corrections: somebody's decisions are in it.
fn is_second_version(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let small = name.to_lowercase();
    let is_of_corrections = small.contains(".review") && small.ends_with(".toml");
    CONFLICTS.iter().any(|mark| name.contains(mark))
        || is_of_corrections && !name.ends_with(CORRECTIONS)
        || is_copy(path)
}

/// True for a copy of a file that is beside it: text (1).txt.
fn is_copy(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    // Of pictures and the like nobody's words are lost.
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    if !ENDINGS.contains(&&*ending) && ending != "toml" {
        return false;
    }
    let copied = COPIES.iter().find_map(|end| stem.strip_suffix(end));
    let elsewhere = || COMPUTERS.iter().find_map(|of| Some(stem.rsplit_once(of)?.0));
    let Some(own) = copied.or_else(elsewhere) else { return false };
    path.with_file_name(format!("{own}.{ending}")).is_file()
}

fn unread(root: &Path, e: &walkdir::Error) -> Error {
    let path = e.path().unwrap_or(root);
    match e.io_error() {
        Some(io) => Error::io(path, "read", io),
        None => Error::input(path, e.to_string()).of_kind(ErrorKind::Io),
    }
}

impl Walked {
    /// Leaves out files that were already reached by another path.
    fn drop_the_same(&mut self) {
        let linked = |m: &Metadata| m.file_type().is_symlink();
        let is_link =
            |p: &Path| p.ancestors().any(|p| fs::symlink_metadata(p).is_ok_and(|m| linked(&m)));
        // A file is listed by its own path rather than by a link.
        let mut order: Vec<(bool, &PathBuf)> = self.files.iter().map(|p| (is_link(p), p)).collect();
        if order.iter().all(|(link, _)| !link) {
            return;
        }
        order.sort();
        let mut seen: HashMap<PathBuf, &PathBuf> = HashMap::new();
        let mut same = vec![];
        for (_, path) in order {
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            match seen.get(&real) {
                Some(first) => {
                    same.push((path.clone(), format!("the same as {}", first.display())))
                }
                None => _ = seen.insert(real, path),
            }
        }
        self.files.retain(|p| same.iter().all(|(s, _)| s != p));
        self.left_out.extend(same);
    }
}
