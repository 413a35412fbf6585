//! A part of a file whose doubtful decisions are looked for, and questions about its words.

use super::{Choice, Question, QuestionKind};
use crate::corpus::Library;
use crate::model::{Confirmation, Document, Evidence, Layer};
use crate::source::Span;
use crate::text::class;

/// Characters that a question shows on each side of its words.
const AROUND: usize = 24;

/// A chapter of a file, or all of it.
#[derive(Clone, Copy)]
pub(super) struct AskedPart<'a> {
    /// What the passes made of all texts.
    pub library: &'a Library,
    /// The part.
    pub document: &'a Document,
    /// Byte of the file with which it begins.
    pub base: usize,
    /// What is less certain than this is asked.
    pub below: f64,
}

impl AskedPart<'_> {
    /// A span of the part as one of the file.
    pub fn in_file(&self, span: Span) -> Span {
        Span::new(span.start() + self.base, span.end() + self.base)
    }

    /// A question about some words of the part, with their surroundings. What the program decided
    /// is the first of the decisions, each with its probability.
    pub fn question(
        &self,
        kind: QuestionKind,
        words: Span,
        decisions: impl IntoIterator<Item = (Confirmation, f64)>,
        evidence: &[Evidence],
    ) -> Question {
        let span = self.in_file(words);
        let passage = self.in_file(self.around(words));
        let layer = self.document.segment_at(words.start());
        let layer = layer.map_or(Layer::Other, |n| self.document.segments[n].layer);
        let choice = |(what, probability)| Choice { what, span, probability };
        Question {
            kind,
            span,
            passage,
            runs: vec![(passage, layer)],
            choices: decisions.into_iter().map(choice).collect(),
            evidence: evidence.iter().map(|e| (e.kind.clone(), 0.0)).collect(),
            facts: vec![],
        }
    }

    /// Some words with a few characters on each side.
    fn around(&self, words: Span) -> Span {
        let text = self.document.source.text();
        let before = text[..words.start()].chars().rev().filter(|c| class::is_content(*c));
        let before = before.take(AROUND).map(char::len_utf8).sum::<usize>();
        let from = floor(text, words.start().saturating_sub(before));
        Span::new(from, floor(text, (words.end() + 3 * AROUND).min(text.len())))
    }
}

/// The last border of a character at or before byte `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
