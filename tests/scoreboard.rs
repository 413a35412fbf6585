//! Holds the figures of `tests/scoreboard.tsv` in both directions: a fall is a fault, and a rise must be written down, so
//! that the table stays true.
//!
//! The hand-cut texts are not part of the project; where they are not beside it, this says so and skips.
//! `SNAPSHOTS=overwrite cargo test --test scoreboard` writes the table anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use zhushu::corpus::Entry;
use zhushu::model::{Document, Layer};
use zhushu::text::class::is_content;
use zhushu::{load, pipeline};

const TABLE: &str = "tests/scoreboard.tsv";

fn beside() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if !shared.join("gold").is_dir() {
        eprintln!("skipped: no hand-cut texts beside the project");
        return None;
    }
    Some(shared)
}

/// The layer that counts for scoring; none for what is not scored.
fn scored(layer: &str) -> Option<Layer> {
    let layer = match layer {
        "shu_header" => Layer::Shu,
        other => other.parse().ok()?,
    };
    let passed_over = matches!(layer, Layer::Mark | Layer::Furniture | Layer::Heading | Layer::Other | Layer::Blank);
    (!passed_over).then_some(layer)
}

/// One layer a code point, as the hand-cut file has them; `None` where nothing is scored. The second value says where the
/// hand was unsure, which breaks the row of neighbours.
fn truth(path: &Path, chars: usize) -> (Vec<Option<Layer>>, BTreeSet<usize>) {
    let json: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("gold")).expect("JSON");
    let (mut layers, mut unsure) = (vec![None; chars], BTreeSet::new());
    for s in json["spans"].as_array().expect("spans") {
        let (start, end) = (s[0].as_u64().expect("start") as usize, s[1].as_u64().expect("end") as usize);
        let layer = s[2].as_str().unwrap_or("other");
        layers[start..end].fill(scored(layer));
        if layer == "unsure" {
            unsure.extend(start..end);
        }
    }
    (layers, unsure)
}

fn found(document: &Document) -> Vec<Option<Layer>> {
    let mut layers = vec![None; document.source.chars()];
    for s in &document.segments {
        let layer = if s.layer == Layer::ShuHeader { Layer::Shu } else { s.layer };
        layers[document.source.char_of(s.span.start())..document.source.char_of(s.span.end())].fill(Some(layer));
    }
    layers
}

/// Places between neighbouring scored characters whose layers differ, with the layers. Borders of 疏 at line ends are
/// marked by the text and do not count.
fn borders(text: &str, layers: &[Option<Layer>], gold: &[Option<Layer>], unsure: &BTreeSet<usize>) -> BTreeSet<(usize, Layer, Layer)> {
    let (mut out, mut before, mut broke, mut last) = (BTreeSet::new(), None::<usize>, false, ' ');
    for (i, c) in text.chars().enumerate() {
        let marks = last == '[' && c == '疏';
        (last, broke) = (c, broke || c == '\n');
        if unsure.contains(&i) {
            before = None;
        }
        // The mark of a sub-commentary is of no layer, whatever the hand gave it to.
        if !is_content(c) || gold[i].is_none() || marks {
            continue;
        }
        if let Some(b) = before
            && let (Some(x), Some(y)) = (layers[b], layers[i])
            && x != y
            && !(broke && [gold[b], gold[i]].contains(&Some(Layer::Shu)))
        {
            out.insert((i, x, y));
        }
        (before, broke) = (Some(i), false);
    }
    out
}

fn figure(gold: &Path, text: &Path, with: Option<PathBuf>) -> String {
    let documents =
        [Some(text.to_path_buf()), with].into_iter().flatten().map(|p| load::entry(&Entry::file(&p)).expect("it reads")).collect();
    let library = pipeline::run(documents);
    let document = &library.documents[0];
    let (gold, unsure) = truth(gold, document.source.chars());
    let words = document.source.text();
    let (want, got) = (borders(words, &gold, &gold, &unsure), borders(words, &found(document), &gold, &unsure));
    let right = want.intersection(&got).count();
    format!("{:.4}\t{right}\t{}\t{}", 2.0 * right as f64 / (want.len() + got.len()).max(1) as f64, want.len(), got.len())
}

#[test]
fn the_figures_of_the_scoreboard_have_not_moved() {
    let Some(shared) = beside() else { return };
    let table = std::fs::read_to_string(TABLE).expect("the table");
    let mut now = String::new();
    for line in table.lines() {
        if line.starts_with('#') {
            let _ = writeln!(now, "{line}");
            continue;
        }
        let cells: Vec<&str> = line.split('\t').collect();
        let with = Some(cells[2]).filter(|w| *w != "-").map(|w| shared.join(w));
        let figure = figure(&shared.join("gold").join(cells[0]), &shared.join(cells[1]), with);
        let _ = writeln!(now, "{}\t{}\t{}\t{figure}", cells[0], cells[1], cells[2]);
    }
    if std::env::var("SNAPSHOTS").is_ok_and(|v| v == "overwrite") {
        std::fs::write(TABLE, &now).expect("the table is written");
    } else {
        assert_eq!(now, table, "figures moved: if for the better, SNAPSHOTS=overwrite writes them down; docs/scoreboard.md too");
    }
}
