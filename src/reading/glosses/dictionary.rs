//! A dictionary of the user: StarDict (`.ifo` with `.idx` and `.dict` or `.dict.dz` beside it), or
//! lines of a headword, a tab and text. None is shipped.

use std::fs;
use std::path::{Path, PathBuf};

use super::list::{folded, folded_chars};
use super::stardict::{self, DictionaryFault, StarDictEntries};

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
        let is_wanted =
            |headword: &str| !wanted.is_empty() && folded_chars(headword).eq(wanted.chars());
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A dictionary of two entries in a folder of its own.
    fn dictionary(types: &str, [first, second]: [&[u8]; 2], name: &str) -> Dictionary {
        let folder = std::env::temp_dir().join(format!("zhushu-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let bytes = |n: usize| u32::try_from(n).unwrap().to_be_bytes();
        let index = [
            "由\0".as_bytes(),
            &bytes(0),
            &bytes(first.len()),
            "純\0".as_bytes(),
            &bytes(first.len()),
            &bytes(second.len()),
        ];
        let synonyms = ["好\0".as_bytes(), &bytes(0), "纯\0".as_bytes(), &bytes(1)];
        let ifo = format!("StarDict's dict ifo file\nbookname=自\n{types}");
        fs::write(folder.join("a.ifo"), ifo).unwrap();
        fs::write(folder.join("a.idx"), index.concat()).unwrap();
        fs::write(folder.join("a.dict"), [first, second].concat()).unwrap();
        fs::write(folder.join("a.syn"), synonyms.concat()).unwrap();
        fs::write(folder.join("b.ifo"), "").unwrap();
        let dictionary = Dictionary::open(&folder).unwrap();
        let left_out: Vec<_> = dictionary.left_out().iter().filter_map(|p| p.file_name()).collect();
        assert_eq!(left_out, ["b.ifo"]);
        fs::remove_dir_all(&folder).unwrap();
        dictionary
    }

    fn texts(dictionary: &Dictionary, word: &str) -> Vec<String> {
        dictionary.entries_of(word).into_iter().map(|e| e.text).collect()
    }

    #[test]
    fn all_fields_of_text_are_kept() {
        let (first, second) = ("yóu\0從也".as_bytes(), "chún\0全也".as_bytes());
        let known = dictionary("sametypesequence=tm\n", [first, second], "known");
        assert_eq!(texts(&known, "由"), ["yóu\n從也"]);
        assert_eq!(texts(&known, "純"), ["chún\n全也"], "once, though a synonym fits too");
        assert_eq!(texts(&known, "好"), ["yóu\n從也"], "another form of the first word");
        let picture = "W\0\0\0\u{2}m\0tyóu\0h<b>從</b>也\0".as_bytes();
        let own = dictionary("", [picture, "m全也\0".as_bytes()], "own");
        assert_eq!(
            (texts(&own, "由"), texts(&own, "純")),
            (vec!["yóu\n從也".into()], vec!["全也".into()])
        );
    }
}
