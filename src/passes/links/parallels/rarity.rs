//! How much it means that two places have the same words: rare words suggest a common source, a
//! formula does not.
//!
//! The measure is the information of the words in bits, under a character trigram model of the
//! corpus without the two places. A word that always follows another (稽首 after 再拜) adds almost
//! nothing. A corpus of `n` characters has about `n²` pairs of places, so words of fewer than `2
//! log₂ n` bits are expected to recur somewhere by chance (the reasoning of E-values: S. Karlin and
//! S. F. Altschul, “Methods for assessing the statistical significance of molecular sequence
//! features”, PNAS 87, 1990).

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::corpus::figures::CorpusFigures;
use crate::corpus::index::CorpusText;

/// Weight of the shorter context against the longer, in occurrences.
const BACK_OFF: f64 = 1.0;
/// Steps of a bit in which information is added up, so that the sum of some words does not depend
/// on what is before them.
const STEPS_PER_BIT: f64 = 1024.0;

/// The model.
pub struct Rarity<'a> {
    words: &'a CorpusText,
    /// Of the corpus, if the text is only a part of it.
    figures: Option<&'a CorpusFigures>,
    chars: usize,
    single: FxHashMap<char, u32>,
    /// Average number of witnesses of a chapter: words in three witnesses of one text count once.
    copies: f64,
    /// How often the two characters at each place of the text occur together.
    pairs: Cow<'a, [u32]>,
    /// The information of all characters up to each, after the two before it, in steps; it begins
    /// again at 0 after 2³² of them.
    sums: Vec<u32>,
}

impl<'a> Rarity<'a> {
    /// The model of a corpus; `chapters` gives the chapter of each entry.
    pub fn of(
        words: &'a CorpusText,
        chapters: &[usize],
        figures: Option<&'a CorpusFigures>,
    ) -> Self {
        let (chars, single, copies) = match figures {
            Some(of) => {
                let single = of.characters().map(|(c, n)| (c, n as u32)).collect();
                (of.chars(), single, of.copies())
            }
            None => (words.text.len(), characters(&words.text), witnesses(chapters)),
        };
        let (pairs, sums) = (Cow::default(), vec![]);
        let mut rarity = Rarity { words, figures, chars, single, copies, pairs, sums };
        rarity.pairs = rarity.counts(2);
        rarity.sums = rarity.summed();
        rarity
    }

    /// Bits below which words are expected to recur by chance.
    pub fn expected(&self) -> f64 {
        2.0 * (self.chars.max(2) as f64).log2()
    }

    /// Information in bits of the words at some places in the text of all streams.
    pub fn bits(&self, at: Range<usize>) -> f64 {
        let text = &self.words.text;
        let (third, last) = (at.start + 2, at.end);
        let steps = match last.checked_sub(third) {
            None | Some(0) => 0,
            Some(_) => self.sums[last - 1].wrapping_sub(self.sums[third - 1]),
        };
        let first = (at.start..last.min(third)).map(|n| match n - at.start {
            0 => self.alone(self.singly(text[n])),
            _ => {
                let single = [n - 1, n].map(|n| self.singly(text[n]));
                self.after(single, self.pairs[n - 1])
            }
        });
        f64::from(steps) / STEPS_PER_BIT - first.map(f64::log2).sum::<f64>()
    }

    /// The sums of all characters of the text.
    fn summed(&self) -> Vec<u32> {
        let text = &self.words.text;
        let pairs = &self.pairs;
        // Places of triples become those of their last characters; then they become the sums.
        let mut sums = self.counts(3).into_owned();
        let mut all = 0u32;
        let mut triple = [0, 0];
        // How often the character before and this one occur.
        let mut single = [0, 0];
        for n in 0..text.len() {
            let next = std::mem::replace(&mut sums[n], all);
            let [third, _] = triple;
            triple = [triple[1], next];
            single = [single[1], self.singly(text[n])];
            let Some(from) = n.checked_sub(2) else { continue };
            let shorter = self.after(single, pairs[n - 1]);
            let probability = self.backed_off(third, pairs[from], shorter);
            // A half is added and the rest cut off: half as long as to round it.
            all = all.wrapping_add((-probability.log2() * STEPS_PER_BIT + 0.5) as u32);
            sums[n] = all;
        }
        sums
    }

