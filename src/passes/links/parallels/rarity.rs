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
use crate::text::grams::{GramPairCounts, SomeCounts, SomeGrams, TripleCounts, grams_in, packed};

/// Weight of the shorter context against the longer, in occurrences.
const BACK_OFF: f64 = 1.0;
/// Steps of a bit in which the information of a character is kept.
const STEPS_PER_BIT: f64 = 1024.0;
/// Counts are rounded to so many leading bits.
const COUNT_BITS: u32 = 4;

/// The model.
pub struct Rarity<'a> {
    text: &'a [char],
    size: CorpusSize,
    counts: GramFrequencies<'a>,
    /// The information of each character of the text after the two before it, in steps; 0 where
    /// nothing is asked.
    after_two: Vec<u16>,
}

/// What the frequency of a gram is measured by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorpusSize {
    /// Characters, rounded.
    chars: u32,
    /// Average number of witnesses of a chapter: words in three witnesses of one text count once.
    copies: f64,
}

/// How often characters, pairs and triples occur.
enum GramFrequencies<'a> {
    /// In the text.
    Text { single: FxHashMap<char, u32>, pairs: GramPairCounts },
    /// In the corpus, if the text is only a part of it.
    Corpus(FxHashMap<char, u32>, &'a CorpusFigures),
    /// Some of the text.
    Counted(SomeCounts),
}

impl GramFrequencies<'_> {
    fn of(&self, gram: &[char]) -> u32 {
        match (self, gram) {
            (GramFrequencies::Counted(counts), _) => counts.of(packed(gram)),
            (GramFrequencies::Text { single, .. } | GramFrequencies::Corpus(single, _), [c]) => {
                single.get(c).copied().unwrap_or(0)
            }
            (GramFrequencies::Text { pairs, .. }, [a, b]) => pairs.of([*a, *b]),
            // Triples of a text are counted by their places.
            (GramFrequencies::Text { .. }, _) => 0,
            (GramFrequencies::Corpus(_, figures), _) => figures.count(gram) as u32,
        }
    }
}

impl CorpusSize {
    /// That of a corpus with so many characters; `chapters` gives the chapter of each entry.
    pub fn of(chars: usize, chapters: &[usize]) -> Self {
        CorpusSize { chars: rounded(chars as u32), copies: witnesses(chapters) }
    }

    /// Bits below which words are expected to recur by chance.
    fn expected(self) -> f64 {
        2.0 * f64::from(self.chars.max(2)).log2()
    }

    /// Probability of a character anywhere that occurs so often.
    fn alone(self, single: u32) -> f64 {
        (f64::from(rounded(single)) / self.copies - 1.0).max(0.5) / f64::from(self.chars)
            * self.copies
    }

    /// Of some occurrences, those outside the two places.
    fn elsewhere(self, n: u32) -> f64 {
        match f64::from(n) / self.copies {
            few if few <= 2.0 => 0.0,
            _ => (f64::from(rounded(n)) / self.copies - 2.0).max(0.0),
        }
    }

    /// True if a gram that occurs so often now, and occurred so often before, is as rare as it was.
    pub fn is_same(self, is_single: bool, before: u32, now: u32) -> bool {
        self.elsewhere(before) == self.elsewhere(now)
            && !(is_single && self.alone(before) != self.alone(now))
    }
}

impl<'a> Rarity<'a> {
    /// The model of a corpus; `chapters` gives the chapter of each entry.
    pub fn of(
        words: &'a CorpusText,
        chapters: &[usize],
        figures: Option<&'a CorpusFigures>,
    ) -> Self {
        let text = words.text.as_slice();
        let of = |size, counts| Rarity { text, size, counts, after_two: vec![] };
        if let Some(figures) = figures {
            let single = figures.characters().map(|(c, n)| (c, n as u32)).collect();
            let chars = rounded(figures.chars() as u32);
            let size = CorpusSize { chars, copies: figures.copies() };
            return of(size, GramFrequencies::Corpus(single, figures)).with_all();
        }
        let (pairs, triples) = words.counts();
        let counts = GramFrequencies::Text { single: characters(text), pairs };
        of(CorpusSize::of(text.len(), chapters), counts).with_triples(triples)
    }

    /// The same for the words at some places only.
    pub fn of_some(
        words: &'a CorpusText,
        chapters: &[usize],
        places: impl Iterator<Item = Range<usize>>,
    ) -> Self {
        let text = words.text.as_slice();
        let places = joined(places);
        let some: SomeGrams = places.iter().flat_map(|at| grams_in(text, at.clone())).collect();
        let counts = GramFrequencies::Counted(some.counted(text));
        let size = CorpusSize::of(text.len(), chapters);
        Rarity { text, size, counts, after_two: vec![] }.with_some(&places)
    }

    /// Bits below which words are expected to recur by chance.
    pub fn expected(&self) -> f64 {
        self.size.expected()
    }

