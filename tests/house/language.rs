//! Every message of the program is used, and every message that is used exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Beginnings of keys that code puts together from the ids of a table, and where the ids are: their
/// ends must occur there, in quotation marks or as the first column.
const FAMILIES: &[(&str, &[&str])] = &[
    ("code-", &["model", "passes", "readers", "books", "corpus", "source", "text"]),
    ("differ-", &["collation"]),
    ("fact-", &["model"]),
    ("layer-", &["model"]),
    ("own-", &["language"]),
    ("review-ask-", &["review"]),
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if path.is_dir() {
            files(&path, found);
        } else if ["rs", "js", "tsv"].contains(&ending) {
            found.push(path);
        }
    }
}

fn text_of(folder: &Path) -> String {
    let mut found = Vec::new();
    files(folder, &mut found);
    found.iter().map(|f| fs::read_to_string(f).expect("text")).collect::<Vec<_>>().join("\n")
}

fn keys(src: &Path) -> BTreeSet<String> {
    let file = fs::read_to_string(src.join("language/en.ftl")).expect("the file of English");
    let line = Regex::new(r"(?m)^([a-zA-Z][\w-]*) = ").expect("a pattern");
    line.captures_iter(&file).map(|c| c[1].to_string()).collect()
}

#[test]
fn every_message_is_used() {
    let src = &Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let all = text_of(src);
    let texts: Vec<(&str, String)> = FAMILIES
        .iter()
        .map(|(family, rooms)| {
            (*family, rooms.iter().map(|r| text_of(&src.join(r))).collect::<String>())
        })
        .collect();
    let is_used = |key: &str| {
        let direct = ["{KEY}", "{KEY ", "\"KEY\""].map(|form| form.replace("KEY", key));
        if direct.iter().any(|form| all.contains(form)) {
            return true;
        }
        texts.iter().any(|(family, text)| {
            let end = key.strip_prefix(family).map(|end| end.trim_end_matches("-about"));
            let names = |end: &str| {
                text.contains(&format!("\"{end}\"")) || text.contains(&format!("\n{end}\t"))
            };
            end.is_some_and(|end| names(end) || names(&end.replace('-', "_")))
        })
    };
    let unused: Vec<String> = keys(src).into_iter().filter(|key| !is_used(key)).collect();
    assert!(unused.is_empty(), "no code uses {unused:?}");
}

/// Literal keys only: `{skip}` in a string of Rust or of a script, `{{skip}}` in a format string.
#[test]
fn every_message_that_pages_name_exists() {
    let src = &Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let keys = keys(src);
    // A name with a hyphen is not an argument of Rust's format strings.
    let said = Regex::new(r#"["']\{([a-z]+-[a-z-]+)\}["']"#).expect("a pattern");
    let mut found = 0;
    for room in ["writers/html", "site", "markup"] {
        let text = text_of(&src.join(room));
        for key in said.captures_iter(&text).map(|c| c[1].to_string()) {
            assert!(keys.contains(&key), "{room} says {{{key}}}, which is not a message");
            found += 1;
        }
    }
    assert!(found > 20, "only {found} found: the pattern no longer fits the code");
}
