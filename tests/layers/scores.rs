//! How well texts are split into layers, against splits made by hand: F1 of borders, and the
//! certainties. The test of a table fails if a figure changes, for better or worse;
//! `SNAPSHOTS=overwrite cargo test --test layers` writes the tables.
//!
//! The figures of the bundled texts are always checked (`tests/gold/`). Those of other texts are
//! checked if the texts are beside the project; they are not part of it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use zhushu::corpus::TextEntry;
use zhushu::score::{Calibration, Gold, LayerCut, Lines, Score, score};
use zhushu::{load, pipeline};

use crate::support::corpus::root;
use crate::support::tables::hold;

/// The score of a text, and whether its reader left anything to split.
fn measure(gold: &Path, text: &Path, with: Option<PathBuf>) -> (Score, bool) {
    let documents: Vec<_> = [Some(text.to_path_buf()), with]
        .into_iter()
        .flatten()
        .map(|p| load::entry(&TextEntry::file(&p)).expect("it reads"))
        .collect();
    let undivided = documents[0].has_undivided();
    let source = std::sync::Arc::clone(&documents[0].source);
    let library = pipeline::run(documents);
    let count = library.documents[0].source.file_part().map_or(1, |p| p.of as usize);
    let chapters: Vec<_> = library.documents[..count].iter().map(|d| &**d).collect();
    let json = serde_json::from_str(&std::fs::read_to_string(gold).expect("gold")).expect("JSON");
    let gold = Gold::read(&json, &source).expect("spans");
    let cut = LayerCut::of_chapters(&chapters);
    (score(&source, &gold, &cut, Lines::Across), undivided)
}

/// The bins that are not empty, and the expected calibration error.
fn calibration_table(c: &Calibration) -> String {
    let mut table = String::from(
        "# Starts of segments by the certainty given, all texts of the table of layers together that were split without a witness\n\
         # from\tn\tmean given\tright\n",
    );
    for b in c.bins.iter().filter(|b| b.n > 0) {
        let _ = writeln!(table, "{:.2}\t{}\t{:.3}\t{}", b.from, b.n, b.given(), b.right);
    }
    let _ = writeln!(table, "# expected calibration error\nece\t{}\t{:.4}\t", c.n(), c.ece());
    table
}

/// Measures every row of a table: gold, text and witness, in two folders.
fn check(table: &str, calibration: &str, gold: &Path, texts: &Path) {
    let scores = root().join("tests/scores");
    let rows = std::fs::read_to_string(scores.join(table)).expect("the table");
    let (mut now, mut all) = (String::new(), Calibration::default());
    for row in rows.lines() {
        if row.starts_with('#') {
            let _ = writeln!(now, "{row}");
            continue;
        }
        let cells: Vec<&str> = row.split('\t').collect();
        let with = Some(cells[2]).filter(|w| *w != "-").map(|w| texts.join(w));
        let blind = with.is_none();
        let (score, undivided) = measure(&gold.join(cells[0]), &texts.join(cells[1]), with);
        if blind && undivided {
            all += &score.calibration;
        }
        let (names, b) = (cells[..3].join("\t"), score.borders);
        let _ = writeln!(now, "{names}\t{:.4}\t{}\t{}\t{}", b.f1(), b.right, b.gold, b.found);
    }
    hold(scores.join(table), &now);
    hold(scores.join(calibration), &calibration_table(&all));
}

#[test]
fn the_bundled_texts_have_the_scores_of_the_table() {
    let (gold, corpus) = (root().join("tests/gold"), root().join("corpus"));
    check("layers.tsv", "calibration.tsv", &gold, &corpus);
}

#[test]
fn texts_beside_the_project_have_the_scores_of_the_table() {
    let shared = root().join("../shared");
    if !shared.join("gold").is_dir() {
        return println!("skipped: the other texts split by hand are not beside the project");
    }
    check("layers-beside.tsv", "calibration-beside.tsv", &shared.join("gold"), &shared);
}
