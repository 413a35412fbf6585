//! What a build was made from and what it made: `OUT/.zhushu/build.json`.
//!
//! Inputs and the program itself are compared by content, not by time: a checkout or a copy does
//! not count as a change. The hashes of the outputs show whether they were edited: stale outputs
//! are removed, edited ones are not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::formats::EditionFormat;
use crate::cache::{CacheKey, HashWriter};
use crate::corpus::Corpus;
use crate::corpus::loci::text_of;
use crate::corrections;
use crate::diag::Error;
use crate::kept::{self, Durability};
use crate::language::Language;
use crate::load;
use crate::model::{Collection, Document, MarkSource};
use crate::settings::Settings;
use crate::shelf::inventory::FileState;
use crate::source::regular;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The record of a build. Paths are relative to the corpus and to the output folder.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Stamp {
    /// Name and version, and the hash of the running program.
    program: String,
    /// The folder of the corpus, from the output folder.
    #[serde(default)]
    pub corpus: PathBuf,
    /// The title of the corpus on its pages, which may be the name of its folder.
    #[serde(default)]
    pub title: String,
    /// The languages of the pages and of the report. What was inferred does not depend on them, so
    /// a build in another language is not older than its corpus.
    #[serde(default)]
    languages: [String; 2],
    /// What was written. Earlier versions wrote all.
    #[serde(default = "all_formats")]
    pub formats: Vec<EditionFormat>,
    /// Hash of every input.
    pub inputs: BTreeMap<String, String>,
    /// Hashes of what earlier builds read and this one used again, of files that it could not read.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub older: BTreeMap<String, String>,
    /// Size and time of the inputs that are files, before they were read.
    #[serde(default)]
    pub files: BTreeMap<String, FileState>,
    /// Hash of every output.
    pub outputs: BTreeMap<String, String>,
    /// Outputs of earlier builds that stayed, although nothing makes them any more, because they
    /// were edited.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub edited: BTreeSet<String>,
    /// Size and time of outputs as the build left them.
    #[serde(default)]
    states: BTreeMap<String, FileState>,
    /// What the outputs were made from, by the names of the jobs that made them.
    #[serde(default)]
    pub jobs: BTreeMap<String, DoneJob>,
    /// The files of the search index, by the keys of what they were made from.
    #[serde(default)]
    pub index: BTreeMap<String, String>,
    /// The build was interrupted, or could not make everything: it must be repeated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// What was made of the texts: a document for each chapter.
    #[serde(default)]
    pub documents: Vec<BuiltText>,
    /// Ids of the texts in the manifest's order.
    #[serde(default)]
    pub texts: Vec<String>,
    /// Keys of the alignments in the cache.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alignments: Vec<CacheKey>,
    /// What the manifest says about the whole corpus, for programs that read the outputs.
    #[serde(default)]
    pub about: Collection,
}

/// Why a corpus must be built.
#[derive(Clone, Debug)]
pub enum Reason {
    /// It shall be.
    Forced,
    /// It never was.
    First,
    /// The last build did not end.
    NotEnded,
    /// Another version of the program built it.
    Version,
    /// Inputs are others, by their names.
    Inputs(Vec<(InputChange, String)>),
    /// Pages and report shall be in another language.
    Language,
    /// Other formats are wanted.
    Formats,
    /// The title was this.
    Title(String),
    /// An output was changed or is gone.
    Output {
        /// The file.
        path: PathBuf,
        /// It was changed.
        is_there: bool,
    },
    /// The search index cannot be used.
    Index(Error),
}

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputChange {
    /// It has other content.
    Changed,
    /// It was not there.
    New,
    /// It is not there any more.
    Gone,
}

fn all_formats() -> Vec<EditionFormat> {
    EditionFormat::ALL.to_vec()
}

/// A job of the last build: what it was made from, and its files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DoneJob {
    pub key: CacheKey,
    /// Paths and hashes. Those of [`Stamp::outputs`] may be of a later build that did not end.
    pub outputs: Vec<(String, String)>,
}

/// A document of a build.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BuiltText {
    /// Its id, which is the name of its file.
    pub id: String,
    /// The first part of its loci: work and chapter.
    pub locus: String,
    /// Ids of the documents that it translates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub translates: Vec<String>,
    /// Its key in the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<CacheKey>,
}

impl BuiltText {
    /// What the record keeps of a document.
    pub fn of(document: &Document) -> Self {
        BuiltText {
            id: document.id.clone(),
            locus: text_of(document).to_string(),
            translates: document.meta.translates.clone(),
            kept: None,
        }
    }
}

/// A file that was written so short a time before the end of a build may be written again without a
/// change of its time, so its content is compared.
const SETTLED: Duration = Duration::from_secs(2);

/// The folder, in what `build` writes, of what it remembers.
pub const FOLDER: &str = ".zhushu";

/// The name of the punctuation that was asked for, among the inputs.
const PUNCTUATION: &str = "--punctuation";

/// The name of the user's own library among the inputs.
pub(crate) const LIBRARY: &str = "your library";

