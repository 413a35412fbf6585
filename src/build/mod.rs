//! Builds the edition of a corpus in a folder: TEI, JSON, a reading site, a search index, and a
//! report of what could not be placed.
//!
//! Texts are witnesses and targets of each other, so a change of one may concern all. What it does
//! not concern is taken from the last build ([`built::memo`], [`reads`]). A file is only written if
//! its content changed, and if no input changed, nothing is done. A [`stamp`] in the output folder
//! records the state of the last build. Files are made beside their places, which they take when
//! all are made ([`place`]).

mod built;
mod formats;
mod gone;
mod newer;
mod older;
mod outputs;
mod place;
mod reads;
mod reopened;
mod stamp;
mod transaction;
mod waiting_file;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::UNIX_EPOCH;

use crate::books::translations::{Pair, pair_up};
use crate::corpus::{Corpus, Library, is_manifest};
use crate::diag::{Error, ErrorKind};
use crate::language::Language;
use crate::pipeline;
use crate::search::{self, Index};
use crate::settings::Settings;
use crate::site;

pub use self::built::Built;
pub use self::formats::EditionFormat;
pub use self::newer::changed_files;
pub use self::outputs::Counts;
pub use self::reopened::Reopened;
pub(crate) use self::stamp::LIBRARY;
pub use self::stamp::{InputChange, Reason, Stamp, path_in as record_of, read_hash};

use self::outputs::Folders;
use self::transaction::Transaction;

/// What is wanted of a build.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The folder to write to.
    pub out: &'a Path,
    /// Where the corpus was named.
    pub corpus: &'a Path,
    /// The encoding of texts for which no manifest states it.
    pub encoding: Option<&'a str>,
    /// What to write; empty for everything.
    pub formats: &'a [EditionFormat],
    /// Everything is computed again, and files that no build made are replaced.
    pub force: bool,
    /// The language of the report.
    pub language: Language,
}

/// A corpus that is to be built, and what is known of its last build.
pub struct Build<'a> {
    /// The corpus.
    pub corpus: Corpus,
    settings: &'a Settings,
    wanted: Wanted<'a>,
    inputs: Stamp,
    old: Option<Stamp>,
}

/// What a report is about.
pub struct Content<'a> {
    /// The corpus as it was found.
    pub corpus: &'a Corpus,
    /// What was made of it.
    pub library: &'a Library,
    /// Files that are not texts.
    pub left_out: &'a [(PathBuf, String)],
    /// What was taken for a translation of what, because no manifest says it.
    pub pairs: &'a [Pair],
}

/// What a build does at the moment.
#[derive(Clone, Copy, Debug)]
pub enum BuildStep {
    /// It reads so many texts.
    Reading(usize),
    /// It runs the passes.
    Linking,
    /// It writes: how many files, or groups of them, are done, and of how many if that is known.
    Writing(usize, Option<usize>),
    /// It makes the search index.
    Indexing,
}

/// What a build did.
pub struct Done {
    /// How many texts are in the edition.
    pub texts: usize,
    /// What was written.
    pub formats: Vec<EditionFormat>,
    /// Counts of files.
    pub counts: Counts,
    /// What was done for the index, if it is wanted.
    pub index: Option<search::Built>,
    /// What could not be read or made. The rest is in the edition.
    pub errors: Vec<Error>,
}

impl<'a> Build<'a> {
    /// Looks at a corpus and at its last build.
    ///
    /// # Errors
    /// When the output would lie among the texts, or the record of the last build cannot be read.
    pub fn of(
        mut corpus: Corpus,
        settings: &'a Settings,
        wanted: Wanted<'a>,
    ) -> Result<Self, Error> {
        apart(&corpus, wanted.out)?;
        corpus.leave_out(wanted.out, "the folder that build writes");
        corpus.encode_as(wanted.encoding);
        let mut inputs = Stamp::of_inputs(&corpus, settings, wanted.encoding);
        inputs.in_languages([settings.language, wanted.language]);
        inputs.title = title(&corpus);
        inputs.formats.retain(|f| wanted.formats.is_empty() || wanted.formats.contains(f));
        let old = transaction::last(wanted.out)?;
        if let Some(old) = old.as_ref().filter(|_| !wanted.force) {
            is_its_edition(old, wanted)?;
            gone::has_its_library(old, settings)?;
            gone::has_its_files(old, (&corpus, &inputs))?;
        }
        Ok(Build { corpus, settings, wanted, inputs, old })
    }

