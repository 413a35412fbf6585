//! What is counted over a whole corpus, for a run that has only a part of it in memory: how rare
//! characters and grams are, and which runs of four characters are formulas.
//!
//! [`TextFigures`] are those of one text. They are added up elsewhere (by Spark, in a database) and
//! given to [`CorpusFigures::new`], so that each part of the corpus is judged as the whole would
//! be.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use serde::{Deserialize, Serialize};

use super::{Stream, View};
use crate::model::Document;
use crate::text::grams::{MAX_GRAM_CHARS, packed, single};

/// Characters of a seed: a run that two texts share and from which a parallel grows.
pub(crate) const SEED_CHARS: usize = 4;
/// Four characters with more places than this are a formula (再拜稽首) and not a seed; this keeps
/// the search for parallels linear.
pub const MAX_SEED_PLACES: usize = 48;
/// A seed as a number. Two seeds may have the same one: that is noticed when the characters are
/// compared.
pub(crate) fn seed(chars: &[char]) -> u32 {
    let mut hasher = FxHasher::default();
    chars.hash(&mut hasher);
    (hasher.finish() >> 16) as u32
}

/// What is counted in one text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextFigures {
    /// Its characters, and one for the end of each stream.
    pub chars: usize,
    /// Runs of one to three characters, as numbers, with how often they occur.
    pub grams: Vec<(u64, u32)>,
    /// Its seeds, as numbers, each with its place: characters of all streams before it.
    pub seeds: Vec<(u32, u32)>,
}

impl TextFigures {
    /// Those of a text.
    pub fn of(document: &Document) -> Self {
        let view = View::of(document);
        let (mut chars, mut grams, mut seeds) = (0, FxHashMap::default(), vec![]);
        for stream in Stream::ALL {
            let text = view.stream(stream).chars();
            for n in 1..=MAX_GRAM_CHARS {
                text.windows(n).for_each(|w| *grams.entry(packed(w)).or_default() += 1);
            }
            let places = chars as u32..;
            seeds.extend(text.windows(SEED_CHARS).map(seed).zip(places));
            chars += text.len() + 1;
        }
        let mut grams: Vec<_> = grams.into_iter().collect();
        grams.sort_unstable();
        TextFigures { chars, grams, seeds }
    }
}

/// What is counted in all texts of a corpus.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CorpusFigures {
    chars: usize,
    copies: f64,
    /// In order. A run of several characters that is too rare to count is not here.
    grams: Vec<(u64, u32)>,
    /// In order.
    formulas: Vec<u32>,
}

impl CorpusFigures {
    /// The figures of a corpus with so many characters, and on average so many witnesses of a
    /// chapter. `grams` has all runs of one character, and those of two and three that occur more
    /// than [`least_count`](Self::least_count) times; `formulas` the seeds with more than
    /// [`MAX_SEED_PLACES`] places.
    pub fn new(chars: usize, copies: f64, grams: Vec<(u64, u32)>, formulas: Vec<u32>) -> Self {
        let mut figures = CorpusFigures { chars, copies: copies.max(1.0), grams, formulas };
        figures.grams.sort_unstable();
        figures.formulas.sort_unstable();
        figures
    }

    /// How often a run of two or three characters may occur and yet count as if it did not: in the
    /// two places that are compared, in all witnesses of each.
    pub fn least_count(copies: f64) -> u32 {
        (2.0 * copies.max(1.0)).floor() as u32
    }

    pub(crate) fn chars(&self) -> usize {
        self.chars
    }

    pub(crate) fn copies(&self) -> f64 {
        self.copies
    }

    /// The characters, and how often they occur.
    pub(crate) fn characters(&self) -> impl Iterator<Item = (char, usize)> {
        self.grams.iter().map_while(|(gram, n)| Some((single(*gram)?, *n as usize)))
    }

    /// How often a run of characters occurs.
    pub(crate) fn count(&self, gram: &[char]) -> usize {
        let gram = packed(gram);
        let at = self.grams.binary_search_by_key(&gram, |g| g.0);
        at.map_or(0, |at| self.grams[at].1 as usize)
    }

    /// True for a seed with too many places.
    pub(crate) fn is_formula(&self, seed: u32) -> bool {
        self.formulas.binary_search(&seed).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Layer;

    #[test]
    fn a_text_is_counted_stream_by_stream() {
        let document = Document::of_pieces(&[
            (Layer::Jing, "天地玄黃"),
            (Layer::Zhu, "天地也"),
            (Layer::Jing, "天地"),
        ]);
        let figures = TextFigures::of(&document);
        let corpus = CorpusFigures::new(figures.chars, 1.0, figures.grams.clone(), vec![]);
        let count = |words: &str| corpus.count(&words.chars().collect::<Vec<_>>());
        let folded: String = "天地玄黃也".chars().map(crate::text::fold::fold).collect();
        let [sky, earth, .., also] = folded.chars().collect::<Vec<_>>()[..] else { unreachable!() };
        assert_eq!(count(&sky.to_string()), 3);
        assert_eq!(count(&format!("{sky}{earth}")), 3);
        assert_eq!(count(&format!("{sky}{earth}{also}")), 1, "not across the note");
        assert_eq!(figures.chars, 6 + 1 + 3 + 1 + 1);
        assert_eq!(figures.seeds.iter().map(|s| s.1).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
