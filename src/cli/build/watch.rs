//! `zhushu build --watch`: builds again a moment after a text or the manifest was saved.
//!
//! The system reports changes in the folder of the corpus and in those of texts elsewhere. What
//! changed is not looked at: the next build compares all inputs with its record, and does nothing
//! if they are the same.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::{Event, RecursiveMode, Watcher};

use super::{Args, once, print};
use crate::Settings;
use crate::cli::language::say;
use crate::cli::{Failure, Outcome, render, texts};
use crate::diag::Error;

/// An editor saves a file in several steps. A build begins when nothing happened for so long.
const QUIET: Duration = Duration::from_millis(150);

type Events = Receiver<notify::Result<Event>>;

/// Runs the command until it is interrupted.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let corpus = texts::open(&texts::corpus(args.corpus.as_deref()), settings)?;
    let files = corpus.manifest.iter().chain(corpus.about.texts.iter().map(|t| &t.path));
    let folders: BTreeSet<PathBuf> =
        files.filter_map(|f| f.parent()).chain([&*corpus.root]).map(absolute).collect();
    let (send, events) = channel();
    let wrong = |e: notify::Error| Error::request(format!("the texts cannot be watched: {e}"));
    let mut watcher = notify::recommended_watcher(send).map_err(wrong)?;
    // A folder inside another that is watched is watched with it.
    let mut roots: Vec<&Path> = vec![];
    for folder in &folders {
        if !roots.iter().any(|r| folder.starts_with(r)) {
            watcher.watch(folder, RecursiveMode::Recursive).map_err(wrong)?;
            roots.push(folder);
        }
    }
    report(once(args, settings, args.force, false))?;
    print(&say(&format!("watching {}; Ctrl-C ends this\n", corpus.root.display())))?;
    let out = absolute(&args.output);
    while changed(&events, &out) {
        report(once(args, settings, false, true))?;
    }
    Ok(0)
}

/// Waits for a change outside the output, and then until nothing happens any more. False if there
/// will be no more events.
fn changed(events: &Events, out: &Path) -> bool {
    loop {
        match events.recv() {
            Ok(event) if matters(&event, out) => break,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    loop {
        match events.recv_timeout(QUIET) {
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

/// True for a change of a file that is no output. After an error, changes may have been missed.
fn matters(event: &notify::Result<Event>, out: &Path) -> bool {
    match event {
        Ok(event) if event.kind.is_access() => false,
        Ok(event) => event.paths.iter().any(|p| !absolute(p).starts_with(out)),
        Err(_) => true,
    }
}

/// A text that cannot be read now may be readable when it is saved again, so an error is shown and
/// does not end the watch.
fn report(outcome: Outcome) -> Result<(), Failure> {
    match outcome {
        Ok(_) => Ok(()),
        Err(Failure::Error(e)) => Ok(render::error(&e)?),
        Err(other) => Err(other),
    }
}

/// The path from the root of the file system, if there is such a file or folder.
fn absolute(path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.into())
}
