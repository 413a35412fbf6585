//! Text in aligned columns, an ideograph counting two.

use unicode_width::UnicodeWidthStr;

/// How a column stands.
#[derive(Clone, Copy, PartialEq)]
pub enum Side {
    /// Words.
    Left,
    /// Figures.
    Right,
}

/// Rows as lines, indented by two, the columns padded to the widest entry and set two blanks apart.
pub fn lines(rows: &[Vec<String>], sides: &[Side]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| c.width()).max().unwrap_or(0);
    let widths: Vec<_> = (0..count).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[i] - cell.width());
            match sides.get(i).copied().unwrap_or(Side::Left) {
                Side::Left => line.extend(["  ", cell, &pad]),
                Side::Right => line.extend(["  ", &pad, cell]),
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ideographs_count_two() {
        let rows = [vec!["經".to_string(), "7".into()], vec!["jing".into(), "12".into()]];
        assert_eq!(lines(&rows, &[Side::Left, Side::Right]), "  經     7\n  jing  12\n");
    }
}
