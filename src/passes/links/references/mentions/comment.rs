//! Reads a sub-commentary from left to right: quotations, titles, and references to other places in
//! the text.
//!
//! The words before a quotation give its source. 雲“…” after a title belongs to the title; 注雲 or
//! 又雲 just after such a citation continues it; 下文, 上經 and 下記 point into the chapter; all
//! else is looked for in the passage explained.

use super::tokens::{CommentToken, Read, TokenKind, tokens};
use super::{plain, quotes, titles};
use crate::passes::links::references::decide::quotation;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::Discourse;

/// Reads all of a comment.
pub fn read(d: &mut Discourse<'_>, span: Span) {
    d.span = span;
    read_within(d, span, None);
}

/// Reads a span, or a quotation, which may be cited itself (`cited`): its titles and what it
/// quotes.
fn read_within(d: &mut Discourse<'_>, span: Span, cited: Option<bool>) {
    let tokens = tokens(d.places.text(), span);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let read = match (token.kind, cited) {
            (TokenKind::Title, _) => titles::read(d, &tokens, at),
            (TokenKind::Quote, None) => quotes::read(d, &tokens, at),
            (TokenKind::Quote, Some(cites)) => inner(d, *token, at, cites),
            (TokenKind::Plain, None) => plain::read(d, &tokens, at),
            (TokenKind::Plain, Some(_)) => Read::to(at + 1),
        };
        at = read.next;
        let Some((quoted, cites)) = read.inner else { continue };
        let outer = d.enter();
        read_within(d, quoted, Some(cites));
        d.leave(outer, quoted, cites);
        // What follows inside a quotation may be said by who is quoted.
        if token.kind == TokenKind::Title && d.depth == 0 {
            titles::continued(d, tokens.get(at));
        }
    }
}

fn inner(d: &mut Discourse<'_>, token: CommentToken, at: usize, cites: bool) -> Read {
    quotation::within(d, token);
    Read { next: at + 1, inner: Some((token.inner, cites)) }
}
