//! Punctuation that a source does not have: beside the text in every output, and never in it.

use std::sync::Arc;

use zhushu::Settings;
use zhushu::corpus::Library;
use zhushu::model::{Document, MarkSource, SuppliedMark};
use zhushu::source::Source;
use zhushu::writers::WRITERS;

const BARE: &str = "孟子見梁惠王王曰叟不遠千里而來亦將有以利吾國乎孟子對曰王何必曰利亦有仁義而已矣\n王曰何以利吾國大夫曰何以利吾家士庶人曰何以利吾身上下交征利而國危矣\n";

fn read(text: &str, punctuation: MarkSource) -> Library {
    let mut settings = Settings::default();
    settings.punctuation = punctuation;
    let source = Source::from_text("mengzi.txt", text);
    settings.convert(source, Some("plain")).expect("it is read")
}

fn written(name: &str, library: &Library) -> String {
    let writer = WRITERS.iter().find(|w| w.name == name).expect("there is such a writer");
    let mut bytes = vec![];
    (writer.write)(&library.documents[0], library, &mut bytes).expect("it is written");
    String::from_utf8(bytes).expect("it is UTF-8")
}

fn marks(document: &Document) -> Vec<(usize, &str, f64)> {
    let of = |m: &SuppliedMark| (m.at, m.certainty.rounded());
    document.supplied.iter().map(|m| (of(m).0, m.words.as_str(), of(m).1)).collect()
}

#[test]
fn marks_stand_beside_the_text_and_number_its_sentences() {
    let library = read(BARE, MarkSource::Network);
    let document = &library.documents[0];
    document.check().unwrap();
    assert_eq!(document.source.text(), BARE);
    assert!(document.supplied.len() > 8, "{:?}", document.supplied);
    let alone = read(BARE, MarkSource::None);
    assert!(alone.documents[0].supplied.is_empty());
    let sentences = |d: &Arc<Document>| d.sentences.len();
    assert!(sentences(document) > sentences(&alone.documents[0]));
    // No sentence begins with a blank or an end of line.
    let starts = document.sentences.iter().map(|s| document.slice(s.span));
    assert!(starts.clone().all(|s| !s.starts_with(char::is_whitespace)), "{starts:?}");
}

#[test]
fn tei_has_them_with_their_certainty_and_gives_back_text_and_marks() {
    let library = read(BARE, MarkSource::Network);
    let tei = written("tei", &library);
    assert!(tei.contains("<pc resp=\"#zhushu\">"), "{tei}");
    let back = Settings::default();
    let source = Source::from_text("mengzi.xml", tei);
    let back = back.convert(source, Some("tei")).expect("our TEI is read");
    let (old, new) = (&library.documents[0], &back.documents[0]);
    assert_eq!(new.source.text(), BARE);
    assert_eq!(marks(new), marks(old));
    assert!(new.readings.is_empty());
    assert_eq!(new.sentences, old.sentences);
}

#[test]
fn pages_can_be_read_and_copied_without_them() {
    let library = read(BARE, MarkSource::Network);
    let page = written("html", &library);
    assert!(page.contains("id=\"sw-pc\"") && page.contains("data-pc=\"，\""));
    assert!(!written("html", &read(BARE, MarkSource::None)).contains("id=\"sw-pc\""));
    let json = written("json", &library);
    assert!(json.contains("\"supplied\": ["), "{json}");
}

#[test]
fn a_punctuated_copy_is_asked_first() {
    let copy = "孟子見梁惠王。王曰：「叟！不遠千里而來，亦將有以利吾國乎？」孟子對曰：「王何必曰利？亦有仁義而已矣。」\n";
    let document = |name: &str, text: &str| {
        let settings = Settings::default();
        let mut document =
            settings.readers.read(Source::from_text(name, text), Some("plain")).unwrap();
        document.meta.work = Some("孟子".into());
        document.meta.chapter = Some("梁惠王上".into());
        document
    };
    let mut settings = Settings::default();
    settings.punctuation = MarkSource::Copies;
    let library = settings.run(vec![document("bare.txt", BARE), document("copy.txt", copy)]);
    let bare = library.get("bare").expect("it is there");
    let words: String = bare.supplied.iter().map(|m| m.words.as_str()).collect();
    assert!(words.starts_with("。：「！，？」：「？"), "{words}");
    assert!(library.get("copy").expect("it is there").supplied.is_empty());
}
