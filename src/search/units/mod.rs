//! The units of a document for searching: each has one layer and a 節; they are in reading order,
//! layer by layer.
//!
//! A **unit** is what an answer is about: a passage of the classic between two notes, one note, one
//! paragraph of a sub-commentary, one side of a bead of a translation. The classic and a
//! translation *continue* from unit to unit, so that a query is found across an interrupting note;
//! every other unit ends in a break that no answer crosses. A **節** (group) is the classic and its
//! notes, up to and including the 疏 that explains them.

mod extract;
mod laid;
mod names;
mod readings;
mod speeches;

use serde::{Deserialize, Serialize};

use super::store::varint::{Numbers, put, put_signed};
use crate::model::{Certainty, Layer};
use crate::source::Span;

/// True for layers whose units continue in the next.
pub(crate) use crate::reading::has_sentences as runs_on;
pub(crate) use extract::{Extract, extract, key_of};
pub(crate) use laid::{INTERRUPTED, Laid, around};
pub(crate) use names::{IndexedName, UnitNames};
pub(crate) use readings::other_forms;
pub(crate) use speeches::{UnitSpeech, UnitSpeeches};

/// A stretch of one segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnitPart {
    /// Number in the segment's id (`z12`); 0 if it has none.
    pub(crate) segment: u32,
    /// Number of its first element in the segment, from 1; 0 in layers with one element for each
    /// segment.
    pub(crate) sentence: u32,
    /// Where its elements (sentences) begin, in order, and their loci; the first may begin before
    /// it. Empty in layers with one element for each segment.
    pub(crate) elements: Vec<SentenceStart>,
    /// The locus of a note.
    pub(crate) cited: Option<Cited>,
    /// Where it is.
    pub(crate) span: Span,
    /// Marks inside it.
    pub(crate) marks: Vec<Span>,
}

/// A sentence of the classic or a translation, as in TEI and on pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SentenceStart {
    /// First byte.
    pub(crate) at: u32,
    /// Its number, if it has one.
    pub(crate) ju: Option<CitedSentence>,
}

/// Number of a section, of a sentence in it, and of a part of that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CitedSentence {
    pub(crate) section: u32,
    pub(crate) n: u32,
    pub(crate) part: u32,
}

/// The locus of a note: the sentence before it, its number among the notes of its layer there, and
/// how many of its sentences are in earlier segments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cited {
    pub(crate) section: u32,
    pub(crate) n: u32,
    pub(crate) nth: u32,
    pub(crate) before: u32,
}

/// A unit. See the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unit {
    /// Layer.
    pub(crate) layer: Layer,
    /// Its kind within its layer.
    pub(crate) sub: Option<Layer>,
    /// In order; there are several if text of another layer is between them that does not end the
    /// unit.
    pub(crate) parts: Vec<UnitPart>,
    /// Certainty of the layer.
    pub(crate) certainty: Certainty,
    /// Number of its 節 in the document.
    pub(crate) group: u32,
    /// What it translates: document (index into [`DocMeta::targets`]) and span.
    pub(crate) targets: Vec<(u32, Span)>,
    /// The first and last locus of the spans of the first target.
    pub(crate) renders: Option<(CitedSentence, CitedSentence)>,
    /// How many characters, without punctuation; at least 1.
    pub(crate) len: u32,
}

impl Unit {
    /// First byte.
    pub(crate) fn start(&self) -> usize {
        self.parts.first().map_or(0, |p| p.span.start())
    }
}

/// A unit of an index with its place.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// Number in its file.
    pub(crate) n: u32,
    /// Number of its document in the file.
    pub(crate) doc: u32,
    /// Position of its first character.
    pub(crate) first: u32,
    /// It is followed by a break.
    pub(crate) ends_run: bool,
    /// The unit.
    pub(crate) unit: Unit,
}

impl Placed {
    /// One past the position of its last character.
    pub(crate) fn end(&self) -> u32 {
        self.first + self.unit.len
    }
}

/// Who wrote a layer, by the names in the manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Author {
    pub(crate) layer: String,
    pub(crate) key: String,
    pub(crate) name: String,
}

/// A document that is translated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TranslatedText {
    pub(crate) id: String,
    /// The first part of its loci: `yili.05`.
    pub(crate) text: String,
}

/// What is known about a document, for filters and loci.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct DocMeta {
    pub(crate) id: String,
    pub(crate) file: String,
    pub(crate) title: String,
    pub(crate) work: Option<String>,
    pub(crate) work_key: Option<String>,
    pub(crate) chapter: Option<String>,
    pub(crate) siglum: Option<String>,
    pub(crate) edition: Option<String>,
    pub(crate) authors: Vec<Author>,
    /// Whose words its notes report. In the JSON are only the names.
    #[serde(skip)]
    pub(crate) speeches: UnitSpeeches,
    /// Whom and what the source marks.
    #[serde(skip)]
    pub(crate) marked: UnitNames,
    /// Its sections; not in the JSON, since most queries do not need them.
    #[serde(skip)]
    pub(crate) sections: Beginnings,
    /// The leaves of its print, by their names (see [`Leaf::name`](crate::reading::Leaf::name)).
    #[serde(skip)]
    pub(crate) leaves: Beginnings,
    pub(crate) targets: Vec<TranslatedText>,
    /// The first part of its loci.
    pub(crate) text: String,
}

