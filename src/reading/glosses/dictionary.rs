//! A dictionary of the user: StarDict (`.ifo` with `.idx` and `.dict` or `.dict.dz` beside it), or
//! lines of a headword, a tab and text. None is shipped.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::list::folded;

/// The entries of a dictionary, by folded headword.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    name: String,
    entries: BTreeMap<String, Vec<(String, String)>>,
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
        let stem =
            |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            let mut files: Vec<_> = fs::read_dir(path)?.flatten().map(|e| e.path()).collect();
            files.sort();
            let ifo = files.iter().find(|f| f.extension().is_some_and(|e| e == "ifo"));
            let none = DictionaryFault::Form("there is no .ifo in this folder");
            return star_dict(ifo.ok_or(none)?);
        }
        if path.extension().is_some_and(|e| e == "ifo") {
            return star_dict(path);
        }
        let text = fs::read_to_string(path)?;
        let mut dictionary = Dictionary { name: stem(path), ..Dictionary::default() };
        for line in text.trim_start_matches('\u{FEFF}').lines().filter(|l| !l.starts_with('#')) {
            if let Some((word, words)) = line.split_once('\t') {
                dictionary.add(word, words.replace("\\n", "\n").replace('\t', " "));
            }
        }
        let none = DictionaryFault::Form("no line is a headword, a tab and text");
        if dictionary.entries.is_empty() { Err(none) } else { Ok(dictionary) }
    }

    fn add(&mut self, word: &str, text: String) {
        let own = (word.trim().to_string(), text.trim().to_string());
        self.entries.entry(folded(word)).or_default().push(own);
    }

    /// What it says of a word, in any script and variant.
    pub fn entries_of(&self, word: &str) -> Vec<OwnEntry> {
        let known = self.entries.get(&folded(word)).into_iter().flatten();
        known
            .map(|(headword, text)| OwnEntry {
                dictionary: self.name.clone(),
                headword: headword.clone(),
                text: text.clone(),
            })
            .collect()
    }
}

/// What an `.idx` without a zero or offsets outside the text of the dictionary is.
const DAMAGED: DictionaryFault = DictionaryFault::Form("its index is damaged");

fn star_dict(ifo: &Path) -> Result<Dictionary, DictionaryFault> {
    let about = fs::read_to_string(ifo)?;
    let said = |key: &str| {
        let mut values = about.lines().filter_map(|l| l.strip_prefix(key)?.strip_prefix('='));
        values.next().map(|v| v.trim().to_string())
    };
    if !about.trim_start_matches('\u{FEFF}').starts_with("StarDict's dict ifo file") {
        return Err(DictionaryFault::Form("this is no .ifo of StarDict"));
    }
    let offset_bytes = if said("idxoffsetbits").as_deref() == Some("64") { 8 } else { 4 };
    let types = said("sametypesequence");
    let beside = |ending: &str| ifo.with_extension(ending);
    let index = unpacked(&[beside("idx"), beside("idx.gz")])?;
    let texts = unpacked(&[beside("dict"), beside("dict.dz")])?;
    let name = said("bookname").unwrap_or_default();
    let mut dictionary = Dictionary { name, ..Dictionary::default() };
    let mut rest = &index[..];
    while !rest.is_empty() {
        let end = rest.iter().position(|b| *b == 0).ok_or(DAMAGED)?;
        let word = String::from_utf8_lossy(&rest[..end]).into_owned();
        let numbers = rest.get(end + 1..end + 1 + offset_bytes + 4).ok_or(DAMAGED)?;
        let number = |bytes: &[u8]| bytes.iter().fold(0usize, |n, b| n << 8 | usize::from(*b));
        let (from, length) = (number(&numbers[..offset_bytes]), number(&numbers[offset_bytes..]));
        let to = from.checked_add(length).ok_or(DAMAGED)?;
        let data = texts.get(from..to).ok_or(DAMAGED)?;
        dictionary.add(&word, text_of(data, types.as_deref()));
        rest = &rest[end + 1 + offset_bytes + 4..];
    }
    Ok(dictionary)
}

/// The first of these files that there is, unpacked. (`.dict.dz` is gzip with an index.)
fn unpacked(paths: &[std::path::PathBuf]) -> Result<Vec<u8>, DictionaryFault> {
    let none = DictionaryFault::Form("a file of StarDict is missing beside the .ifo");
    let path = paths.iter().find(|p| p.is_file()).ok_or(none)?;
    let bytes = fs::read(path)?;
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return Ok(bytes);
    }
    let mut plain = vec![];
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain)?;
    Ok(plain)
}

/// The text of an entry: that of its fields of text, without the tags of markup.
fn text_of(data: &[u8], types: Option<&str>) -> String {
    let (kind, data) = match types {
        Some(types) => (types.bytes().next().unwrap_or(b'm'), data),
        None => (data.first().copied().unwrap_or(b'm'), data.get(1..).unwrap_or_default()),
    };
    let end = data.iter().position(|b| *b == 0).unwrap_or(data.len());
    let text = String::from_utf8_lossy(&data[..end]).into_owned();
    match kind {
        b'h' | b'g' | b'x' => without_tags(&text),
        _ => text,
    }
}

fn without_tags(text: &str) -> String {
    let mut plain = String::new();
    for piece in text.split_inclusive('>') {
        let (words, tag) = piece.split_once('<').unwrap_or((piece, ""));
        plain.push_str(words);
        if ["br", "/p", "/div", "/li"].iter().any(|end| tag.starts_with(end)) {
            plain.push('\n');
        }
    }
    html_escape::decode_html_entities(&plain).into_owned()
}
