//! Glosses of the bundled corpus, `zhushu gloss`, and the program that draws statements to be read
//! (`docs/glosses.md`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use zhushu::Settings;
use zhushu::corpus::TextEntry;
use zhushu::corpus::refs::Catalogue;
use zhushu::glosses::{self, GlossWanted, PlacedGloss, grouped, placed};
use zhushu::model::LayerKind;

use crate::support::corpus::{library, root};
use crate::support::program::Folder;

fn output(folder: &Folder, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_zhushu"))
        .env("ZHUSHU_LIBRARY", "")
        .env_remove("ZHUSHU_LANG")
        .env("LC_ALL", "C")
        .current_dir(folder.path())
        .args(args)
        .output()
        .expect("it runs")
}

fn run(folder: &Folder, args: &[&str]) -> String {
    let out = output(folder, args);
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("UTF-8")
}

fn all(wanted: &GlossWanted) -> Vec<PlacedGloss<'static>> {
    let catalogue = Catalogue::of(library());
    placed(library().documents.iter().map(|d| &**d), &catalogue, wanted)
}

#[test]
fn glosses_are_in_notes_and_most_headwords_in_the_text() {
    let all = all(&GlossWanted::default());
    assert!(all.len() > 200, "{}", all.len());
    for g in &all {
        let document = g.from.document;
        let layer = document.segments[document.segment_at(g.gloss.span.start()).unwrap()].layer;
        assert!(matches!(layer.kind(), LayerKind::Note | LayerKind::Commentary), "{g:?}");
        assert!(!g.gloss.headword.is_empty() && !g.gloss.sense.is_empty(), "{g:?}");
    }
    let in_text = all.iter().filter(|g| g.lemma.is_some()).count();
    assert!(in_text * 10 > all.len() * 9, "{in_text} of {}", all.len());
}

#[test]
fn a_word_is_found_in_any_script_and_grouped_by_sense() {
    let wanted = |word: &str| GlossWanted { headword: Some(word.into()), ..Default::default() };
    let (full, simple) = (all(&wanted("純")), all(&wanted("纯")));
    assert!(!full.is_empty() && full.len() == simple.len());
    let groups = grouped(&full);
    let whole = groups.iter().find(|g| g.kind.id() == "is-like" && g.sense == "全");
    let whole = whole.unwrap_or_else(|| panic!("{groups:#?}"));
    let by: Vec<_> = whole.glosses.iter().filter_map(|g| g.gloss.who.as_deref()).collect();
    assert!(by.contains(&"鄭玄"), "{by:?}");
}

#[test]
fn the_command_writes_lists_tables_and_json() {
    let folder = Folder::new();
    folder.write_corpus();
    let text = run(&folder, &["gloss", "純"]);
    assert!(text.contains("純\n") && text.contains("猶 全") && text.contains("鄭玄"), "{text}");
    let json = run(&folder, &["gloss", "--to", "json"]);
    let value: Value = serde_json::from_str(&json).expect("JSON");
    let schema = std::fs::read_to_string(root().join("schema/glosses.schema.json")).unwrap();
    let schema = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a sound schema");
    let faults: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
    assert_eq!(faults, Vec::<String>::new());
    let tsv = run(&folder, &["gloss", "--to", "tsv", "--kind", "read-as", "--layer", "注"]);
    let mut lines = tsv.lines();
    let columns = lines.next().unwrap_or_default().split('\t').count();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!((cells.len(), cells[1], cells[4]), (columns, "read-as", "zhu"), "{line}");
    }
}

#[test]
fn own_dictionaries_are_shown_beside() {
    let folder = Folder::new();
    folder.write_corpus();
    std::fs::write(folder.path().join("own.tsv"), "纯\t絲也\n").unwrap();
    let text = run(&folder, &["gloss", "純", "--dictionary", "own.tsv"]);
    assert!(text.contains("纯  own\n  絲也"), "{text}");
}

