//! Character references of web pages (`&#23376;`, `&nbsp;`), and of XML, with what its document
//! type names (`<!ENTITY CB00597 "㲹">`). The text has the character, and the
//! file's way to write it is kept beside it, as other bytes that the encoder would not write.

use std::sync::LazyLock;

use html_escape::decode_html_entities;
use regex::Regex;
use rustc_hash::FxHashMap;

use super::charset::Charset;
use super::{KeptBytes, Span};

/// How much of a text may stand before the element that shows a web page.
const HEAD_BYTES: usize = 4096;

/// A character by its number or name.
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    sound(
        r"&(?:#(?P<decimal>[0-9]{1,7})|#[xX](?P<hex>[0-9a-fA-F]{1,6})|(?P<name>[A-Za-z][A-Za-z0-9._-]{0,39}));",
    )
});
static PAGE: LazyLock<Regex> = LazyLock::new(|| {
    sound(r"(?is)\A\u{FEFF}?\s*(?:<\?xml.*?\?>|<!--.*?-->|\s)*(?:<!DOCTYPE\s+html\b.*|<html\b.*)")
});

/// A part of a page: one element and what is in it.
static PART: LazyLock<Regex> = LazyLock::new(|| {
    sound(
        r"(?i)\A\u{FEFF}?\s*<(?:div|p|h[1-6]|table|article|section|main|details|blockquote|pre|ul|ol)\b[^<>]*>",
    )
});

fn sound(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a sound pattern")
}

/// True for a web page, by its beginning.
pub(crate) fn is_page(text: &str) -> bool {
    let head = &text[..end_of_head(text)];
    let is_part = || {
        let is_closed = text.trim_end().ends_with('>') && !text.contains("<head>");
        is_closed && PART.is_match(head)
    };
    PAGE.is_match(head) || is_part()
}

/// Tags of a page that begin or end a line.
static LINE_TAG: LazyLock<Regex> = LazyLock::new(|| {
    sound(
        r"(?i)</?(?:p|div|h[1-6]|br|hr|li|dt|dd|tr|td|th|table|ul|ol|dl|article|section|main|details|blockquote|pre|center)\b",
    )
});

/// True if there is a tag that begins or ends a line in a part of a page.
pub(crate) fn ends_line(between: &str) -> bool {
    between.contains('<') && LINE_TAG.is_match(between)
}

/// A tag, a comment or the like.
pub(crate) static TAG: LazyLock<Regex> = LazyLock::new(|| sound("<[A-Za-z/!?][^<>]*>"));

/// Where the first bytes of a text end that show what it is.
fn end_of_head(text: &str) -> usize {
    (0..=HEAD_BYTES.min(text.len())).rev().find(|n| text.is_char_boundary(*n)).unwrap_or(0)
}

/// The text of a web page with its references as the characters that they are.
pub(super) fn resolved(
    text: String,
    kept: Vec<KeptBytes>,
    charset: Charset,
) -> (String, Vec<KeptBytes>) {
    let page = text.contains('&') && is_page(&text);
    if !page && (!text.contains('&') || !is_xml(&text)) {
        return (text, kept);
    }
    let named = if page { FxHashMap::default() } else { entities(&text) };
    let from = if page { 0 } else { after_type(&text) };
    let mut made = String::with_capacity(text.len());
    let mut all = Vec::with_capacity(kept.len());
    let mut rest = kept.into_iter().peekable();
    let mut done = 0;
    for found in REFERENCE.captures_iter(&text) {
        let whole = found.get(0).expect("the whole");
        let meant = if page { characters(&found) } else { of_xml(&found, &named) };
        let is_markup = |meant: &str| meant == "<" && may_begin_tag(&text[whole.end()..]);
        let meant = meant.filter(|meant| whole.start() >= from && !is_markup(meant));
        let Some(characters) = meant else { continue };
        let shift = |k: KeptBytes, made: usize, done: usize| {
            let start = made + (k.span.start() - done);
            KeptBytes { span: Span::new(start, start + k.span.len()), ..k }
        };
        while let Some(k) = rest.next_if(|k| k.span.start() < whole.start()) {
            all.push(shift(k, made.len(), done));
        }
        // The bytes of a part of it are not those of a character.
        let is_plain = rest.peek().is_none_or(|k| k.span.start() >= whole.end());
        made.push_str(&text[done..whole.start()]);
        done = whole.start();
        if !is_plain {
            continue;
        }
        let mut bytes = charset.encode(whole.as_str());
        for c in characters.chars() {
            let start = made.len();
            made.push(c);
            let span = Span::new(start, made.len());
            let bytes = std::mem::take(&mut bytes);
            all.push(KeptBytes { span, bytes, undecodable: false });
        }
        done = whole.end();
    }
    let base = made.len();
    all.extend(rest.map(|k| {
        let start = base + (k.span.start() - done);
        KeptBytes { span: Span::new(start, start + k.span.len()), ..k }
    }));
    made.push_str(&text[done..]);
    (made, all)
}

