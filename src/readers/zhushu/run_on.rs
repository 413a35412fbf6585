//! Finds text that runs on in the lines of the sub-commentary before it.
//!
//! Every sub-commentary is on text before it. Where that text lacks the words that the header
//! names, and the sub-commentary before has them at the start of a sentence and outside quotation
//! marks, a copy has lost the end of a line: the text begins with these words.

use std::sync::LazyLock;

use regex::Regex;

use super::lines::{LinePiece, PieceRole};
use crate::model::Layer;
use crate::source::Span;
use crate::text::class::{ends_sentence, is_content};
use crate::text::{pattern, sound};

/// The words that a header names, the first and the last.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"^\s*[“「"](?P<from>[^“”「」"]+)[”」"](?:至[“「"](?P<to>[^“”「」"]+)[”」"])?"#)
});
/// Fewest characters of words that show where text begins.
const MIN_NAMED_CHARS: usize = 2;

/// The first and the last words that a header names.
pub fn named(header: &str) -> Option<(&str, Option<&str>)> {
    let named = NAMED.captures(header)?;
    Some((named.name("from")?.as_str(), named.name("to").map(|to| to.as_str())))
}

/// The pieces, cut where text runs on in sub-commentary, and where that begins.
pub fn cut(text: &str, pieces: Vec<LinePiece>) -> (Vec<LinePiece>, Vec<usize>) {
    let (mut out, mut found): (Vec<LinePiece>, Vec<usize>) = (Vec::new(), Vec::new());
    // Where the last sub-commentary began.
    let mut block = 0;
    for p in pieces {
        match p.role {
            PieceRole::Layer(Layer::Shu) if p.mark > 0 && !is_circle(text, &p) => {
                let header = &text[p.span.start() + p.mark..p.span.end()];
                if let Some((n, at)) = begins(text, &out[block..], header) {
                    let rest = regain(text, &mut out[block + n..], at);
                    out.insert(block + n + 1, rest);
                    found.push(at);
                }
                block = out.len();
            }
            PieceRole::Heading => block = out.len() + 1,
            _ => {}
        }
        out.push(p);
    }
    (out, found)
}

fn is_circle(text: &str, p: &LinePiece) -> bool {
    text[p.span.range()].starts_with(['○', '◯', '〇'])
}

/// The piece in which the text begins that a header names, and the byte.
fn begins(text: &str, pieces: &[LinePiece], header: &str) -> Option<(usize, usize)> {
    let (from, to) = named(header)?;
    if from.chars().count() < MIN_NAMED_CHARS {
        return None;
    }
    let end = pieces.last()?.span.end();
    let is_shu = |p: &LinePiece| p.role == PieceRole::Layer(Layer::Shu);
    // Where its text has the words, nothing is lost.
    if pieces.iter().any(|p| !is_shu(p) && text[p.span.range()].contains(from)) {
        return None;
    }
    let goes_on = |at: usize| to.is_none_or(|to| text[at + from.len()..end].contains(to));
    for (n, p) in pieces.iter().enumerate().rev() {
        let at = is_shu(p).then(|| start_of(text, *p, from)).flatten();
        if let Some(at) = at.filter(|at| goes_on(*at)) {
            return Some((n, at));
        }
        // A ○ that opens no readings goes on with the sub-commentary: its text is not before that.
        if is_circle(text, p) && !sound::is_reading(&text[p.span.range()]) {
            return None;
        }
    }
    None
}

/// The last place of some words in a piece where a sentence begins outside quotation marks.
fn start_of(text: &str, piece: LinePiece, words: &str) -> Option<usize> {
    let piece = Span::new(piece.span.start() + piece.mark, piece.span.end());
    let (mut depth, mut last) = (0_usize, None);
    let mut begins = false;
    for (i, c) in text[piece.range()].char_indices() {
        let at = piece.start() + i;
        if depth == 0 && begins && text[at..piece.end()].starts_with(words) {
            last = Some(at);
        }
        begins = ends_sentence(c) || begins && !is_content(c);
        depth = match c {
            '“' | '‘' | '「' | '『' => depth + 1,
            '”' | '’' | '」' | '』' => depth.saturating_sub(1),
            _ => depth,
        };
    }
    last
}

/// Ends the first of some pieces at byte `at` and returns what follows there as text. The lines
/// after it are readings or text.
fn regain(text: &str, pieces: &mut [LinePiece], at: usize) -> LinePiece {
    let (first, later) = pieces.split_first_mut().expect("text begins in one of them");
    for p in later.iter_mut().filter(|p| p.role == PieceRole::Layer(Layer::Shu)) {
        p.role = if is_circle(text, p) { PieceRole::Circle } else { PieceRole::Text };
    }
    let rest = Span::new(at, first.span.end());
    first.span = Span::new(first.span.start(), text[..at].trim_end().len());
    LinePiece { span: rest, mark: 0, role: PieceRole::Text, why: None, after_blank: false }
}
