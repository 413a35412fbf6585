//! Figures about hits compared with those of a plain count.

use std::collections::HashMap;

use super::books::*;
use super::slow::*;
use super::*;

/// What a query of plain words has around its hits, by a look at every character: the forms of the
/// hits, the sequences of `n` characters with one, the characters within `n`.
#[derive(Default)]
struct Counted {
    forms: HashMap<String, usize>,
    sequences: HashMap<String, usize>,
    near: HashMap<char, usize>,
}

fn counted(books: &Books, words: &[char], n: usize) -> Counted {
    let mut counted = Counted::default();
    for run in books.runs(None) {
        let chars = run.iter().flat_map(|u| books.units[*u].chars.iter());
        let (folded, written): (Vec<char>, Vec<char>) = chars.map(|c| (c.0, c.1)).unzip();
        let pattern: Vec<Option<char>> = words.iter().copied().map(Some).collect();
        let size = n.max(words.len());
        for from in places(&folded, &pattern) {
            let to = from + words.len();
            *counted.forms.entry(written[from..to].iter().collect()).or_default() += 1;
            for start in to.saturating_sub(size)..=from {
                if let Some(sequence) = folded.get(start..start + size) {
                    *counted.sequences.entry(sequence.iter().collect()).or_default() += 1;
                }
            }
            let before = &folded[from.saturating_sub(n)..from];
            let after = &folded[to..folded.len().min(to + n)];
            for c in before.iter().chain(after) {
                *counted.near.entry(*c).or_default() += 1;
            }
        }
    }
    counted
}

/// The most frequent first, those of one count in the order of their words.
fn ranked(counts: HashMap<String, usize>) -> Vec<(String, usize)> {
    let mut ranked: Vec<_> = counts.into_iter().collect();
    ranked.sort();
    ranked.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    ranked
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn forms_sequences_and_neighbours_are_those_of_a_plain_count(
        books in books(),
        asks in prop::collection::vec((prop::collection::vec(prop::sample::select(&ALPHABET[..]), 1..4), 1..6usize), 8),
    ) {
        let (_folder, index) = index_of(&books.library);
        for (words, n) in asks {
            let query: Query = words.iter().collect::<String>().parse().unwrap();
            let found = index.search(&query, Options::default()).unwrap();
            let want = counted(&books, &words, n);
            prop_assert_eq!(found.frequencies().unwrap(), ranked(want.forms), "{:?}", &words);
            prop_assert_eq!(found.ngrams(n).unwrap(), ranked(want.sequences), "{:?} {}", &words, n);
            let near = found.collocates(n).unwrap();
            let near: HashMap<char, usize> = near.iter().map(|c| (c.character, c.near)).collect();
            prop_assert_eq!(near, want.near, "{:?} {}", &words, n);
        }
    }
}
