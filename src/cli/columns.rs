//! Text in aligned columns; an ideograph is two columns wide.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::language::say;

/// Rows as lines, indented by two; columns are padded to the widest entry and separated by two
/// blanks.
pub fn lines(rows: &[Vec<String>]) -> String {
    aligned(&shown(rows), false)
}

/// The same for rows with names that are typed, which are the same in every language.
pub fn lines_of_names(rows: &[Vec<String>]) -> String {
    aligned(rows, false)
}

/// The same for figures: all columns but the first are right-aligned.
pub fn figures(rows: &[Vec<String>]) -> String {
    aligned(&shown(rows), true)
}

/// A cell that is a message is shown as one. The name of a file may have line ends.
fn shown(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let cell = |cell: &String| say(cell).replace(['\r', '\n'], " ");
    rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}

fn aligned(rows: &[Vec<String>], figures: bool) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| c.width()).max().unwrap_or(0);
    let widths: Vec<_> = (0..count).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[i] - cell.width());
            line.extend(if figures && i > 0 { ["  ", &pad, cell] } else { ["  ", cell, &pad] });
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A row: its name, then its cells.
pub fn row(name: &str, cells: impl IntoIterator<Item = String>) -> Vec<String> {
    std::iter::once(name.to_string()).chain(cells).collect()
}

/// `1 text`, `2 texts`.
pub fn counted(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

/// The beginning of a text on one line, as much as fits into the columns.
pub fn beginning(text: &str, columns: usize) -> String {
    let flat = one_line(text);
    let head = fitting(flat.chars(), columns);
    let dots = if head.len() < flat.len() { "…" } else { "" };
    format!("{}{dots}", head.trim())
}

/// A text on one line, shortened in the middle if it does not fit into the columns.
pub fn both_ends(text: &str, columns: usize) -> String {
    let flat = one_line(text);
    let flat = flat.trim();
    if flat.width() <= columns {
        return flat.to_string();
    }
    let tail: String = fitting(flat.chars().rev(), columns / 3).chars().rev().collect();
    format!("{}…{tail}", fitting(flat.chars(), columns - columns / 3 - 1))
}

/// Line ends and tabs as blanks.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// As many characters as fit into the columns.
pub fn fitting(chars: impl Iterator<Item = char>, columns: usize) -> String {
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= columns
    };
    chars.take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ideographs_count_two() {
        let rows = [vec!["經".to_string(), "7".into()], vec!["jing".into(), "12".into()]];
        assert_eq!(figures(&rows), "  經     7\n  jing  12\n");
    }

    #[test]
    fn words_are_one_line_and_cut_by_columns() {
        assert_eq!(beginning("卒射\n反位", 36), "卒射 反位");
        assert_eq!(beginning(&"射".repeat(40), 36), format!("{}…", "射".repeat(18)));
        assert_eq!(both_ends("卒射\n反位", 36), "卒射 反位");
        assert_eq!(both_ends("一二三四五六七八九十", 12), "一二三…九十");
    }
}
