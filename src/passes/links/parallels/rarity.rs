//! How much it means that two places have the same words: rare words suggest a common source, a
//! formula does not.
//!
//! The measure is the information of the words in bits, under a character trigram model of the
//! corpus without the two places. A word that always follows another (稽首 after 再拜) adds almost
//! nothing. A corpus of `n` characters has about `n²` pairs of places, so words of fewer than `2
//! log₂ n` bits are expected to recur somewhere by chance (the reasoning of E-values: S. Karlin and
//! S. F. Altschul, “Methods for assessing the statistical significance of molecular sequence
//! features”, PNAS 87, 1990).

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::corpus::figures::CorpusFigures;
use crate::corpus::index::CorpusText;
use crate::text::grams::{GramPairCounts, TripleCounts};

/// Weight of the shorter context against the longer, in occurrences.
const BACK_OFF: f64 = 1.0;
/// Steps of a bit in which the information of a character is kept.
const STEPS_PER_BIT: f64 = 1024.0;

/// The model.
pub struct Rarity<'a> {
    words: &'a CorpusText,
    chars: usize,
    single: FxHashMap<char, u32>,
    /// Average number of witnesses of a chapter: words in three witnesses of one text count once.
    copies: f64,
    pairs: PairFrequencies<'a>,
    /// The information of each character of the text after the two before it, in steps.
    after_two: Vec<u16>,
}

/// How often pairs of characters occur.
enum PairFrequencies<'a> {
    OfText(GramPairCounts),
    /// Of the corpus, if the text is only a part of it.
    OfCorpus(&'a CorpusFigures),
}

impl PairFrequencies<'_> {
    fn count(&self, pair: [char; 2]) -> u32 {
        match self {
            PairFrequencies::OfText(counts) => counts.of(pair),
            PairFrequencies::OfCorpus(figures) => figures.count(&pair) as u32,
        }
    }
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
        let of = |pairs| Rarity { words, chars, single, copies, pairs, after_two: vec![] };
        match figures {
            Some(figures) => of(PairFrequencies::OfCorpus(figures)).with_triples_of(figures),
            None => {
                let (pairs, triples) = words.counts();
                of(PairFrequencies::OfText(pairs)).with_triples(triples)
            }
        }
    }

    /// Bits below which words are expected to recur by chance.
    pub fn expected(&self) -> f64 {
        2.0 * (self.chars.max(2) as f64).log2()
    }

    /// Information in bits of the words at some places in the text of all streams.
    pub fn bits(&self, at: Range<usize>) -> f64 {
        let text = &self.words.text;
        let (third, last) = (at.start + 2, at.end);
        let steps: u64 = self.after_two[third.min(last)..last].iter().map(|n| u64::from(*n)).sum();
        let first = (at.start..last.min(third)).map(|n| match n - at.start {
            0 => self.alone(self.singly(text[n])),
            _ => {
                let pair = [text[n - 1], text[n]];
                self.after(pair.map(|c| self.singly(c)), self.pairs.count(pair))
            }
        });
        steps as f64 / STEPS_PER_BIT - first.map(f64::log2).sum::<f64>()
    }

    fn with_triples(mut self, triples: TripleCounts) -> Self {
        let PairFrequencies::OfText(pairs) = &self.pairs else { return self };
        let text = &self.words.text;
        // How often the character before and this one occur.
        let mut single = [0, text.get(1).map_or(0, |c| self.singly(*c))];
        self.after_two = triples.into_values(text, pairs, |n, counts| {
            single = [single[1], self.singly(text[n])];
            self.steps(single, counts)
        });
        self
    }

    fn with_triples_of(mut self, figures: &CorpusFigures) -> Self {
        let of = |w: &[char]| {
            let counts = [&w[..2], &w[1..], w].map(|gram| figures.count(gram) as u32);
            self.steps([w[1], w[2]].map(|c| self.singly(c)), counts)
        };
        let steps = self.words.text.windows(3).map(of);
        self.after_two = [0, 0].into_iter().chain(steps).collect();
        self
    }

    /// The information of the last of three characters after the others, in steps. The last two occur so
    /// often, and so do the first pair, the last pair and all three.
    fn steps(&self, single: [u32; 2], [first, last, all]: [u32; 3]) -> u16 {
        let probability = self.backed_off(all, first, self.after(single, last));
        // A half is added and the rest cut off: half as long as to round it. There are never 64 bits.
        (-probability.log2() * STEPS_PER_BIT + 0.5) as u16
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
