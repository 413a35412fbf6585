//! Who speaks: at places that were read by hand (`tests/gold/speech.tsv`), and who wrote the layers of whole books. The texts are
//! not part of the project: without them the test is skipped. `cargo test --test links speech -- --ignored`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use zhushu::Settings;
use zhushu::corpus::{Library, TextEntry};
use zhushu::model::{Document, LayerKind};
use zhushu::pipeline::FlowPart;

use crate::support::corpus::root;

/// Precision and recall that are reached.
const MIN_PRECISION: f64 = 0.97;
const MIN_RECALL: f64 = 0.95;

/// The folder of the sample texts, if it is here.
fn samples() -> Option<PathBuf> {
    let all = ["../shared/samples", "../../shared/samples"].map(|f| root().join(f));
    let found = all.into_iter().find(|f| f.is_dir());
    if found.is_none() {
        eprintln!("skipped: the sample texts are not here");
    }
    found
}

/// The chapters of a text, with who speaks.
fn chapters(text: &Path) -> Library {
    let document = zhushu::load::entry(&TextEntry::file(text)).expect("it reads");
    Settings::default().run_part(FlowPart::Layers, vec![document], vec![], None)
}

/// Who speaks at a code point of a file.
fn speaker(library: &Library, offset: usize) -> Option<(String, String)> {
    let of = |d: &Document| {
        let own = offset.checked_sub(d.source.file_char_of(0))?;
        let at = d.source.text().char_indices().nth(own)?.0;
        let layer = d.segments[d.segment_at(at)?].layer;
        Some((d.speakers().at(at).unwrap_or("-").to_string(), layer.zh().to_string()))
    };
    library.documents.iter().rev().find_map(|d| of(d))
}

#[test]
#[ignore = "reads whole books"]
fn speakers_are_those_that_a_reader_named() {
    let Some(samples) = samples() else { return };
    let table = std::fs::read_to_string(root().join("tests/gold/speech.tsv")).expect("the list");
    let rows = table.lines().filter(|l| !l.starts_with('#')).skip(1);
    let mut texts: BTreeMap<&str, Library> = BTreeMap::new();
    let mut figures: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for row in rows {
        let [text, offset, who, speaks] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let library = texts.entry(text).or_insert_with(|| chapters(&samples.join(text)));
        let found = speaker(library, offset.parse().expect("an offset"));
        let says = found.as_ref().is_some_and(|(name, _)| name == who);
        let [right, wrong, missed, rest] = figures.entry(who).or_default();
        match (says, speaks == "yes") {
            (true, true) => *right += 1,
            (true, false) => *wrong += 1,
            (false, true) => *missed += 1,
            (false, false) => *rest += 1,
        }
        if says != (speaks == "yes") {
            println!("{row}: {found:?}");
        }
    }
    let sum = |n: usize| figures.values().map(|f| f[n]).sum::<usize>() as f64;
    let (precision, recall) = (sum(0) / (sum(0) + sum(1)), sum(0) / (sum(0) + sum(2)));
    println!("[right, wrong, missed, rightly not]: {figures:?}");
    println!("precision {precision:.3}, recall {recall:.3}");
    assert!(precision >= MIN_PRECISION && recall >= MIN_RECALL);
}

#[test]
#[ignore = "reads whole books"]
fn layers_of_books_are_listed_with_their_authors() {
    let Some(samples) = samples() else { return };
    for folder in ["books", "classics", "other", "zhushu", "kanripo", "jishi", "judou"] {
        let files = std::fs::read_dir(samples.join(folder)).expect("a folder");
        let mut files: Vec<PathBuf> = files.map(|f| f.expect("an entry").path()).collect();
        files.sort();
        for file in files.iter().filter(|f| f.is_file() && f.extension() != Some("json".as_ref())) {
            let mut said: BTreeSet<String> = BTreeSet::new();
            for d in &chapters(file).documents {
                let written = |k| matches!(k, LayerKind::Note | LayerKind::Commentary);
                for s in d.segments.iter().filter(|s| written(s.layer.kind())) {
                    let by = d.author(s).map_or("-", |who| &who.name);
                    let sure = d.author(s).and_then(|who| who.inferred).map_or(0.0, |c| c.get());
                    said.insert(format!("{} {by} {sure:.2}", s.layer.zh()));
                }
            }
            println!("{}: {said:?}", file.strip_prefix(&samples).unwrap_or(file).display());
        }
    }
}
