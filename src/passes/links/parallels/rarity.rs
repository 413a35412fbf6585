//! How much it means that two places have the same words: rare words suggest a common source, a
//! formula does not.
//!
//! The measure is the information of the words in bits, under a character trigram model of the
//! corpus without the two places. A word that always follows another (稽首 after 再拜) adds almost
//! nothing. A corpus of `n` characters has about `n²` pairs of places, so words of fewer than `2
//! log₂ n` bits are expected to recur somewhere by chance (the reasoning of E-values: S. Karlin and
//! S. F. Altschul, “Methods for assessing the statistical significance of molecular sequence
//! features”, PNAS 87, 1990).

use rustc_hash::FxHashMap;

use crate::corpus::figures::CorpusFigures;
use crate::corpus::index::CorpusText;

/// Weight of the shorter context against the longer, in occurrences.
const BACK_OFF: f64 = 1.0;

/// The model.
pub struct Rarity<'a> {
    words: &'a CorpusText,
    /// Of the corpus, if the text is only a part of it.
    figures: Option<&'a CorpusFigures>,
    chars: usize,
    single: FxHashMap<char, u32>,
    /// Average number of witnesses of a chapter: words in three witnesses of one text count once.
    copies: f64,
}

impl<'a> Rarity<'a> {
    /// The model of a corpus; `chapters` gives the chapter of each entry.
    pub fn of(
        words: &'a CorpusText,
        chapters: &[usize],
        figures: Option<&'a CorpusFigures>,
    ) -> Self {
        if let Some(of) = figures {
            let single = of.characters().map(|(c, n)| (c, n as u32)).collect();
            return Rarity { words, figures, chars: of.chars(), single, copies: of.copies() };
        }
        let mut single = FxHashMap::default();
        for c in &words.text {
            *single.entry(*c).or_insert(0) += 1;
        }
        let mut different = chapters.to_vec();
        different.sort_unstable();
        different.dedup();
        let copies = chapters.len() as f64 / different.len().max(1) as f64;
        Rarity { words, figures, chars: words.text.len(), single, copies }
    }

    /// Bits below which words are expected to recur by chance.
    pub fn expected(&self) -> f64 {
        2.0 * (self.chars.max(2) as f64).log2()
    }

    /// Information of some words in bits.
    pub fn bits(&self, words: &[char]) -> f64 {
        (0..words.len()).map(|i| -self.probability(&words[i.saturating_sub(2)..=i]).log2()).sum()
    }

    /// Probability of the last character of `gram` after the others.
    fn probability(&self, gram: &[char]) -> f64 {
        let [context @ .., last] = gram else { return 1.0 };
        if context.is_empty() {
            let n = self.single.get(last).copied().unwrap_or(0);
            return (f64::from(n) / self.copies - 1.0).max(0.5) / self.chars as f64 * self.copies;
        }
        let shorter = self.probability(&gram[1..]);
        (self.seen(gram) + BACK_OFF * shorter) / (self.seen(context) + BACK_OFF)
    }

    /// Occurrences outside the two places.
    fn seen(&self, gram: &[char]) -> f64 {
        let n = match gram {
            [c] => self.single.get(c).copied().unwrap_or(0) as usize,
            _ => match self.figures {
                Some(figures) => figures.count(gram),
                None => self.words.grams.count(gram),
            },
        };
        (n as f64 / self.copies - 2.0).max(0.0)
    }
}
