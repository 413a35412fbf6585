//! A corpus on disk: a folder with a manifest, or any folder of texts.

use std::path::{Path, PathBuf};

use super::fields::as_manifest;
use super::manifest::{self, Manifest, TextEntry};
use crate::diag::Error;
use crate::source::Source;

/// Name of the manifest in a corpus's folder.
pub const MANIFEST: &str = "zhushu.toml";

/// A corpus as found on disk, before its texts are read.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The folder.
    pub root: PathBuf,
    /// The manifest's file, if there is one.
    pub manifest: Option<PathBuf>,
    /// What the manifest says; for a folder without one, every file as a text about which nothing
    /// is known.
    pub about: Manifest,
    /// What in the folder cannot be a text, and why. Only for a folder without manifest.
    pub left_out: Vec<(PathBuf, String)>,
}

impl Corpus {
    /// Looks at a folder, or at a manifest by its own name. `readers` are the names of readers a
    /// manifest may use.
    ///
    /// # Errors
    /// When the folder cannot be read or the manifest is wrong.
    pub fn open(path: &Path, readers: &[&str]) -> Result<Self, Error> {
        let meta = std::fs::metadata(path).map_err(|e| not_there(path, &e))?;
        if meta.is_file() {
            return Self::with_manifest(path.parent().unwrap_or(Path::new("")), path, readers);
        }
        let manifest = path.join(MANIFEST);
        match manifest.try_exists() {
            Ok(true) => Self::with_manifest(path, &manifest, readers),
            Ok(false) => Self::plain(path),
            Err(e) => Err(Error::io(&manifest, "read", &e)),
        }
    }

    fn with_manifest(root: &Path, path: &Path, readers: &[&str]) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(|e| Error::io(path, "read", &e))?;
        let source = utf8(path, bytes).map_err(as_manifest)?;
        let about = manifest::read(&source, readers)?;
        Ok(Corpus { root: root.into(), manifest: Some(path.into()), about, left_out: vec![] })
    }

    /// Every file of the folder, in the order of their names; hidden ones and folders are not
    /// looked into.
    fn plain(root: &Path) -> Result<Self, Error> {
        let refused = |e| Error::io(root, "read the folder", &e);
        let mut paths = std::fs::read_dir(root)
            .map_err(refused)?
            .map(|e| e.map(|e| e.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(refused)?;
        paths.sort();
        let (mut texts, mut left_out): (Vec<TextEntry>, _) = (vec![], vec![]);
        for path in paths {
            let hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
            if hidden || path.is_dir() {
                left_out.push((path, if hidden { "hidden" } else { "a folder" }.into()));
            } else {
                texts.push(TextEntry::file(&path));
            }
        }
        unique_ids(&mut texts);
        Ok(Corpus {
            root: root.into(),
            manifest: None,
            about: Manifest { texts, ..Manifest::default() },
            left_out,
        })
    }
}

/// A file that must be UTF-8 without damage.
fn utf8(path: &Path, bytes: Vec<u8>) -> Result<Source, Error> {
    let source = Source::decode(path, bytes, Some("utf-8"))?;
    let bad = source.undecodable().next();
    match bad {
        Some(span) => Err(Error::input(path, "this is not UTF-8").over(&source, span)),
        None => Ok(source),
    }
}

impl TextEntry {
    /// A file about which nothing else is known.
    pub fn file(path: &Path) -> Self {
        TextEntry {
            path: path.into(),
            id: super::id_of(path),
            meta: None,
            layers: vec![],
            reader: None,
            encoding: None,
        }
    }
}

/// Texts whose files share a name up to the first dot are called `name`, `name-2`, `name-3`.
pub(crate) fn unique_ids(texts: &mut [TextEntry]) {
    let mut seen = std::collections::HashSet::new();
    for text in texts {
        let stem = text.id.clone();
        let mut n = 1;
        while !seen.insert(text.id.clone()) {
            n += 1;
            text.id = format!("{stem}-{n}");
        }
    }
}

fn not_there(path: &Path, e: &std::io::Error) -> Error {
    let error = Error::io(path, "open the corpus", e);
    match e.kind() {
        std::io::ErrorKind::NotFound => error.hint("name a folder of texts"),
        _ => error,
    }
}
