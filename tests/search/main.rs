//! The search engine compared with slow implementations: queries of every kind on generated books
//! with known structure, phrases from the bundled corpus, and an index that is truncated, mixed up
//! or interrupted.

mod books;
mod bundled;
mod figures;
mod files;
mod names;
mod readings;
mod relations;
mod slow;
mod stopped;
mod suggestions;
#[path = "../support/mod.rs"]
mod support;
mod verify;

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use zhushu::corpus::{Library, Loci};
use zhushu::diag::ErrorKind;
use zhushu::model::{Alignment, Bead, Certainty, Commentator, Document, Layer, LayerKind, Segment};
use zhushu::search::{self, Folding, Index, Options, Query, SearchResults, Show, Sort};
use zhushu::source::{Source, Span};
use zhushu::text::Key;
use zhushu::text::fold::{fold, fold_script};

use books::*;
use slow::*;
use support::corpus;

/// Document, layer, first byte, end.
type Place = (String, Layer, usize, usize);

fn places_of(found: &SearchResults<'_>) -> Vec<Place> {
    let answers =
        found.answers(&Show { limit: usize::MAX, context: 3, ..Show::default() }).unwrap();
    assert_eq!(answers.len(), found.total());
    answers
        .into_iter()
        .map(|a| (a.document, a.layer, a.bytes[0].start(), a.bytes.last().unwrap().end()))
        .collect()
}

fn index_of(library: &Library) -> (tempfile::TempDir, Index) {
    let folder = tempfile::tempdir().unwrap();
    search::build(library, folder.path()).unwrap();
    let index = Index::open(folder.path()).unwrap();
    (folder, index)
}

fn total(folder: &Path, query: &str) -> usize {
    Index::open(folder)
        .unwrap()
        .search(&query.parse().unwrap(), Options::default())
        .unwrap()
        .total()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_query_is_answered_as_the_slow_way_does(books in books(), asks in prop::collection::vec(ask(), 12)) {
        let (_folder, index) = index_of(&books.library);
        for ask in asks {
            let query: Query = ask.text().parse().unwrap_or_else(|e| panic!("{}: {e}", ask.text()));
            let got = places_of(&index.search(&query, Options::default()).unwrap());
            let want: BTreeSet<Place> = books.answer(&ask, None, false).into_iter().map(|h| books.place(h)).collect();
            prop_assert_eq!(got.len(), want.len(), "{}", ask.text());
            prop_assert_eq!(got.into_iter().collect::<BTreeSet<_>>(), want, "{}", ask.text());
        }
    }

    #[test]
    fn exact_and_uncrossed_hits_are_those_that_read_so(books in books(), drawn in prop::collection::vec((any::<prop::sample::Index>(), 1..5usize), 8)) {
        let (_folder, index) = index_of(&books.library);
        // Taken from the texts, so that some are found, some of them across the end of a unit.
        let runs: Vec<Vec<char>> = books.runs(None).iter().map(|r| r.iter().flat_map(|u| books.units[*u].chars.iter().map(|c| c.1)).collect()).collect();
        let places: Vec<(usize, usize)> = runs.iter().enumerate().flat_map(|(r, run)| (0..run.len()).map(move |c| (r, c))).collect();
        for (at, len) in drawn {
            let (run, from) = places[at.index(places.len())];
            let words = &runs[run][from..runs[run].len().min(from + len)];
            let query: Query = words.iter().collect::<String>().parse().unwrap();
            let all = Ask::Words(words.iter().copied().map(Some).collect());
            let slow = books.answer(&all, None, false);
            let exact = index.search(&query, Options { folding: Folding::Exact, ..Options::default() }).unwrap();
            let own = |h: &&Slow| {
                let run = books.runs(None).into_iter().find(|r| r.contains(&h.0)).unwrap();
                let chars = run.iter().skip_while(|u| **u != h.0).flat_map(|u| books.units[*u].chars.clone()).skip(h.1).take(h.2);
                chars.map(|c| c.1).eq(words.iter().copied())
            };
            let want: BTreeSet<Place> = slow.iter().filter(own).map(|h| books.place(*h)).collect();
            prop_assert_eq!(places_of(&exact).into_iter().collect::<BTreeSet<_>>(), want);
            let uncrossed = index.search(&query, Options { crossing: false, ..Options::default() }).unwrap();
            let want: BTreeSet<Place> = slow.iter().filter(|h| h.1 + h.2 <= books.units[h.0].chars.len()).map(|h| books.place(*h)).collect();
            prop_assert_eq!(places_of(&uncrossed).into_iter().collect::<BTreeSet<_>>(), want);
        }
    }

    /// What every match must contain is looked up in the index first; this must not miss anything.
    #[test]
    fn patterns_find_what_a_full_scan_finds(books in books(), patterns in prop::collection::vec(pattern(), 8)) {
        let (_folder, index) = index_of(&books.library);
        for pattern in patterns {
            for folding in [Folding::Full, Folding::Script, Folding::Exact] {
                let fold: fn(char) -> char = match folding {
                    Folding::Full => fold,
                    Folding::Script => fold_script,
                    Folding::Exact => |c| c,
                };
                let regex = regex::Regex::new(&pattern.chars().map(|c| if c.is_ascii() { c } else { fold(c) }).collect::<String>()).unwrap();
                let mut want = BTreeSet::new();
                for unit in &books.units {
                    let text: String = unit.chars.iter().map(|c| fold(c.1)).collect();
                    for m in regex.find_iter(&text).filter(|m| !m.is_empty()) {
                        let (from, len) = (text[..m.start()].chars().count(), m.as_str().chars().count());
                        let (first, last) = (unit.chars[from], unit.chars[from + len - 1]);
                        want.insert((books.library.documents[unit.doc].id.clone(), unit.layer, first.2, last.3));
                    }
                }
                let query: Query = format!("re:\"{pattern}\"").parse().unwrap();
                let got = places_of(&index.search(&query, Options { folding, ..Options::default() }).unwrap());
                prop_assert_eq!(got.len(), want.len(), "{} {:?}", &pattern, folding);
                prop_assert_eq!(got.into_iter().collect::<BTreeSet<_>>(), want, "{} {:?}", &pattern, folding);
            }
        }
    }

    #[test]
    fn any_words_are_a_query_or_a_mistake_with_a_place(text in ".{0,40}") {
        if let Err(e) = text.parse::<Query>() {
            prop_assert!(e.kind == ErrorKind::Query && e.place.is_some(), "{e}");
        }
    }
}
