//! A corpus on disk: a folder with a manifest, or any folder of texts.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::fields::as_manifest;
use super::manifest::{self, Manifest, TextEntry};
use super::walk::{ENDINGS, Walked, is_about_texts, walk, without_effect};
use crate::diag::Error;
use crate::source::{Source, regular};

/// Name of the manifest in a corpus's folder.
pub const MANIFEST: &str = "zhushu.toml";

/// A corpus as found on disk, before its texts are read.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The folder.
    pub root: PathBuf,
    /// The manifest's file, if there is one.
    pub manifest: Option<PathBuf>,
    /// The content of the manifest; for a folder without one, every file is a text about which
    /// nothing is known.
    pub about: Manifest,
    /// Files in the folder that cannot be texts, and why. Only for a folder without manifest.
    pub left_out: Vec<(PathBuf, String)>,
    /// Files and folders that may be texts, but could not be read.
    pub unread: Vec<Error>,
}

/// A larger file is a text, whatever it has in it.
const MAX_MANIFEST: u64 = 1 << 20;

/// True for the path of a manifest, by its ending or by a table of it that begins a line: any other
/// file is a text.
pub(crate) fn is_manifest(path: &Path) -> bool {
    let is_named = || path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
    let has_table = || {
        let is_short = std::fs::metadata(path).is_ok_and(|about| about.len() < MAX_MANIFEST);
        let Some(bytes) = is_short.then(|| regular(path).ok()).flatten() else { return false };
        let tables = [&b"[[text]]"[..], b"[corpus]"];
        bytes.split(|b| *b == b'\n').any(|line| tables.iter().any(|table| line.starts_with(table)))
    };
    is_named() || has_table()
}

impl Corpus {
    /// Opens a folder, or a manifest or a single text given by its path. `readers` are the names of
    /// readers a manifest may use.
    ///
    /// # Errors
    /// When the folder cannot be read or the manifest is wrong.
    pub fn open(path: &Path, readers: &[&str]) -> Result<Self, Error> {
        Self::open_with(path, readers, false)
    }

    /// The same; with `follow`, links in a folder without manifest may lead out of it.
    pub(crate) fn open_with(path: &Path, readers: &[&str], follow: bool) -> Result<Self, Error> {
        let meta = std::fs::metadata(path).map_err(|e| not_there(path, &e))?;
        if meta.is_file() {
            let root = path.parent().unwrap_or(Path::new(""));
            return match is_manifest(path) {
                true => Self::with_manifest(root, path, readers),
                false => Ok(Self::single(root, path)),
            };
        }
        let manifest = path.join(MANIFEST);
        // A link that leads nowhere is a manifest that cannot be read.
        match std::fs::symlink_metadata(&manifest) {
            Ok(_) => Self::with_manifest(path, &manifest, readers),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Self::plain(path, follow),
            Err(e) => Err(Error::io(&manifest, "read", &e)),
        }
    }

    fn with_manifest(root: &Path, path: &Path, readers: &[&str]) -> Result<Self, Error> {
        let bytes = regular(path).map_err(|e| Error::io(path, "read", &e))?;
        let source = Source::utf8(path, bytes).map_err(as_manifest)?;
        let about = manifest::read(&source, readers)?;
        Ok(Corpus {
            root: root.into(),
            manifest: Some(path.into()),
            unread: without_effect_beside(root, &about),
            left_out: not_named(root, &about),
            about,
        })
    }

    /// One text alone.
    fn single(root: &Path, path: &Path) -> Self {
        let texts = vec![TextEntry::file(path)];
        Corpus {
            root: root.into(),
            manifest: None,
            about: Manifest { texts, ..Manifest::default() },
            left_out: vec![],
            unread: vec![],
        }
    }

    /// Every file of the folder and the folders in it, in the order of their paths.
    fn plain(root: &Path, follow: bool) -> Result<Self, Error> {
        let Walked { files, left_out, unread } = walk(root, follow)?;
        let mut texts: Vec<TextEntry> = files.iter().map(|p| TextEntry::file(p)).collect();
        unique_ids(&mut texts, 0);
        Ok(Corpus {
            root: root.into(),
            manifest: None,
            about: Manifest { texts, ..Manifest::default() },
            left_out,
            unread,
        })
    }

    /// Sets the encoding of the texts for which the manifest does not state it.
    pub(crate) fn encode_as(&mut self, encoding: Option<&str>) {
        for text in self.about.texts.iter_mut().filter(|t| t.encoding.is_none()) {
            text.encoding = encoding.map(str::to_string);
        }
    }

