//! The alignment as JSON for other programs. Offsets are code points of each file's own text.

use std::io;

use serde::Serialize;

use crate::model::{Alignment, Bead, Document};
use crate::source::Span;

#[derive(Serialize)]
struct AlignmentJson<'a> {
    format: &'static str,
    source: TextJson<'a>,
    translation: TextJson<'a>,
    beads: Vec<BeadJson<'a>>,
}

#[derive(Serialize)]
struct TextJson<'a> {
    path: String,
    sha256: &'a str,
    chars: usize,
    reader: &'a str,
}

#[derive(Serialize)]
struct BeadJson<'a> {
    source: Vec<SpanJson<'a>>,
    translation: Vec<SpanJson<'a>>,
    #[serde(rename = "cert")]
    certainty: f64,
    evidence: Vec<String>,
}

#[derive(Serialize)]
struct SpanJson<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

/// Writes the object, indented, with a final line end.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(
    alignment: &Alignment,
    classic: &Document,
    translation: &Document,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let file = AlignmentJson {
        format: "zhushu-align/1",
        source: text(classic),
        translation: text(translation),
        beads: alignment.beads.iter().map(|b| pair(b, classic, translation)).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &file)?;
    writeln!(out)
}

fn text(document: &Document) -> TextJson<'_> {
    let source = &document.source;
    TextJson {
        path: source.name().into_owned(),
        sha256: source.sha256(),
        chars: source.chars(),
        reader: &document.reader,
    }
}

fn pair<'a>(bead: &Bead, classic: &'a Document, translation: &'a Document) -> BeadJson<'a> {
    BeadJson {
        source: bead.source.iter().map(|s| words(classic, *s)).collect(),
        translation: bead.translation.iter().map(|s| words(translation, *s)).collect(),
        certainty: bead.certainty.rounded(),
        evidence: super::reasons(bead),
    }
}

fn words(document: &Document, span: Span) -> SpanJson<'_> {
    let source = &document.source;
    SpanJson {
        start: source.char_of(span.start()),
        end: source.char_of(span.end()),
        text: document.slice(span),
    }
}
