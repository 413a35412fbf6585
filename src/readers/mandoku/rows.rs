//! Double rows whose left half is stored first.
//!
//! The right half of a printed row is read first and is never the shorter one. Some files have the
//! halves the other way round; the rows whose halves differ in length show it.

use super::tokens::{MandokuKind, Tokens};
use crate::diag::Diagnostic;
use crate::model::NEEDS_REVIEW;
use crate::source::{Exchange, Span};

/// What the rows of a file show.
#[derive(Debug, Default)]
pub struct StoredRows {
    /// The rows that are read the other way round.
    pub exchanged: Vec<Exchange>,
    /// Rows whose first half is the shorter one, and the longer one.
    shorter: usize,
    longer: usize,
    /// The first row that is unlike most of the file, and the first with more than two parts.
    unlike: Option<Span>,
    first_in_parts: Option<Span>,
    rows_in_parts: usize,
}

/// A row, and where it turns.
struct DoubleRow {
    span: Span,
    turns: Vec<usize>,
}

impl DoubleRow {
    /// Characters before and after each turn. One that has no code counts as one.
    fn halves(&self, text: &str) -> Vec<(usize, usize)> {
        let (before, all) = printed(&text[self.span.range()]);
        before.into_iter().map(|n| (n, all - n)).collect()
    }
}

/// How the rows of a file are stored.
pub fn stored(text: &str, cut: &Tokens) -> StoredRows {
    let rows = rows(text, cut);
    let mut found = StoredRows::default();
    for row in &rows {
        if let [(first, second)] = row.halves(text)[..] {
            found.shorter += usize::from(first < second);
            found.longer += usize::from(first > second);
        }
    }
    let left_first = found.shorter > found.longer;
    for row in &rows {
        let halves = row.halves(text);
        let turn = match halves[..] {
            [(first, second)] => {
                if first != second && (first < second) != left_first {
                    found.unlike.get_or_insert(row.span);
                }
                (first < second || first == second && left_first).then_some(row.turns[0])
            }
            _ if !left_first => None,
            _ => {
                found.first_in_parts.get_or_insert(row.span);
                found.rows_in_parts += 1;
                let uneven =
                    |(_, (first, second)): &(&usize, (usize, usize))| first.abs_diff(*second);
                // The signs between other parts stand for characters that were lost.
                row.turns.iter().zip(halves).min_by_key(uneven).map(|(turn, _)| *turn)
            }
        };
        found.exchanged.extend(turn.map(|turn| Exchange::new(row.span, turn)));
    }
    found
}

impl StoredRows {
    /// What a person should know. `source` is the text in the order of reading; spans of rows are
    /// the same in it.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut all = vec![];
        let (shorter, longer, n) = (self.shorter, self.longer, self.exchanged.len());
        if shorter > longer {
            all.push(self.left_first(n));
        }
        if let Some(span) = self.unlike {
            let message = format!(
                "some double rows have the left half first, others the right one (the first half is the shorter one in {shorter}, the longer one in {longer}); each is read by its own halves"
            );
            let hint = "rows with equal halves are read like most of the file; check them";
            all.push(Diagnostic::warning(CODE, span, message).hint(hint));
        }
        if let Some(span) = self.first_in_parts {
            let message = format!(
                "double rows with more than two parts: {}; each is divided where its halves are most equal",
                self.rows_in_parts
            );
            all.push(Diagnostic::warning(CODE, span, message));
        }
        all
    }

    fn left_first(&self, n: usize) -> Diagnostic {
        let (shorter, longer) = (self.shorter, self.longer);
        // The chance that a further row has the left half first too.
        let certainty = (shorter + 1) as f64 / (shorter + longer + 2) as f64;
        let message = format!(
            "the left halves of double rows are stored first (the first half is the shorter one in {shorter}, the longer one in {longer}); {n} rows are read right half first, with certainty {certainty:.2}"
        );
        match certainty < NEEDS_REVIEW {
            true => Diagnostic::warning(CODE, None, message).hint("compare a few with the print"),
            false => Diagnostic::info(CODE, None, message),
        }
    }
}

