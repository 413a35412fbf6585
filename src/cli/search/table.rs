//! Rows for people, spreadsheets, programs and pages. Texts may hold anything: what a format would
//! take for more than words is escaped.

use std::io::{self, Write};
use std::path::Path;

use crate::search::{Answer, Collocate};
use quick_xml::escape::escape;
use serde_json::{Value, json};

use super::Format;
use crate::cli::columns::{self, Side};
use crate::cli::{Failure, output};

/// A head, and rows of strings and numbers.
pub struct Table {
    head: Vec<&'static str>,
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// Hits.
    pub fn of_answers(answers: &[Answer]) -> Self {
        let head = vec![
            "locus",
            "text",
            "witness",
            "document",
            "line",
            "column",
            "section",
            "layer",
            "by",
            "certainty",
            "left",
            "hit",
            "right",
            "anchor",
            "words",
        ];
        let row = |a: &Answer| {
            vec![
                json!(a.locus.passage.as_ref().map(ToString::to_string).unwrap_or_default()),
                json!(a.locus.text),
                json!(a.locus.witness),
                json!(a.document),
                json!(a.line),
                json!(a.column),
                json!(a.section.as_deref().unwrap_or_default()),
                json!(a.layer.zh()),
                json!(a.by.as_deref().unwrap_or_default()),
                json!(a.certainty.rounded()),
                json!(a.left),
                json!(a.hit),
                json!(a.right),
                json!(a.anchor.as_deref().unwrap_or_default()),
                json!(a.words.as_deref().unwrap_or_default()),
            ]
        };
        Table { head, rows: answers.iter().map(row).collect() }
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
            head: vec!["character", "near", "in all", "log-likelihood"],
            rows: collocates.iter().map(row).collect(),
        }
    }

    /// Writes the table.
    ///
    /// # Errors
    /// When the output does not take it.
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
        let head: Vec<String> = self.head.iter().map(ToString::to_string).collect();
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|r| r.iter().map(|c| columns::one_line(&words(c))).collect())
            .collect();
        let sides: Vec<Side> =
            (0..self.head.len()).map(|i| if i == 0 { Side::Left } else { Side::Right }).collect();
        // A single figure needs no head.
        let lines: Vec<Vec<String>> = if rows.len() == 1 && self.head[0] == "query" {
            rows
        } else {
            [vec![head], rows].concat()
        };
        out.write_all(columns::lines(&lines, &sides).as_bytes())
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
        csv.write_record(&self.head)?;
        for row in &self.rows {
            csv.write_record(row.iter().map(|c| harmless(c, by)))?;
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
                write!(
                    out,
                    "<td class=\"{name}\">{}</td>",
                    escape(columns::one_line(&words(cell)))
                )?;
            }
            writeln!(out, "</tr>")?;
        }
        writeln!(out, "</table>\n</body>\n</html>")
    }
}

fn words(cell: &Value) -> String {
    cell.as_str().map_or_else(|| cell.to_string(), ToString::to_string)
}

/// A cell on one line; in a spreadsheet words that begin as a formula does are kept from being one.
fn harmless(cell: &Value, by: u8) -> String {
    let words = columns::one_line(&words(cell));
    let formula = cell.is_string() && by == b',' && words.starts_with(['=', '+', '-', '@']);
    if formula { format!("'{words}") } else { words }
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
            "form,hits\n\"'=HYPERLINK(\"\"x\"\")\",3\n\"<b>&  ,\",1\n"
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
