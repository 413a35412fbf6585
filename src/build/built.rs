//! What a build kept of its texts, for other commands: they need not read, cut and link again.
//!
//! The texts as the build left them are in a [`Cache`] in the output folder. If something there is
//! gone, if the TEI of a text was edited since, or if another version of the program built it, the
//! commands read the TEI files instead.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::formats::EditionFormat;
use super::stamp::{self, BuiltText, FOLDER, Reason, Stamp};
use crate::cache::{Cache, CacheKey};
use crate::corpus::Library;
use crate::diag::Error;
use crate::language::Language;
use crate::memo::{DOCUMENT, Memo};
use crate::model::{Alignment, Document};
use crate::settings::Settings;
use crate::shelf::Shelf;

/// The folders of the cache and of the results of stages, in the folder of what a build remembers.
const CACHE: &str = "cache";
const MEMO: &str = "memo";
/// The kinds of results, for their keys.
const ALIGNMENT: &str = "alignment";

/// Where a corpus is, from the output folder, so that both can be moved together.
pub fn corpus_from(out: &Path, corpus: &Path) -> PathBuf {
    let real = |p: &Path| p.canonicalize().ok();
    let from =
        real(out).zip(real(corpus)).and_then(|(out, corpus)| pathdiff::diff_paths(corpus, out));
    from.unwrap_or_else(|| corpus.to_path_buf())
}

/// The cache of an output folder.
pub fn cache(out: &Path) -> Cache {
    Cache::in_folder(out.join(FOLDER).join(CACHE)).small()
}

/// The results of the stages of the last build, which were computed from the same program and
/// models; `from_nothing` removes them.
pub fn memo(
    out: &Path,
    (inputs, old): (&Stamp, Option<&Stamp>),
    settings: &Settings,
    from_nothing: bool,
) -> Memo {
    let folder = out.join(FOLDER).join(MEMO);
    if from_nothing {
        // What cannot be removed is used.
        let _ = std::fs::remove_dir_all(&folder);
    }
    let references = if settings.references { "references" } else { "" };
    let parts = inputs.of_everything().chain([references]);
    let last = old.filter(|old| !old.incomplete).and_then(Stamp::kept_documents);
    Memo::in_folder(folder, CacheKey::of(parts.map(str::as_bytes)), (cache(out), last))
}

/// Notes the documents and alignments of a library in the record of a build, and keeps them in its
/// cache. What cannot be kept is left out; commands then read the files.
pub fn keep(library: &Library, (out, memo): (&Path, Option<&Memo>), stamp: &mut Stamp) {
    let cache = cache(out);
    let text = |d: &Arc<Document>| {
        let kept = memo.and_then(|memo| Some(memo.keys_of(d)?.kept));
        BuiltText { kept: kept.or_else(|| cache.keep(DOCUMENT, &**d).ok()), ..BuiltText::of(d) }
    };
    stamp.documents = library.documents.par_iter().map(text).collect();
    let alignments = library.alignments.par_iter();
    stamp.alignments = alignments.filter_map(|a| cache.keep(ALIGNMENT, a).ok()).collect();
    // Those of the last stage too, which an alignment may have changed.
    let of_stage = memo.map(Memo::kept).unwrap_or_default();
    cache.retain(&stamp.kept().chain(&of_stage).collect());
}

/// A build whose texts are in its cache.
pub struct Built {
    out: PathBuf,
    stamp: Stamp,
    /// Where the targets are that are in the user's own library.
    shelf: Option<Arc<Shelf>>,
    /// The language of what is written of its texts.
    language: Language,
}

impl Built {
    /// The build in a folder. `None` if there is none, if it did not end, or if another version of
    /// the program made it.
    ///
    /// # Errors
    /// When its record exists but cannot be read.
    pub fn open(out: &Path, settings: &Settings) -> Result<Option<Self>, Error> {
        let stamp =
            super::transaction::last(out)?.filter(|s| !s.incomplete && s.is_of_this_program());
        let shelf = settings.shelf.clone();
        Ok(stamp.map(|stamp| Built {
            out: out.to_path_buf(),
            stamp,
            shelf,
            language: settings.language,
        }))
    }

    /// True if the last build in a folder did not end.
    pub(crate) fn is_unfinished(out: &Path) -> bool {
        super::transaction::last(out).ok().flatten().is_some_and(|last| last.incomplete)
    }

    /// True while a build puts its files into a folder.
    pub(crate) fn is_switching(out: &Path) -> bool {
        super::transaction::is_switching(out)
    }

