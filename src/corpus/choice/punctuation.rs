//! The punctuation of an edition.

use crate::model::{Layer, LayerKind, MarkSource};
use crate::text::class::is_punctuation;

/// What becomes of the punctuation of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Punctuation {
    /// It stays.
    #[default]
    Source,
    /// Points are full-width (，：；); quotation marks stay.
    FullWidth,
    /// Points are full-width, quotation marks are 「」, inside others 『』.
    Corner,
    /// Points are full-width, quotation marks are “”, inside others ‘’.
    Curly,
    /// There is none.
    Without,
    /// It stays, and a text without any gets that of a punctuated copy of the same chapter, where
    /// the words agree. What was supplied is a reading
    /// ([`ReadingKind::Source`](crate::model::ReadingKind::Source)): the source has nothing there.
    Supplied,
    /// The same, and where no copy has any, that which a network expects that was trained on
    /// punctuated texts. Each mark has its certainty.
    Inferred,
}

impl Punctuation {
    /// Where the marks come from that it supplies.
    pub(super) fn supplied_from(self) -> MarkSource {
        match self {
            Punctuation::Supplied => MarkSource::Copies,
            Punctuation::Inferred => MarkSource::Network,
            _ => MarkSource::None,
        }
    }

    /// The description for the edition.
    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Punctuation::Source => None,
            Punctuation::FullWidth => Some("punctuation in full width"),
            Punctuation::Corner => Some("punctuation in full width, quotation marks 「」『』"),
            Punctuation::Curly => Some("punctuation in full width, quotation marks “”‘’"),
            Punctuation::Without => Some("without punctuation"),
            Punctuation::Supplied => Some("punctuation supplied from other copies"),
            Punctuation::Inferred => Some("punctuation inferred by a program"),
        }
    }
}

/// Outer and inner quotation marks of the two styles.
const CORNER: [[char; 2]; 2] = [['「', '」'], ['『', '』']];
const CURLY: [[char; 2]; 2] = [['“', '”'], ['‘', '’']];

/// Changes the punctuation of a text, character by character.
pub(super) struct Punctuator {
    style: Punctuation,
    /// Open quotations.
    depth: usize,
    /// Open quotations that began with a straight mark.
    straight: usize,
    last: char,
}

impl Punctuator {
    /// At the beginning of a text.
    pub(super) fn new(style: Punctuation) -> Self {
        Punctuator { style, depth: 0, straight: 0, last: '\n' }
    }

    /// True if the punctuation of a layer may change. Marks of the print and of the source's format
    /// stay.
    pub(super) fn changes(&self, layer: Layer) -> bool {
        !matches!(self.style, Punctuation::Source | Punctuation::Supplied | Punctuation::Inferred)
            && layer.kind() != LayerKind::Outside
    }

    /// The character instead of `c`, if any.
    pub(super) fn next(&mut self, c: char) -> Option<char> {
        let before = std::mem::replace(&mut self.last, c);
        if c == '\n' {
            // A quotation that is not closed must not change all that follows.
            (self.depth, self.straight) = (0, 0);
        }
        match self.style {
            Punctuation::Source | Punctuation::Supplied | Punctuation::Inferred => Some(c),
            Punctuation::Without => Some(c).filter(|c| !is_punctuation(*c)),
            Punctuation::FullWidth => Some(full_width(c, before)),
            Punctuation::Corner => Some(self.quoted(c, before, CORNER)),
            Punctuation::Curly => Some(self.quoted(c, before, CURLY)),
        }
    }

    /// A quotation mark by its depth; anything else in full width.
    fn quoted(&mut self, c: char, before: char, marks: [[char; 2]; 2]) -> char {
        match c {
            '“' | '‘' | '「' | '『' => self.opened(marks),
            '”' | '’' | '」' | '』' => self.closed(marks),
            '"' if self.straight > 0 => {
                self.straight -= 1;
                self.closed(marks)
            }
            '"' => {
                self.straight += 1;
                self.opened(marks)
            }
            _ => full_width(c, before),
        }
    }

    fn opened(&mut self, marks: [[char; 2]; 2]) -> char {
        self.depth += 1;
        marks[(self.depth + 1) % 2][0]
    }

    fn closed(&mut self, marks: [[char; 2]; 2]) -> char {
        let depth = self.depth.max(1);
        self.depth = depth - 1;
        marks[(depth + 1) % 2][1]
    }
}

/// A point in full width. A full stop is one only after a character that is not of the Latin
/// script.
pub(super) fn full_width(c: char, before: char) -> char {
    match c {
        ',' | '､' => '，',
        ':' => '：',
        ';' => '；',
        '?' => '？',
        '!' => '！',
        '｡' => '。',
        '.' if !before.is_ascii() => '。',
        '(' => '（',
        ')' => '）',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(style: Punctuation, text: &str) -> String {
        let mut punctuator = Punctuator::new(style);
        text.chars().filter_map(|c| punctuator.next(c)).collect()
    }

    #[test]
    fn points_become_full_width() {
        assert_eq!(
            with(Punctuation::FullWidth, "燕禮:小臣戒與者,君臣.3.5!"),
            "燕禮：小臣戒與者，君臣。3.5！"
        );
        assert_eq!(with(Punctuation::Source, "燕禮:"), "燕禮:");
    }

    #[test]
    fn quotation_marks_follow_their_depth() {
        let text = "注云：“燕禮曰：‘坐。’又曰：‘立。’”";
        let corner = "注云：「燕禮曰：『坐。』又曰：『立。』」";
        assert_eq!(with(Punctuation::Corner, text), corner);
        assert_eq!(with(Punctuation::Curly, corner), text);
        assert_eq!(with(Punctuation::Corner, "\"甲\"乙\"丙\""), "「甲」乙「丙」");
    }

    #[test]
    fn an_unclosed_quotation_ends_with_its_paragraph() {
        assert_eq!(with(Punctuation::Corner, "“甲\n“乙”"), "「甲\n「乙」");
        assert_eq!(with(Punctuation::Corner, "甲”“乙”"), "甲」「乙」");
    }

    #[test]
    fn without_punctuation_only_words_are_left() {
        assert_eq!(with(Punctuation::Without, "《詩》云：「關關雎鳩」。"), "詩云關關雎鳩");
    }
}
