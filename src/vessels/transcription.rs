//! Marks of those who transcribe a manuscript or an excavated text: （ ） the reading of the
//! character before it, 〈 〉 or [=…] a correction, 【12】 the end of a slip, [ ] what is
//! supplied, □ and ▨ what is lost.
//!
//! They differ from notes in their density and place: the readings of a transcription are one or
//! two characters after one character, and most of its brackets are such. What is supplied is text.
//! What the marks say of the words beside them becomes readings of the document.

use std::sync::LazyLock;

use regex::{Captures, Match, Regex};

use super::edits::Edits;
use super::{Taken, VesselHints};
use crate::diag::Diagnostic;
use crate::model::{Certainty, Reading, ReadingKind, SharedList};
use crate::source::Span;
use crate::text::pattern;

/// Least number of readings, and their least share of all round brackets.
const MIN_READINGS: usize = 5;
const MIN_SHARE: f64 = 0.8;
/// Least number of readings in so many characters.
const MAX_CHARS_PER_READING: usize = 60;

static ROUND: LazyLock<Regex> = LazyLock::new(|| pattern(r"[（(][^（）()\n]{1,400}[）)]"));
/// What is read, the mark, and in it the reading.
static READING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"([\p{Han}=])([（(]=?(\p{Han}{1,2})[）)])"));
static CORRECTION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(\p{Han}?)([\[［]=(\p{Han}{1,4})[\]］]|〈(\p{Han}{1,2})〉)"));
static LOST: LazyLock<Regex> = LazyLock::new(|| pattern(r"[□▨]+"));
static SLIP: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"【[0-9０-９一二三四五六七八九十百+正背上下]{1,6}】"));
static SUPPLIED: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\[［]([^\[\]［］=\n]{1,60})[\]］]"));

/// Finds the marks.
pub(super) fn find(text: &str, _: VesselHints<'_>) -> Taken {
    if !text.contains(['（', '(', '[', '［']) {
        return Taken::default();
    }
    let readings: Vec<Marked> = READING.captures_iter(text).map(Marked::of).collect();
    let corrections: Vec<Marked> = CORRECTION.captures_iter(text).map(Marked::of).collect();
    let round = ROUND.find_iter(text).count();
    let chars = text.chars().count();
    let dense = readings.len() >= MIN_READINGS
        && readings.len() as f64 >= MIN_SHARE * round as f64
        && readings.len() * MAX_CHARS_PER_READING >= chars;
    let marked = corrections.iter().any(|c| text[c.mark.range()].contains('='));
    if !dense && !marked {
        return Taken::default();
    }
    let (mut edits, mut said) = (Edits::default(), vec![]);
    let kinds = [(&corrections, ReadingKind::Repair), (&readings, ReadingKind::Variant)];
    for (all, kind) in kinds.into_iter().take(1 + usize::from(dense)) {
        for m in all {
            edits.mark(m.mark.start(), m.mark.end());
            said.extend(m.word.map(|span| reading(span, m.read, kind)));
        }
    }
    if dense {
        spans(&SLIP, text).for_each(|s| edits.mark(s.start(), s.end()));
    }
    for found in SUPPLIED.captures_iter(text) {
        let [whole, inner] = [0, 1].map(|n| span(found.get(n).expect("it has a group")));
        edits.mark(whole.start(), inner.start());
        edits.mark(inner.end(), whole.end());
        said.push(reading(inner, "", ReadingKind::Supplied));
    }
    said.extend(spans(&LOST, text).map(|span| reading(span, "", ReadingKind::Lost)));
    let edits = edits.finish();
    let Some(first) = edits.first().map(|e| e.span) else { return Taken::default() };
    let message = format!(
        "a transcription: {} readings and corrections of characters are left out of the text",
        readings.len() + corrections.len()
    );
    let remarks = vec![Diagnostic::info("transcription", first, message)];
    Taken { edits, remarks, readings: said, ..Taken::default() }
}

/// A mark that says how the character before it is to be read.
struct Marked<'t> {
    /// The character, if it is one that can be read otherwise.
    word: Option<Span>,
    mark: Span,
    read: &'t str,
}

impl<'t> Marked<'t> {
    /// Of the groups of [`READING`] and [`CORRECTION`].
    fn of(found: Captures<'t>) -> Self {
        let word = found.get(1).filter(|w| !matches!(w.as_str(), "" | "="));
        let mark = found.get(2).expect("both have it");
        let read = found.get(3).or(found.get(4)).map_or("", |m| m.as_str());
        Marked { word: word.map(span), mark: span(mark), read }
    }
}

/// A reading that the source itself states.
fn reading(span: Span, read: &str, kind: ReadingKind) -> Reading {
    let evidence = SharedList::default();
    Reading { span, reading: read.into(), kind, certainty: Certainty::SURE, evidence }
}

fn span(found: Match<'_>) -> Span {
    Span::new(found.start(), found.end())
}

fn spans<'t>(pattern: &'t Regex, text: &'t str) -> impl Iterator<Item = Span> + 't {
    pattern.find_iter(text).map(span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vessels::LogicalText;

    fn read(text: &str) -> String {
        LogicalText::of(text).without(&find(text, VesselHints::default()).edits).text().to_string()
    }

    #[test]
    fn readings_corrections_and_slips() {
        let text = "夫子曰：好美女（如）好茲（緇）衣，亞（惡）亞（惡）女（如）亞（惡）巷，則民咸服。【1】□〈者〉[之]也";
        assert_eq!(read(text), "夫子曰：好美女好茲衣，亞亞女亞巷，則民咸服。□之也");
        assert_eq!(read("[子曰：夫民]，則民有遯[=遁]心。"), "子曰：夫民，則民有遯心。");
    }

    #[test]
    fn what_the_marks_say() {
        let text = "[子曰：夫民]，則民有遯[=遁]心。□□〈者〉";
        let said: Vec<_> = find(text, VesselHints::default())
            .readings
            .iter()
            .map(|r| (&text[r.span.range()], r.reading.to_string(), r.kind))
            .collect();
        let expected = [
            ("遯", "遁", ReadingKind::Repair),
            ("子曰：夫民", "", ReadingKind::Supplied),
            ("□□", "", ReadingKind::Lost),
        ];
        assert_eq!(said, expected.map(|(w, r, k)| (w, r.to_string(), k)));
    }

    #[test]
    fn notes_stay() {
        let text = "學而時習之（說，悅也）不亦說乎（包曰同門）。";
        assert_eq!(read(text), text);
    }
}
