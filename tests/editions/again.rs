//! What zhushu exports can be read again, and has the same words in the same layers.

use std::collections::BTreeMap;

use crate::support::corpus;
use crate::support::editions::{edition, files};
use zhushu::corpus::Library;
use zhushu::model::{Layer, LayerKind};
use zhushu::pipeline;
use zhushu::source::Source;
use zhushu::text::class::is_content;

/// Formats that keep everything, and the file that has the words.
const WHOLE: &[(&str, &str)] =
    &[("tei", ".xml"), ("jsonl", ".jsonl"), ("tsv", "segments.tsv"), ("docuxml", ".xml")];
/// Formats for people: titles and labels are lines like others there.
const FOR_PEOPLE: &[(&str, &str)] = &[("mandoku", ".txt"), ("markdown", ".md")];

/// The words of each layer, without punctuation.
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

#[test]
fn offsets_without_words_are_refused() {
    let text = "{\"format\": \"zhushu/1\", \"spans\": [], \"text\": \"學而時習之\"}";
    let error = pipeline::convert(Source::from_text("a.json", text), None).unwrap_err();
    assert!(error.to_string().contains("not the words"), "{error}");
}
