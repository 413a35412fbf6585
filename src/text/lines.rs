//! Lines of a text, with and without the blanks around them.

use crate::source::Span;

/// One line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// All of it, with its line end.
    pub whole: Span,
    /// Without blanks at either end (and without a byte order mark); empty for a blank line.
    pub words: Span,
}

/// The lines of `text`, in order; together they cover it.
///
/// ```
/// use zhushu::text::lines;
/// let l = lines(" 獲\r\n\n反位");
/// assert_eq!(l.len(), 3);
/// assert_eq!((l[0].words.range(), l[1].words.is_empty(), l[2].whole.range()), (1..4, true, 7..13));
/// ```
pub fn lines(text: &str) -> Vec<Line> {
    let mut at = 0;
    let blank = |c: char| c.is_whitespace() || c == '\u{FEFF}';
    text.split_inclusive('\n')
        .map(|l| {
            let whole = Span::new(at, at + l.len());
            at += l.len();
            let start = whole.start() + (l.len() - l.trim_start_matches(blank).len());
            let words = if start == whole.end() {
                Span::new(start, start)
            } else {
                Span::new(start, whole.start() + l.trim_end_matches(blank).len())
            };
            Line { whole, words }
        })
        .collect()
}
