//! Typst source: words as string literals in calls of the functions that `data/edition.typ` defines.
//!
//! Nothing of the text is ever Typst markup, so nothing in it can act. The double rows (雙行夾注) are laid by those functions:
//! all characters of a line are as wide as a square or half of one, so a note that meets the end of a line fills both rows
//! up to there and goes on in the next, as in woodblock prints.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::Edition;
use super::flow::{self, Block, Run};
use crate::model::{Document, Layer};

const FUNCTIONS: &str = include_str!("data/edition.typ");

/// Writes all texts.
///
/// # Errors
/// Those of `out`.
pub fn write(edition: &Edition, _: usize, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(FUNCTIONS.as_bytes())?;
    out.write_all(head(edition).as_bytes())?;
    for d in edition.documents() {
        out.write_all(document(edition, d).as_bytes())?;
    }
    Ok(())
}

fn head(edition: &Edition) -> String {
    let about = &edition.about;
    let people = edition.people();
    let authors = people.iter().map(|(name, _)| name).chain(&about.editors);
    let colophon: Vec<String> = edition
        .documents()
        .map(|d| {
            let facts: Vec<String> = d.meta.facts().iter().map(|f| format!("{} {}", f.zh, f.words)).collect();
            array(std::iter::once(&d.meta.title).chain(&facts))
        })
        .collect();
    let people: Vec<String> = people.iter().map(|(name, layers)| format!("{name} {layers}")).collect();
    format!(
        "\n#show: edition.with(\n  title: {},\n  authors: {},\n  date: datetime(year: {}, month: {}, day: {}),\n  lang: {},\n)\n\
         #title-page({}, {}, {}, {}, {}, ({}))\n",
        literal(&about.title),
        array(authors),
        about.date.year,
        about.date.month,
        about.date.day,
        literal(if edition.language().contains("Hans") { "CN" } else { "TW" }),
        literal(&about.title),
        array(people.iter()),
        array(about.editors.iter()),
        about.licence.as_deref().map_or("none".into(), literal),
        literal(&about.date.to_string()),
        colophon.iter().map(|c| format!("{c}, ")).collect::<String>(),
    )
}

/// An array of strings; the comma after the last makes one of a single string too.
fn array<'a>(words: impl Iterator<Item = &'a String>) -> String {
    format!("({})", words.map(|w| format!("{}, ", literal(w))).collect::<String>())
}

fn document(edition: &Edition, document: &Document) -> String {
    let mut out = format!("\n#work({})\n", literal(&document.meta.title));
    for section in flow::sections(document, &edition.library) {
        if let Some(n) = section.number {
            let _ = writeln!(out, "\n#section(\"{n}\", {})", literal(section.title.as_deref().unwrap_or_default()));
        }
        for b in &section.blocks {
            block(edition, b, &mut out);
        }
    }
    let entries = if edition.look.apparatus { flow::apparatus(document) } else { vec![] };
    if !entries.is_empty() {
        out.push_str("\n#apparatus((\n");
        for e in entries {
            let _ = writeln!(out, "  ({}, {}, {}),", literal(e.locus.as_deref().unwrap_or("–")), literal(&e.lemma), literal(&e.says));
        }
        out.push_str("))\n");
    }
    out
}

fn block(edition: &Edition, block: &Block, out: &mut String) {
    let _ = match block {
        Block::Heading(words) => writeln!(out, "#head({})", literal(words)),
        Block::Label(words) | Block::Other(words) => writeln!(out, "#label-line({})", literal(words)),
        Block::Translation(words) => writeln!(out, "#translation({})", literal(words)),
        Block::Said { layer, header, runs } => {
            let header = header.as_deref().map_or("none".into(), literal);
            let words: String = runs.iter().map(|r| if r.is_note() { format!("({})", r.words) } else { r.words.clone() }).collect();
            writeln!(out, "#said({}, {header}, {})", literal(layer.zh()), literal(&words))
        }
        Block::Text(runs) if runs.iter().all(|r| r.layer == Layer::Translation) => {
            let words: String = runs.iter().map(|r| r.words.as_str()).collect();
            writeln!(out, "#plain({})", literal(&words))
        }
        Block::Text(runs) => writeln!(out, "#base(({}))", runs.iter().map(|r| run(edition, r)).collect::<String>()),
    };
}

fn run(edition: &Edition, run: &Run) -> String {
    match (run.is_note(), run.number.as_deref().filter(|_| edition.look.numbers)) {
        (true, _) => format!("z({}), ", literal(run.words.trim())),
        (false, Some(n)) => format!("t({}, n: {}), ", literal(&run.words), literal(n)),
        (false, None) => format!("t({}), ", literal(&run.words)),
    }
}

/// A string literal. What cannot be seen is written by its number.
fn literal(words: &str) -> String {
    let mut out = String::with_capacity(words.len() + 2);
    out.push('"');
    for c in words.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\0' => out.push('\u{FFFD}'),
            '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' => {
                _ = write!(out, "\\u{{{:x}}}", c as u32)
            }
            c if c.is_control() => _ = write!(out, "\\u{{{:x}}}", c as u32),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
