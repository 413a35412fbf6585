//! What the program says on standard error beside its result: how far it is, counts, notes.
//! `--quiet` turns it off; errors are reported all the same
//! ([`render::error`](super::render::error)).

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::escapes::{shown, shown_styled};
use super::language::say;
use crate::passes::Stage;
use crate::settings::Progress;

static QUIET: AtomicBool = AtomicBool::new(false);

/// The progress line, while there is one.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// When the program began, or nearly.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Commands that are done in less time show no progress by themselves.
const SHORT: Duration = Duration::from_millis(700);

/// From now on, nothing is said beside results and errors.
pub fn silence() {
    QUIET.store(true, Ordering::Relaxed);
}

/// True after [`silence`].
pub fn is_silent() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Prints a line that is not part of the result.
pub fn line(text: &str) {
    if !is_silent() {
        finish();
        anstream::eprintln!("{}", shown_styled(text));
    }
}

/// Prints lines that even a quiet program must not keep back.
pub fn urgent(lines: &str) {
    finish();
    anstream::eprint!("{}", shown(lines));
}

/// Shows what is being done, in the language of messages; `indicatif` draws it only on a terminal.
pub fn progress(what: &str) {
    if is_silent() {
        return;
    }
    let mut bar = BAR.lock().unwrap_or_else(PoisonError::into_inner);
    bar.get_or_insert_with(spinner).set_message(shown(what).into_owned());
}

/// Removes the progress line: what follows is for the reader.
pub fn finish() {
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).take();
    bar.iter().for_each(ProgressBar::finish_and_clear);
}

/// Shows how many documents of a stage are done, in commands that take longer.
pub fn of_stages() -> Progress {
    LazyLock::force(&START);
    Progress::new(|stage, done, of| {
        if START.elapsed() >= SHORT {
            progress(&format!("{} {done}/{of}", say(doing(stage))));
        }
    })
}

/// What a stage does.
fn doing(stage: Stage) -> &'static str {
    match stage {
        Stage::Marks => "reading marks",
        Stage::Layers => "separating layers",
        Stage::Structure => "finding sections and repairs",
        Stage::References => "finding references",
        Stage::Parallels => "finding parallels",
    }
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
