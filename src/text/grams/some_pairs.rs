//! The places of those grams that begin with a pair of some words. A build after a small change
//! looks up the words of few documents, and a table of all grams of a corpus takes longer to make
//! than their lookups.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::some::{in_filter, packed};
use super::table::GramTable;

/// Bits of the number under which a pair is looked for in the filter: at least and at most so many,
/// and so many places for each pair of the words that few others have one that is taken.
const FILTER_BITS: RangeInclusive<u32> = 13..=26;
const PLACES_EACH: usize = 4;

/// Pairs of characters: those of some words, and few others.
#[derive(Clone, Debug)]
struct PairFilter {
    filter: Vec<u64>,
    bits: u32,
}

/// The places of some pairs and of the triples that begin with them.
#[derive(Clone, Debug)]
pub struct SomePairs {
    filter: PairFilter,
    table: GramTable,
    /// The text, for a table of all.
    pub text: Arc<Vec<char>>,
}

impl PairFilter {
    fn of<'w>(words: impl Iterator<Item = &'w [char]> + Clone) -> Self {
        let chars: usize = words.clone().map(<[char]>::len).sum();
        let bits = (chars * PLACES_EACH).next_power_of_two().ilog2();
        let bits = bits.clamp(*FILTER_BITS.start(), *FILTER_BITS.end());
        let mut filter = vec![0; 1 << (bits - u64::BITS.ilog2())];
        for pair in words.flat_map(|words| words.windows(2)) {
            let (word, bit) = in_filter(packed(pair), bits);
            filter[word] |= bit;
        }
        PairFilter { filter, bits }
    }

    fn has(&self, a: char, b: char) -> bool {
        let (word, bit) = in_filter(packed(&[a, b]), self.bits);
        self.filter[word] & bit != 0
    }
}

impl SomePairs {
    /// Those of a text that are in some words.
    pub fn of<'w>(text: &Arc<Vec<char>>, words: impl Iterator<Item = &'w [char]> + Clone) -> Self {
        let filter = PairFilter::of(words);
        let table = GramTable::of_pairs(text, |a, b| filter.has(a, b));
        SomePairs { filter, table, text: Arc::clone(text) }
    }

    /// The table that has the places of a gram; `None` if only one of all has them.
    pub fn table_of(&self, gram: &[char]) -> Option<&GramTable> {
        let [a, b, ..] = gram else { return Some(&self.table) };
        self.filter.has(*a, *b).then_some(&self.table)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Grams;
    use super::*;

    #[test]
    fn grams_of_some_words_and_all_others_have_the_places_that_they_have_in_a_table_of_all() {
        let text: Vec<char> = "司射適堂西命弟子設豐弟子奉豐升司射退".chars().collect();
        let text = Arc::new(text);
        let words: Vec<char> = "弟子奉豐".chars().collect();
        let some = SomePairs::of(&text, [words.as_slice()].into_iter());
        let places = |gram: &[char]| {
            Some(some.table_of(gram)?.places(&text, gram, &(0..text.len())).into_owned())
        };
        assert_eq!(places(&['弟', '子']), Some(vec![6, 10]));
        assert_eq!(places(&['弟', '子', '設']), Some(vec![6]));
        assert_eq!(places(&['司', '射']), None);
        let (all, some) =
            (Grams::of(&text), Grams::of_words(&text, [words.as_slice()].into_iter()));
        for gram in text.windows(2).chain(text.windows(3)).chain([&['無', '此'][..], &['射']]) {
            assert_eq!(some.places(&text, gram), all.places(&text, gram), "{gram:?}");
        }
    }
}
