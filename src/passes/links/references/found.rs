//! A place that was found.

use super::certainty::{CROWD, DIFFERING, EXACT, SHORT};
use super::places::Places;
use super::words::{PHRASE, SoughtWords};
use crate::corpus::index::Indexed;
use crate::corpus::view::Stream;
use crate::model::{Evidence, EvidenceKind, Status, Target};
use crate::passes::links::differs::{self, KeyedText};
use crate::source::Span;
use crate::text::collate::differences;
use crate::text::find::Hit;

/// A place that is less sure does not name the chapter, and is not given where nothing says that
/// the words are there.
pub const CLEAR_CERTAINTY: f64 = 0.7;
/// Most other places of the same words that a link lists.
pub const MAX_ALTERNATIVES: usize = 8;

/// A place found.
#[derive(Clone, Debug)]
pub struct FoundPlace {
    /// The target.
    pub target: Target,
    /// How well the text agrees.
    pub status: Status,
    /// Certainty, 0 to 1.
    pub certainty: f64,
    /// How it was found.
    pub how: EvidenceKind,
    /// Other places.
    pub alternatives: Vec<Target>,
    /// Number of characters that differ.
    pub diff: usize,
    /// The differences.
    pub differs: Option<Evidence>,
}

impl FoundPlace {
    /// A place in this text.
    pub fn here(span: Span, status: Status, certainty: f64, how: EvidenceKind) -> Self {
        let target = Target { doc: None, span };
        FoundPlace { target, status, certainty, how, alternatives: vec![], diff: 0, differs: None }
    }

    /// The same place, less sure or surer.
    pub fn sure(self, certainty: f64) -> Self {
        FoundPlace { certainty, ..self }
    }

    /// True if it has exactly the words.
    pub fn is_exact(&self) -> bool {
        self.status == Status::Exact
    }
}

/// The first hit in a text as a place, with the others of as few differences as alternatives.
pub fn found(
    places: &Places<'_>,
    entry: usize,
    hits: &[(Stream, Hit)],
    words: &SoughtWords,
    how: EvidenceKind,
) -> Option<FoundPlace> {
    let Indexed { document, view, .. } = &places.index.entries[entry];
    let doc = (entry != places.entry).then(|| document.id.as_str().into());
    let span = |(s, h): &(Stream, Hit)| view.stretch(document, *s, h);
    let (first, rest) = hits.split_first()?;
    let diff = first.1.diff;
    let rest = rest.iter().filter(|h| h.1.diff == diff).take(MAX_ALTERNATIVES);
    let alternatives: Vec<Target> =
        rest.map(|h| Target { doc: doc.clone(), span: span(h) }).collect();
    let short = if words.len() < PHRASE { *SHORT } else { 0.0 };
    let crowd = if alternatives.is_empty() { 0.0 } else { *CROWD };
    let certainty = *EXACT - short - crowd - *DIFFERING * diff as f64 / words.len().max(1) as f64;
    let status = if diff == 0 { Status::Exact } else { Status::Variant };
    let place = FoundPlace::here(span(first), status, certainty, how);
    let target = Target { doc, ..place.target };
    let differs = (diff > 0).then(|| differing(places, words, entry, *first)).flatten();
    Some(FoundPlace { target, alternatives, diff, differs, ..place })
}

/// The differences between some words and the text that they quote.
fn differing(
    places: &Places<'_>,
    words: &SoughtWords,
    entry: usize,
    (stream, hit): (Stream, Hit),
) -> Option<Evidence> {
    let there = &places.index.entries[entry];
    let key = there.view.stream(stream);
    let found = differences(words.chars(), &key.chars()[hit.from..hit.to]);
    let found: Vec<_> = found.into_iter().map(|(here, there)| [here, there]).collect();
    let quoted = KeyedText { text: places.text(), key: &words.key };
    let there = KeyedText { text: there.document.source.text(), key };
    differs::evidence([(quoted, 0), (there, hit.from)], &found)
}
