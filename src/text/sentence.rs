//! Where sentences and clauses end, as the punctuation has it.

use super::class::{closes, ends_clause, ends_sentence};
use crate::source::Span;

/// Cuts `span` after each mark that ends a sentence (and the closing marks that follow it). The pieces cover the span.
///
/// ```
/// use zhushu::{source::Span, text::sentences};
/// let text = "告於賓曰:“左右卒射。”降,反位。";
/// let s = sentences(text, Span::new(0, text.len()));
/// assert_eq!(s.len(), 2);
/// assert_eq!(&text[s[1].range()], "降,反位。");
/// ```
pub fn sentences(text: &str, span: Span) -> Vec<Span> {
    cut(text, span, ends_sentence)
}

/// Cuts `span` after each mark that ends a clause or a sentence. The pieces cover the span.
pub fn clauses(text: &str, span: Span) -> Vec<Span> {
    cut(text, span, |c| ends_sentence(c) || ends_clause(c))
}

fn cut(text: &str, span: Span, ends: impl Fn(char) -> bool) -> Vec<Span> {
    let mut pieces = Vec::new();
    let (mut start, mut ended) = (span.start(), false);
    for (i, c) in text[span.range()].char_indices() {
        let at = span.start() + i;
        if ended && !closes(c) && !ends(c) {
            pieces.push(Span::new(start, at));
            start = at;
        }
        ended = ends(c) || ended && closes(c);
    }
    if start < span.end() {
        pieces.push(Span::new(start, span.end()));
    }
    pieces
}
