//! Builds the index of a library, and rebuilds only what changed.
//!
//! Documents are grouped into files of a few megabytes. A file is named by a hash of everything it
//! indexes, so a changed document changes the name of its file and the others stay. The ids and
//! sizes of the documents alone decide where a group ends: a document added in the middle does not
//! move all the borders after it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::store::file::IndexFile;
use super::store::manifest::{FILE_ENDING, FileEntry, IndexManifest, NAME_DIGITS, put, sweep};
use super::store::pages::{self, FORMAT_VERSION};
use super::store::write::FileWriter;
use super::units::{CitedSentence, Extract, Unit, extract, other_forms};
use crate::cache::CacheKey;
use crate::corpus::Library;
use crate::diag::Error;
use crate::model::Document;
use crate::text::fold;

/// Bytes of text at which a file may end, and at which it must. A query opens all files and reads
/// the table of characters of each, so few large files are better for it; small files are rebuilt
/// faster and with less memory.
#[derive(Clone, Copy)]
struct FileSizes {
    enough: usize,
    full: usize,
}

const FILE_SIZES: FileSizes = FileSizes { enough: 2 << 20, full: 4 << 20 };

/// What a build of the index did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// Files that were written.
    pub written: usize,
    /// Files that already existed.
    pub kept: usize,
    /// Bytes of the index.
    pub bytes: u64,
    /// Bytes of the texts.
    pub input: u64,
}

/// Builds the index of `library` in `folder`. An index that is already there stays usable until the
/// new one is complete, and also if the new one fails.
///
/// # Errors
/// When the folder cannot be written to, or a text is larger than an index can count (some 800 MB).
pub fn build(library: &Library, folder: &Path) -> Result<Built, Error> {
    prepare(library, folder, &[], None)?.switch()
}

/// Makes the files of the index and leaves the old one in use, until [`NewIndex::switch`]. `keys`
/// are those of what an index has of each text, and `known` the files that were made from some of
/// them.
///
/// # Errors As [`build`].
pub(crate) fn prepare(
    library: &Library,
    folder: &Path,
    keys: &[CacheKey],
    known: Option<&BTreeMap<String, String>>,
) -> Result<NewIndex, Error> {
    prepare_sized(library, folder, FILE_SIZES, (keys, known))
}

/// An index that is complete and not yet in use.
pub(crate) struct NewIndex {
    folder: PathBuf,
    manifest: IndexManifest,
    built: Built,
    files: BTreeMap<String, String>,
}

impl NewIndex {
    /// Its files, by the keys of what they were made from.
    pub(crate) fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// Uses it from now on, in one step, and removes the files that only the old index needed.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub(crate) fn switch(self) -> Result<Built, Error> {
        self.manifest.write(&self.folder)?;
        sweep(&self.folder, &self.manifest)?;
        Ok(self.built)
    }
}

fn prepare_sized(
    library: &Library,
    folder: &Path,
    size: FileSizes,
    (keys, known): (&[CacheKey], Option<&BTreeMap<String, String>>),
) -> Result<NewIndex, Error> {
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, "make the folder", &e))?;
    let gatherings = gather(
        &library
            .documents
            .iter()
            .map(|d| (d.id.as_str(), d.source.text().len()))
            .collect::<Vec<_>>(),
        size,
    );
    let of_range = |range: std::ops::Range<usize>| {
        let key = keys.get(range.clone());
        let key = key.map(|keys| CacheKey::of(keys.iter().map(CacheKey::as_bytes)).to_string());
        let documents: Vec<&Document> = library.documents[range].iter().map(|d| &**d).collect();
        let name = key.as_ref().zip(known).and_then(|(key, known)| known.get(key));
        if let Some(entry) = name.and_then(|name| as_before(&documents, folder, name)) {
            return Ok((entry, false, key));
        }
        file(&documents, library, folder).map(|(entry, new)| (entry, new, key))
    };
    let made: Vec<(FileEntry, bool, Option<String>)> =
        gatherings.into_par_iter().map(of_range).collect::<Result<_, Error>>()?;
    let mut built = Built::default();
    let named = |(entry, _, key): &(FileEntry, bool, Option<String>)| {
        Some((key.clone()?, entry.file.clone()))
    };
    let files = made.iter().filter_map(named).collect();
    for (entry, new, _) in &made {
        *(if *new { &mut built.written } else { &mut built.kept }) += 1;
        built.bytes += entry.bytes;
        built.input += entry.input;
    }
    let manifest = IndexManifest::new(made.into_iter().map(|(entry, ..)| entry).collect());
    Ok(NewIndex { folder: folder.to_path_buf(), manifest, built, files })
}

