//! Finds the ends of sentences and clauses by punctuation.
//!
//! The texts mix full-width marks, ASCII marks and both kinds of quotation marks, nested. A cut is
//! after the whole run of marks that closes a sentence (`。”」`), never before a mark that continues
//! it (`“…。”,降` is one sentence), never within a number (3.5, 1,000, 10:30) and never within a
//! grapheme.

use super::class::{closes, ends_clause, ends_sentence, is_content};
use super::graphemes::is_boundary;
use crate::source::Span;

/// Cuts `span` after each mark that ends a sentence, the closing marks and blanks that follow it.
/// The pieces cover the span; only the first can begin with a blank.
///
/// ```
/// use zhushu::{source::Span, text::sentences};
/// let text = "告於賓曰:“左右卒射。”降。反位!";
/// let s = sentences(text, Span::new(0, text.len()));
/// assert_eq!(s.len(), 3);
/// assert_eq!(&text[s[1].range()], "降。");
/// ```
pub fn sentences(text: &str, span: Span) -> Vec<Span> {
    cut(text, span, MarkEnds::Sentence)
}

/// Cuts `span` after each mark that ends a clause or a sentence. The pieces cover the span.
///
/// ```
/// use zhushu::{source::Span, text::clauses};
/// let text = "獲者執旌許諾,聲不絕。";
/// assert_eq!(clauses(text, Span::new(0, text.len())).len(), 2);
/// ```
pub fn clauses(text: &str, span: Span) -> Vec<Span> {
    cut(text, span, MarkEnds::Clause)
}

/// True if `text` ends with the end of a sentence, ignoring closing marks and blanks.
pub fn ends_with_sentence(text: &str) -> bool {
    text.trim_end_matches(|c: char| closes(c) || c.is_whitespace()).ends_with(ends_sentence)
}

/// True if there is a punctuation mark at least every 40 characters.
pub(crate) fn is_punctuated(text: &str) -> bool {
    let (mut marks, mut words) = (0usize, 0usize);
    for c in text.chars() {
        match is_content(c) {
            true => words += 1,
            false => marks += usize::from(ends_sentence(c) || ends_clause(c)),
        }
    }
    marks * 40 > words
}

/// What a mark ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MarkEnds {
    Nothing,
    Clause,
    Sentence,
}

fn cut(text: &str, span: Span, level: MarkEnds) -> Vec<Span> {
    let body = &text[span.range()];
    let (mut pieces, mut start) = (Vec::new(), 0);
    let mut quotes = Quotes::default();
    let mut ended = MarkEnds::Nothing;
    for (i, c) in body.char_indices() {
        let closing = closes(c) || quotes.closes(body, i, c);
        let end = end_at(body, i, c);
        let goes_on =
            closing || end != MarkEnds::Nothing || c.is_whitespace() || !is_boundary(body, i);
        if ended >= level && !goes_on {
            pieces.push(Span::new(span.start() + start, span.start() + i));
            start = i;
        }
        ended = match end {
            MarkEnds::Nothing if goes_on => ended,
            // A comma after “…。” continues the sentence.
            MarkEnds::Clause if starts_with_mark(&body[..i]) => MarkEnds::Clause,
            end => end.max(if goes_on { ended } else { MarkEnds::Nothing }),
        };
    }
    if start < body.len() {
        pieces.push(Span::new(span.start() + start, span.end()));
    }
    pieces
}

/// True if `before` ends with a closing mark, ignoring blanks.
fn starts_with_mark(before: &str) -> bool {
    before.trim_end().chars().next_back().is_some_and(|c| closes(c) || c == '"')
}

/// What the mark `c` at byte `i` ends.
fn end_at(text: &str, i: usize, c: char) -> MarkEnds {
    let (head, rest) = (&text[..i], &text[i + c.len_utf8()..]);
    let in_number = head.ends_with(|b: char| b.is_ascii_digit())
        && rest.starts_with(|a: char| a.is_ascii_digit());
    match c {
        '.' => full_stop(head, rest),
        '…' | '⋯' => ellipsis(rest),
        ',' | ':' if in_number => MarkEnds::Nothing,
        ':' if rest.starts_with("//") => MarkEnds::Nothing,
        _ if ends_sentence(c) => MarkEnds::Sentence,
        _ if ends_clause(c) => MarkEnds::Clause,
        _ => MarkEnds::Nothing,
    }
}

