//! Content that a page has twice.
//!
//! Scraped pages often have a text twice (for print, for phones). Real prose, even ritual prose,
//! repeats phrases but not passages: inside one copy of the translation of 鄉射禮 the longest repeat
//! is 15 characters. So a run of [`MIN_REPEAT_CHARS`] characters that occurred before, word for
//! word, is a copy. Runs are found by hashing every window of [`WINDOW_CHARS`] characters at its
//! first place; the work is linear in the text.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// Characters compared at once.
const WINDOW_CHARS: usize = 24;
/// Shortest run that counts as a copy.
pub const MIN_REPEAT_CHARS: usize = 80;

/// A later run and where it occurred first, in characters of the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The later copy.
    pub copy: Range<usize>,
    /// Start of the first.
    pub first: usize,
}

/// Runs of `chars` that repeat an earlier run that ends before they begin.
pub fn repeats(chars: &[char]) -> Vec<Repeat> {
    let mut seen: FxHashMap<u64, usize> = FxHashMap::default();
    let mut found: Vec<Repeat> = Vec::new();
    if chars.len() < MIN_REPEAT_CHARS * 2 {
        return found;
    }
    let hashes = window_hashes(chars);
    let mut at = 0;
    while at < hashes.len() {
        let run = seen.get(&hashes[at]).map_or(0, |&first| extend(chars, first, at));
        if run >= MIN_REPEAT_CHARS {
            let first = seen[&hashes[at]];
            push(&mut found, Repeat { copy: at..at + run, first });
            at += run;
        } else {
            seen.entry(hashes[at]).or_insert(at);
            at += 1;
        }
    }
    found
}

/// Length of the common run from two places; the first may not reach the second.
fn extend(chars: &[char], first: usize, at: usize) -> usize {
    chars[at..].iter().zip(&chars[first..at]).take_while(|(a, b)| a == b).count()
}

/// Joins runs on the same diagonal with only a few characters between them.
fn push(found: &mut Vec<Repeat>, next: Repeat) {
    match found.last_mut() {
        Some(last)
            if next.copy.start - last.copy.end <= 8
                && next.first.abs_diff(last.first + last.copy.len()) <= 16 =>
        {
            last.copy.end = next.copy.end;
        }
        _ => found.push(next),
    }
}

/// A rolling hash of each window.
fn window_hashes(chars: &[char]) -> Vec<u64> {
    const BASE: u64 = 0x0100_0000_01B3;
    let top = (0..WINDOW_CHARS - 1).fold(1u64, |p, _| p.wrapping_mul(BASE));
    let mut hash = 0u64;
    let mut all = Vec::with_capacity(chars.len());
    for (i, c) in chars.iter().enumerate() {
        if i >= WINDOW_CHARS {
            hash = hash
                .wrapping_sub(u64::from(u32::from(chars[i - WINDOW_CHARS]) + 1).wrapping_mul(top));
        }
        hash = hash.wrapping_mul(BASE).wrapping_add(u64::from(u32::from(*c) + 1));
        if i + 1 >= WINDOW_CHARS {
            all.push(hash);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(n: usize, seed: u32) -> Vec<char> {
        let mut x = seed;
        (0..n)
            .map(|_| {
                x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                char::from_u32(0x4E00 + (x >> 16) % 500).unwrap()
            })
            .collect()
    }

    #[test]
    fn a_second_copy_is_found_and_a_formula_is_not() {
        let page = prose(400, 1);
        let mut twice = page.clone();
        twice.extend(prose(5, 2));
        twice.extend(&page[10..300]);
        twice.extend(prose(50, 3));
        twice.extend(&page[..30]);
        assert_eq!(repeats(&twice), [Repeat { copy: 405..695, first: 10 }]);
    }

    #[test]
    fn a_copy_with_a_slip_is_one_copy() {
        let page = prose(400, 1);
        let mut twice = page.clone();
        twice.extend(&page);
        twice[600] = '獲';
        assert_eq!(repeats(&twice), [Repeat { copy: 400..800, first: 0 }]);
    }

    #[test]
    fn one_repeated_character_is_not_a_copy() {
        assert!(repeats(&['啊'; 100]).is_empty());
    }
}
