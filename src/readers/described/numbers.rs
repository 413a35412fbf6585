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
    /// Numbers that open a line after a note and that no reference has.
    orphans: Vec<Span>,
    /// The number of the last note, if no reference came after it.
    last_note: Option<&'a str>,
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
            self.last_note = Some(mark);
            return NumberRole::Note;
        }
        if starts || in_note {
            // It may be a heading too, so it stays text.
            let is_alike = |last: &str| last.chars().next() == mark.chars().next();
            if starts && self.last_note.is_some_and(is_alike) && !self.answered.contains(mark) {
                self.orphans.push(span);
            }
            return NumberRole::Text;
        }
        self.last_note = None;
        self.references += 1;
        self.open.entry(mark).or_default().push(span);
        NumberRole::Reference
    }

    /// What may be notes, but has a number that is nowhere in the text: how many, and the first.
    pub(super) fn unasked(&self) -> Option<(usize, Span)> {
        Some((self.orphans.len(), *self.orphans.first()?))
    }

    /// References without a note: how many, and the first.
    pub(super) fn unanswered(&self) -> Option<(usize, Span)> {
        let all = || self.open.values().flatten();
        Some((all().count(), *all().min_by_key(|s| s.start())?))
    }
}
