//! The text and notes of a document as one row of folded characters, with the borders of clauses.

use std::ops::Range;

use super::explains;
use crate::model::{Document, LayerKind};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{circles, closes, ends_clause, ends_sentence, opens};

/// What is between two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Border {
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
struct RowPart {
    segment: usize,
    range: Range<usize>,
    kind: LayerKind,
}

/// The row.
pub(super) struct GlossRow {
    pub(super) key: Key,
    /// Before each character.
    borders: Vec<Border>,
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
            let kind = s.layer.kind();
            if kind == LayerKind::Base || explains(s.layer) {
                row.add(document, n, s.span, kind);
            }
        }
        row
    }

    fn add(&mut self, document: &Document, segment: usize, span: Span, kind: LayerKind) {
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
            self.borders.push(if is_new { Border::Sentence } else { border(words) });
            self.opens.push(words.contains(opens));
            self.closes.push(words.contains(closes));
            end = self.key.end(i);
        }
        if explains_kind(kind) {
            self.notes.push(self.parts.len());
        }
        self.parts.push(RowPart { segment, range: from..self.key.len(), kind });
    }

    /// Number of notes.
    pub(super) fn notes(&self) -> usize {
        self.notes.len()
    }

    /// Index of the segment of a note.
    pub(super) fn segment(&self, note: usize) -> usize {
        self.parts[self.notes[note]].segment
    }

    /// The characters of a note.
    pub(super) fn range(&self, note: usize) -> Range<usize> {
        self.parts[self.notes[note]].range.clone()
    }

    /// The characters of what is before a note, the nearest first, each with its segment and kind.
    pub(super) fn before(
        &self,
        note: usize,
    ) -> impl Iterator<Item = (usize, Range<usize>, LayerKind)> + '_ {
        let parts = self.parts[..self.notes[note]].iter().rev();
        parts.map(|p| (p.segment, p.range.clone(), p.kind))
    }

    /// What is before a character; after the last one, the end of a sentence.
    pub(super) fn border(&self, at: usize) -> Border {
        self.borders.get(at).copied().unwrap_or(Border::Sentence)
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

fn explains_kind(kind: LayerKind) -> bool {
    matches!(kind, LayerKind::Note | LayerKind::Commentary)
}

fn border(gap: &str) -> Border {
    let one = |c: char| match c {
        '、' | '､' => Border::List,
        '…' | '⋯' => Border::Clause,
        c if ends_sentence(c) => Border::Sentence,
        c if ends_clause(c) => Border::Clause,
        _ => Border::Nothing,
    };
    gap.chars().map(one).max().unwrap_or(Border::Nothing)
}
