//! Markdown: CommonMark with the footnotes of pandoc, GitHub and Obsidian, after a metadata block
//! in YAML.
//!
//! Characters that have a meaning in Markdown or HTML are escaped with a backslash, so that a
//! Markdown parser returns the text of the source.

use std::fmt::Write as _;
use std::io;

use super::Edition;
use super::flow::{EditionBlock, EditionRun};
use super::formats::Format;
use crate::model::{Document, Layer};

pub(super) const FORMAT: Format = Format {
    name: "markdown",
    extension: "md",
    about: "Markdown, notes as footnotes (pandoc, GitHub, Obsidian)",
    write,
    references: false,
    ..Format::PLAIN
};

/// Writes all texts, one after the other.
fn write(edition: &Edition, _: usize, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(head(edition).as_bytes())?;
    let mut notes = Footnotes::default();
    for document in edition.documents() {
        let mut text = String::new();
        markdown(edition, document, &mut text, &mut notes);
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Footnotes, numbered through the file.
#[derive(Default)]
struct Footnotes {
    count: usize,
    waiting: String,
}

fn head(edition: &Edition) -> String {
    let about = &edition.about;
    // A JSON string is a YAML string too.
    let quoted = |words: &str| serde_json::Value::from(words).to_string();
    let mut head = format!("---\ntitle: {}\n", quoted(&about.title));
    let list = |head: &mut String, key: &str, items: &mut dyn Iterator<Item = String>| {
        let items: Vec<String> = items.collect();
        if !items.is_empty() {
            let _ = writeln!(head, "{key}: [{}]", items.join(", "));
        }
    };
    list(&mut head, "author", &mut edition.people().iter().map(|(name, _)| quoted(name)));
    list(&mut head, "editor", &mut about.editors.iter().map(|e| quoted(e)));
    head.push_str("sources:\n");
    for d in edition.documents() {
        let _ = writeln!(head, "- title: {}", quoted(&d.meta.title));
        d.meta.facts().iter().for_each(|f| _ = writeln!(head, "  {}: {}", f.id, quoted(&f.words)));
    }
    if let Some(licence) = &about.licence {
        let _ = writeln!(head, "rights: {}", quoted(licence));
    }
    let _ = writeln!(head, "date: {}\nlang: {}\n---", about.date, quoted(edition.language()));
    head
}

fn markdown(edition: &Edition, document: &Document, out: &mut String, notes: &mut Footnotes) {
    let _ = writeln!(out, "\n# {}", inline(&document.meta.title));
    for fact in document.meta.facts() {
        let _ = writeln!(out, "\n{} {}", fact.zh, inline(&fact.words));
    }
    for section in edition.sections(document) {
        if let Some(n) = section.number {
            let _ = writeln!(
                out,
                "\n## {n}{}",
                section.title.map(|t| format!(" {}", inline(&t))).unwrap_or_default()
            );
        }
        for b in &section.blocks {
            block(edition, b, out, notes);
        }
        out.push_str(&std::mem::take(&mut notes.waiting));
    }
    let entries = edition.apparatus(document);
    if !entries.is_empty() {
        out.push_str("\n## 校勘\n\n");
    }
    for e in entries {
        let _ = writeln!(
            out,
            "- {} {}\\] {}",
            inline(e.locus.as_deref().unwrap_or("–")),
            inline(&e.lemma),
            inline(&e.says)
        );
    }
}

fn block(edition: &Edition, block: &EditionBlock, out: &mut String, notes: &mut Footnotes) {
    let _ = match block {
        EditionBlock::Heading(words) => writeln!(out, "\n### {}", inline(words)),
        EditionBlock::Label(words) | EditionBlock::Other(words) => {
            writeln!(out, "\n{}", inline(words))
        }
        EditionBlock::Translation(words) => {
            writeln!(out, "\n> **{}** {}", Layer::Translation.zh(), inline(words))
        }
        EditionBlock::Said { layer, header, runs } => {
            let header = header.as_deref().map(|h| format!("*{}* ", inline(h))).unwrap_or_default();
            let words = line(edition, runs, notes);
            writeln!(out, "\n> **{}** {header}{words}", layer.zh())
        }
        EditionBlock::Text(runs) => {
            let words = line(edition, runs, notes);
            writeln!(out, "\n{words}")
        }
    };
}

/// Text with the marks of its footnotes. A paragraph with only notes is written without footnotes.
fn line(edition: &Edition, runs: &[EditionRun], notes: &mut Footnotes) -> String {
    let mut line = String::new();
    let alone = runs.iter().all(EditionRun::is_note);
    for run in runs {
        if run.is_note() && !alone {
            notes.count += 1;
            let _ = write!(line, "[^{}]", notes.count);
            let _ = writeln!(
                notes.waiting,
                "\n[^{}]: {} {}",
                notes.count,
                run.layer.zh(),
                inline(run.words.trim())
            );
            continue;
        }
        if let Some(n) = run.number.as_deref().filter(|_| edition.layout.numbers) {
            let _ = write!(line, "<sup>{n}</sup>");
        }
        line.push_str(&inline(&run.words));
    }
    line
}

/// Text with everything escaped that has a meaning in Markdown.
fn inline(words: &str) -> String {
    let mut out = String::with_capacity(words.len() + words.len() / 8);
    let (first, last) = (
        words.len() - words.trim_start_matches([' ', '\t']).len(),
        words.trim_end_matches([' ', '\t']).len(),
    );
    let mut before = None;
    let mut chars = words.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        match c {
            '\n' | '\r' => out.push(' '),
            '\0' => out.push('\u{FFFD}'),
            ' ' | '\t' if at < first || at >= last => _ = write!(out, "&#{};", c as u32),
            ' ' if next == Some(' ') => out.push_str("&#32;"),
            '\t' => out.push_str("&#9;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '-' | '!'
            | '<' | '>' | '&' | '|' | '~' | '^' | '$' | '@' | '=' | '"' | '\'' | '%' => {
                out.extend(['\\', c])
            }
            '.' if before.is_some_and(|b: char| b.is_ascii_alphanumeric())
                || next == Some('.')
                || before == Some('.') =>
            {
                out.extend(['\\', c]);
            }
            ':' if before.is_none() || next.is_some_and(|n| n.is_ascii()) => out.extend(['\\', c]),
            _ => out.push(c),
        }
        before = Some(c);
    }
    out
}
