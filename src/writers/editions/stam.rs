//! STAM JSON (Stand-off Text Annotation Model): the whole texts, and annotations on them by code
//! points: metadata, segments, references, beads.

use std::io::{self, Write};
use std::sync::Arc;

use ecow::EcoString;
use serde_json::{Value, json};

use super::Edition;
use super::formats::Format;
use crate::corpus::{Library, Loci};
use crate::model::{Alignment, Bead, Document, Link, Segment};
use crate::source::Span;
use crate::writers::{codes, json_items};

/// The vocabulary, as STAM's data set.
const SET: &str = "zhushu";

/// Keys of the vocabulary.
const KEYS: &str = "type title work chapter edition editors date origin rights collection \
    collection_editors collection_date licence language layer locus cert by kind status evidence";

pub(super) const FORMAT: Format = Format {
    name: "stam",
    extension: "stam.json",
    about: "STAM JSON: texts with stand-off annotations",
    write,
    ..Format::PLAIN
};

/// Writes the store, one annotation on each line.
fn write(edition: &Edition, _: usize, out: &mut dyn Write) -> io::Result<()> {
    let keys: Vec<Value> = KEYS.split(' ').map(|k| json!({"@type": "DataKey", "@id": k})).collect();
    write!(
        out,
        "{{\"@type\": \"AnnotationStore\", \"@id\": {},\n\"resources\": [",
        Value::from(edition.uuid())
    )?;
    // All texts, since a reference may lead to one that is not exported.
    let texts = edition.library.documents.iter();
    json_items(
        out,
        texts.map(|d| json!({"@type": "TextResource", "@id": d.id, "text": d.source.text()})),
    )?;
    write!(
        out,
        "],\n\"annotationsets\": [\n{}],\n\"annotations\": [",
        json!({"@type": "AnnotationDataSet", "@id": SET, "keys": keys})
    )?;
    let of_document = |d: &Arc<Document>| {
        let links = d.links.iter().enumerate().map(|(i, l)| link(edition, d, i, l));
        std::iter::once(about(edition, d)).chain(segments(d)).chain(links).collect::<Vec<_>>()
    };
    let beads = edition.alignments().flat_map(|a| beads(edition, a));
    json_items(out, edition.documents().flat_map(of_document).chain(beads))?;
    out.write_all(b"]}\n")
}

fn segments(d: &Document) -> Vec<Value> {
    let loci = Loci::of(d);
    let segment = |s: &Segment| {
        let data = [
            ("type", Some("segment".into())),
            ("layer", Some(s.layer.id().into())),
            ("locus", loci.name(s.span).map(|l| l.to_string().into())),
            ("cert", Some(s.certainty.rounded().into())),
            ("by", d.meta.by(s.layer).map(|who| who.name.as_str().into())),
            ("evidence", (!s.evidence.is_empty()).then(|| codes(&s.evidence).into())),
        ];
        annotation(&format!("{}:{}", d.id, s.id), text(d, s.span), data)
    };
    d.segments.iter().filter(|s| s.layer.is_text()).map(segment).collect()
}

fn beads(edition: &Edition, a: &Alignment) -> Vec<Value> {
    let Some((source, translation)) = edition.sides(a) else { return vec![] };
    let beads = a.beads.iter().enumerate();
    beads
        .filter(|(_, b)| !b.source.is_empty() && !b.translation.is_empty())
        .map(|(i, b)| bead(source, translation, i, b))
        .collect()
}

fn about(edition: &Edition, d: &Document) -> Value {
    let words = |w: &Option<String>| w.as_deref().map(Value::from);
    let about = &edition.about;
    let editors = (!about.editors.is_empty()).then(|| about.editors.join("; ").into());
    let mut data = vec![
        ("type", Some("text".into())),
        ("title", Some(d.meta.title.as_str().into())),
        ("work", words(&d.meta.work)),
        ("chapter", words(&d.meta.chapter)),
        ("language", Some(d.meta.language.as_str().into())),
        ("collection", Some(about.title.as_str().into())),
        ("collection_editors", editors),
        ("collection_date", Some(about.date.to_string().into())),
        ("licence", words(&about.licence)),
    ];
    data.extend(d.meta.facts().into_iter().map(|f| (f.id, Some(f.words.into()))));
    let target = json!({"@type": "ResourceSelector", "resource": d.id});
    annotation(&format!("{}:about", d.id), target, data)
}

fn link(edition: &Edition, d: &Document, i: usize, l: &Link) -> Value {
    let here = text(d, l.span);
    let goal = l.target.as_ref().and_then(|t| {
        // A resource must be in the file; those of the user's own library are not.
        let of_edition =
            |id: &EcoString| edition.library.get(id).filter(|d| !Library::is_beside(&d.id));
        let document = t.doc.as_ref().map_or(Some(d), |id| of_edition(id).map(|d| &**d))?;
        Some(text(document, t.span))
    });
    let target = match goal {
        Some(goal) => json!({"@type": "DirectionalSelector", "selectors": [here, goal]}),
        None => here,
    };
    let data = [
        ("type", Some("reference".into())),
        ("kind", Some(l.kind.id().into())),
        ("status", Some(l.status.id().into())),
        ("layer", Some(l.layer.id().into())),
        ("work", l.work.as_deref().map(Value::from)),
        ("cert", Some(l.certainty.rounded().into())),
    ];
    annotation(&format!("{}:link{}", d.id, i + 1), target, data)
}

fn bead(source: &Document, translation: &Document, i: usize, b: &Bead) -> Value {
    let sides = [(source, &b.source), (translation, &b.translation)];
    let spans = sides.into_iter().flat_map(|(d, spans)| spans.iter().map(|s| text(d, *s)));
    let target = json!({"@type": "DirectionalSelector", "selectors": spans.collect::<Vec<_>>()});
    let id = format!("{}--{}:bead{}", source.id, translation.id, i + 1);
    let data = [("type", Some("bead".into())), ("cert", Some(b.certainty.rounded().into()))];
    annotation(&id, target, data)
}

fn text(d: &Document, span: Span) -> Value {
    let cursor = |at| json!({"@type": "BeginAlignedCursor", "value": d.source.char_of(at)});
    let offset =
        json!({"@type": "Offset", "begin": cursor(span.start()), "end": cursor(span.end())});
    json!({"@type": "TextSelector", "resource": d.id, "offset": offset})
}

fn annotation<'a>(
    id: &str,
    target: Value,
    data: impl IntoIterator<Item = (&'a str, Option<Value>)>,
) -> Value {
    let value = |v: Value| {
        let kind = if v.is_number() { "Float" } else { "String" };
        json!({"@type": kind, "value": v})
    };
    let data: Vec<Value> = data
        .into_iter()
        .filter_map(|(key, v)| {
            Some(json!({"@type": "AnnotationData", "set": SET, "key": key, "value": value(v?)}))
        })
        .collect();
    json!({"@type": "Annotation", "@id": id, "target": target, "data": data})
}
