//! How the source's characters are written, as text or as elements, and how blanks are preserved.
//!
//! The rule that restores every blank of the source, even if people or tools re-indent the XML:
//!
//! * a single U+0020 between two characters of the same text node is written as it is;
//! * white space next to a tag has no meaning: it only formats the XML;
//! * every other blank is an element: `lb` a line end, `space` blanks and tabs;
//! * what XML forbids or tools damage (controls, noncharacters, U+FEFF, U+2028) is an empty `g`,
//!   declared in the header;
//! * private-use characters and entities such as `&KR0925;` are a `g` with the source's text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::markup::{Markup, is_forbidden, is_private_use};
use crate::source::{KeptBytes, Source, Span};

/// Text of our own (titles, messages), with blanks and line ends as single blanks.
pub(super) struct Plain<'a>(pub(super) &'a str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, word) in self.0.split_whitespace().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            f.write_str(word)?;
        }
        Ok(())
    }
}

/// What a character of the source becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// Text.
    Literal,
    /// Perhaps the start of `&KR0925;`.
    Ampersand,
    /// Blank or line end.
    Blank,
    /// An empty `g`.
    Declared,
    /// A `g` around the character.
    Private,
    /// A sign for a character that nobody can read.
    Unreadable,
}

fn encoding(c: char) -> Encoding {
    match c {
        '&' => Encoding::Ampersand,
        ' ' | '\t' | '\n' | '\r' => Encoding::Blank,
        '■' | '□' | '●' => Encoding::Unreadable,
        c if is_private_use(c) => Encoding::Private,
        c if is_damaged(c) => Encoding::Declared,
        _ => Encoding::Literal,
    }
}

/// Characters that XML forbids or discourages, or that parsers and editors are known to drop.
fn is_damaged(c: char) -> bool {
    is_forbidden(c) || matches!(c, '\u{FEFF}' | '\u{2028}' | '\u{2029}')
}

/// True for the first byte of any character that is not [`Encoding::Literal`] (and of some that
/// are).
const fn suspicious(b: u8) -> bool {
    matches!(b, 0..=0x20 | 0x7F | b'&' | 0xC2 | 0xE2 | 0xEE | 0xEF | 0xF0..=0xF4)
}

static SUSPICIOUS: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = suspicious(b as u8);
        b += 1;
    }
    table
};

/// The characters of `text` that are not literal: offset, character, encoding.
fn specials(text: &str) -> impl Iterator<Item = (usize, char, Encoding)> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(step) = bytes[at..].iter().position(|b| SUSPICIOUS[*b as usize]) {
            at += step;
            let i = at;
            let c = text[i..].chars().next()?;
            at += c.len_utf8();
            let encoding = encoding(c);
            if encoding != Encoding::Literal {
                return Some((i, c, encoding));
            }
        }
        None
    })
}

/// Writes a stretch of the source; a character with kept bytes is a `g` that the header declares
/// with them. A line feed that is a carriage return there is an `lb`.
pub(super) fn stretch(xml: &mut Markup<'_>, from: &Source, span: Span, doubt: bool) {
    let mut at = span.start();
    for kept in from.kept_in(span) {
        source(xml, from.slice(Span::new(at, kept.span.start())), doubt);
        match from.slice(kept.span) {
            "\n" => _ = xml.void("lb").attr("rend", "cr"),
            _ => _ = xml.void("g").attr("ref", format_args!("#{}", bytes_id(from, kept))),
        }
        at = kept.span.end();
    }
    source(xml, from.slice(Span::new(at, span.end())), doubt);
}

/// The id of the `char` of a character with kept bytes: the bytes, and the character.
fn bytes_id(from: &Source, kept: &KeptBytes) -> String {
    let c = from.slice(kept.span).chars().next().map_or(0, u32::from);
    format!("bytes-{}-{c:04X}", kept.hex())
}

/// Writes text of the source by the rule of this [module](self). `doubt` marks the signs for
/// unreadable characters.
pub(super) fn source(xml: &mut Markup<'_>, text: &str, doubt: bool) {
    let mut done = 0;
    for (i, c, encoding) in specials(text) {
        let is_text = encoding == Encoding::Unreadable && !doubt;
        if i < done || is_text {
            continue;
        }
        xml.plain(&text[done..i]);
        done = i + c.len_utf8();
        let number = c as u32;
        match encoding {
            Encoding::Ampersand => match entity_at(text, i) {
                Some(name) => {
                    xml.open("g").attr("ref", format_args!("#{name}"));
                    xml.text(format_args!("&{name};")).close();
                    done = i + name.len() + 2;
                }
                None => _ = xml.plain("&"),
            },
            Encoding::Blank => done = i + blank(xml, text, i, doubt),
            Encoding::Declared => {
                xml.void("g").attr("ref", format_args!("#char-{number:04X}"));
            }
            Encoding::Private => {
                xml.open("g").attr("ref", format_args!("#char-{number:04X}")).text(c).close();
            }
            Encoding::Unreadable | Encoding::Literal => {
                xml.open("unclear").attr("reason", "illegible").text(c).close();
            }
        }
    }
    xml.plain(&text[done..]);
}

