//! Local alignment of some words with a text: characters that agree count by their rarity, in
//! order; characters that differ, are added or left out cost.
//!
//! This is the algorithm of Smith and Waterman with affine gaps (O. Gotoh, “An improved algorithm
//! for matching biological sequences”, J. Mol. Biol. 162, 1982). Scores are in nats, so that a
//! score above the logarithm of the number of places is more than chance explains.

use std::ops::Range;

/// Cost of a character that differs.
const MISMATCH: f32 = 2.5;
/// Cost of the first character that one side leaves out.
const GAP: f32 = 2.5;
/// Cost of each further character that the text has and the words have not: accounts are retold
/// with omissions.
const MORE_OF_TEXT: f32 = 0.4;
/// Cost of each further character that the words have and the text has not.
const MORE_OF_WORDS: f32 = 0.6;
/// What a character may count at most.
const MAX_RARITY: f32 = 7.5;
/// Taken from the rarity of each character that agrees: texts on one subject share their words.
const COMMON_SUBJECT: f32 = 1.0;

/// The best agreement of some words with a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// In nats.
    pub score: f32,
    /// The characters of the text, from the first to the last that agrees.
    pub text: Range<usize>,
    /// The characters of the words, likewise.
    pub words: Range<usize>,
    /// Number of characters that agree.
    pub equal: usize,
}

/// The sum of weights and the score of an alignment differ by less than this by rounding.
const ROUNDING: f32 = 0.001;
/// So many agreeing characters back an alignment is continued at most: text that repeats one
/// character would have thousands.
const MAX_BACK: usize = 256;

/// A character of the text that agrees with one of the words, and the best alignment that ends
/// with them.
#[derive(Clone, Copy)]
struct Met {
    text: u32,
    word: u32,
    score: f32,
    /// The highest score up to here.
    highest: f32,
    /// Where the alignment began in text and words.
    from: (u32, u32),
    equal: u32,
}

/// Aligns some words with windows of texts.
///
/// Few characters of a window agree with any of the words. Only these are looked at: what lies
/// between two of them costs the same whatever the characters are.
pub struct Aligner<'a> {
    words: &'a [char],
    weights: &'a [f32],
    /// Which of the words have a character with this last byte, a bit each.
    by_byte: [u64; 256],
    /// Characters of the window that was read last, with the word that each agrees with, in the
    /// order of the text.
    read: Vec<(u32, u32)>,
    /// The alignments that end with these. Kept for its memory.
    met: Vec<Met>,
}

impl<'a> Aligner<'a> {
    /// Most words that can be aligned: a bit each.
    pub const MAX_WORDS: usize = 64;

    /// For some words, with what each of them counts. Those after the most are left out.
    pub fn of(words: &'a [char], weights: &'a [f32]) -> Self {
        let words = &words[..words.len().min(weights.len()).min(Self::MAX_WORDS)];
        let mut by_byte = [0; 256];
        for (i, c) in words.iter().enumerate() {
            by_byte[last_byte(*c)] |= 1 << i;
        }
        Aligner { words, weights, by_byte, read: Vec::new(), met: Vec::new() }
    }

    /// Reads `text[window]`. No agreement with it scores more than the result.
    pub fn read(&mut self, text: &[char], window: Range<usize>) -> f32 {
        self.read.clear();
        let mut any = 0u64;
        for (at, c) in (window.start..).zip(&text[window]) {
            let mut left = self.by_byte[last_byte(*c)];
            while left != 0 {
                let word = left.trailing_zeros();
                left &= left - 1;
                if self.words[word as usize] == *c {
                    any |= 1 << word;
                    self.read.push((at as u32, word));
                }
            }
        }
        self.most(any) + ROUNDING
    }

    /// The score if these words agreed in their order, with no text between them: no word agrees
    /// twice, and those left out cost at least a gap.
    fn most(&self, agree: u64) -> f32 {
        let (mut most, mut used, mut left_out) = (0.0f32, 0.0f32, 0.0f32);
        for (i, weight) in self.weights.iter().enumerate().take(self.words.len()) {
            let without = (used - GAP).max(left_out - MORE_OF_WORDS).max(0.0);
            used = match agree & 1 << i {
                0 => 0.0,
                _ => used.max(left_out) + weight,
            };
            left_out = without;
            most = most.max(used);
        }
        most
    }

    /// The best agreement of the words with the window that was read last: of several, the first
    /// that ends.
    pub fn best(&mut self) -> Option<Agreement> {
        self.met.clear();
        let mut best: Option<Met> = None;
        for &(text, word) in &self.read {
            let mut met = self.meet(text, word);
            if best.is_none_or(|b| met.score > b.score) {
                best = Some(met);
            }
            met.highest = best.map_or(met.score, |b| b.score);
            self.met.push(met);
        }
        best.map(|m| Agreement {
            score: m.score,
            text: m.from.0 as usize..m.text as usize + 1,
            words: m.from.1 as usize..m.word as usize + 1,
            equal: m.equal as usize,
        })
    }

