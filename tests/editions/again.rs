//! What zhushu exports can be read again, and has the same words in the same layers.

use std::collections::BTreeMap;

use crate::support::corpus;
use crate::support::editions::{edition, files};
use zhushu::Settings;
use zhushu::corpus::{Library, Loci, TextEntry};
use zhushu::model::{Document, Layer, LayerKind, Segment};
use zhushu::pipeline;
use zhushu::source::Source;
use zhushu::text::class::is_content;

/// Formats that keep everything, and the file that has the words.
const WHOLE: &[(&str, &str)] =
    &[("tei", ".xml"), ("jsonl", ".jsonl"), ("tsv", "segments.tsv"), ("docuxml", ".xml")];
/// Formats for people: titles and labels are lines like others there.
const FOR_PEOPLE: &[(&str, &str)] = &[("mandoku", ".txt"), ("markdown", ".md")];

/// Formats of books, which keep every layer.
const BOOKS: &[(&str, &str)] =
    &[("markdown", ".md"), ("epub", ".epub"), ("odt", ".odt"), ("docx", ".docx")];

/// The texts of the corpus.
const SEEDS: [&str; 5] = [
    "yili-05-jinyi.txt",
    "yili-05-jishi.txt",
    "yili-05-zhushu.txt",
    "yili-06-zhushu.txt",
    "yili-07-judou.md",
];

/// The words of each layer, without punctuation and titles.
pub fn by_layer(library: &Library) -> BTreeMap<Layer, String> {
    let mut all: BTreeMap<Layer, String> = BTreeMap::new();
    for d in &library.documents {
        let is_text = |l: Layer| l.is_text() && l.kind() != LayerKind::Structure;
        for s in d.segments.iter().filter(|s| is_text(s.layer) || s.layer == Layer::ShuHeader) {
            let words = d.words(s.span);
            all.entry(s.layer).or_default().extend(words.chars().filter(|c| is_content(*c)));
        }
    }
    all
}

/// A text of the corpus, exported and read again.
fn again(library: &Library, format: &str, ending: &str) -> BTreeMap<Layer, String> {
    let edition = edition(library.clone(), "again");
    let (name, bytes) =
        files(&edition, format).into_iter().find(|(name, _)| name.ends_with(ending)).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    by_layer(&pipeline::convert(Source::from_text(&name, &text), None).unwrap())
}

#[test]
fn exports_are_read_again() {
    for name in ["yili-06-zhushu.txt", "yili-07-judou.md"] {
        let text = std::fs::read_to_string(corpus::file(name)).unwrap();
        let library = pipeline::convert(Source::from_text(name, &text), None).unwrap();
        let before = by_layer(&library);
        for (format, ending) in WHOLE {
            assert_eq!(again(&library, format, ending), before, "{name} as {format}");
        }
        for (format, ending) in FOR_PEOPLE {
            let after = again(&library, format, ending);
            for (layer, words) in before.iter().filter(|(l, _)| l.kind() != LayerKind::Base) {
                let (had, has) = (words.chars().count(), after[layer].chars().count());
                let lost = had.abs_diff(has);
                assert!(lost * 100 <= had, "{name} as {format}: {layer:?} {had} {has}");
            }
        }
    }
}

/// A library as a book of a format, read again.
fn read_as_book(library: &Library, (format, ending): (&str, &str)) -> Library {
    let folder = tempfile::tempdir().unwrap();
    let edition = edition(library.clone(), "again");
    let (_, bytes) =
        files(&edition, format).into_iter().find(|(name, _)| name.ends_with(ending)).unwrap();
    let path = folder.path().join(format!("a{ending}"));
    std::fs::write(&path, bytes).unwrap();
    let settings = Settings::default();
    let document = settings.entry(&TextEntry::file(&path)).unwrap();
    settings.run(vec![document])
}

#[test]
fn books_keep_every_layer() {
    // Labels and what is outside the layers too.
    let all = |library: &Library| {
        let mut all = by_layer(library);
        for layer in [Layer::Label, Layer::Other] {
            let documents = library.documents.iter();
            let words = documents.flat_map(|d| d.of_layer(layer).map(|s| d.words(s.span)));
            let words: String = words.flat_map(|w| w.chars().collect::<Vec<_>>()).collect();
            all.insert(layer, words.chars().filter(|c| is_content(*c)).collect());
        }
        let mut sorted: Vec<(Layer, Vec<char>)> =
            all.into_iter().map(|(layer, words)| (layer, words.chars().collect())).collect();
        sorted.iter_mut().for_each(|(_, words)| words.sort_unstable());
        sorted
    };
    for path in SEEDS.map(corpus::file) {
        let bytes = std::fs::read(&path).unwrap();
        let source = Source::decode(&path, bytes, None).unwrap();
        let library = pipeline::convert(source, None).unwrap();
        for book in BOOKS {
            let read = read_as_book(&library, *book);
            assert!(all(&read) == all(&library), "{} as {}", path.display(), book.0);
            // Nothing that sets numbers of notes apart has come among the words.
            let commas = |l: &Library| {
                let classic = l
                    .documents
                    .iter()
                    .flat_map(|d| d.of_layer(Layer::Jing).map(|s| d.words(s.span)));
                classic.filter(|words| !words.chars().any(is_content)).count()
            };
            assert_eq!(commas(&read), commas(&library), "{} as {}", path.display(), book.0);
        }
    }
}

#[test]
fn offsets_without_words_are_refused() {
    let text = "{\"format\": \"zhushu/1\", \"spans\": [], \"text\": \"學而時習之\"}";
    let error = pipeline::convert(Source::from_text("a.json", text), None).unwrap_err();
    assert!(error.to_string().contains("not the words"), "{error}");
}

#[test]
fn notes_keep_their_places_and_numbers_are_no_words() {
    const TEXT: &str = "子曰：“學而時習之，不亦說乎？”（說，音悅。）\n\n\
        有子曰：（孔子弟子有若。）“其為人也孝弟，而好犯上者，鮮矣。（鮮，少也。）君子務本。”\n\n\
        子曰：（孔子。）“巧言令色，鮮矣仁！”（包曰：“巧言，好其言語。”）\n";
    let places = |library: &Library| {
        let named = |d: &Document| {
            let loci = Loci::of(d);
            let is_note = |s: &&Segment| s.layer.kind() == LayerKind::Note;
            let place = |s: &Segment| {
                let path =
                    loci.name(s.span).map(|l| l.to_string().split_once('.').unwrap().1.to_string());
                (path.unwrap_or_default(), d.words(s.span).into_owned())
            };
            d.segments.iter().filter(is_note).map(place).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = library.documents.iter().flat_map(|d| named(d)).collect();
        all.sort();
        all
    };
    let library = pipeline::convert(Source::from_text("a.txt", TEXT), None).unwrap();
    let before = places(&library);
    assert_eq!(before.len(), 5);
    let classic = |library: &Library| by_layer(library)[&Layer::Jing].clone();
    for book in BOOKS {
        let read = read_as_book(&library, *book);
        assert_eq!(places(&read), before, "{}", book.0);
        assert_eq!(classic(&read), classic(&library), "{}", book.0);
    }
}
