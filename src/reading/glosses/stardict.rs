//! The files of a dictionary of StarDict. It is checked as a whole when it is opened; the text of an
//! entry is made only of those that are asked for.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::dictionary::DictionaryFault;

/// What an `.idx` without a zero or offsets outside the text of the dictionary is.
const DAMAGED: DictionaryFault = DictionaryFault::Form("its index is damaged");
/// What packed files may become: a small one can be made that unpacks without end.
const MAX_UNPACKED: u64 = 64 << 20;

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
    let (index, texts) = beside(["idx", "idx.gz"]).zip(beside(["dict", "dict.dz"])).ok_or(missing)?;
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
    use super::super::Dictionary;
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
        assert_eq!((texts(&own, "由"), texts(&own, "純")), (vec!["yóu\n從也".into()], vec!["全也".into()]));
    }

    #[test]
    fn damaged_indexes_end() {
        assert_eq!(records(b"a\0\0", 8).collect::<Vec<_>>(), [None]);
        assert_eq!(text_of(b"W\xFF\xFF\xFF\xFFx", None), "");
    }
}
