//! The alignment as TMX 1.4b (Translation Memory eXchange, LISA OSCAR 2005), which translation
//! tools import. Beads with an empty side are left out, since a memory consists of pairs.

use std::fmt::Display;
use std::io;

use crate::markup::{Escaping, Markup};
use crate::model::{Alignment, Bead, Document, Grain};
use crate::source::Span;
use crate::text::letters::{Letters, language};

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
    let beside = (classic.id == translation.id).then(|| BesideLanguages::of(alignment, classic));
    for (n, bead) in alignment.beads.iter().enumerate() {
        if !bead.source.is_empty() && !bead.translation.is_empty() {
            xml.open("tu").attr("tuid", n + 1);
            property(&mut xml, "cert", &bead.certainty.to_string());
            variant(&mut xml, &classic.meta.language, words(classic, &bead.source));
            match &beside {
                Some(beside) => beside.write(&mut xml, translation, bead),
                None => {
                    let words = words(translation, &bead.translation);
                    variant(&mut xml, &translation.meta.language, words);
                }
            }
            xml.close();
        }
    }
    xml.close().close().line();
    xml.finish()
}

fn variant(xml: &mut Markup<'_>, language: &str, words: String) {
    xml.open("tuv").attr("xml:lang", language);
    xml.element("seg", words).close();
}

/// The languages of translations that stand in the text of the classic itself, which has only that
/// of the classic: of what has Chinese characters, and of what has none.
struct BesideLanguages {
    with_han: String,
    without: &'static str,
}

impl BesideLanguages {
    fn of(alignment: &Alignment, document: &Document) -> Self {
        let (mut with_han, mut without) = (String::new(), String::new());
        for span in alignment.beads.iter().flat_map(|bead| &bead.translation) {
            let words = document.slice(*span);
            if has_han(words) { &mut with_han } else { &mut without }.push_str(words);
        }
        let own = &document.meta.language;
        let with_han = match Letters::of(&with_han).is_chinese() {
            true => own.strip_prefix('l').unwrap_or(own).to_string(),
            false => language(&with_han).to_string(),
        };
        BesideLanguages { with_han, without: language(&without) }
    }

    fn write(&self, xml: &mut Markup<'_>, document: &Document, bead: &Bead) {
        let is_han = |span: &Span| has_han(document.slice(*span));
        let (with_han, without): (Vec<Span>, Vec<Span>) =
            bead.translation.iter().copied().partition(is_han);
        for (language, spans) in [(&*self.with_han, with_han), (self.without, without)] {
            let words = words(document, &spans);
            if !words.is_empty() {
                variant(xml, language, words);
            }
        }
    }
}

fn has_han(words: &str) -> bool {
    words.chars().any(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c))
}

fn property(xml: &mut Markup<'_>, name: impl Display, value: &str) {
    xml.open("prop").attr("type", name).text(clean(value.chars())).close();
}

fn words(document: &Document, spans: &[Span]) -> String {
    clean(document.line_of(spans).chars())
}

/// Without line ends, and without the control characters that XML 1.0 forbids.
fn clean(all: impl Iterator<Item = char>) -> String {
    all.filter(|c| !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}')).collect()
}
