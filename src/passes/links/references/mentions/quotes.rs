//! Quotations in marks in a sub-commentary, with what introduces them.

use super::tokens::{CommentToken, Read, TokenKind, plain_before};
use crate::passes::links::references::cues::*;
use crate::passes::links::references::decide::going_on::GoingOn;
use crate::passes::links::references::decide::quotation;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::Discourse;

/// Reads one quotation, or two with 至 between them.
pub fn read(d: &mut Discourse<'_>, tokens: &[CommentToken], at: usize) -> Read {
    let q = tokens[at];
    let before = plain_before(tokens, at);
    let lead = before.map_or("", |b| d.places.slice(b));
    let words = d.places.words(q.inner);
    if !d.is_free(q.inner) || SCOPE.is_match(lead) || words.len() == 0 {
        return Read::to(at + 1);
    }
    if let Some(to) = range_end(d.places.text(), tokens, at + 1).filter(|_| Rule::QuotedRange.on())
    {
        quotation::range(d, lead, [q, tokens[to]]);
        return Read::to(to + 1);
    }
    let other = ELSEWHERE.captures(lead).filter(|_| Rule::Elsewhere.on());
    if let Some(c) = other {
        let named = |name| c.name(name).map_or("", |m| m.as_str());
        let cue = named("cue");
        let span = Span::new(q.outer.start() - cue.len(), q.outer.end());
        let (rule, quoted) = (Rule::Elsewhere, q.inner);
        let on = GoingOn { rule, span, quoted, words: &words, cue };
        quotation::elsewhere(d, on, matches!(named("dir"), "上" | "前"), named("what"));
    } else {
        let next = tokens.get(at + 1).map(|t| t.inner);
        quotation::decide(d, q, [before, next]);
    }
    let cites = |l: &crate::model::Link| l.kind == LinkKind::Citation && l.quoted == Some(q.inner);
    Read { next: at + 1, inner: Some((q.inner, d.links.last().is_some_and(cites))) }
}

/// The quotation that ends a range, if one goes on at token `at`.
pub fn range_end(text: &str, tokens: &[CommentToken], at: usize) -> Option<usize> {
    let gap = tokens.get(at).filter(|t| t.kind == TokenKind::Plain)?;
    tokens.get(at + 1).filter(|t| t.kind == TokenKind::Quote)?;
    RANGE.is_match(&text[gap.inner.range()]).then_some(at + 1)
}