/// True if a `<` before these words may be the beginning of a tag, a comment or the like (HTML
/// Standard, 13.2.5.6), also once their references are resolved.
pub(crate) fn may_begin_tag(words: &str) -> bool {
    let is_of_tag = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?' | '&');
    words.chars().next().is_none_or(is_of_tag)
}

/// What a reference stands for; none for what is no character.
fn characters(found: &regex::Captures<'_>) -> Option<String> {
    let of_name = || {
        let written = found.name("name").map(|_| &found[0])?;
        let meant = decode_html_entities(written);
        (meant != written).then(|| meant.into_owned())
    };
    of_number(found).or_else(of_name)
}

/// The character of a number.
fn of_number(found: &regex::Captures<'_>) -> Option<String> {
    let number = |name, radix| u32::from_str_radix(found.name(name)?.as_str(), radix).ok();
    let c = char::from_u32(number("decimal", 10).or_else(|| number("hex", 16))?)?;
    (!c.is_control()).then(|| c.to_string())
}

/// Longest text that a name of XML may stand for, in bytes.
const MAX_ENTITY_BYTES: usize = 64;
static ENTITY: LazyLock<Regex> = LazyLock::new(|| {
    // What is outside the file is not read, but has the name.
    sound(
        r#"<!ENTITY\s+(?P<name>[\w.-]{1,40})\s+(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)'|(?:SYSTEM|PUBLIC)\s[^>]*)\s*>"#,
    )
});

/// What declares nothing in a document type.
static ASIDE: LazyLock<Regex> = LazyLock::new(|| sound(r"(?s)<!--.*?(?:-->|\z)|<\?.*?(?:\?>|\z)"));

