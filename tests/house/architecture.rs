//! Which module may use which, checked by reading the `use` lines and paths of `src/`. The table is
//! the rule; ARCHITECTURE.md explains it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// A part of the library (a folder or a file of `src/`) and the parts it may name.
const RULES: &[(&str, &[&str])] = &[
    ("diag", &["source"]),
    ("cache", &["kept"]),
    ("guard", &[]),
    ("source", &["diag"]),
    ("text", &["source"]),
    ("language", &[]),
    ("markup", &["language", "source", "text", "diag"]),
    ("model", &["language", "source", "diag", "text"]),
    ("network", &["text"]),
    ("corpus", &["language", "network", "model", "source", "diag", "text"]),
    ("models", &["books", "passes", "diag", "source"]),
    ("memo", &["cache", "corpus", "model", "source"]),
    ("shelf", &["cache", "kept", "corpus", "model", "source", "diag", "text"]),
    (
        "settings",
        &["language", "source", "model", "corpus", "readers", "models", "shelf", "memo", "passes"],
    ),
    ("vessels", &["guard", "model", "source", "diag", "text"]),
    ("readers", &["guard", "vessels", "model", "source", "diag", "text", "corpus"]),
    ("books", &["cache", "guard", "memo", "model", "source", "diag", "text", "corpus"]),
    ("passes", &["cache", "guard", "memo", "network", "model", "source", "diag", "text", "corpus"]),
    ("reading", &["model", "source", "diag", "text", "corpus"]),
    (
        "writers",
        &[
            "language",
            "reading",
            "markup",
            "collation",
            "model",
            "source",
            "diag",
            "text",
            "corpus",
        ],
    ),
    (
        "site",
        &[
            "language",
            "writers",
            "markup",
            "search",
            "reading",
            "collation",
            "model",
            "source",
            "diag",
            "text",
            "corpus",
        ],
    ),
    ("score", &["model", "source", "text"]),
    ("collation", &["model", "source", "text"]),
    ("corrections", &["model", "source", "diag", "text"]),
    ("kept", &["diag"]),
    (
        "review",
        &[
            "corrections",
            "kept",
            "settings",
            "pipeline",
            "books",
            "passes",
            "corpus",
            "model",
            "source",
            "diag",
            "text",
        ],
    ),
    (
        "search",
        &[
            "cache", "kept", "language", "reading", "markup", "model", "source", "diag", "text",
            "corpus",
        ],
    ),
    (
        "ask",
        &[
            "guard", "build", "settings", "verify", "shelf", "search", "reading", "corpus",
            "model", "source", "diag", "text",
        ],
    ),
    ("verify", &["search", "vessels", "corpus", "model", "source", "diag", "text"]),
    (
        "pipeline",
        &[
            "guard", "settings", "shelf", "cache", "memo", "readers", "books", "passes", "corpus",
            "model", "source", "diag", "text",
        ],
    ),
    (
        "load",
        &[
            "settings",
            "memo",
            "books",
            "vessels",
            "corrections",
            "readers",
            "corpus",
            "model",
            "source",
            "diag",
        ],
    ),
    (
        "build",
        &[
            "settings",
            "pipeline",
            "load",
            "guard",
            "shelf",
            "memo",
            "cache",
            "kept",
            "site",
            "writers",
            "search",
            "books",
            "corrections",
            "corpus",
            "model",
            "language",
            "source",
            "diag",
        ],
    ),
];

/// The rooms of `passes/`, and the passes and lower rooms within them, with what each may name
/// besides itself: its own files, and these. What is not listed may name nothing of `passes/`.
const PASSES: &[(&str, &[&str])] = &[
    ("learned", &["evidence", "layers::split"]),
    ("context", &["learned"]),
    ("align", &[]),
    ("evidence", &["context", "align::support"]),
    ("layers::confirmed", &["context", "evidence"]),
    ("layers::headers", &["context"]),
    ("layers::inline", &["context", "evidence"]),
    ("layers::labels", &["context", "evidence", "learned"]),
    ("layers::split", &["context", "evidence", "learned"]),
    ("layers::notes_within", &[]),
    ("layers::unlayered", &["context", "layers::notes_within"]),
    ("layers::unmarked", &["context", "evidence"]),
    ("layers::yinyi", &["context"]),
    ("layers::zhuan", &["context"]),
    ("speech", &["context", "evidence"]),
    ("structure::cited_as", &["context"]),
    ("structure::confirmed_readings", &["context"]),
    ("structure::divisions", &["context", "evidence"]),
    ("structure::loci", &["context", "evidence"]),
    ("structure::punctuation", &["context"]),
    ("structure::repairs", &["context"]),
    ("links::apparatus", &["context"]),
    ("links::confirmed_links", &["context"]),
    ("links::differs", &[]),
    ("links::lemmata", &["context", "evidence"]),
    ("links::lemmata_beside", &["context"]),
    ("links::parallels", &["context", "links::differs"]),
    ("links::references", &["context", "evidence", "links::differs"]),
];