    /// Information in bits of the words at some places in the text of all streams.
    pub fn bits(&self, at: Range<usize>) -> f64 {
        let (third, last) = (at.start + 2, at.end);
        let later = self.after_two[third.min(last)..last].iter();
        let steps: u64 = later.map(|n| u64::from(*n)).sum();
        let first = (at.start..last.min(third)).map(|n| match n - at.start {
            0 => self.size.alone(self.counts.of(&self.text[n..=n])),
            _ => self.after(self.text[n - 1], self.text[n]),
        });
        steps as f64 / STEPS_PER_BIT - first.map(f64::log2).sum::<f64>()
    }

    fn with_triples(mut self, triples: TripleCounts) -> Self {
        let GramFrequencies::Text { single, pairs } = &self.counts else { return self };
        let text = self.text;
        let singly = |c: &char| single.get(c).copied().unwrap_or(0);
        // How often the character before and this one occur.
        let mut single = [0, text.get(1).map_or(0, singly)];
        self.after_two = triples.into_values(text, pairs, |n, counts| {
            single = [single[1], singly(&text[n])];
            self.steps(single, counts)
        });
        self
    }

    /// With the information at some places, which are asked for again and again.
    fn with_some(mut self, places: &[Range<usize>]) -> Self {
        // Nothing is written to the rest, so it takes no memory.
        let mut after_two = vec![0; self.text.len()];
        for at in places {
            (at.start + 2..at.end).for_each(|n| after_two[n] = self.steps_at(n));
        }
        self.after_two = after_two;
        self
    }

    fn with_all(mut self) -> Self {
        self.after_two =
            (0..self.text.len()).map(|n| if n < 2 { 0 } else { self.steps_at(n) }).collect();
        self
    }

    /// The information of a character after the two before it, in steps.
    fn steps_at(&self, n: usize) -> u16 {
        let w = &self.text[n - 2..=n];
        let single = [&w[1..2], &w[2..]].map(|c| self.counts.of(c));
        self.steps(single, [&w[..2], &w[1..], w].map(|gram| self.counts.of(gram)))
    }

    /// The information of the last of three characters after the others, in steps. The last two
    /// occur so often, and so do the first pair, the last pair and all three.
    fn steps(&self, single: [u32; 2], [first, last, all]: [u32; 3]) -> u16 {
        let shorter = self.backed_off(last, single[0], self.size.alone(single[1]));
        let probability = self.backed_off(all, first, shorter);
        // A half is added and the rest cut off: half as long as to round it. There are never 64
        // bits.
        (-probability.log2() * STEPS_PER_BIT + 0.5) as u16
    }

    /// Probability of a character after another.
    fn after(&self, before: char, c: char) -> f64 {
        let [single, context, pair] =
            [&[c][..], &[before], &[before, c]].map(|gram| self.counts.of(gram));
        self.backed_off(pair, context, self.size.alone(single))
    }

    /// Probability of the last character of a gram, if that and its beginning occur so often, and
    /// the probability after one character less is `shorter`.
    fn backed_off(&self, gram: u32, context: u32, shorter: f64) -> f64 {
        (self.size.elsewhere(gram) + BACK_OFF * shorter) / (self.size.elsewhere(context) + BACK_OFF)
    }
}

/// A count to its leading bits. The counts of a corpus change with each of its characters; so most
/// of them stay as they are.
fn rounded(count: u32) -> u32 {
    let cut = (u32::BITS - count.leading_zeros()).saturating_sub(COUNT_BITS);
    let half = (1 << cut) >> 1;
    count.saturating_add(half) >> cut << cut
}

/// Ranges without overlaps, in order: many passages have the same words.
fn joined(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = ranges.collect();
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = vec![];
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
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
        let chars = f64::from(rounded(all.len() as u32));
        let seen = |gram: &[char]| (count(all, gram) - 2.0).max(0.0);
        let probability = |at: usize, from: usize| -> f64 {
            let mut p = (count(all, &all[at..=at]) - 1.0).max(0.5) / chars;
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
        let places = [0..2, 9..20];
        let some = Rarity::of_some(words, &[0], places.iter().cloned());
        let of_all = places.clone().map(|at| rarity.bits(at));
        assert_eq!(places.map(|at| some.bits(at)), of_all);
    }

    #[test]
    fn counts_are_rounded_to_four_bits() {
        assert_eq!([0, 1, 15, 16, 17, 18].map(rounded), [0, 1, 15, 16, 18, 18]);
        assert_eq!([1000, 1023, 1024, 1087, 1088].map(rounded), [1024, 1024, 1024, 1024, 1152]);
        let size = CorpusSize { chars: 1000, copies: 2.0 };
        assert!(size.is_same(false, 3, 4) && !size.is_same(false, 4, 5));
        assert!(!size.is_same(true, 3, 4) && size.is_same(true, 1000, 1007));
    }
}
