//! Editions in every format: a small golden file for each, the metadata of the sources, choices of
//! layers and script.
//!
//! `SNAPSHOTS=overwrite` rewrites the golden files. Hostile text is in `hostile.rs`, schemas in
//! `schemas.rs`, external checkers in `checked.rs`.

use std::path::Path;

use crate::support::corpus;
use crate::support::editions::{PACKED, files, joined, small, unzip};
use zhushu::corpus::{LayerChoice, Library, Loci, Punctuation};
use zhushu::model::{Document, Layer, Reading, ReadingKind};
use zhushu::text::class::{is_content, is_punctuation};
use zhushu::text::script::Script;
use zhushu::writers::editions::{FORMATS, Facing, Layout, NotesAt};

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
    edition.layout = Layout { notes: NotesAt::Inline, vertical: true, ..Layout::default() };
    golden("docx-inline", joined(&edition, "docx"));
    golden("latex-inline", joined(&edition, "latex"));
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
            all.push_str(&match format.name {
                "epub" => package(unzip(&bytes)),
                name if PACKED.contains(&name) => {
                    unzip(&bytes).into_iter().map(|(_, text)| text).collect()
                }
                _ => String::from_utf8_lossy(&bytes).into_owned(),
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
    repaired_text_says_what_the_source_has(library);
    without_punctuation_the_words_are_left(library);
    punctuation_is_supplied_where_words_agree(library);
}

fn punctuation_is_supplied_where_words_agree(library: &Library) {
    let choice = LayerChoice { punctuation: Punctuation::Supplied, ..LayerChoice::default() };
    let supplied = choice.of(library);
    for (old, new) in library.documents.iter().zip(&supplied.documents) {
        new.check().unwrap();
        let mut back = new.source.text().to_string();
        let made = |r: &&Reading| r.kind == ReadingKind::Source && r.reading.is_empty();
        for r in new.readings.iter().rev().filter(made) {
            assert!(new.slice(r.span).chars().all(is_punctuation), "{}", new.slice(r.span));
            back.replace_range(r.span.range(), "");
        }
        assert_eq!(back, old.source.text(), "{}", old.id);
    }
}

fn repaired_text_says_what_the_source_has(library: &Library) {
    let repaired = LayerChoice { repaired: true, ..LayerChoice::default() }.of(library);
    let mut made = 0;
    for (old, new) in library.documents.iter().zip(&repaired.documents) {
        new.check().unwrap();
        let mut back = new.source.text().to_string();
        let of_source = |r: &&Reading| r.kind == ReadingKind::Source;
        for r in new.readings.iter().rev().filter(of_source) {
            assert_ne!(new.slice(r.span), r.reading);
            back.replace_range(r.span.range(), &r.reading);
            made += 1;
        }
        assert_eq!(back, old.source.text(), "{}", old.id);
        assert_eq!(old.links.len(), new.links.len());
    }
    assert!(made > 100, "{made} repairs");
    let text = repaired.get("yili-05-zhushu").unwrap().source.text();
    assert!(text.contains("鄭云") && text.contains("東面") && !text.contains("東麵"));
    // In a script that has one form for both there is nothing to repair.
    let script = Some(Script::Simplified);
    let simplified = LayerChoice { repaired: true, script, ..LayerChoice::default() }.of(library);
    let text = simplified.get("yili-05-zhushu").unwrap();
    assert!(text.source.text().contains("郑云"));
    assert!(text.readings.iter().all(|r| r.reading != "云" && text.slice(r.span) != r.reading));
}

fn without_punctuation_the_words_are_left(library: &Library) {
    let choice = LayerChoice { punctuation: Punctuation::Without, ..LayerChoice::default() };
    for (old, new) in library.documents.iter().zip(&choice.of(library).documents) {
        new.check().unwrap();
        let words = |d: &Document| -> String {
            let text = d.segments.iter().filter(|s| s.layer.is_text()).map(|s| d.slice(s.span));
            text.flat_map(str::chars).filter(|c| is_content(*c)).collect()
        };
        assert_eq!(words(new), words(old), "{}", old.id);
        let text = new.segments.iter().filter(|s| s.layer.is_text()).map(|s| new.slice(s.span));
        assert!(!text.collect::<String>().contains(['，', '。', '“', '《']), "{}", old.id);
    }
}

fn notes_keep_their_loci(library: &Library) {
    let only = LayerChoice { layers: vec![Layer::Zhu], ..LayerChoice::default() }.of(library);
    assert!(only.get("yili-05-jinyi").is_none() && only.alignments.is_empty());
    for d in &only.documents {
        d.check().unwrap();
        let (old, new) = (Loci::of(library.get(&d.id).unwrap()), Loci::of(d));
        let loci = |l: &Loci<'_>, d: &Document| -> Vec<(String, String)> {
            let notes = l.units().filter(|u| u.layer == Layer::Zhu);
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
