//! Why a corpus must be built, and what changed since it was.

use std::path::Path;

use crate::Settings;
use crate::build::{Built, InputChange, LIBRARY, Reason, changed_files};
use crate::cli::language::{comma, say};
use crate::cli::render;

/// How many inputs of a kind are named.
pub(super) const FEW: usize = 3;

/// Says on standard error what changed in the corpus since a build, if it is still there.
pub fn report_age(built: &Built, settings: &Settings) {
    if let Some(changes) = built.age(settings) {
        is_older(built.folder(), &changes);
    }
}

/// The same of files that the build of an index in a folder read.
pub fn report_changed_files(out: &Path) {
    if let Some(changes) = changed_files(out) {
        is_older(out, &changes);
    }
}

fn is_older(out: &Path, changes: &Reason) {
    let (out, changes) = (out.display(), why(changes));
    let note = format!("{out} is older than its corpus ({changes}); `zhushu build` updates it");
    // If standard error is closed, the note cannot be shown.
    let _ = render::note(&note);
}

/// Why a corpus must be built, in the language of messages.
pub(super) fn why(reason: &Reason) -> String {
    match reason {
        Reason::Forced => "--force".into(),
        Reason::First => say("first build"),
        Reason::NotEnded => say("the last build did not end"),
        Reason::Version => say("built by another version of zhushu before"),
        Reason::Inputs(all) => {
            let named = all.iter().take(FEW).map(|(change, path)| {
                let name = if path == LIBRARY { say(path) } else { path.clone() };
                say(&match change {
                    InputChange::Changed => format!("changed: {name}"),
                    InputChange::New => format!("new: {name}"),
                    InputChange::Gone => format!("gone: {name}"),
                })
            });
            let named = named.collect::<Vec<_>>().join(comma());
            match all.len().saturating_sub(FEW) {
                0 => named,
                more => say(&format!("{named}, … {more} more")),
            }
        }
        Reason::Language => say("in another language"),
        Reason::Formats => say("other formats are wanted"),
        Reason::Title(title) => say(&format!("the title was {title}")),
        Reason::Output { path, is_there: true } => say(&format!("{} was changed", path.display())),
        Reason::Output { path, is_there: false } => say(&format!("{} is gone", path.display())),
        Reason::Index(e) => say(&e.to_string()),
    }
}
