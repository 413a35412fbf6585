//! A place of a document in the words that a person quoted.

use std::fmt::Display;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::Document;
use crate::source::Span;
use crate::text::find::{find_all, find_within};
use crate::text::{Key, class};

/// A place of a document by its words, so that it is found again when the document changes.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct QuotedPlace {
    /// Id of the document; `None` for the one that refers.
    pub doc: Option<String>,
    /// Words before it.
    pub before: String,
    /// Its words; of many, the first.
    pub at: String,
    /// The last of many words.
    pub until: Option<String>,
    /// Words after it.
    pub after: String,
}

/// What an id cannot have as it is: the sign after it, blanks, and the sign of this encoding.
const IN_IDS: &AsciiSet = &CONTROLS.add(b':').add(b' ').add(b'%');

/// Of so many characters of a quoted place one may differ.
const ONE_DIFFERS_OF: usize = 6;

impl QuotedPlace {
    /// Its words, for a person.
    pub fn words(&self) -> String {
        let until = self.until.as_deref().map_or(String::new(), |until| format!("…{until}"));
        format!("“{}{until}”", self.at)
    }

    /// As `ID:before【at…until】after`; without an id, a place of the same document.
    pub(super) fn text(&self) -> String {
        // Brackets of the text are no characters of its words.
        let words = |words: &str| words.replace(['【', '】', '…', '\n'], "");
        let id = self.doc.as_deref().unwrap_or_default();
        let until = self.until.as_deref().map_or(String::new(), |u| format!("…{}", words(u)));
        let (before, at, after) = (words(&self.before), words(&self.at), words(&self.after));
        format!("{}:{before}【{at}{until}】{after}", encoded_id(id))
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let (id, words) = text.split_once(':')?;
        let (before, rest) = words.split_once('【')?;
        let (at, after) = rest.split_once('】')?;
        let (at, until) = at.split_once('…').map_or((at, None), |(at, until)| (at, Some(until)));
        let id = decoded_id(id)?;
        let has_words = |words: &str| words.chars().any(class::is_content);
        (has_words(at) && until.is_none_or(has_words)).then(|| QuotedPlace {
            doc: (!id.is_empty()).then_some(id),
            before: before.into(),
            at: at.into(),
            until: until.map(str::to_string),
            after: after.into(),
        })
    }

    /// Where it is in a document, if that is clear: exactly, else with some characters different.
    pub fn place_in(&self, document: &Document) -> Option<Span> {
        let key = Key::of(document.source.text(), document.source.span());
        let folded = |words: &str| Key::of(words, Span::new(0, words.len())).chars;
        let [before, at, after] = [&self.before, &self.at, &self.after].map(|w| folded(w));
        let Some(until) = &self.until else {
            let (from, to) = within(&key, &before, &at, &after)?;
            return Some(key.span(from, to));
        };
        let (from, _) = within(&key, &before, &at, &[])?;
        let (_, to) = within(&key, &[], &folded(until), &after)?;
        (from < to).then(|| key.span(from, to))
    }
}

/// An id as a decision has it.
pub(super) fn encoded_id(id: &str) -> impl Display {
    utf8_percent_encode(id, IN_IDS)
}

/// The id that a decision has so.
pub(super) fn decoded_id(text: &str) -> Option<String> {
    Some(percent_decode_str(text.trim()).decode_utf8().ok()?.into_owned())
}

/// The characters of some words between others, if they are at one place.
fn within(key: &Key, before: &[char], at: &[char], after: &[char]) -> Option<(usize, usize)> {
    let whole = [before, at, after].concat();
    let exact = find_all(key, &whole, 0);
    if let [hit] = exact[..] {
        return Some((hit.from + before.len(), hit.from + before.len() + at.len()));
    }
    if !exact.is_empty() {
        return None;
    }
    let mut near = find_all(key, &whole, whole.len() / ONE_DIFFERS_OF);
    near.sort_by_key(|hit| hit.diff);
    let best = near.first().filter(|b| near.get(1).is_none_or(|other| other.diff > b.diff + 1))?;
    let own = find_within(&key.chars, best.from..best.to, at, at.len() / ONE_DIFFERS_OF);
    let [hit] = own[..] else { return None };
    Some((hit.from, hit.to))
}
