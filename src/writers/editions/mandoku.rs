//! Mandoku, the format of the Kanseki Repository: each printed line is a line that ends in `¶`;
//! notes are in brackets, which close at the end of a line and open again on the next; page marks
//! are those of the source. If a text has notes of several layers, their names come before them
//! and are listed in the property LABELS.
//! The lines of the source are taken as the printed lines; if the source is in paragraphs, each is
//! one line.
//!
//! Mandoku cannot escape its own signs. If the text has them (brackets, `¶`, `<pb:`), they are
//! replaced by similar full-width characters.

use std::io::{self, Write};

use super::formats::{Format, by_document, document};
use super::{Edition, flow};
use crate::corpus::loci::NotesApart;
use crate::model::{Document, Layer, LayerKind, Segment};
use crate::source::Span;

pub(super) const FORMAT: Format = Format {
    name: "mandoku",
    extension: "txt",
    about: "mandoku as in the Kanseki Repository, one file for each text; printed lines if the \
        source has them",
    files: by_document,
    write,
    references: false,
    ..Format::PLAIN
};

/// Writes a text.
fn write(edition: &Edition, which: usize, out: &mut dyn Write) -> io::Result<()> {
    let document = document(edition, which)?;
    let meta = &document.meta;
    let property = |words: &str| flow::one_line(words).into_owned();
    writeln!(out, "# -*- mode: mandoku-view; -*-\n#+TITLE: {}", property(&meta.title))?;
    writeln!(out, "#+DATE: {}\n#+PROPERTY: ID {}", edition.about.date, property(&document.id))?;
    let about = &edition.about;
    let names = [
        ("edition", "BASEEDITION"),
        ("editors", "BASEEDITORS"),
        ("date", "BASEDATE"),
        ("origin", "SOURCE"),
        ("rights", "RIGHTS"),
    ];
    for fact in meta.facts() {
        let name = names.iter().find(|(id, _)| *id == fact.id).map_or(fact.id, |(_, name)| name);
        writeln!(out, "#+PROPERTY: {name} {}", property(&fact.words))?;
    }
    writeln!(out, "#+PROPERTY: COLLECTION {}", property(&about.title))?;
    for (name, value) in
        [("EDITORS", Some(about.editors.join("; "))), ("LICENCE", about.licence.clone())]
    {
        if let Some(value) = value.filter(|v| !v.is_empty()) {
            writeln!(out, "#+PROPERTY: {name} {}", property(&value))?;
        }
    }
    let is_note = |l: &Layer| matches!(l.kind(), LayerKind::Note | LayerKind::Commentary);
    let mut notes: Vec<Layer> = document.segments.iter().map(|s| s.layer).filter(is_note).collect();
    notes.sort();
    notes.dedup();
    let labelled = notes.len() > 1;
    if labelled {
        let names: Vec<&str> = notes.iter().map(|l| l.zh()).collect();
        writeln!(out, "#+PROPERTY: LABELS {}", names.join(" "))?;
    }
    let mut lines = PrintedLines {
        document,
        labelled,
        line: String::new(),
        out: String::new(),
        bracket: false,
        is_headed: false,
        apart: NotesApart::of(document),
    };
    for (n, s) in document.segments.iter().enumerate() {
        if !lines.apart.has(n) {
            lines.segment(s);
        }
    }
    lines.end();
    out.write_all(lines.out.as_bytes())
}

struct PrintedLines<'a> {
    document: &'a Document,
    /// Notes come after the names of their layers.
    labelled: bool,
    line: String,
    out: String,
    bracket: bool,
    /// The last words are the header of a 疏, which has labelled it.
    is_headed: bool,
    /// Notes that are written where their numbers are.
    apart: NotesApart,
}

impl PrintedLines<'_> {
    fn segment(&mut self, s: &Segment) {
        let words = self.document.slice(s.span);
        match s.layer.kind() {
            LayerKind::Outside if words.trim_start().starts_with("<pb:") => {
                self.end();
                self.out.push_str(words.trim());
                self.out.push_str("¶\n");
            }
            LayerKind::Outside if s.layer != Layer::Furniture && words.contains('\n') => {
                self.noted(s.span);
                self.end();
            }
            LayerKind::Outside => self.noted(s.span),
            LayerKind::Note | LayerKind::Commentary => self.note(s),
            _ if s.layer == Layer::ShuHeader => {
                self.line.push_str(Layer::Shu.zh());
                self.bracketed(s);
                self.is_headed = true;
            }
            _ => {
                self.is_headed = false;
                self.words(s);
            }
        }
    }

    fn note(&mut self, s: &Segment) {
        self.is_headed &= s.layer == Layer::Shu;
        if self.labelled && !self.is_headed {
            self.line.push_str(s.layer.zh());
        }
        self.bracketed(s);
        self.is_headed = false;
    }

    /// Writes the notes whose number a mark is.
    fn noted(&mut self, mark: Span) {
        let document = self.document;
        for (_, note) in self.apart.within(mark.range()).to_vec() {
            self.note(&document.segments[note]);
        }
    }

    fn bracketed(&mut self, s: &Segment) {
        if self.is_headed && self.line.ends_with(')') {
            self.line.pop();
        } else {
            self.line.push('(');
        }
        self.bracket = true;
        self.words(s);
        self.bracket = false;
        self.line.push(')');
    }

    /// Writes text, with its ends of lines, pages and rows.
    fn words(&mut self, s: &Segment) {
        let mut at = s.span.start();
        for mark in self.document.marks_in(s.span) {
            self.put(at, mark.start());
            let mark_words = &self.document.source.text()[mark.range()];
            if mark_words.contains('\n') {
                self.turn();
            } else if mark_words.contains('/') {
                self.line.push('/');
            }
            self.noted(*mark);
            at = mark.end();
        }
        self.put(at, s.span.end());
    }

    fn put(&mut self, from: usize, to: usize) {
        let text = self.document.source.text().get(from..to).unwrap_or_default();
        for (n, piece) in text.split(['\n', '\r']).enumerate() {
            if n > 0 {
                self.turn();
            }
            for c in piece.chars() {
                let shown = match c {
                    '(' => '（',
                    ')' => '）',
                    '/' => '／',
                    '¶' => '⁋',
                    '<' => '＜',
                    '#' if self.line.is_empty() => '＃',
                    c if c.is_control() => '\u{FFFD}',
                    c => c,
                };
                self.line.push(shown);
            }
        }
    }

    /// A printed line ends inside the text.
    fn turn(&mut self) {
        if self.line.is_empty() || self.line == "(" {
            return;
        }
        if self.bracket {
            self.line.push(')');
        }
        self.end();
        if self.bracket {
            self.line.push('(');
        }
    }

    fn end(&mut self) {
        if !self.line.is_empty() {
            self.out.push_str(&self.line);
            self.out.push_str("¶\n");
            self.line.clear();
        }
    }
}
