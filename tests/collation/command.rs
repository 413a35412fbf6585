//! `zhushu collate` on the bundled corpus: expected outputs, schemas, and every witness restored from
//! the TEI. `SNAPSHOTS=overwrite cargo test --test collation` writes the expected outputs again.

use std::collections::HashMap;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::Value;
use snapbox::{Data, assert_data_eq};

use crate::support::corpus::{file, root};
use crate::support::program::Folder;

/// A bundled text, and another print of it that [`folder`] makes.
const WITNESSES: [&str; 2] = ["yili-05-zhushu.txt", "print.txt"];

/// The changes: what the conversion of the bundled text damaged, forms of characters, points, and
/// words.
const CHANGES: &[(&str, &str)] = &[
    ("於", "于"),
    ("麵", "面"),
    ("複", "復"),
    ("撲", "扑"),
    ("雲", "云"),
    ("賓", "賔"),
    ("獲者許諾,以", "獲者許諾。以"),
    ("坐,兼斂筭", "坐,遂斂筭"),
    ("三耦卒飲。", "三耦卒升飲。"),
    ("升堂,少右。", "少右。"),
];

fn folder() -> Folder {
    let folder = Folder::new();
    let manifest = std::fs::read_to_string(file("zhushu.toml")).expect("the bundled manifest");
    let entries: Vec<&str> = manifest.split("[[text]]").collect();
    let entry = entries.iter().find(|e| e.contains(WITNESSES[0])).expect("an entry");
    let print = entry.replacen(WITNESSES[0], WITNESSES[1], 1).replace("\"注疏\"", "\"別本\"");
    let manifest = format!("{}[[text]]{entry}[[text]]{print}", entries[0]);
    let text = std::fs::read_to_string(file(WITNESSES[0])).expect("the bundled text");
    let edited = CHANGES.iter().fold(text.clone(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    folder.write(WITNESSES[0], text).write(WITNESSES[1], edited).write("zhushu.toml", manifest);
    folder
}

/// What a successful command prints.
fn printed(folder: &Folder, line: &str) -> String {
    let out = folder.run(line).success();
    String::from_utf8(out.get_output().stdout.clone()).expect("UTF-8")
}

fn pair(options: &str) -> String {
    printed(&folder(), &format!("collate {} {} {options}", WITNESSES[0], WITNESSES[1]))
}

fn golden(name: &str, actual: &str) {
    assert_data_eq!(actual, Data::read_from(&root().join("tests/golden").join(name), None).raw());
}

#[test]
fn the_summary_counts_differences_by_class() {
    golden("collation-summary.txt", &pair(""));
}

#[test]
fn every_difference_has_a_line_with_its_places() {
    golden("collation.tsv", &pair("--to tsv"));
}

#[test]
fn notes_are_collated_too() {
    golden("collation-notes.txt", &pair("--layer 注"));
}

#[test]
fn the_json_obeys_its_schema_and_its_spans_cover_each_witness() {
    let value: Value = serde_json::from_str(&pair("--to json")).expect("JSON");
    let schema = std::fs::read_to_string(root().join("schema/collation.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).expect("the schema itself is sound");
    let faults: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    for siglum in ["A", "B"] {
        let mut at = 0;
        for place in value["chapters"][0]["places"].as_array().unwrap() {
            for reading in place["readings"].as_array().unwrap() {
                let own = reading["witnesses"].as_array().unwrap();
                for span in own.iter().filter(|w| w["siglum"] == siglum).flat_map(|w| {
                    w["spans"].as_array().unwrap().iter().map(|s| (s[0].as_u64(), s[1].as_u64()))
                }) {
                    assert!(span.0 >= Some(at), "{siglum} {span:?} after {at}");
                    at = span.1.unwrap();
                }
            }
        }
        assert!(at > 1000);
    }
}

fn schemas() -> Vec<std::path::PathBuf> {
    let mut schemas = vec![root().join("schema/collation.rng")];
    let tei = root().join("../shared/schema/tei_all-4.12.0.rng");
    match tei.exists() {
        true => schemas.push(tei),
        false => {
            assert!(std::env::var_os("ZHUSHU_FORBID_SKIP").is_none(), "no schema of TEI");
            eprintln!("SKIPPED: validation against tei_all: its schema is not here");
        }
    }
    schemas
}

fn valid(schema: &Path, xml: &str) -> bool {
    let schema = teixml::Schema::from_file(schema).expect("a schema");
    let complaints = schema.validate_str(xml).unwrap_or_else(|e| panic!("{e}"));
    complaints.iter().take(3).for_each(|c| eprintln!("{c}"));
    complaints.is_empty()
}

#[test]
fn the_tei_is_valid_and_less_is_not() {
    let xml = pair("--to tei");
    for schema in schemas() {
        assert!(valid(&schema, &xml), "{}", schema.display());
        assert!(!valid(&schema, &xml.replacen("<lem wit", "<lem witt", 1)));
    }
    let own = root().join("schema/collation.rng");
    for (from, to) in [("type=\"graphic\"", "type=\"slip\""), ("unit=\"ju\"", "unit=\"line\"")] {
        assert!(xml.contains(from) && !valid(&own, &xml.replacen(from, to, 1)), "{to}");
    }
}

/// The text of each witness from a file of TEI: that of `ab`, with the readings that name it.
fn restored(xml: &str, witnesses: usize) -> Vec<String> {
    let mut reader = Reader::from_str(xml);
    let mut texts = vec![String::new(); witnesses];
    let all: Vec<usize> = (0..witnesses).collect();
    let (mut in_ab, mut now, mut lost) = (false, all.clone(), vec![false; witnesses]);
    let named = |e: &BytesStart<'_>| -> Vec<usize> {
        let wit = e.attributes().flatten().find(|a| a.key.as_ref() == "wit").expect("a wit");
        let wit = wit.value.into_owned();
        wit.split(' ').map(|w| w["#wit-".len()..].parse::<usize>().expect("a number") - 1).collect()
    };
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(e) if e.name().as_ref() == "ab" => in_ab = true,
            Event::End(e) if e.name().as_ref() == "ab" => in_ab = false,
            Event::Start(e) if matches!(e.name().as_ref(), "lem" | "rdg") => now = named(&e),
            Event::End(e) if matches!(e.name().as_ref(), "lem" | "rdg") => now = all.clone(),
            Event::Empty(e) if e.name().as_ref() == "lacunaStart" => {
                now.iter().for_each(|n| lost[*n] = true);
            }
            Event::Empty(e) if e.name().as_ref() == "lacunaEnd" => {
                now.iter().for_each(|n| lost[*n] = false);
            }
            Event::Text(t) if in_ab => {
                let words: &str = t.as_ref();
                now.iter().filter(|n| !lost[**n]).for_each(|n| texts[*n].push_str(words));
            }
            Event::Eof => return texts,
            _ => {}
        }
    }
}

/// The bundled text and a copy without a leaf, with another copy that has it.
#[test]
fn a_lacuna_begins_and_ends_once() {
    let folder = folder();
    let text = std::fs::read_to_string(file(WITNESSES[0])).expect("the bundled text");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    folder.write("leaf.txt", [&lines[..16], &lines[48..]].concat().concat());
    let line = format!("collate {} leaf.txt {} --to tei", WITNESSES[0], WITNESSES[1]);
    let xml = printed(&folder, &line);
    assert_eq!((xml.matches("<lacunaStart").count(), xml.matches("<lacunaEnd").count()), (1, 1));
    for schema in schemas() {
        assert!(valid(&schema, &xml), "{}", schema.display());
    }
    let json: Value =
        serde_json::from_str(&printed(&folder, &line.replace("tei", "json"))).unwrap();
    assert_restored(&xml, &json, &["A", "B", "C"]);
}

#[test]
fn every_witness_is_restored_from_the_tei() {
    let json: Value = serde_json::from_str(&pair("--to json")).expect("JSON");
    assert_restored(&pair("--to tei"), &json, &["A", "B"]);
}

/// With the double end-point method the readings of a witness replace the text between anchors.
#[test]
fn every_witness_is_restored_from_the_double_end_points() {
    let json: Value = serde_json::from_str(&pair("--to json")).expect("JSON");
    let xml = pair("--to tei-endpoints");
    for schema in schemas() {
        assert!(valid(&schema, &xml), "{}", schema.display());
        assert!(!valid(&schema, &xml.replacen("<anchor xml:id", "<anchor id", 1)));
    }
    let ab = &xml[xml.find("<ab>").unwrap()..xml.find("</ab>").unwrap()];
    let mut texts: Vec<String> = Vec::new();
    for witness in ["#wit-1", "#wit-2"] {
        let mut text = ab.to_string();
        for app in xml.split("<app ").skip(1).collect::<Vec<_>>().into_iter().rev() {
            let app = &app[..app.find("</app>").unwrap()];
            let value = |name: &str| app.split(&format!("{name}=\"#")).nth(1)?.split('"').next();
            let anchor = |name| format!("<anchor xml:id=\"{}\"/>", value(name).unwrap());
            let named = |r: &&str| r.split('>').next().is_some_and(|t| t.contains(witness));
            let Some(reading) = app.split("<rdg ").skip(1).find(named) else { continue };
            let words = reading.split_once('>').unwrap().1.split('<').next().unwrap_or_default();
            let from = text.find(&anchor("from")).unwrap() + anchor("from").len();
            // Words that the base lacks have one anchor.
            let to = text.find(&anchor("to")).unwrap().max(from);
            text.replace_range(from..to, words);
        }
        texts.push(text);
    }
    let joined = texts.iter().enumerate().map(|(n, text)| {
        let lem = format!("<lem wit=\"#wit-{}\">", n + 1);
        format!("<ab>{lem}{}</lem></ab>", text.replace("<ab>", ""))
    });
    let joined = format!("<body>{}</body>", joined.collect::<String>());
    assert_restored(&joined, &json, &["A", "B"]);
}

#[test]
fn readings_that_notes_report_are_at_their_places() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(file("yili-05-jishi.txt")).expect("the bundled text");
    folder.write("yili-05-jishi.txt", &text).write("print.txt", text.replace("少進", "進"));
    let texts = "yili-05-jishi.txt print.txt";
    let all = printed(&folder, &format!("collate {texts} --indirect --to tsv"));
    let reported: Vec<&str> = all.lines().filter(|l| l.starts_with("reported-")).collect();
    golden("collation-reported.tsv", &(reported.join("\n") + "\n"));
    let xml = printed(&folder, &format!("collate {texts} --indirect --to tei-endpoints"));
    assert_eq!(xml.matches("<app type=\"reported\"").count(), reported.len());
    for schema in schemas() {
        assert!(valid(&schema, &xml), "{}", schema.display());
    }
    let json = printed(&folder, &format!("collate {texts} --indirect --to json"));
    let json: Value = serde_json::from_str(&json).unwrap();
    let schema = std::fs::read_to_string(root().join("schema/collation.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    assert!(validator.is_valid(&json));
    assert_eq!(json["chapters"][0]["reported"].as_array().unwrap().len(), reported.len());
    let summary = printed(&folder, &format!("collate {texts} --indirect"));
    golden("collation-reported.txt", &summary);
    let page = printed(&folder, &format!("collate {texts} --indirect --to html"));
    assert_eq!(page.matches("class=\"r d-reported\"").count(), reported.len());
}

/// The classic and the notes of a whole chapter, clean, from all that is there: one command.
#[test]
fn parts_of_a_chapter_are_one_text_in_the_order_that_its_title_shows() {
    let folder = Folder::new();
    let words = |name: &str, layers: &str| {
        let text = file(name).display().to_string();
        printed(&folder, &format!("export {text} --layers {layers} --readings repaired --to text"))
    };
    let corpus = file("zhushu.toml").parent().expect("a folder").display().to_string();
    let merged = printed(
        &folder,
        &format!("export {corpus} --merge 鄉射禮 --layers 經 --readings repaired --to text"),
    );
    let classic = |text: &str| -> String {
        let body = text.split("校勘").next().unwrap_or_default();
        body.chars().filter(|c| is_ideograph(*c)).collect()
    };
    let (merged, first) = (classic(&merged), classic(&words("yili-05-jishi.txt", "經")));
    let second = classic(&words("yili-05-zhushu.txt", "經"));
    let place = |part: &str, from: usize| {
        let words: String = part.chars().skip(from).take(12).collect();
        merged.find(&words).unwrap_or_else(|| panic!("{words} is not in the merged text"))
    };
    assert!(place(&first, 400) < place(&second, 100));
    assert!(!merged.contains("東麵"), "the second part is not repaired");
}

fn is_ideograph(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

/// Fails unless the TEI gives the characters of all witnesses that the JSON has.
fn assert_restored(xml: &str, json: &Value, sigla: &[&str]) {
    let mut expected: HashMap<String, String> = HashMap::new();
    for place in json["chapters"][0]["places"].as_array().unwrap() {
        for reading in place["readings"].as_array().unwrap() {
            for witness in reading["witnesses"].as_array().unwrap() {
                let siglum = witness["siglum"].as_str().unwrap().to_string();
                expected.entry(siglum).or_default().push_str(reading["words"].as_str().unwrap());
            }
        }
    }
    let content = |s: &str| s.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    for (text, siglum) in restored(xml, sigla.len()).iter().zip(sigla) {
        assert_eq!(content(text), content(&expected[*siglum]), "{siglum}");
    }
}

#[test]
fn the_page_has_a_switch_for_each_class_and_loads_nothing() {
    let page = pair("--to html");
    for class in ["substantive", "graphic", "damage", "punctuation"] {
        assert!(page.contains(&format!("id=\"sw-{class}\"")), "{class}");
    }
    assert!(page.contains("<span class=\"d d-damage\"><span class=\"l\">"));
    assert!(!page.contains("src=\"") && !page.contains("<link"));
}

#[test]
fn texts_of_a_folder_are_paired_by_work_and_chapter() {
    let folder = folder();
    let all = printed(&folder, "collate . --to tsv");
    let chapter = printed(&folder, "collate . --to tsv --chapter 鄉射禮");
    assert_eq!(all, chapter);
    assert!(all.lines().count() > 10 && all.contains("\t別本\t"));
    assert_eq!(all, printed(&folder, "collate . --to tsv --chapter yili.05 --base 注疏"));
    let other = printed(&folder, "collate . --to tsv --base print");
    assert!(other.lines().nth(1).is_some_and(|l| l.split('\t').nth(2) == Some("別本")));
}

#[test]
fn what_cannot_be_collated_is_an_error_with_a_hint() {
    let folder = folder();
    let refused = |line: &str, message: &str| {
        let out = folder.run(line).failure();
        let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(text.contains(message) && text.contains("help"), "{line}: {text}");
    };
    let [a, b] = WITNESSES;
    refused(&format!("collate {a}"), "there is only one text");
    refused(&format!("collate {a} {b} --base C"), "no witness is called “C”");
    refused(&format!("collate {a} {b} --to docx"), "no format of collations is called “docx”");
    refused(&format!("collate {a} {b} --layer 譯"), "has nothing in the layer 譯");
    refused("collate . --chapter 燕禮", "no two witnesses of a chapter “燕禮”");
    folder.run(&format!("collate {a} nothing.txt")).code(5);
}
