//! The tables of `docs/scoreboard.md` are made from `tests/scores/*.tsv`, and the documents for
//! readers keep to their length. `SNAPSHOTS=overwrite cargo test --test house scoreboard` writes
//! the tables: each is between `<!-- table: NAME -->` and `<!-- end -->`.

use std::collections::BTreeSet;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::support::tables::hold;

const MAX_COLUMNS: usize = 120;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: PathBuf) -> String {
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A file of scores, or a table that is shown.
struct ScoreTable {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl ScoreTable {
    fn new(columns: &[&str]) -> Self {
        ScoreTable { columns: columns.iter().map(ToString::to_string).collect(), rows: vec![] }
    }

    /// A file of scores. The last comment with tabs names its columns.
    fn of(name: &str) -> Self {
        let text = read(root().join("tests/scores").join(name).with_extension("tsv"));
        let cells = |line: &str| line.split('\t').map(str::to_string).collect::<Vec<_>>();
        let (comments, rows): (Vec<_>, Vec<_>) = text.lines().partition(|l| l.starts_with('#'));
        let named = comments.iter().rfind(|line| line.contains('\t'));
        let columns = named.map(|line| cells(line.trim_start_matches(['#', ' '])));
        ScoreTable {
            columns: columns.unwrap_or_default(),
            rows: rows.into_iter().map(cells).collect(),
        }
    }

    /// The rows with so many cells: some files have two tables.
    fn of_width(name: &str, cells: RangeInclusive<usize>) -> Self {
        let mut table = Self::of(name);
        table.rows.retain(|row| cells.contains(&row.len()));
        table
    }

    fn add(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().collect());
    }

    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut shown = line(&self.columns) + &"|---".repeat(self.columns.len()) + "|\n";
        for row in &self.rows {
            assert_eq!(row.len(), self.columns.len(), "{row:?}");
            shown += &line(row);
        }
        shown
    }
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap_or_else(|_| panic!("`{cell}` is no number"))
}

/// A share as the scoreboard writes it: `.974`, `1.000`.
fn share(share: f64) -> String {
    let digits = format!("{share:.3}");
    digits.strip_prefix('0').unwrap_or(&digits).to_string()
}

/// How many of how many, and their share.
fn ratio([right, of]: [f64; 2]) -> String {
    format!("{right}/{of} {}", share(right / of))
}

/// What is added up for the rows of one key, in the order in which the keys come.
#[derive(Default)]
struct Sums<T>(Vec<(String, T)>);

