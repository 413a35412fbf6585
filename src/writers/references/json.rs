//! References as JSON: one object, with one reference on each line. Offsets are code points of each
//! file's own text, end exclusive.

use std::io;

use serde_json::{Value, json};

use crate::corpus::refs::{CitedPlace, Reference};

/// Writes the object (`schema/refs.schema.json` describes it).
///
/// # Errors
/// When writing to `out` fails.
pub fn write(references: &[Reference<'_>], out: &mut dyn io::Write) -> io::Result<()> {
    write!(out, "{{\n\"format\": \"zhushu-refs/1\",\n\"references\": [")?;
    crate::writers::json_items(out, references.iter().map(reference))?;
    out.write_all(b"]\n}\n")
}

fn reference(r: &Reference<'_>) -> Value {
    let link = r.link;
    let because: Vec<&str> = link.evidence.iter().filter_map(|e| e.detail.as_deref()).collect();
    json!({
        "kind": link.kind.id(), "layer": link.layer.id(), "status": link.status.id(), "cert": link.certainty.rounded(), "work": link.work,
        "from": place(&r.from), "quoted": link.quoted.map(|q| place(&CitedPlace { span: q, ..r.from.clone() })),
        "to": r.to.as_ref().map(place), "rivals": r.alternatives.iter().map(place).collect::<Vec<_>>(),
        "evidence": link.evidence.iter().map(|e| e.code()).collect::<Vec<_>>(), "because": because,
    })
}

/// Words of a text and where they are.
pub(crate) fn place(p: &CitedPlace<'_>) -> Value {
    let (start, end) = p.chars();
    let at = p.document.source.place(p.span.start());
    json!({
        "document": p.document.id, "path": p.document.source.name(), "start": start, "end": end, "line": at.line, "column": at.column,
        "locus": p.locus.as_ref().map(ToString::to_string), "urn": p.locus.as_ref().map(|l| l.urn(Some(&p.document.id))),
        "text": p.words(),
    })
}
