//! Loci: names of passages that people can cite, `yili.05.23.2` in short and
//! `urn:cts:zhushu:yili.05:23.2` in full.
//!
//! A locus counts sections and sentences of the classic, never bytes, so it stays valid after a new
//! run or a corrected character. A note, sub-commentary or label is named after the sentence it
//! follows and its layer: `yili.05.23.2.zhu`; a second one of the same layer there is `zhu2`, a
//! sentence inside it `zhu.3`, the lemma header of a sub-commentary `shu.0`. If notes interrupt a
//! sentence, its parts are `2a`, `2b`, and `2` is all of them.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use super::Layer;
use crate::source::Span;

/// Namespace of our URNs.
const NAMESPACE: &str = "urn:cts:zhushu:";

/// A sentence of the classic, or a part of one that is contiguous in this text, with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Sentence {
    /// Its text, up to the next sentence of the same segment.
    pub span: Span,
    /// Number of its section; 0 outside sections.
    pub section: u32,
    /// Number in the section, from 1.
    pub n: u32,
    /// The part of its sentence, from 1 (a); 0 for a whole sentence.
    pub part: u32,
}

impl Sentence {
    /// `2`, `2a`: the number in TEI and on pages.
    pub fn number(&self) -> String {
        self.name().to_string()
    }

    /// The same, not written out.
    pub(crate) fn name(&self) -> SentenceNumber {
        SentenceNumber { n: self.n, part: self.part }
    }
}

/// Number of a sentence, and which part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SentenceNumber {
    /// Number in the section, from 1; 0 for text before the first.
    pub n: u32,
    /// The part, from 1 (a); 0 for all of it.
    pub part: u32,
}

impl fmt::Display for SentenceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.n)?;
        let mut part = self.part;
        let mut letters = Vec::new();
        while part > 0 {
            letters.push((b'a' + ((part - 1) % 26) as u8) as char);
            part = (part - 1) / 26;
        }
        letters.iter().rev().try_for_each(|c| f.write_char(*c))
    }
}

impl FromStr for SentenceNumber {
    type Err = BadLocus;

    fn from_str(s: &str) -> Result<Self, BadLocus> {
        let digits = s.bytes().take_while(u8::is_ascii_digit).count();
        let letters = &s[digits..];
        if letters.len() > 3 || !letters.bytes().all(|b| b.is_ascii_lowercase()) {
            return Err(BadLocus(format!("“{s}” is not the number of a sentence")));
        }
        let part = letters.bytes().fold(0, |n, b| n * 26 + u32::from(b - b'a') + 1);
        Ok(SentenceNumber { n: number(&s[..digits])?, part })
    }
}

/// A note, sub-commentary, label or heading after a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NoteName {
    /// Its layer.
    pub layer: Layer,
    /// Its number among those of its layer after this sentence, from 1.
    pub nth: u32,
}

/// A place in a chapter: a section and, if given, a sentence in it, a note on the sentence, and a
/// sentence in the note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocusPath {
    /// Number of the section; 0 outside sections.
    pub section: u32,
    /// The sentence; none for the whole section.
    pub sentence: Option<SentenceNumber>,
    /// A note there; none for the classic with everything said about it.
    pub note: Option<NoteName>,
    /// A sentence of the note, from 1; 0 is the lemma header of a sub-commentary.
    pub inner: Option<u32>,
}

impl LocusPath {
    /// The passage of a sentence.
    pub fn sentence(section: u32, n: u32, part: u32) -> Self {
        LocusPath { section, sentence: Some(SentenceNumber { n, part }), note: None, inner: None }
    }

    /// True if `other` is this passage or inside it.
    pub fn holds(&self, other: &LocusPath) -> bool {
        let sentence = |s: SentenceNumber| {
            other.sentence.is_some_and(|o| o.n == s.n && (s.part == 0 || s.part == o.part))
        };
        self.section == other.section
            && self.sentence.is_none_or(sentence)
            && self.note.is_none_or(|n| other.note == Some(n))
            && self.inner.is_none_or(|n| other.inner == Some(n))
    }
}

