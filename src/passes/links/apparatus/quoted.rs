//! What a word or a reading is, where marks show it: what is between quotation marks, and a
//! character described by its parts (⿰氵兑).
//!
//! The formulas are read among characters without marks, so a reading may end after a quotation
//! mark or within a description. Here both are brought to what the marks say. Assumes that a word
//! is right before its verb and a reading right after it.

use super::statement::Statement;
use crate::source::Span;
use crate::text::class::{ends_clause, ends_sentence, is_content};

/// Marks of quotations, each with its counterpart.
const PAIRS: [(char, char); 4] = [('“', '”'), ('‘', '’'), ('「', '」'), ('『', '』')];
/// Most characters between marks that are taken as one word.
const MAX_QUOTED_CHARS: usize = 12;

/// The quotations and described characters of a note.
pub struct NoteMarks<'t> {
    text: &'t str,
    /// What is between two marks.
    quotations: Vec<Span>,
    /// Marks, each with the byte of its counterpart.
    marks: Vec<(Span, Option<usize>)>,
    described: Vec<Span>,
}

impl<'t> NoteMarks<'t> {
    /// Those of the note at `note`.
    pub fn of(text: &'t str, note: Span) -> Self {
        let mut found = NoteMarks { text, quotations: vec![], marks: vec![], described: vec![] };
        let mut open: Vec<usize> = vec![];
        let mut done = 0;
        for (i, c) in text[note.range()].char_indices() {
            let here = Span::new(note.start() + i, note.start() + i + c.len_utf8());
            if PAIRS.iter().any(|(opening, _)| *opening == c) {
                open.push(found.marks.len());
                found.marks.push((here, None));
            } else if let Some((opening, _)) = PAIRS.iter().find(|(_, closing)| *closing == c) {
                let is_its = |n: &usize| text[found.marks[*n].0.range()].starts_with(*opening);
                let mut counterpart = None;
                if let Some(at) = open.iter().rposition(is_its) {
                    let first = found.marks[open[at]].0;
                    found.marks[open[at]].1 = Some(here.start());
                    found.quotations.push(Span::new(first.end(), here.start()));
                    counterpart = Some(first.start());
                    open.truncate(at);
                }
                found.marks.push((here, counterpart));
            } else if here.start() >= done
                && let Some(n) = described(&text[here.start()..note.end()])
            {
                done = here.start() + n;
                found.described.push(Span::new(here.start(), done));
            }
        }
        found
    }

    /// A statement whose word and reading are what the marks say; none if that leaves no reading.
    pub fn statement(&self, s: Statement) -> Option<Statement> {
        let named = s.named.and_then(|span| self.named(span));
        let beside = s.beside.and_then(|span| self.named(span));
        let reading = s.reading.and_then(|span| self.reading(span));
        if reading.is_none() && s.reading.is_some() {
            return None;
        }
        let parts = [named, reading].into_iter().flatten();
        let span = parts.fold(s.span, |all, part| {
            Span::new(all.start().min(part.start()), all.end().max(part.end()))
        });
        Some(Statement { span, named, beside, reading, ..s })
    }

    /// The word before a verb.
    pub fn named(&self, span: Span) -> Option<Span> {
        let words = &self.text[span.range()];
        // 「X」字當爲: the word is X.
        let end = span.end() - if words.ends_with('字') { '字'.len_utf8() } else { 0 };
        let before_mark = |q: &&Span| {
            let after = q.end() + self.text[q.end()..].chars().next().map_or(0, char::len_utf8);
            q.end() == span.end() || after == end && end < span.end()
        };
        if let Some(q) = self.quotations.iter().filter(|q| self.is_word(**q)).find(before_mark) {
            return Some(self.whole(*q));
        }
        let last = self.unbalanced(span).last();
        self.content(Span::new(last.map_or(span.start(), |mark| mark.end()), span.end()))
    }

    /// The reading after a verb.
    pub fn reading(&self, span: Span) -> Option<Span> {
        let begins = |q: &&Span| q.start() == span.start() && self.is_word(**q);
        if let Some(q) = self.quotations.iter().find(begins) {
            return Some(self.whole(*q));
        }
        let first = self.unbalanced(span).next();
        self.content(Span::new(span.start(), first.map_or(span.end(), |mark| mark.start())))
    }

    /// True if a quotation is short enough for a word.
    fn is_word(&self, quotation: Span) -> bool {
        let n = self.text[quotation.range()].chars().filter(|c| is_content(*c)).count();
        (1..=MAX_QUOTED_CHARS).contains(&n)
    }

    /// The marks in a span whose counterpart is not in it.
    fn unbalanced(&self, span: Span) -> impl Iterator<Item = Span> + '_ {
        let inside = move |at: usize| (span.start()..span.end()).contains(&at);
        let alone = move |(mark, other): &&(Span, Option<usize>)| {
            inside(mark.start()) && !other.is_some_and(inside)
        };
        self.marks.iter().filter(alone).map(|(mark, _)| *mark)
    }

    /// A span without marks and blanks at its ends, if anything remains.
    fn content(&self, span: Span) -> Option<Span> {
        // An entity ends with a semicolon.
        let outside = |c: char| {
            c.is_whitespace()
                || c != ';' && (ends_clause(c) || ends_sentence(c))
                || PAIRS.iter().any(|(opening, closing)| [*opening, *closing].contains(&c))
        };
        let words = &self.text[span.range()];
        let from = span.start() + words.len() - words.trim_start_matches(outside).len();
        let end = span.start() + words.trim_end_matches(outside).len();
        (from < end).then(|| self.whole(Span::new(from, end)))
    }

    /// A span with the whole of a described character of which it has a part.
    fn whole(&self, span: Span) -> Span {
        let touched =
            self.described.iter().filter(|d| d.start() < span.end() && span.start() < d.end());
        touched.fold(span, |all, d| Span::new(all.start().min(d.start()), all.end().max(d.end())))
    }
}

/// Bytes of the description that `text` begins with: an operator, and as many parts as it needs.
fn described(text: &str) -> Option<usize> {
    let mut missing = 1;
    let mut rest = text;
    operands(rest.chars().next()?)?;
    while missing > 0 {
        let c = rest.chars().next().filter(|c| !c.is_whitespace())?;
        missing = missing - 1 + operands(c).unwrap_or(0);
        let entity = if c == '&' { rest.find(';').map(|n| n + 1) } else { None };
        rest = &rest[entity.unwrap_or(c.len_utf8())..];
    }
    Some(text.len() - rest.len())
}

/// How many parts an operator of descriptions needs.
fn operands(c: char) -> Option<usize> {
    match c {
        '\u{2FFE}' | '\u{2FFF}' => Some(1),
        '\u{2FF2}' | '\u{2FF3}' => Some(3),
        '\u{2FF0}'..='\u{2FFD}' | '\u{31EF}' => Some(2),
        _ => None,
    }
}
