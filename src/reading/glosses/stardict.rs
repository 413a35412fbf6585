//! The files of a dictionary of StarDict. It is checked as a whole when it is opened; the text of
//! an entry is made only of those that are asked for.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What an `.idx` without a zero or offsets outside the text of the dictionary is.
const DAMAGED: DictionaryFault = DictionaryFault::Form("its index is damaged");
/// What packed files may become: a small one can be made that unpacks without end.
const MAX_UNPACKED: u64 = 64 << 20;

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

/// The files, unpacked.
#[derive(Clone, Debug)]
pub(super) struct StarDictEntries {
    index: Vec<u8>,
    texts: Vec<u8>,
    synonyms: Vec<u8>,
    offset_bytes: usize,
    types: Option<String>,
}

/// An entry of the index: the headword, and where its data are.
type IndexEntry<'a> = (&'a [u8], &'a [u8]);

/// Name and entries of the dictionary of a `.ifo`.
pub(super) fn open(ifo: &Path) -> Result<(String, StarDictEntries), DictionaryFault> {
    let about = fs::read_to_string(ifo)?;
    let said = |key: &str| {
        let mut values = about.lines().filter_map(|l| l.strip_prefix(key)?.strip_prefix('='));
        values.next().map(|v| v.trim().to_string())
    };
    if !about.trim_start_matches('\u{FEFF}').starts_with("StarDict's dict ifo file") {
        return Err(DictionaryFault::Form("this is no .ifo of StarDict"));
    }
    let missing = DictionaryFault::Form("a file of StarDict is missing beside the .ifo");
    let beside = |endings: [&str; 2]| {
        let mut paths = endings.into_iter().map(|ending| ifo.with_extension(ending));
        paths.find(|p| p.is_file())
    };
    let (index, texts) =
        beside(["idx", "idx.gz"]).zip(beside(["dict", "dict.dz"])).ok_or(missing)?;
    let entries = StarDictEntries {
        index: unpacked(&index)?,
        texts: unpacked(&texts)?,
        synonyms: beside(["syn", "syn.dz"]).map_or(Ok(vec![]), |path| unpacked(&path))?,
        offset_bytes: if said("idxoffsetbits").as_deref() == Some("64") { 8 } else { 4 },
        types: said("sametypesequence"),
    };
    entries.index().try_for_each(|entry| entry.map(|_| ()).ok_or(DAMAGED))?;
    entries.synonyms().try_for_each(|synonym| synonym.map(|_| ()).ok_or(DAMAGED))?;
    Ok((said("bookname").unwrap_or_default(), entries))
}

/// A file, unpacked if it is packed. (`.dict.dz` is gzip with an index.)
fn unpacked(path: &PathBuf) -> Result<Vec<u8>, DictionaryFault> {
    let bytes = fs::read(path)?;
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return Ok(bytes);
    }
    let mut plain = vec![];
    let packed = flate2::read::MultiGzDecoder::new(&bytes[..]);
    packed.take(MAX_UNPACKED + 1).read_to_end(&mut plain)?;
    let is_long = plain.len() as u64 > MAX_UNPACKED;
    let too_long = "unpacked it has more than 64 MiB; unpack the .dz or .gz yourself";
    if is_long { Err(DictionaryFault::Form(too_long)) } else { Ok(plain) }
}

impl StarDictEntries {
    /// Headword and text of the entries whose headword, or another form of it, is wanted.
    pub(super) fn of(&self, is_wanted: &dyn Fn(&str) -> bool) -> Vec<(String, String)> {
        let is_wanted = |word: &[u8]| is_wanted(&String::from_utf8_lossy(word));
        let synonyms = self.synonyms().flatten().filter(|(form, _)| is_wanted(form));
        let numbers: BTreeSet<usize> = synonyms.map(|(_, n)| n).collect();
        let all = self.index().flatten().enumerate();
        all.filter(|(n, (word, _))| numbers.contains(n) || is_wanted(word))
            .map(|(_, (word, data))| {
                let word = String::from_utf8_lossy(word).trim().to_string();
                (word, text_of(data, self.types.as_deref()))
            })
            .collect()
    }

    /// The index; where it is damaged comes `None`, and it ends.
    fn index(&self) -> impl Iterator<Item = Option<IndexEntry<'_>>> {
        let of_numbers = self.offset_bytes + 4;
        records(&self.index, of_numbers).map(move |record| {
            let (word, numbers) = record?;
            let (from, length) = numbers.split_at(self.offset_bytes);
            let from = number(from);
            Some((word, self.texts.get(from..from.checked_add(number(length))?)?))
        })
    }

    /// Other forms, each with the number of an entry of the index.
    fn synonyms(&self) -> impl Iterator<Item = Option<(&[u8], usize)>> {
        records(&self.synonyms, 4).map(|record| record.map(|(form, n)| (form, number(n))))
    }
}

/// Words that end with a zero, each with so many bytes after it.
fn records(mut rest: &[u8], bytes: usize) -> impl Iterator<Item = Option<(&[u8], &[u8])>> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let all = std::mem::take(&mut rest);
        let record = || {
            let end = all.iter().position(|b| *b == 0)?;
            let to = end + 1 + bytes;
            Some(((&all[..end], all.get(end + 1..to)?), &all[to..]))
        };
        let found = record();
        rest = found.map_or(&[], |(_, after)| after);
        Some(found.map(|(record, _)| record))
    })
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |n, b| n << 8 | usize::from(*b))
}

/// The text of an entry: that of its fields of text, each in lines of its own, without the tags of
/// markup. Sounds and pictures are left out.
fn text_of(mut data: &[u8], types: Option<&str>) -> String {
    let mut texts: Vec<String> = vec![];
    let mut known = types.filter(|t| !t.is_empty()).map(|types| types.bytes());
    while !data.is_empty() {
        let (kind, is_last) = match &mut known {
            Some(types) => {
                let Some(kind) = types.next() else { break };
                (kind, types.len() == 0)
            }
            None => {
                let kind = data[0];
                data = &data[1..];
                (kind, false)
            }
        };
        let (field, rest) = field(data, kind, is_last);
        let text = String::from_utf8_lossy(field);
        match kind {
            b'm' | b'l' | b't' | b'y' | b'w' | b'n' => texts.push(text.into_owned()),
            b'h' | b'g' | b'x' | b'k' => texts.push(without_tags(&text)),
            _ => {}
        }
        data = rest;
    }
    texts.retain(|text| !text.trim().is_empty());
    texts.join("\n")
}

/// A field, and what is after it: up to a zero, or with a size before it if its type is a capital.
/// The last of known types has neither.
fn field(data: &[u8], kind: u8, is_last: bool) -> (&[u8], &[u8]) {
    if kind.is_ascii_uppercase() && !is_last {
        let (size, rest) = data.split_at(data.len().min(4));
        return rest.split_at(number(size).min(rest.len()));
    }
    let end = data.iter().position(|b| *b == 0).unwrap_or(data.len());
    (&data[..end], data.get(end + 1..).unwrap_or_default())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_indexes_end() {
        assert_eq!(records(b"a\0\0", 8).collect::<Vec<_>>(), [None]);
        assert_eq!(text_of(b"W\xFF\xFF\xFF\xFFx", None), "");
    }
}