/// An ASCII full stop ends a sentence after Chinese, but not after a number or a single letter, or
/// before a number or a small letter (p. 12, cf. note).
fn full_stop(head: &str, rest: &str) -> MarkEnds {
    let before = head.chars().next_back();
    if before == Some('.') || rest.starts_with('.') {
        return ellipsis(rest);
    }
    match before {
        Some(b) if b.is_ascii_alphabetic() => {
            let word = head.chars().rev().take_while(char::is_ascii_alphabetic).count();
            let next = rest.trim_start().chars().next();
            let joined = rest.starts_with(|c: char| c.is_ascii_alphanumeric());
            let abbreviation = word == 1
                || joined
                || next.is_some_and(|n| n.is_ascii_digit() || n.is_ascii_lowercase());
            if abbreviation { MarkEnds::Nothing } else { MarkEnds::Sentence }
        }
        Some(b) if !b.is_ascii_digit() && (is_content(b) || closes(b)) => MarkEnds::Sentence,
        _ => MarkEnds::Nothing,
    }
}

/// An ellipsis before `rest` ends a sentence only at the end of a line.
fn ellipsis(rest: &str) -> MarkEnds {
    let rest = rest.trim_start_matches(|c| matches!(c, '…' | '⋯' | '.') || closes(c));
    if rest.is_empty() || rest.starts_with(['\n', '\r']) {
        MarkEnds::Sentence
    } else {
        MarkEnds::Clause
    }
}

/// Straight quotation marks open and close alternately.
#[derive(Default)]
struct Quotes {
    open: bool,
}

impl Quotes {
    /// True if `c` is a straight mark that closes.
    fn closes(&mut self, text: &str, i: usize, c: char) -> bool {
        match c {
            '"' | '＂' => {
                self.open = !self.open;
                !self.open
            }
            // A straight single mark closes only after another mark; otherwise it is an apostrophe.
            '\'' => text[..i].chars().next_back().is_some_and(|b| ends_sentence(b) || closes(b)),
            '\n' if text[i + 1..].starts_with('\n') => {
                self.open = false; // an open quotation does not affect the next paragraph
                false
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(of: fn(&str, Span) -> Vec<Span>, marked: &str) {
        let text = marked.replace('|', "");
        let span = Span::new(0, text.len());
        let pieces: Vec<&str> = of(&text, span).into_iter().map(|s| &text[s.range()]).collect();
        assert_eq!(pieces.join("|"), marked);
    }

    #[test]
    fn sentences_end_after_the_whole_run_of_marks() {
        for marked in [
            "告於賓曰:“左右卒射。”|降,反位。",
            "曰:「子曰:『學而時習之。』」|又曰:『然。』|",
            "乃射。』”」|又射!?|三射。",
            "“左右卒射。”,降,反位。|司射進。",
            "“左右卒射”。|降。",
            "“卒射。”。|降。",
            "曰\"射。\"|曰\"降。\"|反位",
            "射。\n”|降。\n\n|坐。",
            "射。\u{FE00}|降。",
            "獲。|(大射。)|釋。",
            "子曰.|學而時習之.|不亦說乎",
            "長3.5尺,見p. 12。|又",
            "This is one. |Vol. 3, cf. p. 12, J. Legge. |又",
            "又...... |",
            "又......走",
            "他說……|",
            "他……走了。|又來……\n|去了",
            "「……」他說。|",
            "無標點之文",
        ] {
            check(sentences, marked.strip_suffix('|').unwrap_or(marked));
        }
    }

    #[test]
    fn clauses_end_at_commas_but_not_in_numbers() {
        for marked in [
            "獲者執旌許諾,|聲不絕,|以至於乏;|坐。",
            "1,000步,|10:30,|時",
            "“左右卒射。”,|降",
            "他……|走了。|",
            "東、|西、|南。|",
            "見http://x.cn,|去",
        ] {
            check(clauses, marked.strip_suffix('|').unwrap_or(marked));
        }
    }

    #[test]
    fn pieces_cover_any_span() {
        let text = "。“。\r\n”…..\"'』\u{E0100}。x.1,2 \u{301}。\n\n\"。";
        for (from, _) in text.char_indices() {
            for of in [sentences, clauses] {
                let pieces = of(text, Span::new(from, text.len()));
                assert_eq!(
                    pieces.iter().map(|s| &text[s.range()]).collect::<String>(),
                    text[from..]
                );
                assert!(pieces.iter().all(|s| !s.is_empty()));
            }
        }
    }
}