/// The end of a document type, or what may hold the same characters.
static TYPE_END: LazyLock<Regex> = LazyLock::new(|| {
    sound(r#"(?s)<!--.*?(?:-->|\z)|<\?.*?(?:\?>|\z)|"[^"]*"?|'[^']*'?|(?P<end>\]\s*>)"#)
});

/// True for XML that is not ours, by its beginning.
fn is_xml(text: &str) -> bool {
    let head = text.trim_start_matches(['\u{FEFF}', ' ', '\t', '\r', '\n']);
    head.starts_with("<?xml") || head.starts_with("<!DOCTYPE")
}

/// Where the document type ends, in which nothing is resolved.
fn after_type(text: &str) -> usize {
    let Some(start) = text.find("<!DOCTYPE") else { return 0 };
    let simple = text[start..].find('>').unwrap_or(0);
    let inner = text[start..].find('[').filter(|at| *at < simple);
    let mut within = TYPE_END.captures_iter(&text[start..]);
    let end = inner.and_then(|_| within.find_map(|found| found.name("end")));
    end.map_or(start + simple, |end| start + end.end())
}

/// What the document type of a file names, without names in names: nothing can grow.
fn entities(text: &str) -> FxHashMap<String, String> {
    let head = ASIDE.replace_all(&text[..after_type(text)], "");
    // Of two with one name the first holds (XML 1.0, 4.2), also if it is not resolved here.
    let mut named: FxHashMap<String, Option<String>> = FxHashMap::default();
    for found in ENTITY.captures_iter(&head) {
        let value = found.name("a").or_else(|| found.name("b")).map(|v| v.as_str());
        named.entry(found["name"].to_string()).or_insert_with(|| value.and_then(entity));
    }
    for own in ["lt", "gt", "amp", "quot", "apos"] {
        named.remove(own);
    }
    named.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// What a name stands for, if that is a short text without markup and without other names.
fn entity(value: &str) -> Option<String> {
    let plain = value.len() <= MAX_ENTITY_BYTES && !value.is_empty() && !value.contains('%');
    let value = REFERENCE.replace_all(value, |r: &regex::Captures<'_>| {
        of_number(r).unwrap_or_else(|| r[0].to_string())
    });
    (plain && !value.contains(['&', '<', '>', '"', '\''])).then(|| value.into_owned())
}

/// The same in XML: a number, or a name of its document type.
fn of_xml(found: &regex::Captures<'_>, named: &FxHashMap<String, String>) -> Option<String> {
    let of_name = || named.get(found.name("name")?.as_str()).cloned();
    let characters = of_number(found).or_else(of_name)?;
    (!["<", ">", "&", "\"", "'"].contains(&&*characters)).then_some(characters)
}

#[cfg(test)]
mod tests {
    use crate::source::Source;

    #[test]
    fn references_of_xml_and_names_of_its_document_type() {
        let xml = "<?xml version=\"1.0\"?>\n<!DOCTYPE TEI [ <!ENTITY CB00597 \"㲹\"> <!ENTITY KR1 \"&#x2A6D6;\"> <!ENTITY bomb \"&KR1;&KR1;\"> ]>\n<TEI a='&#39;'>佛&CB00597;祇&KR1;大&#60;&bomb;&amp;&#x4e00;</TEI>\n";
        let source = Source::decode("a.xml", xml.as_bytes().to_vec(), None).unwrap();
        assert!(
            source.text().ends_with("<TEI a='&#39;'>佛㲹祇\u{2A6D6}大&#60;&bomb;&amp;一</TEI>\n"),
            "{}",
            source.text()
        );
        assert!(source.text().contains("<!ENTITY KR1 \"&#x2A6D6;\">"));
        assert_eq!(source.bytes(), xml.as_bytes());
    }

    #[test]
    fn the_first_declaration_holds_and_comments_declare_nothing() {
        let head = concat!(
            "<!-- ]> <!ENTITY a \"甲\"> --><?x <!ENTITY a \"乙\"> ?><!ENTITY a \"丙\"><!ENTITY a \"丁\">",
            "<!ENTITY b SYSTEM \"b.ent\"><!ENTITY b \"戊\"><!ENTITY c \"&a;\"><!ENTITY c \"己\">",
        );
        let xml = format!("<?xml version=\"1.0\"?><!DOCTYPE a [{head}]><a>&a;&b;&c;</a>");
        let source = Source::decode("a.xml", xml.into_bytes(), None).unwrap();
        assert!(source.text().ends_with("<a>丙&b;&c;</a>"), "{}", source.text());
    }

    #[test]
    fn references_are_characters_and_the_file_is_restored() {
        let page = "<!DOCTYPE html>\n<p>&#23416;而&#x6642;習&nbsp;之&lt;&bogus;&#xD800;&lt;b>&lt;骨玄&gt;</p>\n";
        for (label, bytes) in [
            ("utf-8", page.as_bytes().to_vec()),
            ("big5", encoding_rs::BIG5.encode(page).0.into_owned()),
            ("utf-16le", page.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ] {
            let source = Source::decode("a.html", bytes.clone(), Some(label)).unwrap();
            assert!(
                source.text().contains("<p>學而時習\u{A0}之&lt;&bogus;&#xD800;&lt;b><骨玄></p>"),
                "{label}: {}",
                source.text()
            );
            assert_eq!(source.bytes(), bytes, "{label}");
        }
        let other = "學而&#23416;";
        let source = Source::decode("a.txt", other.as_bytes().to_vec(), None).unwrap();
        assert_eq!(source.text(), other);
    }

    #[test]
    fn what_does_not_decode_beside_a_reference_keeps_its_place() {
        let bytes = b"<html>\xFF&#23416;\xFE&#23416;\xFD".to_vec();
        let source = Source::decode("a.html", bytes.clone(), Some("utf-8")).unwrap();
        assert_eq!(source.text(), "<html>\u{FFFD}學\u{FFFD}學\u{FFFD}");
        assert_eq!(source.bytes(), bytes);
    }
}
