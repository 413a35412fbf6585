//! The text of a unit laid out: its characters without punctuation, folded and original, with their
//! places.

use super::Unit;
use crate::source::Span;
use crate::text::Key;

/// The sign in an answer where another layer interrupts.
pub(crate) const INTERRUPTED: char = '‖';

/// The text of a unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Laid {
    /// Characters, folded.
    pub(crate) chars: Vec<char>,
    /// The span of each in the source.
    pub(crate) spans: Vec<Span>,
    /// Index of the part each is in.
    pub(crate) parts: Vec<u32>,
    /// The text with its punctuation, without marks, line ends and blanks at line ends.
    pub(crate) flat: String,
    /// Bytes of `flat` where each character is.
    at: Vec<(u32, u32)>,
}

impl Laid {
    /// Lays out a unit; `words` returns the source's text of a span, and is called only with spans
    /// of parts.
    pub(crate) fn of<'t, E>(
        unit: &Unit,
        mut words: impl FnMut(Span) -> Result<std::borrow::Cow<'t, str>, E>,
    ) -> Result<Self, E> {
        let mut laid = Laid::default();
        for (n, part) in unit.parts.iter().enumerate() {
            if n > 0 {
                laid.flat.push(INTERRUPTED);
            }
            laid.push(n as u32, &words(part.span)?, part.span.start(), &part.marks);
        }
        Ok(laid)
    }

    fn push(&mut self, part: u32, words: &str, start: usize, marks: &[Span]) {
        let spans = inside(words, start, marks);
        let key = Key::of_spans(words, spans.iter().copied());
        let mut next = 0;
        for span in spans {
            for (i, c) in words[span.range()].char_indices() {
                let at = span.start() + i;
                if next < key.len() && at == key.at[next] as usize {
                    let to = self.flat.len() as u32;
                    self.at.push((to, to + (key.end(next) as u32 - key.at[next])));
                    self.spans.push(Span::new(start + at, start + key.end(next)));
                    self.parts.push(part);
                    next += 1;
                }
                let blank = c.is_control()
                    || matches!(c, '\u{3000}' | '\u{FEFF}')
                    || c == ' ' && self.flat.ends_with([' ', INTERRUPTED]);
                if !blank {
                    self.flat.push(c);
                }
            }
        }
        self.chars.extend(key.chars);
    }

    /// The text of characters `from..to`, from the first character to the last.
    pub(crate) fn words(&self, from: usize, to: usize) -> &str {
        if from >= to {
            return "";
        }
        &self.flat[self.at[from].0 as usize..self.at[to - 1].1 as usize]
    }

    /// The text before character `to`, from character `from` on (for 0 from the beginning, with
    /// punctuation).
    pub(crate) fn before(&self, from: usize, to: usize) -> &str {
        let start = if from == 0 { 0 } else { self.at[from].0 as usize };
        let end = self.at.get(to).map_or(self.flat.len(), |a| a.0 as usize);
        &self.flat[start..end.max(start)]
    }

    /// The text after character `from - 1` up to character `to` (to the end for the last).
    pub(crate) fn after(&self, from: usize, to: usize) -> &str {
        let start = if from == 0 { 0 } else { self.at[from - 1].1 as usize };
        let end = self.at.get(to).map_or(self.flat.len(), |a| a.0 as usize);
        &self.flat[start..end.max(start)]
    }

    /// Bytes of `flat` where character `n` is, start and end.
    pub(crate) fn at(&self, n: usize) -> (usize, usize) {
        (self.at[n].0 as usize, self.at[n].1 as usize)
    }

    /// Character `n` as written in the source.
    pub(crate) fn original(&self, n: usize) -> &str {
        &self.flat[self.at[n].0 as usize..self.at[n].1 as usize]
    }
}

/// The parts of a span before, between and after marks.
pub(crate) fn around(whole: Span, marks: &[Span]) -> Vec<Span> {
    let mut spans = Vec::with_capacity(marks.len() + 1);
    let mut from = whole.start();
    for mark in marks {
        let (a, b) = (mark.start().min(whole.end()), mark.end().min(whole.end()));
        if a > from {
            spans.push(Span::new(from, a));
        }
        from = from.max(b);
    }
    if from < whole.end() {
        spans.push(Span::new(from, whole.end()));
    }
    spans
}

/// The same, counted from the span's own start.
fn inside(words: &str, start: usize, marks: &[Span]) -> Vec<Span> {
    let spans = around(Span::new(start, start + words.len()), marks).into_iter();
    let spans = spans.map(|s| Span::new(s.start() - start, s.end() - start));
    // The marks of a damaged index may divide a character.
    spans.filter(|s| words.get(s.range()).is_some()).collect()
}

/// Adds the folded characters of a span, without punctuation.
pub(super) fn keys(words: &str, start: usize, marks: &[Span], key: &mut Key) {
    for span in inside(words, start, marks) {
        key.push(words, span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Certainty, Layer};
    use crate::search::units::UnitPart;

    #[test]
    fn marks_and_line_ends_are_left_out() {
        let text = "獲者¶\n坐,而獲。";
        let mark = Span::new(6, 9);
        let part = UnitPart {
            segment: 1,
            sentence: 1,
            elements: vec![],
            cited: None,
            span: Span::new(0, text.len()),
            marks: vec![mark],
        };
        let unit = Unit {
            layer: Layer::Jing,
            sub: None,
            parts: vec![part],
            certainty: Certainty::SURE,
            group: 0,
            targets: vec![],
            renders: None,
            len: 5,
        };
        let laid = Laid::of(&unit, |s| Ok::<_, ()>(text[s.range()].into())).unwrap();
        assert_eq!(laid.flat, "獲者坐,而獲。");
        assert_eq!(
            (laid.words(1, 3), laid.before(0, 2), laid.after(3, 4)),
            ("者坐", "獲者", ",而")
        );
        assert_eq!((laid.after(5, 5), laid.original(2)), ("。", "坐"));
        assert_eq!(&text[laid.spans[2].range()], "坐");
    }
}