/// The documents of each file.
fn gather(documents: &[(&str, usize)], size: FileSizes) -> Vec<std::ops::Range<usize>> {
    let (mut ranges, mut start, mut bytes) = (vec![], 0, 0);
    for (i, (id, length)) in documents.iter().enumerate() {
        bytes += length;
        let end = bytes >= size.full
            || bytes >= size.enough && crc32fast::hash(id.as_bytes()).is_multiple_of(4);
        if end || i + 1 == documents.len() {
            ranges.push(start..i + 1);
            (start, bytes) = (i + 1, 0);
        }
    }
    ranges
}

/// Writes one file unless it already exists; true if it was written.
fn file(
    documents: &[&Document],
    library: &Library,
    folder: &Path,
) -> Result<(FileEntry, bool), Error> {
    let extracts: Vec<Extract<'_>> = documents.iter().map(|d| extract(d, library)).collect();
    let name = name(documents, &extracts);
    let path = folder.join(&name);
    let whole = is_whole(&path);
    if !whole {
        let mut writer = FileWriter::default();
        for (document, extract) in documents.iter().zip(extracts) {
            writer.add(document, extract);
        }
        let sections = writer.finish().map_err(|_| {
            Error::input(documents[0].source.path(), "the text is too large for the search index")
                .hint("split it by chapter (juan)")
        })?;
        put(folder, &name, |out| pages::write(&sections, out))?;
    }
    Ok((entry(documents, folder, name)?, !whole))
}

fn is_whole(path: &Path) -> bool {
    path.exists() && IndexFile::open(path).and_then(|s| s.verify()).is_ok()
}

/// A file of the last index, if it is still there.
fn as_before(documents: &[&Document], folder: &Path, name: &str) -> Option<FileEntry> {
    let whole = is_whole(&folder.join(name));
    whole.then(|| entry(documents, folder, name.to_string()).ok()).flatten()
}

fn entry(documents: &[&Document], folder: &Path, name: String) -> Result<FileEntry, Error> {
    let path = folder.join(&name);
    let bytes = std::fs::metadata(&path).map_err(|e| Error::io(&path, "read", &e))?.len();
    let input = documents.iter().map(|d| d.source.text().len() as u64).sum();
    Ok(FileEntry { file: name, bytes, input, documents: documents.len() })
}

