//! Persons, places and dates that the source marks in units.

use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::laid::around;
use super::speeches::{UnitSpeech, of_units};
use crate::model::Document;
use crate::reading::{MarkedName, NameKind, marked_names};
use crate::source::Span;
use crate::text::Key;

/// A name: what it is marked as, its words, and its ids.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct IndexedName(pub(crate) NameKind, pub(crate) String, pub(crate) Vec<String>);

/// All of a document. Of each the characters in its unit and its number among the names, in the
/// order of the units.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct UnitNames {
    pub(crate) names: Vec<IndexedName>,
    pub(super) all: Vec<UnitSpeech>,
}

/// The names of a document, each with its number among those that differ.
pub(super) type NumberedNames = Vec<(MarkedName, u32)>;

impl UnitNames {
    /// The names of a document, which are in no unit yet.
    pub(super) fn of_document(document: &Document) -> (Self, NumberedNames) {
        let mut numbers: FxHashMap<IndexedName, u32> = FxHashMap::default();
        let (mut names, mut all) = (vec![], vec![]);
        for name in marked_names(document) {
            let known = IndexedName(name.kind, name.words.clone(), name.ids.clone());
            let number = *numbers.entry(known).or_insert_with_key(|known| {
                names.push(known.clone());
                names.len() as u32 - 1
            });
            all.push((name, number));
        }
        (UnitNames { names, all: vec![] }, all)
    }

    /// Adds those of a unit, which consists of some segments; `marked` are all of the document.
    pub(super) fn add(
        &mut self,
        unit: u32,
        segments: &[Span],
        document: &Document,
        marked: &[(MarkedName, u32)],
    ) {
        let within = |s: &Span| {
            let first = marked.partition_point(|(name, _)| name.span.start() < s.start());
            let end = s.end();
            marked[first..].iter().take_while(move |(name, _)| name.span.start() < end)
        };
        let mut inside = segments.iter().flat_map(within).peekable();
        if inside.peek().is_none() {
            return;
        }
        let text = segments.iter().flat_map(|s| around(*s, document.marks_in(*s)));
        let key = Key::of_spans(document.source.text(), text);
        let at = |byte: usize| key.at.partition_point(|a| (*a as usize) < byte) as u32;
        for (name, who) in inside {
            let (from, to) = (at(name.span.start()), at(name.span.end()));
            self.all.extend((from < to).then_some(UnitSpeech { unit, from, to, who: *who }));
        }
    }

    /// Those of some units.
    pub(crate) fn of(&self, units: Range<u32>) -> &[UnitSpeech] {
        of_units(&self.all, units)
    }
}

impl IndexedName {
    /// True if a query means it: by its words, or a part of them; by an id with its authority, or
    /// by the id alone.
    pub(crate) fn is_called(&self, kind: NameKind, value: &str) -> bool {
        let is_id = |id: &String| {
            id.eq_ignore_ascii_case(value)
                || id.rsplit_once(':').is_some_and(|(_, id)| id.eq_ignore_ascii_case(value))
        };
        let key = |words: &str| Key::of(words, Span::new(0, words.len())).chars;
        let wanted = key(value);
        let has_words = || {
            !value.contains(':')
                && !wanted.is_empty()
                && key(&self.1).windows(wanted.len()).any(|part| *part == wanted[..])
        };
        self.0 == kind && (self.2.iter().any(is_id) || has_words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_called_by_words_and_by_ids() {
        let ids = vec!["cbdb:3767".to_string()];
        let name = IndexedName(NameKind::Person, "鄭玄".into(), ids);
        for value in ["鄭玄", "郑玄", "玄", "cbdb:3767", "CBDB:3767", "3767"] {
            assert!(name.is_called(NameKind::Person, value), "{value}");
        }
        for value in ["鄭眾", "cbdb:376", "", "cbdb:", "鄭玄:1"] {
            assert!(!name.is_called(NameKind::Person, value), "{value}");
        }
        assert!(!name.is_called(NameKind::Place, "鄭玄"));
    }
}
