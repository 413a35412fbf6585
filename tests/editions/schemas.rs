//! Editions against descriptions of their formats in `schema/`: JSON Lines and Web Annotations by
//! JSON Schema, TMX and DocuXML by RELAX NG. Each description must also refuse broken files, so
//! that it is not trivial.

use std::path::PathBuf;

use crate::support::editions::{files, small};
use serde_json::{Value, json};
use zhushu::writers::editions::FORMATS;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("schema").join(name)
}

fn schema(name: &str) -> jsonschema::Validator {
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(path(name)).unwrap()).unwrap();
    jsonschema::validator_for(&schema).expect("the schema itself is sound")
}

fn faults(schema: &jsonschema::Validator, value: &Value) -> String {
    schema.iter_errors(value).map(|e| format!("{}: {e}\n", e.instance_path())).collect()
}

/// The one file of the small edition in a format.
fn file(format: &str) -> String {
    String::from_utf8(files(&small(), format).remove(0).1).unwrap()
}

/// The value with one change; `null` removes the key.
fn spoilt(value: &Value, pointer: &str, bad: Value) -> Value {
    let mut value = value.clone();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = value.pointer_mut(parent).unwrap();
    match parent {
        Value::Object(o) if bad == json!(null) => drop(o.remove(key).unwrap()),
        Value::Object(o) => drop(o.insert(key.into(), bad)),
        other => *other.pointer_mut(&format!("/{key}")).unwrap() = bad,
    }
    value
}

#[test]
fn every_line_of_json_lines_obeys_the_schema_and_has_all_its_keys() {
    let schema = schema("lines.schema.json");
    let described: Value =
        serde_json::from_str(&std::fs::read_to_string(path("lines.schema.json")).unwrap()).unwrap();
    let lines: Vec<Value> =
        file("jsonl").lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let mut kinds = std::collections::BTreeSet::new();
    for line in &lines {
        assert_eq!(faults(&schema, line), "", "{line}");
        let kind = line["type"].as_str().unwrap();
        // The first text has everything a text can have.
        let keys = described["$defs"][kind]["properties"].as_object().unwrap();
        let fields = line.as_object().unwrap();
        assert!(fields.keys().all(|k| keys.contains_key(k)), "{line}");
        assert!(!kinds.insert(kind) || keys.keys().all(|k| fields.contains_key(k)), "{line}");
    }
    assert_eq!(
        kinds.into_iter().collect::<Vec<_>>(),
        ["bead", "edition", "link", "segment", "text"]
    );
    let segment = lines.iter().find(|l| l["type"] == "segment").unwrap();
    for (pointer, bad) in [
        ("/start", json!(-1)),
        ("/cert", json!(1.5)),
        ("/words", json!(null)),
        ("/type", json!("row")),
    ] {
        assert_ne!(faults(&schema, &spoilt(segment, pointer, bad)), "", "{pointer}");
    }
}

#[test]
fn annotations_are_what_the_model_of_the_w3c_asks_for() {
    let schema = schema("annotations.schema.json");
    let page: Value = serde_json::from_str(&file("webanno")).unwrap();
    assert_eq!(faults(&schema, &page), "");
    assert!(page["items"].as_array().unwrap().len() > 1);
    let ids: std::collections::BTreeSet<_> =
        page["items"].as_array().unwrap().iter().map(|a| a["id"].to_string()).collect();
    assert_eq!(ids.len(), page["items"].as_array().unwrap().len(), "ids are unique");
    for (pointer, bad) in [
        ("/@context", json!(null)),
        ("/type", json!("Annotation")),
        ("/items/0/id", json!("no address at all")),
        ("/items/0/target", json!(null)),
        ("/items/0/motivation", json!("because")),
        ("/items/0/body/selector/0/start", json!("0")),
        ("/items/0/target/selector/1/exact", json!(null)),
    ] {
        assert_ne!(faults(&schema, &spoilt(&page, pointer, bad)), "", "{pointer}");
    }
}

/// Valid as written, and not with each of these replaced.
fn holds(schema: &str, xml: &str, spoil: &[(&str, &str)]) {
    let schema = teixml::Schema::from_file(path(schema)).expect("a schema");
    let complaints = schema.validate_str(xml).unwrap();
    assert!(complaints.is_empty(), "{}\n{xml}", complaints[0]);
    for (from, to) in spoil {
        assert!(xml.contains(from), "{from}");
        assert!(
            !schema.validate_str(&xml.replacen(from, to, 1)).unwrap().is_empty(),
            "{from} → {to} is let pass"
        );
    }
}

#[test]
fn tmx_follows_its_specification() {
    holds(
        "tmx14.rng",
        &file("tmx"),
        &[
            ("version=\"1.4\"", "version=\"2.0\""),
            (" srclang=\"lzh-Hant\"", ""),
            ("segtype=\"sentence\"", "segtype=\"clause\""),
            ("tuid=\"1\"", "tuid=\"the first\""),
            (" xml:lang=\"zh-Hant\"", ""),
            ("<seg>", "<seg><b>x</b>"),
        ],
    );
}

#[test]
fn docuxml_is_as_docusky_describes_it() {
    holds(
        "docuxml.rng",
        &file("docuxml"),
        &[
            (" filename=\"demo-0001.txt\"", ""),
            ("<doc_source>demo edition</doc_source>", "<docsource>demo edition</docsource>"),
            (
                "<doc_source>demo edition</doc_source>",
                "<doc_source>a</doc_source>\n<doc_source>b</doc_source>",
            ),
            ("contentTagging", "tagging"),
        ],
    );
}

#[test]
fn every_format_has_a_golden_file() {
    let has = |name: &str| {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join(format!("tests/golden/editions/{name}.txt"))
            .is_file()
    };
    // PDF is made by typst, Parquet is binary: other programs read them in `checked.rs`.
    let lacking: Vec<_> = FORMATS
        .iter()
        .map(|f| f.name)
        .filter(|n| !["pdf", "parquet"].contains(n) && !has(n))
        .collect();
    assert_eq!(lacking, Vec::<&str>::new());
}