/// Files outside the library: the program, and the list of modules.
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
fn rooms_and_passes_name_only_lower_rooms() {
    let within = |module: &str, room: &str| {
        module == room || module.strip_prefix(room).is_some_and(|rest| rest.starts_with("::"))
    };
    let modules = modules_of_passes();
    let mut broken = vec![];
    for (module, uses) in imports(&modules) {
        // Files that only list modules, and the table of passes.
        let lists = |room: &str| module.is_empty() || within(room, &module) && room != module;
        if PASSES.iter().any(|(room, _)| lists(room)) {
            continue;
        }
        let Some((room, may)) = PASSES.iter().find(|(room, _)| within(&module, room)) else {
            broken.push(format!("passes::{module} has no line in PASSES"));
            continue;
        };
        for used in uses {
            if !within(&used, room) && !may.iter().any(|lower| within(&used, lower)) {
                broken.push(format!("passes::{module} uses passes::{used}, which it may not"));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn no_files_of_the_passes_import_each_other_in_a_cycle() {
    let graph = imports(&modules_of_passes());
    let mut left = graph.clone();
    // Files that import only files already removed cannot be part of a cycle.
    loop {
        let free: Vec<String> = left
            .iter()
            .filter(|(_, uses)| uses.iter().all(|u| !left.contains_key(u)))
            .map(|(module, _)| module.clone())
            .collect();
        if free.is_empty() {
            break;
        }
        free.iter().for_each(|module| _ = left.remove(module));
    }
    // The remaining files are a cycle or import one: leave out those that no remaining file
    // imports.
    loop {
        let used: BTreeSet<String> = left.values().flatten().cloned().collect();
        let before = left.len();
        left.retain(|module, _| used.contains(module));
        if left.len() == before {
            break;
        }
    }
    assert_eq!(left.keys().collect::<Vec<_>>(), Vec::<&String>::new(), "{left:#?}");
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

#[test]
fn every_file_opens_with_a_description_and_none_is_long() {
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

/// Part, path and text of every file of the library, except test files.
fn library() -> Vec<(String, String, String)> {
    let of_library = |part: &str, path: &str| {
        !OUTSIDE.contains(&part) && !path.ends_with("/tests.rs") && !path.contains("/tests/")
    };
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

/// The files of `passes/` by the path of their module below `passes`, with their code.
fn modules_of_passes() -> BTreeMap<String, String> {
    let name = |path: &str| {
        let path = path.trim_start_matches("src/passes/").trim_end_matches(".rs");
        path.trim_end_matches("mod").trim_end_matches('/').replace('/', "::")
    };
    let files = library().into_iter().filter(|(part, ..)| part == "passes");
    files.map(|(_, path, text)| (name(&path), code(&text).collect::<Vec<_>>().join("\n"))).collect()
}

/// For each file of `passes/` the other files of it that its code names.
fn imports(modules: &BTreeMap<String, String>) -> BTreeMap<String, BTreeSet<String>> {
    let of = |(module, code): (&String, &String)| {
        let files = paths(code, false)
            .into_iter()
            .filter_map(|path| absolute(module, &path, modules))
            .map(|path| file_of(&path, modules))
            .filter(|file| file != module);
        (module.clone(), files.collect())
    };
    modules.iter().map(of).collect()
}

/// A path below `passes`, if it leads there.
fn absolute(
    module: &str,
    path: &[String],
    modules: &BTreeMap<String, String>,
) -> Option<Vec<String>> {
    let own: Vec<String> = module.split("::").filter(|p| !p.is_empty()).map(String::from).collect();
    match path.first()?.as_str() {
        "crate" => (path.len() > 2 && path[1] == "passes").then(|| path[2..].to_vec()),
        "self" => Some([&own, &path[1..]].concat()),
        "super" => {
            let up = path.iter().take_while(|p| *p == "super").count();
            (up <= own.len()).then(|| [&own[..own.len() - up], &path[up..]].concat())
        }
        child => {
            let child = [&own[..], &[child.to_string()]].concat();
            modules.contains_key(&child.join("::")).then(|| [&own, path].concat())
        }
    }
}

/// The file of the item of a path: the longest prefix of the path that is a module.
fn file_of(path: &[String], modules: &BTreeMap<String, String>) -> String {
    let known = (0..=path.len()).rev().map(|n| path[..n].join("::"));
    known.into_iter().find(|p| modules.contains_key(p)).unwrap_or_default()
}

/// The paths that code names, groups (`a::{b, c}`) written out. Outside a group, one name alone is
/// not a path.
fn paths(code: &str, in_group: bool) -> Vec<Vec<String>> {
    static PATH: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b[a-z_]\w*(?:::\w+)*(?:::\{)?").expect("a valid pattern"));
    let mut found = vec![];
    let mut after = 0;
    while let Some(m) = PATH.find_at(code, after) {
        after = m.end();
        if let Some(head) = m.as_str().strip_suffix("::{") {
            let items = top_level(&code[m.end()..]);
            after += items
                .last()
                .map_or(0, |i| i.as_ptr() as usize + i.len() - code[m.end()..].as_ptr() as usize);
            for item in items {
                let below = paths(item, true);
                // An item that is not a module is in the module of the head.
                let own = below.is_empty().then(Vec::new);
                found.extend(below.into_iter().chain(own).map(|p| [segments(head), p].concat()));
            }
        } else if in_group || m.as_str().contains("::") {
            found.push(segments(m.as_str()));
        }
    }
    found
}

fn segments(path: &str) -> Vec<String> {
    path.split("::").map(String::from).collect()
}

/// Lines with code of the program: without comments and without the tests at the end of a file.
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

/// True if `line` contains `name`, not as the end of a longer word.
fn mentions(line: &str, name: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name).any(|(i, _)| {
        let after = &line[i + name.len()..];
        !(line[..i].ends_with(part_of_word)
            || name.ends_with(part_of_word) && after.starts_with(part_of_word))
    })
}
