//! Persons and places that a source marks are on pages, in JSON and in the tables.

use serde_json::Value;
use zhushu::corpus::Library;
use zhushu::pipeline;
use zhushu::source::Source;

use super::tei::write;
use crate::support::editions::{edition, files};

const TEI: &str = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><text><body><p>昔<persName key=\"cbdb:12\">\
    鄭<lb/>玄</persName>在<placeName ref=\"#a&quot;b\">高密</placeName>，曰：“然。”</p></body></text></TEI>";

fn names(json: &str) -> Vec<(String, String, String)> {
    let json: Value = serde_json::from_str(json).unwrap();
    let words = |name: &Value, key: &str| name[key].as_str().unwrap_or_default().to_string();
    let ids = |name: &Value| name["ids"][0].as_str().unwrap_or_default().to_string();
    let all = json["names"].as_array().into_iter().flatten();
    all.map(|name| (words(name, "kind"), words(name, "text"), ids(name))).collect()
}

fn library(text: &str) -> Library {
    pipeline::convert(Source::from_text("a.xml", text), None).unwrap()
}

#[test]
fn names_are_in_every_output_and_come_back_from_our_tei() {
    let library = library(TEI);
    let text =
        |format: &str| String::from_utf8(write(format, &library.documents[0], &library)).unwrap();
    let page = text("html");
    assert!(page.contains("<span class=\"name person\" title=\""), "{page}");
    assert!(page.contains("cbdb:12") && page.contains("a&quot;b"), "{page}");
    let row = |kind: &str, words: &str, id: &str| (kind.into(), words.into(), id.into());
    let want = [row("person", "鄭玄", "cbdb:12"), row("place", "高密", "a\"b")];
    assert_eq!(names(&text("json")), want);
    let again = self::library(&text("tei"));
    let json = String::from_utf8(write("json", &again.documents[0], &again)).unwrap();
    assert_eq!(names(&json), want);
    let edition = edition(library.clone(), "鄭");
    let (_, table) = files(&edition, "tsv").into_iter().find(|f| f.0 == "names.tsv").unwrap();
    let table = String::from_utf8(table).unwrap();
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 3, "{table}");
    assert!(rows[1].starts_with("a\tperson\t") && rows[1].ends_with("\t鄭玄\tcbdb:12"), "{table}");
    let (_, lines) = files(&edition, "jsonl").remove(0);
    let lines = String::from_utf8(lines).unwrap();
    assert_eq!(lines.matches("\"type\":\"name\"").count(), 2, "{lines}");
}
