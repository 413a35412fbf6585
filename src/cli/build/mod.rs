//! `zhushu build`: makes the edition of a corpus: TEI, JSON, a reading site, and a report of what
//! could not be placed.
//!
//! Texts are witnesses and targets of each other, so a change of one may concern all. What it does
//! not concern is taken from the last build ([`built::memo`], [`reads`]). A file is only written if
//! its content changed, and if no input changed, nothing is done. A [`stamp`] in the output folder
//! records the state of the last build.

mod built;
mod outputs;
mod place;
mod reads;
mod reopened;
mod report;
pub mod stamp;
mod transaction;
mod waiting_file;
mod watch;

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::UNIX_EPOCH;

use crate::Settings;
use crate::books::translations::pair_up;
use crate::corpus::Corpus;
use crate::diag::{Error, ErrorKind};
use crate::load::Loaded;
use crate::search::{self, Index};

pub use self::built::{Built, note_sources};
pub use self::reopened::Reopened;

use self::outputs::Folders;
use self::stamp::Stamp;
use self::transaction::Transaction;
use super::columns::counted;
use super::language::say;
use super::{Outcome, aside, exit_code, output, render, texts};

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/build.txt"))]
pub struct Args {
    /// The corpus: a folder with or without a manifest zhushu.toml
    #[arg(default_value = "corpus")]
    corpus: PathBuf,
    /// Folder to write to
    #[arg(short, long, value_name = "OUT", default_value = "out")]
    output: PathBuf,
    /// Encoding of the texts, if the manifest does not state it [default: recognised by their
    /// bytes]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Compute everything again, even if nothing changed; replace files that no build made
    #[arg(long)]
    force: bool,
    /// Build again whenever a text or the manifest changes, until Ctrl-C
    #[arg(long)]
    watch: bool,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    if args.watch { watch::run(args, settings) } else { once(args, settings, args.force, false) }
}

/// Builds; if nothing changed, says so unless it should be `silent`.
fn once(args: &Args, settings: &Settings, force: bool, silent: bool) -> Outcome {
    let mut corpus = texts::open(&args.corpus, settings)?;
    apart(&corpus, &args.output)?;
    corpus.leave_out(&args.output, "the folder that build writes");
    texts::encode_as(&mut corpus, args.encoding.as_deref());
    let mut inputs = Stamp::of_inputs(&corpus, settings, args.encoding.as_deref());
    inputs.title = title(&corpus);
    let old = transaction::last(&args.output)?;
    let reason = reason(old.as_ref(), &inputs, &args.output, force);
    let Some(reason) = reason else {
        // A build that was killed may have been for a change that was taken back.
        transaction::sweep(&args.output);
        if silent {
            return Ok(0);
        }
        let (n, out) = (inputs.inputs.len(), args.output.display());
        return print(&say(&format!(
            "nothing to do: the {n} files of {} are unchanged since the last build of {out}\n",
            corpus.root.display()
        )));
    };
    let settings = &Settings {
        memo: Some(Arc::new(built::memo(&args.output, (&inputs, old.as_ref()), settings, force))),
        ..settings.clone()
    };
    aside::progress(&say(&format!("reading {} texts", corpus.about.texts.len())));
    let mut loaded = settings.read(&corpus)?;
    if let Some(old) = old.as_ref().filter(|_| !force) {
        nothing_vanishes(&corpus, &loaded, old)?;
    }
    let pairs = match corpus.manifest {
        Some(_) => vec![],
        None => pair_up(&mut loaded.documents, &settings.works, &settings.models.chapters),
    };
    // What could not be read counts as changed in the next build, and is reported again.
    loaded.errors.iter().filter_map(|e| e.path.as_ref()).for_each(|p| inputs.forget(&corpus, p));
    let mut transaction = Transaction::begin(&args.output)?;
    // Another build may have ended since the record was read.
    let old = transaction::last(&args.output)?;
    aside::progress(&say("separating layers, linking, aligning"));
    let library = texts::link_and_align(loaded.documents, settings);
    aside::progress(&say("writing"));
    let left_out = &loaded.left_out;
    let report = report::Report::of(&corpus, &library, left_out, &pairs);
    let done = AtomicUsize::new(0);
    let waiting = place::waiting_in(&args.output)?;
    let folders = Folders { out: &args.output, made: waiting.path() };
    let memo = settings.memo.as_deref();
    let written = outputs::write((folders, memo), &library, &report, old.as_ref(), &|of| {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        aside::progress(&say(&format!("writing {done}/{of}")));
    })?;
    place::spare_others(&args.output, &written, old.as_ref(), force)?;
    aside::progress(&say("indexing"));
    let known = old.as_ref().filter(|old| old.is_of_this_program()).map(|old| &old.index);
    let index = search::prepare(&library, &args.output.join(super::INDEX), &written.index, known)?;
    inputs.index.clone_from(index.files());
    let indexed = place::all(folders, &written, index, &mut transaction)?;
    drop(waiting);
    built::keep(&library, (&args.output, settings.memo.as_deref()), &mut inputs);
    inputs.corpus = built::corpus_from(&args.output, &args.corpus);
    inputs.incomplete = !written.failed.is_empty();
    let kept = inputs.kept_documents().unwrap_or_default();
    let inputs = inputs.with_outputs(&args.output, written.hashes, written.jobs);
    transaction.end(&inputs)?;
    settings.memo.iter().for_each(|m| m.end(&kept));
    aside::finish();
    print(&summary(&report, &args.output, &reason, &written.counts, indexed))?;
    let errors = || loaded.errors.iter().chain(&written.failed);
    for e in errors() {
        render::error(e)?;
    }
    Ok(errors().next().map_or(0, exit_code))
}

