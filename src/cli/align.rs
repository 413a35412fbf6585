//! `zhushu align`: a classic and its translation, bead by bead.

use std::path::{Path, PathBuf};

use crate::Settings;
use crate::diag::{Diagnostic, Error, Severity};
use crate::model::Document;
use crate::passes::align::{Grain, Options, align};
use crate::writers::alignment::{self, ALIGNMENT_WRITERS, AlignmentWriter};

use super::language::say;
use super::{Outcome, aside, output, render, texts};

#[derive(clap::Args)]
#[command(after_help = include_str!("data/align.txt"))]
pub struct Args {
    /// The classic, with or without commentary
    source: PathBuf,
    /// The translation
    translation: PathBuf,
    /// What beads consist of
    #[arg(long, value_enum, value_name = "UNIT", default_value_t = By::Sentence)]
    by: By,
    /// Format to write: json, tsv or tmx [default: by the ending of -o, else json]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Format of the classic [default: recognised by its text]
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Format of the translation [default: recognised by its text]
    #[arg(long, value_name = "FORMAT")]
    translation_from: Option<String>,
    /// Encoding of both files [default: recognised by the bytes]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Start only from characters that stay the same, without the embedded list of modern words
    #[arg(long)]
    no_prior: bool,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// How many warnings of each kind are shown.
const FEW: usize = 3;

#[derive(Clone, Copy, clap::ValueEnum)]
enum By {
    /// Sentences
    #[value(alias = "句")]
    Sentence,
    /// Clauses, inside the beads of sentences
    #[value(alias = "讀")]
    Clause,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let writer = writer(args)?;
    let classic = read(&args.source, args.from.as_deref(), args, settings)?;
    let translation = read(&args.translation, args.translation_from.as_deref(), args, settings)?;
    let by = match args.by {
        By::Sentence => Grain::Sentence,
        By::Clause => Grain::Clause,
    };
    let aligned = align(&classic, &translation, &Options { by, prior: !args.no_prior });
    output::to(args.output.as_deref(), |out| {
        (writer.write)(&aligned.alignment, &classic, &translation, out)
    })?;
    report(&classic, &aligned.source);
    report(&translation, &translation.diagnostics);
    report(&translation, &aligned.translation);
    output::wrote(args.output.as_deref());
    Ok(0)
}

/// Reads a text and separates its layers. A whole book is aligned as one text.
fn read(
    path: &Path,
    from: Option<&str>,
    args: &Args,
    settings: &Settings,
) -> Result<Document, Error> {
    let document = texts::read(&texts::entry(path, from, args.encoding.as_deref()), settings)?;
    let chapters = document.chapters.len();
    if chapters > 1 {
        let error = format!("this file has {chapters} texts, which are aligned one by one");
        return Err(Error::input(path, error)
            .hint("`zhushu build` makes a text of each chapter, which `zhushu export` takes"));
    }
    Ok(settings.run_whole(document))
}

/// Says what is odd, of each kind the first few.
fn report(document: &Document, diagnostics: &[Diagnostic]) {
    let mut counts: Vec<(&str, usize)> = vec![];
    for d in diagnostics.iter().filter(|d| d.severity >= Severity::Warning) {
        let n = match counts.iter().position(|(code, _)| *code == d.code) {
            Some(n) => n,
            None => {
                counts.push((&*d.code, 0));
                counts.len() - 1
            }
        };
        counts[n].1 += 1;
        if counts[n].1 <= FEW {
            aside::line(&format!("{}\n", render::diagnostic(document, d)));
        }
    }
    for (code, more) in
        counts.iter().filter_map(|(code, n)| Some((code, n.checked_sub(FEW + 1)? + 1)))
    {
        let path = document.source.path().display();
        let line = format!("… {more} more {code} in {path}; the alignment shows where");
        aside::line(&format!("{}\n", say(&line)));
    }
}

/// The named writer, or the one with the extension of the output, or JSON.
fn writer(args: &Args) -> Result<&'static AlignmentWriter, Error> {
    if let Some(name) = &args.to {
        return alignment::by_name(name);
    }
    let ending = output::ending(args.output.as_deref());
    match ending.and_then(|e| ALIGNMENT_WRITERS.iter().find(|w| w.extension == e)) {
        Some(writer) => Ok(writer),
        None => alignment::by_name("json"),
    }
}
