//! Reads what a person adds to the library, or what changed of it since.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Settings;
use crate::cache::CacheKey;
use crate::cli::language::say;
use crate::corpus::TextEntry;
use crate::diag::{Error, ErrorKind};
use crate::load;
use crate::shelf::inventory::{ChapterCard, FileState, KeptFile};
use crate::shelf::{NewFile, ShelfWriter};
use rayon::prelude::*;

use crate::cli::columns::counted;
use crate::cli::texts::{self, Gathered};
use crate::cli::{aside, exit_code, render};

/// So many texts are read before their grams are taken over.
const TEXTS_AT_ONCE: usize = 32;

/// What reading the texts of a name changed.
#[derive(Default)]
pub struct Changes {
    /// How many texts were read.
    pub read: usize,
    /// How many are there no more.
    pub gone: usize,
    /// Files that are not texts.
    pub failed: Vec<(PathBuf, Box<Error>)>,
    /// What cannot be read now and is kept as it was read before.
    pub stale: Vec<PathBuf>,
}

impl Changes {
    /// A line that counts the files that are not texts, if there are any.
    pub fn left_out(&self) -> Option<String> {
        let (path, why) = self.failed.first()?;
        let files = counted(self.failed.len(), "file");
        let why = why.why();
        Some(say(&format!("  {files} left out, such as {} ({why})", path.display())))
    }

    /// The exit code that tells of texts that could not be read: what is no text is none of them.
    pub fn code(&self) -> u8 {
        let unread = self.failed.iter().map(|(_, e)| e).find(|e| !load::says_no_text(e));
        match unread {
            Some(e) => exit_code(e.kind),
            None if self.stale.is_empty() => 0,
            None => exit_code(ErrorKind::Input),
        }
    }

    /// A line that names what is kept although it cannot be read, if there is such.
    pub fn kept(&self) -> Option<String> {
        let path = self.stale.first()?.display();
        let texts = counted(self.stale.len(), "text");
        let line =
            format!("  {texts} kept as before, since they cannot be read now, such as {path}");
        Some(say(&line))
    }
}

/// A text as it is on the disk now.
struct TextNow {
    entry: TextEntry,
    path: PathBuf,
    about: CacheKey,
    state: FileState,
}

/// Where the content of a text comes from.
enum Content {
    /// It is on the shelf.
    Kept(KeptFile),
    /// It was read now.
    New(Box<TextNow>, String, NewFile),
}

/// Reads the texts of holding `at` that are not on the shelf, or changed since.
///
/// # Errors
/// When the folder cannot be read or the shelf cannot be written.
pub fn again(writer: &mut ShelfWriter, at: usize, settings: &Settings) -> Result<Changes, Error> {
    let holding = &mut writer.inventory.holdings[at];
    let texts = gather(&holding.path, holding.encoding.clone(), settings)?;
    let mut old: HashMap<PathBuf, KeptFile> =
        std::mem::take(&mut holding.files).into_iter().map(|f| (f.path.clone(), f)).collect();
    let is_old_program = writer.inventory.program != env!("CARGO_PKG_VERSION");
    let mut changes = Changes::default();
    let (of, done) = (texts.len(), AtomicUsize::new(0));
    let went_on = || {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        aside::progress(&say(&format!("reading {done}/{of}")));
    };
    let mut files = vec![];
    let mut texts = texts.into_iter().peekable();
    while texts.peek().is_some() {
        let some: Vec<(TextNow, Option<KeptFile>)> = texts
            .by_ref()
            .take(TEXTS_AT_ONCE)
            .map(|t| {
                let before = old.remove(&t.path).filter(|_| !is_old_program);
                (t, before)
            })
            .collect();
        let read = |(t, before): (TextNow, Option<KeptFile>)| {
            let kept = before.clone().filter(|k| k.about == t.about);
            (content(t, kept, writer, settings, &went_on), before)
        };
        let read: Vec<_> = some.into_par_iter().map(read).collect();
        for (content, before) in read {
            match (content, before) {
                (Err(failed), Some(before)) => {
                    changes.stale.push(failed.0);
                    files.push(before);
                }
                (Err(failed), None) => changes.failed.push(failed),
                (Ok(Content::Kept(file)), _) => files.push(file),
                (Ok(Content::New(text, sha256, new)), _) => {
                    changes.read += 1;
                    files.push(kept_file(*text, sha256, enter(writer, new)?));
                }
            }
        }
    }
    aside::finish();
    keep_what_is_there(old, &mut files, &mut changes);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let holding = &mut writer.inventory.holdings[at];
    if changes.read + changes.gone > 0 {
        holding.read = now;
    }
    holding.files = files;
    Ok(changes)
}

