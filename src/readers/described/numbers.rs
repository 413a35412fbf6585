//! Notes by number: 〔一〕 in the text, and 〔一〕 before the note.
//!
//! A note begins its line, or stands in the line of its text after a sentence. A number within a
//! note refers to another note, unless that note begins there: 〔一〕甲。〔二〕乙。

use rustc_hash::{FxHashMap, FxHashSet};

use crate::corpus::Shape;
use crate::source::Span;
use crate::text::class::{closes, ends_sentence};

/// What stands before a number to which a note refers: 參見〔三〕, 與〔三〕同, 〔一〕、〔三〕.
const REFERS: &str = "見见參参閱阅詳详同注註釋释如與与及和至若據据即、，：:（(";

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

/// Where a number is.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberPlace {
    pub(super) span: Span,
    /// It opens its line.
    pub(super) starts: bool,
    /// Where the line begins.
    pub(super) line: usize,
    /// A note with a number is open.
    pub(super) in_note: bool,
}

/// References without a note so far, by their mark.
#[derive(Debug, Default)]
pub(super) struct Numbers<'a> {
    text: &'a str,
    /// Where each number is in the text, and whether it begins a line.
    places: FxHashMap<&'a str, Vec<(usize, bool)>>,
    open: FxHashMap<&'a str, Vec<Span>>,
    /// References so far.
    pub(super) references: usize,
    /// Numbers that have notes.
    pub(super) answered: FxHashSet<&'a str>,
    /// Numbers that open a line after a note and that no reference has.
    orphans: Vec<Span>,
    /// The same, but other notes have them.
    repeated: Vec<Span>,
    /// The last note, if no reference came after it: its number, and where it begins.
    last_note: Option<(&'a str, usize)>,
}

impl<'a> Numbers<'a> {
    pub(super) fn of(text: &'a str, shape: &Shape) -> Self {
        let mut numbers = Numbers { text, ..Numbers::default() };
        if shape.marks.iter().any(|m| m.numbered) {
            let all = shape.openings.find_iter(text);
            for m in all.filter(|m| shape.marks[m.pattern().as_usize()].numbered) {
                let line = text[..m.start()].rfind('\n').map_or(0, |n| n + 1);
                let starts = text[line..m.start()].trim().is_empty();
                numbers.places.entry(&text[m.range()]).or_default().push((m.start(), starts));
            }
        }
        numbers
    }

    /// Decides what a number is.
    pub(super) fn role(&mut self, at: NumberPlace) -> NumberRole {
        let (span, starts) = (at.span, at.starts);
        let mark = &self.text[span.range()];
        let waiting = self.open.get(mark).and_then(|w| w.last().copied());
        if waiting.is_some_and(|w| starts || self.opens_note(mark, at, w)) {
            self.answer(mark, at);
            return NumberRole::Note;
        }
        if starts && self.continues(mark, at) {
            self.last_note = Some((mark, span.start()));
            return NumberRole::Note;
        }
        if starts || at.in_note {
            // It may be a heading too, so it stays text.
            if starts && self.last_note.is_some_and(|(last, _)| are_alike(last, mark)) {
                let known = self.answered.contains(mark);
                if known { &mut self.repeated } else { &mut self.orphans }.push(span);
            }
            return NumberRole::Text;
        }
        self.last_note = None;
        self.references += 1;
        self.open.entry(mark).or_default().push(span);
        NumberRole::Reference
    }

    /// True if a number that does not begin its line opens the note for which `waiting` waits.
    fn opens_note(&self, mark: &str, at: NumberPlace, waiting: Span) -> bool {
        let is_here = waiting.start() >= at.line;
        // The note itself may begin a line further on.
        if !(at.in_note || is_here) || self.lines_from(mark, at.span.end()) > 0 {
            return false;
        }
        let before = self.text[at.line..at.span.start()].chars().next_back();
        let ends = |c: char| c.is_whitespace() || ends_sentence(c);
        if at.in_note {
            let mut quoted = self.text[at.line..at.span.start()].chars().rev();
            let unquoted = quoted.by_ref().find(|c| !closes(*c));
            let is_next = || self.open.values().flatten().all(|w| w.start() >= waiting.start());
            let refers = || before.is_none_or(|c| REFERS.contains(c) || closes(c));
            unquoted.is_some_and(ends) || is_next() && !refers()
        } else {
            // Another number may be before it: the last one of the text.
            let is_number = |c: char| closes(c) || ('\u{2460}'..='\u{24ff}').contains(&c);
            before.is_some_and(|c| ends(c) || is_number(c))
        }
    }

    /// How many lines begin with a number from here on, before it is within a line again.
    fn lines_from(&self, mark: &str, from: usize) -> usize {
        let Some(places) = self.places.get(mark) else { return 0 };
        let first = places.partition_point(|(at, _)| *at < from);
        places[first..].iter().take_while(|(_, starts)| *starts).count()
    }

    /// The note with this number begins.
    fn answer(&mut self, mark: &'a str, at: NumberPlace) {
        let more = self.lines_from(mark, at.span.end());
        if let Some(waiting) = self.open.get_mut(mark) {
            // Sections may each count from one, with their notes in the same order after all.
            let answered = if more == 0 { waiting.len() } else { 1 };
            waiting.drain(..answered);
        }
        self.answered.insert(mark);
        self.last_note = Some((mark, at.span.start()));
    }

    /// True if a line directly after a note is another note with a number that has one:
    /// 〔二〕又一說。
    fn continues(&self, mark: &str, at: NumberPlace) -> bool {
        let Some((last, from)) = self.last_note else { return false };
        let between = self.text[from..at.span.start()].trim_end();
        let line = self.text[at.span.end()..].lines().next().unwrap_or_default();
        self.answered.contains(mark)
            && are_alike(last, mark)
            && !between.contains('\n')
            && line.contains(ends_sentence)
    }

    /// What may be notes, but has a number that is nowhere in the text: how many, and the first.
    pub(super) fn unasked(&self) -> Option<(usize, Span)> {
        Some((self.orphans.len(), *self.orphans.first()?))
    }

    /// What may be notes, but has a number of other notes: how many, and the first.
    pub(super) fn repeated(&self) -> Option<(usize, Span)> {
        Some((self.repeated.len(), *self.repeated.first()?))
    }

    /// References without a note: how many, and the first.
    pub(super) fn unanswered(&self) -> Option<(usize, Span)> {
        let all = || self.open.values().flatten();
        Some((all().count(), *all().min_by_key(|s| s.start())?))
    }
}

/// True if two numbers are in the same brackets.
fn are_alike(a: &str, b: &str) -> bool {
    a.chars().next() == b.chars().next()
}