    /// The best alignment that ends with this character.
    fn meet(&self, text: u32, word: u32) -> Met {
        let mut base = Met { text, word, score: 0.0, highest: 0.0, from: (text, word), equal: 0 };
        for m in self.met.iter().rev().take(MAX_BACK) {
            if m.text == text {
                continue;
            }
            let more_text = text - m.text - 1;
            if m.highest - gap(more_text, MORE_OF_TEXT) <= base.score {
                break;
            }
            if m.word < word {
                let score = m.score - between(more_text, word - m.word - 1);
                if score > base.score {
                    base = Met { score, ..*m };
                }
            }
        }
        let score = base.score + self.weights[word as usize];
        Met { text, word, score, highest: score, from: base.from, equal: base.equal + 1 }
    }
}

fn last_byte(c: char) -> usize {
    (u32::from(c) & 0xff) as usize
}

/// What a gap of `n` characters costs.
fn gap(n: u32, more: f32) -> f32 {
    if n == 0 { 0.0 } else { GAP + more * (n - 1) as f32 }
}

/// What so many characters of the text and of the words that do not agree cost: as two gaps, or
/// pair by pair with a gap for the rest, whichever is less.
fn between(text: u32, words: u32) -> f32 {
    let gaps = |pairs| gap(text - pairs, MORE_OF_TEXT) + gap(words - pairs, MORE_OF_WORDS);
    let pairs = text.min(words);
    gaps(0).min(MISMATCH * pairs as f32 + gaps(pairs))
}

/// What a character counts that occurs so rarely.
pub fn weight(rarity: f32) -> f32 {
    (rarity.min(MAX_RARITY) - COMMON_SUBJECT).max(0.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned(text: &str, words: &str) -> (String, usize) {
        let text: Vec<char> = text.chars().collect();
        let words: Vec<char> = words.chars().collect();
        let weights = vec![6.0; words.len()];
        let mut aligner = Aligner::of(&words, &weights);
        aligner.read(&text, 0..text.len());
        let found = aligner.best().unwrap();
        (text[found.text].iter().collect(), found.equal)
    }

    #[test]
    fn words_retold_with_omissions_are_aligned_from_first_to_last() {
        assert_eq!(
            aligned("司射告于賓曰弓矢既具有司請射", "司射告弓矢既具"),
            ("司射告于賓曰弓矢既具".into(), 7)
        );
        assert_eq!(aligned("嘉令類綝彀攻穀介徽善也", "令善也"), ("令類綝彀攻穀介徽善也".into(), 3));
    }

    #[test]
    fn words_apart_are_not_joined() {
        assert_eq!(aligned("甲乙丙丁", "戊乙丙己").0, "乙丙");
    }

    /// The highest score by the whole table of Smith, Waterman and Gotoh.
    fn highest(text: &[char], words: &[char], weights: &[f32]) -> f32 {
        let none = f32::NEG_INFINITY;
        let (mut row, mut added) = (vec![none; words.len() + 1], vec![none; words.len() + 1]);
        let mut highest = none;
        for c in text {
            let (mut diagonal, mut left_out) = (none, none);
            for i in 0..words.len() {
                let above = row[i + 1];
                let through = match words[i] == *c {
                    true => diagonal.max(0.0) + weights[i],
                    false => diagonal - MISMATCH,
                };
                added[i + 1] = (added[i + 1] - MORE_OF_TEXT).max(above - GAP);
                row[i + 1] = through.max(added[i + 1]).max(left_out);
                left_out = (left_out - MORE_OF_WORDS).max(row[i + 1] - GAP);
                highest = highest.max(if words[i] == *c { through } else { none });
                diagonal = above;
            }
        }
        highest
    }

    proptest::proptest! {
        #[test]
        fn scores_are_those_of_the_whole_table(
            text in proptest::collection::vec(0u32..12, 1..40),
            words in proptest::collection::vec((0u32..12, 1u8..60), 1..24),
        ) {
            let char_of = |n: &u32| char::from_u32(0x4e00 + n * 131).expect("it is in a plane");
            let text: Vec<char> = text.iter().map(char_of).collect();
            let weights: Vec<f32> = words.iter().map(|w| f32::from(w.1) / 8.0).collect();
            let words: Vec<char> = words.iter().map(|w| char_of(&w.0)).collect();
            let mut aligner = Aligner::of(&words, &weights);
            let most = aligner.read(&text, 0..text.len());
            let found = aligner.best();
            let score = found.map_or(f32::NEG_INFINITY, |f| f.score);
            let whole = highest(&text, &words, &weights);
            proptest::prop_assert!(score == whole || (score - whole).abs() < 0.001);
            proptest::prop_assert!(score <= most);
        }
    }
}