/// Keeps the texts of before that were not found, but are not gone: a link leads nowhere, a folder
/// is in their place, or the whole folder is empty, as that of a disk that is not mounted.
fn keep_what_is_there(
    old: HashMap<PathBuf, KeptFile>,
    files: &mut Vec<KeptFile>,
    changes: &mut Changes,
) {
    let none_is_left = files.is_empty();
    let mut old: Vec<_> = old.into_iter().collect();
    old.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (path, before) in old {
        if none_is_left || path.symlink_metadata().is_ok() {
            changes.stale.push(path);
            files.push(before);
        } else {
            changes.gone += 1;
        }
    }
}

fn enter(writer: &mut ShelfWriter, new: NewFile) -> Result<Vec<ChapterCard>, Error> {
    writer.enter(new).map_err(|e| Error::io("library".as_ref(), "write", &e))
}

fn kept_file(text: TextNow, sha256: String, chapters: Vec<ChapterCard>) -> KeptFile {
    KeptFile { path: text.path, state: text.state, sha256, about: text.about, chapters }
}

/// The texts of a path that are there now.
fn gather(
    path: &Path,
    encoding: Option<String>,
    settings: &Settings,
) -> Result<Vec<TextNow>, Error> {
    let mut gathered = Gathered { encoding, ..Gathered::default() };
    gathered.add(&texts::built(path), settings)?;
    gathered.unique_ids();
    let own = settings.library.as_ref().and_then(|folder| folder.canonicalize().ok());
    let is_own = |t: &TextNow| own.as_ref().is_some_and(|own| t.path.starts_with(own));
    let text = |entry: TextEntry| {
        let path = entry.path.canonicalize().unwrap_or_else(|_| entry.path.clone());
        let about = format!("{entry:?}");
        let state = FileState::of(&path).unwrap_or(FileState { bytes: 0, modified: None });
        TextNow { about: CacheKey::of([about.as_bytes()]), entry, path, state }
    };
    // The library may lie in a folder that is added to it.
    Ok(gathered.entries.into_iter().map(|n| text(n.entry)).filter(|t| !is_own(t)).collect())
}

/// How many texts are new, changed or gone since they were read.
pub fn differences(
    path: &Path,
    encoding: Option<String>,
    files: &[KeptFile],
    settings: &Settings,
) -> String {
    if !path.exists() {
        return "gone".into();
    }
    let Ok(texts) = gather(path, encoding, settings) else { return "cannot be read".into() };
    let kept: HashMap<&Path, &KeptFile> = files.iter().map(|f| (&*f.path, f)).collect();
    let of = |t: &TextNow| kept.get(&*t.path);
    let changed =
        texts.iter().filter(|t| of(t).is_some_and(|k| k.state != t.state || k.about != t.about));
    let here = texts.iter().filter(|t| of(t).is_some()).count();
    let counts = [
        ("changed", changed.count()),
        ("gone", files.len().saturating_sub(here)),
        ("new", texts.len() - here),
    ];
    let some = counts.into_iter().filter(|(_, n)| *n > 0);
    let words: Vec<String> = some.map(|(word, n)| format!("{n} {word}")).collect();
    if words.is_empty() { "unchanged".into() } else { words.join(", ") }
}

/// The library keeps paths as text.
///
/// # Errors
/// When a path is none.
pub fn check_name(path: &Path) -> Result<(), Error> {
    match path.to_str() {
        Some(_) => Ok(()),
        None => Err(Error::input(path, "this name is not UTF-8, so the library cannot keep it")
            .of_kind(ErrorKind::Io)
            .hint("rename it")),
    }
}

/// The chapters of a text: those on the shelf if the file did not change, or read now.
fn content(
    text: TextNow,
    kept: Option<KeptFile>,
    writer: &ShelfWriter,
    settings: &Settings,
    went_on: &(dyn Fn() + Sync),
) -> Result<Content, (PathBuf, Box<Error>)> {
    went_on();
    let failed = |e: Error| (text.path.clone(), Box::new(e));
    check_name(&text.path).map_err(failed)?;
    // A pipe would be waited for, and with it every other command that changes the library.
    if std::fs::metadata(&text.path).is_ok_and(|about| !about.is_file()) {
        let error = Error::input(&text.path, "this is not a regular file");
        return Err(failed(error.of_kind(ErrorKind::Io)));
    }
    let kept = kept.filter(|k| writer.has(&k.chapters));
    if let Some(kept) = kept.as_ref().filter(|k| k.state == text.state) {
        return Ok(Content::Kept(kept.clone()));
    }
    let document = settings.entry(&text.entry).map_err(failed)?;
    let sha256 = document.source.sha256().to_string();
    if let Some(kept) = kept.filter(|k| k.sha256 == sha256) {
        return Ok(Content::Kept(KeptFile { state: text.state, ..kept }));
    }
    render::undecided([&document]);
    let chapters = settings.shelved(document);
    let new = writer.keep(&chapters);
    let new = new.map_err(|e| failed(Error::io(&text.path, "keep", &e)))?;
    Ok(Content::New(Box::new(text), sha256, new))
}
