//! The files of an edition: made in parallel, each written only if its content changed. They wait
//! in a folder of their own until all are made (see [`super::place`]).

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use crate::cache::CacheKey;
use crate::corpus::Library;
use crate::diag::Error;
use crate::guard::guarded;
use crate::kept;
use crate::memo::Memo;
use crate::model::{Alignment, Document};
use crate::site::{self, Site, SitePart};
use crate::writers::alignment::{self, AlignmentWriter};
use crate::writers::{self, Writer};
use rayon::prelude::*;

use super::formats::EditionFormat;
use super::reads::OutputKeys;
use super::stamp::{self, DoneJob, Stamp};
use super::waiting_file::WaitingFile;

/// The folder of the pages.
const SITE: &str = EditionFormat::Site.folder();

/// Format, writer and extension of the files made for each text. Writers that this build of the
/// program lacks are skipped.
const KINDS: &[(EditionFormat, &str, &str)] =
    &[(EditionFormat::Tei, "tei", "xml"), (EditionFormat::Json, "json", "json")];

/// What was written.
pub struct Written {
    /// Hash of every output, by its path in the output folder.
    pub hashes: BTreeMap<String, String>,
    /// What the outputs of each job were made from, by the name of the job.
    pub jobs: BTreeMap<String, DoneJob>,
    /// Files that wait for their place.
    pub new: Vec<String>,
    /// Files of the last build that this one does not make.
    pub gone: Vec<String>,
    /// How many.
    pub counts: Counts,
    /// What could not be made by a fault of the program. The rest was.
    pub failed: Vec<Error>,
    /// The keys of what the search index has of each text.
    pub index: Vec<CacheKey>,
}

impl Written {
    /// What earlier builds made that stays because it was edited.
    pub fn edited(&self, out: &Path, old: Option<&Stamp>) -> BTreeSet<String> {
        let now = self.counts.kept.iter().filter_map(|path| path.strip_prefix(out).ok());
        let now = now.filter_map(Path::to_str).map(str::to_string);
        let before = old.iter().flat_map(|old| old.edited.iter().cloned());
        let stays = |path: &String| !self.hashes.contains_key(path) && out.join(path).exists();
        now.chain(before).filter(stays).collect()
    }
}

/// Counts of files by what happened to them.
#[derive(Default)]
pub struct Counts {
    /// New or changed.
    pub written: usize,
    /// Unchanged.
    pub same: usize,
    /// Deleted, because their text was removed.
    pub removed: usize,
    /// Kept although their text was removed, because they were edited.
    pub kept: Vec<PathBuf>,
}

impl Counts {
    /// Files of this build.
    pub fn total(&self) -> usize {
        self.written + self.same
    }
}

/// The output folder, and the folder where new files wait.
#[derive(Clone, Copy)]
pub struct Folders<'a> {
    /// Where the edition is.
    pub out: &'a Path,
    /// Where its new files are made.
    pub made: &'a Path,
}

impl Folders<'_> {
    /// A new file, by its path in the output folder.
    fn file(self, path: &str) -> WaitingFile {
        WaitingFile::new(self.made.join(path), self.out.join(path))
    }
}

/// Writes what could not be placed.
pub type ReportText<'a> = &'a (dyn Fn() -> String + Sync);

