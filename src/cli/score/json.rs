//! Scores for programs.

use std::io::{self, Write};

use crate::score::{Lines, Score, Tally};
use serde_json::{Map, Value, json};

use super::Judged;
use super::errors::Mistake;

/// Writes one object: every text, and the total.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(
    judged: &[Judged<'_>],
    all: &Score,
    lines: Lines,
    out: &mut dyn Write,
) -> io::Result<()> {
    let texts: Vec<Value> = judged.iter().map(text).collect();
    let object = json!({"format": "zhushu-score/1", "across_lines": lines == Lines::Across, "texts": texts, "all": figures(all)});
    serde_json::to_writer_pretty(&mut *out, &object)?;
    writeln!(out)
}

fn text(j: &Judged<'_>) -> Value {
    let mut object = figures(&j.score);
    object.insert("path".into(), json!(j.file.display().to_string()));
    object.insert("gold".into(), json!(j.gold.display().to_string()));
    object.insert("errors".into(), j.mistakes.iter().map(error).collect());
    Value::Object(object)
}

fn figures(s: &Score) -> Map<String, Value> {
    let layers: Map<String, Value> = s
        .layers
        .iter()
        .map(|(l, of)| {
            (
                l.id().to_string(),
                json!({"characters": tally(&of.characters), "borders": tally(&of.borders)}),
            )
        })
        .collect();
    let c = &s.calibration;
    let bin = |b: &crate::score::Bin| json!({"from": b.from, "n": b.n, "given": round(b.given()), "right": b.right});
    let bins: Vec<Value> = c.bins.iter().map(bin).collect();
    let mut object = Map::new();
    object.insert("borders".into(), tally(&s.borders));
    let accuracy = round(s.characters.accuracy());
    object.insert(
        "characters".into(),
        json!({"right": s.characters.right, "all": s.characters.all, "accuracy": accuracy}),
    );
    object.insert("layers".into(), Value::Object(layers));
    object.insert("calibration".into(), json!({"n": c.n(), "ece": round(c.ece()), "bins": bins}));
    object
}

fn tally(t: &Tally) -> Value {
    let shares = [t.precision(), t.recall(), t.f1()].map(round);
    json!({"right": t.right, "gold": t.gold, "found": t.found, "precision": shares[0], "recall": shares[1], "f1": shares[2]})
}

fn error(m: &Mistake) -> Value {
    json!({
        "kind": if m.missed { "missed" } else { "wrong" },
        "at": m.border.at, "line": m.place.line, "column": m.place.column,
        "before": m.border.before.id(), "after": m.border.after.id(),
        "words": [m.words.0, m.words.1], "cert": m.certainty,
        "why": m.why.iter().map(|(why, _)| why).collect::<Vec<_>>(),
    })
}

fn round(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}