/// What would be lost without a word is refused.
#[test]
fn what_glosses_cannot_be_asked_is_refused() {
    let folder = Folder::new();
    std::fs::write(folder.path().join("t.txt"), "二筭為純。純猶全也。\n").unwrap();
    std::fs::write(folder.path().join("own.tsv"), "純\t絲也\n").unwrap();
    let refused = |args: &str, words: &str| {
        let out = output(&folder, &args.split(' ').collect::<Vec<_>>());
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success() && said.contains(words), "{args}: {said}");
    };
    refused("gloss ， --in t.txt", "“，” has no character that could be explained");
    let table = "gloss 純 --in t.txt --dictionary own.tsv --to tsv";
    refused(table, "a table of glosses has no place for dictionaries");
    for format in ["glosses", "stardict", "tei-dictionary"] {
        for option in ["--layers 注", "--passages 1", "--by-layer", "--punctuation none"] {
            let option_name = option.strip_suffix(" 注").or(option.strip_suffix(" 1"));
            let words = format!("{} does not work with {format}", option_name.unwrap_or(option));
            refused(&format!("export t.txt --to {format} -o x {option}"), &words);
        }
    }
}

/// What is exported as StarDict can be used as a dictionary of one's own.
#[test]
fn an_exported_dictionary_is_read_again() {
    let folder = Folder::new();
    folder.write_corpus();
    run(&folder, &["export", "corpus", "--to", "stardict", "-o", "g.zip"]);
    let bytes = std::fs::read(folder.path().join("g.zip")).unwrap();
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    zip.extract(folder.path().join("dict")).unwrap();
    let dictionary = glosses::Dictionary::open(&folder.path().join("dict")).unwrap();
    let [entry] = &dictionary.entries_of("纯")[..] else { panic!("one entry") };
    assert!(entry.text.contains("猶 全") && entry.text.contains("鄭玄"), "{}", entry.text);
}

/// `ZHUSHU_SAMPLES=folder ZHUSHU_SEED=61 cargo test --test links draw_ -- --ignored --nocapture`
/// prints statements to be read, those of each kind from all works alike.
#[test]
#[ignore = "needs texts that are not in the repository"]
fn draw_statements_to_be_read() {
    let Some(folder) = std::env::var_os("ZHUSHU_SAMPLES").map(PathBuf::from) else { return };
    let seed = std::env::var("ZHUSHU_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(61);
    let mut rows: BTreeMap<(&str, bool), BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for path in texts(&folder) {
        let mut settings = Settings::default();
        settings.references = false;
        let Ok(document) = settings.entry(&TextEntry::file(&path)) else { continue };
        let read = settings.run(vec![document]);
        let catalogue = Catalogue::of(&read);
        let documents = read.documents.iter().map(|d| &**d);
        for g in placed(documents, &catalogue, &GlossWanted::default()) {
            let is_shu = g.gloss.layer.kind() == LayerKind::Commentary;
            let (gloss, around) = (&g.gloss, around(&g));
            let row = format!(
                "{}\t{}\t{}\t{}\t{}\t{around}",
                gloss.kind.id(),
                gloss.layer,
                gloss.place.id(),
                gloss.headword,
                gloss.sense
            );
            let of_kind = rows.entry((gloss.kind.id(), is_shu)).or_default();
            of_kind.entry(path.display().to_string()).or_default().push(row);
        }
    }
    for (n, all) in (seed..).zip(rows.values_mut()) {
        drawn(all, n).iter().for_each(|row| println!("{row}"));
    }
}

/// Files in a folder and those below it.
fn texts(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path());
    let nested = entries.flat_map(|p| if p.is_dir() { texts(&p) } else { vec![p] });
    let mut all: Vec<PathBuf> =
        nested.filter(|p| p.extension().is_some_and(|e| e == "txt")).collect();
    all.sort();
    all
}

/// The statement with a little before and after it.
fn around(g: &PlacedGloss<'_>) -> String {
    let text = g.from.document.source.text();
    let (start, end) = (g.gloss.span.start(), g.gloss.span.end());
    let before: Vec<char> = text[..start].chars().rev().take(16).collect();
    let after: String = text[end..].chars().take(12).collect();
    let before: String = before.iter().rev().collect();
    format!("{before}<<{}>>{after}", &text[start..end]).replace(['\n', '\t'], " ")
}

/// Sixteen rows, each of a work that comes by chance.
fn drawn(of_works: &mut BTreeMap<String, Vec<String>>, seed: u64) -> Vec<String> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    let mut drawn = vec![];
    while drawn.len() < 16 && !of_works.is_empty() {
        let work = of_works.keys().nth(next(of_works.len())).expect("there is one").clone();
        let rows = of_works.get_mut(&work).expect("it is there");
        let n = next(rows.len());
        drawn.push(rows.swap_remove(n));
        if rows.is_empty() {
            of_works.remove(&work);
        }
    }
    drawn
}
