//! A dictionary of the user: StarDict (`.ifo` with `.idx` and `.dict` or `.dict.dz` beside it), or
//! lines of a headword, a tab and text. None is shipped.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::list::{folded, folded_chars};
use super::stardict::{self, StarDictEntries};

/// A dictionary.
#[derive(Clone, Debug)]
pub struct Dictionary {
    name: String,
    entries: DictionaryEntries,
    left_out: Vec<PathBuf>,
}

#[derive(Clone, Debug)]
enum DictionaryEntries {
    /// Headword and text of each line.
    Lines(Vec<(String, String)>),
    StarDict(StarDictEntries),
}

/// What a dictionary of the user says of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnEntry {
    /// Name of the dictionary.
    pub dictionary: String,
    /// The word as it is there.
    pub headword: String,
    /// What is said of it.
    pub text: String,
}

/// Why a dictionary cannot be read.
#[derive(Debug)]
pub enum DictionaryFault {
    /// One of its files cannot be read.
    Io(io::Error),
    /// It is none.
    Form(&'static str),
}

impl fmt::Display for DictionaryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DictionaryFault::Io(e) => e.fmt(f),
            DictionaryFault::Form(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for DictionaryFault {}

impl From<io::Error> for DictionaryFault {
    fn from(e: io::Error) -> Self {
        DictionaryFault::Io(e)
    }
}

impl Dictionary {
    /// Reads a dictionary: a `.ifo` of StarDict or the folder that it is in, else lines.
    ///
    /// # Errors
    /// When it cannot be read, or is none.
    pub fn open(path: &Path) -> Result<Self, DictionaryFault> {
        if path.is_dir() {
            let mut files: Vec<_> = fs::read_dir(path)?.flatten().map(|e| e.path()).collect();
            files.retain(|f| f.extension().is_some_and(|e| e == "ifo"));
            files.sort();
            let mut files = files.into_iter();
            let none = DictionaryFault::Form("there is no .ifo in this folder");
            let (name, entries) = stardict::open(&files.next().ok_or(none)?)?;
            let entries = DictionaryEntries::StarDict(entries);
            return Ok(Dictionary { name, entries, left_out: files.collect() });
        }
        if path.extension().is_some_and(|e| e == "ifo") {
            let (name, entries) = stardict::open(path)?;
            let entries = DictionaryEntries::StarDict(entries);
            return Ok(Dictionary { name, entries, left_out: vec![] });
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(path)?;
        let text = text.trim_start_matches('\u{FEFF}');
        let lines = text.lines().filter(|l| !l.starts_with('#')).filter_map(|line| {
            let (word, words) = line.split_once('\t')?;
            Some((word.trim().to_string(), words.replace("\\n", "\n").replace('\t', " ")))
        });
        let lines: Vec<_> = lines.collect();
        if lines.is_empty() {
            return Err(DictionaryFault::Form("no line is a headword, a tab and text"));
        }
        Ok(Dictionary { name, entries: DictionaryEntries::Lines(lines), left_out: vec![] })
    }

    /// Other dictionaries in its folder, which were not read.
    pub fn left_out(&self) -> &[PathBuf] {
        &self.left_out
    }

    /// What it says of a word, in any script and variant.
    pub fn entries_of(&self, word: &str) -> Vec<OwnEntry> {
        let wanted = folded(word);
        let is_wanted = |headword: &str| folded_chars(headword).eq(wanted.chars());
        let found = match &self.entries {
            DictionaryEntries::Lines(lines) => {
                lines.iter().filter(|(headword, _)| is_wanted(headword)).cloned().collect()
            }
            DictionaryEntries::StarDict(entries) => entries.of(&is_wanted),
        };
        let own = |(headword, text): (String, String)| OwnEntry {
            dictionary: self.name.clone(),
            headword,
            text: text.trim().to_string(),
        };
        found.into_iter().map(own).collect()
    }
}
