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
        let bytes = text.as_bytes();
        let (mut done, mut at) = (0, 0);
        while let Some(skipped) = bytes[at..].iter().position(|b| MAY_CHANGE[usize::from(*b)]) {
            at += skipped;
            // These bytes begin a character.
            let Some(c) = text[at..].chars().next() else { break };
            let next = at + c.len_utf8();
            if let Some(replacement) = escaping.of(c) {
                to.push_str(&text[done..at]);
                to.push_str(replacement);
                done = next;
            }
            at = next;
        }
        to.push_str(&text[done..]);
        Ok(())
    }
}

/// First bytes of the characters that may be replaced: of ASCII, C1 controls, U+2028, U+FEFF and
/// noncharacters. Few Chinese characters begin with them.
const MAY_CHANGE: [bool; 256] = {
    let mut may = [false; 256];
    let mut b = 0;
    while b < 256 {
        may[b] = matches!(b as u8, ..0x20 | b'&' | b'<' | b'>' | b'"' | b'\'' | 0x7F | 0xC2 | 0xE2 | 0xEF | 0xF0..);
        b += 1;
    }
    may
};

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn every_character_that_is_replaced_begins_with_a_byte_that_is_looked_at() {
        for c in '\0'..=char::MAX {
            let first = c.to_string().as_bytes()[0];
            let replaced = [Escaping::Html, Escaping::Xml, Escaping::Tei].map(|e| e.of(c));
            assert!(replaced == [None; 3] || MAY_CHANGE[usize::from(first)], "{c:?}");
        }
    }

    #[test]
    fn what_is_around_replaced_characters_stays() {
        let mut to = String::new();
        Escaping::Tei.into(&mut to).write_str("甲&，\u{2028}“乙”\u{FFFE}丙\n").unwrap();
        assert_eq!(to, "甲&amp;，\u{FFFD}“乙”\u{FFFD}丙 ");
    }
}
