//! Who may use whom, held by reading the `use` lines and paths of `src/`. The table is the rule;
//! ARCHITECTURE.md explains it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use regex::Regex;
use zhushu::model::phrases;

/// A part of the library (a folder or a file of `src/`) and the parts it may name.
const RULES: &[(&str, &[&str])] = &[
    ("diag", &["source"]),
    ("source", &["diag"]),
    ("text", &["source"]),
    ("markup", &["source", "text", "diag"]),
    ("model", &["source", "diag", "text"]),
    ("corpus", &["model", "source", "diag", "text"]),
    ("readers", &["model", "source", "diag", "text", "corpus"]),
    ("passes", &["model", "source", "diag", "text", "corpus"]),
    ("writers", &["markup", "model", "source", "diag", "text", "corpus"]),
    ("site", &["writers", "markup", "search", "model", "source", "diag", "text", "corpus"]),
    ("score", &["model", "source", "text"]),
    ("search", &["markup", "model", "source", "diag", "text", "corpus"]),
    ("pipeline", &["readers", "passes", "corpus", "model", "source", "diag", "text"]),
    ("load", &["readers", "corpus", "model", "source", "diag"]),
];

/// What is outside the library: the program, and the list of modules.
const OUTSIDE: &[&str] = &["main", "cli", "lib"];

#[test]
fn parts_name_only_what_they_may() {
    let mut broken = vec![];
    for (part, path, text) in library() {
        let (_, may) = RULES
            .iter()
            .find(|(name, _)| *name == part)
            .unwrap_or_else(|| panic!("src/{part} has no line in RULES"));
        for used in used(&text).into_iter().filter(|u| *u != part && !may.contains(&u.as_str())) {
            broken.push(format!("{path} uses {used}, which {part} may not"));
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

/// The rule above sees `crate::` only, so a neighbour must not be reached by `super::`.
#[test]
fn readers_and_writers_know_nothing_of_each_other() {
    let mut broken = vec![];
    for (part, path, text) in
        library().into_iter().filter(|(p, ..)| ["readers", "writers"].contains(&p.as_str()))
    {
        let own = path.split('/').nth(2).unwrap_or_default().trim_end_matches(".rs");
        if own == "mod" {
            continue;
        }
        for other in modules(&part).into_iter().filter(|m| m != own) {
            let names = [format!("super::{other}"), format!("crate::{part}::{other}")];
            if code(&text).any(|l| names.iter().any(|n| mentions(l, n))) {
                broken.push(format!("{path} uses {part}::{other}"));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn the_library_neither_prints_nor_exits_nor_forgets_a_debug_line() {
    const FORBIDDEN: &[&str] = &[
        "println!",
        "eprintln!",
        "print!",
        "eprint!",
        "dbg!",
        "process::exit",
        "process::abort",
        "todo!",
    ];
    let mut broken = vec![];
    for (_, path, text) in library() {
        for (n, line) in code(&text).enumerate() {
            if let Some(word) = FORBIDDEN.iter().find(|f| mentions(line, f)) {
                broken.push(format!("{path}: {word} in code line {}", n + 1));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

/// Codes of evidence as the program writes them down, with the words for them.
#[test]
fn every_code_of_evidence_has_words() {
    let written = Regex::new(r#"(?:Evidence::(?:code|new)\(|form\(|\.because\(|\.why\(|how: |Some\()\s*"([a-z]+(?:-[a-z]+)+)""#).unwrap();
    let mut codes = BTreeSet::new();
    for (_, _, text) in
        library().into_iter().filter(|(part, ..)| ["readers", "passes"].contains(&part.as_str()))
    {
        let code: String = code(&text).collect();
        codes.extend(written.captures_iter(&code).map(|c| c[1].to_string()));
    }
    assert!(codes.len() > 30, "{codes:?}");
    codes.retain(|c| !phrases::is_known(c));
    assert_eq!(codes, BTreeSet::new(), "src/model/data/phrases.tsv has no words for them");
}

#[test]
fn every_file_says_what_it_is_and_none_is_long() {
    let mut broken = vec![];
    for (_, path, text) in all() {
        if !text.starts_with("//!") {
            broken.push(format!("{path} does not open with //!"));
        }
        if text.lines().count() > 600 {
            broken.push(format!("{path} has {} lines", text.lines().count()));
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn the_reading_of_use_lines_sees_what_it_should() {
    let text = "use crate::model::{Layer};\nuse crate::{corpus::Library, diag::Error, source};\n// crate::writers\nlet x = crate::text::Key::of(t);\n\
                #[cfg(test)]\nmod tests { use crate::readers::x; }\n";
    assert_eq!(used(text), ["corpus", "diag", "model", "source", "text"].map(String::from).into());
    assert!(mentions("    print!(\"a\")", "print!") && !mentions("eprint!(\"a\")", "print!"));
}

/// Part, path and text of every file of the library, files of tests aside.
fn library() -> Vec<(String, String, String)> {
    let of_library =
        |part: &str, path: &str| !OUTSIDE.contains(&part) && !path.ends_with("/tests.rs");
    all().into_iter().filter(|(part, path, _)| of_library(part, path)).collect()
}

fn all() -> Vec<(String, String, String)> {
    let mut files = vec![];
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "src", &mut files);
    assert!(files.len() > 20, "src/ was not found");
    files
}

fn walk(folder: &Path, shown: &str, files: &mut Vec<(String, String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let shown = format!("{shown}/{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            walk(&path, &shown, files);
        } else if shown.ends_with(".rs") {
            let part = shown.split('/').nth(1).unwrap().trim_end_matches(".rs").to_string();
            files.push((part, shown, fs::read_to_string(path).unwrap()));
        }
    }
}

/// Names of the modules in a folder of `src/`.
fn modules(part: &str) -> BTreeSet<String> {
    let depth =
        |path: &str| path.split('/').nth(2).unwrap_or_default().trim_end_matches(".rs").to_string();
    all()
        .into_iter()
        .filter(|(p, ..)| p == part)
        .map(|(_, path, _)| depth(&path))
        .filter(|m| m != "mod")
        .collect()
}

/// Lines that are code of the program: no comments, and nothing from the tests at the end of a file
/// on.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..end].lines().filter(|l| !l.trim_start().starts_with("//"))
}

/// Parts named by `crate::part` or `crate::{part, part::x}`.
fn used(text: &str) -> BTreeSet<String> {
    let code: String = code(text).flat_map(|l| [l, "\n"]).collect();
    let mut parts = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(group) => parts.extend(top_level(group).into_iter().map(word)),
            None => _ = parts.insert(word(rest)),
        }
    }
    parts.remove("");
    parts
}

/// The items of `{a::{b, c}, d}` at its own level.
fn top_level(group: &str) -> Vec<&str> {
    let (mut depth, mut from, mut items) = (0, 0, vec![]);
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(group[from..i].trim());
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(group[from..i].trim());
                from = i + 1;
            }
            _ => {}
        }
    }
    items
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// True if `line` holds `name` not as the end of a longer word.
fn mentions(line: &str, name: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name).any(|(i, _)| {
        let after = &line[i + name.len()..];
        !(line[..i].ends_with(part_of_word)
            || name.ends_with(part_of_word) && after.starts_with(part_of_word))
    })
}