/// The file with all this.
pub fn path_in(out: &Path) -> PathBuf {
    out.join(FOLDER).join("build.json")
}

/// SHA-256 in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    in_hexadecimal(&Sha256::digest(bytes))
}

/// A hash in hexadecimal.
pub fn in_hexadecimal(hash: &[u8]) -> String {
    hash.iter().map(|b| format!("{b:02x}")).collect()
}

/// The hash of a file's content, or why there is none.
pub(super) fn hash_of(path: &Path) -> String {
    match load::bytes(path, None) {
        Ok(bytes) => hash(&bytes),
        Err(e) => e.message,
    }
}

impl Stamp {
    /// The inputs as they are now, and no outputs yet. `encoding` is what the user named.
    pub fn of_inputs(corpus: &Corpus, settings: &Settings, encoding: Option<&str>) -> Self {
        Stamp::default().inputs_now(corpus, settings, encoding)
    }

    /// The same, but a file with the size and time of this record is not read: good enough to tell
    /// a reader that there is something new.
    pub fn inputs_now(&self, corpus: &Corpus, settings: &Settings, encoding: Option<&str>) -> Self {
        let texts = || corpus.about.texts.iter().map(|t| &t.path);
        let corrections: Vec<PathBuf> = texts().flat_map(|t| corrections::files_of(t)).collect();
        let lists = &corpus.about.image_lists;
        let paths = corpus.manifest.iter().chain(lists).chain(texts()).chain(&corrections);
        let (mut inputs, mut files) = (BTreeMap::new(), BTreeMap::new());
        for path in paths {
            let (name, state) = (name(&corpus.root, path), FileState::of(path));
            let known = self.files.get(&name).filter(|known| Some(**known) == state);
            let known = known.and_then(|_| self.inputs.get(&name).cloned());
            inputs.insert(name.clone(), known.unwrap_or_else(|| hash_of(path)));
            files.extend(state.map(|state| (name, state)));
        }
        inputs.extend(encoding.map(|e| ("--encoding".to_string(), e.to_string())));
        inputs.extend(settings.lines.map(|lines| ("--lines".to_string(), format!("{lines:?}"))));
        // A command that does not ask for another asks for that of the build.
        let punctuation = match settings.punctuation {
            MarkSource::None => self.inputs.get(PUNCTUATION).cloned(),
            asked => Some(format!("{asked:?}")),
        };
        inputs.extend(punctuation.map(|p| (PUNCTUATION.to_string(), p)));
        let works = settings.works.added();
        inputs.extend(works.map(|toml| ("--works".to_string(), hash(toml.as_bytes()))));
        let models = settings.models.replaced();
        inputs.extend(models.map(|(name, content)| (format!("--models {name}"), hash(content))));
        // A library from which everything was removed is as good as none.
        let shelf = settings.shelf.as_ref().filter(|s| s.inventory().chapters().next().is_some());
        inputs.extend(shelf.map(|s| (LIBRARY.to_string(), s.hash())));
        let about = corpus.about.collection();
        let texts = corpus.about.texts.iter().map(|t| t.id.clone()).collect();
        Stamp {
            program: program(),
            corpus: PathBuf::new(),
            title: String::new(),
            formats: all_formats(),
            languages: <[String; 2]>::default(),
            inputs,
            older: BTreeMap::new(),
            files,
            incomplete: false,
            outputs: BTreeMap::new(),
            edited: BTreeSet::new(),
            states: BTreeMap::new(),
            jobs: BTreeMap::new(),
            index: BTreeMap::new(),
            documents: vec![],
            alignments: vec![],
            texts,
            about,
        }
    }

    /// The inputs on which every result depends: the program, its models, its list of works.
    pub fn of_everything(&self) -> impl Iterator<Item = &str> {
        let options = self.inputs.iter().filter(|(name, _)| name.starts_with("--"));
        let options = options.flat_map(|(name, hash)| [name.as_str(), hash.as_str()]);
        std::iter::once(self.program.as_str()).chain(options)
    }

    /// True if the build made documents of the text with this id.
    pub fn has_text(&self, id: &str) -> bool {
        self.documents_of(id).next().is_some()
    }

    /// The documents that the build made of the text with this id.
    pub fn documents_of(&self, id: &str) -> impl Iterator<Item = &BuiltText> {
        self.documents.iter().filter(move |d| match d.id.strip_prefix(id) {
            Some("") => true,
            Some(rest) => rest.strip_prefix('-').is_some_and(|n| n.parse::<u32>().is_ok()),
            None => false,
        })
    }

    /// The name of a file in this record, and the hash of what was read of it.
    pub fn read_of(&self, corpus: &Corpus, path: &Path) -> Option<(String, &str)> {
        let name = name(&corpus.root, path);
        let hash = self.inputs.get(&name).or_else(|| self.older.get(&name))?;
        Some((name, hash))
    }

    /// True if texts of a person's library were read with its own.
    pub fn used_a_library(&self) -> bool {
        self.inputs.contains_key(LIBRARY)
    }

    /// Takes an input out of the record.
    pub fn forget(&mut self, corpus: &Corpus, path: &Path) {
        self.inputs.remove(&name(&corpus.root, path));
    }