    /// What changed in the corpus since the build, if it is still there.
    pub fn age(&self, settings: &Settings) -> Option<Reason> {
        let mut corpus = settings.open(&self.out.join(&self.stamp.corpus)).ok()?;
        corpus.leave_out(&self.out, "");
        let encoding = self.stamp.inputs.get("--encoding").map(String::as_str);
        self.stamp.differs(&self.stamp.inputs_now(&corpus, settings, encoding))
    }

    /// The folder of the build.
    pub fn folder(&self) -> &Path {
        &self.out
    }

    /// The title of its pages.
    pub fn title(&self) -> &str {
        &self.stamp.title
    }

    /// What the record has of its texts, in their order.
    pub fn texts(&self) -> &[BuiltText] {
        &self.stamp.documents
    }

    /// One of them as the build left it. `None` if it is not in the cache, or was edited since.
    pub fn text(&self, text: &BuiltText) -> Option<Document> {
        let document: Document = cache(&self.out).read(text.kept.as_ref()?)?;
        (self.is_unedited(&document) && document.check().is_ok()).then_some(document)
    }

    /// All its texts and alignments, as the build left them. `None` if not all are in the cache, or
    /// if a person put further texts beside them.
    pub fn library(&self) -> Option<Library> {
        let is_own = |path: &Path| {
            path.strip_prefix(&self.out)
                .is_ok_and(|p| self.stamp.outputs.contains_key(&*p.to_string_lossy()))
        };
        let mut texts =
            std::fs::read_dir(self.out.join(EditionFormat::Tei.folder())).ok()?.flatten();
        let unchanged = texts.all(|t| is_own(&t.path()));
        if unchanged { self.read(self.stamp.documents.iter().collect()) } else { None }
    }

    /// The texts of a chapter, by the first part of its loci, and their translations. `None` if the
    /// build has no such chapter, or not all of it is in the cache.
    pub fn chapter(&self, locus: &str) -> Option<Library> {
        let all = self.of_chapter(locus);
        if all.is_empty() { None } else { self.read(all) }
    }

    /// What the record has of the texts of a chapter and of their translations.
    pub(crate) fn of_chapter(&self, locus: &str) -> Vec<&BuiltText> {
        let own: Vec<_> = self.stamp.documents.iter().filter(|d| d.locus == locus).collect();
        let is_own = |id: &String| own.iter().any(|d| d.id == *id);
        let translations = self.stamp.documents.iter().filter(|d| d.translates.iter().any(is_own));
        own.iter().copied().chain(translations).collect()
    }

    /// Some of its texts, with the alignments of these. `None` if not all are in the cache.
    pub(crate) fn read(&self, texts: Vec<&BuiltText>) -> Option<Library> {
        let cache = cache(&self.out);
        let documents = texts.into_par_iter().map(|t| self.text(t).map(Arc::new));
        let documents = documents.collect::<Option<Vec<_>>>()?;
        let of_these = |a: &Alignment| documents.iter().any(|d| d.id == a.source);
        let alignments = self.stamp.alignments.iter().map(|key| cache.read::<Alignment>(key));
        let alignments = alignments.collect::<Option<Vec<_>>>()?;
        let alignments = alignments.into_iter().filter(of_these).collect();
        let beside = self.shelf.as_ref().map(|s| s.named(&Library::cited_beside(&documents)));
        Some(Library {
            documents,
            alignments,
            beside: beside.unwrap_or_default(),
            language: self.language,
        })
    }

    /// False if a person edited the TEI of a text, which then counts.
    fn is_unedited(&self, document: &Document) -> bool {
        let path = format!("{}/{}.xml", EditionFormat::Tei.folder(), document.id);
        let written = self.stamp.outputs.get(&path);
        written.is_none_or(|hash| stamp::is(&self.out.join(path), hash))
    }
}

impl Stamp {
    /// The files that the build was made from; `out` is its folder.
    pub fn sources(&self, out: &Path) -> impl Iterator<Item = PathBuf> {
        let corpus = out.join(&self.corpus);
        let is_manifest = corpus.is_file();
        let root = if is_manifest { corpus.parent().unwrap_or(&corpus) } else { &corpus };
        let root = root.to_path_buf();
        self.inputs.keys().map(move |name| root.join(name))
    }

    /// The keys of all documents in the cache; `None` if not all are there.
    pub fn kept_documents(&self) -> Option<Vec<CacheKey>> {
        self.documents.iter().map(|d| d.kept.clone()).collect()
    }

    /// The keys of what is kept in the cache.
    fn kept(&self) -> impl Iterator<Item = &CacheKey> {
        self.documents.iter().filter_map(|d| d.kept.as_ref()).chain(&self.alignments)
    }
}
