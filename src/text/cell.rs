//! Words in the cells of tables that people open as spreadsheets.

use std::borrow::Cow;

/// What a formula begins with. Some spreadsheets take the full-width signs for the others.
const BEGINNINGS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A cell's words, with a backslash before what a spreadsheet would calculate.
pub fn uncalculated(words: &str) -> Cow<'_, str> {
    // A quotation mark at the beginning is taken away, and what is after it calculated.
    match words.trim_start_matches('"').starts_with(BEGINNINGS) {
        true => Cow::Owned(format!("\\{words}")),
        false => Cow::Borrowed(words),
    }
}

/// A cell's words, with tabs, line ends and backslashes written `\t`, `\n`, `\r`, `\\`, and a
/// backslash before what a spreadsheet would calculate.
pub fn escaped(words: &str) -> String {
    let written = words.replace('\\', "\\\\").replace('\t', "\\t");
    uncalculated(&written.replace('\n', "\\n").replace('\r', "\\r")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_begins_as_a_formula_is_changed() {
        for words in ["=HYPERLINK(\"x\")", "+1", "-1", "@a", "＝1", "＋1", "－1", "＠a", "\"=1\""]
        {
            assert_eq!(uncalculated(words), format!("\\{words}"));
        }
        for words in ["", "射=獲", "\\=", "射"] {
            assert_eq!(uncalculated(words), words);
        }
    }
}
