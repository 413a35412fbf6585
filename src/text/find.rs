//! Finds words in a key, exactly or with some characters different.
//!
//! Commentaries quote words with misprints, variants and dropped particles. The difference is
//! measured as edit distance (a character changed, added or left out costs one). The exact search
//! is a plain scan; the lenient one is Sellers' dynamic programme for approximate matching of a
//! whole pattern anywhere in a text (P. H. Sellers, “The theory and computation of evolutionary
//! distances: pattern recognition”, J. Algorithms 1, 1980), here with the start of each match. Only
//! the text around an exact occurrence of a piece of the words is searched leniently (the
//! pigeonhole filter of Wu & Manber 1992). Both scan the text; [`grams`](super::grams) finds the
//! same without a scan.

use std::ops::Range;

use super::Key;

/// An occurrence of words: characters `from..to` of the key, with `diff` differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hit {
    /// Index of the first character.
    pub from: usize,
    /// One past the last.
    pub to: usize,
    /// Edit distance between the words and the text here.
    pub diff: usize,
}

/// All places in `key` where `words` (folded, no punctuation) occur with at most `max_diff`
/// differences, in order.
///
/// With `max_diff` 0 every occurrence is returned, also overlapping ones. Otherwise only the best
/// of overlapping matches is returned: fewest differences, then the right first and last
/// characters, then the length nearest to that of the words.
///
/// ```
/// use zhushu::{source::Span, text::{Key, find::find_all}};
/// let text = "握,謂中央也。上握焉。";
/// let key = Key::of(text, Span::new(0, text.len()));
/// assert!(find_all(&key, &['握', '馬'], 0).is_empty());
/// let hits = find_all(&key, &['上', '握', '馬'], 1);
/// assert_eq!(hits.len(), 1);
/// assert_eq!(&text[key.span(hits[0].from, hits[0].to).range()], "上握焉");
/// ```
pub fn find_all(key: &Key, words: &[char], max_diff: usize) -> Vec<Hit> {
    find_within(&key.chars, 0..key.len(), words, max_diff)
}

/// As [`find_all`], in characters `range` of `text`; indices count from the start of `text`.
pub fn find_within(
    text: &[char],
    range: Range<usize>,
    words: &[char],
    max_diff: usize,
) -> Vec<Hit> {
    let range = range.start.min(text.len())..range.end.min(text.len());
    if words.is_empty() || range.start >= range.end {
        return Vec::new();
    }
    let (base, text) = (range.start, &text[range]);
    let mut hits = match max_diff.min(words.len() - 1) {
        0 => exact(text, words),
        max => lenient_in(text, likely(text, words, max), words, max),
    };
    for h in &mut hits {
        h.from += base;
        h.to += base;
    }
    hits
}

fn exact(text: &[char], words: &[char]) -> Vec<Hit> {
    starts(text, words).map(|i| Hit { from: i, to: i + words.len(), diff: 0 }).collect()
}

/// Where `words` occur exactly.
fn starts<'a>(text: &'a [char], words: &'a [char]) -> impl Iterator<Item = usize> + 'a {
    let n = words.len();
    let first = words[0];
    let within = text.len().saturating_sub(n - 1);
    text[..within]
        .iter()
        .enumerate()
        .filter(move |(_, c)| **c == first)
        .map(|(i, _)| i)
        .filter(move |i| text[*i..*i + n] == *words)
}

/// Disjoint ranges of the text outside which nothing can match: a match with `max` differences
/// contains at least one of `max + 1` pieces of the words exactly.
fn likely(text: &[char], words: &[char], max: usize) -> Vec<Range<usize>> {
    let n = words.len();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for piece in 0..=max {
        let (a, b) = (piece * n / (max + 1), (piece + 1) * n / (max + 1));
        ranges.extend(
            starts(text, &words[a..b])
                .map(|i| i.saturating_sub(a + max)..(i + n - a + max).min(text.len())),
        );
    }
    merged(ranges)
}

/// Lenient matches in some ranges of the text, the best of those that overlap.
pub(super) fn lenient_in(
    text: &[char],
    ranges: Vec<Range<usize>>,
    words: &[char],
    max: usize,
) -> Vec<Hit> {
    best_of_overlapping(
        ranges.into_iter().flat_map(|r| lenient(text, r, words, max)).collect(),
        text,
        words,
    )
}

/// The hits with the fewest differences, at most the first `limit`.
pub(super) fn closest_of(mut hits: Vec<Hit>, limit: usize) -> Vec<Hit> {
    let fewest = hits.iter().map(|h| h.diff).min();
    hits.retain(|h| Some(h.diff) == fewest);
    hits.truncate(limit);
    hits
}

/// Ranges in order; those that touch are joined.
pub(super) fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|r| r.start);
    let mut apart: Vec<Range<usize>> = Vec::new();
    for r in ranges {
        match apart.last_mut() {
            Some(last) if r.start <= last.end => last.end = last.end.max(r.end),
            _ => apart.push(r),
        }
    }
    apart
}

