//! Text in aligned columns; an ideograph is two columns wide.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Rows as lines, indented by two; columns are padded to the widest entry and separated by two
/// blanks. A cell is shown as it is: one that is a message goes through `say` before.
pub fn lines(rows: &[Vec<String>]) -> String {
    ColumnLines::of(rows).aligned(false)
}

/// The same for figures: all columns but the first are right-aligned.
pub fn figures(rows: &[Vec<String>]) -> String {
    ColumnLines::of(rows).aligned(true)
}

/// Rows that are to be aligned. A report has tens of thousands of them, so their cells are one
/// text.
#[derive(Default)]
pub struct ColumnLines {
    text: String,
    /// Where each cell ends, and how many columns it takes.
    cells: Vec<(usize, usize)>,
    /// How many cells there are up to the end of each row.
    rows: Vec<usize>,
    /// How many columns the widest cell of each column takes.
    widths: Vec<usize>,
}

impl ColumnLines {
    fn of(rows: &[Vec<String>]) -> Self {
        let mut lines = ColumnLines::default();
        rows.iter().for_each(|row| lines.add(row));
        lines
    }

    /// Adds a row of cells.
    pub fn add(&mut self, row: &[String]) {
        for (i, cell) in row.iter().enumerate() {
            // The name of a file may have line ends.
            let cell = cell.replace(['\r', '\n'], " ");
            let width = cell.width();
            self.text.push_str(&cell);
            self.cells.push((self.text.len(), width));
            match self.widths.get_mut(i) {
                Some(widest) => *widest = width.max(*widest),
                None => self.widths.push(width),
            }
        }
        self.rows.push(self.cells.len());
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The lines, with `figures` those of a table of figures.
    pub fn aligned(&self, figures: bool) -> String {
        let mut out = String::with_capacity(2 * self.text.len());
        let mut cells = self.cells.iter();
        let (mut from, mut done) = (0, 0);
        for end in &self.rows {
            let line = out.len();
            for (i, (to, width)) in cells.by_ref().take(end - done).enumerate() {
                let (cell, pad) = (&self.text[from..*to], self.widths[i] - width);
                let before = if figures && i > 0 { pad } else { 0 };
                out.extend(std::iter::repeat_n(' ', 2 + before));
                out.push_str(cell);
                out.extend(std::iter::repeat_n(' ', pad - before));
                from = *to;
            }
            done = *end;
            out.truncate(line + out[line..].trim_end().len());
            out.push('\n');
        }
        out
    }
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
    // It may be a whole chapter.
    let head = fitting(text.chars().map(without_controls), columns);
    let dots = if text.chars().nth(head.chars().count()).is_some() { "…" } else { "" };
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
    text.chars().map(without_controls).collect()
}

fn without_controls(c: char) -> char {
    if c.is_control() { ' ' } else { c }
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
