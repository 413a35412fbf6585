//! Page numbers and running heads: lines that belong to the page, often in the midst of a sentence.
//!
//! The numbers of a book's pages rise by one. They are taken out if something shows that they are
//! not numbers of chapters: a sentence goes on after them, a page ends there, or a head comes back.
//! Other numbers that stand alone and rise by one are those of sections: marks.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;

use super::{Aside, Edit, Taken, VesselHints};
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::{self, Line, ends_with_sentence, pattern};

/// A head comes back after at most so many pages.
const MAX_PAGES_PER_HEAD: usize = 4;
/// Lines before a page number in which the text before it is looked for.
const MAX_LINES_BACK: usize = 20;
/// Longest head, in characters.
const MAX_HEAD: usize = 24;
/// Most that the number of a page may be higher than the number before: a page without one may lie
/// between. A page may have it twice, in its head and at its foot.
const MAX_STEP: usize = 2;
/// Least share of the lines that look like page numbers that must be in one row of them.
const MIN_SHARE: f64 = 0.6;
/// Fewest numbers of sections.
const MIN_SECTIONS: usize = 3;

/// A line that may be the number of a page: with its head, or alone.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[-–—·•~\[(（〔第p.]*\s*(?P<alone>[0-9０-９]{1,4})\s*[-–—·•~\])）〕頁页]*|(?P<head>\D{2,24}?)[\s\u{3000}]{2,}(?P<after>[0-9]{1,4})|(?P<before>[0-9]{1,4})[\s\u{3000}]{2,}(?P<title>\D{2,24}))$",
    )
});

/// A line that may be the number of a page.
struct PageNumber<'t> {
    line: usize,
    number: usize,
    /// The head beside it; empty if it is alone.
    head: &'t str,
}

/// Finds the lines of pages.
pub(super) fn find(text: &str, _: VesselHints<'_>) -> Taken {
    let lines = text::lines(text);
    let words = |n: usize| &text[lines[n].words.range()];
    let numbers: Vec<PageNumber<'_>> =
        (0..lines.len()).filter_map(|n| numbered(words(n), n)).collect();
    of_pages(text, &lines, &numbers).unwrap_or_else(|| sections(text, &lines, &numbers))
}

fn of_pages(text: &str, lines: &[Line], numbers: &[PageNumber<'_>]) -> Option<Taken> {
    let row = row(numbers);
    if row.len() < 2 || (row.len() as f64) < MIN_SHARE * numbers.len() as f64 {
        return None;
    }
    let heads = heads(text, lines, &row);
    let breaks = row.iter().filter(|p| is_break(text, lines, p)).count();
    if breaks * 3 < row.len() && heads.is_empty() {
        return None;
    }
    let mut taken: Vec<usize> = row.iter().map(|p| p.line).chain(heads).collect();
    taken.sort_unstable();
    taken.dedup();
    let (blanks, width) = (pages_have_blanks(text, lines, &row), width(text, lines));
    let of_page = |line| {
        breaks_off(text, lines, line) || blanks && !ends_paragraph(text, lines, (line, width))
    };
    let edits = blocks(lines, &taken, of_page)
        .map(|block| {
            let span =
                Span::new(lines[block.start].whole.start(), lines[block.end - 1].whole.end());
            Edit::without(span, Aside::Furniture)
        })
        .collect();
    let first = lines[taken[0]].words;
    let message = format!("{} lines are page numbers and running heads", taken.len());
    let remarks = vec![Diagnostic::info("page-lines", first, message)];
    Some(Taken { edits, remarks, ..Taken::default() })
}

/// Numbers that stand alone before the sections of a text, from 1 on in each chapter.
fn sections(text: &str, lines: &[Line], numbers: &[PageNumber<'_>]) -> Taken {
    let words = |n: usize| &text[lines[n].words.range()];
    let alone = numbers.iter().filter(|n| words(n.line).bytes().all(|b| b.is_ascii_digit()));
    let alone: Vec<_> = alone.collect();
    let goes_on = |a: &&PageNumber<'_>, b: &&PageNumber<'_>| b.number == a.number + 1;
    let rows = alone.chunk_by(goes_on).filter(|row| row[0].number == 1);
    let taken: Vec<usize> = rows.flatten().map(|n| n.line).collect();
    if taken.len() < MIN_SECTIONS || (taken.len() as f64) < MIN_SHARE * alone.len() as f64 {
        return Taken::default();
    }
    let mark = |line: &usize| Edit::without(lines[*line].whole, Aside::Mark);
    let message = format!("{} lines are numbers of sections", taken.len());
    let remarks = vec![Diagnostic::info("section-numbers", lines[taken[0]].words, message)];
    Taken { edits: taken.iter().map(mark).collect(), remarks, ..Taken::default() }
}

fn numbered(words: &str, line: usize) -> Option<PageNumber<'_>> {
    let found = NUMBERED.captures(words)?;
    let digits = ["alone", "after", "before"].iter().find_map(|n| found.name(n))?;
    let number = digits.as_str().chars().filter_map(|c| match c {
        '０'..='９' => Some(c as usize - '０' as usize),
        c => c.to_digit(10).map(|d| d as usize),
    });
    let number = number.fold(0, |n, d| n * 10 + d);
    let head = found.name("head").or(found.name("title")).map_or("", |m| m.as_str().trim());
    Some(PageNumber { line, number, head })
}

/// The longest row of numbers that rise as those of pages do.
fn row<'n, 't>(numbers: &'n [PageNumber<'t>]) -> Vec<&'n PageNumber<'t>> {
    let mut longest: Vec<&PageNumber<'_>> = vec![];
    let mut row: Vec<&PageNumber<'_>> = vec![];
    for page in numbers {
        match row.last() {
            Some(last) if (0..=MAX_STEP).contains(&page.number.wrapping_sub(last.number)) => {}
            // Something else that is a number, or another volume.
            Some(_) if row.len() > 1 && page.number != 1 => continue,
            _ => {
                if row.len() > longest.len() {
                    longest = std::mem::take(&mut row);
                }
                row.clear();
            }
        }
        row.push(page);
    }
    if row.len() > longest.len() { row } else { longest }
}

