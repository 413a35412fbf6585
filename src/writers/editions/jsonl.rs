//! JSON Lines: an object a line, each with its `type`: first `edition` and a `text` for each text,
//! then all `segment`s, `link`s, `bead`s and `name`s. Offsets are code points of the text's own
//! file.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::Edition;
use super::formats::Format;
use super::tables::TABLES;

pub(super) const FORMAT: Format = Format {
    name: "jsonl",
    extension: "jsonl",
    about: "JSON Lines: texts, segments, links, beads, names, one on each line",
    write,
    ..Format::PLAIN
};

/// Writes the lines.
fn write(edition: &Edition, _: usize, out: &mut dyn Write) -> io::Result<()> {
    let about = &edition.about;
    line(
        out,
        &json!({"type": "edition", "format": "zhushu-lines/1", "title": about.title, "editors": about.editors, "licence": about.licence,
            "date": about.date.to_string(), "identifier": edition.uuid()}),
    )?;
    for d in edition.documents() {
        let people: Vec<Value> = d
            .meta
            .layers
            .iter()
            .map(|(l, who)| json!({"layer": l.id(), "name": who.name, "period": who.period}))
            .collect();
        let mut text = json!({"type": "text", "text": d.id, "title": d.meta.title, "work": d.meta.work, "chapter": d.meta.chapter,
            "number": d.meta.number, "siglum": d.meta.siglum, "language": d.meta.language, "by": people, "file": d.source.name(),
            "sha256": d.source.sha256()});
        d.meta.facts().into_iter().for_each(|f| text[f.id] = f.words.into());
        line(out, &text)?;
    }
    for table in TABLES.iter().filter(|t| t.name != "texts") {
        table.rows(edition, &mut |row| {
            let fields = table.columns().zip(row).map(|(c, v)| (c.name.to_string(), v.json()));
            let object: serde_json::Map<_, _> =
                std::iter::once(("type".to_string(), Value::from(table.singular())))
                    .chain(fields)
                    .collect();
            line(out, &Value::Object(object))
        })?;
    }
    Ok(())
}

fn line(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
