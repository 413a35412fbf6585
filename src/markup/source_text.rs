//! Text of a source as pages show it: every character that is invisible, that affects the page or
//! that represents another is marked.
//!
//! Characters that change the display (directions, zero widths, controls) and signs for missing or
//! uncoded characters are shown as labelled boxes.

use super::{Markup, is_forbidden, is_private_use};

impl Markup<'_> {
    /// Text of a source. Line ends between Chinese characters are left out (HTML would show a
    /// blank there).
    pub(crate) fn words(&mut self, text: &str) -> &mut Self {
        self.end_tag();
        let mut rest = text;
        while let Some(at) = first_special(rest) {
            self.push(&rest[..at]);
            let before = rest[..at].chars().next_back();
            rest = &rest[at..];
            rest = &rest[self.special(rest, before)..];
        }
        self.push(rest);
        self
    }

    /// Writes the special character that `rest` begins with; returns its length in bytes.
    fn special(&mut self, rest: &str, before: Option<char>) -> usize {
        let Some(c) = rest.chars().next() else { return 0 };
        let len = c.len_utf8();
        let number = c as u32;
        match c {
            '\n' | '\r' => {
                let after = rest[len..].chars().next();
                if [before, after].into_iter().all(|c| c.is_some_and(|c| c.is_ascii_alphanumeric()))
                {
                    self.buffer.push(' ');
                }
            }
            '&' => {
                let Some(entity) = entity(rest) else {
                    self.escaped('&');
                    return len;
                };
                let title = "{char-entity}";
                self.boxed("abbr", "gaiji", title, entity);
                return entity.len();
            }
            '■' | '□' | '●' | '\u{FFFD}' => {
                let title = "{char-lost}";
                self.boxed("abbr", "lost", title, &rest[..len]);
            }
            c if is_private_use(c) => {
                let title = &format!("U+{number:04X} {{char-private}}");
                self.numbered("gaiji private", title, c);
            }
            c if is_rare(c) => {
                let title = &format!("U+{number:04X} {{char-rare}}");
                self.numbered("rare", title, c);
            }
            c if is_forbidden(c) => {
                let title = &format!("U+{number:04X} {{char-control}}");
                self.boxed("bdi", "ctl", title, "\u{FFFD}");
            }
            _ => {
                let title = &format!("U+{number:04X} {{char-invisible}}");
                self.boxed("bdi", "ctl", title, &rest[..len]);
            }
        }
        len
    }

    fn boxed(&mut self, name: &'static str, class: &'static str, title: &str, text: &str) {
        self.open(name).attr("class", class).attr_said("title", title).text(text).close();
    }

    /// A character that may have no glyph: its number is shown with it or instead of it.
    fn numbered(&mut self, class: &'static str, title: &str, c: char) {
        self.open("abbr").attr("class", class).attr("data-u", format_args!("U+{:04X}", c as u32));
        // The script of a site says it from the class.
        if !self.is_switchable() {
            self.attr_said("title", title);
        }
        self.text(c).close();
    }
}

/// True for planes above the second, whose characters few fonts have.
fn is_rare(c: char) -> bool {
    matches!(c, '\u{30000}'..='\u{3FFFD}')
}

/// True for characters that a page does not show unchanged.
pub(super) fn is_special(c: char) -> bool {
    match c {
        '\n' | '\r' | '&' | '■' | '□' | '●' | '\u{FFFD}' => true,
        '\u{AD}'
        | '\u{61C}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' => true,
        c => is_private_use(c) || is_rare(c) || is_forbidden(c),
    }
}

/// Where the first special character is.
fn first_special(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += bytes[at..].iter().position(|b| MAY_BE_SPECIAL[usize::from(*b)])?;
        // These bytes begin a character.
        let c = text[at..].chars().next()?;
        if is_special(c) {
            return Some(at);
        }
        at += c.len_utf8();
    }
}

/// First bytes of the special characters. Few Chinese characters begin with them.
const MAY_BE_SPECIAL: [bool; 256] = {
    let mut may = [false; 256];
    let mut b = 0;
    while b < 256 {
        may[b] =
            matches!(b as u8, ..0x20 | b'&' | 0x7F | 0xC2 | 0xD8 | 0xE2 | 0xEE | 0xEF | 0xF0..);
        b += 1;
    }
    may
};

/// The character entity that `text` begins with, such as `&KR0925;`, `&CB00178;` or `&CDP-8B7C;`.
fn entity(text: &str) -> Option<&str> {
    let end = text.bytes().take(32).position(|b| b == b';')?;
    let name = text.get(1..end)?;
    let is_entity = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'+'))
        && name.bytes().any(|b| b.is_ascii_digit());
    is_entity.then(|| &text[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let mut out = Vec::new();
        let mut html = Markup::html(&mut out);
        html.words(text);
        html.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn markup_in_the_text_is_shown_as_text() {
        assert_eq!(
            words("<script>alert('x')</script>"),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"
        );
        assert_eq!(words("a&amp;b"), "a&amp;amp;b");
        assert_eq!(
            words("\u{202E}"),
            "<bdi class=\"ctl\" title=\"U+202E 不可見字元\">\u{202E}</bdi>"
        );
        assert!(words("a\0b").contains("U+0000"));
        assert!(!words("a\0b").contains('\0'));
    }

    #[test]
    fn every_special_character_begins_with_a_byte_that_is_looked_at() {
        for c in '\0'..=char::MAX {
            let text = format!("一{c}");
            assert_eq!(first_special(&text), is_special(c).then_some(3), "{c:?}");
        }
    }

    #[test]
    fn signs_for_other_characters_are_labelled() {
        assert!(words("射&KR0925;之").contains(">&amp;KR0925;</abbr>之"));
        assert!(words("&ok;").starts_with("&amp;ok;"));
        assert!(words("\u{E000}").contains("data-u=\"U+E000\""));
        assert!(words("\u{30EDE}").contains("data-u=\"U+30EDE\""));
        assert!(words("■").starts_with("<abbr class=\"lost\""));
    }

    #[test]
    fn line_ends_leave_no_blank_between_characters() {
        assert_eq!(words("左賢于右。\n”"), "左賢于右。”");
        assert_eq!(words("two\nwords"), "two words");
    }
}