    /// Leaves out the texts in a folder, if they were not named individually.
    pub(crate) fn leave_out(&mut self, folder: &Path, why: &str) {
        if self.manifest.is_some() {
            return;
        }
        let real = |p: &Path| p.canonicalize().unwrap_or_else(|_| p.into());
        let around = real(folder);
        let inside = |t: &TextEntry| real(&t.path).starts_with(&around);
        if self.about.texts.iter().any(inside) {
            self.about.texts.retain(|t| !inside(t));
            self.left_out.push((folder.into(), why.into()));
        }
    }
}

/// Files in the folders of a manifest's texts that have no effect, and should.
fn without_effect_beside(root: &Path, about: &Manifest) -> Vec<Error> {
    let of_texts = about.texts.iter().filter_map(|t| t.path.parent());
    let folders: BTreeSet<&Path> = of_texts.chain([root]).collect();
    let files = folders.into_iter().filter_map(|f| std::fs::read_dir(f).ok()).flatten().flatten();
    let mut paths: Vec<PathBuf> = files.map(|e| e.path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| without_effect(path)).collect()
}

/// Files beside the texts that a manifest names which may be texts too, and are not in it.
fn not_named(root: &Path, about: &Manifest) -> Vec<(PathBuf, String)> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.into());
    let named: BTreeSet<PathBuf> = about.texts.iter().map(|t| real(&t.path)).collect();
    let of_texts = about.texts.iter().filter_map(|t| t.path.parent());
    let folders: BTreeSet<&Path> = of_texts.chain([root]).collect();
    let files = folders.into_iter().filter_map(|f| std::fs::read_dir(f).ok()).flatten().flatten();
    let may_be_text = |path: &PathBuf| {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        ENDINGS.contains(&&*ending)
            && !named.contains(&real(path))
            && path.is_file()
            && !is_about_texts(path)
            && without_effect(path).is_none()
    };
    let mut all: Vec<PathBuf> = files.map(|e| e.path()).filter(may_be_text).collect();
    all.sort();
    all.into_iter().map(|path| (path, "not named in the manifest".to_string())).collect()
}

/// The folder of the corpus that a file belongs to: the next that has a manifest, else its own.
pub(crate) fn root_around(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.into());
    let corpus = folder.ancestors().find(|f| f.join(MANIFEST).is_file());
    corpus.unwrap_or(&folder).to_path_buf()
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
            shape: None,
            encoding: None,
            lines: None,
            keys: Arc::default(),
        }
    }
}

/// Makes the ids of texts unique; the first `fixed` keep theirs. Texts in different folders whose
/// files share a name up to the first dot get the names of the folders that distinguish them as
/// prefixes: `zhouli-01`, `liji-01`. Others are called `name`, `name-2`, `name-3`.
pub(crate) fn unique_ids(texts: &mut [TextEntry], fixed: usize) {
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (i, text) in texts.iter().enumerate() {
        groups.entry(super::same_name(&text.id)).or_default().push(i);
    }
    for group in groups.into_values().filter(|g| g.len() > 1) {
        let folders: Vec<&Path> = group.iter().map(|i| folder_of(&texts[*i])).collect();
        let common = folders.iter().skip(1).fold(folders[0].to_path_buf(), |a, b| shared(&a, b));
        let ids: Vec<(usize, String)> = (group.iter().zip(folders))
            .filter(|(i, _)| **i >= fixed)
            .map(|(i, folder)| (*i, prefixed(folder.strip_prefix(&common), &texts[*i].id)))
            .collect();
        ids.into_iter().for_each(|(i, id)| texts[i].id = id);
    }
    let mut seen = HashSet::new();
    for text in texts {
        let stem = text.id.clone();
        let mut n = 1;
        while !seen.insert(super::same_name(&text.id)) {
            n += 1;
            text.id = format!("{stem}-{n}");
        }
    }
}

fn folder_of(text: &TextEntry) -> &Path {
    text.path.parent().unwrap_or(Path::new(""))
}

/// The folder that contains both.
fn shared(a: &Path, b: &Path) -> PathBuf {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}

fn prefixed(folder: Result<&Path, std::path::StripPrefixError>, id: &str) -> String {
    let names = folder.into_iter().flat_map(Path::components).filter_map(|c| match c {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    super::sound_id(&names.chain([id.to_string()]).collect::<Vec<_>>().join("-"))
}

fn not_there(path: &Path, e: &std::io::Error) -> Error {
    let error = Error::io(path, "open the corpus", e);
    match e.kind() {
        std::io::ErrorKind::NotFound => error.hint("name a folder of texts"),
        _ => error,
    }
}