const CODE: &str = "double-rows";

/// Rows with a turn, each in one bracket and one line.
fn rows(text: &str, cut: &Tokens) -> Vec<DoubleRow> {
    let mut rows: Vec<DoubleRow> = vec![];
    let mut open: Option<DoubleRow> = None;
    for token in &cut.tokens {
        let (start, end) = (token.span.start(), token.span.end());
        let goes_on = match (token.kind, &text[token.span.range()]) {
            (MandokuKind::Words, _) => token.note,
            (MandokuKind::Mark, "/") => token.note,
            _ => false,
        };
        if !goes_on {
            rows.extend(open.take().filter(|row| !row.turns.is_empty()));
            continue;
        }
        let row = open.get_or_insert(DoubleRow { span: Span::new(start, start), turns: vec![] });
        row.span = Span::new(row.span.start(), end);
        if token.kind == MandokuKind::Mark {
            row.turns.push(start);
        }
    }
    rows.extend(open.filter(|row| !row.turns.is_empty()));
    rows
}

/// Most characters of an entity or of a description.
const MAX_CODE_CHARS: usize = 24;

/// Characters as printed before each turn, and all: `&KR0764;` and `[金*本]` are one.
fn printed(words: &str) -> (Vec<usize>, usize) {
    let (mut turns, mut n) = (vec![], 0);
    let mut rest = words;
    while let Some(c) = rest.chars().next() {
        if c == '/' {
            turns.push(n);
            rest = &rest[1..];
            continue;
        }
        let close = match c {
            '&' => Some(';'),
            '[' => Some(']'),
            _ => None,
        };
        let mut near = rest.char_indices().take(MAX_CODE_CHARS);
        let end = close.and_then(|close| near.find(|(_, c)| *c == close));
        rest = &rest[end.map_or(c.len_utf8(), |(at, c)| at + c.len_utf8())..];
        n += 1;
    }
    (turns, n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::mandoku::tokens;

    fn of(text: &str) -> (Vec<String>, Vec<String>) {
        let found = stored(text, &tokens::cut(text));
        let rows = found.exchanged.iter().map(|e| text[e.span.range()].to_string()).collect();
        (rows, found.diagnostics().into_iter().map(|d| d.message).collect())
    }

    #[test]
    fn characters_without_code_count_as_one() {
        assert_eq!(printed("&KR0764;者/[金*本]也"), (vec![2], 4));
        assert_eq!(printed("&也["), (vec![], 3));
    }

    #[test]
    fn rows_in_order_are_left_alone() {
        assert_eq!(of("甲(乙丙/丁)¶\n戊(己/庚)¶\n辛(壬)¶\n"), (vec![], vec![]));
        assert_eq!(of("甲(乙/丙)¶\n"), (vec![], vec![]));
    }

    #[test]
    fn most_rows_decide_about_those_with_equal_halves() {
        let (rows, said) = of("甲(乙/丙丁)戊(己/庚)¶\n(癸/甲乙)(丙丁/戊)¶\n");
        assert_eq!(rows, ["乙/丙丁", "己/庚", "癸/甲乙"]);
        assert!(
            said[0].contains("certainty 0.60") && said[1].contains("shorter one in 2"),
            "{said:?}"
        );
    }

    #[test]
    fn a_row_of_three_parts_turns_near_its_middle() {
        let text = "(子/丑寅)¶\n(甲乙/丙/丁戊己)(甲乙丙/丁/戊己)¶\n";
        let found = stored(text, &tokens::cut(text));
        let turns: Vec<_> =
            found.exchanged.iter().map(|e| &text[e.middle()..e.span.end()]).collect();
        assert_eq!(turns, ["/丑寅", "/丁戊己", "/丁/戊己"]);
        assert_eq!(found.diagnostics().len(), 2);
    }

    #[test]
    fn a_bracket_over_lines_has_a_row_in_each() {
        let text = "甲(乙/丙丁¶\n戊/己庚)¶\n";
        assert_eq!(of(text).0, ["乙/丙丁", "戊/己庚"]);
    }
}
