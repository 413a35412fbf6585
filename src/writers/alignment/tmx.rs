//! The alignment as TMX 1.4b (Translation Memory eXchange, LISA OSCAR 2005), which translators'
//! tools import. Beads with an empty side are left out: a memory holds pairs.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use crate::model::{Alignment, Bead, Document, Grain};
use crate::source::Span;

/// Writes the memory.
///
/// # Errors
/// Those of `out`.
pub fn write(
    alignment: &Alignment,
    classic: &Document,
    translation: &Document,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    write_with(alignment, classic, translation, &[], out)
}

/// Writes the memory with properties of the whole: names, without `x-`, and values.
///
/// # Errors
/// Those of `out`.
pub(crate) fn write_with(
    alignment: &Alignment,
    classic: &Document,
    translation: &Document,
    about: &[(&str, String)],
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(&mut *out, b' ', 1);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let segtype = match alignment.grain {
        Grain::Sentence => "sentence",
        Grain::Clause => "phrase",
    };
    xml.write_event(Event::Start(BytesStart::new("tmx").with_attributes([("version", "1.4")])))?;
    xml.write_event(Event::Start(BytesStart::new("header").with_attributes([
        ("creationtool", "zhushu"),
        ("creationtoolversion", env!("CARGO_PKG_VERSION")),
        ("segtype", segtype),
        ("o-tmf", "zhushu-align/1"),
        ("adminlang", "en"),
        ("srclang", classic.meta.language.as_str()),
        ("datatype", "plaintext"),
    ])))?;
    for (name, value) in about.iter().filter(|(_, value)| !value.is_empty()) {
        element(&mut xml, "prop", &[("type", &format!("x-{name}"))], &clean(value.chars()))?;
    }
    for (side, document) in [("source", classic), ("target", translation)] {
        element(
            &mut xml,
            "prop",
            &[("type", &format!("x-{side}-title"))],
            &clean(document.meta.title.chars()),
        )?;
        for fact in document.meta.facts() {
            element(
                &mut xml,
                "prop",
                &[("type", &format!("x-{side}-{}", fact.id))],
                &clean(fact.words.chars()),
            )?;
        }
    }
    xml.write_event(Event::End(BytesEnd::new("header")))?;
    xml.write_event(Event::Start(BytesStart::new("body")))?;
    for (n, bead) in alignment.beads.iter().enumerate() {
        if !bead.source.is_empty() && !bead.translation.is_empty() {
            unit(&mut xml, n + 1, bead, classic, translation)?;
        }
    }
    xml.write_event(Event::End(BytesEnd::new("body")))?;
    xml.write_event(Event::End(BytesEnd::new("tmx")))?;
    writeln!(out)
}

type Xml<'a, 'b> = Writer<&'a mut (dyn io::Write + 'b)>;

fn unit(
    xml: &mut Xml<'_, '_>,
    n: usize,
    bead: &Bead,
    classic: &Document,
    translation: &Document,
) -> io::Result<()> {
    xml.write_event(Event::Start(
        BytesStart::new("tu").with_attributes([("tuid", n.to_string().as_str())]),
    ))?;
    element(xml, "prop", &[("type", "cert")], &bead.certainty.to_string())?;
    for (document, spans) in [(classic, &bead.source), (translation, &bead.translation)] {
        let start =
            BytesStart::new("tuv").with_attributes([("xml:lang", document.meta.language.as_str())]);
        xml.write_event(Event::Start(start))?;
        element(xml, "seg", &[], &words(document, spans))?;
        xml.write_event(Event::End(BytesEnd::new("tuv")))?;
    }
    xml.write_event(Event::End(BytesEnd::new("tu")))
}

fn element(
    xml: &mut Xml<'_, '_>,
    name: &str,
    attributes: &[(&str, &str)],
    text: &str,
) -> io::Result<()> {
    xml.write_event(Event::Start(
        BytesStart::new(name).with_attributes(attributes.iter().copied()),
    ))?;
    xml.write_event(Event::Text(BytesText::new(text)))?;
    xml.write_event(Event::End(BytesEnd::new(name)))
}

fn words(document: &Document, spans: &[Span]) -> String {
    clean(spans.iter().flat_map(|s| document.slice(*s).chars()))
}

/// Without line ends, and without the control characters that XML 1.0 cannot hold.
fn clean(all: impl Iterator<Item = char>) -> String {
    all.filter(|c| !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}')).collect()
}
