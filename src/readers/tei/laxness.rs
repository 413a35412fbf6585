//! What XML forbids and this reader takes: other programs refuse such a file, so it is reported.
//! (Checking everything that XML demands would take a parser that validates, and twice the time.)

use quick_xml::events::{BytesDecl, BytesText};

use crate::diag::Diagnostic;
use crate::source::{Source, by_label};

/// How many places are named; the rest is counted.
const MAX_NAMED: usize = 10;

/// What was found in a file, in order.
#[derive(Debug, Default)]
pub(super) struct Laxness {
    found: Vec<(usize, String)>,
    more: usize,
}

impl Laxness {
    fn add(&mut self, at: usize, what: String) {
        if self.found.len() < MAX_NAMED {
            self.found.push((at, what));
        } else {
            self.more += 1;
        }
    }

    /// Text between tags as it is written. `at` is where it begins.
    pub(super) fn text(&mut self, words: &str, at: usize) {
        self.characters(words, at);
        // Most text has no bracket, which is found out sooner.
        if let Some(i) = words.contains(']').then(|| words.find("]]>")).flatten() {
            self.add(at + i, "“]]>” ends no CDATA section here".into());
        }
    }

    /// Characters that XML 1.0 does not have, also not by number.
    pub(super) fn characters(&mut self, words: &str, at: usize) {
        if !may_be_forbidden(words.as_bytes()) {
            return;
        }
        for (i, c) in words.char_indices().filter(|(_, c)| !is_allowed(*c)) {
            self.add(at + i, format!("XML does not allow the character U+{:04X}", u32::from(c)));
        }
    }

    /// What begins with the name of an element or of an attribute.
    pub(super) fn name(&mut self, name: &str, at: usize) {
        let is_start =
            |c: char| c.is_ascii_alphabetic() || c.is_alphabetic() || c == '_' || c == ':';
        if !name.starts_with(is_start) {
            let name: String = name.chars().take_while(|c| !c.is_whitespace()).collect();
            self.add(at, format!("“{name}” is no name in XML"));
        }
    }

    /// The value of an attribute, as it is written.
    pub(super) fn value(&mut self, name: &str, value: &str, at: usize) {
        // Values are short: one look at each byte is the fastest.
        if !value.bytes().any(|b| b < b' ' || matches!(b, b'<' | 0xEF)) {
            return;
        }
        if value.contains('<') {
            self.add(at, format!("the value of {name} has a “<”"));
        }
        self.characters(value, at);
    }

    /// The declaration: it is the first thing of a file, and names the encoding that the file has.
    pub(super) fn declaration(&mut self, declaration: &BytesDecl<'_>, at: usize, source: &Source) {
        if source.text()[..at].chars().any(|c| c != '\u{FEFF}') {
            self.add(at, "the XML declaration is not at the start".into());
        }
        if declaration.version().is_ok_and(|v| !matches!(&*v, "1.0" | "1.1")) {
            self.add(at, "there is no such version of XML".into());
        }
        let Some(Ok(label)) = declaration.encoding() else { return };
        if by_label(&label).map(|e| e.name()) != Some(source.encoding()) {
            let encoding = source.encoding();
            self.add(at, format!("the declaration says {label}, but the file is {encoding}"));
        }
    }

    /// A document type: no other file is read because of it.
    pub(super) fn document_type(&mut self, words: &BytesText<'_>, at: usize) {
        if ["SYSTEM", "PUBLIC"].iter().any(|word| words.contains(word)) {
            self.add(at, "the document type names another file, which is not read".into());
        }
    }

    /// A comment.
    pub(super) fn comment(&mut self, words: &str, at: usize) {
        self.characters(words, at);
        if words.contains("--") {
            self.add(at, "a comment has “--”".into());
        }
    }

    /// As diagnostics, with lines and columns.
    pub(super) fn diagnostics(self, source: &Source) -> Vec<Diagnostic> {
        let warning = |message| Diagnostic::warning("tei-xml", None, message);
        let place = |at: usize| {
            let text = source.text();
            let at = (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i));
            source.place(at.unwrap_or(0))
        };
        let named = self.found.into_iter().map(|(at, what)| {
            let place = place(at);
            warning(format!("line {}, column {}: {what}", place.line, place.column))
        });
        let mut all: Vec<_> = named.collect();
        if self.more > 0 {
            all.push(warning(format!("{} more places are not as XML demands", self.more)));
        }
        all
    }
}

/// True if there are controls, or the bytes with which U+FFFE begins. It looks at all bytes, which
/// is faster than to end at the first: most text has none.
fn may_be_forbidden(bytes: &[u8]) -> bool {
    let is_control = |b: u8| (b < b' ') & (b != b'\t') & (b != b'\n') & (b != b'\r');
    let next = bytes.get(1..).unwrap_or_default();
    let pairs = bytes.iter().zip(next);
    bytes.iter().fold(false, |found, b| found | is_control(*b))
        || pairs.fold(false, |found, (a, b)| found | ((*a == 0xEF) & (*b == 0xBF)))
}

/// `Char` of XML 1.0.
fn is_allowed(c: char) -> bool {
    c >= ' ' && !matches!(c, '\u{FFFE}' | '\u{FFFF}') || matches!(c, '\t' | '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::super::xml::XmlReader;
    use super::*;

    fn said(xml: &str) -> Vec<String> {
        let source = Source::from_text("a.xml", xml);
        let found = XmlReader::new(&source).finish().unwrap();
        found.into_iter().map(|d| d.message.to_string()).collect()
    }

    #[test]
    fn what_xml_forbids_is_said_with_its_place() {
        let rows = [
            ("<a>\n甲\u{0}</a>", "line 2, column 2: XML does not allow the character U+0000"),
            ("<a b='\u{1}'/>", "line 1, column 1: XML does not allow the character U+0001"),
            ("<a>&#1;</a>", "line 1, column 4: XML does not allow the character U+0001"),
            ("<a>甲\u{FFFE}</a>", "line 1, column 5: XML does not allow the character U+FFFE"),
            ("<a>甲]]></a>", "line 1, column 5: “]]>” ends no CDATA section here"),
            ("<a b='<'/>", "line 1, column 1: the value of b has a “<”"),
            ("<1/>", "line 1, column 1: “1” is no name in XML"),
            ("<a><!-- a -- b --></a>", "line 1, column 4: a comment has “--”"),
            (
                " <?xml version='1.0'?><a/>",
                "line 1, column 2: the XML declaration is not at the start",
            ),
            ("<?xml version='9'?><a/>", "line 1, column 1: there is no such version of XML"),
            (
                "<?xml version='1.0' encoding='GBK'?><a/>",
                "line 1, column 1: the declaration says GBK, but the file is UTF-8",
            ),
            (
                "<!DOCTYPE a SYSTEM 'http://x/y.dtd'><a/>",
                "line 1, column 1: the document type names another file, which is not read",
            ),
        ];
        for (xml, message) in rows {
            assert_eq!(said(xml), [message], "{xml:?}");
        }
    }

    #[test]
    fn what_is_right_is_not_mentioned() {
        let xml = "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE a><a b='&lt;'>，甲\t<![CDATA[]]><!-- - --></a>";
        assert!(said(xml).is_empty());
        assert_eq!(said(&format!("<a>{}</a>", "\u{1}".repeat(12))).len(), MAX_NAMED + 1);
    }
}
