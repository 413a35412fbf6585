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
/// Most parts of a described character.
const MAX_PARTS: usize = 64;
/// Bytes of the longest mark.
const MARK_BYTES: usize = '』'.len_utf8();

/// The quotations and described characters of a note.
pub struct NoteMarks<'t> {
    text: &'t str,
    /// What is between two marks, by its end.
    quotations: Vec<Span>,
    /// Marks in order, each with the byte of its counterpart.
    marks: Vec<(Span, Option<usize>)>,
    described: Vec<Span>,
}

impl<'t> NoteMarks<'t> {
    /// Those of the note at `note`.
    pub fn of(text: &'t str, note: Span) -> Self {
        let mut found = NoteMarks { text, quotations: vec![], marks: vec![], described: vec![] };
        // Of each mark that is open its number and its pair; and how many of each pair are.
        let mut open: Vec<(usize, usize)> = vec![];
        let mut of_pair = [0; PAIRS.len()];
        let mut done = 0;
        for (i, c) in text[note.range()].char_indices() {
            let here = Span::new(note.start() + i, note.start() + i + c.len_utf8());
            if let Some(pair) = PAIRS.iter().position(|(opening, _)| *opening == c) {
                open.push((found.marks.len(), pair));
                of_pair[pair] += 1;
                found.marks.push((here, None));
            } else if let Some(pair) = PAIRS.iter().position(|(_, closing)| *closing == c) {
                let mut counterpart = None;
                // Each search takes out of the list what it has passed.
                while of_pair[pair] > 0
                    && counterpart.is_none()
                    && let Some((n, other)) = open.pop()
                {
                    of_pair[other] -= 1;
                    if other == pair {
                        let first = found.marks[n].0;
                        found.marks[n].1 = Some(here.start());
                        found.quotations.push(Span::new(first.end(), here.start()));
                        counterpart = Some(first.start());
                    }
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
        let first = self.quotations.partition_point(|q| q.end() + MARK_BYTES < end);
        let near = self.quotations[first..].iter().take_while(|q| q.end() <= span.end());
        if let Some(q) = near.filter(|q| self.is_word(**q)).find(before_mark) {
            return Some(self.whole(*q));
        }
        let last = self.unbalanced(span).last();
        self.content(Span::new(last.map_or(span.start(), |mark| mark.end()), span.end()))
    }

    /// The reading after a verb.
    pub fn reading(&self, span: Span) -> Option<Span> {
        let begins = |q: &&Span| q.start() == span.start() && self.is_word(**q);
        let first = self.quotations.partition_point(|q| q.end() <= span.start());
        let last = span.start() + MAX_QUOTED_CHARS * 8;
        let near = self.quotations[first..].iter().take_while(|q| q.end() <= last);
        if let Some(q) = near.into_iter().find(begins) {
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
        let first = self.marks.partition_point(|(mark, _)| mark.start() < span.start());
        let here = self.marks[first..].iter().take_while(move |(mark, _)| inside(mark.start()));
        here.filter(move |(_, other)| !other.is_some_and(inside)).map(|(mark, _)| *mark)
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
        let first = self.described.partition_point(|d| d.end() <= span.start());
        let touched = self.described[first..].iter().take_while(|d| d.start() < span.end());
        touched.fold(span, |all, d| Span::new(all.start().min(d.start()), all.end().max(d.end())))
    }
}

/// Bytes of the description that `text` begins with: an operator, and as many parts as it needs.
fn described(text: &str) -> Option<usize> {
    let mut missing = 1;
    let mut rest = text;
    operands(rest.chars().next()?)?;
    // No character has as many parts.
    for _ in 0..MAX_PARTS {
        if missing == 0 {
            return Some(text.len() - rest.len());
        }
        let c = rest.chars().next().filter(|c| !c.is_whitespace())?;
        missing = missing - 1 + operands(c).unwrap_or(0);
        let name = rest.bytes().skip(1).take_while(u8::is_ascii_alphanumeric).count();
        let entity = c == '&' && rest[1 + name..].starts_with(';');
        rest = &rest[if entity { name + 2 } else { c.len_utf8() }..];
    }
    None
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
