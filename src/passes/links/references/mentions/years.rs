//! Years of the 春秋 that a text names: 昭二十六年《左傳》, 僖五年滅弦.

use crate::passes::links::references::cues::*;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::annals::DukeYear;
use crate::text::fold::fold;
use crate::text::{char_ceil, char_floor, numeral};

/// Bytes before and after a title that are looked at.
const REACH_BYTES: usize = 48;
/// Fewer characters are between a year and the title it belongs to.
pub const MAX_TO_TITLE: usize = 3;

/// A year that a text names.
#[derive(Clone, Copy, Debug)]
pub struct Year {
    /// The words that name it.
    pub span: Span,
    /// Of whom.
    pub of: DukeYear,
    /// Whether the text says that it cites (傳曰, 見).
    pub cites: bool,
    /// Whether the text does not name the duke.
    pub is_bare: bool,
}

/// All years that are named in a text.
pub fn all(text: &str, span: Span) -> Vec<Year> {
    let found = YEAR.captures_iter(&text[span.range()]).filter_map(|c| {
        let (duke, says) = (c.name("duke")?, c.name("says")?);
        let year = numeral::year(c.name("year")?.as_str())?;
        Some(Year {
            span: Span::new(span.start() + duke.start(), span.start() + says.end()),
            of: DukeYear { duke: duke.as_str().chars().next()?, year },
            cites: !says.is_empty() || c.name("see").is_some(),
            is_bare: false,
        })
    });
    found.collect()
}

/// The same with years without a duke: of the duke named last (`last` before the text) or of
/// `home`, whose years are explained. Where it may be either, both are given, `home` first.
pub fn with_bare(text: &str, span: Span, mut last: Option<char>, home: Option<char>) -> Vec<Year> {
    let named = all(text, span);
    let mut found = Vec::new();
    let mut rest = named.iter().peekable();
    for c in BARE_YEAR.captures_iter(&text[span.range()]) {
        let at = span.start() + c.get_match().start();
        while let Some(year) = rest.next_if(|y| y.span.start() <= at) {
            last = Some(year.of.duke);
            found.push(*year);
        }
        let before = text[span.start()..at].chars().next_back();
        let Some(year) = c.name("year").and_then(|y| numeral::year(y.as_str())) else { continue };
        if before.is_some_and(|b| is_content(b) && !BEFORE_BARE.has(b)) {
            continue;
        }
        let is_home = before.is_some_and(|b| OF_THIS_DUKE.has(b));
        let other = last.filter(|l| !is_home && home.is_none_or(|h| fold(h) != fold(*l)));
        let here = Span::new(at, span.start() + c.get_match().end());
        let of =
            |duke| Year { span: here, of: DukeYear { duke, year }, cites: false, is_bare: true };
        found.extend([home, other].into_iter().flatten().map(of));
    }
    found.extend(rest);
    found
}

/// The year that is named just before byte `at`.
pub fn before(text: &str, within: Span, at: usize) -> Option<DukeYear> {
    let start = at.saturating_sub(REACH_BYTES).max(within.start().min(at));
    let last = all(text, Span::new(char_ceil(text, start), at)).pop()?;
    let between = text[last.span.end()..at].chars().count();
    (between < MAX_TO_TITLE).then_some(last.of)
}

/// The year that is named just after byte `at` (《左傳》僖十五年).
pub fn after(text: &str, within: Span, at: usize) -> Option<Year> {
    let end = at.saturating_add(REACH_BYTES).min(within.end().max(at));
    let first = all(text, Span::new(at, char_floor(text, end))).into_iter().next()?;
    (first.span.start() == at).then_some(first)
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_belongs_to_the_title_that_follows_at_once() {
        let year = |text: &str| {
            let at = text.find('《').expect("a title");
            before(text, Span::new(0, text.len()), at).map(|d| (d.duke, d.year))
        };
        assert_eq!(year("案昭二十六年《左傳》稱禮"), Some(('昭', 26)));
        assert_eq!(year("僖五年,《左傳》云"), Some(('僖', 5)));
        assert_eq!(year("僖五年滅弦,弦子奔黃。《左傳》云"), None, "a year of the events");
    }

    #[test]
    fn a_year_without_a_duke_is_of_the_one_named_last_or_of_the_one_explained() {
        let years = |text: &str, home: Option<char>| -> Vec<(char, u32)> {
            let all = with_bare(text, Span::new(0, text.len()), None, home);
            all.iter().map(|y| (y.of.duke, y.of.year)).collect()
        };
        let row = "昭二十五年卒；二十九年，";
        assert_eq!(years(row, None), [('昭', 25), ('昭', 29)]);
        assert_eq!(years(row, Some('宣')), [('昭', 25), ('宣', 29), ('昭', 29)]);
        assert_eq!(years("昭元年，即下六年夏", Some('宣')), [('昭', 1), ('宣', 6)]);
        assert_eq!(years("平王四十九年，君之三年之喪，子生八年", Some('宣')), []);
    }

    #[test]
    fn a_year_after_a_title_begins_at_once() {
        let year = |text: &str| {
            let at = text.find('》').expect("a title") + '》'.len_utf8();
            after(text, Span::new(0, text.len()), at).map(|d| (d.of.duke, d.of.year))
        };
        assert_eq!(year("《左傳》僖十五年，秦伯伐晉。"), Some(('僖', 15)));
        assert_eq!(year("《左傳》云僖十五年，秦伯伐晉。"), None);
        assert_eq!(
            year("僖十五年《左傳》昭元年云"),
            Some(('昭', 1)),
            "the year before is another's"
        );
        let within = |words: usize| {
            let text = "《左傳》僖十五年";
            let at = "《左傳》".len();
            after(text, Span::new(0, at + words), at).is_some()
        };
        assert!(within("僖十五年".len()) && !within("僖十五".len()), "not beyond the span");
    }
}