    /// How many files it is made from.
    pub fn files(&self) -> usize {
        self.inputs.inputs.len()
    }

    /// Removes what builds that were killed left: one may have been for a change that was taken
    /// back.
    pub fn sweep(&self) {
        transaction::sweep(self.wanted.out);
    }

    /// Why the corpus must be built; `None` if nothing changed.
    pub fn reason(&self) -> Option<Reason> {
        let (now, out) = (&self.inputs, self.wanted.out);
        let Some(old) = self.old.as_ref().filter(|_| !self.wanted.force) else {
            return Some(if self.wanted.force { Reason::Forced } else { Reason::First });
        };
        let title = || (old.title != now.title).then(|| Reason::Title(old.title.clone()));
        let index = || {
            let index =
                now.formats.contains(&EditionFormat::Index).then_some(EditionFormat::Index)?;
            let folder = out.join(index.folder());
            let own: BTreeSet<String> = old.index.values().cloned().collect();
            // A folder of a backup is sound, but of another build.
            let is_own = || match Index::names(&folder)? == own {
                true => Ok(()),
                false => Err(Error::input(&folder, "it is of another build")),
            };
            Index::verify(&folder).and_then(|()| is_own()).err().map(Reason::Index)
        };
        old.differs(now)
            .or_else(|| (!old.speaks_as(now)).then_some(Reason::Language))
            .or_else(|| (old.formats != now.formats).then_some(Reason::Formats))
            .or_else(title)
            .or_else(|| old.damaged(out))
            .or_else(index)
    }