/// Makes everything that differs from what is in the output folder.
/// `done` is called after each job with the number of jobs.
///
/// # Errors
/// When a file cannot be written. The edition is as it was.
pub fn write(
    (folders, formats, memo): (Folders<'_>, &[EditionFormat], Option<&Memo>),
    library: &Library,
    (title, report): (site::Title<'_>, ReportText<'_>),
    old: Option<&Stamp>,
    done: &(dyn Fn(usize) + Sync),
) -> Result<Written, Error> {
    let Folders { out, made } = folders;
    let keys = OutputKeys::of(
        library,
        &(title.title, title.editors, title.licence, library.language.id()),
        memo,
    );
    let site = Site::of(library, title);
    let jobs = jobs((library, formats), &site, &keys)?;
    let rooms = jobs.iter().map(|j| j.path.rsplit_once('/').map_or("", |(folder, _)| folder));
    for room in rooms.map(|f| made.join(f)).collect::<BTreeSet<_>>() {
        kept::make_folder(&room)?;
    }
    // Another version may make other files of the same.
    let done_before = old.filter(|old| old.is_of_this_program());
    let run = |job: &Job<'_>| {
        let unchanged =
            done_before.and_then(|old| job.as_before(out, old)).map(|made| Ok(Ok(made)));
        let make = || guarded(|| make(folders, job, library, report));
        let made = unchanged.unwrap_or_else(make);
        done(jobs.len());
        made.map_err(|why| failure(&out.join(&job.path), &why))
    };
    // What is made of long texts is made one after the other, beside all else.
    let is_long = |job: &Job<'_>| job.work.is_long(library);
    let (long, others): (Vec<_>, Vec<_>) = rayon::join(
        || jobs.iter().map(|job| is_long(job).then(|| run(job))).collect(),
        || jobs.par_iter().map(|job| (!is_long(job)).then(|| run(job))).collect(),
    );
    let results = long.into_iter().zip(others).filter_map(|(long, other)| long.or(other));
    let mut written = Written {
        hashes: BTreeMap::new(),
        jobs: BTreeMap::new(),
        new: vec![],
        gone: vec![],
        counts: Counts::default(),
        failed: vec![],
        index: keys.alone().to_vec(),
    };
    for (job, result) in jobs.iter().zip(results) {
        let made = match result {
            Ok(made) => made?,
            Err(e) => {
                written.failed.push(e);
                continue;
            }
        };
        if let Some((name, key)) = &job.key {
            let outputs = made.iter().map(|(path, hash, _)| (path.clone(), hash.clone())).collect();
            written.jobs.insert(name.clone(), DoneJob { key: key.clone(), outputs });
        }
        for (path, hash, new) in made {
            *(if new { &mut written.counts.written } else { &mut written.counts.same }) += 1;
            written.new.extend(new.then(|| path.clone()));
            written.hashes.insert(path, hash);
        }
    }
    find_stale(out, old, &mut written);
    Ok(written)
}

/// Bytes of a text that is so long that what is made of it at the same time takes more memory than
/// all else.
const LONG_TEXT: usize = 2 << 20;

fn failure(path: &Path, why: &str) -> Error {
    Error::input(path, format!("this could not be made: {why}"))
        .hint("this is a fault of zhushu; please report it, with the text if you can")
}

/// Makes one file or more.
struct Job<'a> {
    /// The file, or the folder of several.
    path: String,
    work: Work<'a>,
    /// Its name and what it is made from; `None` if that is too much to say.
    key: Option<(String, CacheKey)>,
}

/// All jobs of an edition in some formats.
fn jobs<'a>(
    (library, formats): (&'a Library, &[EditionFormat]),
    site: &'a Site<'a>,
    keys: &OutputKeys,
) -> Result<Vec<Job<'a>>, Error> {
    let named = |path: &str, key: &CacheKey| Some((path.to_string(), key.clone()));
    let mut jobs = vec![Job { path: "report.txt".into(), work: Work::Report, key: None }];
    for (format, name, ending) in KINDS.iter().filter(|(format, ..)| formats.contains(format)) {
        let Ok(writer) = writers::by_name(name) else { continue };
        jobs.extend(library.documents.iter().enumerate().map(|(n, document)| {
            let path = format!("{}/{}.{ending}", format.folder(), document.id);
            Job { key: named(&path, keys.text(n)), path, work: Work::Document(writer, document) }
        }));
    }
    let parts = if formats.contains(&EditionFormat::Site) { site.parts() } else { vec![] };
    jobs.extend(parts.into_iter().map(|part| {
        let key = match &part {
            SitePart::Chapter(witnesses) => {
                let first = witnesses.first().map_or("", |n| &*library.documents[*n].id);
                named(&format!("{SITE}/collated/{first}"), &keys.together(witnesses))
            }
            SitePart::Text { number, witnesses } => {
                let with = witnesses.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>();
                let key = CacheKey::of([keys.text(*number).as_bytes(), &with]);
                named(&format!("{SITE}/{}", library.documents[*number].id), &key)
            }
            // It is written by itself: it is longer than the text.
            SitePart::Words(n) => {
                let path = format!("{SITE}/{}", site::search::file(&library.documents[*n]));
                let key = named(&path, keys.text(*n));
                return Job { path, work: Work::Words(&library.documents[*n]), key };
            }
            SitePart::General(n) => site::shown(*n, library).map(|texts| {
                let key = CacheKey::of([keys.together(&texts).as_bytes()]);
                (format!("{SITE}/general-{n}"), key)
            }),
            SitePart::Shared | SitePart::Citation => None,
        };
        Job { path: format!("{SITE}/"), work: Work::Site(part, site), key }
    }));
    let beads = alignment::by_name("json")?;
    let aligned = library.alignments.iter().filter(|_| formats.contains(&EditionFormat::Json));
    jobs.extend(aligned.enumerate().map(|(n, a)| {
        let path = format!("json/{}--{}.align.json", a.source, a.translation);
        Job { key: named(&path, keys.alignment(n)), path, work: Work::Beads(beads, a) }
    }));
    Ok(jobs)
}

