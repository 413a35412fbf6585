//! Holds the figures of `tests/scores/layers.tsv` and `tests/scores/calibration.tsv` in both directions: a
//! fall is a fault, and a rise must be written down, so that the tables stay true.
//!
//! The hand-cut texts are not part of the project; where they are not beside it, this says so and
//! skips. `SNAPSHOTS=overwrite cargo test --test layers` writes the tables anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use zhushu::corpus::TextEntry;
use zhushu::score::{Calibration, Gold, LayerCut, Lines, Score, score};
use zhushu::{load, pipeline};

use crate::support::tables::hold;

const FIGURES: &str = "tests/scores/layers.tsv";
const CALIBRATION: &str = "tests/scores/calibration.tsv";

fn beside() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if !shared.join("gold").is_dir() {
        eprintln!("skipped: no hand-cut texts beside the project");
        return None;
    }
    Some(shared)
}

/// The score of a text, and whether its reader left anything to cut.
fn measure(gold: &Path, text: &Path, with: Option<PathBuf>) -> (Score, bool) {
    let documents: Vec<_> = [Some(text.to_path_buf()), with]
        .into_iter()
        .flatten()
        .map(|p| load::entry(&TextEntry::file(&p)).expect("it reads"))
        .collect();
    let undivided = documents[0].has_undivided();
    let library = pipeline::run(documents);
    let document = &library.documents[0];
    let json = serde_json::from_str(&std::fs::read_to_string(gold).expect("gold")).expect("JSON");
    let gold = Gold::read(&json, &document.source).expect("spans");
    (score(&document.source, &gold, &LayerCut::of(document), Lines::Across), undivided)
}

/// Bins that hold anything, and the expected calibration error.
fn calibration_table(c: &Calibration) -> String {
    let mut table = String::from(
        "# Starts of segments by the certainty given, all texts of scoreboard.tsv together that were cut without a witness\n\
         # from\tn\tmean given\tright\n",
    );
    for b in c.bins.iter().filter(|b| b.n > 0) {
        let _ = writeln!(table, "{:.2}\t{}\t{:.3}\t{}", b.from, b.n, b.given(), b.right);
    }
    let _ = writeln!(table, "# expected calibration error\nece\t{}\t{:.4}\t", c.n(), c.ece());
    table
}

#[test]
fn the_figures_of_the_scoreboard_have_not_moved() {
    let Some(shared) = beside() else { return };
    let table = std::fs::read_to_string(FIGURES).expect("the table");
    let (mut now, mut calibration) = (String::new(), Calibration::default());
    for line in table.lines() {
        if line.starts_with('#') {
            let _ = writeln!(now, "{line}");
            continue;
        }
        let cells: Vec<&str> = line.split('\t').collect();
        let with = Some(cells[2]).filter(|w| *w != "-").map(|w| shared.join(w));
        let blind = with.is_none();
        let (score, undivided) =
            measure(&shared.join("gold").join(cells[0]), &shared.join(cells[1]), with);
        if blind && undivided {
            calibration += &score.calibration;
        }
        let b = score.borders;
        let _ = writeln!(
            now,
            "{}\t{}\t{}\t{:.4}\t{}\t{}\t{}",
            cells[0],
            cells[1],
            cells[2],
            b.f1(),
            b.right,
            b.gold,
            b.found
        );
    }
    hold(FIGURES, &now);
    hold(CALIBRATION, &calibration_table(&calibration));
}