/// True if a page ends at this number: a sentence goes on after it, or the page is marked.
fn is_break(text: &str, lines: &[Line], page: &PageNumber<'_>) -> bool {
    let around = page.line.saturating_sub(1)..(page.line + 2).min(lines.len());
    let marked = lines[around].iter().any(|l| text[l.whole.range()].contains('\u{C}'));
    marked || breaks_off(text, lines, page.line)
}

/// True if the text before a line breaks off in a sentence.
fn breaks_off(text: &str, lines: &[Line], line: usize) -> bool {
    last_before(text, lines, line)
        .is_some_and(|w| w.contains(['。', '，', ',', '、']) && !ends_with_sentence(w))
}

/// True if the text before a line ends a paragraph: with a sentence, in a line that is not full.
fn ends_paragraph(text: &str, lines: &[Line], (line, width): (usize, usize)) -> bool {
    last_before(text, lines, line)
        .is_some_and(|w| ends_with_sentence(w) && w.chars().count() * 10 < width * 9)
}

/// The last line of the text before a line.
fn last_before<'t>(text: &'t str, lines: &[Line], line: usize) -> Option<&'t str> {
    let mut before =
        lines[..line].iter().rev().take(MAX_LINES_BACK).map(|l| &text[l.words.range()]);
    before.find(|w| !w.is_ascii())
}

/// Characters of a full line: few are longer.
fn width(text: &str, lines: &[Line]) -> usize {
    let lengths = lines.iter().map(|l| text[l.words.range()].chars().count());
    let mut lengths: Vec<usize> = lengths.filter(|n| *n > 0).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() * 9 / 10).copied().unwrap_or(0)
}

