//! Splits commentary into quotations, titles and the text between them.

use crate::passes::links::references::cues::QUOTING_VERBS;
use crate::passes::links::references::prelude::*;
use crate::text::class::{ends_clause, ends_sentence, is_content};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// Text with fewer marks than one in this many characters counts as unpunctuated.
const CHARS_PER_MARK: usize = 40;
/// Most characters of a sentence that are cited without marks.
pub const MAX_SENTENCE: usize = 60;

/// True if `words` are not punctuated.
pub fn is_flat(words: &str) -> bool {
    let marks = words.chars().filter(|c| ends_clause(*c) || ends_sentence(*c)).count();
    let n = words.chars().count();
    n >= CHARS_PER_MARK && marks * CHARS_PER_MARK < n
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Text in quotation marks.
    Quote,
    /// A title in 《》.
    Title,
    /// Anything else.
    Plain,
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentToken {
    /// What it is.
    pub kind: TokenKind,
    /// With its marks.
    pub outer: Span,
    /// Without its marks.
    pub inner: Span,
}

/// What was read of some tokens.
pub struct Read {
    /// The next token.
    pub next: usize,
    /// A quotation that is to be read too, and whether it is cited itself.
    pub inner: Option<(Span, bool)>,
}

impl Read {
    /// All up to a token.
    pub fn to(next: usize) -> Self {
        Read { next, inner: None }
    }
}

/// A quotation longer than this many bytes counts as unclosed.
const MAX_QUOTE_BYTES: usize = 1200;

/// The tokens of `span`, covering it. Nested quotations stay inside the outer one. A mark that is
/// never closed ends with its clause.
pub fn tokens(text: &str, span: Span) -> Vec<CommentToken> {
    let mut out = Vec::new();
    let (mut at, mut plain) = (span.start(), span.start());
    let marks = Marks::in_text(text, span);
    while let Some(c) = text[at..span.end()].chars().next() {
        let token = match c {
            '“' | '「' | '『' | '‘' => quote(text, at, span.end(), (c, &marks)),
            '《' | '〈' => title(text, at, span.end(), c),
            _ => None,
        };
        match token {
            Some(token) => {
                push_plain(&mut out, plain, at);
                at = token.outer.end();
                plain = at;
                out.push(token);
            }
            None => at += c.len_utf8(),
        }
    }
    push_plain(&mut out, plain, span.end());
    out
}

/// The text just before a token, if it is not another quotation or title.
pub fn plain_before(tokens: &[CommentToken], at: usize) -> Option<Span> {
    let before = tokens.get(at.checked_sub(1)?);
    before.filter(|t| t.kind == TokenKind::Plain).map(|t| t.inner)
}

/// The text at the beginning of a span up to the end of its sentence, without what introduces it
/// (云：).
pub fn sentence_after(text: &str, span: Span) -> Option<Span> {
    let is_lead =
        |c| QUOTING_VERBS.has(c) || matches!(c, ':' | '：' | ',' | '，' | '者' | '記' | '注');
    let words = text[span.range()].trim_start_matches(is_lead);
    let end = words.find(['。', '\n', '○']).unwrap_or(words.len());
    let most = words.char_indices().nth(MAX_SENTENCE).map_or(words.len(), |(i, _)| i);
    let (start, end) = (span.end() - words.len(), end.min(most));
    words[..end].contains(is_content).then(|| Span::new(start, start + end))
}

fn push_plain(out: &mut Vec<CommentToken>, start: usize, end: usize) {
    if start < end {
        let s = Span::new(start, end);
        out.push(CommentToken { kind: TokenKind::Plain, outer: s, inner: s });
    }
}

fn closing(open: char) -> char {
    match open {
        '“' => '”',
        '「' => '」',
        '『' => '』',
        '‘' => '’',
        '〈' => '〉',
        _ => '》',
    }
}

/// How often signs come in the rest of a text. They are looked for once, and only if a quotation is
/// opened in another: a text may open thousands that it never closes.
struct Marks<'t> {
    text: &'t str,
    span: Span,
    places: OnceCell<FxHashMap<char, Vec<usize>>>,
}

impl<'t> Marks<'t> {
    fn in_text(text: &'t str, span: Span) -> Self {
        Marks { text, span, places: OnceCell::new() }
    }

