//! Codes of evidence from a file, as the static names the model keeps. The model's codes are static
//! because the program makes them; those of a file are kept for the life of the process, each once,
//! and only so many.

use std::collections::BTreeSet;
use std::sync::Mutex;

/// Codes met so far.
static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// More than any program of ours has; a file that declares more is not ours.
const MOST: usize = 4096;

/// The code, kept. What is no code (lower-case words joined by hyphens), or one too many, becomes
/// `unknown`.
pub(super) fn keep(code: &str) -> &'static str {
    let sound = !code.is_empty()
        && code.len() <= 64
        && code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    let Ok(mut known) = KNOWN.lock() else { return "unknown" };
    match known.get(code) {
        Some(code) => code,
        None if sound && known.len() < MOST => {
            let kept: &'static str = Box::leak(code.to_string().into_boxed_str());
            known.insert(kept);
            kept
        }
        None => "unknown",
    }
}
