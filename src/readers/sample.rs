//! The sample of a text by which readers recognise it: all of a short text; the beginning of a long
//! one, and pieces from further on. A book begins with a table of contents and prefaces, which do
//! not show how its text is marked.

use std::borrow::Cow;

/// Bytes of the beginning, of each further piece, and how many of these there are.
pub(super) const HEAD: usize = 40 << 10;
const PIECE: usize = 16 << 10;
const PIECES: usize = 8;

/// The sample of a text: whole lines where lines are not too long.
pub(super) fn of(text: &str) -> Cow<'_, str> {
    if text.len() <= HEAD + (PIECES + 2) * PIECE {
        return Cow::Borrowed(text);
    }
    let mut sample = text[..line_end(text, HEAD)].to_string();
    for n in 1..=PIECES {
        let at = HEAD + (text.len() - HEAD - PIECE) / PIECES * n;
        let start = line_end(text, at);
        let end = line_end(text, start + PIECE);
        if !sample.ends_with('\n') {
            sample.push('\n');
        }
        sample.push_str(&text[start..end]);
    }
    Cow::Owned(sample)
}

/// The end of the line that contains byte `at`, or a character near `at` if the line is long.
fn line_end(text: &str, at: usize) -> usize {
    let at = super::floor(text, at);
    let limit = super::floor(text, at + PIECE / 2);
    text[at..limit].find('\n').map_or(at, |i| at + i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_seen_in_whole_lines_from_everywhere() {
        let text: String = (0..60_000).map(|n| format!("獲者{n}\n")).collect();
        let sample = of(&text);
        assert!(sample.len() < text.len() && sample.starts_with("獲者0\n"));
        let numbers: Vec<usize> =
            sample.lines().map(|l| l.trim_start_matches("獲者").parse().unwrap()).collect();
        assert!(numbers.is_sorted() && *numbers.last().unwrap() > 55_000);
        let one_line = "獲".repeat(200_000);
        assert!(of(&one_line).len() < one_line.len());
        assert_eq!(of("三耦"), "三耦");
    }
}
