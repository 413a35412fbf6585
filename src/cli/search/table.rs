//! Rows for people, spreadsheets, programs and pages. Texts may contain anything, so what has a
//! meaning in a format is escaped.

use std::io::{self, Write};
use std::path::Path;

use crate::search::{Answer, Collocate};
use crate::text::cell::uncalculated;
use quick_xml::escape::escape;
use serde_json::{Value, json};

use super::Format;
use crate::cli::language::say;
use crate::cli::{Failure, columns, output};

/// A header, and rows of strings and numbers.
pub struct Table {
    head: Vec<&'static str>,
    pub rows: Vec<Vec<Value>>,
}

/// A column: its name, and its value in an answer.
type AnswerColumn = (&'static str, fn(&Answer) -> Value);

/// The columns of a table of hits.
const ANSWER_COLUMNS: &[AnswerColumn] = &[
    ("locus", |a| json!(a.locus.passage.as_ref().map(ToString::to_string).unwrap_or_default())),
    ("text", |a| json!(a.locus.text)),
    ("witness", |a| json!(a.locus.witness)),
    ("document", |a| json!(a.document)),
    ("line", |a| json!(a.line)),
    ("column", |a| json!(a.column)),
    ("section", |a| json!(a.section.as_deref().unwrap_or_default())),
    ("leaf", |a| json!(a.leaf.as_deref().unwrap_or_default())),
    ("layer", |a| json!(a.layer.zh())),
    ("by", |a| json!(a.by.as_deref().unwrap_or_default())),
    ("certainty", |a| json!(a.certainty.rounded())),
    ("left", |a| json!(a.left)),
    ("hit", |a| json!(a.hit)),
    ("right", |a| json!(a.right)),
    ("anchor", |a| json!(a.anchor.as_deref().unwrap_or_default())),
    ("words", |a| json!(a.words.as_deref().unwrap_or_default())),
];

impl Table {
    /// Hits.
    pub fn of_answers(answers: &[Answer]) -> Self {
        let row = |a: &Answer| ANSWER_COLUMNS.iter().map(|(_, value)| value(a)).collect();
        Table {
            head: ANSWER_COLUMNS.iter().map(|(name, _)| *name).collect(),
            rows: answers.iter().map(row).collect(),
        }
    }

    /// Names with counts.
    pub fn counts(name: &'static str, counts: Vec<(String, usize)>) -> Self {
        Table {
            head: vec![name, "hits"],
            rows: counts.into_iter().map(|(name, n)| vec![json!(name), json!(n)]).collect(),
        }
    }

    /// Collocates.
    pub fn collocates(collocates: &[Collocate]) -> Self {
        let row = |c: &Collocate| {
            let score = (c.score * 10.0).round() / 10.0;
            vec![json!(c.character.to_string()), json!(c.near), json!(c.in_reach), json!(score)]
        };
        Table {
            head: vec!["character", "near", "in total", "log-likelihood"],
            rows: collocates.iter().map(row).collect(),
        }
    }

    /// Writes the table.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, to: Format, title: &str, path: Option<&Path>) -> Result<(), Failure> {
        output::to(path, |out| match to {
            Format::Text => self.text(out),
            Format::Json => self.json(out),
            Format::Tsv => self.separated(b'\t', out),
            Format::Csv => self.separated(b',', out),
            Format::Html => self.html(title, out),
        })
    }

    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = self.head.iter().map(|name| say(name)).collect();
        let cells = |r: &Vec<Value>| r.iter().map(|c| columns::one_line(&words(c))).collect();
        let mut rows: Vec<Vec<String>> = self.rows.iter().map(cells).collect();
        // A single figure needs no header.
        if rows.len() != 1 || self.head[0] != "query" {
            rows.insert(0, head);
        }
        out.write_all(columns::figures(&rows).as_bytes())
    }

    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        for row in &self.rows {
            let object: serde_json::Map<String, Value> =
                self.head.iter().map(ToString::to_string).zip(row.iter().cloned()).collect();
            serde_json::to_writer(&mut *out, &object)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn separated(&self, by: u8, out: &mut dyn Write) -> io::Result<()> {
        let mut csv = csv::WriterBuilder::new().delimiter(by).from_writer(out);
        csv.write_record(&self.head).map_err(io_error)?;
        for row in &self.rows {
            csv.write_record(row.iter().map(harmless)).map_err(io_error)?;
        }
        csv.flush()
    }

    fn html(&self, title: &str, out: &mut dyn Write) -> io::Result<()> {
        let title = escape(title);
        writeln!(
            out,
            "<!DOCTYPE html>\n<html lang=\"zh-Hant\">\n<head><meta charset=\"utf-8\"><title>{title}</title>"
        )?;
        writeln!(
            out,
            "<style>td {{ padding: 0 .4em }} .left {{ text-align: right }} .hit {{ color: #a00 }}</style></head>"
        )?;
        writeln!(out, "<body>\n<h1>{title}</h1>\n<table>\n<tr>")?;
        for name in &self.head {
            writeln!(out, "<th>{name}</th>")?;
        }
        writeln!(out, "</tr>")?;
        for row in &self.rows {
            write!(out, "<tr>")?;
            for (name, cell) in self.head.iter().zip(row) {
                let cell = columns::one_line(&words(cell));
                write!(out, "<td class=\"{name}\">{}</td>", escape(cell))?;
            }
            writeln!(out, "</tr>")?;
        }
        writeln!(out, "</table>\n</body>\n</html>")
    }
}

/// The error of the output itself: a reader that closed the pipe is no failure.
fn io_error(e: csv::Error) -> io::Error {
    match e.into_kind() {
        csv::ErrorKind::Io(e) => e,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn words(cell: &Value) -> String {
    cell.as_str().map_or_else(|| cell.to_string(), ToString::to_string)
}

/// A cell on one line; text that begins like a formula is escaped for spreadsheets.
fn harmless(cell: &Value) -> String {
    let words = columns::one_line(&words(cell));
    if cell.is_string() { uncalculated(&words).into_owned() } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(to: Format) -> String {
        let table =
            Table::counts("form", vec![("=HYPERLINK(\"x\")".into(), 3), ("<b>&\t\n,".into(), 1)]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        table.write(to, "<script>", Some(&path)).unwrap();
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn hostile_words_stay_words() {
        assert_eq!(
            written(Format::Csv),
            "form,hits\n\"\\=HYPERLINK(\"\"x\"\")\",3\n\"<b>&  ,\",1\n"
        );
        let html = written(Format::Html);
        assert!(
            html.contains("&lt;b&gt;&amp;")
                && html.contains("<title>&lt;script&gt;</title>")
                && !html.contains("<script>")
        );
        assert_eq!(written(Format::Tsv).lines().count(), 3);
        assert_eq!(written(Format::Json).lines().count(), 2);
    }
}