/// Sellers: column `j` holds, for each prefix of the words, the least cost of matching it so as to
/// end at `j`, and where that match starts.
fn lenient(text: &[char], range: Range<usize>, words: &[char], max: usize) -> Vec<Hit> {
    let n = words.len();
    let mut column: Vec<(usize, usize)> = (0..=n).map(|i| (i, range.start)).collect();
    let mut hits = Vec::new();
    for (j, c) in text[..range.end].iter().enumerate().skip(range.start) {
        let mut diagonal = column[0];
        column[0] = (0, j + 1);
        for i in 1..=n {
            let same = usize::from(words[i - 1] != *c);
            let replace = (diagonal.0 + same, diagonal.1);
            let add = (column[i].0 + 1, column[i].1);
            let drop = (column[i - 1].0 + 1, column[i - 1].1);
            diagonal = column[i];
            // If costs are equal, the start that makes the match as long as the words wins.
            let lopsided = |from: usize| (j + 1 - from).abs_diff(i);
            column[i] = [replace, add, drop]
                .into_iter()
                .min_by_key(|&(cost, from)| (cost, lopsided(from)))
                .unwrap_or(replace);
        }
        let (diff, from) = column[n];
        if diff <= max && from <= j {
            hits.push(Hit { from, to: j + 1, diff });
        }
    }
    hits
}

/// Of equally close matches, one that begins and ends with the characters of the words is better.
fn best_of_overlapping(mut hits: Vec<Hit>, text: &[char], words: &[char]) -> Vec<Hit> {
    let n = words.len();
    let ends = |h: &Hit| {
        usize::from(text[h.from] != words[0]) + usize::from(text[h.to - 1] != words[n - 1])
    };
    hits.sort_by_key(|h| (h.diff, ends(h), (h.to - h.from).abs_diff(n), h.from));
    let mut kept = std::collections::BTreeMap::<usize, Hit>::new();
    for h in hits {
        let before = kept.range(..h.to).next_back();
        if before.is_none_or(|(_, k)| k.to <= h.from) {
            kept.insert(h.from, h);
        }
    }
    kept.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str, words: &str, max: usize) -> Vec<(usize, usize, usize)> {
        let text: Vec<char> = text.chars().collect();
        let words: Vec<char> = words.chars().collect();
        find_within(&text, 0..text.len(), &words, max)
            .into_iter()
            .map(|h| (h.from, h.to, h.diff))
            .collect()
    }

    #[test]
    fn the_filter_loses_no_match() {
        // A little generator: texts over few characters, so that near matches abound.
        let mut seed = 7u32;
        let mut next = |n: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % n
        };
        for _ in 0..2000 {
            let text: Vec<char> =
                (0..60).map(|_| ['甲', '乙', '丙', '丁', '戊'][next(5) as usize]).collect();
            let n = 2 + next(9) as usize;
            let words: Vec<char> =
                (0..n).map(|_| ['甲', '乙', '丙', '丁', '戊'][next(5) as usize]).collect();
            let max = (1 + next(3) as usize).min(n - 1);
            let whole =
                best_of_overlapping(lenient(&text, 0..text.len(), &words, max), &text, &words);
            assert_eq!(find_within(&text, 0..text.len(), &words, max), whole, "{words:?} {max}");
        }
    }

    #[test]
    fn exact_occurrences_may_overlap() {
        assert_eq!(find("再拜再拜再拜", "再拜再拜", 0), [(0, 4, 0), (2, 6, 0)]);
        assert_eq!(find("再拜", "", 0), []);
    }

    #[test]
    fn changed_added_and_dropped_characters_cost_one_each() {
        assert_eq!(find("執弓反射位不俟其黨已酌", "不待其黨", 1), [(5, 9, 1)]);
        assert_eq!(find("嫌賓主人射亦作之", "嫌賓主射亦作之", 1), [(0, 8, 1)]);
        assert_eq!(find("略之不由次", "略之不由次第", 1), [(0, 5, 1)]);
        assert_eq!(find("推手曰揖引手曰厭", "推手揖", 1), [(0, 4, 1), (4, 7, 2)][..1]);
        assert_eq!(find("俟複射", "待複射", 1), [(0, 3, 1)]);
        assert_eq!(find("略之不由次", "全然無關", 2), []);
    }

    #[test]
    fn the_better_of_overlapping_matches_is_kept() {
        assert_eq!(find("甲乙丙丁甲乙丙戊", "甲乙丙丁", 1), [(0, 4, 0), (4, 8, 1)]);
    }

    #[test]
    fn a_part_of_a_text_can_be_searched() {
        let text: Vec<char> = "甲乙甲乙甲乙".chars().collect();
        assert_eq!(find_within(&text, 1..4, &['甲', '乙'], 0), [Hit { from: 2, to: 4, diff: 0 }]);
    }
}
