//! The table of formats, and what formats share.

use std::collections::HashSet;
use std::io;

use super::Edition;
use crate::diag::Error;
use crate::model::{Alignment, Document, slug};

/// One file of an edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditionFile {
    /// Its name in the folder, if there are several.
    pub name: String,
    /// Which part of the edition it contains: a number defined by the format.
    pub which: usize,
}

/// A format of editions.
pub struct Format {
    /// Name for `--to`.
    pub name: &'static str,
    /// Extension of its files.
    pub extension: &'static str,
    /// What it writes, in one line.
    pub about: &'static str,
    /// True if it can be written in vertical lines.
    pub vertical: bool,
    /// True if it has pages, with a foot, which may face each other.
    pub pages: bool,
    /// True if one can choose its paper.
    pub paper: bool,
    /// True if it is made of the leaves of the print: a text without any is refused.
    pub leaves: bool,
    /// True if it is made of notes with what they explain: of a part of the layers or passages, or
    /// without punctuation, most of them would be lost.
    pub explained: bool,
    /// True if notes can be at the foot or in the line, as one likes.
    pub notes: bool,
    /// True if it also needs references, parallels and alignments; otherwise layers and loci are
    /// enough.
    pub references: bool,
    /// Lists its files.
    pub files: fn(&Edition) -> Vec<EditionFile>,
    /// Writes one of them.
    pub write: fn(&Edition, usize, &mut dyn io::Write) -> io::Result<()>,
}

impl Format {
    /// One file, with references and without pages: the default of most formats.
    pub(super) const PLAIN: Format = Format {
        name: "",
        extension: "",
        about: "",
        vertical: false,
        pages: false,
        paper: false,
        leaves: false,
        explained: false,
        notes: false,
        references: true,
        files: |_| vec![EditionFile { name: "edition".into(), which: 0 }],
        write: |_, _, _| Ok(()),
    };
}

/// All formats, in the order in which they are shown.
pub static FORMATS: &[Format] = &[
    super::text::FORMAT,
    super::markdown::FORMAT,
    super::epub::FORMAT,
    super::docx::FORMAT,
    super::odt::FORMAT,
    super::latex::FORMAT,
    super::typst::FORMAT,
    super::typst::PDF,
    super::documents::TEI,
    super::documents::JSON,
    super::jsonl::FORMAT,
    super::tables::FORMAT,
    #[cfg(feature = "parquet")]
    super::parquet::FORMAT,
    super::webanno::FORMAT,
    super::tmx::FORMAT,
    super::stam::FORMAT,
    super::citation::BIBTEX,
    super::citation::CSL,
    super::citation::RIS,
    super::docuxml::FORMAT,
    super::mandoku::FORMAT,
    super::iiif::FORMAT,
    super::dictionaries::TABLE,
    super::dictionaries::STARDICT,
    super::dictionaries::TEI_DICTIONARY,
];

/// The format called `name`.
///
/// # Errors
/// When there is none.
pub fn by_name(name: &str) -> Result<&'static Format, Error> {
    let not_built_in = "this zhushu was built without it: \
                        cargo install zhushu --features parquet";
    crate::writers::named(FORMATS, |f| f.name, name, "edition")
        .map_err(|e| if name == "parquet" { e.hint(not_built_in) } else { e })
}

/// A file for each document.
pub(super) fn by_document(edition: &Edition) -> Vec<EditionFile> {
    files_called(edition.ids.iter().map(|id| slug(id)))
}

/// A file for each alignment.
pub(super) fn by_alignment(edition: &Edition) -> Vec<EditionFile> {
    let name = |a: &Alignment| format!("{}--{}", slug(&a.source), slug(&a.translation));
    files_called(edition.alignments().map(name))
}

/// Files with these names, made unique.
fn files_called(names: impl Iterator<Item = String>) -> Vec<EditionFile> {
    let files = unique(names).into_iter().enumerate();
    files.map(|(which, name)| EditionFile { name, which }).collect()
}

/// Unique names of files: a name that was used before becomes `name-2`. Names that differ only in
/// case count as the same, as they do in some file systems.
pub fn unique(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    let unique = |stem: String| {
        let names = std::iter::once(stem.clone()).chain((2..).map(|n| format!("{stem}-{n}")));
        names.into_iter().find(|name| seen.insert(name.to_lowercase())).unwrap_or(stem)
    };
    names.into_iter().map(unique).collect()
}

/// The document of a file, where each document has one.
pub(super) fn document(edition: &Edition, which: usize) -> io::Result<&Document> {
    let document = edition.ids.get(which).and_then(|id| edition.library.get(id));
    document.map(|d| &**d).ok_or_else(|| io::ErrorKind::NotFound.into())
}
