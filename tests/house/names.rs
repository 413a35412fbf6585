//! One name for one thing: at most two types share a name, GLOSSARY.md names types that exist, and
//! ARCHITECTURE.md files and items that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// Names that may be shared: by convention the arguments of each subcommand have this name.
const FREE: &[&str] = &["Args"];

static TYPE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^ {0,4}(?:pub(?:\([a-z ]+\))? )?(?:struct|enum|trait|type) (\w+)").unwrap()
});
/// An associated type is indented in its `impl` and has a value.
static ASSOCIATED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^ +type \w+(?:<[^>]*>)?\s*=.*$").unwrap());

/// Where each type is defined, by name.
fn types() -> BTreeMap<String, BTreeSet<PathBuf>> {
    let mut found: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for path in rust_files(Path::new("src")) {
        let text = fs::read_to_string(&path).unwrap();
        for name in TYPE.captures_iter(&ASSOCIATED.replace_all(&text, "")) {
            found.entry(name[1].to_string()).or_default().insert(path.clone());
        }
    }
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let nested = entries.flat_map(|p| if p.is_dir() { rust_files(&p) } else { vec![p] });
    nested.filter(|p| p.extension().is_some_and(|e| e == "rs")).collect()
}

#[test]
fn at_most_two_types_share_a_name() {
    let shared: BTreeMap<String, BTreeSet<PathBuf>> = types()
        .into_iter()
        .filter(|(name, files)| files.len() > 2 && !FREE.contains(&name.as_str()))
        .collect();
    assert!(shared.is_empty(), "more than two types share these names: {shared:#?}");
}

/// A row of the glossary names a type with its file: `` `Link` (`src/model/link.rs`) ``.
#[test]
fn the_glossary_names_types_that_exist() {
    let glossary = fs::read_to_string("GLOSSARY.md").unwrap();
    let types = types();
    let row = Regex::new(r"`(\w+)` \(`(src/[^`]+)`\)").unwrap();
    let wrong: BTreeSet<String> = row
        .captures_iter(&glossary)
        .filter(|c| !types.get(&c[1]).is_some_and(|files| files.contains(Path::new(&c[2]))))
        .map(|c| format!("{} is not defined in {}", &c[1], &c[2]))
        .collect();
    assert!(wrong.is_empty(), "GLOSSARY.md: {wrong:#?}");
    assert!(row.is_match(&glossary), "the glossary names no type");
}

/// Files of `src/`, `tests/`, `lab/` and `python/`, and all else that the documents may name.
fn files() -> Vec<String> {
    fn below(folder: &Path, out: &mut Vec<String>) {
        for path in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            out.push(path.to_string_lossy().replace('\\', "/"));
            if path.is_dir() {
                below(&path, out);
            }
        }
    }
    let roots = ["src", "tests", "examples", "lab", "python"];
    let mut out = roots.map(String::from).to_vec();
    roots.iter().for_each(|root| below(Path::new(root), &mut out));
    out
}

/// What a path with one `{a,b}` stands for.
fn expanded(path: &str) -> Vec<String> {
    match path.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?))) {
        Some((head, (choices, tail))) => {
            choices.split(',').map(|c| format!("{head}{c}{tail}")).collect()
        }
        None => vec![path.to_string()],
    }
}

/// Names of items, fields and variants: the words after a keyword, and those that begin a line.
fn items() -> BTreeSet<String> {
    const KEYWORDS: &[&str] =
        &["fn", "struct", "enum", "trait", "type", "const", "static", "mod", "macro_rules"];
    let mut found = BTreeSet::new();
    for text in rust_files(Path::new("src")).iter().map(|p| fs::read_to_string(p).unwrap()) {
        for line in text.lines().map(str::trim_start).filter(|l| !l.starts_with("//")) {
            let words = line.split(|c: char| c != '_' && !c.is_alphanumeric());
            let mut words = words.filter(|w| !w.is_empty()).peekable();
            found.extend(words.peek().map(|w| w.to_string()));
            while let Some(word) = words.next() {
                if KEYWORDS.contains(&word) {
                    found.extend(words.peek().map(|w| w.to_string()));
                }
            }
        }
    }
    found
}

/// A newcomer follows these paths and names, so a renamed file or type must not leave them behind.
#[test]
fn the_architecture_names_files_and_items_that_exist() {
    let text = fs::read_to_string("ARCHITECTURE.md").unwrap();
    let files = files();
    let items = items();
    let defined = |name: &str| items.contains(name);
    let is_file = |path: &str| {
        let path = path.trim_end_matches('/');
        files.iter().any(|f| f == path || f.ends_with(&format!("/{path}")))
    };
    let quoted = Regex::new(r"`([^`\n]+)`").unwrap();
    let path = Regex::new(r"^[\w./{},-]+$").unwrap();
    let item = Regex::new(r"^(?:\w+::)*\w+!?$").unwrap();
    let mut wrong = BTreeSet::new();
    for name in quoted.captures_iter(&text).map(|c| c[1].to_string()) {
        if name.contains("NAME") {
            continue;
        }
        if (name.contains('/') || name.ends_with(".rs")) && path.is_match(&name) {
            wrong.extend(expanded(&name).into_iter().filter(|p| p != "src/" && !is_file(p)));
        } else if item.is_match(&name) && name.contains(|c: char| c.is_uppercase() || c == ':') {
            let parts = name.trim_end_matches('!').split("::");
            wrong.extend(parts.filter(|p| !defined(p)).map(|p| format!("{p} of {name}")));
        }
    }
    assert!(wrong.is_empty(), "ARCHITECTURE.md names what is not in the code: {wrong:#?}");
    assert!(is_file("src/lib.rs") && defined("READERS"), "nothing is found at all");
}
