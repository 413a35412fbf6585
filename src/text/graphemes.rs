//! Boundaries of characters as a reader sees them: a base is never cut from its variation selector
//! or combining mark. The rules are those of UAX #29, by `unicode-segmentation`; the common case is
//! decided without it.

use unicode_segmentation::GraphemeCursor;

/// True if the text may be cut at byte `at`, which must be on a `char` boundary.
///
/// ```
/// use zhushu::text::graphemes::is_boundary;
/// let text = "葛\u{E0100}城";
/// assert!(!is_boundary(text, 3) && is_boundary(text, 7));
/// ```
pub fn is_boundary(text: &str, at: usize) -> bool {
    match text[at..].chars().next() {
        None => true,
        Some(c) if stands_alone(c) => true,
        // The whole text is given, so the cursor never asks for more and cannot fail; if it does,
        // cutting is safe.
        Some(_) => GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0).unwrap_or(true),
    }
}

/// The nearest place at or after `at` where the text may be cut.
///
/// ```
/// assert_eq!(zhushu::text::graphemes::next_boundary("葛\u{E0100}城", 3), 7);
/// ```
pub fn next_boundary(text: &str, at: usize) -> usize {
    text[at..]
        .char_indices()
        .map(|(i, _)| at + i)
        .find(|&i| is_boundary(text, i))
        .unwrap_or(text.len())
}

/// Characters that never belong to the one before them: ideographs, printable ASCII, and the marks
/// of East Asian punctuation except the tone marks U+302A–302F and the voicing marks U+3099–309A.
fn stands_alone(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{3400}'..='\u{9FFF}' | '\u{3000}'..='\u{3029}' | '\u{FF01}'..='\u{FF9D}' | '\u{2014}'..='\u{2026}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortcut_agrees_with_the_standard() {
        // U+00A9 is a pictograph and U+200D joins only pictographs, so an ideograph before it
        // represents any base.
        for c in (0x20..0x1_0000).filter_map(char::from_u32).filter(|c| stands_alone(*c)) {
            let text = format!("一{c}");
            assert!(
                GraphemeCursor::new(3, text.len(), true).is_boundary(&text, 0).unwrap(),
                "{c:?}"
            );
        }
    }

    #[test]
    fn no_boundary_lies_within_a_line_end_or_before_a_mark() {
        assert!(!is_boundary("一\r\n二", 4));
        assert_eq!(next_boundary("e\u{301}x", 1), 3);
        assert_eq!(next_boundary("一", 3), 3);
    }
}
