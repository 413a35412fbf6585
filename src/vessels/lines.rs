//! Lines that a program or a page has cut, as in the text of a PDF, recognised print, mail and old
//! copies from the web: passages go on over their ends.
//!
//! Whether lines are cut is decided for the whole text. Cut lines are of one length, which no line
//! exceeds, and their ends fall anywhere: in a punctuated text most are inside a sentence, which
//! the end of a passage seldom is. In a text without punctuation only the length counts.
//!
//! A line that is as long as the others goes on in the next, unless the next begins as passages do;
//! so does one that breaks off in a sentence.

use std::sync::LazyLock;

use regex::Regex;

use super::{Aside, Edit, Found};
use crate::diag::Diagnostic;
use crate::model::Commentary;
use crate::source::{Lines, Span};
use crate::text::{self, Line, ends_with_sentence, is_punctuated, pattern};

/// Least number of characters at which lines are cut; shorter lines are verses. Without punctuation
/// lines of a print are longer.
const MIN_WIDTH: usize = 10;
const MIN_BARE_WIDTH: usize = 16;
/// Least number of full lines that show a width, and their least share of all lines in a text
/// without punctuation.
const MIN_FULL: usize = 3;
const MIN_BARE_FULL: usize = 6;
const MIN_BARE_SHARE: f64 = 0.15;
/// Largest share of lines that may be longer than the width: long words, tables.
const MAX_OVER: f64 = 0.01;
/// Least share of full lines that break off in a sentence, and the share from which it is at least
/// doubtful whether lines are passages.
const MIN_OPEN: f64 = 0.5;
const DOUBTFUL_OPEN: f64 = 0.3;
/// A line is as long as the others if it has this share of their width: marks may not begin a line,
/// and those of half width make lines uneven.
const RAGGED: f64 = 0.8;

/// What a new passage begins with, whatever the line before.
static BEGINS: LazyLock<Regex> = LazyLock::new(|| {
    let marks = Commentary::marks();
    pattern(&format!(
        r"^(?:[\[【〔［](?:{marks})[\]】〕］]|#|[*+-] |[①-⑳㈠-㈩]|[〔\[（(][0-9一二三四五六七八九十]+[〕\]）)])"
    ))
});

/// One line that has words.
struct TextLine {
    /// Its number among all lines.
    line: usize,
    /// Characters, with blanks before the words.
    width: usize,
    /// Characters before the words.
    indent: usize,
    /// It breaks off in a sentence.
    open: bool,
}

/// What is known of the lines of a text.
struct Widths {
    /// At which they are cut, in characters.
    width: usize,
    /// From this length on a line is full.
    full: usize,
    punctuated: bool,
    verdict: Verdict,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Wrapped,
    Doubtful,
    Passages,
}

/// Finds the line ends inside passages.
pub(super) fn find(text: &str, asked: Option<Lines>) -> Found {
    if asked == Some(Lines::Passages) {
        return Found::default();
    }
    let lines = text::lines(text);
    let with_words = with_words(text, &lines);
    let Some(widths) = widths(text, &with_words) else { return Found::default() };
    if asked.is_none() && widths.verdict != Verdict::Wrapped {
        let doubt = (widths.verdict == Verdict::Doubtful).then(|| doubtful(&widths));
        return Found { edits: vec![], remarks: doubt.into_iter().collect() };
    }
    let edits: Vec<Edit> = with_words
        .windows(2)
        .filter(|w| w[1].line == w[0].line + 1 && goes_on(text, &lines, &widths, &w[0], &w[1]))
        .map(|w| {
            let end = Span::new(lines[w[0].line].words.end(), lines[w[1].line].words.start());
            Edit::without(end, Aside::LineEnd)
        })
        .collect();
    if edits.is_empty() {
        return Found::default();
    }
    let message = format!(
        "lines are cut at some {} characters: {} of {} line ends are inside passages",
        widths.width,
        edits.len(),
        with_words.len()
    );
    let remark = Diagnostic::info("lines-wrapped", edits[0].span, message)
        .hint("if each line is a passage: `--lines passages`, or `lines = \"passages\"`");
    Found { edits, remarks: vec![remark] }
}

fn doubtful(widths: &Widths) -> Diagnostic {
    let message = format!(
        "lines are perhaps cut at some {} characters; each is read as a passage",
        widths.width
    );
    Diagnostic::warning("lines-doubtful", None, message)
        .hint("if passages go on over line ends: `--lines wrapped`, or `lines = \"wrapped\"`")
}

fn with_words(text: &str, lines: &[Line]) -> Vec<TextLine> {
    let of = |(line, l): (usize, &Line)| {
        let words = &text[l.words.range()];
        let indent = text[l.whole.start()..l.words.start()].chars().count();
        let open = !ends_with_sentence(words) && !words.ends_with(['：', ':']);
        let after = text[l.words.end()..l.whole.end()].trim_end_matches(['\r', '\n', '\u{85}']);
        let width = indent + words.chars().count() + after.chars().count();
        (!words.is_empty()).then_some(TextLine { line, width, indent, open })
    };
    lines.iter().enumerate().filter_map(of).collect()
}

/// The width at which lines are cut, and whether they are.
fn widths(text: &str, lines: &[TextLine]) -> Option<Widths> {
    let mut sorted: Vec<usize> = lines.iter().map(|l| l.width).collect();
    sorted.sort_unstable();
    let over = (MAX_OVER * lines.len() as f64) as usize;
    let width = *sorted.get(sorted.len().checked_sub(1 + over)?)?;
    let exact = sorted.iter().filter(|w| **w == width).count();
    // Lines of exactly one length, or uneven ones.
    let full = match exact >= MIN_FULL {
        true => width,
        false => (RAGGED * width as f64) as usize,
    };
    let punctuated = is_punctuated(text);
    let all = lines.iter().filter(|l| l.width >= full).count();
    let open = lines.iter().filter(|l| l.width >= full && l.open).count();
    let open = open as f64 / all.max(1) as f64;
    let share = all as f64 / lines.len().max(1) as f64;
    let verdict = match punctuated {
        true if width < MIN_WIDTH || all < MIN_FULL => Verdict::Passages,
        true if open >= MIN_OPEN => Verdict::Wrapped,
        true if open >= DOUBTFUL_OPEN => Verdict::Doubtful,
        true => Verdict::Passages,
        false if exact < MIN_BARE_FULL || share < MIN_BARE_SHARE => Verdict::Passages,
        false if width >= MIN_BARE_WIDTH => Verdict::Wrapped,
        false => Verdict::Passages,
    };
    Some(Widths { width, full, punctuated, verdict })
}

/// True if a passage goes on from one line to the next.
fn goes_on(text: &str, lines: &[Line], widths: &Widths, a: &TextLine, b: &TextLine) -> bool {
    let next = &text[lines[b.line].words.range()];
    if BEGINS.is_match(next) || b.indent > a.indent {
        return false;
    }
    let is_full = a.width >= widths.full;
    let breaks_off = widths.punctuated && a.open && 2 * a.width > widths.width;
    is_full || breaks_off
}
