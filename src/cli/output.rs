//! Writes files so that each appears complete under its name, or not at all.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use crate::corpus::{MANIFEST, root_around};
use crate::corrections;
use crate::diag::Error;
use crate::load;

use super::escapes::{shown, shown_styled};
use super::language::say;
use super::{Failure, aside};
use crate::kept::{self, Durability, scratch};

/// Calls `write` with the file at `path`, or with standard output for `None` and `-`. A terminal
/// gets only text, and characters that it would obey as signs.
///
/// # Errors
/// When writing fails; then the file is unchanged.
pub fn to(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    match path.filter(|p| p.as_os_str() != "-") {
        None if io::stdout().is_terminal() => {
            aside::finish();
            let mut bytes = vec![];
            write(&mut bytes)?;
            let words = str::from_utf8(&bytes).ok().filter(|words| !words.contains('\0'));
            let Some(words) = words else {
                let error = Error::request("this is not text, and standard output is a terminal");
                return Err(error.hint("name a file with -o FILE").into());
            };
            let mut out = io::stdout().lock();
            out.write_all(shown(words).as_bytes())?;
            Ok(out.flush()?)
        }
        None => {
            aside::finish();
            let mut out = BufWriter::new(io::stdout().lock());
            write(&mut out)?;
            Ok(out.flush()?)
        }
        Some(path) => {
            Ok(file(path, Durability::OnDisk, write).map_err(|e| Error::io(path, "write", &e))?)
        }
    }
}

/// Says on a terminal where a result was written. A program that reads the messages knows it.
pub fn wrote(path: Option<&Path>) {
    if let Some(path) = path.filter(|p| p.as_os_str() != "-" && io::stderr().is_terminal()) {
        aside::line(&say(&format!("written: {}", path.display())));
    }
}

/// Writes one of the many files of a build. It is whole under its name or not there, but may be
/// empty after a loss of power: the next build compares its hash and writes it again. (Waiting for
/// the disk at each of some thousand pages takes longer than making them.)
///
/// # Errors
/// As [`to`].
pub fn part(path: &Path, content: &[u8]) -> Result<(), Error> {
    file(path, Durability::Later, |out| out.write_all(content))
        .map_err(|e| Error::io(path, "write", &e))
}

/// Writes text that may be coloured: with colours on a terminal that wants them, plain everywhere
/// else.
///
/// # Errors
/// As [`to`].
pub fn styled(path: Option<&Path>, words: &str) -> Result<(), Failure> {
    aside::finish();
    match path.filter(|p| p.as_os_str() != "-") {
        // All at once: a stream that strips colours would write each line separately.
        None if anstream::AutoStream::choice(&io::stdout()) == anstream::ColorChoice::Never => {
            let words = anstream::adapter::strip_str(words).to_string();
            let mut out = io::stdout().lock();
            out.write_all(if out.is_terminal() { shown(&words) } else { words.into() }.as_bytes())?;
            Ok(out.flush()?)
        }
        None => {
            let mut out = anstream::stdout().lock();
            out.write_all(shown_styled(words).as_bytes())?;
            Ok(out.flush()?)
        }
        path => to(path, |out| write!(out, "{}", anstream::adapter::strip_str(words))),
    }
}

/// The extension of a file's name, in lower case.
pub fn ending(path: Option<&Path>) -> Option<String> {
    Some(path?.extension()?.to_string_lossy().to_lowercase())
}

/// An error if a file was read as a text, which may be the only copy of it.
///
/// # Errors
/// Then.
pub fn spare_texts(path: &Path) -> io::Result<()> {
    if load::was_read(path) {
        return Err(io::Error::other("this is a text that was read; name another file with -o"));
    }
    Ok(())
}

/// True for a text that the manifest around it names.
fn is_named(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let root = root_around(&path);
    let Ok(manifest) = std::fs::read_to_string(root.join(MANIFEST)) else { return false };
    let Ok(name) = path.strip_prefix(&root) else { return false };
    let name = name.to_string_lossy();
    ['"', '\''].iter().any(|quote| manifest.contains(&format!("{quote}{name}{quote}")))
}

/// True for manifests and corrections, of which there may be no other copy, and for links to such.
fn is_by_hand(path: &Path) -> bool {
    let is_named = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name == MANIFEST || name.ends_with(corrections::ENDING)
    };
    is_named(path) || path.canonicalize().is_ok_and(|real| is_named(&real))
}

/// Writes a file as all that is kept is written. Temporary files of killed processes beside a
/// single file are removed; a build does that for all its files. What is not a regular file
/// (`/dev/full`, a named pipe) is written directly.
fn file(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    spare_texts(path)?;
    let old = std::fs::metadata(path).ok();
    if old.is_some() && is_by_hand(path) {
        let message = "this file is written by hand; name another file with -o";
        return Err(io::Error::other(message));
    }
    if old.is_some() && is_named(path) {
        let message = "this is a text of the manifest beside it; name another file with -o";
        return Err(io::Error::other(message));
    }
    if old.as_ref().is_some_and(|m| m.is_dir()) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if old.as_ref().is_some_and(|m| !m.is_file()) {
        let mut out = BufWriter::new(std::fs::File::create(path)?);
        write(&mut out)?;
        return out.flush();
    }
    // Follow links, so that the file is replaced and not the link.
    let path = if old.is_some() { path.canonicalize()? } else { path.to_path_buf() };
    if durability == Durability::OnDisk {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
        scratch::sweep(folder.unwrap_or(Path::new(".")));
    }
    kept::put(&path, durability, write).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_no_scraps() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        to(Some(&path), |w| w.write_all(b"old")).unwrap();
        let broken = to(Some(&path), |w| {
            w.write_all(b"new")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(matches!(broken, Err(Failure::Error(_))));
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
