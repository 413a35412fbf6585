//! Titles of chapters in translations into languages of Europe: BOOK II, Chapter 2, Kapitel 3.

use std::sync::LazyLock;

use regex::Regex;

use crate::text::pattern;

static TITLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?P<kind>book|chapter|chap|part|section|livre|chapitre|partie|buch|kapitel|teil|liber|caput|libro|cap[ií]tulo|capitolo|книга|глава)\.?\s+(?P<n>[ivxlc]+|[0-9]{1,3})\b[\s.:,–—-]*(?P<t>.*)$",
    )
});

/// The first letter, the number and the title of a line that is a title with a number: by the
/// letter books differ from their chapters.
pub(super) fn numbered(words: &str) -> Option<(char, u32, &str)> {
    let found = TITLE.captures(words)?;
    let number = found["n"].parse().ok().or_else(|| roman(&found["n"]))?;
    let kind = found["kind"].chars().next()?.to_ascii_uppercase();
    let title = found.name("t").map_or("", |t| t.as_str());
    Some((kind, number, title.trim().trim_end_matches('.')))
}

/// The value of a Roman numeral.
fn roman(words: &str) -> Option<u32> {
    let value = |c: char| match c.to_ascii_uppercase() {
        'I' => Some(1),
        'V' => Some(5),
        'X' => Some(10),
        'L' => Some(50),
        'C' => Some(100),
        _ => None,
    };
    let values: Vec<u32> = words.chars().map(value).collect::<Option<_>>()?;
    let less = |n: usize| values.get(n + 1).is_some_and(|next| values[n] < *next);
    let sum = (0..values.len()).map(|n| i64::from(values[n]) * if less(n) { -1 } else { 1 });
    u32::try_from(sum.sum::<i64>()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_have_numbers_in_either_form() {
        assert_eq!(numbered("BOOK II. WEI CHANG."), Some(('B', 2, "WEI CHANG")));
        assert_eq!(numbered("Chapter 14"), Some(('C', 14, "")));
        assert_eq!(numbered("Kapitel XIX: Vom Wege"), Some(('K', 19, "Vom Wege")));
        assert_eq!(numbered("Chapters of a book"), None);
        assert_eq!(numbered("Part of it"), None);
    }
}
