//! Traditional Chinese is written in one way: `docs/manual/usage.tsv` says which.

use std::fs;
use std::path::{Path, PathBuf};

/// A row: what is written, what is not, and where that may stand.
struct UsageRow {
    good: String,
    bad: String,
    old: Vec<String>,
}

fn rows(root: &Path) -> Vec<UsageRow> {
    let table = fs::read_to_string(root.join("docs/manual/usage.tsv")).expect("the table");
    let lines = table.lines().filter(|l| !l.starts_with('#'));
    let row = |line: &str| {
        let mut cells = line.split('\t');
        let mut next = || cells.next().unwrap_or_default().to_string();
        let (good, bad, old) = (next(), next(), next());
        UsageRow {
            good,
            bad,
            old: old.split(' ').filter(|w| !w.is_empty()).map(Into::into).collect(),
        }
    };
    lines.map(row).collect()
}

/// The files in traditional Chinese that people read.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        ["src/language/zh-Hant.po", "src/language/zh-Hant.ftl", "README.zh.md"]
            .map(|f| root.join(f))
            .into();
    for folder in ["docs/manual/zh-Hant/src", "src/cli/help/zh-Hant"] {
        let inside = fs::read_dir(root.join(folder)).expect("a folder").flatten().map(|e| e.path());
        all.extend(inside.filter(|path| path.is_file()));
    }
    all
}

#[test]
fn chinese_is_written_in_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rows = rows(root);
    let mut wrong = vec![];
    for file in files(root) {
        let text = fs::read_to_string(&file).expect("it is text");
        for (n, line) in text.lines().enumerate().filter(|(_, l)| !l.starts_with("msgid")) {
            for row in &rows {
                let mut rest = line.to_string();
                row.old.iter().for_each(|old| rest = rest.replace(old.as_str(), ""));
                if rest.contains(&row.bad) {
                    let place = file.strip_prefix(root).expect("inside").display();
                    wrong.push(format!("{place}:{}: {} for {}: {line}", n + 1, row.bad, row.good));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