impl<T: Default> Sums<T> {
    fn of(&mut self, key: &str) -> &mut T {
        let known = self.0.iter().position(|(k, _)| k == key);
        let at = known.unwrap_or_else(|| {
            self.0.push((key.into(), T::default()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }
}

/// Borders of texts that were cut by hand, with the weights that ship.
fn layers() -> ScoreTable {
    #[derive(Default)]
    struct Borders {
        texts: usize,
        right: f64,
        gold: f64,
        found: f64,
        lowest: Option<f64>,
    }
    let mut sums = Sums::<Borders>::default();
    for (file, bundled) in [("layers", true), ("layers-beside", false)] {
        for row in ScoreTable::of(file).rows {
            let key = match (bundled, row[1].starts_with("seeds/"), row[2] == "-") {
                (true, ..) => "bundled",
                // The bundled texts once more, as they came.
                (false, true, _) => continue,
                (false, false, true) => "others, alone",
                (false, false, false) => "others, beside a copy of the chapter",
            };
            let sum = sums.of(key);
            sum.texts += 1;
            sum.lowest = Some(sum.lowest.map_or(number(&row[3]), |f1| f1.min(number(&row[3]))));
            sum.right += number(&row[4]);
            sum.gold += number(&row[5]);
            sum.found += number(&row[6]);
        }
    }
    let mut table =
        ScoreTable::new(&["texts", "n", "of the hand", "found", "right", "F1", "lowest F1"]);
    for (key, sum) in sums.0 {
        let f1 = 2.0 * sum.right / (sum.gold + sum.found);
        let counts = [sum.gold, sum.found, sum.right].map(|n| n.to_string());
        let shares = [share(f1), share(sum.lowest.unwrap_or(0.0))];
        table.add([key, sum.texts.to_string()].into_iter().chain(counts).chain(shares));
    }
    table
}

/// How many of the inferences with a certainty are right.
fn certainty() -> ScoreTable {
    let cuts = ScoreTable::of_width("calibration-beside", 3..=4);
    let beads = ScoreTable::of_width("alignment-beside", 3..=4);
    let held_out = ScoreTable::of("calibration-held-out");
    let measured = |table: &ScoreTable, from: &str| {
        let row = table.rows.iter().find(|row| row[0] == from).expect("the certainty");
        if from == "ece" {
            return format!("{}: {}", row[1], share(number(&row[2])));
        }
        let right = number(&row[3]) / number(&row[1]);
        format!("{}: {}, {}", row[1], share(number(&row[2])), share(right))
    };
    let columns = ["from", "cuts as shipped", "held out", "held out, beside", "beads"];
    let mut table = ScoreTable::new(&columns);
    for row in &held_out.rows {
        let shown = |cells: &[String]| match cells {
            [n, mean, right] if right.is_empty() => format!("{n}: {mean}"),
            [n, mean, right] => format!("{n}: {mean}, {right}"),
            _ => panic!("{cells:?}"),
        };
        let from = match row[0].as_str() {
            "ece" => "calibration error".into(),
            from => from.trim_start_matches('0').to_string(),
        };
        table.add([
            from,
            measured(&cuts, &row[0]),
            shown(&row[1..4]),
            shown(&row[4..7]),
            measured(&beads, &row[0]),
        ]);
    }
    table
}

/// What the table of the bundled texts measures, as a column of that of all lists.
const BUNDLED: [(&str, &str, &str); 6] = [
    ("references", "references of the hand that are found", "found"),
    ("references", "links that are references of the hand", "of predicted real"),
    ("references", "references of the hand in the right place", "right place"),
    ("references", "links with a target that is right", "of resolved right"),
    ("lemmata", "lemmata of the hand that are right", "found"),
    ("lemmata", "links of lemmata that are right", "of predicted real"),
];

/// Lists of references, added up by how they were used, and what was asked.
fn lists() -> ScoreTable {
    let mut sums = Sums::<(BTreeSet<String>, Sums<[f64; 2]>)>::default();
    let mut count = |key: &str, list: &str, what: &str, [right, of]: [&str; 2]| {
        let (lists, measures) = sums.of(key);
        lists.insert(list.into());
        let sum = measures.of(what);
        *sum = [sum[0] + number(right), sum[1] + number(of)];
    };
    for row in ScoreTable::of("links").rows {
        let (of, _, column) = BUNDLED.iter().find(|b| b.1 == row[1]).expect("a measure");
        count(&format!("bundled {of}, in view"), &row[0], column, [&row[2], &row[3]]);
    }
    for row in ScoreTable::of("links-beside").rows {
        count(&row[1], &row[0], &row[2], [&row[3], &row[4]]);
    }
    let asked = ScoreTable::of("links-asked");
    let mut table = ScoreTable { columns: asked.columns.clone(), rows: vec![] };
    for (rules, (lists, measures)) in sums.0 {
        let shown = asked.columns[2..].iter().map(|what| {
            let measured = measures.0.iter().find(|(measure, _)| measure == what);
            measured.map_or("–".into(), |(_, sum)| ratio(*sum))
        });
        table.rows.push([rules, lists.len().to_string()].into_iter().chain(shown).collect());
    }
    for row in asked.rows {
        let shown = row.into_iter().map(|cell| match cell.split_once('/') {
            Some((right, of)) => ratio([number(right), number(of)]),
            None => cell,
        });
        table.rows.push(shown.collect());
    }
    table
}

/// The rows of the alignment that say something on their own.
const ALIGNED: [(&str, &[&str]); 2] = [
    ("alignment", &["sentences", "clauses", "sentences, classic unpunctuated", "all of it"]),
    (
        "alignment-beside",
        &[
            "sentences",
            "clauses of 147 sentences",
            "sentences, classic of a printed edition, unpunctuated, 13 of them lost",
            "sentences missing",
            "sentences divided",
        ],
    ),
];

fn alignment() -> ScoreTable {
    let mut table =
        ScoreTable::new(&["鄉射禮", "what", "right/of the hand", "strict F1", "link F1"]);
    for (file, chosen) in ALIGNED {
        let all = ScoreTable::of_width(file, 7..=7);
        let part = if file == "alignment" { "part" } else { "whole" };
        for what in chosen {
            let row = all.rows.iter().find(|row| row[0] == *what);
            let row = row.unwrap_or_else(|| panic!("{file} has no row `{what}`"));
            let counts = format!("{}/{}", row[2], row[3]);
            let shares = [share(number(&row[1])), share(number(&row[5]))];
            table.add([part.to_string(), what.to_string(), counts].into_iter().chain(shares));
        }
    }
    table
}

fn table(name: &str) -> ScoreTable {
    match name {
        "layers" => layers(),
        "certainty" => certainty(),
        "lists" => lists(),
        "alignment" => alignment(),
        file => ScoreTable::of(file),
    }
}

#[test]
fn the_tables_of_the_scoreboard_are_those_of_the_scores() {
    let path = root().join("docs/scoreboard.md");
    let text = read(path.clone());
    let place = Regex::new(r"(?s)<!-- table: ([a-z-]+) -->\n.*?<!-- end -->").unwrap();
    assert_eq!(place.find_iter(&text).count(), text.matches("<!-- table: ").count());
    let made = place.replace_all(&text, |place: &regex::Captures| {
        format!("<!-- table: {} -->\n{}<!-- end -->", &place[1], table(&place[1]).markdown())
    });
    hold(&path, &made);
    let used = |file: &str| made.contains(&format!("<!-- table: {file} -->"));
    // What is part of another table, or named below one.
    let within = ["-beside", "calibration", "links", "collation", "review-order"];
    for entry in fs::read_dir(root().join("tests/scores")).expect("the scores") {
        let name = entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        assert!(
            used(&name) || within.iter().any(|part| name.contains(part)),
            "{name} is not shown"
        );
    }
}

#[test]
fn the_scoreboard_has_figures_and_no_history() {
    let text = read(root().join("docs/scoreboard.md"));
    let diary = Regex::new(r"(?i)\b(now|before|formerly|since then|yesterday)\b").unwrap();
    let found: Vec<_> = text.lines().filter(|line| diary.is_match(line)).collect();
    assert!(found.is_empty(), "how a figure came about is in the history: {found:#?}");
}

/// The documents for readers, with the most lines and bytes that they may have.
const LENGTHS: [(&str, usize, usize); 5] = [
    ("docs/scoreboard.md", 200, usize::MAX),
    ("docs/DESIGN.md", usize::MAX, 40_000),
    ("CHANGELOG.md", 70, usize::MAX),
    ("README.md", 170, usize::MAX),
    ("README.zh.md", 170, usize::MAX),
];

#[test]
fn documents_keep_to_their_length() {
    for (name, lines, bytes) in LENGTHS {
        let text = read(root().join(name));
        assert!(text.lines().count() <= lines, "{name} has more than {lines} lines");
        assert!(text.len() <= bytes, "{name} has {} bytes", text.len());
        // A paragraph in Chinese is one line.
        if name.contains(".zh") {
            continue;
        }
        let long: Vec<_> = text.lines().filter(|l| l.chars().count() > MAX_COLUMNS).collect();
        let table = |line: &&str| line.starts_with('|') && name.starts_with("README");
        assert!(long.iter().all(table), "{name}: {long:#?}");
    }
}

#[test]
fn a_decision_has_at_most_eight_lines() {
    let text = read(root().join("docs/DESIGN.md"));
    for paragraph in text.split("\n\n").filter(|p| !p.starts_with('|')) {
        assert!(paragraph.trim().lines().count() <= 8, "{paragraph}");
    }
}
