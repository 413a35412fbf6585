//! The runs of a text as a list, one on each line.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::model::NEEDS_REVIEW;
use crate::model::{Certainty, Document, Layer, Segment};
use crate::source::Span;
use crate::text::cell::uncalculated;
use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::cli::columns;
use crate::cli::language::say;

/// Columns of the text in the list for a person.
const WORDS: usize = 72;

/// The runs that contain text; with a place only those there, with a probability only the less
/// certain ones.
pub fn select(document: &Document, within: Option<Span>, below: Option<f64>) -> Vec<&Segment> {
    let here = |s: &Segment| within.is_none_or(|w| s.span.overlap(w) > 0);
    let doubtful = |s: &Segment| below.is_none_or(|b| s.certainty.get() < b);
    document.segments.iter().filter(|s| s.layer.is_text() && here(s) && doubtful(s)).collect()
}

/// The colour of a layer.
pub fn colour(layer: Layer) -> Style {
    match layer {
        Layer::Jing | Layer::Zhuan => Style::new().bold(),
        Layer::Zhu | Layer::Named(_) => AnsiColor::Cyan.on_default(),
        Layer::Yin => AnsiColor::Green.on_default(),
        Layer::Label | Layer::Heading => AnsiColor::Magenta.on_default(),
        _ => Style::new().dimmed(),
    }
}

/// The certainty, coloured if it is low; `marked` if the source itself marks the layer.
pub fn certainty(segment_evidence: bool, certainty: Certainty) -> String {
    match (segment_evidence, certainty.get() < NEEDS_REVIEW) {
        (false, _) => say("marked"),
        (true, false) => certainty.to_string(),
        (true, true) => {
            let style = AnsiColor::Red.on_default();
            format!("{style}{certainty}{style:#}")
        }
    }
}

/// For a person: line, layer, certainty, and the text, shortened in the middle.
pub fn text(document: &Document, runs: &[&Segment]) -> String {
    let last = runs.iter().map(|s| document.source.place(s.span.start()).line).max().unwrap_or(1);
    let width = last.to_string().len();
    let mut out = String::new();
    for s in runs {
        let line = document.source.place(s.span.start()).line;
        let (style, words) = (colour(s.layer), columns::both_ends(&document.words(s.span), WORDS));
        let zh = pad(s.layer.zh());
        let _ = writeln!(out, "{line:>width$}  {zh}  {}  {style}{words}{style:#}", padded(s));
    }
    out
}

/// A layer's name, padded to the width of two ideographs.
fn pad(zh: &str) -> String {
    format!("{zh}{}", "  ".repeat(2usize.saturating_sub(zh.chars().count())))
}

/// The certainty, as wide as `marked`.
fn padded(s: &Segment) -> String {
    let words = certainty(!s.evidence.is_empty(), s.certainty);
    match s.evidence.is_empty() {
        true => format!("{words}{}", " ".repeat("marked".len().saturating_sub(words.width()))),
        false => format!(" {words}"),
    }
}

/// The first line of the table that [`tsv`] writes.
pub const COLUMNS: &str = "line\tcolumn\tstart\tend\tlayer\tcert\tevidence\twords";

/// For spreadsheets and `cut`: one run on each line, with its full text.
///
/// # Errors
/// When writing to `out` fails.
pub fn tsv(document: &Document, runs: &[&Segment], out: &mut dyn Write) -> io::Result<()> {
    let source = &document.source;
    for s in runs {
        let place = source.place(s.span.start());
        let (start, end) = (source.file_char_of(s.span.start()), source.file_char_of(s.span.end()));
        let evidence: Vec<&str> = s.evidence.iter().map(|e| e.code()).collect();
        let words = columns::one_line(&document.words(s.span));
        let words = uncalculated(&words);
        writeln!(
            out,
            "{}\t{}\t{start}\t{end}\t{}\t{}\t{}\t{words}",
            place.line,
            place.column,
            s.layer,
            s.certainty,
            evidence.join(" "),
        )?;
    }
    Ok(())
}
