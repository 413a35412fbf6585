//! Edits between words and the beginning of a text, by diagonals.

use super::MAX_DIFFERENCES;

/// The fewest edits that turn all of `words` into some beginning of `text`; `None` if more than
/// `max`. Row `i` of diagonal `d` represents `i` words against `i + d` characters of the text;
/// `reach[d]` is the last row that `e` edits reach.
pub fn edits<'a>(
    words: impl ExactSizeIterator<Item = &'a char> + Clone,
    text: impl ExactSizeIterator<Item = &'a char> + Clone,
    max: usize,
) -> Option<usize> {
    const WIDTH: usize = 2 * MAX_DIFFERENCES + 3;
    const CENTRE: i64 = MAX_DIFFERENCES as i64 + 1;
    const UNREACHED: i64 = i64::MIN / 2;
    let (n, m) = (words.len() as i64, text.len() as i64);
    let slide = |row: i64, diagonal: i64| {
        let pairs =
            words.clone().skip(row as usize).zip(text.clone().skip((row + diagonal) as usize));
        row + pairs.take_while(|(a, b)| a == b).count() as i64
    };
    let mut reach = [UNREACHED; WIDTH];
    for e in 0..=max as i64 {
        let before = reach;
        for d in -e..=e {
            let at = (CENTRE + d) as usize;
            let row = match e {
                0 => 0,
                // Another character, one more in the text, one less.
                _ => (before[at] + 1).max(before[at - 1]).max(before[at + 1] + 1),
            };
            let row = row.min(n).min(m - d);
            if row < 0 || row + d < 0 {
                continue;
            }
            reach[at] = slide(row, d);
            if reach[at] == n {
                return Some(e as usize);
            }
        }
    }
    None
}
