//! Tags and text as nearly all are written: names of ASCII letters, values in double quotes, no
//! entities. They are read here in a third of the time that a whole parser takes. Everything else
//! is left to the parser, also everything that may be wrong.

use std::borrow::Cow;

use crate::model::Layer;

/// The layer of the segment that an element represents.
pub(super) fn layer_of(name: &str, kind: &str) -> Option<Layer> {
    match (name, kind) {
        ("head", _) => Some(Layer::Heading),
        ("trailer", _) => Some(Layer::Label),
        ("label", "lemma") => Some(Layer::ShuHeader),
        ("seg", "ju") => None,
        ("ab" | "note" | "label" | "seg" | "fw", kind) => kind.parse().ok(),
        _ => None,
    }
}

/// The elements that zhushu writes and that say nothing of layers.
pub(super) const OURS: [&str; 14] = [
    "div", "p", "ab", "seg", "cit", "bibl", "title", "quote", "said", "ref", "unclear", "anchor",
    "body", "desc",
];

/// Elements of a TEI that was converted (`writers/tei/kept.rs`): it writes them where the marks of
/// the source have them.
pub(super) const KEPT: [&str; 13] = [
    "persName",
    "pb",
    "placeName",
    "orgName",
    "geogName",
    "name",
    "rs",
    "roleName",
    "date",
    "term",
    "foreign",
    "hi",
    "add",
];

/// The name of an attribute, and its value.
pub(super) type Attribute<'a> = (&'a str, Cow<'a, str>);

/// A start tag.
#[derive(Debug, PartialEq)]
pub(super) struct PlainTag<'a> {
    /// Its name, with a prefix if it has one.
    pub(super) name: &'a str,
    /// The element ends with the tag.
    pub(super) is_empty: bool,
    /// Its bytes.
    pub(super) length: usize,
}

/// The start tag that `text` begins with; its attributes are left in `attributes`.
pub(super) fn open<'a>(text: &'a str, attributes: &mut Vec<Attribute<'a>>) -> Option<PlainTag<'a>> {
    attributes.clear();
    let bytes = text.as_bytes();
    let name_end = name(bytes, 1)?;
    let tag = |is_empty, length| PlainTag { name: &text[1..name_end], is_empty, length };
    let mut at = name_end;
    loop {
        let blanks = bytes[at..].iter().take_while(|b| is_blank(**b)).count();
        at += blanks;
        match bytes[at..] {
            [b'>', ..] => return Some(tag(false, at + 1)),
            [b'/', b'>', ..] => return Some(tag(true, at + 2)),
            _ if blanks == 0 => return None,
            _ => at = attribute(text, at, attributes)?,
        }
    }
}

/// Most attributes of an element; each is compared with those before it.
pub(super) const MAX_ATTRIBUTES: usize = 256;

/// Reads the attribute at a byte; returns where it ends.
fn attribute<'a>(text: &'a str, at: usize, attributes: &mut Vec<Attribute<'a>>) -> Option<usize> {
    let end = name(text.as_bytes(), at)?;
    let value = text.as_bytes()[end..].strip_prefix(b"=\"")?;
    let length = value.iter().position(|b| MAY_END_VALUE[usize::from(*b)])?;
    let key = &text[at..end];
    let is_first = || attributes.iter().all(|(other, _)| *other != key);
    if value[length] != b'"' || attributes.len() == MAX_ATTRIBUTES || !is_first() {
        return None;
    }
    let start = end + 2;
    attributes.push((key, Cow::Borrowed(&text[start..start + length])));
    Some(start + length + 1)
}

/// The text up to the next tag, if it is as it will be read.
pub(super) fn text(rest: &str) -> Option<&str> {
    let bytes = rest.as_bytes();
    let end = memchr::memchr3(b'<', b'&', b'\r', bytes)?;
    (bytes[end] == b'<' && end > 0).then(|| &rest[..end])
}

/// Where the name ends that begins at a byte.
fn name(bytes: &[u8], at: usize) -> Option<usize> {
    let first = *bytes.get(at)?;
    let part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(**b, b'_' | b':' | b'.' | b'-');
    let is_name = first.is_ascii_alphabetic() || first == b'_';
    is_name.then(|| at + bytes[at..].iter().take_while(part).count())
}

/// White space in XML.
fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r')
}

/// Bytes that end a value, that change what it means, or with which characters begin that XML does
/// not allow.
const MAY_END_VALUE: [bool; 256] = {
    let mut may = [false; 256];
    let mut b = 0;
    while b < 256 {
        may[b] = matches!(b as u8, ..b' ' | b'"' | b'<' | b'&' | 0xEF);
        b += 1;
    }
    may
};

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(PlainTag<'_>, Vec<Attribute<'_>>)> {
        let mut attributes = vec![("left", Cow::Borrowed("over"))];
        open(text, &mut attributes).map(|tag| (tag, attributes))
    }

    #[test]
    fn plain_tags_are_read_to_their_end() {
        let (tag, attributes) = read("<tei:ab n=\"1 > 0\"\n xml:id=\"章\" />之<lb/>").unwrap();
        assert_eq!(tag, PlainTag { name: "tei:ab", is_empty: true, length: 34 });
        assert_eq!(attributes, [("n", "1 > 0".into()), ("xml:id", "章".into())]);
        let (tag, attributes) = read("<lb>").unwrap();
        assert_eq!(tag, PlainTag { name: "lb", is_empty: false, length: 4 });
        assert!(attributes.is_empty());
    }

    #[test]
    fn what_needs_a_parser_is_left_to_it() {
        for other in [
            "<",
            "<>",
            "<a",
            "<a ",
            "<a/",
            "<a b>",
            "<a b=>",
            "<a b=\"1\"",
            "<a b=\"1",
            "<a b='1'>",
            "<a b = \"1\">",
            "<a b=\"1\"c=\"2\">",
            "<a b=\"1\" b=\"2\">",
            "<a b=\"&lt;\">",
            "<a b=\"<\">",
            "<a b=\"\n\">",
            "<a b=\"\u{FFFE}\">",
            "<章>",
            "<1>",
            "</a>",
            "<!-- -->",
            "<?a?>",
            "<a/b>",
            "<a =\"\">",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
        assert_eq!(text("之\n<a>"), Some("之\n"));
        for other in ["", "<a>", "之", "之&lt;<a>", "之\r<a>"] {
            assert_eq!(text(other), None, "{other}");
        }
    }
}