    /// How many there are of a sign from byte `at` on.
    fn from(&self, at: usize, mark: char) -> usize {
        let places = self.places.get_or_init(|| {
            let mut places: FxHashMap<char, Vec<usize>> = FxHashMap::default();
            let chars = self.text[self.span.range()].char_indices();
            for (i, c) in chars.filter(|(_, c)| QUOTATION_MARKS.contains(c)) {
                places.entry(c).or_default().push(self.span.start() + i);
            }
            places
        });
        places.get(&mark).map_or(0, |all| all.len() - all.partition_point(|place| *place < at))
    }
}

/// The signs of quotations.
const QUOTATION_MARKS: [char; 8] = ['“', '”', '「', '」', '『', '』', '‘', '’'];

fn quote(
    text: &str,
    at: usize,
    end: usize,
    (open, marks): (char, &Marks<'_>),
) -> Option<CommentToken> {
    let close = closing(open);
    let inner = at + open.len_utf8();
    let mut depth = 0;
    for (i, c) in text[inner..end].char_indices() {
        let here = inner + i;
        if c == close && depth == 0 {
            return token(TokenKind::Quote, at, inner, here, here + c.len_utf8());
        } else if c == close {
            depth -= 1;
        } else if c == open {
            // Opened again: either nested, or the first was never closed. Nested ones are closed
            // twice.
            if marks.from(here, close) < marks.from(here, open) + 1 {
                return unclosed(text, at, inner, here);
            }
            depth += 1;
        }
        if i > MAX_QUOTE_BYTES {
            break;
        }
    }
    unclosed(text, at, inner, end)
}

/// A quotation without its closing mark, up to the end of the clause.
fn unclosed(text: &str, at: usize, inner: usize, end: usize) -> Option<CommentToken> {
    let stop = text[inner..end]
        .char_indices()
        .find(|(_, c)| matches!(c, ',' | '，' | '。' | ';' | '；' | '\n'))
        .map_or(end, |(i, _)| inner + i);
    token(TokenKind::Quote, at, inner, stop, stop)
}

fn title(text: &str, at: usize, end: usize, open: char) -> Option<CommentToken> {
    let inner = at + open.len_utf8();
    let close = closing(open);
    let (i, c) = text[inner..end].char_indices().take(24).find(|(_, c)| *c == close)?;
    token(TokenKind::Title, at, inner, inner + i, inner + i + c.len_utf8())
}

fn token(
    kind: TokenKind,
    start: usize,
    inner: usize,
    inner_end: usize,
    end: usize,
) -> Option<CommentToken> {
    (inner < inner_end).then(|| CommentToken {
        kind,
        outer: Span::new(start, end),
        inner: Span::new(inner, inner_end),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Vec<(TokenKind, &str)> {
        tokens(text, Span::new(0, text.len()))
            .into_iter()
            .map(|t| (t.kind, &text[t.inner.range()]))
            .collect()
    }

    #[test]
    fn quotations_titles_and_plain_text_are_separated() {
        use TokenKind::{Plain, Quote, Title};
        assert_eq!(
            shape("案《大射》雲:“司馬正洗散。”注雲"),
            [
                (Plain, "案"),
                (Title, "大射"),
                (Plain, "雲:"),
                (Quote, "司馬正洗散。"),
                (Plain, "注雲")
            ]
        );
        assert_eq!(
            shape("雲“如者,如其‘告弓矢既具’也”者"),
            [(Plain, "雲"), (Quote, "如者,如其‘告弓矢既具’也"), (Plain, "者")]
        );
    }

    #[test]
    fn a_mark_that_is_not_closed_ends_with_its_clause() {
        use TokenKind::{Plain, Quote};
        assert_eq!(shape("雲“甲乙,丙丁。"), [(Plain, "雲"), (Quote, "甲乙"), (Plain, ",丙丁。")]);
        assert_eq!(
            shape("雲“甲乙,雲“丙丁”者"),
            [(Plain, "雲"), (Quote, "甲乙"), (Plain, ",雲"), (Quote, "丙丁"), (Plain, "者")]
        );
    }

    #[test]
    fn only_long_text_almost_without_marks_counts_as_unpunctuated() {
        let words = |n: usize| "甲".repeat(n);
        assert!(!is_flat(&words(CHARS_PER_MARK - 1)) && is_flat(&words(CHARS_PER_MARK)));
        // The mark is a character too.
        let marked = |n: usize| format!("{}。", words(n - 1));
        assert!(!is_flat(&marked(CHARS_PER_MARK)) && is_flat(&marked(CHARS_PER_MARK + 1)));
        assert!(!is_flat(&format!("{}，{}。", words(39), words(39))));
    }
}
