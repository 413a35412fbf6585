//! Suggestions: each is a query that finds as many hits as it promises.

use super::books::*;
use super::*;

use zhushu::model::Commentator;

/// Parts of a query as they are typed, some of them names that only a filter finds.
fn part() -> impl Strategy<Value = String> {
    let words = || {
        prop::collection::vec(prop::sample::select(&ALPHABET[..]), 1..5)
            .prop_map(|w| w.into_iter().collect::<String>())
    };
    let layer = prop::sample::select(vec!["經", "注", "疏", "音義", "譯"]);
    prop_oneof![
        4 => words(),
        3 => (layer, words()).prop_map(|(l, w)| format!("{l}:{w}")),
        2 => prop::sample::select(vec!["by:云雲", "chapter:坐坐", "work:今今", "by:無人"]).prop_map(String::from),
        2 => prop::sample::select(vec!["云雲", "坐坐", "今今"]).prop_map(String::from),
        1 => words().prop_map(|w| format!("NOT {w}")),
        1 => (words(), words()).prop_map(|(a, b)| format!("({a} OR {b})")),
        1 => (words(), words()).prop_map(|(a, b)| format!("({a} NEAR/2 {b})")),
        1 => Just("*".to_string()),
    ]
}

fn named(mut books: Books) -> Books {
    for document in &mut books.library.documents {
        let meta = &mut Arc::make_mut(document).meta;
        (meta.work, meta.chapter) = (Some("今今".into()), Some("坐坐".into()));
        let by = |layer| {
            let who =
                Commentator { key: "yunyun".into(), name: "云雲".into(), ..Default::default() };
            (layer, who)
        };
        meta.layers = [Layer::Zhu, Layer::Shu].map(by).into();
    }
    books
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_suggestion_finds_as_many_hits_as_it_promises(
        books in books().prop_map(named),
        asked in prop::collection::vec((prop::collection::vec(part(), 1..4), prop::sample::select(vec![" ", "、", " @ "])), 12),
    ) {
        let (_folder, index) = index_of(&books.library);
        let exact = Options { folding: Folding::Exact, ..Options::default() };
        let uncrossed = Options { crossing: false, ..Options::default() };
        for (parts, between) in asked {
            let text = parts.join(between);
            let Ok(query) = text.parse::<Query>() else { continue };
            for options in [Options::default(), exact, uncrossed] {
                for suggestion in index.suggest(&query, options).unwrap() {
                    let other: Query = suggestion.query.parse().unwrap_or_else(|e| panic!("{text} → {}: {e}", suggestion.query));
                    let totals = [options, Options::default()].map(|o| index.search(&other, o).unwrap().total());
                    prop_assert!(totals.contains(&suggestion.total), "{text} → {suggestion:?}, but {totals:?}");
                    prop_assert!(suggestion.total > 0, "{text} → {suggestion:?}");
                }
            }
        }
    }
}
