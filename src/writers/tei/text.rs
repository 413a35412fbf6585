//! Characters into XML: what may stand as itself, what needs an element, and how blanks survive.
//!
//! The rule by which every blank of the source comes back, although people and tools re-indent XML:
//!
//! * a single U+0020 between two characters of the same text node stands as itself;
//! * white space beside a tag means nothing: it is the XML's own formatting;
//! * every other blank is an element: `lb` a line end, `space` blanks and tabs;
//! * what XML forbids or tools damage (controls, noncharacters, U+FEFF, U+2028) is an empty `g`,
//!   declared in the header;
//! * private-use characters and entities such as `&KR0925;` are a `g` that holds what the source
//!   has.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;

/// Output under way: text gathers here and is handed on in large pieces.
pub(super) struct Out<'w> {
    buf: String,
    to: &'w mut dyn io::Write,
}

/// Bytes to gather before handing them on.
const PIECE: usize = 1 << 16;

impl<'w> Out<'w> {
    pub(super) fn new(to: &'w mut dyn io::Write) -> Self {
        Out { buf: String::with_capacity(PIECE * 2), to }
    }
    /// XML as it is.
    pub(super) fn raw(&mut self, xml: &str) {
        self.buf.push_str(xml);
    }
    /// Something displayed, as it is.
    pub(super) fn show(&mut self, what: impl std::fmt::Display) {
        let _ = write!(self.buf, "{what}");
    }
    /// ` name="value"`.
    pub(super) fn attr(&mut self, name: &str, value: &str) {
        self.buf.push(' ');
        self.buf.push_str(name);
        self.buf.push_str("=\"");
        plain_into(&mut self.buf, value);
        self.buf.push('"');
    }
    /// Words of our own (titles, messages) in the header or a note: blanks run together, what XML
    /// forbids becomes U+FFFD.
    pub(super) fn plain(&mut self, words: &str) {
        let mut first = true;
        for word in words.split_whitespace() {
            if !std::mem::take(&mut first) {
                self.buf.push(' ');
            }
            plain_into(&mut self.buf, word);
        }
    }
    /// Words of the source, by the rule of this [module](self). `doubt` wraps the signs for
    /// unreadable characters.
    pub(super) fn source(&mut self, words: &str, doubt: bool) {
        encode(&mut self.buf, words, doubt);
    }
    /// Hands on what has gathered, if it is much.
    pub(super) fn spill(&mut self) -> io::Result<()> {
        if self.buf.len() >= PIECE { self.finish() } else { Ok(()) }
    }
    /// Hands on what has gathered.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.to.write_all(self.buf.as_bytes())?;
        self.buf.clear();
        Ok(())
    }
}

fn plain_into(buf: &mut String, words: &str) {
    if !words.bytes().any(|b| b == b'"' || SUSPICIOUS[b as usize] && b != b' ') {
        return buf.push_str(words);
    }
    for c in words.chars() {
        match c {
            '&' => buf.push_str("&amp;"),
            '<' => buf.push_str("&lt;"),
            '>' => buf.push_str("&gt;"),
            '"' => buf.push_str("&quot;"),
            '\t' | '\n' | '\r' => buf.push(' '),
            c if undeclarable(c) => buf.push('\u{FFFD}'),
            c => buf.push(c),
        }
    }
}

/// What a character of the source becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Itself.
    Literal,
    /// A predefined entity.
    Escape(&'static str),
    /// Perhaps the start of `&KR0925;`.
    Ampersand,
    /// Blank or line end.
    Blank,
    /// An empty `g`.
    Declared,
    /// A `g` around the character.
    Private,
    /// A sign that stands for a character nobody can read.
    Unreadable,
}

fn kind(c: char) -> Kind {
    match c {
        '&' => Kind::Ampersand,
        '<' => Kind::Escape("&lt;"),
        '>' => Kind::Escape("&gt;"),
        ' ' | '\t' | '\n' | '\r' => Kind::Blank,
        '■' | '□' | '●' => Kind::Unreadable,
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}' => {
            Kind::Private
        }
        c if undeclarable(c) => Kind::Declared,
        _ => Kind::Literal,
    }
}

/// Characters that XML forbids or discourages, or that parsers and editors are known to swallow.
fn undeclarable(c: char) -> bool {
    let n = c as u32;
    matches!(n, 0..=0x1F | 0x7F..=0x9F | 0xFDD0..=0xFDEF | 0xFEFF | 0x2028 | 0x2029)
        || n & 0xFFFE == 0xFFFE
}

