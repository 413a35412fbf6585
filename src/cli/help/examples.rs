//! What follows the options in the help of a command: examples, and explanations.

use super::Texts;
use crate::cli::{columns, export};
use crate::language::Language;

/// The examples of a language, by command.
macro_rules! examples {
    ($folder:literal: $($name:literal)*) => {
        &[$(($name, include_str!(concat!($folder, "/", $name, ".txt")))),*]
    };
}

const ZH_HANT: &[(&str, &str)] = examples!("zh-Hant":
    "align" "build" "check" "collate" "completions" "convert" "demo" "diff"
    "export" "formats" "gloss" "init" "library" "man" "mcp" "refs" "review"
    "score" "search" "self-test" "serve" "show" "sniff" "split" "verify" "zhushu"
);
const ZH_HANS: &[(&str, &str)] = examples!("zh-Hans":
    "align" "build" "check" "collate" "completions" "convert" "demo" "diff"
    "export" "formats" "gloss" "init" "library" "man" "mcp" "refs" "review"
    "score" "search" "self-test" "serve" "show" "sniff" "split" "verify" "zhushu"
);

/// All examples of a language other than English.
pub(crate) fn all(language: Language) -> &'static [(&'static str, &'static str)] {
    match language {
        Language::ZhHant => ZH_HANT,
        Language::ZhHans => ZH_HANS,
        Language::En => &[],
    }
}

/// The examples of a command; `export` also lists its formats.
pub(crate) fn of(command: &str, texts: &Texts) -> Option<String> {
    let (_, examples) = all(texts.language).iter().find(|(name, _)| *name == command)?;
    let formats = if command == "export" { formats(texts) } else { String::new() };
    Some(formats + examples)
}

fn formats(texts: &Texts) -> String {
    let row = |[name, _, about]: [&str; 3]| {
        vec![name.to_string(), texts.part("format", name).unwrap_or_else(|| about.to_string())]
    };
    let rows: Vec<Vec<String>> = export::formats().map(row).collect();
    format!("{}\n{}\n", texts.word("formats"), columns::lines(&rows))
}
