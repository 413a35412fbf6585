//! What is read without the parser is read as the parser reads it: the same tokens at the same
//! places, the same errors and the same diagnostics.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::xml::{XmlReader, XmlToken};
use crate::source::Source;

/// Pieces of which files are made, right and wrong.
const PIECES: &[&str] = &[
    "<a>",
    "</a>",
    "<a/>",
    "<a />",
    "<tei:b xml:id=\"p-1\" n=\"1\">",
    "</tei:b>",
    "<b x='1' y=\"&lt;\">",
    "</b>",
    "<b x=\"1\"\n  corresp=\"#p-2 #p-3\">",
    "</b >",
    "之",
    "text ",
    "\n",
    "\r\n",
    "&amp;",
    "&#x4E4B;",
    "&bad;",
    "&",
    "<!-- c -->",
    "<!---->",
    "<![CDATA[<a>]]>",
    "]]>",
    "<?p q?>",
    "\u{1}",
    "\u{FFFE}",
    "<a x=\"1\" x=\"2\"/>",
    "<",
    "<a",
    ">",
    "\"",
    "<章 n=\"1\">",
    "</章>",
    "<!DOCTYPE a>",
    "<?xml version=\"1.0\"?>",
    "<a b=\"<\">",
    "<a b>",
];

/// The tokens and diagnostics of a file, or the error where it is wrong.
fn read(source: &Source, parses_all: bool) -> Result<Vec<String>, String> {
    let mut xml = XmlReader::new(source);
    xml.parses_all = parses_all;
    xml.set_prefix("p-");
    let mut tokens = vec![];
    loop {
        let token = xml.next().map_err(|e| format!("{:?}", (&tokens, e)))?;
        tokens.push(format!("{:?}", (&token, xml.at())));
        if matches!(token, XmlToken::End) {
            break;
        }
    }
    let diagnostics = xml.finish().map_err(|e| format!("{e:?}"))?;
    tokens.push(format!("{diagnostics:?}"));
    Ok(tokens)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn plain_reading_agrees_with_the_parser(pieces in vec(select(PIECES), 0..24), wrapped: bool) {
        let words = pieces.concat();
        let text = if wrapped { format!("<TEI>{words}</TEI>") } else { words };
        let source = Source::from_text("a.xml", &text);
        prop_assert_eq!(read(&source, false), read(&source, true), "{}", text);
    }
}
