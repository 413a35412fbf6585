//! A text that is split alone, though texts with the same words are in its folder: their borders
//! would help, and `--with` would read them. This is only a note, so large folders are not
//! searched.

use std::hash::BuildHasher;
use std::path::Path;

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::Settings;
use crate::cli::{aside, render, texts};
use crate::model::Document;
use crate::text::class::is_content;
use crate::text::fold::fold;

/// So many files are looked at, and so many bytes of them.
const MAX_FILES: usize = 100;
const MAX_BYTES: u64 = 16 << 20;
/// Texts that share fewer runs of this many characters quote each other, or use the same formulas.
const RUN_CHARS: usize = 10;
const MIN_SHARED_RUNS: usize = 60;

/// Prints a note if texts beside `file`, which is `read`, have the same words.
pub fn note(file: &Path, read: &Document, settings: &Settings) {
    if aside::is_silent() || file.as_os_str() == "-" {
        return;
    }
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let n = same_words(folder, file, read, settings);
    let folder = folder.display();
    // If standard error is closed, the note cannot be shown.
    _ = match n {
        0 => return,
        1 => render::note(&format!(
            "1 text beside it has the same words; with it the cuts are surer: --with {folder}"
        )),
        n => render::note(&format!(
            "{n} texts beside it have the same words; with them the cuts are surer: --with {folder}"
        )),
    };
}

/// How many texts of the folder have the words of this one.
fn same_words(folder: &Path, file: &Path, read: &Document, settings: &Settings) -> usize {
    let Ok(corpus) = texts::open(folder, settings) else { return 0 };
    let others: Vec<_> = corpus.about.texts.iter().filter(|t| !same(&t.path, file)).collect();
    let sizes = others.iter().filter_map(|t| Some(t.path.metadata().ok()?.len()));
    if others.len() > MAX_FILES || sizes.sum::<u64>() > MAX_BYTES {
        return 0;
    }
    let own = runs(read);
    let shares = |d: &Document| runs(d).intersection(&own).count() >= MIN_SHARED_RUNS;
    others.par_iter().filter(|t| settings.entry(t).is_ok_and(|d| shares(&d))).count()
}

fn same(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok() == other.canonicalize().ok()
}

/// The runs of characters of a text, folded, as their hashes: two that are equal by chance among
/// millions change nothing.
fn runs(document: &Document) -> FxHashSet<u64> {
    let text = document.source.text();
    let chars: Vec<char> = text.chars().filter(|c| is_content(*c)).map(fold).collect();
    chars.windows(RUN_CHARS).map(|run| FxBuildHasher.hash_one(run)).collect()
}
