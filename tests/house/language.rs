//! Every message of the program is used, and every message that is used exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Beginnings of keys that code puts together from the ids of a table, and where the ids are: their
/// ends must occur there, in quotation marks or as the first column.
const FAMILIES: &[(&str, &[&str])] = &[
    ("code-", &["model", "passes", "reading", "readers", "books", "corpus", "source", "text"]),
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

/// Rooms whose strings are no messages to a person: what is written into files, answers to other
/// programs, and the commands for those who measure.
const NO_MESSAGES: &[&str] = &[
    "cli/data",
    "cli/diff/page",
    "cli/export/about",
    "cli/score",
    "ask/answerer",
    "ask/arguments",
    "ask/bounds",
    "ask/contents",
    "ask/edition",
    "ask/glossed",
    "ask/mcp",
    "ask/openapi",
    "ask/operations",
    "ask/passages",
    "ask/quotations",
    "ask/search",
    "ask/verified",
    "cli/serve/api",
    "cli/serve/dts",
    "cli/serve/oembed",
    "cli/serve/http",
    "cli/serve/opensearch",
    "cli/serve/reply",
    "collation/",
    "language",
    "markup",
    "model/document",
    "passes/evidence",
    "score",
    "search/eval",
    "site",
    "text",
    "writers/alignment",
    "writers/collation",
    "writers/editions/docx",
    "writers/editions/epub",
    "writers/editions/odt",
    "writers/html",
    "writers/references",
    "writers/tei",
];

/// Strings elsewhere that are no messages either.
const NOT_MESSAGES: &[&str] = &[
    "choice 1",
    "choice 2",
    "choice 3",
    "choice 4",
    "choice 5",
    "choice 6",
    "span {start}..{end}",
    "it is text",
    "back {n}",
    "--models {name}",
    "zhushu {0} {1}",
    "--translation facing",
    "--apparatus foot",
    "--punctuation none",
    "not a row of the table of layers: {l}",
    "Kanseki Repository {0}",
    "zhushu search index",
    "Made with zhushu",
    "this server answers only to the names of this machine",
    "only GET and HEAD are supported",
    "only pages of this server may ask; see --any-site",
    "there is no such page",
    "only pages of this server may write",
    "this page is of another run of the server; load it again",
    "this cannot be understood: {e}",
    "StarDict's dict ifo file",
];

/// Strings of code that read like English sentences, as patterns: arguments without formats, those
/// without a name by number.
fn sentences(code: &str) -> Vec<String> {
    let code = code.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    // Comments, raw strings and characters are passed over; what is left between quotation marks is
    // a string.
    let token = r###"(?m)//.*$|b?r#"(?s:.*?)"#|b?'(?:\\[^']+|[^'\\])'|"((?s:[^"\\]|\\.)*)""###;
    let token = Regex::new(token).expect("a pattern");
    let end_of_line = Regex::new(r"\\\n\s*").expect("a pattern");
    let hole = Regex::new(r"\{(\w*)(:[^{}]*)?\}").expect("a pattern");
    let words = Regex::new(r#"[A-Za-z]{2,} (\{|[a-z0-9“])|\} [a-z]{2,}"#).expect("a pattern");
    let not_shown =
        ["expect(", "panic!(", "unreachable!(", "include_str!(", "help = ", "reason = "];
    let mut found = vec![];
    for string in token.captures_iter(code) {
        let Some(text) = string.get(1) else { continue };
        let before = code[..text.start() - 1].trim_end_matches(['\n', ' ']).to_string();
        let text = end_of_line.replace_all(text.as_str(), "");
        if not_shown.iter().any(|n| before.ends_with(n.trim_end()))
            || !words.is_match(&text)
            || text.contains("</")
        {
            continue;
        }
        let mut number = 0..;
        let named = hole.replace_all(&text, |c: &regex::Captures<'_>| match &c[1] {
            "" => format!("{{{}}}", number.next().unwrap_or_default()),
            name => format!("{{{name}}}"),
        });
        let plain = named.replace("{{", "{").replace("}}", "}");
        let plain = plain.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
        // Tables of columns, templates of pages and lines of other formats are no sentences.
        let is_columns = plain.contains(":number ") || plain.starts_with("type title ");
        if !plain.contains(['\t', '<', '#']) && !is_columns {
            found.push(plain.trim().to_string());
        }
    }
    found
}

/// The patterns of the catalogue.
fn catalogue(src: &Path) -> BTreeSet<String> {
    let catalogue = fs::read_to_string(src.join("language/zh-Hant.po")).expect("a catalogue");
    let line = Regex::new(r#"(?m)^msgid "(.+)"$"#).expect("a pattern");
    let plain = |s: &str| s.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
    line.captures_iter(&catalogue).map(|c| plain(&c[1])).collect()
}

/// Columns of tables that hold sentences.
const SENTENCES_OF_TABLES: &[(&str, &[usize])] = &[
    ("passes/layers/split/data/facts.tsv", &[1]),
    ("search/query/data/complaints.tsv", &[1, 2]),
    ("model/data/layers.tsv", &[9]),
];

#[test]
fn every_sentence_of_a_table_is_translated() {
    let src = &Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let known = catalogue(src);
    for (table, columns) in SENTENCES_OF_TABLES {
        let table = fs::read_to_string(src.join(table)).expect("a table");
        for row in table.lines().filter(|l| !l.starts_with('#')) {
            let cells: Vec<&str> = row.split('\t').collect();
            for cell in columns.iter().filter_map(|n| cells.get(*n)) {
                let is_example = !cell.contains(|c: char| c.is_ascii_lowercase());
                let is_reference = cell.starts_with("{prefixes}") || *cell == "-";
                let example =
                    ["by:", "re:", "今文", "坐", "(今文"].iter().any(|e| cell.starts_with(e));
                let known = known.contains(*cell) || is_example || is_reference || example;
                assert!(known, "not translated: {cell}");
            }
        }
    }
}

/// Beginnings of what `clap` says, which is in no file of ours.
const OF_CLAP: &[&str] = &[
    "'{name}' requires",
    "a value is required",
    "For more",
    "invalid ",
    "number too",
    "tip: ",
    "the argument",
    "the following",
    "un",
    "Usage: ",
    "[",
    "cannot parse",
    "missing field",
    "error: ",
    "{n} is not",
];

#[test]
fn no_translation_is_left_of_a_message_that_is_gone() {
    let src = &Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let end_of_line = Regex::new(r"\\\n\s*").expect("a pattern");
    let text = text_of(src)
        .replace("\\\"", "\"")
        .replace("\\\\", "\\")
        .replace("{{", "{")
        .replace("}}", "}");
    let text = end_of_line.replace_all(&text, "");
    let hole = Regex::new(r"\{\w*\}").expect("a pattern");
    let mut gone = vec![];
    for message in catalogue(src) {
        let words = hole.split(&message).max_by_key(|p| p.len()).unwrap_or_default();
        let words = words.trim().lines().next().unwrap_or_default();
        let of_clap = OF_CLAP.iter().any(|start| message.starts_with(start));
        // Counted words are written without their plural.
        let singular =
            words.strip_suffix('s').unwrap_or(words).replace("{{", "{").replace("}}", "}");
        if !of_clap && !text.contains(&singular) {
            gone.push(message);
        }
    }
    assert!(gone.is_empty(), "no code says:\n{}", gone.join("\n"));
}

#[test]
fn every_message_of_the_program_is_translated() {
    let src = &Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let known = catalogue(src);
    let (mut paths, mut seen, mut missing) = (vec![], 0, vec![]);
    files(src, &mut paths);
    for path in paths {
        let shown = path.strip_prefix(src).expect("in src").display().to_string();
        let is_code = shown.ends_with(".rs") && !shown.contains("tests");
        if !is_code || NO_MESSAGES.iter().any(|room| shown.starts_with(room)) {
            continue;
        }
        for sentence in sentences(&fs::read_to_string(&path).expect("text")) {
            seen += 1;
            if !known.contains(&sentence) && !NOT_MESSAGES.contains(&&*sentence) {
                missing.push(format!("{shown}: {sentence}"));
            }
        }
    }
    assert!(seen > 600, "only {seen} messages were found");
    assert!(missing.is_empty(), "not translated:\n{}", missing.join("\n"));
}

/// A layer without a name would be shown by the key of its message.
#[test]
fn every_layer_has_messages_in_every_language() {
    let languages = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/language");
    let mut languages: Vec<PathBuf> =
        fs::read_dir(languages).expect("a folder").flatten().map(|e| e.path()).collect();
    languages.retain(|path| path.extension().is_some_and(|e| e == "ftl"));
    assert!(languages.len() > 2, "{languages:?}");
    let mut missing = vec![];
    for path in &languages {
        let messages = fs::read_to_string(path).expect("messages");
        let keys: BTreeSet<&str> = messages.lines().filter_map(|l| l.split(" = ").next()).collect();
        for id in layer_ids() {
            let key = format!("layer-{}", id.replace('_', "-"));
            let wanted = [key.clone(), key + "-about"].into_iter();
            let lacking = wanted.filter(|key| !keys.contains(key.as_str()));
            missing.extend(lacking.map(|key| format!("{}: {key}", path.display())));
        }
    }
    assert!(missing.is_empty(), "layers without messages:\n{}", missing.join("\n"));
}

/// The ids of the table, and those of the layers that the program knows: no row may be passed over.
fn layer_ids() -> BTreeSet<String> {
    let table = include_str!("../../src/model/data/layers.tsv");
    let rows = table.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
    let of_table = rows.filter_map(|l| l.split('\t').next()).map(str::to_string);
    let known = zhushu::model::Layer::all().map(|l| l.id.to_string());
    let ids: BTreeSet<String> = of_table.chain(known).collect();
    assert!(ids.len() > 15, "{ids:?}");
    ids
}
