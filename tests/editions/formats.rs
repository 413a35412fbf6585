//! Editions in every format: a small golden file for each, the metadata of the sources, choices of
//! layers and script.
//!
//! `SNAPSHOTS=overwrite` rewrites the golden files. Hostile text is in `hostile.rs`, schemas in
//! `schemas.rs`, external checkers in `checked.rs`.

use std::path::Path;

use crate::support::corpus;
use crate::support::editions::{files, joined, small, unzip};
use zhushu::corpus::{LayerChoice, Library, Loci};
use zhushu::model::{Document, Layer};
use zhushu::text::script::Script;
use zhushu::writers::editions::{FORMATS, Facing, Layout};

fn golden(name: &str, all: String) {
    let golden = format!("tests/golden/editions/{name}.txt");
    snapbox::assert_data_eq!(all, snapbox::Data::read_from(Path::new(&golden), None).raw());
}

#[test]
fn every_format_writes_its_golden_file() {
    let edition = small();
    for format in FORMATS.iter().filter(|f| !["pdf", "parquet"].contains(&f.name)) {
        golden(format.name, joined(&edition, format.name));
    }
}

#[test]
fn pages_look_as_asked_for() {
    let mut edition = small();
    edition.layout = Layout { vertical: true, numbers: false, ..Layout::default() };
    golden("typst-vertical", joined(&edition, "typst"));
    edition.layout = Layout { translation: Facing::Facing, foot: true, ..Layout::default() };
    golden("typst-facing", joined(&edition, "typst"));
    edition.layout = Layout { translation: Facing::None, apparatus: false, ..Layout::default() };
    assert_eq!(
        joined(&edition, "text").matches("兩支籌碼為一純。").count(),
        1,
        "its own text stays"
    );
}

#[test]
fn what_is_known_of_the_whole_and_of_its_sources_is_in_every_format() {
    let whole = ["二筭", "校者", "CC0-1.0", "2026"];
    let source =
        ["demo edition", "刻者", "印者", "嘉慶二十年 (1815)", "demo library", "Public domain"];
    for format in FORMATS {
        let mut all = String::new();
        for (_, bytes) in files(&small(), format.name) {
            let package = |files: Vec<(String, String)>| {
                files.into_iter().find(|(name, _)| name.ends_with(".opf")).unwrap().1
            };
            all.push_str(&if format.name == "epub" {
                package(unzip(&bytes))
            } else {
                String::from_utf8_lossy(&bytes).into_owned()
            });
        }
        for words in whole.iter().chain(&source) {
            assert!(all.contains(words), "{} does not contain {words}: {all}", format.name);
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for format in FORMATS {
        assert_eq!(files(&small(), format.name), files(&small(), format.name), "{}", format.name);
    }
}

/// Layers, scripts, reading order: what was chosen is there, nothing else, and nothing twice. One
/// test, since reading the corpus takes most of the time.
#[test]
fn choices_hold_on_the_corpus() {
    let library = corpus::library();
    notes_keep_their_loci(library);
    scripts_are_those_asked_for(library);
    reading_order_has_all_words(library);
}

fn notes_keep_their_loci(library: &Library) {
    let only = LayerChoice { layers: vec![Layer::Zhu], ..LayerChoice::default() }.of(library);
    assert!(only.get("yili-05-jinyi").is_none() && only.alignments.is_empty());
    for d in &only.documents {
        d.check().unwrap();
        let (old, new) = (Loci::of(library.get(&d.id).unwrap()), Loci::of(d));
        let loci = |l: &Loci<'_>, d: &Document| -> Vec<(String, String)> {
            let notes = l.units().iter().filter(|u| u.layer == Layer::Zhu);
            notes.map(|u| (u.passage.to_string(), d.slice(u.span).to_string())).collect()
        };
        assert_eq!(loci(&new, d), loci(&old, library.get(&d.id).unwrap()), "{}", d.id);
        assert!(
            d.segments
                .iter()
                .all(|s| matches!(s.layer, Layer::Zhu | Layer::Heading | Layer::Blank))
        );
    }
}

fn scripts_are_those_asked_for(library: &Library) {
    let choice = LayerChoice { script: Some(Script::Simplified), ..LayerChoice::default() };
    let simplified = choice.of(library);
    for (old, new) in library.documents.iter().zip(&simplified.documents) {
        new.check().unwrap();
        assert_eq!(old.links.len(), new.links.len(), "{}", old.id);
        assert_eq!(old.segments.len(), new.segments.len());
        assert!(
            !new.source.text().contains(['獲', '衆', '與']) && old.source.text().contains('與')
        );
        assert!(!new.meta.language.contains("Hant"));
        for (a, b) in old.links.iter().zip(&new.links) {
            let (a, b) = (old.slice(a.span), new.slice(b.span));
            assert_eq!(a.chars().count(), b.chars().count(), "{a} {b}");
        }
    }
    assert_eq!(library.alignments[0].beads.len(), simplified.alignments[0].beads.len());
}

fn reading_order_has_all_words(library: &Library) {
    use zhushu::writers::editions::flow::{self, EditionBlock};
    for d in &library.documents {
        let mut words = String::new();
        for block in flow::sections(d, library).into_iter().flat_map(|s| s.blocks) {
            match block {
                EditionBlock::Heading(w) | EditionBlock::Label(w) | EditionBlock::Other(w) => {
                    words.push_str(&w)
                }
                EditionBlock::Translation(_) => {}
                EditionBlock::Text(runs) => runs.iter().for_each(|r| words.push_str(&r.words)),
                EditionBlock::Said { header, runs, .. } => {
                    words.extend(header);
                    runs.iter().for_each(|r| words.push_str(&r.words));
                }
            }
        }
        let content = |w: &str| w.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let want: String = d
            .segments
            .iter()
            .filter(|s| s.layer.is_text())
            .map(|s| content(&d.words(s.span)))
            .collect();
        assert_eq!(content(&words), want, "{}", d.id);
    }
}