impl Job<'_> {
    /// Its files, if the last build made them from the same and they are still there.
    fn as_before(&self, out: &Path, old: &Stamp) -> Option<Vec<Made>> {
        let (name, key) = self.key.as_ref()?;
        let done = old.jobs.get(name).filter(|done| done.key == *key)?;
        let file = |(path, hash): &(String, String)| {
            old.still_has(out, path, hash).then(|| (path.clone(), hash.clone(), false))
        };
        done.outputs.iter().map(file).collect()
    }
}

enum Work<'a> {
    Document(&'static Writer, &'a Document),
    Beads(&'static AlignmentWriter, &'a Alignment),
    Report,
    Words(&'a Document),
    /// A part of the site, one file or more; the path is their folder.
    Site(SitePart, &'a Site<'a>),
}

impl Work<'_> {
    /// True if it lays out a long text.
    fn is_long(&self, library: &Library) -> bool {
        let is_long = |d: &Document| d.source.text().len() >= LONG_TEXT;
        let numbered = |n: &usize| is_long(&library.documents[*n]);
        match self {
            Work::Document(_, document) | Work::Words(document) => is_long(document),
            Work::Beads(_, a) => [&a.source, &a.translation]
                .iter()
                .any(|id| library.get(id).is_some_and(|d| is_long(d))),
            Work::Report => false,
            Work::Site(part, _) => match part {
                SitePart::Text { number, .. } | SitePart::Words(number) => numbered(number),
                SitePart::Chapter(witnesses) => witnesses.iter().any(numbered),
                SitePart::General(_) => library.documents.iter().any(|d| is_long(d)),
                SitePart::Shared | SitePart::Citation => false,
            },
        }
    }
}

/// An output file: its path, its hash, whether it was written.
type Made = (String, String, bool);

/// Does a job. Only one page of a text is in memory at a time.
fn make(
    into: Folders<'_>,
    Job { path, work, .. }: &Job<'_>,
    library: &Library,
    report: ReportText<'_>,
) -> Result<Vec<Made>, Error> {
    let to = into.out.join(path);
    let wrong = |e: &io::Error| Error::io(&to, "write", e);
    let mut file = into.file(path);
    match work {
        Work::Site(part, site) => {
            let mut made = Vec::new();
            let mut failed = None;
            let result = site.write(part, &mut |name, words| {
                page(into, format!("{path}{name}"), words).map(|m| made.push(m)).map_err(|e| {
                    failed = Some(e);
                    std::io::Error::other("a page could not be written")
                })
            });
            return match (failed, result) {
                (Some(e), _) => Err(e),
                (None, Err(e)) => Err(wrong(&e)),
                (None, Ok(())) => Ok(made),
            };
        }
        Work::Document(writer, document) => {
            (writer.write)(document, library, &mut file).map_err(|e| wrong(&e))?;
        }
        Work::Beads(writer, a) => {
            if let (Some(source), Some(translation)) =
                (library.get(&a.source), library.get(&a.translation))
            {
                (writer.write)(a, source, translation, &mut file).map_err(|e| wrong(&e))?;
            }
        }
        Work::Words(document) => {
            site::search::words(document, library, &mut file).map_err(|e| wrong(&e))?;
        }
        Work::Report => file.write_all(report().as_bytes()).map_err(|e| wrong(&e))?,
    }
    let (hash, new) = file.finish()?;
    Ok(vec![(path.to_string(), hash, new)])
}

/// Writes a page of the site.
fn page(folders: Folders<'_>, path: String, bytes: &[u8]) -> Result<Made, Error> {
    let mut file = folders.file(&path);
    file.write_all(bytes).map_err(|e| Error::io(&folders.out.join(&path), "write", &e))?;
    let (hash, new) = file.finish()?;
    Ok((path, hash, new))
}

/// Finds what the last build made and this one did not. What was edited since is kept.
fn find_stale(out: &Path, old: Option<&Stamp>, written: &mut Written) {
    let stale =
        old.iter().flat_map(|o| &o.outputs).filter(|(path, _)| !written.hashes.contains_key(*path));
    for (path, hash) in stale {
        if !Path::new(path).components().all(|c| matches!(c, Component::Normal(_))) {
            continue;
        }
        if stamp::is(&out.join(path), hash) {
            written.gone.push(path.clone());
            written.counts.removed += 1;
        } else if out.join(path).exists() {
            written.counts.kept.push(out.join(path));
        }
    }
}
