//! A passage for programs. Offsets are code points of the file's own text, end exclusive.

use std::io::{self, Write};

use crate::model::{Document, Locus};
use crate::reading::Leaves;
use crate::source::Span;
use serde_json::{Value, json};

use super::{Shown, ShownStretch};

/// Writes the passage as one object (`schema/show.schema.json` describes it).
///
/// # Errors
/// When writing to `out` fails.
pub(crate) fn write(locus: &Locus, shown: &[Shown<'_>], out: &mut dyn Write) -> io::Result<()> {
    let texts: Vec<Value> = shown.iter().map(text).collect();
    let object = json!({"format": "zhushu-show/1", "locus": locus.to_string(), "urn": locus.urn(None), "texts": texts});
    serde_json::to_writer_pretty(&mut *out, &object)?;
    writeln!(out)
}

/// The passage in one text.
pub(crate) fn text(shown: &Shown<'_>) -> Value {
    let d = shown.document;
    let translations: Vec<Value> = shown
        .translated
        .iter()
        .map(|(document, bead)| {
            let here: Vec<Value> = bead.source.iter().map(|s| words(d, *s)).collect();
            let there: Vec<Value> = bead.translation.iter().map(|s| words(document, *s)).collect();
            json!({"document": document.id, "path": document.source.name(), "cert": bead.certainty.rounded(), "source": here, "translation": there})
        })
        .collect();
    let leaves = Leaves::of(d);
    let of_leaf = |s: &ShownStretch| {
        let mut object = stretch(d, s);
        if let Some(leaf) = leaves.at(s.span.start()) {
            object["leaf"] = json!({"edition": leaf.edition, "n": leaf.number});
        }
        object
    };
    let stretches: Vec<Value> = shown.stretches.iter().map(of_leaf).collect();
    json!({"document": d.id, "path": d.source.name(), "title": d.meta.title, "stretches": stretches, "translations": translations})
}

fn stretch(document: &Document, s: &ShownStretch) -> Value {
    let mut object = words(document, s.span);
    object["locus"] = s.locus.to_string().into();
    object["urn"] = s.locus.urn(Some(&document.id)).into();
    object["layer"] = s.layer.id().into();
    object["by"] = document.speakers().of(s.span).into();
    object["cert"] = s.certainty.rounded().into();
    object["within"] = s.within.into();
    object
}

fn words(document: &Document, span: Span) -> Value {
    placed(document, span, &document.words(span))
}

/// Where a span is, and its text.
pub(crate) fn placed(document: &Document, span: Span, text: &str) -> Value {
    let (source, place) = (&document.source, document.source.place(span.start()));
    let (start, end) = (source.file_char_of(span.start()), source.file_char_of(span.end()));
    json!({"start": start, "end": end, "line": place.line, "column": place.column, "text": text})
}
