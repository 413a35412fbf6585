//! How each text was read: by which reader, in which encoding, and how many bytes do not decode.

use crate::model::Document;
use crate::source::Source;

use super::columns::counted;

/// Below this certainty the evidence for an encoding is shown.
const PLAIN: f64 = 0.99;

/// A row for each file: its path, its reader, its encoding, what is odd about its bytes. Chapters
/// of one file share a row unless their bytes differ in this.
pub fn rows<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Vec<Vec<String>> {
    let row = |d: &Document| {
        let path = d.source.path().display().to_string();
        vec![path, d.reader.to_string(), encoding(&d.source), odd(&d.source)]
    };
    let mut rows: Vec<Vec<String>> = documents.into_iter().map(row).collect();
    rows.dedup();
    rows
}

/// The encoding, with its certainty if it was guessed.
fn encoding(source: &Source) -> String {
    match source.detected().guessed() {
        Some(d) => format!("{} ({:.2})", d.encoding, d.certainty),
        None => source.encoding().to_string(),
    }
}

fn odd(source: &Source) -> String {
    let bad = match source.undecodable().count() {
        0 => None,
        n => Some(format!("{} undecodable", counted(n, "sequence"))),
    };
    let detected = source.detected();
    let why = (detected.certainty < PLAIN).then(|| detected.why.clone());
    bad.into_iter().chain(why).collect::<Vec<_>>().join("; ")
}
