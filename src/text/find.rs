//! Finds words in a key, exactly or with some characters different.
//!
//! Commentaries name and quote words with misprints, variants and dropped particles; what differs is counted as edit
//! distance (a character changed, added or left out costs one). The exact search is a plain scan; the lenient one is
//! Sellers' dynamic programme for approximate matching of a whole pattern anywhere in a text (P. H. Sellers, “The theory
//! and computation of evolutionary distances: pattern recognition”, J. Algorithms 1, 1980), here with the start of each
//! match carried along. Both take time `text × words` and suit passages; for a corpus, narrow the place down first.

use std::ops::Range;

use super::Key;

/// A place where words stand: characters `from..to` of the key, `diff` of them off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hit {
    /// Index of the first character.
    pub from: usize,
    /// One past the last.
    pub to: usize,
    /// Edit distance between the words and what stands here.
    pub diff: usize,
}

/// All places in `key` where `words` (folded, no punctuation) stand with at most `max_diff` differences, in order.
///
/// With `max_diff` 0 every occurrence is given, also overlapping ones. Otherwise, of matches that overlap only the best is
/// given: fewest differences, then the right first and last characters, then the length nearest to that of the words.
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
pub fn find_within(text: &[char], range: Range<usize>, words: &[char], max_diff: usize) -> Vec<Hit> {
    let range = range.start.min(text.len())..range.end.min(text.len());
    if words.is_empty() || range.start >= range.end {
        return Vec::new();
    }
    let (base, text) = (range.start, &text[range]);
    let mut hits = if max_diff == 0 { exact(text, words) } else { lenient(text, words, max_diff.min(words.len() - 1)) };
    for h in &mut hits {
        h.from += base;
        h.to += base;
    }
    hits
}

fn exact(text: &[char], words: &[char]) -> Vec<Hit> {
    let n = words.len();
    text.windows(n).enumerate().filter(|(_, w)| *w == words).map(|(i, _)| Hit { from: i, to: i + n, diff: 0 }).collect()
}

/// Sellers: column `j` holds, for each prefix of the words, the least cost of matching it so as to end at `j`, and where
/// that match starts.
fn lenient(text: &[char], words: &[char], max: usize) -> Vec<Hit> {
    let n = words.len();
    let mut column: Vec<(usize, usize)> = (0..=n).map(|i| (i, 0)).collect();
    let mut hits = Vec::new();
    for (j, c) in text.iter().enumerate() {
        let mut diagonal = column[0];
        column[0] = (0, j + 1);
        for i in 1..=n {
            let same = usize::from(words[i - 1] != *c);
            let replace = (diagonal.0 + same, diagonal.1);
            let add = (column[i].0 + 1, column[i].1);
            let drop = (column[i - 1].0 + 1, column[i - 1].1);
            diagonal = column[i];
            // On equal cost the start wins that makes the match as long as the words.
            let lopsided = |from: usize| (j + 1 - from).abs_diff(i);
            column[i] = [replace, add, drop].into_iter().min_by_key(|&(cost, from)| (cost, lopsided(from))).unwrap_or(replace);
        }
        let (diff, from) = column[n];
        if diff <= max && from <= j {
            hits.push(Hit { from, to: j + 1, diff });
        }
    }
    best_of_overlapping(hits, text, words)
}

/// Of matches as close, one that begins and ends with the words' own characters is better.
fn best_of_overlapping(mut hits: Vec<Hit>, text: &[char], words: &[char]) -> Vec<Hit> {
    let n = words.len();
    let ends = |h: &Hit| usize::from(text[h.from] != words[0]) + usize::from(text[h.to - 1] != words[n - 1]);
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
        find_within(&text, 0..text.len(), &words, max).into_iter().map(|h| (h.from, h.to, h.diff)).collect()
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
