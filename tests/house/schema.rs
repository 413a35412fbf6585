//! The output of the program is valid against `schema/`. What a schema cannot express (spans cover
//! the text, offsets are code points) is checked too.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use zhushu::corpus::Library;
use zhushu::diag::Diagnostic;
use zhushu::model::{
    Certainty, Division, Document, Evidence, EvidenceKind, Header, HeaderPart, Layer, LayerInfo,
    LayerKind, Link, LinkKind, Reading, ReadingKind, Segment, Status, Target,
};
use zhushu::source::{Source, Span};
use zhushu::writers;

use crate::support::corpus;

fn schema(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Everything that is wrong with `value`, as lines.
fn faults(schema: &Value, value: &Value) -> String {
    let validator = jsonschema::validator_for(schema).expect("the schema itself is sound");
    validator.iter_errors(value).map(|e| format!("{}: {e}\n", e.instance_path())).collect()
}

fn json(document: &Document, library: &Library) -> Value {
    let mut out = Vec::new();
    (writers::by_name("json").unwrap().write)(document, library, &mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

/// Spans follow each other over the whole text, and code points slice the words that the model's
/// bytes slice.
fn covers(document: &Document, value: &Value) {
    let chars: Vec<char> = document.source.text().chars().collect();
    let mut at = 0;
    let spans = value["spans"].as_array().unwrap();
    assert_eq!(spans.len(), document.segments.len());
    for (span, segment) in spans.iter().zip(&document.segments) {
        let (start, end) =
            (span["start"].as_u64().unwrap() as usize, span["end"].as_u64().unwrap() as usize);
        assert_eq!(start, at, "{}", document.id);
        assert_eq!(chars[start..end].iter().collect::<String>(), document.slice(segment.span));
        at = end;
    }
    assert_eq!(at, chars.len());
    assert_eq!(value["source"]["chars"], chars.len());
}

#[test]
fn the_json_of_every_text_of_the_corpus_obeys_its_schema() {
    let library = corpus::library();
    let schema = schema("zhushu.schema.json");
    assert_eq!(library.documents.len(), 5);
    for document in &library.documents {
        let value = json(document, library);
        assert_eq!(faults(&schema, &value), "", "{}", document.id);
        covers(document, &value);
    }
}

/// A document with one of everything, with characters beyond the BMP, so that the test does not
/// depend on what the passes find.
fn specimen() -> (Document, Document) {
    let text = "\u{27C30}經。注\u{1F00}。";
    let mut d = Document::new(Arc::new(Source::from_text("a/specimen.txt", text)), "test");
    let why = vec![
        Evidence::new(EvidenceKind::LemmaHeader, "注“於是”"),
        Evidence::of(EvidenceKind::from("sentence-end")),
    ];
    let (whole, first, last) = (d.source.span(), Span::new(0, 7), Span::new(10, 13));
    d.segments = vec![
        Segment::inferred(Layer::Jing, Span::new(0, 10), Certainty::new(0.98765), why.clone()),
        Segment::inferred(Layer::Zhu, Span::new(10, whole.end()), Certainty::new(0.5), why.clone()),
    ]
    .into();
    d.number();
    d.headers = vec![Header {
        span: whole,
        parts: vec![
            HeaderPart { layer: Layer::Jing, span: first, from: first, to: None },
            HeaderPart { layer: Layer::Zhu, span: last, from: last, to: Some(last) },
        ],
    }]
    .into();
    d.divisions = vec![Division {
        n: 1,
        title: None,
        span: whole,
        certainty: Certainty::SURE,
        evidence: vec![],
    }]
    .into();
    d.readings = vec![Reading {
        span: first,
        reading: "云".into(),
        kind: ReadingKind::Repair,
        certainty: Certainty::new(0.9),
        evidence: why.clone().into(),
    }]
    .into();
    d.diagnostics = vec![
        Diagnostic::warning("header-misprint", first, "a message").hint("a hint"),
        Diagnostic::info("whole-text", None, "about the whole"),
    ]
    .into();
    let other = Source::from_text("b/other.txt", "左右卒射。");
    let mut other = Document::new(Arc::new(other), "test");
    other.segments = vec![Segment::marked(Layer::Jing, other.source.span())].into();
    other.number();
    let link = |kind, target: Option<Target>, status| Link {
        kind,
        span: last,
        quoted: Some(last),
        layer: Layer::Zhu,
        work: Some("儀禮・大射儀".into()),
        alternatives: target.clone().into_iter().collect(),
        target,
        status,
        certainty: Certainty::new(0.7),
        evidence: why.clone().into(),
    };
    let place = |doc: &str, span| Some(Target { doc: Some(doc.into()), span });
    d.links = vec![
        link(LinkKind::Lemma, Some(Target { doc: None, span: first }), Status::Exact),
        link(LinkKind::Quotation, place("specimen", first), Status::Variant),
        link(LinkKind::Citation, place("other", Span::new(3, 9)), Status::Paraphrase),
        link(LinkKind::Internal, place("nowhere", first), Status::Range),
        link(LinkKind::Parallel, None, Status::TitleOnly),
        link(LinkKind::Citation, None, Status::Unresolved),
    ]
    .into();
    (d, other)
}

#[test]
fn one_of_everything_obeys_the_schema_and_links_name_their_places() {
    let (d, other) = specimen();
    d.check().unwrap();
    let library = Library { documents: vec![Arc::new(d), Arc::new(other)], ..Library::default() };
    let d = &library.documents[0];
    let value = json(d, &library);
    assert_eq!(faults(&schema("zhushu.schema.json"), &value), "");
    covers(d, &value);
    let targets: Vec<_> =
        value["links"].as_array().unwrap().iter().map(|l| l["target"].to_string()).collect();
    assert_eq!(targets[0], r#"{"path":"specimen.txt","start":0,"end":2,"id":"x1","locus":null}"#.parse::<Value>().unwrap().to_string());
    assert_eq!(targets[0], targets[1]);
    assert_eq!(targets[2], r#"{"path":"other.txt","start":1,"end":3,"id":"x1","locus":null}"#.parse::<Value>().unwrap().to_string());
    assert_eq!(targets[3..], ["null", "null", "null"], "a missing document has no place");
    assert_eq!(value["spans"][0]["cert"], 0.988);
    assert_eq!(value["links"][0]["quoted"], serde_json::json!([3, 4]));
}

#[test]
fn the_schema_refuses_what_the_contract_forbids() {
    let (d, other) = specimen();
    let library = Library { documents: vec![Arc::new(d), Arc::new(other)], ..Library::default() };
    let good = json(&library.documents[0], &library);
    let schema = schema("zhushu.schema.json");
    for (pointer, bad) in [
        ("/format", serde_json::json!("zhushu/2")),
        ("/spans/0/start", serde_json::json!(-1)),
        ("/spans/0/cert", serde_json::json!(1.5)),
        ("/spans/0/layer", serde_json::json!("經")),
        ("/links/0/kind", serde_json::json!("guess")),
        ("/links/0/status", serde_json::json!("maybe")),
        ("/links/0/quoted", serde_json::json!([1])),
        ("/links/0/target", serde_json::json!({})),
        ("/diagnostics/0/severity", serde_json::json!("fatal")),
        ("/source/sha256", serde_json::json!("abc")),
    ] {
        let mut value = good.clone();
        *value.pointer_mut(pointer).unwrap() = bad;
        assert_ne!(faults(&schema, &value), "", "{pointer}");
    }
}

#[test]
fn kinds_statuses_and_layers_of_the_schema_are_those_of_the_program() {
    use {LinkKind as K, Status as S};
    let schema = schema("zhushu.schema.json");
    let kinds = [K::Lemma, K::Quotation, K::Citation, K::Internal, K::Parallel].map(K::id);
    let statuses =
        [S::Exact, S::Variant, S::Paraphrase, S::Range, S::TitleOnly, S::Unresolved].map(S::id);
    assert_eq!(schema["$defs"]["link"]["properties"]["kind"]["enum"], serde_json::json!(kinds));
    assert_eq!(
        schema["$defs"]["link"]["properties"]["status"]["enum"],
        serde_json::json!(statuses)
    );
    let names = |l: &LayerInfo| match l.kind {
        LayerKind::Structure | LayerKind::Undivided | LayerKind::Outside => l.id.to_string(),
        _ => format!("{} ({})", l.id, l.zh),
    };
    let names = Layer::all().map(names).collect::<Vec<_>>().join(" ");
    let described = schema["$defs"]["layer"]["description"].as_str().unwrap();
    let new = format!("Name of a layer in pinyin: {names}; a document may declare more.");
    if std::env::var("SNAPSHOTS").is_ok_and(|v| v == "overwrite") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/zhushu.schema.json");
        let old = std::fs::read_to_string(path).unwrap();
        std::fs::write(path, old.replace(described, &new)).unwrap();
    } else {
        assert_eq!(described, new, "SNAPSHOTS=overwrite rewrites it");
    }
}

/// A new row of the table of layers needs no other change: `SNAPSHOTS=overwrite` writes it here.
#[test]
fn notes_of_the_tei_schema_are_those_of_the_table_of_layers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/zhushu.rng");
    let old = std::fs::read_to_string(path).unwrap();
    let at = old.find("A note of a commentary, in its place.").unwrap();
    let from = at + old[at..].find("<value>").unwrap();
    let to = from + old[from..].find("        </choice>").unwrap();
    let is_note = |l: &&LayerInfo| l.kind == LayerKind::Note || l.layer.commentary().is_some();
    let notes: Vec<&LayerInfo> = Layer::all().filter(is_note).collect();
    let value = |l: &&LayerInfo| {
        let name = if l.layer == Layer::Yin { "yinyi" } else { l.id };
        format!("<value>{name}</value>\n")
    };
    let values = notes.iter().map(value).collect::<Vec<_>>().join("          ");
    if std::env::var("SNAPSHOTS").is_ok_and(|v| v == "overwrite") {
        std::fs::write(path, [&old[..from], &values, &old[to..]].concat()).unwrap();
    } else {
        assert_eq!(&old[from..to], values, "SNAPSHOTS=overwrite rewrites it");
    }
}

#[test]
fn the_alignment_schema_takes_the_contract_and_refuses_less() {
    let schema = schema("align.schema.json");
    let mut value = serde_json::json!({
        "format": "zhushu-align/1",
        "source": {"path": "a.txt"},
        "translation": {"path": "b.txt"},
        "beads": [
            {"source": [{"start": 0, "end": 2, "text": "卒射"}], "translation": [{"start": 0, "end": 3, "text": "射完了"}], "cert": 0.97},
            {"source": [], "translation": [{"start": 3, "end": 4, "text": "。"}], "cert": 0.5}
        ]
    });
    assert_eq!(faults(&schema, &value), "");
    value["beads"][0]["source"][0].as_object_mut().unwrap().remove("text");
    assert_ne!(faults(&schema, &value), "");
}

#[test]
fn the_corpus_manifest_obeys_its_schema_and_a_misspelt_key_does_not() {
    let schema = schema("manifest.schema.json");
    let text = std::fs::read_to_string("corpus/zhushu.toml").unwrap();
    let value =
        |text: &str| serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
    assert_eq!(faults(&schema, &value(&text)), "");
    assert_ne!(faults(&schema, &value(&text.replace("siglum", "sigel"))), "");
    assert_ne!(faults(&schema, &value(&text.replace("number = 5", "number = \"5\""))), "");
}
