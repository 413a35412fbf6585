//! Plain text for reading: a line for each paragraph, notes in brackets in their place, 疏 and
//! translation in their own paragraphs, which name the layer.

use std::io::{self, Write};

use super::Edition;
use super::flow::{self, EditionBlock, EditionRun};
use super::formats::Format;
use crate::model::{Document, Layer};

pub(super) const FORMAT: Format = Format {
    name: "text",
    extension: "txt",
    about: "plain text: 注 in brackets, 疏 in paragraphs",
    write,
    references: false,
    ..Format::PLAIN
};

/// Writes all texts, one after the other.
fn write(edition: &Edition, _: usize, out: &mut dyn Write) -> io::Result<()> {
    let about = &edition.about;
    writeln!(out, "{}", flow::one_line(&about.title))?;
    for line in [
        about.editors.join(", "),
        about.licence.clone().unwrap_or_default(),
        about.date.to_string(),
    ] {
        if !line.is_empty() {
            writeln!(out, "{}", flow::one_line(&line))?;
        }
    }
    edition.documents().try_for_each(|d| document(edition, d, out))
}

fn document(edition: &Edition, document: &Document, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n\n{}", flow::one_line(&document.meta.title))?;
    for fact in document.meta.facts() {
        writeln!(out, "{} {}", fact.zh, flow::one_line(&fact.words))?;
    }
    for section in edition.sections(document) {
        if let Some(n) = section.number {
            writeln!(out, "\n{n} {}", section.title.unwrap_or_default())?;
        }
        section.blocks.iter().try_for_each(|b| block(b, out))?;
    }
    let entries = edition.apparatus(document);
    if !entries.is_empty() {
        writeln!(out, "\n校勘")?;
    }
    entries.iter().try_for_each(|e| {
        writeln!(out, "{} {}] {}", e.locus.as_deref().unwrap_or("–"), e.lemma, e.says)
    })
}

fn block(block: &EditionBlock<'_>, out: &mut dyn Write) -> io::Result<()> {
    match block {
        EditionBlock::Heading(words) | EditionBlock::Label(words) | EditionBlock::Other(words) => {
            writeln!(out, "\n{words}")
        }
        EditionBlock::Text(runs) => writeln!(out, "\n{}", line(runs)),
        EditionBlock::Translation(words) => writeln!(out, "\n[{}]{words}", Layer::Translation.zh()),
        EditionBlock::Said { layer, header, runs } => writeln!(
            out,
            "\n[{}]{}{}",
            layer.zh(),
            header.as_deref().unwrap_or_default(),
            line(runs)
        ),
    }
}

/// Text with its notes in brackets. A paragraph of notes only has no brackets.
fn line(runs: &[EditionRun<'_>]) -> String {
    let alone = runs.iter().all(EditionRun::is_note);
    let mut line = String::new();
    for run in runs {
        if !run.is_note() || alone {
            line.push_str(&run.words);
            continue;
        }
        line.push('(');
        if run.named {
            // Not in square brackets, which are marks of layers where such a text is read.
            line.extend([run.layer.zh(), "："]);
        }
        line.extend([run.words.trim(), ")"]);
    }
    line
}
