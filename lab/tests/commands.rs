//! The commands of `lab` on the bundled texts.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Standard output of the program, which must succeed.
fn lab(args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_lab"))
        .current_dir(root())
        .args(args)
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "lab {args:?}: {errors}");
    String::from_utf8(out.stdout).expect("text")
}

/// Whoever changes the readers or the certainties must make these files again.
#[test]
fn the_bundled_runs_are_those_of_the_bundled_corpus() {
    let shipped = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let voices = lab(&["train", "corpus", "--voices"]);
    let runs = lab(&["train", "corpus"]);
    assert_eq!(first_lines(&runs), first_lines(&shipped("src/passes/evidence/runs.txt")));
    let table = shipped("src/passes/layers/inline/data/voices.tsv");
    assert_eq!(first_lines(&voices), first_lines(&table));
}

/// The head, and the texts that runs are from.
fn first_lines(table: &str) -> Vec<&str> {
    table.lines().filter(|l| l.starts_with('#')).collect()
}

#[test]
fn weights_are_learned_from_a_lesson_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("weights.tsv");
    let lesson = "corpus/yili-06-zhushu.txt=tests/gold/yili-06-zhushu.layers.json";
    lab(&["train", "--lesson", lesson, "-o", weights.to_str().unwrap()]);
    let table = std::fs::read_to_string(&weights).unwrap();
    assert!(
        table.starts_with("# Weights of the splitter's features, made by `lab train --lessons`")
    );
    assert!(zhushu::Models::open(folder.path()).is_ok(), "the program reads what was learned");
}

#[test]
fn a_simulated_review_scores_each_order_after_some_numbers_of_decisions() {
    let text = "corpus/yili-06-zhushu.txt";
    let gold = "tests/gold/yili-06-zhushu.layers.json";
    let table = lab(&["simulate", text, gold, "--below", "0.9"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|l| l.split('\t').collect()).collect();
    assert_eq!(rows[0], ["decisions", "offered", "random", "by place", "wrong first"]);
    assert_eq!(rows.len(), 8);
    let figure = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
    assert!((1..5).all(|column| (figure(1, column) - figure(1, 1)).abs() < 1e-9), "{table}");
    assert!((1..5).all(|column| figure(7, column) >= figure(1, column)), "{table}");
}

#[test]
fn a_missing_lesson_is_an_error_that_names_it() {
    let out = Command::new(env!("CARGO_BIN_EXE_lab"))
        .current_dir(root())
        .args(["train", "--lesson", "no-such.txt"])
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(
        !out.status.success() && errors.contains("no-such.txt") && errors.contains("TEXT=JSON")
    );
}
