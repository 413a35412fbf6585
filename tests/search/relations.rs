//! Which notes and passages belong together, on texts small enough to check.

use super::books::*;
use super::*;

fn text(id: &str, segments: &[(Layer, &str)]) -> Arc<Document> {
    let mut draft = Draft { text: String::new(), segments: vec![] };
    segments.iter().for_each(|(layer, words)| _ = draft.push(*layer, words));
    Arc::new(draft.document(id))
}

/// The number of hits of each query.
fn totals(documents: Vec<Arc<Document>>, queries: &[&str]) -> Vec<usize> {
    let (folder, _index) = index_of(&Library { documents, ..Library::default() });
    queries.iter().map(|q| total(folder.path(), q)).collect()
}

#[test]
fn a_note_after_a_heading_is_not_on_the_passage_before_the_heading() {
    use Layer::{Blank, Heading, Jing, Zhu};
    let document = text(
        "a",
        &[(Jing, "賢獲。"), (Blank, "\n\n"), (Heading, "坐"), (Blank, "\n\n"), (Zhu, "今文。")],
    );
    let queries = ["注:今文", "注:今文 @ 經:賢獲", "經:賢獲 @ 注:今文"];
    assert_eq!(totals(vec![document], &queries), [1, 0, 0]);
}

#[test]
fn a_note_of_another_text_is_not_on_the_passage() {
    use Layer::{Blank, Jing, Zhu};
    let one = |id, classic| text(id, &[(Jing, classic), (Zhu, "今文。"), (Blank, "\n")]);
    let queries = ["注:今文", "注:今文 @ 經:賢獲", "注:今文 @ NOT 經:賢獲"];
    assert_eq!(totals(vec![one("a", "賢獲。"), one("b", "坐。")], &queries), [2, 1, 1]);
    assert_eq!(totals(vec![one("a", "坐。"), one("b", "賢獲。")], &queries), [2, 1, 1]);
}

#[test]
fn a_translation_is_found_where_it_renders_nothing_too() {
    let words = "取勝者的算籌。然後坐下。又說今文。";
    let documents =
        vec![text("a", &[(Layer::Jing, "坐。")]), text("b", &[(Layer::Translation, words)])];
    let rendered = "然後坐下。";
    let start = words.find(rendered).unwrap();
    let bead = Bead {
        source: vec![Span::new(0, "坐。".len())],
        translation: vec![Span::new(start, start + rendered.len())],
        certainty: Certainty::SURE,
        evidence: vec![],
    };
    let alignment = Alignment {
        source: "a".into(),
        translation: "b".into(),
        grain: Default::default(),
        beads: vec![bead],
    };
    let library = Library { documents, alignments: vec![alignment], ..Library::default() };
    let (folder, _index) = index_of(&library);
    for (query, hits) in [
        ("譯:取勝者", 1),
        ("譯:坐下", 1),
        ("譯:今文", 1),
        ("譯:坐下 @ 經:坐", 1),
        ("譯:今文 @ 經:坐", 0),
    ] {
        assert_eq!(total(folder.path(), query), hits, "{query}");
    }
}

#[test]
fn a_note_within_a_sentence_does_not_end_the_passage() {
    use Layer::{Blank, Jing, Zhu};
    let of = |classic: &'static str| {
        let parts = [(Jing, classic), (Zhu, "續也。"), (Jing, "釋獲皆如初。"), (Blank, "\n\n")];
        text("a", &[&parts[..], &[(Jing, "司射。")]].concat())
    };
    assert_eq!(totals(vec![of("眾賓繼射,")], &["經:眾賓 AND 經:釋獲"]), [2]);
    assert_eq!(totals(vec![of("眾賓繼射。")], &["經:眾賓 AND 經:釋獲"]), [0]);
}

/// The 傳 of a chapter may be part of its 經 and have an author of its own.
#[test]
fn words_of_a_kind_within_a_layer_are_those_of_its_author() {
    let mut document =
        Document::clone(&text("a", &[(Layer::Jing, "賢獲。"), (Layer::Jing, "坐。")]));
    document.segments[1].sub = Some(Layer::Zhuan);
    let layers = [(Layer::Jing, "周公"), (Layer::Zhuan, "子夏")];
    let author = |(layer, name): (Layer, &str)| {
        (layer, Commentator { name: name.to_string(), ..Commentator::default() })
    };
    document.meta.layers = layers.into_iter().map(author).collect();
    let queries = ["by:子夏", "坐 by:子夏", "賢獲 by:子夏", "賢獲 by:周公", "坐 by:周公"];
    assert_eq!(totals(vec![Arc::new(document)], &queries), [1, 1, 0, 1, 0]);
}
