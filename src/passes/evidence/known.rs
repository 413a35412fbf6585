//! Runs of 經 and 注 that ship with the program, for the passes to learn from. The file `runs.txt`
//! is made by `lab train` from the marked texts of `corpus/`.

use std::sync::LazyLock;

use regex::Regex;

use crate::model::thresholds::MIN_TEACHING_CERTAINTY;
use crate::model::{Document, Layer};
use crate::source::Span;
use crate::text::Key;

/// The runs of 經 and 注 that ship with the program.
pub const RUNS: &str = include_str!("runs.txt");
/// The runs of 音義 and 疏 that ship with the program.
pub const VOICES: &str = include_str!("../layers/inline/data/voices.tsv");

/// Checks a table of layers and text.
///
/// # Errors
/// The number of the first wrong line, and what is wrong with it.
pub fn check(table: &str) -> Result<(), (usize, String)> {
    for (n, line) in table.lines().enumerate().filter(|(_, l)| !l.starts_with('#')) {
        let Some((layer, _)) = line.split_once('\t') else {
            return Err((n + 1, "a layer, a tab and text are expected".into()));
        };
        if layer.parse::<Layer>().is_err() {
            return Err((n + 1, format!("“{layer}” is no layer")));
        }
    }
    Ok(())
}

/// The runs of a table of layers and text, folded.
pub fn parse(table: &str) -> impl Iterator<Item = (Layer, Vec<char>)> + '_ {
    table.lines().filter(|l| !l.starts_with('#')).filter_map(|line| {
        let (layer, words) = line.split_once('\t')?;
        Some((layer.parse().ok()?, Key::of(words, Span::new(0, words.len())).chars))
    })
}

/// Runs of 經 and 注 that a document marks, or that are nearly as certain, folded.
pub fn runs_of(document: &Document) -> impl Iterator<Item = (Layer, Vec<char>)> {
    let sure = document.segments.iter().filter(|s| {
        matches!(s.layer, Layer::Jing | Layer::Zhu) && s.certainty.get() >= MIN_TEACHING_CERTAINTY
    });
    sure.map(|s| (s.layer, Key::of(document.source.text(), s.span).chars))
        .filter(|(_, chars)| !chars.is_empty())
}

/// True if a document separates 經 and 注. A text with one layer only teaches no difference between
/// layers.
pub fn separates(document: &Document) -> bool {
    [Layer::Jing, Layer::Zhu].iter().all(|l| document.segments.iter().any(|s| s.layer == *l))
}

/// Marks of 經 and 傳 within the text: （傳）, （经一一）, 【传】.
static MARKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[（(【〔\[](?:經|经|傳|传)[一二三四五六七八九十百〇\d]{0,6}[）)】〕\]]")
        .expect("a valid pattern")
});

/// The characters of a stretch of classic, without marks of 經 and 傳 that were left in it.
pub fn classic_key(document: &Document, span: Span) -> Key {
    let mut key = Key::default();
    let mut at = span.start();
    for mark in MARKS.find_iter(document.slice(span)) {
        key.push(document.source.text(), Span::new(at, span.start() + mark.start()));
        at = span.start() + mark.end();
    }
    key.push(document.source.text(), Span::new(at, span.end()));
    key
}
