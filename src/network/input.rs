//! What the network sees of a text: folded characters, what is in the gaps between them, and how
//! far away each character and each pair of them occurs again.
//!
//! `lab/network/texts.py` computes the same for training; a test compares the two.

use rustc_hash::FxHashMap;

use crate::text::Key;

/// The kinds of a gap: its mark, and the bits below.
pub const GAPS: usize = 128;
/// A line ends in the gap; an opening or a closing quote is in it.
pub const LINE_END: u8 = 16;
const OPENS: u8 = 32;
const CLOSES: u8 = 64;
/// Marks in the order of their numbers, then all others.
const MARKS: [&str; 8] = ["、", "，,", "；;", "：:", "。.．｡", "？?", "！!", "…—─·‧・○◯●"];
/// Of several marks in a gap that with the greatest strength counts; by number, 0 is no mark.
const STRENGTHS: [u8; 9] = [0, 2, 3, 4, 5, 8, 7, 6, 1];
/// The greatest distance of each bucket, after that for none.
const BUCKETS: [u32; 9] = [1, 2, 3, 4, 6, 12, 24, 64, 255];
/// How many values each of the four distances of a character has: to the same character before and
/// after it, and to the same pair of it and the next.
pub const DISTANCES: [usize; 4] = [BUCKETS.len() + 1; 4];

/// A text as the network sees it; one entry for each character.
pub struct Input {
    /// Ids of characters.
    pub ids: Vec<u16>,
    /// The kind of the gap before each.
    pub gaps: Vec<u8>,
    /// The buckets of its distances.
    pub distances: Vec<[u8; 4]>,
}

impl Input {
    /// The input for the characters of `key`, which are of `text`; `id` gives the id of each.
    pub fn of(text: &str, key: &Key, id: impl Fn(char) -> u16) -> Self {
        let ids: Vec<u16> = key.chars.iter().map(|c| id(*c)).collect();
        let mut before = 0;
        let gaps = (0..key.len()).map(|n| {
            let own = key.span(n, n + 1);
            let gap = if n == 0 { 0 } else { gap(&text[before..own.start()]) };
            before = own.end();
            gap
        });
        let gaps = gaps.collect();
        let distances = distances(&ids);
        Input { ids, gaps, distances }
    }
}

/// The kind of a gap with this between two characters.
fn gap(between: &str) -> u8 {
    let (mut mark, mut bits) = (0, 0);
    for c in between.chars() {
        match c {
            '\n' => bits |= LINE_END,
            '「' | '『' | '《' | '〈' | '“' | '‘' | '〔' | '【' => bits |= OPENS,
            '」' | '』' | '》' | '〉' | '”' | '’' | '〕' | '】' => bits |= CLOSES,
            c => {
                let number = MARKS.iter().position(|m| m.contains(c)).map_or(0, |n| n + 1);
                if STRENGTHS[number] > STRENGTHS[mark] {
                    mark = number;
                }
            }
        }
    }
    bits | mark as u8
}

fn distances(ids: &[u16]) -> Vec<[u8; 4]> {
    let mut found = vec![[0; 4]; ids.len()];
    let single = ids.iter().map(|id| u32::from(*id));
    let pairs = ids.windows(2).map(|p| u32::from(p[0]) << 16 | u32::from(p[1]));
    add(&mut found, 0, single);
    add(&mut found, 2, pairs);
    found
}

/// Adds the distances between equal keys: back in column `first`, forward in the next.
fn add(found: &mut [[u8; 4]], first: usize, keys: impl Iterator<Item = u32>) {
    let mut last: FxHashMap<u32, usize> = FxHashMap::default();
    for (n, key) in keys.enumerate() {
        if let Some(before) = last.insert(key, n) {
            let bucket = bucket((n - before) as u32);
            found[n][first] = bucket;
            found[before][first + 1] = bucket;
        }
    }
}

fn bucket(distance: u32) -> u8 {
    BUCKETS.iter().position(|most| distance <= *most).map_or(0, |n| n as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn a_gap_has_its_strongest_mark_and_what_else_is_in_it() {
        assert_eq!([gap(""), gap("、"), gap("，"), gap("。"), gap("！")], [0, 1, 2, 5, 7]);
        assert_eq!(
            [gap("。」\n"), gap("：「"), gap("，。")],
            [5 | CLOSES | LINE_END, 4 | OPENS, 5]
        );
        assert_eq!([gap("…"), gap("…，"), gap(" \u{3000}")], [8, 2, 0]);
    }

    #[test]
    fn distances_are_to_the_nearest_occurrences_of_characters_and_pairs() {
        let found = distances(&[5, 6, 5, 6, 7]);
        assert_eq!(found, [[0, 2, 0, 2], [0, 2, 0, 0], [2, 0, 2, 0], [2, 0, 0, 0], [0; 4]]);
        let far = |n: usize| bucket(n as u32);
        assert_eq!([far(5), far(7), far(255), far(256)], [5, 6, 9, 0]);
    }

    #[test]
    fn the_first_character_has_no_gap_before_it() {
        let text = "。子曰：「學\n而。";
        let key = Key::of(text, Span::new(0, text.len()));
        let input = Input::of(text, &key, |_| 1);
        assert_eq!(input.gaps, [0, 0, 4 | OPENS, LINE_END]);
    }
}
