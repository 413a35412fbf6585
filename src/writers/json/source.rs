//! The file that a document was read from.

use std::borrow::Cow;

use serde::Serialize;

use crate::model::Document;
use crate::source::{Exchange, sha256_of};

/// See the schema for the keys.
#[derive(Serialize)]
pub(super) struct SourceJson<'a> {
    path: Cow<'a, str>,
    sha256: Cow<'a, str>,
    chars: usize,
    encoding: &'static str,
    /// Left out if it did not have to be guessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding_certainty: Option<f64>,
    #[serde(skip_serializing_if = "is_zero")]
    undecodable: usize,
    /// Stretches that the file has the other way round: where the first begins and ends, and where
    /// the second ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exchanged: Vec<[usize; 3]>,
    reader: &'a str,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// The file whose chapters are given, of which there is at least one.
pub(super) fn source_json<'a>(chapters: &[&'a Document]) -> SourceJson<'a> {
    let (d, s) = (chapters[0], &*chapters[0].source);
    let sha256 = match chapters {
        [_] => s.sha256().into(),
        _ => sha256_of(chapters.iter().map(|d| d.source.bytes())).into(),
    };
    let exchanged = chapters.iter().flat_map(|d| {
        let places = |e: &Exchange| e.places().map(|at| d.source.file_char_of(at));
        d.source.exchanges().iter().map(places)
    });
    SourceJson {
        path: s.name(),
        sha256,
        chars: chapters.iter().map(|d| d.source.chars()).sum(),
        encoding: s.encoding(),
        encoding_certainty: s.detected().guessed().map(|d| (d.certainty * 1e3).round() / 1e3),
        undecodable: s.undecodable().count(),
        exchanged: exchanged.collect(),
        reader: &d.reader,
    }
}
