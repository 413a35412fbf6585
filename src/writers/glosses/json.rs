//! Glosses as JSON: one object, with one gloss on each line. Offsets are code points of each file's
//! own text, end exclusive.

use std::io;

use serde_json::{Value, json};

use crate::reading::glosses::{OwnEntry, PlacedGloss};
use crate::writers::place;

/// Writes the object (`schema/glosses.schema.json` describes it), with what dictionaries of the
/// user say of the word.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(
    glosses: &[PlacedGloss<'_>],
    own: &[OwnEntry],
    out: &mut dyn io::Write,
) -> io::Result<()> {
    write!(out, "{{\n\"format\": \"zhushu-glosses/1\",\n\"glosses\": [")?;
    crate::writers::json_items(out, glosses.iter().map(gloss))?;
    write!(out, "],\n\"dictionaries\": [")?;
    let entry =
        |e: &OwnEntry| json!({"dictionary": e.dictionary, "headword": e.headword, "text": e.text});
    crate::writers::json_items(out, own.iter().map(entry))?;
    out.write_all(b"]\n}\n")
}

fn gloss(g: &PlacedGloss<'_>) -> Value {
    let gloss = &g.gloss;
    json!({
        "headword": gloss.headword, "kind": gloss.kind.id(), "sense": gloss.sense,
        "who": gloss.who, "layer": gloss.layer.id(), "cert": gloss.certainty.rounded(),
        "found": gloss.place.id(), "from": place(&g.from), "lemma": g.lemma.as_ref().map(place),
    })
}