/// Names of what begins in a text (sections, leaves), and where, packed: the distance from the one
/// before, the name's length, the name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Beginnings(Vec<u8>);

impl Beginnings {
    /// What begins, in the order of the text.
    pub(crate) fn of(all: impl Iterator<Item = (usize, impl AsRef<str>)>) -> Self {
        let (mut bytes, mut last) = (vec![], 0);
        for (at, name) in all {
            put_signed(&mut bytes, at as i64 - last as i64);
            put(&mut bytes, name.as_ref().len() as u64);
            bytes.extend_from_slice(name.as_ref().as_bytes());
            last = at;
        }
        Beginnings(bytes)
    }

    /// The name of what byte `at` is in.
    pub(crate) fn name(&self, at: usize) -> Option<&str> {
        let (mut rest, mut begin, mut found) = (&self.0[..], 0i64, None);
        while !rest.is_empty() {
            let mut n = Numbers::new(rest);
            begin += n.next_signed()?;
            let length = usize::try_from(n.next()?).ok()?;
            let name = rest.get(n.at()..n.at().checked_add(length)?)?;
            if begin > at as i64 {
                break;
            }
            found = Some(name);
            rest = &rest[n.at() + length..];
        }
        std::str::from_utf8(found?).ok()
    }
}

impl DocMeta {
    /// All of it, in the form stored in the index: the length of the JSON, the JSON, the same of
    /// the names of speakers, the sections, the leaves, the marked names and their places, then the
    /// speeches.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let json = serde_json::to_vec(self).unwrap_or_default();
        let names = serde_json::to_vec(&self.speeches.names).unwrap_or_default();
        let marked = serde_json::to_vec(&self.marked.names).unwrap_or_default();
        let (mut bytes, mut places) = (vec![], vec![]);
        speeches::pack(&self.marked.all, &mut places);
        for part in [&json, &names, &self.sections.0, &self.leaves.0, &marked, &places] {
            put(&mut bytes, part.len() as u64);
            bytes.extend_from_slice(part);
        }
        speeches::pack(&self.speeches.all, &mut bytes);
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let mut part = || {
            let mut n = Numbers::new(rest);
            let length = usize::try_from(n.next()?).ok()?;
            let end = n.at().checked_add(length)?;
            let part = rest.get(n.at()..end)?;
            rest = &rest[end..];
            Some(part)
        };
        let mut meta: DocMeta = serde_json::from_slice(part()?).ok()?;
        let names = serde_json::from_slice(part()?).ok()?;
        meta.sections = Beginnings(part()?.to_vec());
        meta.leaves = Beginnings(part()?.to_vec());
        meta.marked.names = serde_json::from_slice(part()?).ok()?;
        meta.marked.all = speeches::unpack(part()?)?;
        meta.speeches = UnitSpeeches { names, all: speeches::unpack(rest)? };
        Some(meta)
    }

    /// Work and chapter, or the title of the text: 儀禮・鄉射禮.
    pub(crate) fn text_name(&self) -> String {
        match (&self.work, &self.chapter) {
            (Some(work), Some(chapter)) => format!("{work}・{chapter}"),
            (Some(name), None) | (None, Some(name)) => name.clone(),
            (None, None) => self.title.clone(),
        }
    }

    /// Who wrote a layer.
    pub(crate) fn by(&self, layer: Layer) -> Option<&Author> {
        self.authors.iter().find(|a| a.layer == layer.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::NameKind;

    #[test]
    fn sections_and_leaves_are_found_by_where_they_begin() {
        let said = |(unit, from, to)| UnitSpeech { unit, from, to, who: 0 };
        let meta = DocMeta {
            id: "a".into(),
            sections: Beginnings::of([(3, "取矢"), (500, ""), (501, "獻")].into_iter()),
            leaves: Beginnings::of([(9, "SBCK 6-1a")].into_iter()),
            speeches: UnitSpeeches {
                names: vec!["馬融".into()],
                all: [(2, 0, 9), (7, 1, 4)].map(said).into(),
            },
            marked: UnitNames {
                names: vec![IndexedName(NameKind::Place, "高密".into(), vec![])],
                all: [(1, 2, 4), (3, 0, 2)].map(said).into(),
            },
            ..DocMeta::default()
        };
        let again = DocMeta::from_bytes(&meta.to_bytes()).unwrap();
        assert_eq!(again, meta);
        let titles = [0, 3, 499, 500, 501, 9999].map(|at| again.sections.name(at));
        assert_eq!(titles, [None, Some("取矢"), Some("取矢"), Some(""), Some("獻"), Some("獻")]);
        assert_eq!(DocMeta::from_bytes(&[0xFF; 9]), None);
    }
}
