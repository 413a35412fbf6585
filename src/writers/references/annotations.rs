//! References as W3C Web Annotations: an `AnnotationPage` in JSON-LD, an annotation a line.
//!
//! The target of an annotation is the words that refer, its body the words referred to: both by
//! `TextPositionSelector` (code points of the file's own text) and `TextQuoteSelector`, so that
//! either outlives a change that breaks the other. Where no place was found the body is text that
//! says which work is named. What the Web Annotation model has no word for (status, certainty,
//! locus) is in a vocabulary of our own, declared in the context.

use std::io;

use serde_json::{Value, json};

use crate::corpus::refs::{Place, Reference};
use crate::markup::address;
use crate::model::LinkKind;
use crate::source::Span;

/// Characters before and after the words that are given with them.
const AROUND: usize = 16;

/// Writes the page.
///
/// # Errors
/// Those of `out`.
pub fn write(references: &[Reference<'_>], out: &mut dyn io::Write) -> io::Result<()> {
    write_of(references, None, out)
}

/// Writes the page as part of a collection, of which `whole` says what is known.
///
/// # Errors
/// Those of `out`.
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
    for (i, r) in references.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &annotation(r))?;
    }
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

/// Words of a file, by place and by themselves.
fn resource(p: &Place<'_>) -> Value {
    let (start, end) = p.chars();
    let text = p.document.source.text();
    let before: Vec<char> = text[..p.span.start()].chars().rev().take(AROUND).collect();
    let after: String = text[p.span.end()..].chars().take(AROUND).collect();
    json!({
        "type": "SpecificResource",
        "source": {"id": file(p), "type": "Text", "format": "text/plain", "language": p.document.meta.language},
        "locus": p.locus.as_ref().map(|l| l.urn(Some(&p.document.id))),
        "selector": [
            {"type": "TextPositionSelector", "start": start, "end": end},
            {"type": "TextQuoteSelector", "exact": p.document.slice(Span::new(p.span.start(), p.span.end())),
             "prefix": before.iter().rev().collect::<String>(), "suffix": after},
        ],
    })
}

/// The file as a relative reference.
fn file(p: &Place<'_>) -> String {
    address::uri(&p.document.source.name())
}
