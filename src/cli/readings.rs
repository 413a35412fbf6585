//! How each text was read: by which reader, in which encoding, how many of its characters are in
//! which layer and in none, and how many bytes do not decode.

use crate::books::translations::Pair;
use crate::model::{Coverage, Document};
use crate::source::Source;

use super::columns::counted;
use super::language::say;

/// Below this certainty the evidence for an encoding is shown.
const PLAIN: f64 = 0.99;

/// A row for each file, in the language of messages: its path, its reader, its encoding, its
/// Chinese characters by layer, what is odd about its bytes. Chapters of one file share a row
/// unless their bytes differ in this.
pub fn rows<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Vec<Vec<String>> {
    let mut rows: Vec<(Vec<String>, Coverage)> = vec![];
    for d in documents {
        let path = d.source.path().display().to_string();
        let row = vec![path, d.reader.to_string(), encoding(&d.source), say(&odd(&d.source))];
        match rows.last_mut() {
            Some((last, coverage)) if *last == row => coverage.add(Coverage::of(d)),
            _ => rows.push((row, Coverage::of(d))),
        }
    }
    let counted = |(mut row, coverage): (Vec<String>, Coverage)| {
        row.insert(3, say(&characters(&coverage)));
        row
    };
    rows.into_iter().map(counted).collect()
}

/// Chinese characters by layer and in none: 經 226, 注 1020; in no layer 12 (1.0 %).
pub fn characters(coverage: &Coverage) -> String {
    let of = coverage.by_layer.iter().filter(|(_, n)| **n > 0);
    let of = of.map(|(layer, n)| format!("{} {n}", layer.info().zh)).collect::<Vec<_>>().join(", ");
    let (none, share) = (coverage.in_none, coverage.share() * 100.0);
    match none {
        0 => of,
        _ if of.is_empty() => format!("in no layer {none} ({share:.1} %)"),
        _ => format!("{of}; in no layer {none} ({share:.1} %)"),
    }
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

/// A row for each text that was taken for a translation.
pub fn translations(pairs: &[Pair]) -> Vec<Vec<String>> {
    let row = |p: &Pair| {
        let of = match p.classics.is_empty() {
            true => say("without its classic"),
            false => say(&format!("translates {}", p.classics.join(" "))),
        };
        vec![p.translation.clone(), of, say(&p.why)]
    };
    pairs.iter().map(row).collect()
}