/// Stops before the edition of a text is deleted that cannot be read at the moment.
///
/// # Errors
/// The first reason why a file is no text that was one in the last build. That a file is not there
/// any more is none.
fn nothing_vanishes(corpus: &Corpus, loaded: &Loaded, old: &Stamp) -> Result<(), Error> {
    let hint = "the last build is unchanged; build again when this can be read, or delete the \
                file, or go on without it by --force";
    let gone = |path: &Path| {
        let looked = std::fs::symlink_metadata(path);
        looked.is_err_and(|e| e.kind() == std::io::ErrorKind::NotFound)
    };
    let was_text = |path: &Path| {
        let entry = corpus.about.texts.iter().find(|text| text.path == path);
        entry.is_some_and(|entry| old.has_text(&entry.id)) && !gone(path)
    };
    let is_lost = |e: &&Error| match &e.path {
        // A folder, or corrections: texts may be behind them.
        Some(path) if matches!(e.kind, ErrorKind::Io | ErrorKind::Manifest) => !gone(path),
        Some(path) => was_text(path),
        None => false,
    };
    if let Some(e) = loaded.errors.iter().find(is_lost) {
        return Err(e.clone().hint(hint));
    }
    match loaded.left_out.iter().find(|(path, _)| was_text(path)) {
        Some((path, why)) => Err(Error::input(path, why.clone()).hint(hint)),
        None => Ok(()),
    }
}

/// What differs between a build in a folder and the next: when its record was written, which is the
/// last thing that it does, and the size of it. Zero if there is none.
pub fn state_of(out: &Path) -> String {
    let about = std::fs::metadata(stamp::path_in(out)).ok();
    let time = about.as_ref().and_then(|a| a.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    let (time, size) = (time.unwrap_or_default(), about.map_or(0, |a| a.len()));
    format!("{}.{:09}-{size}", time.as_secs(), time.subsec_nanos())
}

/// True if `out` was built from the corpus as it is now.
pub fn is_current(corpus: &Path, out: &Path, settings: &Settings) -> bool {
    let Ok(mut corpus) = settings.open(corpus) else { return false };
    corpus.leave_out(out, "");
    let is_last = |last: Stamp| last.differs(&last.inputs_now(&corpus, settings, None)).is_none();
    transaction::last(out).ok().flatten().is_some_and(is_last)
}

/// Why the corpus must be built; `None` if nothing changed.
fn reason(old: Option<&Stamp>, now: &Stamp, out: &Path, force: bool) -> Option<String> {
    let other_title = |Stamp { title, .. }: &Stamp| {
        (*title != now.title).then(|| say(&format!("the title was {title}")))
    };
    match old {
        _ if force => Some("--force".into()),
        None => Some("first build".into()),
        Some(old) => old
            .differs(now)
            .or_else(|| (!old.speaks_as(now)).then(|| "in another language".into()))
            .or_else(|| other_title(old))
            .or_else(|| old.damaged(out))
            .or_else(|| Some(Index::verify(&out.join(super::INDEX)).err()?.to_string())),
    }
}

fn summary(
    report: &report::Report<'_>,
    output: &Path,
    reason: &str,
    counts: &outputs::Counts,
    indexed: search::Built,
) -> String {
    let out = output.display();
    let texts = counted(report.library.documents.len(), "text");
    let outputs::Counts { written, same, removed, kept } = counts;
    let mut text = format!("{}\n", report.short(output));
    let mut line = |english: String| text.push_str(&say(&english));
    line(format!(
        "{texts} built ({reason}); of {} files {written} written, {same} unchanged, {removed} of \
         removed texts deleted\n",
        counts.total()
    ));
    for path in kept {
        line(format!("kept, because it was edited: {}\n", path.display()));
    }
    let (index, search::Built { bytes, input, written, kept, .. }) = (super::INDEX, indexed);
    let (kb, of, files) = (bytes.div_ceil(1000), input.div_ceil(1000), written + kept);
    line(format!(
        "{out}/{index}: {kb} KB for {of} KB of text, {written} of {files} files rebuilt\n"
    ));
    let folders: Vec<_> = outputs::folders().map(|f| format!("{out}/{f}")).collect();
    let folders = folders.join(", ");
    line(format!("{folders}; everything that could not be placed: {out}/report.txt\n"));
    text
}

/// Prints what was done, unless only results are wanted: those of a build are its files.
fn print(text: &str) -> Outcome {
    if aside::is_silent() {
        return Ok(0);
    }
    output::to(None, |out| out.write_all(text.as_bytes()))?;
    Ok(0)
}

/// Output beside the texts would be read as text by the next build; that of a folder above them
/// would leave all texts out.
fn apart(corpus: &Corpus, out: &Path) -> Result<(), Error> {
    let real = |p: &Path| p.canonicalize().unwrap_or_else(|_| p.to_path_buf());
    let (root, out) = (real(&corpus.root), real(out));
    let message = match corpus.manifest {
        _ if root == out => "the output would lie among the texts",
        None if root.starts_with(&out) => "the texts lie in the folder of the output",
        _ => return Ok(()),
    };
    Err(Error::request(message).hint("name another folder with -o"))
}

/// The name of the corpus in messages and pages: without a title, that of its folder, however the
/// path was typed.
fn title(corpus: &Corpus) -> String {
    // A link has the name that it was given.
    let typed = corpus.root.components().next_back();
    let folder = || match typed {
        Some(Component::Normal(name)) => Some(name.to_string_lossy().into_owned()),
        _ => Some(corpus.root.canonicalize().ok()?.file_name()?.to_string_lossy().into_owned()),
    };
    let title = corpus.about.title.clone().or_else(folder);
    title.unwrap_or_else(|| corpus.root.display().to_string())
}
