//! `zhushu build`: makes the edition of a corpus ([`crate::build`]), and says what was done.

pub(super) mod age;
mod report;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::Settings;
use crate::build::{
    Build, BuildStep, Built, Content, Counts, Done, EditionFormat, Reason, Stamp, Wanted,
};
use crate::corpus::Library;
use crate::diag::Error;
use crate::load;
use crate::model::MarkSource;
use crate::search;

use super::columns::counted;
use super::escapes::shown;
use super::language::{colon, say};
use super::{Outcome, aside, exit_code, language, output, render, texts};
use report::Report;

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/build.txt"))]
pub struct Args {
    /// The corpus: a folder with or without a manifest zhushu.toml [default: corpus, or this folder
    /// if there is none]
    corpus: Option<PathBuf>,
    /// Folder to write to
    #[arg(short, long, value_name = "OUT", default_value = "out")]
    output: PathBuf,
    /// Encoding of the texts, if the manifest does not state it [default: recognised by their
    /// bytes]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Punctuation for texts that have none; it stands beside the text and can be switched off
    /// [default: what the manifest says, else none]
    #[arg(long, value_name = "WHICH")]
    punctuation: Option<SuppliedPunctuation>,
    /// What to write; what an earlier build wrote besides is removed [default: all of it]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    formats: Vec<EditionFormat>,
    /// Compute everything again, even if nothing changed; replace files that no build made
    #[arg(long)]
    force: bool,
    /// Build again whenever a text or the manifest changes, until Ctrl-C
    #[arg(long)]
    watch: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum SuppliedPunctuation {
    /// That of a punctuated copy of the same chapter
    Supplied,
    /// The same, and where no copy has any, what a network trained on punctuated books expects
    Inferred,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let punctuation = match args.punctuation {
        Some(SuppliedPunctuation::Supplied) => MarkSource::Copies,
        Some(SuppliedPunctuation::Inferred) => MarkSource::Network,
        None => settings.punctuation,
    };
    let settings = &Settings { punctuation, ..settings.clone() };
    if args.watch { watch::run(args, settings) } else { once(args, settings, args.force, false) }
}

/// Builds; if nothing changed, says so unless it should be `silent`.
fn once(args: &Args, settings: &Settings, force: bool, silent: bool) -> Outcome {
    let named = texts::corpus(args.corpus.as_deref());
    let corpus = texts::open(&named, settings)?;
    let wanted = Wanted {
        out: &args.output,
        corpus: &named,
        encoding: args.encoding.as_deref(),
        formats: &args.formats,
        force,
        language: language::shown(),
    };
    let mut build = Build::of(corpus, settings, wanted)?;
    let Some(reason) = build.reason() else {
        build.sweep();
        if silent {
            return Ok(0);
        }
        // What is wrong in the folder is as wrong as it was.
        if let Some(e) = build.corpus.unread.pop() {
            return Err(e.into());
        }
        let (n, out, root) = (build.files(), args.output.display(), build.corpus.root.display());
        let mut text = say(&format!(
            "nothing to do: the {n} files of {root} are unchanged since the last build of {out}\n"
        ));
        // A file that somebody has just put there may be among them.
        for (path, why) in build.corpus.left_out.iter().take(age::FEW) {
            let line = format!("  {}{}{}\n", path.display(), colon(), say(why));
            text.push_str(&line);
        }
        return print(&text);
    };
    let short = OnceLock::new();
    let report = |content: &Content<'_>| {
        let report = Report::of(content);
        let full = shown(&report.full()).into_owned();
        let _ = match aside::is_silent() {
            true => short.set(report.decisions_not_applied()),
            false => short.set(report.short(&args.output)),
        };
        full
    };
    let done = build.run(&report, &|step| aside::progress(&say(&words_of(step))))?;
    aside::finish();
    let short = short.into_inner().unwrap_or_default();
    if aside::is_silent() {
        // Not even then: somebody's decisions have no effect.
        aside::urgent(&short);
    } else {
        print(&summary(&short, &args.output, &reason, &done))?;
    }
    for e in &done.errors {
        render::error(e)?;
    }
    Ok(done.errors.first().map_or(0, |e| exit_code(e.kind)))
}

fn words_of(step: BuildStep) -> String {
    match step {
        BuildStep::Reading(n) => format!("reading {n} texts"),
        BuildStep::Linking => "separating layers, linking, aligning".into(),
        BuildStep::Writing(_, None) => "writing".into(),
        BuildStep::Writing(done, Some(of)) => format!("writing {done}/{of}"),
        BuildStep::Indexing => "indexing".into(),
    }
}

fn summary(short: &str, output: &Path, reason: &Reason, done: &Done) -> String {
    let (out, reason) = (output.display(), age::why(reason));
    let texts = counted(done.texts, "text");
    let Counts { written, same, removed, kept } = &done.counts;
    let mut text = format!("{short}\n");
    let mut line = |english: String| text.push_str(&say(&english));
    line(format!(
        "{texts} built ({reason}); of {} files {written} written, {same} unchanged, {removed} of \
         removed texts deleted\n",
        done.counts.total()
    ));
    for path in kept {
        line(format!("kept, because it was edited: {}\n", path.display()));
    }
    if let Some(search::Built { bytes, input, written, kept, .. }) = done.index {
        let (kb, of, files) = (bytes.div_ceil(1000), input.div_ceil(1000), written + kept);
        let index = EditionFormat::Index.folder();
        line(format!(
            "{out}/{index}: {kb} KB for {of} KB of text, {written} of {files} files rebuilt\n"
        ));
    }
    // The index has its own line.
    let is_alone = done.formats.len() == 1;
    let others = done.formats.iter().filter(|format| is_alone || **format != EditionFormat::Index);
    let folders: Vec<_> = others.map(|format| format!("{out}/{}", format.folder())).collect();
    let folders = folders.join(", ");
    line(format!("{folders}; everything that could not be placed: {out}/report.txt\n"));
    text
}

/// All texts and alignments of the build in a folder, as [`Built::library`]. Says on standard error
/// if the build is older than its corpus.
///
/// # Errors
/// As [`Built::open`].
pub fn all(out: &Path, settings: &Settings) -> Result<Option<Library>, Error> {
    let Some(built) = Built::open(out, settings)? else { return Ok(None) };
    age::report_age(&built, settings);
    note_sources(out);
    Ok(built.library())
}

/// Notes which files the texts of a build are: what is made of it must not replace one.
pub fn note_sources(out: &Path) {
    if let Ok(Some(stamp)) = Stamp::read(out) {
        stamp.sources(out).for_each(|path| load::note(&path));
    }
}

/// Prints what was done, unless only results are wanted: those of a build are its files.
fn print(text: &str) -> Outcome {
    if aside::is_silent() {
        return Ok(0);
    }
    output::to(None, |out| out.write_all(text.as_bytes()))?;
    Ok(0)
}
