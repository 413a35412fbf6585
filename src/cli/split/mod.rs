//! `zhushu split`: shows the layers of one text, and why they were cut there.

mod beside;
mod explained;
pub mod json;
mod place;
pub mod runs;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::language::say;
use crate::Settings;
use crate::corpus::Library;
use crate::diag::Error;
use crate::model::{Document, Segment};
use crate::passes::split::explain::ExplainedPassage;
use crate::passes::{self, Context};
use crate::source::Span;

use super::common::{As, Common};
use super::{Outcome, output, render, texts};
use place::Place;

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/split.txt"))]
pub struct Args {
    /// The text, or - for standard input; with a line, only the passage there
    #[arg(value_name = "FILE[:LINE]")]
    place: PathBuf,
    /// Show the evidence for each cut, and the alternatives
    #[arg(long)]
    explain: bool,
    /// Only starts less certain than this; with --explain, passages that have such starts
    #[arg(long, value_name = "P", value_parser = probability)]
    below: Option<f64>,
    /// With --explain: least probability of the alternatives shown
    #[arg(long, alias = "rivals", value_name = "P", default_value_t = 0.01, value_parser = probability, requires = "explain")]
    alternatives: f64,
    /// How to print; tsv only without --explain
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = As::Text)]
    to: As,
    #[command(flatten)]
    common: Common,
}

/// A probability on the command line.
///
/// # Errors
/// A message, when it is not one.
pub fn probability(words: &str) -> Result<f64, String> {
    let p: f64 = words.parse().map_err(|_| "expected a number from 0 to 1".to_string())?;
    if (0.0..=1.0).contains(&p) { Ok(p) } else { Err("it must be between 0 and 1".to_string()) }
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    if args.explain && args.to == As::Tsv {
        return Err(Error::request("an explanation cannot be a table")
            .hint("print it with --to text or json")
            .into());
    }
    let place = Place::parse(&args.place);
    let read = args.common.read(&place.file, settings)?;
    let within = place.within(&read[0].source)?;
    if args.common.with.is_empty() {
        beside::note(&place.file, &read[0], settings);
    }
    let library = settings.run(read.clone());
    let chapters = &library.documents[..texts::of_first_file(&library)];
    render::undecided(chapters.iter().map(|d| &**d));
    let path = args.common.output.as_deref();
    if args.explain {
        let places = within.as_ref().map(std::slice::from_ref);
        let mut passages = explain(read.clone(), settings, places, args.alternatives);
        if let Some(below) = args.below {
            passages.retain(|p| p.cuts.iter().any(|c| c.certainty.get() < below));
        }
        return explained(args, &read[0], chapters, &passages, within);
    }
    list(args, chapters, &place, path)
}

fn explained(
    args: &Args,
    whole: &Document,
    chapters: &[Arc<Document>],
    passages: &[ExplainedPassage],
    within: Option<Span>,
) -> Outcome {
    let path = args.common.output.as_deref();
    if args.to == As::Json {
        output::to(path, |out| json::passages(whole, passages, out))?;
        return Ok(0);
    }
    // If nothing was cut, the runs of the chapter at the place are shown.
    let at = within.map_or(0, |w| whole.source.char_of(w.start()));
    let document = chapters.iter().rev().find(|d| d.source.file_char_of(0) <= at);
    let document = if passages.is_empty() { document.map_or(whole, |d| d) } else { whole };
    let base = whole.source.byte_of(document.source.file_char_of(0));
    let within = within.map(|w| Span::new(w.start() - base, w.end() - base));
    output::styled(path, &explained::text(document, passages, within, args.below))?;
    Ok(0)
}

fn list(args: &Args, chapters: &[Arc<Document>], place: &Place, path: Option<&Path>) -> Outcome {
    let select = |d: &'_ Arc<Document>| place.within(&d.source).ok();
    let all: Vec<(&Document, Vec<&Segment>)> = chapters
        .iter()
        .filter_map(|d| Some((&**d, runs::select(d, select(d)?, args.below))))
        .collect();
    match args.to {
        As::Text if all.iter().all(|(_, runs)| runs.is_empty()) => {
            output::styled(path, &say("no such runs\n"))?;
        }
        As::Text => {
            let texts: String = all.iter().map(|(d, runs)| runs::text(d, runs)).collect();
            output::styled(path, &texts)?;
        }
        As::Tsv => output::to(path, |out| {
            writeln!(out, "{}", runs::COLUMNS)?;
            all.iter().try_for_each(|(d, runs)| runs::tsv(d, runs, out))
        })?,
        As::Json => output::to(path, |out| json::runs(&all, out))?,
    }
    Ok(0)
}

/// Explains the cuts of the first text, with all texts as their readers left them; with `places`,
/// only the cuts there. Alternatives less probable than `least` are left out.
pub fn explain(
    read: Vec<Document>,
    settings: &Settings,
    places: Option<&[Span]>,
    least: f64,
) -> Vec<ExplainedPassage> {
    let (read, shelved) = settings.with_shelf(read);
    let documents = read.into_iter().map(Arc::new).collect();
    let beside = Library { documents, beside: shelved.read, ..Library::default() };
    let context = Context::with(&beside, &settings.works, &settings.models.layers);
    passes::explain_cuts(&beside.documents[0], &context, places, least)
}
