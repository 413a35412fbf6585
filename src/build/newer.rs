//! What changed in a corpus since its build, for commands that read only the index: to open the
//! corpus they would need the list of works, which a search does not load.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::stamp::{InputChange, Reason, hash_of, is_escaped, name, path_in};
use crate::corpus::MANIFEST;
use crate::corrections;
use crate::shelf::inventory::FileState;

/// The parts of the record of a build that say what it read.
#[derive(Deserialize)]
struct Sources {
    #[serde(default)]
    corpus: PathBuf,
    inputs: BTreeMap<String, String>,
    #[serde(default)]
    files: BTreeMap<String, FileState>,
}

/// Files that the build in a folder read and that changed since, or are gone; `None` if none did,
/// or if nothing is known of it; and decisions and a manifest that are new. A file with the size
/// and time of before is not read, and texts that are new are not looked for.
pub fn changed_files(out: &Path) -> Option<Reason> {
    let record = BufReader::new(File::open(path_in(out)).ok()?);
    let Sources { corpus, inputs, files } = serde_json::from_reader(record).ok()?;
    let corpus = out.join(corpus);
    let root = match corpus.is_dir() {
        true => &*corpus,
        // A copy of an edition may be where there is no corpus.
        false => corpus.parent().filter(|_| corpus.is_file())?,
    };
    let change = |(name, state): (&String, &FileState)| {
        // What could not be read is in the build as it was before.
        let hash = inputs.get(name)?;
        let path = root.join(name);
        let now = FileState::of(&path);
        if now.as_ref() == Some(state) || is_escaped(name) {
            return None;
        }
        match now {
            None => Some((InputChange::Gone, name.clone())),
            Some(_) => (hash_of(&path) != *hash).then(|| (InputChange::Changed, name.clone())),
        }
    };
    let mut changes: Vec<_> = files.iter().filter_map(change).collect();
    let texts = files.keys().filter(|name| !is_escaped(name)).map(|name| root.join(name));
    let manifest = corpus.is_dir().then(|| corpus.join(MANIFEST)).filter(|path| path.is_file());
    let beside = texts.flat_map(|text| corrections::files_of(&text)).chain(manifest);
    let names: BTreeSet<String> = beside.map(|path| name(root, &path)).collect();
    let new = names.into_iter().filter(|name| !inputs.contains_key(name));
    changes.extend(new.map(|name| (InputChange::New, name)));
    (!changes.is_empty()).then_some(Reason::Inputs(changes))
}