    /// How often the characters at each place of the text occur.
    fn counts(&self, size: usize) -> Cow<'a, [u32]> {
        let Some(figures) = self.figures else { return self.words.counts(size) };
        let counts = self.words.text.windows(size).map(|w| figures.count(w) as u32);
        counts.chain(std::iter::repeat_n(0, size - 1)).collect()
    }

    /// Probability of a character anywhere that occurs so often.
    fn alone(&self, single: u32) -> f64 {
        (f64::from(single) / self.copies - 1.0).max(0.5) / self.chars as f64 * self.copies
    }

    /// Probability of a character after another, if each occurs so often; the two occur together
    /// `pairs` times.
    fn after(&self, [before, single]: [u32; 2], pairs: u32) -> f64 {
        self.backed_off(pairs, before, self.alone(single))
    }

    /// Probability of the last character of a gram, if that and its beginning occur so often, and
    /// the probability after one character less is `shorter`.
    fn backed_off(&self, gram: u32, context: u32, shorter: f64) -> f64 {
        (self.elsewhere(gram) + BACK_OFF * shorter) / (self.elsewhere(context) + BACK_OFF)
    }

    /// Of some occurrences, those outside the two places.
    fn elsewhere(&self, n: u32) -> f64 {
        (f64::from(n) / self.copies - 2.0).max(0.0)
    }

    fn singly(&self, c: char) -> u32 {
        self.single.get(&c).copied().unwrap_or(0)
    }
}

/// How often each character occurs.
fn characters(text: &[char]) -> FxHashMap<char, u32> {
    let mut single = FxHashMap::default();
    text.iter().for_each(|c| *single.entry(*c).or_insert(0) += 1);
    single
}

/// How many witnesses a chapter has on average.
fn witnesses(chapters: &[usize]) -> f64 {
    let mut different = chapters.to_vec();
    different.sort_unstable();
    different.dedup();
    chapters.len() as f64 / different.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::corpus::{Index, Library, Works};
    use crate::model::{Document, Layer};

    /// Counts runs of characters in a text, one after the other.
    fn count(text: &[char], gram: &[char]) -> f64 {
        text.windows(gram.len()).filter(|w| *w == gram).count() as f64
    }

    #[test]
    fn information_is_that_of_each_character_after_the_two_before_it() {
        let text = "再拜稽首再拜稽首再拜稽首司射再拜稽首再射司拜再拜";
        let documents = vec![Arc::new(Document::of_pieces(&[(Layer::Jing, text)]))];
        let index = Index::of(&Library { documents, ..Library::default() }, &Works::builtin());
        let words = index.words();
        let all = &words.text;
        let rarity = Rarity::of(words, &[0], None);
        let seen = |gram: &[char]| (count(all, gram) - 2.0).max(0.0);
        let probability = |at: usize, from: usize| -> f64 {
            let mut p = (count(all, &all[at..=at]) - 1.0).max(0.5) / all.len() as f64;
            for first in (from.max(at.saturating_sub(2))..at).rev() {
                p = (seen(&all[first..=at]) + p) / (seen(&all[first..at]) + 1.0);
            }
            p
        };
        for (from, to) in [(0, 1), (0, 2), (3, 4), (2, 9), (0, 24), (11, 20)] {
            let bits: f64 = (from..to).map(|at| -probability(at, from).log2()).sum();
            assert!((rarity.bits(from..to) - bits).abs() < 0.02, "{from}..{to}: {bits}");
        }
        assert_eq!(rarity.bits(5..5), 0.0);
    }
}
