//! One name for one thing: at most two types share a name, and GLOSSARY.md names types that exist.

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