/// True for the first byte of any character that [`kind`] does not leave as it is (and of some that
/// it does).
const fn suspicious(b: u8) -> bool {
    matches!(b, 0..=0x20 | 0x7F | b'&' | b'<' | b'>' | 0xC2 | 0xE2 | 0xEE | 0xEF | 0xF0..=0xF4)
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

/// The characters of `words` from `from` on that are not plain text: offset and character.
fn specials(words: &str, from: usize) -> impl Iterator<Item = (usize, char, Kind)> + '_ {
    let bytes = words.as_bytes();
    let mut at = from;
    std::iter::from_fn(move || {
        while let Some(step) =
            bytes[at.min(bytes.len())..].iter().position(|b| SUSPICIOUS[*b as usize])
        {
            at += step;
            let i = at;
            let c = words[i..].chars().next()?;
            at += c.len_utf8();
            let kind = kind(c);
            if kind != Kind::Literal {
                return Some((i, c, kind));
            }
        }
        None
    })
}

fn encode(buf: &mut String, words: &str, doubt: bool) {
    let mut done = 0;
    for (i, c, kind) in specials(words, 0) {
        if i < done {
            continue;
        }
        buf.push_str(&words[done..i]);
        done = i + c.len_utf8();
        match kind {
            Kind::Escape(entity) => buf.push_str(entity),
            Kind::Ampersand => match entity_at(words, i) {
                Some(name) => {
                    let _ = write!(buf, "<g ref=\"#{name}\">&amp;{name};</g>");
                    done = i + name.len() + 2;
                }
                None => buf.push_str("&amp;"),
            },
            Kind::Blank => done = i + blank(buf, words, i, doubt),
            Kind::Declared => drop(write!(buf, "<g ref=\"#char-{:04X}\"/>", c as u32)),
            Kind::Private => drop(write!(buf, "<g ref=\"#char-{:04X}\">{c}</g>", c as u32)),
            Kind::Unreadable if doubt => {
                drop(write!(buf, "<unclear reason=\"illegible\">{c}</unclear>"))
            }
            Kind::Literal | Kind::Unreadable => buf.push(c),
        }
    }
    buf.push_str(&words[done..]);
}

/// Writes the blank at `i` and says how many bytes it took.
fn blank(buf: &mut String, words: &str, i: usize, doubt: bool) -> usize {
    let bytes = words.as_bytes();
    match bytes[i] {
        b'\n' => buf.push_str("<lb/>"),
        b'\r' if bytes.get(i + 1) == Some(&b'\n') => {
            buf.push_str("<lb rend=\"crlf\"/>");
            return 2;
        }
        b'\r' => buf.push_str("<lb rend=\"cr\"/>"),
        b => {
            let n = bytes[i..].iter().take_while(|x| **x == b).count();
            if b == b' '
                && n == 1
                && !buf.is_empty()
                && !buf.ends_with('>')
                && text_follows(words, i, doubt)
            {
                buf.push(' ');
                return 1;
            }
            buf.push_str("<space");
            if b == b'\t' {
                buf.push_str(" unit=\"tab\"");
            }
            if n > 1 {
                let _ = write!(buf, " quantity=\"{n}\"");
            }
            buf.push_str("/>");
            return n;
        }
    }
    1
}

/// True if the character after the blank at `i` is written as text, so that no tag touches the
/// blank. (A tag before it is seen from the output: text never ends in a bare `>`.)
fn text_follows(words: &str, i: usize, doubt: bool) -> bool {
    match words[i + 1..].chars().next().map(kind) {
        Some(Kind::Literal | Kind::Escape(_)) => true,
        Some(Kind::Unreadable) => !doubt,
        _ => false,
    }
}

/// The name of a character entity such as `&KR0925;`, `&CB00178;`, `&CDP-8B7C;` that starts at byte
/// `at`: a capital, up to eleven letters or a hyphen, then digits. The entities of HTML are not of
/// this shape.
fn entity_at(words: &str, at: usize) -> Option<&str> {
    let rest = &words[at + 1..];
    let end = rest.bytes().take(24).position(|b| b == b';')?;
    let name = &rest[..end];
    let shape = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && name.bytes().rev().take(2).all(|b| b.is_ascii_hexdigit())
        && name.bytes().any(|b| b.is_ascii_digit());
    shape.then_some(name)
}

/// What the header must declare: id of the `char`, and what it stands for.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// Code points, by id.
    pub(super) points: BTreeMap<String, char>,
    /// Entities, by name.
    pub(super) entities: BTreeSet<String>,
}

impl Declared {
    /// Adds what `words` need.
    pub(super) fn scan(&mut self, words: &str) {
        for (i, c, kind) in specials(words, 0) {
            match kind {
                Kind::Declared | Kind::Private => {
                    drop(self.points.insert(format!("char-{:04X}", c as u32), c))
                }
                Kind::Ampersand => {
                    if let Some(name) = entity_at(words, i)
                        && !self.entities.contains(name)
                    {
                        self.entities.insert(name.to_string());
                    }
                }
                _ => {}
            }
        }
    }
    /// True if nothing is to be declared.
    pub(super) fn is_empty(&self) -> bool {
        self.points.is_empty() && self.entities.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(words: &str) -> String {
        let mut buf = String::new();
        encode(&mut buf, words, true);
        buf
    }

    #[test]
    fn blanks_stand_within_text_only() {
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