    /// The same, with the outputs in the folder `out`.
    pub fn with_outputs(
        mut self,
        out: &Path,
        outputs: BTreeMap<String, String>,
        jobs: BTreeMap<String, DoneJob>,
    ) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let settled = u64::try_from(now.saturating_sub(SETTLED).as_nanos()).unwrap_or(0);
        let state = |path: &String| {
            let state = FileState::of(&out.join(path))?;
            (state.modified? < settled).then(|| (path.clone(), state))
        };
        self.states = outputs.keys().filter_map(state).collect();
        (self.outputs, self.jobs) = (outputs, jobs);
        self
    }

    /// True if an output still has this hash. It is not read if its size and time are as the build
    /// left them.
    pub fn still_has(&self, out: &Path, path: &str, wanted: &str) -> bool {
        let file = out.join(path);
        let known = self.outputs.get(path).is_some_and(|hash| hash == wanted);
        let state = self.states.get(path).filter(|_| known);
        state.is_some_and(|state| FileState::of(&file).as_ref() == Some(state)) || is(&file, wanted)
    }

    /// The record of the last build; `None` also if it is damaged or in another format.
    ///
    /// # Errors
    /// When it exists but cannot be read.
    pub fn read(out: &Path) -> Result<Option<Self>, Error> {
        let path = path_in(out);
        match regular(&path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                Ok(None)
            }
            Err(e) => Err(Error::io(&path, "read", &e)),
        }
    }

    /// Writes the record.
    ///
    /// # Errors
    /// When that fails.
    pub fn write(&self, out: &Path) -> Result<(), Error> {
        let path = path_in(out);
        kept::make_folder(&out.join(FOLDER))?;
        let json = |w: &mut dyn io::Write| Ok(serde_json::to_writer(w, self)?);
        kept::put(&path, Durability::OnDisk, json).map_err(|e| Error::io(&path, "write", &e))?;
        Ok(())
    }

    /// Why what was made of this build's inputs is not what is made of those of `now`.
    pub fn differs(&self, now: &Stamp) -> Option<Reason> {
        if self.incomplete {
            return Some(Reason::NotEnded);
        }
        if !self.is_of_this_program() {
            return Some(Reason::Version);
        }
        let changed = now.inputs.iter();
        let changed = changed.filter(|(k, v)| self.inputs.get(*k).is_some_and(|o| o != *v));
        let changed = changed.map(|(k, _)| (InputChange::Changed, k));
        let new = now.inputs.keys().filter(|k| !self.inputs.contains_key(*k));
        let gone = self.inputs.keys().filter(|k| !now.inputs.contains_key(*k));
        let all = changed
            .chain(new.map(|k| (InputChange::New, k)))
            .chain(gone.map(|k| (InputChange::Gone, k)))
            .map(|(change, name)| (change, name.clone()))
            .collect::<Vec<_>>();
        if all.is_empty() { None } else { Some(Reason::Inputs(all)) }
    }

    /// Records the languages of the pages and of the report.
    pub fn in_languages(&mut self, of_both: [Language; 2]) {
        self.languages = of_both.map(|l| l.id().to_string());
    }

    /// True if the outputs of both are in the same languages.
    pub fn speaks_as(&self, now: &Stamp) -> bool {
        self.languages == now.languages
    }

    /// True if the running program made the build.
    pub fn is_of_this_program(&self) -> bool {
        self.program == program()
    }

    /// An output that was changed.
    pub fn damaged(&self, out: &Path) -> Option<Reason> {
        let (path, _) = self.outputs.iter().find(|(path, h)| !is(&out.join(path), h))?;
        let is_there = out.join(path).exists();
        Some(Reason::Output { path: out.join(path), is_there })
    }
}

/// True if the file's content has this hash.
pub fn is(path: &Path, wanted: &str) -> bool {
    // A pipe or device that somebody put there would never end.
    let is_file = fs::metadata(path).is_ok_and(|about| about.is_file());
    is_file && read_hash(path).is_ok_and(|hash| hash == wanted)
}

/// The hash of a file, which may be long.
///
/// # Errors
/// When it cannot be read.
pub fn read_hash(path: &Path) -> io::Result<String> {
    let mut hash = HashWriter::default();
    io::copy(&mut fs::File::open(path)?, &mut hash)?;
    Ok(in_hexadecimal(&hash.0.finalize()))
}

/// What an input is called in the record.
pub(super) fn name(root: &Path, path: &Path) -> String {
    let name = path.strip_prefix(root).unwrap_or(path);
    // Two names that are not UTF-8 may look the same.
    name.to_str().map_or_else(|| format!("{name:?}"), String::from)
}

/// True for a name that is not UTF-8, which does not lead back to its file.
pub(super) fn is_escaped(name: &str) -> bool {
    name.starts_with('"')
}

/// Version and hash of the program's code: another build of it may decide differently on the same
/// texts, and builds can share a version number.
fn program() -> String {
    format!("zhushu {} {}", env!("CARGO_PKG_VERSION"), env!("ZHUSHU_CODE"))
}
