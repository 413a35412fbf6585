//! In which form a text has the words that were looked for.

use std::borrow::Cow;

use super::super::units::INTERRUPTED;
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{closes, is_content, opens};
use crate::text::fold::fold;
use crate::text::script::{Script, convert_from};

/// How near the form of words is to what was typed, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WordForm {
    /// The same characters, and the same punctuation.
    Exact,
    /// The same characters with other punctuation, or none.
    Punctuation,
    /// In the other script.
    Script,
    /// With variant characters.
    Variants,
}

impl WordForm {
    /// How words of a text (`found`) have the characters `typed` of a `quoted` text.
    pub(super) fn of(typed: &[&str], quoted: &str, found: &str) -> Self {
        let own = characters(found);
        // If something is left out, the text has more.
        let has = |same: fn(&str, &str) -> bool| {
            let mut rest = own.iter();
            typed.iter().all(|t| rest.any(|o| same(t, o)))
        };
        if !has(|a, b| a == b) {
            // All that is other is simplified on one side: 今文「于」為「於」 is not 今文「於」為「于」.
            let is_script = has(|t, o| t == o || simplified(o) == t)
                || has(|t, o| t == o || simplified(t) == o);
            return if is_script { Self::Script } else { Self::Variants };
        }
        let is_whole = typed.len() == own.len();
        if is_whole && marks(quoted) != marks(found) { Self::Punctuation } else { Self::Exact }
    }
}

fn simplified(words: &str) -> Cow<'_, str> {
    convert_from(words, Script::Traditional, Script::Simplified)
}

/// The characters of words without their punctuation.
pub(super) fn characters(words: &str) -> Vec<&str> {
    let key = Key::of(words, Span::new(0, words.len()));
    (0..key.len()).map(|n| &words[key.span(n, n + 1).range()]).collect()
}

/// The marks between the characters, each after how many of them. Brackets and quotation marks do
/// not count, nor what stands at the end.
fn marks(words: &str) -> Vec<(usize, char)> {
    let (mut marks, mut n) = (vec![], 0);
    for c in words.chars() {
        let is_mark = !c.is_whitespace() && c != INTERRUPTED && !opens(c) && !closes(c);
        match c {
            c if is_content(c) => n += 1,
            '"' | '\'' => {}
            c if is_mark => marks.push((n, plain(c))),
            _ => {}
        }
    }
    marks.retain(|(at, _)| *at < n && *at > 0);
    marks
}

/// A mark of full width as that of half width.
fn plain(c: char) -> char {
    match c {
        '。' | '．' => '.',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        c => fold(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(quoted: &str, found: &str) -> WordForm {
        WordForm::of(&characters(quoted), quoted, found)
    }

    #[test]
    fn a_form_is_exact_or_says_what_is_other() {
        assert_eq!(form("學而時習之，不亦說乎", "學而時習之,不亦說乎"), WordForm::Exact);
        assert_eq!(form("學而時習之，不亦說乎？", "學而時習之‖，不亦說乎"), WordForm::Exact);
        assert_eq!(form("學而時習之，不亦說乎", "學而時習之不亦說乎"), WordForm::Punctuation);
        assert_eq!(form("學而時習之、不亦說乎", "學而時習之，不亦說乎"), WordForm::Punctuation);
        assert_eq!(form("学而时习之", "學而時習之"), WordForm::Script);
        assert_eq!(form("學而時習之", "学而时习之"), WordForm::Script);
        assert_eq!(form("实于左手", "實于左手"), WordForm::Script);
        assert_eq!(form("今文于為於", "今文於為于"), WordForm::Variants);
        assert_eq!(form("学而時習之", "學而时習之"), WordForm::Variants);
        assert_eq!(form("賔主", "賓主"), WordForm::Variants);
    }
}
