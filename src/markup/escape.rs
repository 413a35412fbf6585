//! Escaping. The formats differ in the entity for an apostrophe, in white space, and in the
//! characters they replace.

use std::fmt;

/// How text and attribute values are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escaping {
    /// As HTML: the apostrophe as a number, since HTML 4 has no `&apos;`.
    Html,
    /// Like XML libraries.
    Xml,
    /// As our TEI: line ends and tabs become blanks, since line ends of the source are elements;
    /// characters that tools are known to damage become U+FFFD too.
    Tei,
}

impl Escaping {
    /// A writer that escapes into `to`.
    pub(super) fn into(self, to: &mut String) -> Escaped<'_> {
        Escaped(self, to)
    }

    /// What is written for `c` if it is not written as it is.
    fn of(self, c: char) -> Option<&'static str> {
        Some(match (c, self) {
            ('&', _) => "&amp;",
            ('<', _) => "&lt;",
            ('>', _) => "&gt;",
            ('"', _) => "&quot;",
            ('\'', Escaping::Html) => "&#39;",
            ('\'', Escaping::Xml) => "&apos;",
            ('\r', Escaping::Xml) => "&#13;",
            ('\t' | '\n' | '\r', Escaping::Tei) => " ",
            ('\u{FEFF}' | '\u{2028}' | '\u{2029}', Escaping::Tei) => "\u{FFFD}",
            (c, _) if is_forbidden(c) => "\u{FFFD}",
            _ => return None,
        })
    }
}

/// Escapes what is written into it.
pub(super) struct Escaped<'a>(Escaping, &'a mut String);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let Escaped(escaping, to) = self;
        let mut done = 0;
        for (at, c) in text.char_indices() {
            if let Some(replacement) = escaping.of(c) {
                to.push_str(&text[done..at]);
                to.push_str(replacement);
                done = at + c.len_utf8();
            }
        }
        to.push_str(&text[done..]);
        Ok(())
    }
}

/// True for characters that XML forbids or discourages: controls and noncharacters.
pub(crate) fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}'
        | '\u{FDD0}'..='\u{FDEF}')
        || (c as u32) & 0xFFFE == 0xFFFE
}

/// True for characters of the private-use areas, whose meaning depends on the font.
pub(crate) fn is_private_use(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
}