impl fmt::Display for LocusPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.section)?;
        if let Some(s) = self.sentence {
            write!(f, ".{s}")?;
        }
        if let Some(NoteName { layer, nth }) = self.note {
            write!(f, ".{}", layer.id())?;
            if nth > 1 {
                write!(f, "{nth}")?;
            }
        }
        self.inner.map_or(Ok(()), |n| write!(f, ".{n}"))
    }
}

impl FromStr for LocusPath {
    type Err = BadLocus;

    fn from_str(s: &str) -> Result<Self, BadLocus> {
        let mut parts = s.split('.').peekable();
        let section = number(parts.next().unwrap_or_default())?;
        let sentence = parts
            .next_if(|p| p.starts_with(|c: char| c.is_ascii_digit()))
            .map(str::parse)
            .transpose()?;
        let note = parts.next().map(note).transpose()?;
        let inner = parts.next().map(number).transpose()?;
        match parts.next() {
            Some(more) => Err(BadLocus(format!(
                "“.{more}” is too much: a locus ends with a sentence of a note"
            ))),
            None if note.is_some() && sentence.is_none() => {
                Err(BadLocus(format!("“{s}” names a note, but not the sentence it is on")))
            }
            None => Ok(LocusPath { section, sentence, note, inner }),
        }
    }
}

/// `zhu`, `注2`.
fn note(name: &str) -> Result<NoteName, BadLocus> {
    let layer = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let nth = if layer.len() < name.len() { number(&name[layer.len()..])? } else { 1 };
    let layer = layer.parse().map_err(|_| BadLocus(format!("“{layer}” is not a layer")))?;
    Ok(NoteName { layer, nth })
}

fn number(s: &str) -> Result<u32, BadLocus> {
    s.parse().map_err(|_| BadLocus(format!("“{s}” is not a number")))
}

/// The work and chapter that a locus is in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextName {
    /// Short key of the work (`yili`), or the document's id if the work is not known.
    pub work: String,
    /// Number of the chapter in the work; 0 if the text has none.
    pub chapter: u32,
}

impl fmt::Display for TextName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.work, self.chapter)
    }
}

/// A passage of a chapter, a range of them, or the whole chapter.
///
/// ```
/// use zhushu::model::Locus;
/// let locus: Locus = "yili.5.23.2.注".parse().unwrap();
/// assert_eq!(locus.to_string(), "yili.05.23.2.zhu");
/// assert_eq!(locus.urn(None), "urn:cts:zhushu:yili.05:23.2.zhu");
/// assert_eq!("urn:cts:zhushu:yili.05:23.2-4".parse::<Locus>().unwrap().to_string(), "yili.05.23.2-23.4");
/// assert!("yili".parse::<Locus>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Locus {
    /// Work and chapter.
    pub text: TextName,
    /// The passage, or the first of a range; none for the whole chapter.
    pub from: Option<LocusPath>,
    /// The last of a range.
    pub to: Option<LocusPath>,
    /// Id of the document, if one witness is meant.
    pub version: Option<String>,
}

impl Locus {
    /// A single passage.
    pub fn of(text: TextName, passage: LocusPath) -> Self {
        Locus { text, from: Some(passage), to: None, version: None }
    }

    /// The locus as a CTS URN; with the id of a document, the URN in that witness.
    pub fn urn(&self, version: Option<&str>) -> String {
        let version = version
            .or(self.version.as_deref())
            .map(|v| format!(".{}", slug(v)))
            .unwrap_or_default();
        format!("{NAMESPACE}{}{version}:{}", self.text, self.passage())
    }

    /// The part after work and chapter.
    pub fn passage(&self) -> String {
        match (self.from, self.to) {
            (Some(a), Some(b)) => format!("{a}-{b}"),
            (Some(a), None) => a.to_string(),
            _ => String::new(),
        }
    }
}

impl fmt::Display for Locus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)?;
        if self.from.is_some() { write!(f, ".{}", self.passage()) } else { Ok(()) }
    }
}

/// `words` in a form that URNs and loci allow: letters, digits and hyphens.
pub(crate) fn slug(words: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
    words.chars().map(kept).collect()
}

/// Why something is not a locus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLocus(pub String);

impl fmt::Display for BadLocus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadLocus {}

