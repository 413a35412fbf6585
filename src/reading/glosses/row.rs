//! The text and notes of a document as one row of folded characters, with the borders of clauses.

use std::ops::Range;

use super::explains;
use crate::model::{Document, Layer, LayerKind};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{circles, ends_clause, ends_sentence};

/// Quotation marks; those of titles say nothing about clauses.
const QUOTES_OPEN: [char; 4] = ['“', '‘', '「', '『'];
const QUOTES_CLOSE: [char; 4] = ['”', '’', '」', '』'];

/// What is between two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GlossBorder {
    /// Nothing that ends anything.
    Nothing,
    /// A 、 of a list.
    List,
    /// A comma or a colon.
    Clause,
    /// The end of a sentence, or a circle.
    Sentence,
}

/// A segment of the row.
pub(super) struct RowPart {
    /// Its characters.
    pub(super) range: Range<usize>,
    pub(super) layer: Layer,
    /// It has marks that end clauses.
    pub(super) is_punctuated: bool,
}

/// The row.
pub(super) struct GlossRow {
    pub(super) key: Key,
    /// Before each character.
    borders: Vec<GlossBorder>,
    /// True where a quotation begins before the character.
    opens: Vec<bool>,
    /// True where one ends before it.
    closes: Vec<bool>,
    parts: Vec<RowPart>,
    /// Numbers of the parts that explain.
    notes: Vec<usize>,
}

impl GlossRow {
    pub(super) fn of(document: &Document) -> Self {
        let mut row = GlossRow {
            key: Key::default(),
            borders: vec![],
            opens: vec![],
            closes: vec![],
            parts: vec![],
            notes: vec![],
        };
        for (n, s) in document.segments.iter().enumerate() {
            if s.layer.kind() == LayerKind::Base || explains(s.layer) {
                row.add(document, n);
            }
        }
        row
    }

    fn add(&mut self, document: &Document, segment: usize) {
        let (span, layer) = (document.segments[segment].span, document.segments[segment].layer);
        let text = document.source.text();
        let from = self.key.len();
        document.without_marks(span).for_each(|part| self.key.push(text, part));
        let circles: Vec<usize> =
            circles(&text[span.range()]).map(|at| at + span.start()).collect();
        let mut end = span.start();
        for i in from..self.key.len() {
            let gap = end..self.key.at[i] as usize;
            let words = &text[gap.clone()];
            let circle = circles.partition_point(|c| *c < gap.start);
            let is_new = i == from || circles.get(circle).is_some_and(|c| *c < gap.end);
            self.borders.push(if is_new { GlossBorder::Sentence } else { border(words) });
            self.opens.push(words.contains(QUOTES_OPEN));
            self.closes.push(words.contains(QUOTES_CLOSE));
            end = self.key.end(i);
        }
        if explains(layer) {
            self.notes.push(self.parts.len());
        }
        let is_punctuated = text[span.range()].contains(|c| ends_clause(c) || ends_sentence(c));
        let range = from..self.key.len();
        self.parts.push(RowPart { range, layer, is_punctuated });
    }

    /// Number of notes.
    pub(super) fn notes(&self) -> usize {
        self.notes.len()
    }

    /// A note.
    pub(super) fn note(&self, n: usize) -> &RowPart {
        &self.parts[self.notes[n]]
    }

    /// What is before a note, the nearest first.
    pub(super) fn before(&self, n: usize) -> impl Iterator<Item = &RowPart> {
        self.parts[..self.notes[n]].iter().rev()
    }

    /// What is before a character; after the last one, the end of a sentence.
    pub(super) fn border(&self, at: usize) -> GlossBorder {
        self.borders.get(at).copied().unwrap_or(GlossBorder::Sentence)
    }

    /// True if a quotation begins before a character.
    pub(super) fn opens(&self, at: usize) -> bool {
        self.opens.get(at).copied().unwrap_or(false)
    }

    /// True if a quotation ends before a character.
    pub(super) fn closes(&self, at: usize) -> bool {
        self.closes.get(at).copied().unwrap_or(true)
    }

    /// Where characters are in the source.
    pub(super) fn span(&self, range: &Range<usize>) -> Option<Span> {
        (range.start < range.end).then(|| self.key.span(range.start, range.end))
    }
}

fn border(gap: &str) -> GlossBorder {
    let one = |c: char| match c {
        '、' | '､' => GlossBorder::List,
        '…' | '⋯' => GlossBorder::Clause,
        // What is before a semicolon is as complete.
        ';' | '；' => GlossBorder::Sentence,
        c if ends_sentence(c) => GlossBorder::Sentence,
        c if ends_clause(c) => GlossBorder::Clause,
        _ => GlossBorder::Nothing,
    };
    gap.chars().map(one).max().unwrap_or(GlossBorder::Nothing)
}
