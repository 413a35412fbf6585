//! The index of grams gives the results of a scan, for random texts over few characters with many
//! near matches.

use proptest::prelude::*;
use zhushu::text::find::find_within;
use zhushu::text::grams::Grams;

fn text(of: &'static [char], most: usize) -> impl Strategy<Value = Vec<char>> {
    prop::collection::vec(prop::sample::select(of), 0..most)
}

const FEW: &[char] = &['甲', '乙', '丙'];
const MORE: &[char] = &['甲', '乙', '丙', '丁', '戊', '己', '庚', '辛'];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn finding_is_the_same_as_scanning(
        text in prop_oneof![text(FEW, 60), text(MORE, 120)],
        words in prop_oneof![text(FEW, 9), text(MORE, 24)],
        max in 0usize..4,
        (from, to) in (0usize..40, 20usize..130),
    ) {
        let grams = Grams::of(&text);
        prop_assert_eq!(grams.find(&text, from..to, &words, max), find_within(&text, from..to, &words, max));
    }

    /// A text of many parts: few have a piece of the words.
    #[test]
    fn finding_in_each_part_is_the_same_as_in_one_after_the_other(
        text in prop::collection::vec(prop::sample::select(MORE), 0..400),
        words in prop_oneof![text(FEW, 9), text(MORE, 12)],
        max in 0usize..4,
        borders in prop::collection::btree_set(0usize..420, 0..40),
    ) {
        let grams = Grams::of(&text);
        let borders: Vec<usize> = borders.into_iter().collect();
        let parts: Vec<_> = borders.windows(2).step_by(2).map(|b| b[0]..b[1]).collect();
        let limit = if max == 0 { 2 } else { usize::MAX };
        let one = |p: &std::ops::Range<usize>| {
            let mut hits = grams.find(&text, p.clone(), &words, max);
            hits.truncate(limit);
            hits
        };
        let alone: Vec<_> = parts.iter().map(one).collect();
        prop_assert_eq!(grams.find_each(&text, &parts, &words, (max, limit)), alone);
    }

    /// Words from the text, changed in up to two places.
    #[test]
    fn spoilt_words_are_found_again(
        text in prop::collection::vec(prop::sample::select(MORE), 20..200),
        (at, n) in (0usize..200, 6usize..20),
        spoilt in prop::collection::vec((0usize..20, prop::sample::select(MORE), 0usize..3), 0..3),
    ) {
        let at = at % (text.len() + 1 - n);
        let mut words = text[at..at + n].to_vec();
        for (place, c, how) in spoilt {
            let place = place % words.len();
            match how {
                0 => words[place] = c,
                1 => words.insert(place, c),
                _ => _ = words.remove(place),
            }
        }
        let grams = Grams::of(&text);
        let hits = grams.find(&text, 0..text.len(), &words, 2);
        // Two differences may also stretch the place by two characters, and of two that overlap
        // there only the better one is a hit.
        prop_assert!(hits.iter().any(|h| h.from < at + n + 2 && at < h.to + 2), "{:?}", hits);
        let closest = grams.closest(&text, 0..text.len(), &words, 2, usize::MAX);
        let fewest = hits.iter().map(|h| h.diff).min();
        prop_assert_eq!(closest.iter().map(|h| h.diff).min(), fewest);
        let all = hits.into_iter().filter(|h| Some(h.diff) == fewest).all(|h| closest.iter().any(|c| c.from < h.to && h.from < c.to));
        prop_assert!(all);
        let exact = find_within(&text, 0..text.len(), &words, 0);
        let mut nearest = grams.nearest(&text, 0..text.len(), &words, true, usize::MAX);
        nearest.reverse();
        prop_assert_eq!(nearest, exact);
    }
}
