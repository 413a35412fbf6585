//! The alignment as the JSON that other programs read. Offsets are code points of each file's own
//! text.

use std::io;

use serde::Serialize;

use crate::model::{Alignment, Bead, Document};
use crate::source::Span;

#[derive(Serialize)]
struct File<'a> {
    format: &'static str,
    source: Text<'a>,
    translation: Text<'a>,
    beads: Vec<Pair<'a>>,
}

#[derive(Serialize)]
struct Text<'a> {
    path: String,
    sha256: &'a str,
    chars: usize,
    reader: &'a str,
}

#[derive(Serialize)]
struct Pair<'a> {
    source: Vec<Words<'a>>,
    translation: Vec<Words<'a>>,
    #[serde(rename = "cert")]
    certainty: f64,
    evidence: Vec<String>,
}

#[derive(Serialize)]
struct Words<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

/// Writes the object, indented, with a final line end.
///
/// # Errors
/// Those of `out`.
pub fn write(
    alignment: &Alignment,
    classic: &Document,
    translation: &Document,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let file = File {
        format: "zhushu-align/1",
        source: text(classic),
        translation: text(translation),
        beads: alignment.beads.iter().map(|b| pair(b, classic, translation)).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &file)?;
    writeln!(out)
}

fn text(document: &Document) -> Text<'_> {
    let source = &document.source;
    Text {
        path: source.name().into_owned(),
        sha256: source.sha256(),
        chars: source.chars(),
        reader: document.reader,
    }
}

fn pair<'a>(bead: &Bead, classic: &'a Document, translation: &'a Document) -> Pair<'a> {
    let evidence = bead.evidence.iter().map(|e| match &e.detail {
        Some(d) => format!("{}: {d}", e.code),
        None => e.code.to_string(),
    });
    Pair {
        source: bead.source.iter().map(|s| words(classic, *s)).collect(),
        translation: bead.translation.iter().map(|s| words(translation, *s)).collect(),
        certainty: bead.certainty.rounded(),
        evidence: evidence.collect(),
    }
}

fn words(document: &Document, span: Span) -> Words<'_> {
    let source = &document.source;
    Words {
        start: source.char_of(span.start()),
        end: source.char_of(span.end()),
        text: document.slice(span),
    }
}
