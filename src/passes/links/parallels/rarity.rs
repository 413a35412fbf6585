//! How much the same words in two places say: what is rare tells of a common source, what is
//! formula does not.
//!
//! The measure is the information of the words under a character trigram model of the corpus
//! itself, in bits, without the two places in question: how surprising it would be to meet them
//! again by chance. A word that always follows another (稽首 after 再拜) adds next to nothing. In a
//! corpus of `n` characters there are about `n²` pairs of places, so words of fewer than `2 log₂ n`
//! bits are expected to recur somewhere by chance alone (the reasoning of E-values: S. Karlin and
//! S. F. Altschul, “Methods for assessing the statistical significance of molecular sequence
//! features”, PNAS 87, 1990).

use rustc_hash::FxHashMap;

use crate::corpus::index::CorpusText;

/// How much the shorter context weighs against the longer, in occurrences.
const BACK_OFF: f64 = 1.0;

/// The model.
pub struct Rarity<'a> {
    words: &'a CorpusText,
    single: FxHashMap<char, u32>,
    /// Witnesses of each chapter, on average: what stands in three witnesses of one text stands
    /// there once.
    copies: f64,
}

impl<'a> Rarity<'a> {
    /// Of a corpus; `chapters` gives the chapter of each entry.
    pub fn of(words: &'a CorpusText, chapters: &[usize]) -> Self {
        let mut single = FxHashMap::default();
        for c in &words.text {
            *single.entry(*c).or_insert(0) += 1;
        }
        let mut different = chapters.to_vec();
        different.sort_unstable();
        different.dedup();
        Rarity { words, single, copies: chapters.len() as f64 / different.len().max(1) as f64 }
    }

    /// Bits that words must have so as not to be expected by chance.
    pub fn expected(&self) -> f64 {
        2.0 * (self.words.text.len().max(2) as f64).log2()
    }

    /// Information of some words in bits.
    pub fn bits(&self, words: &[char]) -> f64 {
        (0..words.len()).map(|i| -self.probability(&words[i.saturating_sub(2)..=i]).log2()).sum()
    }

    /// Of the last character after those before it.
    fn probability(&self, gram: &[char]) -> f64 {
        let [context @ .., last] = gram else { return 1.0 };
        if context.is_empty() {
            let n = self.single.get(last).copied().unwrap_or(0);
            return (f64::from(n) / self.copies - 1.0).max(0.5) / self.words.text.len() as f64
                * self.copies;
        }
        let shorter = self.probability(&gram[1..]);
        (self.seen(gram) + BACK_OFF * shorter) / (self.seen(context) + BACK_OFF)
    }

    /// Occurrences elsewhere than in the two places.
    fn seen(&self, gram: &[char]) -> f64 {
        let n = match gram {
            [c] => self.single.get(c).copied().unwrap_or(0) as usize,
            _ => self.words.grams.count(gram),
        };
        (n as f64 / self.copies - 2.0).max(0.0)
    }
}
