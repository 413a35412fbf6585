//! `zhushu init`: writes a first manifest from what is found in a folder.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use rayon::prelude::*;
use toml::Value;

use crate::Settings;
use crate::books::translations::{self, Pair, is_translation};
use crate::books::{self, Survey};
use crate::build;
use crate::corpus::{Corpus, MANIFEST, TextEntry, Works, id_of};
use crate::diag::{Error, ErrorKind};
use crate::model::Document;

use super::{Outcome, output, texts};

#[derive(clap::Args)]
#[command(after_help = include_str!("data/init.txt"))]
pub struct Args {
    /// The folder
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// Where to write, or - for standard output [default: zhushu.toml in the folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A file and what was found about it; the reason if it could not be read.
type Found = (TextEntry, Result<(Document, Survey), Error>);

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let manifest = args.folder.join(MANIFEST);
    let path = args.output.clone().unwrap_or_else(|| manifest.clone());
    if path.as_os_str() != "-" && path.exists() {
        return Err(Error::request(format!("{} already exists", path.display()))
            .hint("write to another file with -o, or show it with -o -")
            .into());
    }
    let corpus = texts::open(&args.folder, settings)?;
    let found: Vec<Found> = corpus
        .about
        .texts
        .par_iter()
        .map(|entry| {
            let read = settings.unnamed(entry).map(|document| {
                let (works, profile) = (&settings.works, &settings.models.chapters);
                let survey = books::survey(&document, works, profile);
                let document = books::outlined(document, works, profile);
                (Document { id: entry.id.clone(), ..document }, survey)
            });
            (entry.clone(), read)
        })
        .collect();
    // A manifest without what cannot be read at the moment would leave it out for good.
    let unread =
        corpus.unread.iter().chain(found.iter().filter_map(|(_, read)| read.as_ref().err()));
    if let Some(e) = unread.into_iter().find(|e| e.kind == ErrorKind::Io) {
        return Err(e.clone().into());
    }
    let text = manifest_of(&corpus, &found, settings);
    output::to(Some(&path), |out| out.write_all(text.as_bytes()))?;
    output::wrote(Some(&path));
    Ok(0)
}

fn manifest_of(corpus: &Corpus, found: &[Found], settings: &Settings) -> String {
    let works = &settings.works;
    let mut out = String::from(
        "# A manifest written by `zhushu init`: correct it, and add what is missing.\n\
         # schema/manifest.schema.json of the project explains every key.\n\n",
    );
    let name = build::title(corpus);
    // Writing to a string does not fail.
    let _ = writeln!(out, "[corpus]\ntitle = {}\n# licence = \"CC-BY-4.0\"", quoted(&name));
    let classics = classics(found);
    for work in classics {
        let key = works.work(work).map_or(work, |w| w.key.as_str());
        let (key, title) = (quoted(key), quoted(work));
        let _ = writeln!(out, "\n[[work]]\nkey = {key}\ntitle = {title}");
    }
    let pairs = translations(found, settings);
    for (entry, read) in found {
        let file = entry.path.strip_prefix(&corpus.root).unwrap_or(&entry.path);
        let pair = pairs.iter().find(|p| p.translation == entry.id);
        match read {
            Ok((document, survey)) => {
                let _ = writeln!(out, "\n[[text]]\nfile = {}", quoted(&file.to_string_lossy()));
                // Files of one name in different folders differ by their ids.
                if entry.id != id_of(&entry.path) {
                    let _ = writeln!(out, "id = {}", quoted(&entry.id));
                }
                text_of(&mut out, document, survey, pair, works);
            }
            Err(e) => {
                let _ = writeln!(out, "\n# {} was left out: {}", file.display(), e.why());
            }
        }
    }
    out
}

/// The works of the texts that are no translations.
fn classics(found: &[Found]) -> BTreeSet<&str> {
    let texts = found.iter().filter_map(|(_, read)| read.as_ref().ok());
    let classics = texts.filter(|(document, _)| !is_translation(document));
    classics.filter_map(|(_, survey)| Some(survey.identified.best()?.work.as_str())).collect()
}

/// What looks like a translation of what.
fn translations(found: &[Found], settings: &Settings) -> Vec<Pair> {
    let documents = found.iter().filter_map(|(_, read)| Some(&read.as_ref().ok()?.0));
    let documents: Vec<&Document> = documents.collect();
    translations::found(&documents, &settings.works, &settings.models.chapters)
}

fn text_of(
    out: &mut String,
    document: &Document,
    survey: &Survey,
    pair: Option<&Pair>,
    works: &Works,
) {
    let _ = writeln!(out, "# {}, read as {}", document.source.encoding(), document.reader);
    let best = survey.identified.best();
    if let Some(best) = best {
        let key = works.work(&best.work).map_or(best.work.as_str(), |w| w.key.as_str());
        let _ = writeln!(
            out,
            "work = {}  # {} is “{}” ({})",
            quoted(key),
            best.by.name(),
            best.words,
            best.certainty
        );
    }
    let chapters = &survey.outline.chapters;
    if chapters.len() > 1 {
        let names: Vec<&str> = chapters.iter().take(6).map(|c| c.name()).collect();
        let more = if chapters.len() > 6 { " …" } else { "" };
        let _ = writeln!(out, "# {} chapters: {}{more}", chapters.len(), names.join("、"));
    }
    if let Some(Pair { classics, chapter, why, .. }) = pair {
        let list: Vec<String> = classics.iter().map(|t| quoted(t)).collect();
        let hint = if list.is_empty() { "# " } else { "" };
        let list = list.join(", ");
        let _ = writeln!(out, "role = \"translation\"\n{hint}translates = [{list}]  # {why}");
        if let Some(number) = chapter {
            let _ = writeln!(out, "chapter = {{ number = {number} }}");
        }
    }
}

/// A string of TOML.
fn quoted(words: &str) -> String {
    Value::String(words.to_string()).to_string()
}