/// Writes the blank at `i`; returns how many bytes of the text it is.
fn blank(xml: &mut Markup<'_>, text: &str, i: usize, doubt: bool) -> usize {
    let bytes = &text.as_bytes()[i..];
    match bytes {
        [b'\n', ..] => _ = xml.void("lb"),
        [b'\r', b'\n', ..] => {
            xml.void("lb").attr("rend", "crlf");
            return 2;
        }
        [b'\r', ..] => _ = xml.void("lb").attr("rend", "cr"),
        _ => {
            let n = bytes.iter().take_while(|b| **b == bytes[0]).count();
            if bytes[0] == b' ' && n == 1 && !xml.is_after_tag() && text_follows(text, i, doubt) {
                xml.plain(" ");
            } else {
                xml.void("space").maybe("unit", (bytes[0] == b'\t').then_some("tab"));
                xml.maybe("quantity", (n > 1).then_some(n));
            }
            return n;
        }
    }
    1
}

/// True if the character after the blank at `i` is written as text, so that no tag touches the
/// blank. (A tag before it is seen from the output: text never ends in a bare `>`.)
fn text_follows(text: &str, i: usize, doubt: bool) -> bool {
    match text[i + 1..].chars().next().map(encoding) {
        Some(Encoding::Literal) => true,
        Some(Encoding::Unreadable) => !doubt,
        _ => false,
    }
}

/// The name of a character entity such as `&KR0925;`, `&CB00178;`, `&CDP-8B7C;` that starts at byte
/// `at`: a capital, up to eleven letters or a hyphen, then digits. The entities of HTML are not of
/// this shape.
fn entity_at(text: &str, at: usize) -> Option<&str> {
    let rest = &text[at + 1..];
    let end = rest.bytes().take(24).position(|b| b == b';')?;
    let name = &rest[..end];
    let shape = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && name.bytes().rev().take(2).all(|b| b.is_ascii_hexdigit())
        && name.bytes().any(|b| b.is_ascii_digit());
    shape.then_some(name)
}

/// What the header must declare: the id of the `char`, and its character or entity.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// Code points, by id.
    pub(super) points: BTreeMap<String, char>,
    /// Characters with their bytes in hexadecimal, by id.
    pub(super) bytes: BTreeMap<String, (char, String)>,
    /// Entities, by name.
    pub(super) entities: BTreeSet<String>,
}

impl Declared {
    /// Adds what `text` needs.
    pub(super) fn scan(&mut self, text: &str) {
        for (i, c, encoding) in specials(text) {
            match encoding {
                Encoding::Declared | Encoding::Private => {
                    self.points.insert(format!("char-{:04X}", c as u32), c);
                }
                Encoding::Ampersand => {
                    if let Some(name) = entity_at(text, i)
                        && !self.entities.contains(name)
                    {
                        self.entities.insert(name.to_string());
                    }
                }
                _ => {}
            }
        }
    }
    /// Adds the characters of a source with kept bytes.
    pub(super) fn scan_bytes(&mut self, from: &Source) {
        for kept in from.kept().iter().filter(|k| from.slice(k.span) != "\n") {
            if let Some(c) = from.slice(kept.span).chars().next() {
                self.bytes.entry(bytes_id(from, kept)).or_insert_with(|| (c, kept.hex()));
            }
        }
    }
    /// True if nothing must be declared.
    pub(super) fn is_empty(&self) -> bool {
        self.points.is_empty() && self.bytes.is_empty() && self.entities.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::Escaping;

    fn encoded(text: &str) -> String {
        let mut out = Vec::new();
        let mut xml = Markup::xml(&mut out, Escaping::Tei);
        xml.open("x");
        source(&mut xml, text, true);
        xml.close();
        xml.finish().unwrap();
        let out = String::from_utf8(out).unwrap();
        let (_, content) = out.split_once("<x>").unwrap();
        content.strip_suffix("</x>").unwrap().to_string()
    }

    #[test]
    fn a_single_blank_is_itself_only_within_text() {
        assert_eq!(encoded("a b"), "a b");
        assert_eq!(encoded(" a  b "), "<space/>a<space quantity=\"2\"/>b<space/>");
        assert_eq!(encoded("a ■"), "a<space/><unclear reason=\"illegible\">■</unclear>");
        assert_eq!(
            encoded("a\t\r\n\rb\n"),
            "a<space unit=\"tab\"/><lb rend=\"crlf\"/><lb rend=\"cr\"/>b<lb/>"
        );
        assert_eq!(
            encoded("a &KR0925; & b"),
            "a<space/><g ref=\"#KR0925\">&amp;KR0925;</g><space/>&amp; b"
        );
    }

    #[test]
    fn what_xml_forbids_is_declared() {
        assert_eq!(encoded("\u{1}"), "<g ref=\"#char-0001\"/>");
        assert_eq!(encoded("\u{E000}"), "<g ref=\"#char-E000\">\u{E000}</g>");
        assert_eq!(encoded("\u{1FFFF}]]>"), "<g ref=\"#char-1FFFF\"/>]]&gt;");
        assert_eq!(encoded("，。“”…𧰼"), "，。“”…𧰼");
        assert_eq!(encoded("&amp;&lt;"), "&amp;amp;&amp;lt;");
    }
}
