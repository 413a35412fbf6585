//! Reads a text and shows its layers, for tests of readers and passes.

use zhushu::model::{Document, Layer};
use zhushu::source::Source;
use zhushu::{pipeline, readers};

/// The head of a mandoku file.
pub const HEAD: &str = "# -*- mode: mandoku-view; -*-\n#+TITLE: 儀禮\n#+PROPERTY: ID KR1d0026\n";

/// Reads with a reader, or with the one that recognises the text.
pub fn read(text: &str, from: Option<&str>) -> Document {
    let document = readers::read(Source::from_text("t.txt", text), from).unwrap();
    document.check().unwrap();
    document
}

/// Reads and runs every pass.
pub fn convert(text: &str) -> Document {
    let library = pipeline::convert(Source::from_text("t.txt", text), None).unwrap();
    (*library.documents[0]).clone()
}

/// Layers and text, without marks and blanks, with the parts of a run joined.
pub fn layers(document: &Document) -> Vec<(Layer, String)> {
    let mut runs: Vec<(Layer, String)> = Vec::new();
    for s in document.segments.iter().filter(|s| s.layer.is_text()) {
        let words = document.words(s.span);
        match runs.last_mut() {
            Some((layer, run))
                if *layer == s.layer && !matches!(s.layer, Layer::Heading | Layer::Undivided) =>
            {
                run.push_str(&words)
            }
            _ => runs.push((s.layer, words.to_string())),
        }
    }
    runs
}

pub fn assert_layers(document: &Document, want: &[(Layer, &str)]) {
    let want: Vec<_> = want.iter().map(|(l, w)| (*l, w.to_string())).collect();
    assert_eq!(layers(document), want);
}

pub fn codes(document: &Document) -> Vec<&str> {
    document.diagnostics.iter().map(|d| &*d.code).collect()
}

/// The line of the first diagnostic with this code.
pub fn line_of(document: &Document, code: &str) -> usize {
    let d = document
        .diagnostics
        .iter()
        .find(|d| d.code == code)
        .unwrap_or_else(|| panic!("no {code}: {:?}", codes(document)));
    document.source.place(d.span.unwrap().start()).line
}