/// A name made from the whole content of a file.
fn name(documents: &[&Document], extracts: &[Extract<'_>]) -> String {
    let mut hash = Sha256::new();
    hash.update(FORMAT_VERSION.to_le_bytes());
    hash.update(fold::version().to_le_bytes());
    for (document, extract) in documents.iter().zip(extracts) {
        hash.update(document.source.sha256().as_bytes());
        hash.update(document.source.text().len().to_le_bytes());
        hash.update(extract.meta.to_bytes());
        for unit in extract.units() {
            of_unit(&unit, &mut hash);
            for form in other_forms(document, &unit) {
                [form.n, form.read as u32].iter().for_each(|n| hash.update(n.to_le_bytes()));
            }
        }
    }
    let hex: String =
        hash.finalize().iter().take(NAME_DIGITS / 2).map(|b| format!("{b:02x}")).collect();
    format!("{hex}.{FILE_ENDING}")
}

fn of_unit(unit: &Unit, hash: &mut Sha256) {
    let mut words: Vec<u32> = vec![
        unit.layer.number() as u32,
        unit.sub.map_or(u32::MAX, |s| s.number() as u32),
        unit.group,
        unit.certainty.get().to_bits() as u32,
    ];
    for part in &unit.parts {
        words.extend([
            part.segment,
            part.sentence,
            part.span.start() as u32,
            part.span.end() as u32,
        ]);
        words.extend(part.elements.iter().flat_map(|e| [[e.at; 4], of_number(e.ju)].concat()));
        words.extend(part.cited.iter().flat_map(|c| [c.section, c.n, c.nth, c.before]));
        words.extend(part.marks.iter().flat_map(|m| [m.start() as u32, m.end() as u32]));
    }
    words.extend(unit.targets.iter().flat_map(|(d, s)| [*d, s.start() as u32, s.end() as u32]));
    words.extend(
        unit.renders.iter().flat_map(|(a, b)| [of_number(Some(*a)), of_number(Some(*b))].concat()),
    );
    words.iter().for_each(|w| hash.update(w.to_le_bytes()));
}

fn of_number(number: Option<CitedSentence>) -> [u32; 4] {
    number.map_or([0; 4], |n| [1, n.section, n.n, n.part])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Layer, Segment};
    use crate::search::{Index, Options};
    use crate::source::{Source, Span};

    const SMALL: FileSizes = FileSizes { enough: 1 << 10, full: 4 << 10 };

    #[test]
    fn an_added_document_moves_only_borders_near_it() {
        let ids: Vec<String> = (0..400).map(|n| format!("text-{n}")).collect();
        let all: Vec<(&str, usize)> = ids.iter().map(|id| (id.as_str(), 100)).collect();
        let ends = |documents: &[(&str, usize)]| {
            gather(documents, SMALL)
                .iter()
                .map(|r| documents[r.end - 1].0.to_string())
                .collect::<std::collections::BTreeSet<_>>()
        };
        let whole = gather(&all, SMALL);
        assert_eq!(
            whole.iter().flat_map(Clone::clone).collect::<Vec<_>>(),
            (0..400).collect::<Vec<_>>()
        );
        let mut more = all.clone();
        more.insert(3, ("another", 100));
        assert!(
            whole.len() > 10
                && ends(&all).symmetric_difference(&ends(&more)).count() <= whole.len() / 2
        );
    }

    fn library(texts: &[(String, String)]) -> Library {
        let document = |(id, words): &(String, String)| {
            let mut d = Document::new(
                Arc::new(Source::from_text(format!("{id}.txt"), words.clone())),
                "test",
            );
            d.segments = vec![Segment::marked(Layer::Jing, Span::new(0, words.len()))].into();
            d.number();
            Arc::new(d)
        };
        Library { documents: texts.iter().map(document).collect(), ..Library::default() }
    }

    /// Units are numbered by file, so that those of two files have the same numbers. The passages
    /// before the note are not equally many, so that those of one file cannot serve for the other.
    #[test]
    fn a_note_is_on_the_passages_of_its_own_file() {
        let text = |id: &str, classic: &[&str]| {
            let long = "坐".repeat(2000);
            let mut words = String::new();
            let mut segments = vec![];
            let mut push = |layer: Layer, piece: &str| {
                let start = words.len();
                words.push_str(piece);
                segments.push(Segment::marked(layer, Span::new(start, words.len())));
            };
            for passage in classic {
                push(Layer::Jing, passage);
                push(Layer::Jing, &long);
                push(Layer::Blank, "\n\n");
            }
            push(Layer::Zhu, "今文。");
            let mut d =
                Document::new(Arc::new(Source::from_text(format!("{id}.txt"), words)), "test");
            d.segments = segments.into();
            d.number();
            Arc::new(d)
        };
        let totals = |documents: Vec<Arc<Document>>| {
            let folder = tempfile::tempdir().unwrap();
            let library = Library { documents, ..Library::default() };
            assert_eq!(
                prepare_sized(&library, folder.path(), SMALL, (&[], None))
                    .unwrap()
                    .switch()
                    .unwrap()
                    .written,
                2
            );
            let index = Index::open(folder.path()).unwrap();
            ["注:今文", "注:今文 @ 經:賢獲", "經:賢獲 @ 注:今文"].map(|query| {
                index.search(&query.parse().unwrap(), Options::default()).unwrap().total()
            })
        };
        assert_eq!(totals(vec![text("a", &["賢獲"]), text("b", &["坐"])]), [2, 1, 1]);
        assert_eq!(totals(vec![text("a", &["賢獲"]), text("b", &["坐", "賢獲"])]), [2, 2, 2]);
        assert_eq!(totals(vec![text("a", &["坐", "賢獲"]), text("b", &["賢獲"])]), [2, 2, 2]);
    }

    #[test]
    fn only_changed_files_are_rebuilt() {
        let folder = tempfile::tempdir().unwrap();
        let mut texts: Vec<(String, String)> =
            (0..60).map(|n| (format!("text-{n}"), "賢獲坐".repeat(30))).collect();
        let build = |texts: &[(String, String)]| {
            prepare_sized(&library(texts), folder.path(), SMALL, (&[], None))
                .unwrap()
                .switch()
                .unwrap()
        };
        let first = build(&texts);
        assert!(first.written > 5 && first.kept == 0, "{first:?}");
        let again = build(&texts);
        assert_eq!((again.written, again.kept), (0, first.written));
        texts[30].1 = "今文".into();
        texts[30].1.push_str(&"賢獲坐".repeat(28));
        let changed = build(&texts);
        assert!(changed.written <= 2 && changed.kept >= first.written - 2, "{changed:?}");
        let found = |words: &str| {
            Index::open(folder.path())
                .unwrap()
                .search(&words.parse().unwrap(), Options::default())
                .unwrap()
                .total()
        };
        assert_eq!((found("今文"), found("文賢獲"), found("坐賢獲")), (1, 1, 59 * 29 + 27));
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(
            files,
            changed.written + changed.kept + 1,
            "files of earlier builds are removed"
        );
    }
}
