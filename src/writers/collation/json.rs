//! The whole table as JSON. Offsets are code points of each file's own text.

use std::io;

use serde::Serialize;

use super::CollatedChapter;
use crate::collation::{CollatedPlace, CollatedWitness, Collation, IndirectReading};
use crate::source::Span;

#[derive(Serialize)]
struct CollationJson<'a> {
    format: &'static str,
    chapters: Vec<ChapterJson<'a>>,
}

#[derive(Serialize)]
struct ChapterJson<'a> {
    title: &'a str,
    base: &'a str,
    witnesses: Vec<WitnessJson<'a>>,
    places: Vec<PlaceJson<'a>>,
    transpositions: Vec<TranspositionJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reported: Vec<ReportedJson<'a>>,
}

/// A reading that a witness reports.
#[derive(Serialize)]
struct ReportedJson<'a> {
    siglum: &'a str,
    reports: Vec<PlaceOfWitness<'a>>,
    base_spans: Vec<[usize; 2]>,
    words: &'a str,
    difference: &'static str,
    certainty: f64,
}

#[derive(Serialize)]
struct WitnessJson<'a> {
    siglum: &'a str,
    id: &'a str,
    path: String,
    sha256: &'a str,
    chars: usize,
    in_place: usize,
}

/// A place; all witnesses have one reading where they agree.
#[derive(Serialize)]
struct PlaceJson<'a> {
    readings: Vec<ReadingJson<'a>>,
}

#[derive(Serialize)]
struct ReadingJson<'a> {
    words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
    witnesses: Vec<PlaceOfWitness<'a>>,
}

#[derive(Serialize)]
struct PlaceOfWitness<'a> {
    siglum: &'a str,
    spans: Vec<[usize; 2]>,
}

#[derive(Serialize)]
struct TranspositionJson<'a> {
    witness: &'a str,
    base_spans: Vec<[usize; 2]>,
    spans: Vec<[usize; 2]>,
    words: String,
}

/// Writes the object on one line.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(chapters: &[CollatedChapter<'_>], out: &mut dyn io::Write) -> io::Result<()> {
    let chapters = chapters.iter().map(chapter).collect();
    serde_json::to_writer(&mut *out, &CollationJson { format: "zhushu-collation/1", chapters })?;
    writeln!(out)
}

fn chapter<'a>(chapter: &'a CollatedChapter<'_>) -> ChapterJson<'a> {
    let collation = &chapter.collation;
    let witness = |(n, w): (usize, &'a CollatedWitness<'_>)| WitnessJson {
        siglum: &w.siglum,
        id: &w.document.id,
        path: w.document.source.path().display().to_string(),
        sha256: w.document.source.sha256(),
        chars: w.chars().len(),
        in_place: collation.matched[n],
    };
    let transposition = |m: &crate::collation::Transposition| {
        let (base, own) = (&collation.witnesses[collation.base], &collation.witnesses[m.witness]);
        TranspositionJson {
            witness: &own.siglum,
            base_spans: spans(base, m.base.clone()),
            spans: spans(own, m.own.clone()),
            words: own.shown(m.own.clone()),
        }
    };
    let reported = |r: &'a IndirectReading| {
        let report = |(n, at): &(usize, Span)| {
            let witness = &collation.witnesses[*n];
            let char_of = |at| witness.document.source.char_of(at);
            let spans = vec![[char_of(at.start()), char_of(at.end())]];
            PlaceOfWitness { siglum: &witness.siglum, spans }
        };
        ReportedJson {
            siglum: &r.siglum,
            reports: r.reports.iter().map(report).collect(),
            base_spans: spans(&collation.witnesses[collation.base], r.base.clone()),
            words: &r.words,
            difference: r.difference.id(),
            certainty: r.certainty.rounded(),
        }
    };
    ChapterJson {
        title: &chapter.title,
        base: &collation.witnesses[collation.base].siglum,
        witnesses: collation.witnesses.iter().enumerate().map(witness).collect(),
        places: collation.places.iter().map(|p| place(p, collation)).collect(),
        transpositions: collation.moved.iter().map(transposition).collect(),
        reported: chapter.reported.iter().map(reported).collect(),
    }
}

fn place<'a>(place: &CollatedPlace, collation: &'a Collation<'_>) -> PlaceJson<'a> {
    let at = |n: &usize| {
        let witness = &collation.witnesses[*n];
        let spans = spans(witness, place.readings[*n].clone());
        PlaceOfWitness { siglum: &witness.siglum, spans }
    };
    let groups = collation.readings(place).into_iter().map(|g| ReadingJson {
        words: g.words,
        class: g.class.map(|c| c.id()),
        witnesses: g.witnesses.iter().map(at).collect(),
    });
    PlaceJson { readings: groups.collect() }
}

fn spans(witness: &CollatedWitness<'_>, bytes: std::ops::Range<usize>) -> Vec<[usize; 2]> {
    let source = &witness.document.source;
    let spans = witness.spans(bytes).into_iter();
    spans.map(|s| [source.char_of(s.start()), source.char_of(s.end())]).collect()
}
