//! Markdown: CommonMark with the footnotes of pandoc, GitHub and Obsidian, after a metadata block
//! in YAML.
//!
//! Characters that have a meaning in Markdown or HTML are escaped with a backslash, so that a
//! Markdown parser returns the text of the source.

use std::fmt::Write as _;
use std::io;

use super::flow::{EditionBlock, EditionRun};
use super::formats::Format;
use super::{Edition, tradition};
use crate::model::{Document, Layer, Role};

pub(super) const FORMAT: Format = Format {
    name: "markdown",
    extension: "md",
    about: "Markdown, notes as footnotes (pandoc, GitHub, Obsidian)",
    write,
    references: false,
    ..Format::PLAIN
};

/// So many bytes are written at once.
const CHUNK_BYTES: usize = 1 << 16;

/// Writes all texts, one after the other.
fn write(edition: &Edition, _: usize, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(head(edition).as_bytes())?;
    let mut notes = Footnotes::default();
    edition.documents().try_for_each(|document| markdown(edition, document, out, &mut notes))
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
    let quoted = |words: &str| serde_json::Value::from(plain_in_head(words)).to_string();
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
        if d.meta.role == Role::Translation {
            let _ = writeln!(head, "  layer: {}", quoted(Layer::Translation.zh()));
        }
        d.meta.facts().iter().for_each(|f| _ = writeln!(head, "  {}: {}", f.id, quoted(&f.words)));
    }
    if let Some(licence) = &about.licence {
        let _ = writeln!(head, "rights: {}", quoted(licence));
    }
    let _ = writeln!(head, "date: {}\nlang: {}\n---", about.date, quoted(edition.language()));
    head
}

fn markdown(
    edition: &Edition,
    document: &Document,
    file: &mut dyn io::Write,
    notes: &mut Footnotes,
) -> io::Result<()> {
    let mut out = String::with_capacity(CHUNK_BYTES * 2);
    line(&mut out, "\n# ", &document.meta.title);
    for fact in document.meta.facts() {
        out.extend(["\n", fact.zh]);
        line(&mut out, " ", &fact.words);
    }
    for section in edition.sections(document) {
        if let Some(n) = section.number {
            let _ = write!(out, "\n## {n}");
            line(&mut out, section.title.map_or("", |_| " "), section.title.unwrap_or_default());
        }
        for b in &section.blocks {
            block(edition, b, &mut out, notes);
        }
        out.push_str(&notes.waiting);
        notes.waiting.clear();
        if out.len() > CHUNK_BYTES {
            file.write_all(out.as_bytes())?;
            out.clear();
        }
    }
    let entries = edition.apparatus(document);
    if !entries.is_empty() {
        out.push_str("\n## 校勘\n\n");
    }
    for e in entries {
        out.push_str("- ");
        inline(e.locus.as_deref().unwrap_or("–"), &mut out);
        out.push(' ');
        inline(&e.lemma, &mut out);
        line(&mut out, "\\] ", &e.says);
    }
    file.write_all(out.as_bytes())
}

/// Words of the head. Pandoc reads them as Markdown, other programs as they are: only what could be
/// markup is escaped.
fn plain_in_head(words: &str) -> String {
    let mut plain = String::with_capacity(words.len());
    for c in words.chars() {
        if r"\<&[]{}`$*_~^".contains(c) {
            plain.push('\\');
        }
        plain.push(c);
    }
    plain
}

/// Text after a mark, to the end of a line.
fn line(out: &mut String, mark: &str, words: &str) {
    out.push_str(mark);
    inline(words, out);
    out.push('\n');
}

/// A line with the name of its layer.
fn said(out: &mut String, layer: Layer, words: &str) {
    out.extend(["\n> **", layer.zh()]);
    line(out, "** ", words);
}

fn block(edition: &Edition, block: &EditionBlock<'_>, out: &mut String, notes: &mut Footnotes) {
    match block {
        EditionBlock::Heading(words) => line(out, "\n### ", words),
        EditionBlock::Label(words) => said(out, Layer::Label, words),
        EditionBlock::Other(words) => said(out, Layer::Other, words),
        EditionBlock::Translation(words) => said(out, Layer::Translation, words),
        EditionBlock::Said { layer, header, runs } => {
            out.extend(["\n> **", layer.zh(), "** "]);
            if let Some(header) = header {
                out.push('*');
                inline(header, out);
                out.push_str("* ");
            }
            paragraph(edition, runs, out, notes);
        }
        EditionBlock::Text(runs) => {
            out.push('\n');
            let tradition = tradition(runs);
            tradition.into_iter().for_each(|layer| out.extend(["**", layer.zh(), "** "]));
            paragraph(edition, runs, out, notes);
        }
    }
}

/// Text with the marks of its footnotes. A paragraph with only notes is written without footnotes.
fn paragraph(edition: &Edition, runs: &[EditionRun<'_>], out: &mut String, notes: &mut Footnotes) {
    let alone = runs.iter().all(EditionRun::is_note);
    for run in runs {
        if run.is_note() && !alone {
            notes.count += 1;
            let _ = write!(out, "[^{}]", notes.count);
            let _ = write!(notes.waiting, "\n[^{}]: {}", notes.count, run.layer.zh());
            line(&mut notes.waiting, " ", run.words.trim());
            continue;
        }
        if let Some(n) = run.number.filter(|_| edition.layout.numbers) {
            let _ = write!(out, "<sup>{n}</sup>");
        }
        inline(&run.words, out);
    }
    out.push('\n');
}

/// Adds text with everything escaped that has a meaning in Markdown: only characters of ASCII.
fn inline(words: &str, out: &mut String) {
    let bytes = words.as_bytes();
    let is_blank = |b: &u8| matches!(b, b' ' | b'\t');
    let first = bytes.iter().take_while(|b| is_blank(b)).count();
    let last = bytes.len() - bytes.iter().rev().take_while(|b| is_blank(b)).count();
    let (mut done, mut at) = (0, 0);
    while let Some(skipped) = bytes[at..].iter().position(|b| MAY_CHANGE[usize::from(*b)]) {
        at += skipped;
        let (c, next) = (bytes[at], bytes.get(at + 1));
        let before = at.checked_sub(1).map(|i| bytes[i]);
        out.push_str(&words[done..at]);
        match c {
            b'\n' | b'\r' => out.push(' '),
            b'\0' => out.push('\u{FFFD}'),
            _ if is_blank(&c) && (at < first || at >= last) => _ = write!(out, "&#{c};"),
            b' ' if next == Some(&b' ') => out.push_str("&#32;"),
            b'\t' => out.push_str("&#9;"),
            b' ' => out.push(' '),
            b'.' if !before.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'.')
                && next != Some(&b'.') =>
            {
                out.push('.')
            }
            b':' if before.is_some() && !next.is_some_and(u8::is_ascii) => out.push(':'),
            c => out.extend(['\\', char::from(c)]),
        }
        at += 1;
        done = at;
    }
    out.push_str(&words[done..]);
}

/// The characters that are changed, or may be.
const MAY_CHANGE: [bool; 256] = {
    let mut may = [false; 256];
    let all = b"\n\r\0 \t\\`*_{}[]()#+-!<>&|~^$@=\"'%.:";
    let mut i = 0;
    while i < all.len() {
        may[all[i] as usize] = true;
        i += 1;
    }
    may
};
