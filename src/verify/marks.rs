//! What stands between marks: quotations and titles, with their nesting.
//!
//! Assumes that a quotation does not run over a blank line; a mark without its other half is
//! ignored.

use std::sync::LazyLock;

use crate::source::Span;
use crate::text::class::is_content;

/// What marks set apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    Quotation,
    Title,
}

/// A stretch between two marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marked {
    pub(super) kind: MarkKind,
    /// Without the marks.
    pub(super) inner: Span,
    /// With them.
    pub(super) outer: Span,
    /// The one around it, by its number.
    pub(super) within: Option<usize>,
}

struct MarkPair {
    open: char,
    close: char,
    kind: MarkKind,
}

static PAIRS: LazyLock<Vec<MarkPair>> = LazyLock::new(|| {
    let rows = include_str!("data/marks.tsv").lines().filter(|l| !l.starts_with('#'));
    let pair = |row: &str| {
        let mut cells = row.split('\t');
        let mut sign = || cells.next()?.chars().next();
        let (open, close) = (sign()?, sign()?);
        let kind = match cells.next()? {
            "title" => MarkKind::Title,
            _ => MarkKind::Quotation,
        };
        Some(MarkPair { open, close, kind })
    };
    rows.filter_map(pair).collect()
});

/// Marks that are open at the same time, at most.
const MAX_DEPTH: usize = 16;

/// A mark that is open: which pair, and where.
struct OpenMark {
    pair: &'static MarkPair,
    at: usize,
}

/// All stretches between marks, in the order of their beginnings.
pub(super) fn marked(text: &str) -> Vec<Marked> {
    let mut all = vec![];
    let mut open: Vec<OpenMark> = vec![];
    let mut is_blank = false;
    for (at, c) in text.char_indices() {
        match c {
            '\n' if is_blank => open.clear(),
            '\n' => is_blank = true,
            c if !c.is_whitespace() => is_blank = false,
            _ => {}
        }
        if is_content(c) {
            continue;
        }
        if let Some(n) = open.iter().rposition(|o| o.pair.close == c) {
            let OpenMark { pair, at: start } = open.swap_remove(n);
            open.truncate(n);
            let inner = Span::new(start + pair.open.len_utf8(), at);
            let outer = Span::new(start, at + c.len_utf8());
            all.push(Marked { kind: pair.kind, inner, outer, within: None });
        } else if let Some(pair) = PAIRS.iter().find(|p| p.open == c) {
            if open.len() == MAX_DEPTH {
                open.remove(0);
            }
            open.push(OpenMark { pair, at });
        }
    }
    all.sort_by_key(|m| (m.outer.start(), std::cmp::Reverse(m.outer.end())));
    nest(&mut all);
    all
}

fn nest(all: &mut [Marked]) {
    let mut around: Vec<usize> = vec![];
    for n in 0..all.len() {
        while around.last().is_some_and(|a| all[*a].outer.end() <= all[n].outer.start()) {
            around.pop();
        }
        all[n].within = around.last().copied();
        around.push(n);
    }
}

/// How many Chinese characters words have, and how many others.
pub(super) fn han(words: &str) -> (usize, usize) {
    let content = words.chars().filter(|c| is_content(*c));
    let (han, other): (Vec<char>, Vec<char>) = content.partition(|c| is_han(*c));
    (han.len(), other.len())
}

/// True for an ideograph.
pub(super) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
        || matches!(c, '\u{20000}'..='\u{3FFFF}' | '\u{E000}'..='\u{F8FF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, Option<usize>)> {
        marked(text).iter().map(|m| (&text[m.inner.range()], m.within)).collect()
    }

    #[test]
    fn marks_nest_and_a_lone_one_is_ignored() {
        let text = "《論語》：「子曰：『學而時習之』，信哉。」 it’s \"有朋自遠方來\" and 」 and “multi\nline”";
        let own = [
            ("論語", None),
            ("子曰：『學而時習之』，信哉。", None),
            ("學而時習之", Some(1)),
            ("有朋自遠方來", None),
            ("multi\nline", None),
        ];
        assert_eq!(found(text), own);
        assert_eq!(found("「甲\n\n乙」"), []);
    }
}
