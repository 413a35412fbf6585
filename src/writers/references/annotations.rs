//! References as W3C Web Annotations: an `AnnotationPage` in JSON-LD, one annotation on each line.
//!
//! The target of an annotation is the text that refers, its body the text referred to. Both have a
//! `TextPositionSelector` (code points of the file's own text) and a `TextQuoteSelector`, so that a
//! change that breaks one leaves the other. If no place was found, the body names the work. What
//! the Web Annotation model does not define (status, certainty, locus) is in our own vocabulary,
//! declared in the context.

use std::io;

use serde_json::{Value, json};

use crate::corpus::refs::{CitedPlace, Reference};
use crate::markup::address;
use crate::model::LinkKind;

/// Characters of context before and after a quotation.
const CONTEXT_CHARS: usize = 16;

/// Writes the page.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(references: &[Reference<'_>], out: &mut dyn io::Write) -> io::Result<()> {
    write_of(references, None, out)
}

/// Writes the page as part of a collection, which `whole` describes.
///
/// # Errors
/// When writing to `out` fails.
pub(crate) fn write_of(
    references: &[Reference<'_>],
    whole: Option<&Value>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let context = json!(["http://www.w3.org/ns/anno.jsonld", {
        "kind": "urn:zhushu:kind", "status": "urn:zhushu:status", "certainty": "urn:zhushu:certainty", "locus": "urn:zhushu:locus",
    }]);
    write!(
        out,
        "{{\n\"@context\": {context},\n\"id\": \"urn:zhushu:references\",\n\"type\": \"AnnotationPage\",\n"
    )?;
    if let Some(whole) = whole {
        writeln!(out, "\"partOf\": {whole},")?;
    }
    write!(out, "\"items\": [")?;
    crate::writers::json_items(out, references.iter().map(annotation))?;
    out.write_all(b"]\n}\n")
}

fn annotation(r: &Reference<'_>) -> Value {
    let link = r.link;
    let motivation = match (&r.to, link.kind) {
        (None, _) => "identifying",
        (_, LinkKind::Lemma) => "commenting",
        _ => "linking",
    };
    let body = match (&r.to, &link.work) {
        (Some(to), _) => resource(to),
        (None, work) => {
            json!({"type": "TextualBody", "value": work.as_deref().unwrap_or("?"), "format": "text/plain", "purpose": "identifying"})
        }
    };
    json!({
        "id": format!("urn:zhushu:reference:{}:{}", address::urn_part(&r.from.document.id), r.n), "type": "Annotation",
        "motivation": motivation, "kind": link.kind.id(), "status": link.status.id(), "certainty": link.certainty.rounded(),
        "body": body, "target": resource(&r.from),
    })
}

/// Text of a file, by position and by itself.
fn resource(p: &CitedPlace<'_>) -> Value {
    let (start, end) = p.chars();
    let text = p.document.source.text();
    let before: Vec<char> = text[..p.span.start()].chars().rev().take(CONTEXT_CHARS).collect();
    let after: String = text[p.span.end()..].chars().take(CONTEXT_CHARS).collect();
    json!({
        "type": "SpecificResource",
        "source": {"id": file(p), "type": "Text", "format": "text/plain", "language": p.document.meta.language},
        "locus": p.locus.as_ref().map(|l| l.urn(Some(&p.document.id))),
        "selector": [
            {"type": "TextPositionSelector", "start": start, "end": end},
            {"type": "TextQuoteSelector", "exact": p.document.slice(p.span),
             "prefix": before.iter().rev().collect::<String>(), "suffix": after},
        ],
    })
}

/// The file as a relative reference.
fn file(p: &CitedPlace<'_>) -> String {
    address::uri(&p.document.source.name())
}
