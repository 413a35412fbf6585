//! The alignment as TMX 1.4b (Translation Memory eXchange, LISA OSCAR 2005), which translation
//! tools import. Beads with an empty side are left out, since a memory consists of pairs.

use std::fmt::Display;
use std::io;

use crate::markup::{Escaping, Markup};
use crate::model::{Alignment, Bead, Document, Grain};
use crate::source::Span;

/// Writes the memory.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(
    alignment: &Alignment,
    classic: &Document,
    translation: &Document,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    write_with(alignment, classic, translation, &[], out)
}

/// Writes the memory with properties of the whole edition: names (without `x-`) and values.
///
/// # Errors
/// When writing to `out` fails.
pub(crate) fn write_with(
    alignment: &Alignment,
    classic: &Document,
    translation: &Document,
    about: &[(&str, String)],
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut xml = Markup::xml(out, Escaping::Xml).indented();
    let segtype = match alignment.grain {
        Grain::Sentence => "sentence",
        Grain::Clause => "phrase",
    };
    xml.open("tmx").attr("version", "1.4");
    xml.open("header");
    xml.attr("creationtool", "zhushu").attr("creationtoolversion", env!("CARGO_PKG_VERSION"));
    xml.attr("segtype", segtype).attr("o-tmf", "zhushu-align/1").attr("adminlang", "en");
    xml.attr("srclang", &classic.meta.language).attr("datatype", "plaintext");
    for (name, value) in about.iter().filter(|(_, value)| !value.is_empty()) {
        property(&mut xml, format_args!("x-{name}"), value);
    }
    for (side, document) in [("source", classic), ("target", translation)] {
        property(&mut xml, format_args!("x-{side}-title"), &document.meta.title);
        for fact in document.meta.facts() {
            property(&mut xml, format_args!("x-{side}-{}", fact.id), &fact.words);
        }
    }
    xml.close().open("body");
    for (n, bead) in alignment.beads.iter().enumerate() {
        if !bead.source.is_empty() && !bead.translation.is_empty() {
            unit(&mut xml, n + 1, bead, classic, translation);
        }
    }
    xml.close().close().line();
    xml.finish()
}

fn unit(xml: &mut Markup<'_>, n: usize, bead: &Bead, classic: &Document, translation: &Document) {
    xml.open("tu").attr("tuid", n);
    property(xml, "cert", &bead.certainty.to_string());
    let own = classic.meta.language.clone();
    let (own_words, other_words) =
        (words(classic, &bead.source), words(translation, &bead.translation));
    let other = match classic.id == translation.id {
        true => language_beside(&own, &other_words),
        false => translation.meta.language.clone(),
    };
    for (language, words) in [(own, own_words), (other, other_words)] {
        xml.open("tuv").attr("xml:lang", language);
        xml.element("seg", words).close();
    }
    xml.close();
}

/// The language of a translation that stands in the text of the classic itself, which has only that
/// of the classic: modern Chinese, or one that nobody names.
fn language_beside(classic: &str, words: &str) -> String {
    let is_han = |c: char| ('\u{4E00}'..='\u{9FFF}').contains(&c);
    match words.chars().any(is_han) {
        true => classic.strip_prefix('l').unwrap_or(classic).to_string(),
        false => "und".to_string(),
    }
}

fn property(xml: &mut Markup<'_>, name: impl Display, value: &str) {
    xml.open("prop").attr("type", name).text(clean(value.chars())).close();
}

fn words(document: &Document, spans: &[Span]) -> String {
    let words: String = spans.iter().map(|s| document.words(*s)).collect();
    clean(words.chars())
}

/// Without line ends, and without the control characters that XML 1.0 forbids.
fn clean(all: impl Iterator<Item = char>) -> String {
    all.filter(|c| !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}')).collect()
}
