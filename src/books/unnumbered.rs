//! Titles that only their form shows: short lines without a number, each with text of its own below
//! it, in a book whose chapters no list has (九徵, 體別, 流業).

use std::collections::HashSet;

use super::headings::{FoundTitles, Numbering};
use crate::model::Document;
use crate::text::class::is_content;

/// Titles that a book must have.
const MIN_TITLES: usize = 4;
/// Characters of the longest.
const MAX_CHARS: usize = 10;
/// Share of the lines of a shape that must be such titles.
const MIN_SHARE: f64 = 0.8;
/// Characters of text below a title, on average.
const MIN_TEXT_CHARS: usize = 150;
/// A line of text is on average so many times longer than a title.
const TIMES_LONGER: usize = 4;

/// Those of `members`, which have one shape, that are such titles; none if too many others look
/// like them.
pub(super) fn titles(document: &Document, found: &FoundTitles, members: &[usize]) -> Vec<usize> {
    let mut seen = HashSet::new();
    let fits = |n: &usize| {
        let t = &found.titles[*n];
        t.shape.titled
            && t.shape.numbering == Numbering::None
            && t.volume.is_none()
            && t.key.chars().count() <= MAX_CHARS
            && !t.title.chars().any(|c| c.is_ascii_alphanumeric())
            && text_follows(found, t.line)
    };
    let fitting: Vec<usize> = members.iter().copied().filter(fits).collect();
    let distinct = fitting.iter().filter(|n| seen.insert(&found.titles[**n].key)).count();
    let share = |n: usize| n as f64 >= MIN_SHARE * members.len() as f64;
    if distinct < MIN_TITLES || !share(distinct) || !text_is_longer(document, found, &fitting) {
        return vec![];
    }
    fitting
}

/// True if the next line that is not empty is text.
pub(super) fn text_follows(found: &FoundTitles, line: usize) -> bool {
    let title = found.titles.partition_point(|t| t.line <= line);
    let next = found.titles.get(title).map_or(found.lines.len(), |t| t.line);
    found.text[line + 1..next].contains(&true)
}

/// True if the lines of text are much longer than the titles, and there is much text for each.
fn text_is_longer(document: &Document, found: &FoundTitles, titles: &[usize]) -> bool {
    let chars = |words: &str| words.chars().filter(|c| is_content(*c)).count();
    let texts = found.lines.iter().zip(&found.text).filter(|(_, text)| **text);
    let (mut lines, mut all) = (0, 0);
    for (line, _) in texts {
        lines += 1;
        all += chars(document.slice(line.words));
    }
    let of_titles: usize = titles.iter().map(|n| found.titles[*n].key.chars().count()).sum();
    all >= MIN_TEXT_CHARS * titles.len()
        && all * titles.len() >= TIMES_LONGER * of_titles * lines.max(1)
}