impl FromStr for Locus {
    type Err = BadLocus;

    fn from_str(s: &str) -> Result<Self, BadLocus> {
        let (text, passage, version) = match s.strip_prefix("urn:") {
            Some(_) => {
                let rest = s
                    .strip_prefix(NAMESPACE)
                    .ok_or_else(|| BadLocus(format!("a URN of ours begins with {NAMESPACE}")))?;
                let (work, passage) = rest.split_once(':').unwrap_or((rest, ""));
                let mut parts = work.splitn(3, '.');
                let text = text_name(parts.next(), parts.next())?;
                (text, passage, parts.next().map(str::to_string))
            }
            None => {
                let mut parts = s.splitn(3, '.');
                (text_name(parts.next(), parts.next())?, parts.next().unwrap_or_default(), None)
            }
        };
        let (from, to) = range(passage, &text)?;
        Ok(Locus { text, from, to, version })
    }
}

fn text_name(work: Option<&str>, chapter: Option<&str>) -> Result<TextName, BadLocus> {
    match (work.filter(|w| !w.is_empty()), chapter) {
        (Some(work), Some(chapter)) => {
            Ok(TextName { work: work.to_string(), chapter: number(chapter)? })
        }
        _ => Err(BadLocus("a locus names a work and a chapter at least".into())),
    }
}

/// `23.2`, `23.2-23.4`, `23.2-4`; the end may repeat work and chapter.
fn range(
    passage: &str,
    text: &TextName,
) -> Result<(Option<LocusPath>, Option<LocusPath>), BadLocus> {
    if passage.is_empty() {
        return Ok((None, None));
    }
    let Some((a, b)) = passage.split_once(['-', '–', '~']) else {
        return Ok((Some(passage.parse()?), None));
    };
    let from: LocusPath = a.parse()?;
    let b = b.strip_prefix(&format!("{text}.")).unwrap_or(b);
    let to = match (b.contains('.'), from.sentence) {
        (false, Some(_)) => {
            LocusPath { sentence: Some(b.parse()?), note: None, inner: None, ..from }
        }
        _ => b.parse()?,
    };
    Ok((Some(from), Some(to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_locus_is_parsed_again() {
        for s in [
            "yili.05",
            "yili.05.23",
            "yili.05.23.2",
            "yili.05.0.12b",
            "yili.05.3.2.zhu",
            "yili.05.3.2.zhu2.4",
            "a-b.00.1.1ab",
            "yili.05.3.2-4.1",
        ] {
            let locus: Locus = s.parse().unwrap_or_else(|e| panic!("{s}: {e}"));
            assert_eq!(locus.to_string(), s);
            assert_eq!(locus.urn(None).parse(), Ok(locus));
        }
        let whole: Locus = "yili.05".parse().unwrap();
        assert_eq!(whole.urn(None), "urn:cts:zhushu:yili.05:");
        let one: Locus = "urn:cts:zhushu:yili.05.yili-05-zhushu:2.1".parse().unwrap();
        assert_eq!(one.version.as_deref(), Some("yili-05-zhushu"));
    }

    #[test]
    fn a_text_that_is_not_a_locus_is_refused_with_a_reason() {
        for s in [
            "",
            "yili",
            "yili.x",
            "yili.5.a",
            "yili.5.1.2.klingon",
            "yili.5.1.2.zhu.1.1",
            "yili.5.1.zhu",
            "urn:isbn:1",
            "yili.5.1.2-",
            ".5.1",
        ] {
            assert!(s.parse::<Locus>().is_err(), "{s}");
        }
    }

    #[test]
    fn a_passage_contains_its_sentences_and_notes() {
        let p = |s: &str| s.parse::<LocusPath>().unwrap();
        for (a, b, holds) in [
            ("3", "3.2.zhu", true),
            ("3.2", "3.2b", true),
            ("3.2b", "3.2", false),
            ("3.2", "3.2.zhu.4", true),
            ("3.2.zhu", "3.2", false),
            ("3.2", "3.20", false),
            ("3.2.zhu", "3.2.zhu2", false),
        ] {
            assert_eq!(p(a).holds(&p(b)), holds, "{a} {b}");
        }
    }
}
