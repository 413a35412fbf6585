//! Quotes a place of a text so that it can be found again: with as much around it as makes it
//! clearly different from every other place.

use std::borrow::Cow;

use super::anchor::{AnchorText, pattern};
use super::{Quote, tags};
use crate::source::Span;

/// Characters quoted on each side: at first, and at most.
const CONTEXT_CHARS: (usize, usize) = (14, 224);
/// Longer words are quoted by their first and last characters.
const MAX_QUOTED_CHARS: usize = 48;
/// How many characters of the first and last words.
const END_CHARS: usize = 16;
/// The second-best place must differ by one of so many characters, and by at least so many.
const ONE_OTHER_OF: usize = 10;
const MIN_OTHER_CHARS: usize = 4;

impl AnchorText<'_> {
    /// Quotes a place. `None` if it has no characters, or if the text around it is repeated
    /// elsewhere word for word.
    pub fn quote(&self, span: Span) -> Option<Quote> {
        let (from, to) = (self.key.index_at(span.start()), self.key.index_at(span.end()));
        if from >= to {
            return None;
        }
        if to - from <= MAX_QUOTED_CHARS {
            return self.widened(from, to);
        }
        let start = self.widened(from, from + END_CHARS)?;
        let end = self.widened(to - END_CHARS, to)?;
        Some(Quote { before: start.before, at: start.at, until: Some(end.at), after: end.after })
            .filter(|q| matches!(self.place(q), super::anchor::Anchored::At(_)))
    }

    /// Quotes characters `from..to` with as much around them as is needed.
    fn widened(&self, from: usize, to: usize) -> Option<Quote> {
        let mut around = CONTEXT_CHARS.0;
        loop {
            let quote = Quote {
                before: self.words(from.saturating_sub(around), from),
                at: self.words(from, to),
                until: None,
                after: self.words(to, (to + around).min(self.key.len())),
            };
            if self.is_distinct(&quote) {
                return Some(quote);
            }
            if around >= CONTEXT_CHARS.1 {
                return None;
            }
            around *= 2;
        }
    }

    /// True if every other place differs clearly from the quoted one.
    fn is_distinct(&self, quote: &Quote) -> bool {
        let pattern = pattern(&quote.before, &quote.at, &quote.after);
        let alike = self.alike(&pattern);
        let least = (pattern.chars.len() / ONE_OTHER_OF).max(MIN_OTHER_CHARS);
        alike.first().is_some_and(|a| a.cost == 0)
            && alike.get(1).is_none_or(|other| other.cost >= least)
    }

    /// The text of some characters with the punctuation between them, in one line.
    fn words(&self, from: usize, to: usize) -> String {
        if from >= to {
            return String::new();
        }
        // Up to the next character, so that the punctuation after the last is quoted too.
        let end = self.key.at.get(to).map_or(self.text.len(), |at| *at as usize);
        let words = &self.text[self.key.at[from] as usize..end];
        let words = match &self.pieces {
            Some(_) => tags::without(words),
            None => Cow::Borrowed(words),
        };
        let mut out = String::new();
        for c in words.chars() {
            match c {
                '\n' if !out.ends_with('¶') => out.push('¶'),
                c if c.is_whitespace() || c.is_control() => {}
                c => out.push(c),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::anchor::Anchored;
    use super::*;

    #[test]
    fn a_quotation_finds_its_place_and_a_repeated_text_cannot_be_quoted() {
        let text = "子曰學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍不亦君子乎";
        let anchors = AnchorText::new(text);
        for from in (0..text.len()).step_by(3) {
            for chars in [1, 3, 7] {
                let span = Span::new(from, (from + chars * 3).min(text.len()));
                let quote = anchors.quote(span).expect("it is unique");
                assert_eq!(anchors.place(&quote), Anchored::At(span), "{quote:?}");
            }
        }
        let long: String = ('\u{4e00}'..'\u{5100}').collect();
        let twice = format!("{long}\n{long}");
        assert_eq!(AnchorText::new(&twice).quote(Span::new(900, 906)), None);
        assert_eq!(anchors.quote(Span::new(0, 0)), None);
    }

    #[test]
    fn a_long_passage_is_quoted_by_its_ends() {
        let text: String = ('\u{4e00}'..'\u{4f00}').collect();
        let anchors = AnchorText::new(&text);
        let span = Span::new(30, 600);
        let quote = anchors.quote(span).unwrap();
        assert!(quote.until.is_some() && quote.at.chars().count() < 20);
        assert_eq!(anchors.place(&quote), Anchored::At(span));
    }
}
