//! Notes by number: 〔一〕 in the text, and 〔一〕 before the note.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::Span;

/// What a number is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberRole {
    /// Refers to a note.
    Reference,
    /// Opens the note of an earlier reference.
    Note,
    /// Neither: text.
    Text,
}

/// References without a note so far, by their mark.
#[derive(Debug, Default)]
pub(super) struct Numbers<'a> {
    open: FxHashMap<&'a str, Vec<Span>>,
    /// References so far.
    pub(super) references: usize,
    /// Numbers that have notes.
    pub(super) answered: FxHashSet<&'a str>,
}

impl<'a> Numbers<'a> {
    /// Decides what a mark is. `starts`: it opens its line; `line`: where the line begins;
    /// `in_note`: a note with a number is open.
    pub(super) fn role(
        &mut self,
        mark: &'a str,
        span: Span,
        starts: bool,
        line: usize,
        in_note: bool,
    ) -> NumberRole {
        let waiting = self.open.get(mark).and_then(|w| w.last().copied());
        let here = waiting.is_some_and(|w| w.start() >= line);
        if waiting.is_some() && (starts || in_note || here) {
            self.open.entry(mark).and_modify(|w| w.clear());
            self.answered.insert(mark);
            return NumberRole::Note;
        }
        if starts || in_note {
            return NumberRole::Text;
        }
        self.references += 1;
        self.open.entry(mark).or_default().push(span);
        NumberRole::Reference
    }

    /// References without a note: how many, and the first.
    pub(super) fn unanswered(&self) -> Option<(usize, Span)> {
        let all = || self.open.values().flatten();
        Some((all().count(), *all().min_by_key(|s| s.start())?))
    }
}
