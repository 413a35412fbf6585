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

/// A text of some layers.
fn text(id: &str, pieces: &[(Layer, &str)]) -> Arc<Document> {
    let mut draft = Draft { text: String::new(), segments: vec![] };
    for (layer, words) in pieces {
        draft.push(*layer, words);
    }
    let mut document = draft.document(id);
    document.meta.work = Some("儀禮".into());
    Arc::new(document)
}

#[test]
fn phrases_that_differ_by_one_character_and_other_layers_are_suggested() {
    let pieces = [
        (Layer::Jing, "司射適西階,"),
        (Layer::Zhu, "主人之吏。"),
        (Layer::Jing, "司馬適西階。司馬適西階。"),
    ];
    let library = Library { documents: vec![text("a", &pieces)], ..Library::default() };
    let (_folder, index) = index_of(&library);
    let suggested = |query: &str| -> Vec<(String, usize)> {
        let query: Query = query.parse().unwrap();
        let found = index.suggest(&query, Options::default()).unwrap();
        found.into_iter().map(|s| (s.query, s.total)).collect()
    };
    let some = |list: &[(&str, usize)]| -> Vec<(String, usize)> {
        list.iter().map(|(query, total)| (query.to_string(), *total)).collect()
    };
    // One changed or left out, the most hits first.
    assert_eq!(suggested("司徒適西階"), some(&[("司?適西階", 3)]));
    assert_eq!(suggested("司馬遂適西階"), some(&[("司馬適西階", 2)]));
    assert_eq!(suggested("司馬適西階東"), some(&[("司馬適西階", 2)]));
    assert_eq!(suggested("司士"), [], "two characters are few");
    // In the layers that have it, with a layer or with a filter.
    assert_eq!(suggested("注:司射"), some(&[("經:司射", 1)]));
    assert_eq!(suggested("司射 work:禮記"), some(&[("經:司射", 1)]));
    assert_eq!(suggested("司射 吏 work:禮記"), [], "two phrases");
}