/// True if blank lines around page numbers are those of the page: they stand inside sentences too.
fn pages_have_blanks(text: &str, lines: &[Line], row: &[&PageNumber<'_>]) -> bool {
    let is_blank = |n: usize| lines.get(n).is_some_and(|l| l.words.is_empty());
    let inside: Vec<&&PageNumber<'_>> = row.iter().filter(|p| is_break(text, lines, p)).collect();
    let blank = |p: &&&PageNumber<'_>| is_blank(p.line + 1) || p.line > 0 && is_blank(p.line - 1);
    inside.iter().filter(|p| blank(p)).count() * 2 > inside.len()
}

/// The lines beside page numbers that come back on other pages.
fn heads(text: &str, lines: &[Line], row: &[&PageNumber<'_>]) -> Vec<usize> {
    let words = |n: usize| &text[lines[n].words.range()];
    let near = |page: &PageNumber<'_>| {
        let after = (page.line + 1..lines.len()).find(|n| !words(*n).is_empty());
        let before = (0..page.line).rev().find(|n| !words(*n).is_empty());
        [before, after].into_iter().flatten()
    };
    let can_be = |w: &str| w.chars().count() <= MAX_HEAD && !ends_with_sentence(w);
    let lines_near = row.iter().filter(|p| p.head.is_empty()).flat_map(|p| near(p));
    let candidates: Vec<usize> = lines_near.filter(|n| can_be(words(*n))).collect();
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    for head in candidates.iter().map(|n| key(words(*n))) {
        *seen.entry(head).or_default() += 1;
    }
    let beside: BTreeSet<String> =
        row.iter().map(|p| key(p.head)).filter(|h| !h.is_empty()).collect();
    for head in row.iter().map(|p| key(p.head)).filter(|h| !h.is_empty()) {
        *seen.entry(head).or_default() += 1;
    }
    let comes_back = |n: &usize| {
        let own = key(words(*n));
        seen.get(&own).is_some_and(|n| *n > 1 && *n * MAX_PAGES_PER_HEAD >= row.len())
            || own.chars().count() > 1
                && beside.range(own.clone()..).next().is_some_and(|h| h.starts_with(&own))
    };
    let mut heads: Vec<usize> = candidates.into_iter().filter(comes_back).collect();
    // Heads beside numbers are lines of the row already; they count as what comes back.
    heads.extend(row.iter().filter(|p| !p.head.is_empty()).map(|p| p.line));
    heads
}

/// A head without what differs from page to page.
fn key(head: &str) -> String {
    head.chars().filter(|c| is_content(*c) && !c.is_ascii_digit()).collect()
}

/// Lines that follow each other, with the blank lines around them and between if these are not the
/// text's, which `takes_blanks` says of the first.
fn blocks<'l>(
    lines: &'l [Line],
    taken: &'l [usize],
    takes_blanks: impl Fn(usize) -> bool + 'l,
) -> impl Iterator<Item = Range<usize>> + 'l {
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = *taken.get(at)?;
        let blanks = takes_blanks(first);
        let is_blank = |n: usize| blanks && lines[n].words.is_empty();
        let start = (0..first).rev().take_while(|n| is_blank(*n)).last().unwrap_or(first);
        let mut end = first + 1;
        at += 1;
        loop {
            while end < lines.len() && is_blank(end) {
                end += 1;
            }
            if taken.get(at) != Some(&end) {
                return Some(start..end);
            }
            end += 1;
            at += 1;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str) -> String {
        let found = find(text, VesselHints::default());
        super::super::LogicalText::of(text).without(&found.edits).text().to_string()
    }

    #[test]
    fn numbers_and_heads_between_pages_are_taken_out() {
        let text = "論語注疏卷第一      1\n學而第一\n子曰，學而時習之，不\n      1\n  論語注疏\n\n亦說乎。\n人不知，而\n      2\n論語注疏卷第一      3\n不慍。\n";
        assert_eq!(without(text), "學而第一\n子曰，學而時習之，不\n亦說乎。\n人不知，而\n不慍。\n");
    }

    #[test]
    fn a_paragraph_that_ends_with_its_page_is_one() {
        let text = "子曰學而時習之，不亦說\n\n1\n\n乎，有朋自遠方來，不亦\n樂乎。\n\n2\n\n人不知而不慍，不亦君子\n乎，有子曰其為人也孝弟\n\n3\n\n而好犯上者，鮮矣。\n";
        let whole = "子曰學而時習之，不亦說\n乎，有朋自遠方來，不亦\n樂乎。\n\n\n人不知而不慍，不亦君子\n乎，有子曰其為人也孝弟\n而好犯上者，鮮矣。\n";
        assert_eq!(without(text), whole);
    }

    #[test]
    fn numbers_of_sections_are_marks() {
        let text = "學而\n1\n子曰：學而時習之，不亦說乎。\n\n2\n有子曰：其為人也孝弟。\n為政\n1\n子曰：為政以德。\n";
        let found = find(text, VesselHints::default());
        assert_eq!(found.remarks[0].code, "section-numbers");
        assert_eq!(without(text), text.replace("1\n", "").replace("2\n", ""));
        assert_eq!(without("學而\n1\n"), "學而\n1\n");
        assert_eq!(
            without("學而\n1850\n為政\n1911\n八佾\n1949\n"),
            "學而\n1850\n為政\n1911\n八佾\n1949\n"
        );
    }
}
