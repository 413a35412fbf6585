//! `zhushu diff`: what changed between two folders that `build` wrote, perhaps of different
//! versions of the texts, the corrections or the program.

mod compare;
mod page;
mod version;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Settings;
use crate::cli::language::{colon, say};
use crate::diag::Error;
use serde_json::json;

use super::columns::{self, counted};
use super::{Outcome, output};
use compare::{Change, changes};
use version::Version;

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/diff.txt"))]
pub struct Args {
    /// The earlier folder
    #[arg(value_name = "OLD")]
    pub(super) old: PathBuf,
    /// The later folder
    #[arg(value_name = "NEW")]
    pub(super) new: PathBuf,
    /// Only this: text, layer, reading, link or bead
    #[arg(long, value_name = "KIND", value_parser = clap::builder::PossibleValuesParser::new(compare::KINDS))]
    kind: Vec<String>,
    /// How to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = DiffFormat::Text)]
    to: DiffFormat,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A form of the list.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DiffFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// A page
    Html,
}

/// A text and its changes; if it is in one folder only, which.
struct ComparedText {
    id: String,
    only: Option<&'static str>,
    changes: Vec<Change>,
}

/// Runs the command: exit code 1 if anything changed.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let old = texts(&args.old)?;
    let new = texts(&args.new)?;
    let mut all = vec![];
    let ids: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for id in ids {
        let (only, mut found) = match (old.get(id), new.get(id)) {
            (Some(a), Some(b)) => {
                let a = Version::read(&args.old, id, a, settings)?;
                (None, changes(&a, &Version::read(&args.new, id, b, settings)?))
            }
            (Some(_), None) => (Some("old"), vec![]),
            _ => (Some("new"), vec![]),
        };
        found.retain(|c| args.kind.is_empty() || args.kind.iter().any(|k| k == c.kind));
        all.push(ComparedText { id: id.clone(), only, changes: found });
    }
    let path = args.output.as_deref();
    match args.to {
        DiffFormat::Text => output::styled(path, &text(&all))?,
        DiffFormat::Json => output::to(path, |out| {
            serde_json::to_writer_pretty(&mut *out, &as_json(&all))?;
            writeln!(out)
        })?,
        DiffFormat::Html => output::to(path, |out| page::write(&all, settings.language, out))?,
    }
    Ok(u8::from(all.iter().any(|t| t.only.is_some() || !t.changes.is_empty())))
}

/// The JSON of each text of a folder, by id.
fn texts(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Error> {
    let json = folder.join("json");
    let entries = std::fs::read_dir(&json).map_err(|e| {
        Error::io(&json, "read the folder", &e).hint("name folders that `zhushu build` wrote")
    })?;
    let text = |path: PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let id = name.strip_suffix(".json").filter(|id| !id.ends_with(".align"))?.to_string();
        Some((id, path))
    };
    Ok(entries.flatten().filter_map(|e| text(e.path())).collect())
}

/// How many changes of each kind.
fn counts(changes: &[Change]) -> String {
    let of = |kind: &&str| changes.iter().filter(|c| c.kind == *kind).count();
    let all = compare::KINDS.iter().map(|kind| (of(kind), *kind)).filter(|(n, _)| *n > 0);
    all.map(|(n, kind)| counted(n, kind)).collect::<Vec<_>>().join(", ")
}

fn text(all: &[ComparedText]) -> String {
    let mut out = String::new();
    for t in all {
        match t.only {
            Some(which) => out.push_str(&say(&format!("{}: only in the {which} folder\n", t.id))),
            None if t.changes.is_empty() => {}
            None => {
                out.push_str(&format!("{}{}{}\n", t.id, colon(), say(&counts(&t.changes))));
                let row = |c: &Change| {
                    let words = columns::both_ends(&c.words, 28);
                    let [old, new] = [&c.old, &c.new].map(|w| columns::both_ends(w, 40));
                    vec![c.place(), say(c.kind), words, format!("{old} → {new}")]
                };
                let rows: Vec<_> = t.changes.iter().map(row).collect();
                out.push_str(&columns::lines(&rows));
            }
        }
    }
    if out.is_empty() { say("nothing changed\n") } else { out }
}

fn as_json(all: &[ComparedText]) -> serde_json::Value {
    let change = |c: &Change| {
        json!({"kind": c.kind, "line": c.line, "column": c.column, "words": c.words,
            "old": c.old, "new": c.new})
    };
    let text = |t: &ComparedText| json!({"id": t.id, "only": t.only, "changes": t.changes.iter().map(change).collect::<Vec<_>>()});
    json!({"format": "zhushu-diff/1", "texts": all.iter().map(text).collect::<Vec<_>>()})
}