    /// Builds. `report` writes what could not be placed; `step` hears what is done.
    ///
    /// # Errors
    /// When the corpus cannot be read, a text of the last build would vanish, or the output folder
    /// cannot be written. Until files take their places, the last edition is as it was.
    pub fn run(
        self,
        report: &(dyn Fn(&Content<'_>) -> String + Sync),
        step: &(dyn Fn(BuildStep) + Sync),
    ) -> Result<Done, Error> {
        let Build { corpus, settings, wanted, mut inputs, old } = self;
        let (out, force) = (wanted.out, wanted.force);
        let memo = built::memo(out, (&inputs, old.as_ref()), settings, force);
        let settings = &Settings { memo: Some(Arc::new(memo)), ..settings.clone() };
        step(BuildStep::Reading(corpus.about.texts.len()));
        let mut loaded = settings.read(&corpus)?;
        let mut older = BTreeMap::new();
        if let Some(old) = old.as_ref().filter(|_| !force) {
            older = older::stand_in((&corpus, settings), (old, out), &mut loaded);
            gone::nothing_vanishes(&corpus, &loaded, old)?;
        }
        let pairs = match corpus.manifest {
            Some(_) => vec![],
            None => pair_up(&mut loaded.documents, &settings.works, &settings.models.chapters),
        };
        // What could not be read counts as changed in the next build, and is reported again.
        let unread = loaded.errors.iter().filter_map(|e| e.path.as_ref());
        unread.for_each(|path| inputs.forget(&corpus, path));
        inputs.older = older;
        let mut transaction = Transaction::begin(out)?;
        // Another build may have ended since the record was read.
        let old = transaction::last(out)?;
        step(BuildStep::Linking);
        let mut library = settings.run(loaded.documents);
        gone::library_was_read(settings)?;
        pipeline::align(&mut library);
        step(BuildStep::Writing(0, None));
        let content = Content {
            corpus: &corpus,
            library: &library,
            left_out: &loaded.left_out,
            pairs: &pairs,
        };
        let done = AtomicUsize::new(0);
        let waiting = place::waiting_in(out)?;
        let folders = Folders { out, made: waiting.path() };
        let memo = settings.memo.as_deref();
        let title = site::Title {
            title: Some(&inputs.title),
            editors: &corpus.about.editors,
            licence: corpus.about.licence.as_deref(),
        };
        let report = || report(&content);
        let written = outputs::write(
            (folders, &inputs.formats, memo),
            &library,
            (title, &report),
            old.as_ref(),
            &|of| step(BuildStep::Writing(done.fetch_add(1, Ordering::Relaxed) + 1, Some(of))),
        )?;
        place::spare_others(out, &written, old.as_ref(), force)?;
        let known = old.as_ref().filter(|old| old.is_of_this_program()).map(|old| &old.index);
        let mut index = None;
        if inputs.formats.contains(&EditionFormat::Index) {
            step(BuildStep::Indexing);
            let folder = out.join(EditionFormat::Index.folder());
            let new = index.insert(search::prepare(&library, &folder, &written.index, known)?);
            inputs.index.clone_from(new.files());
        }
        let index = place::all(folders, &written, index, &mut transaction)?;
        drop(waiting);
        built::keep(&library, (out, settings.memo.as_deref()), &mut inputs);
        inputs.corpus = built::corpus_from(out, wanted.corpus);
        inputs.incomplete = !written.failed.is_empty();
        inputs.edited = written.edited(out, old.as_ref());
        let kept = inputs.kept_documents().unwrap_or_default();
        let inputs = inputs.with_outputs(out, written.hashes, written.jobs);
        transaction.end(&inputs)?;
        settings.memo.iter().for_each(|m| m.end(&kept));
        let errors = loaded.errors.into_iter().chain(written.failed).collect();
        let (texts, formats) = (library.documents.len(), inputs.formats);
        Ok(Done { texts, formats, counts: written.counts, index, errors })
    }
}

/// Stops before the edition of another corpus, which is still there, is replaced.
///
/// # Errors
/// Then.
fn is_its_edition(old: &Stamp, wanted: Wanted<'_>) -> Result<(), Error> {
    // A folder and its manifest are one corpus, a text alone is another.
    let folder = |path: &Path| {
        let real = path.canonicalize().ok()?;
        match real.is_file() && is_manifest(&real) {
            true => real.parent().map(Path::to_path_buf),
            false => Some(real),
        }
    };
    let before = Some(&old.corpus).filter(|path| !path.as_os_str().is_empty());
    let before = before.and_then(|path| folder(&wanted.out.join(path)));
    match before.zip(folder(wanted.corpus)) {
        Some((before, now)) if before != now => {
            let message = format!("this is the edition of another corpus, {}", before.display());
            Err(Error::input(wanted.out, message)
                .of_kind(ErrorKind::Request)
                .hint("name another folder with -o, or replace it with --force"))
        }
        _ => Ok(()),
    }
}

/// What differs between a build in a folder and the next: when its record was written, which is the
/// last thing that it does, and the size of it. Zero if there is none.
pub fn state_of(out: &Path) -> String {
    let about = std::fs::metadata(stamp::path_in(out)).ok();
    let time = about.as_ref().and_then(|a| a.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    let (time, size) = (time.unwrap_or_default(), about.map_or(0, |a| a.len()));
    format!("{}.{:09}-{size}", time.as_secs(), time.subsec_nanos())
}

/// True if `out` was built from the corpus as it is now.
pub fn is_current(corpus: &Path, out: &Path, settings: &Settings) -> bool {
    let Ok(mut corpus) = settings.open(corpus) else { return false };
    corpus.leave_out(out, "");
    let is_last = |last: Stamp| last.differs(&last.inputs_now(&corpus, settings, None)).is_none();
    transaction::last(out).ok().flatten().is_some_and(is_last)
}

/// Output beside the texts would be read as text by the next build; that of a folder above them
/// would leave all texts out.
fn apart(corpus: &Corpus, out: &Path) -> Result<(), Error> {
    let real = |p: &Path| p.canonicalize().unwrap_or_else(|_| p.to_path_buf());
    let (root, out) = (real(&corpus.root), real(out));
    let message = match corpus.manifest {
        _ if root == out => "the output would lie among the texts",
        None if root.starts_with(&out) => "the texts lie in the folder of the output",
        _ => return Ok(()),
    };
    Err(Error::request(message).hint("name another folder with -o"))
}

/// The name of the corpus in messages and pages: without a title, that of its folder, however the
/// path was typed.
pub fn title(corpus: &Corpus) -> String {
    // A link has the name that it was given.
    let typed = corpus.root.components().next_back();
    let folder = || match typed {
        Some(Component::Normal(name)) => Some(name.to_string_lossy().into_owned()),
        _ => Some(corpus.root.canonicalize().ok()?.file_name()?.to_string_lossy().into_owned()),
    };
    let title = corpus.about.title.clone().or_else(folder);
    title.unwrap_or_else(|| corpus.root.display().to_string())
}
