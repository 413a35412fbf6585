//! Which places of a corpus have become rarer or more frequent since the last build.

use rustc_hash::FxHashMap;

use super::edit::Edit;
use super::rarity::CorpusSize;
use crate::text::grams::{MAX_GRAM_CHARS, SomeGrams, grams_in, single};

/// How much more often grams occur than in the last build.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GramChanges {
    chars: i64,
    grams: FxHashMap<u64, i32>,
}

impl GramChanges {
    /// Adds that one text has become another by an edit.
    pub fn add(&mut self, old: &[char], new: &[char], edit: &Edit) {
        // Grams that reach beyond what changed. Those that are beyond it are on both sides.
        let [of_old, of_new] = edit.with_context(MAX_GRAM_CHARS - 1, [old.len(), new.len()]);
        for (text, range, by) in [(old, of_old, -1), (new, of_new, 1)] {
            for gram in grams_in(text, range) {
                *self.grams.entry(gram).or_default() += by;
            }
        }
        self.grams.retain(|_, by| *by != 0);
        self.chars += new.len() as i64 - old.len() as i64;
    }

    /// The places of the text as it is now at which a character may have another information, in
    /// order. `None` if all may, for the corpus has another size.
    pub fn places(&self, text: &[char], chapters: &[usize]) -> Option<Vec<usize>> {
        let before = (text.len() as i64 - self.chars).max(0) as usize;
        let size = CorpusSize::of(text.len(), chapters);
        if CorpusSize::of(before, chapters) != size {
            return None;
        }
        let counts = self.grams.keys().copied().collect::<SomeGrams>().counted(text);
        let differs = |(gram, by): (&u64, &i32)| {
            let now = counts.of(*gram);
            !size.is_same(single(*gram).is_some(), now.saturating_add_signed(-by), now)
        };
        let different: Vec<u64> =
            self.grams.iter().filter(|g| differs(*g)).map(|(gram, _)| *gram).collect();
        if different.is_empty() {
            return Some(vec![]);
        }
        // A character is seen after the two before it: what ends at one of these matters for it.
        let ends = different.into_iter().collect::<SomeGrams>().ends(text);
        let mut places: Vec<usize> = ends.into_iter().flat_map(|at| [at, at + 1]).collect();
        places.sort_unstable();
        places.dedup();
        Some(places)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::corpus::{Index, Stream};
    use crate::passes::links::parallels::rarity::Rarity;
    use crate::passes::links::parallels::tests::index_of;
    use crate::text::grams::packed;

    proptest! {
        #[test]
        fn other_places_have_the_information_that_they_had(
            texts in proptest::collection::vec(
                proptest::collection::vec(proptest::sample::select(vec!['甲', '乙', '丙', '丁']), 40..120), 2..5),
            of in 0usize..5, from in 0usize..90, left_out in 0usize..4,
            put_in in proptest::collection::vec(proptest::sample::select(vec!['甲', '乙', '丙', '戊']), 0..4),
        ) {
            let mut now = texts.clone();
            let of = of % texts.len();
            let from = from.min(now[of].len());
            let end = (from + left_out).min(now[of].len());
            now[of].splice(from..end, put_in);
            let indexes = [index_of(&texts), index_of(&now)];
            let chapters: Vec<usize> = (0..texts.len()).collect();
            let words = indexes.each_ref().map(Index::words);
            let [old, new] = words.map(|w| &w.text[w.stream(of, Stream::Base).range.clone()]);
            let mut changes = GramChanges::default();
            changes.add(old, new, &Edit::between(old, new));
            let Some(places) = changes.places(&words[1].text, &chapters) else { return Ok(()) };
            let rarities = words.map(|words| Rarity::of(words, &chapters, None));
            for n in (0..texts.len()).filter(|n| *n != of) {
                let starts = words.map(|words| words.stream(n, Stream::Base).range.start);
                for at in 0..texts[n].len() - 3 {
                    let here = starts.map(|start| start + at..start + at + 3);
                    if !places.iter().any(|at| here[1].contains(at)) {
                        let bits: Vec<f64> = rarities.iter().zip(here).map(|(r, at)| r.bits(at)).collect();
                        prop_assert_eq!(bits[0], bits[1], "{} of {}", at, n);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_added_and_left_out_is_counted() {
        let chars = |text: &str| text.chars().collect::<Vec<char>>();
        let add = |changes: &mut GramChanges, old: &str, new: &str| {
            let (old, new) = (chars(old), chars(new));
            changes.add(&old, &new, &Edit::between(&old, &new));
        };
        let mut changes = GramChanges::default();
        add(&mut changes, "甲乙丙丁戊己", "甲乙丙天戊己");
        let by = |words: &str| changes.grams.get(&packed(&chars(words))).copied().unwrap_or(0);
        assert_eq!(["丁", "天", "丙", "乙丙"].map(by), [-1, 1, 0, 0]);
        assert_eq!(["丙丁", "丁戊己", "天戊", "乙丙天", "甲乙丙"].map(by), [-1, -1, 1, 1, 0]);
        assert_eq!(changes.chars, 0);
        add(&mut changes, "甲乙丙天戊己", "甲乙丙丁戊己");
        assert_eq!(changes, GramChanges::default());
        add(&mut changes, "甲乙甲乙", "甲乙");
        assert_eq!((changes.chars, changes.grams.len()), (-2, 6));
    }
}
