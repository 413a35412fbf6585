//! STAM JSON (Stand-off Text Annotation Model): the texts whole, and over them annotations by code
//! points: what each text is, its segments, references, beads.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::Edition;
use crate::corpus::Loci;
use crate::model::{Bead, Document, Link};
use crate::source::Span;

/// The vocabulary, as STAM's data set.
const SET: &str = "zhushu";

/// Keys of the vocabulary.
const KEYS: [&str; 21] = [
    "type",
    "title",
    "work",
    "chapter",
    "edition",
    "editors",
    "date",
    "origin",
    "rights",
    "collection",
    "collection_editors",
    "collection_date",
    "licence",
    "language",
    "layer",
    "locus",
    "cert",
    "by",
    "kind",
    "status",
    "evidence",
];

/// Writes the store, an annotation a line.
///
/// # Errors
/// Those of `out`.
pub fn write(edition: &Edition, _: usize, out: &mut dyn Write) -> io::Result<()> {
    let keys: Vec<Value> = KEYS.iter().map(|k| json!({"@type": "DataKey", "@id": k})).collect();
    write!(
        out,
        "{{\"@type\": \"AnnotationStore\", \"@id\": {},\n\"resources\": [",
        Value::from(edition.uuid())
    )?;
    // All texts, for a reference may lead to one that is not exported.
    for (n, d) in edition.library.documents.iter().enumerate() {
        item(out, n, &json!({"@type": "TextResource", "@id": d.id, "text": d.source.text()}))?;
    }
    write!(
        out,
        "],\n\"annotationsets\": [\n{}],\n\"annotations\": [",
        json!({"@type": "AnnotationDataSet", "@id": SET, "keys": keys})
    )?;
    let mut n = 0;
    let mut put = |value: Value| {
        n += 1;
        item(out, n - 1, &value)
    };
    for d in edition.documents() {
        put(about(edition, d))?;
        let loci = Loci::of(d);
        for s in d.segments.iter().filter(|s| s.layer.is_text()) {
            let evidence: Vec<&str> = s.evidence.iter().map(|e| e.code).collect();
            let data = [
                ("type", Some("segment".into())),
                ("layer", Some(s.layer.id().into())),
                ("locus", loci.name(s.span).map(|l| l.to_string().into())),
                ("cert", Some(s.certainty.rounded().into())),
                ("by", d.meta.by(s.layer).map(|who| who.name.as_str().into())),
                ("evidence", (!evidence.is_empty()).then(|| evidence.join(" ").into())),
            ];
            put(annotation(&format!("{}:{}", d.id, s.id), text(d, s.span), data))?;
        }
        for (i, l) in d.links.iter().enumerate() {
            put(link(edition, d, i, l))?;
        }
    }
    for a in edition.alignments() {
        let (Some(s), Some(t)) =
            (edition.library.get(&a.source), edition.library.get(&a.translation))
        else {
            continue;
        };
        let sound = a
            .beads
            .iter()
            .enumerate()
            .filter(|(_, b)| !b.source.is_empty() && !b.translation.is_empty());
        for (i, b) in sound {
            put(bead(s, t, i, b))?;
        }
    }
    out.write_all(b"]}\n")
}

fn item(out: &mut dyn Write, n: usize, value: &Value) -> io::Result<()> {
    out.write_all(if n == 0 { b"\n" } else { b",\n" })?;
    Ok(serde_json::to_writer(out, value)?)
}

fn about(edition: &Edition, d: &Document) -> Value {
    let words = |w: &Option<String>| w.as_deref().map(Value::from);
    let about = &edition.about;
    let mut data = vec![
        ("type", Some("text".into())),
        ("title", Some(d.meta.title.as_str().into())),
        ("work", words(&d.meta.work)),
        ("chapter", words(&d.meta.chapter)),
        ("language", Some(d.meta.language.as_str().into())),
        ("collection", Some(about.title.as_str().into())),
        (
            "collection_editors",
            (!about.editors.is_empty()).then(|| about.editors.join("; ").into()),
        ),
        ("collection_date", Some(about.date.to_string().into())),
        ("licence", words(&about.licence)),
    ];
    data.extend(d.meta.facts().into_iter().map(|f| (f.id, Some(f.words.into()))));
    annotation(
        &format!("{}:about", d.id),
        json!({"@type": "ResourceSelector", "resource": d.id}),
        data,
    )
}

fn link(edition: &Edition, d: &Document, i: usize, l: &Link) -> Value {
    let here = text(d, l.span);
    let goal = l.target.as_ref().and_then(|t| {
        let document =
            t.doc.as_ref().map_or(Some(d), |id| edition.library.get(id).map(|d| &**d))?;
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
    let all = b
        .source
        .iter()
        .map(|s| text(source, *s))
        .chain(b.translation.iter().map(|s| text(translation, *s)));
    let target = json!({"@type": "DirectionalSelector", "selectors": all.collect::<Vec<_>>()});
    let id = format!("{}--{}:bead{}", source.id, translation.id, i + 1);
    annotation(
        &id,
        target,
        [("type", Some("bead".into())), ("cert", Some(b.certainty.rounded().into()))],
    )
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
