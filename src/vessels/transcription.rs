//! Marks of those who transcribe a manuscript or an excavated text: （ ） the reading of the
//! character before it, 〈 〉 or [=…] a correction, 【12】 the end of a slip, [ ] what is
//! supplied, □ and ▨ what is lost.
//!
//! They differ from notes in their density and place: the readings of a transcription are one or
//! two characters after one character, and most of its brackets are such. What is supplied is text.

use std::sync::LazyLock;

use regex::Regex;

use super::Taken;
use super::edits::Edits;
use crate::diag::Diagnostic;
use crate::source::{Lines, Span};
use crate::text::pattern;

/// Least number of readings, and their least share of all round brackets.
const MIN_READINGS: usize = 5;
const MIN_SHARE: f64 = 0.8;
/// Least number of readings in so many characters.
const MAX_CHARS_PER_READING: usize = 60;

static ROUND: LazyLock<Regex> = LazyLock::new(|| pattern(r"[（(][^（）()\n]{1,400}[）)]"));
static READING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[\p{Han}=]([（(]=?\p{Han}{1,2}[）)])"));
static CORRECTION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[\[［]=\p{Han}{1,4}[\]］]|〈\p{Han}{1,2}〉"));
static SLIP: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"【[0-9０-９一二三四五六七八九十百+正背上下]{1,6}】"));
static SUPPLIED: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\[［]([^\[\]［］=\n]{1,60})[\]］]"));

/// Finds the marks.
pub(super) fn find(text: &str, _: Option<Lines>) -> Taken {
    if !text.contains(['（', '(', '[', '［']) {
        return Taken::default();
    }
    let readings: Vec<Span> = READING
        .captures_iter(text)
        .filter_map(|c| c.get(1).map(|m| Span::new(m.start(), m.end())))
        .collect();
    let corrections: Vec<Span> = spans(&CORRECTION, text).collect();
    let round = ROUND.find_iter(text).count();
    let chars = text.chars().count();
    let dense = readings.len() >= MIN_READINGS
        && readings.len() as f64 >= MIN_SHARE * round as f64
        && readings.len() * MAX_CHARS_PER_READING >= chars;
    let marked = corrections.iter().any(|c| text[c.range()].contains('='));
    if !dense && !marked {
        return Taken::default();
    }
    let mut edits = Edits::default();
    let taken = corrections.iter().chain(readings.iter().filter(|_| dense));
    taken.for_each(|s| edits.mark(s.start(), s.end()));
    if dense {
        spans(&SLIP, text).for_each(|s| edits.mark(s.start(), s.end()));
    }
    for found in SUPPLIED.captures_iter(text) {
        let inner = found.get(1).expect("it has a group");
        let whole = found.get(0).expect("the whole");
        edits.mark(whole.start(), inner.start());
        edits.mark(inner.end(), whole.end());
    }
    let edits = edits.finish();
    let Some(first) = edits.first().map(|e| e.span) else { return Taken::default() };
    let message = format!(
        "a transcription: {} readings and corrections of characters are left out of the text",
        readings.len() + corrections.len()
    );
    Taken { edits, remarks: vec![Diagnostic::info("transcription", first, message)], title: None }
}

fn spans<'t>(pattern: &'t Regex, text: &'t str) -> impl Iterator<Item = Span> + 't {
    pattern.find_iter(text).map(|m| Span::new(m.start(), m.end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vessels::LogicalText;

    fn read(text: &str) -> String {
        LogicalText::of(text).without(&find(text, None).edits).text().to_string()
    }

    #[test]
    fn readings_corrections_and_slips() {
        let text = "夫子曰：好美女（如）好茲（緇）衣，亞（惡）亞（惡）女（如）亞（惡）巷，則民咸服。【1】□〈者〉[之]也";
        assert_eq!(read(text), "夫子曰：好美女好茲衣，亞亞女亞巷，則民咸服。□之也");
        assert_eq!(read("[子曰：夫民]，則民有遯[=遁]心。"), "子曰：夫民，則民有遯心。");
    }

    #[test]
    fn notes_stay() {
        let text = "學而時習之（說，悅也）不亦說乎（包曰同門）。";
        assert_eq!(read(text), text);
    }
}
