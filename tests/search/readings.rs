//! What the source says that a character is read as is found in both forms.

use super::books::*;
use super::*;
use zhushu::model::{Reading, ReadingKind, SharedList};

#[test]
fn a_character_is_found_as_it_is_written_and_as_it_is_read() {
    let mut draft = Draft { text: String::new(), segments: vec![] };
    draft.push(Layer::Jing, "好茲衣如巷伯,亞亞女");
    let mut document = draft.document("a");
    let text = document.source.text().to_string();
    let reading = |words: &str, nth: usize, reading: &str| {
        let (at, _) = text.match_indices(words).nth(nth).unwrap();
        Reading {
            span: Span::new(at, at + words.len()),
            reading: reading.into(),
            kind: ReadingKind::Variant,
            certainty: Certainty::SURE,
            evidence: SharedList::default(),
        }
    };
    let said = [("茲", 0, "緇"), ("亞", 0, "惡"), ("亞", 1, "惡"), ("女", 0, "如也")];
    document.readings = said.map(|(words, nth, read)| reading(words, nth, read)).into();
    let library = Library { documents: vec![Arc::new(document)], ..Library::default() };
    let (folder, _) = index_of(&library);
    let counts = [
        ("茲衣", 1),
        ("緇衣", 1),
        ("好緇", 1),
        ("緇", 1),
        ("惡惡", 1),
        ("亞惡", 1),
        ("惡亞女", 1),
        ("惡", 2),
        ("亞", 2),
        // It has no place of its own.
        ("如也", 0),
    ];
    for (query, n) in counts {
        assert_eq!(total(folder.path(), query), n, "{query}");
    }
    let exact = Options { folding: Folding::Exact, ..Options::default() };
    let index = Index::open(folder.path()).unwrap();
    assert_eq!(index.search(&"緇衣".parse().unwrap(), exact).unwrap().total(), 0);
}
