//! Words in TeX, for BibTeX and LaTeX.

/// Adds words, with commands for the characters that have a meaning in TeX. What TeX cannot have,
/// such as control characters, is U+FFFD.
pub(super) fn escape(text: &str, out: &mut String) {
    let mut before = None;
    for c in text.chars() {
        // TeX makes a ligature of two of these.
        if matches!(c, '-' | '\'' | '`' | ',' | '<' | '>') && before == Some(c) {
            out.push_str("{}");
        }
        before = Some(c);
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' => out.push_str("\\textbraceleft{}"),
            '}' => out.push_str("\\textbraceright{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '$' | '&' | '#' | '_' | '%' => out.extend(['\\', c]),
            '@' => out.push_str("{@}"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if crate::markup::is_forbidden(c) => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
}
