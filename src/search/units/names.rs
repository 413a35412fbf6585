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
