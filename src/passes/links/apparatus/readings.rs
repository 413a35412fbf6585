//! How a commentator understands or emends a word: X讀爲Y, X讀若Y, X當爲Y.

use std::ops::Range;

use super::statement::Statement;
use super::words::{NoteRow, WordRole};
use crate::model::Difference;

/// Characters that may come between the word and the verb.
const CHARS_BEFORE_VERB: [char; 4] = ['者', '疑', '或', '亦'];
/// Most characters back to the head of X者…也.
const MAX_HEAD_CHARS: usize = 10;

/// All statements of a note.
pub fn statements(row: &NoteRow, speaker: &str) -> Vec<Statement> {
    let read = formulas(row, &[WordRole::Read], Difference::ReadAs, speaker);
    [read, emendations(row, speaker)].concat()
}

/// X當爲Y only.
pub fn emendations(row: &NoteRow, speaker: &str) -> Vec<Statement> {
    // What a later commentator quotes from the 疏 is not his own.
    let quotes = (0..row.len())
        .find(|i| row.is(*i, &['疏', '云']) || row.is(*i, &['疏', '曰']))
        .unwrap_or(row.len());
    let mut all = formulas(row, &[WordRole::Should], Difference::Emends, speaker);
    all.retain(|s| row.key.index_at(s.span.start()) < quotes);
    all
}

fn formulas(
    row: &NoteRow,
    verbs: &[WordRole],
    difference: Difference,
    speaker: &str,
) -> Vec<Statement> {
    let mut out = Vec::new();
    for k in 0..row.len() {
        let Some(verb) = row.at(k, verbs).filter(|v| {
            row.at(k, &[WordRole::Surplus]).is_none_or(|s| s.chars.len() <= v.chars.len())
        }) else {
            continue;
        };
        let after = k + verb.chars.len();
        let end = row.clause_end(after.saturating_sub(1)).min(after + 12);
        let Some((named, stop)) = headword(row, k).zip(reading(row, after, end)) else { continue };
        if is_ordinary(row, k, &named, &stop) {
            continue;
        }
        let is_phrase = difference == Difference::Emends;
        let meant =
            if is_phrase { phrase(row, k, after, (named, stop)) } else { Some((named, stop)) };
        let Some((named, stop)) = meant else { continue };
        let (Some(span), reading) = (row.span(named.start..stop.end), row.span(stop)) else {
            continue;
        };
        out.push(Statement {
            span,
            witness: speaker.into(),
            difference,
            named: row.span(named),
            beside: None,
            reading,
            support: vec![],
            close: false,
        });
    }
    out
}

/// Longest phrase that is emended as a whole, in characters.
const MAX_PHRASE_CHARS: usize = 6;

/// Without punctuation a reading may be a phrase that begins as the words before the verb do:
/// 狐尾當作狐毛. Then what differs in it is meant; if nothing differs, it is no statement.
fn phrase(
    row: &NoteRow,
    k: usize,
    after: usize,
    (named, reading): (Range<usize>, Range<usize>),
) -> Option<(Range<usize>, Range<usize>)> {
    let chars = &row.key.chars;
    let same = |n: usize| chars.get(k - n) == chars.get(after);
    let Some(n) = (1..=MAX_PHRASE_CHARS.min(k)).find(|n| same(*n)).filter(|_| !row.punctuated)
    else {
        return (chars[named.clone()] != chars[reading.clone()]).then_some((named, reading));
    };
    let differs = (1..n).find(|i| chars.get(k - n + i) != chars.get(after + i))?;
    let (was, is) = (k - n + differs, after + differs);
    (is < row.len()).then_some((was..was + 1, is..is + 1))
}

/// True if 當爲 and 讀爲 are words like others: 言不當爲大巧, 亦當爲之乃爲賢耳. Then no word stands before
/// the verb, or more stands after it than a reading of that word.
fn is_ordinary(row: &NoteRow, k: usize, named: &Range<usize>, reading: &Range<usize>) -> bool {
    // 「X」當爲 and 「X」字當爲.
    let is_quoted = (named.end..=k).any(|i| row.is_after_quotation(i));
    if !is_quoted && named.len() == 1 && row.at(named.start, &[WordRole::NoHeadword]).is_some() {
        return true;
    }
    if !row.punctuated || is_quoted {
        return false;
    }
    let ends = row.breaks(reading.end)
        || row.is(reading.end, &['也'])
        || row.is(reading.end, &['字'])
        || row.at(reading.end, &[WordRole::Judgement]).is_some();
    !ends || reading.len() > named.len() + 1
}

/// The word before the verb at `k`: in the same clause, else in one of the three before, or the
/// head of X者…也.
fn headword(row: &NoteRow, k: usize) -> Option<Range<usize>> {
    let trimmed = |start: usize, mut end: usize| {
        while end > start + 1 && CHARS_BEFORE_VERB.iter().any(|c| row.is(end - 1, &[*c])) {
            end -= 1;
        }
        start..end
    };
    if !row.breaks(k) {
        let start = row.clause_start(k);
        let own = trimmed(start, k);
        return match row.punctuated && own.len() <= 2 {
            true => Some(own),
            // In a longer clause the character before the verb is meant, or the head of X者…也.
            false if row.is(own.end - 1, &['也']) => {
                let head = (start.max(k.saturating_sub(MAX_HEAD_CHARS)) + 1..k)
                    .rev()
                    .find(|i| row.is(*i, &['者']))?;
                Some(head - 1..head)
            }
            // The number of a character that the encoding lacked is one character: [A16E].
            false => {
                let is_code = |k: usize| row.raw[k].is_ascii_alphanumeric();
                let codes = (own.start..own.end).rev().take_while(|k| is_code(*k)).count();
                Some(own.end - codes.max(1)..own.end)
            }
        };
    }
    let mut end = k;
    for _ in 0..3 {
        let start = row.clause_start(end);
        let clause = trimmed(start, end);
        if clause.len() <= 2 && !clause.is_empty() && !row.is(clause.end - 1, &['也']) {
            return Some(clause);
        }
        end = start;
    }
    None
}

/// The word after the verb; in 今之X and X某某之X the word X.
fn reading(row: &NoteRow, from: usize, end: usize) -> Option<Range<usize>> {
    if from >= end {
        return None;
    }
    let known = |k: usize| {
        row.key.chars[from..k].contains(&row.key.chars[k + 1]) || row.is(from, &['今', '之'])
    };
    if let Some(k) = (from + 1..end.saturating_sub(1)).find(|k| row.is(*k, &['之']) && known(*k)) {
        return Some(k + 1..k + 2);
    }
    let range = row.without_tail(from..end, &[WordRole::Judgement]);
    Some(if row.punctuated && range.len() <= 4 { range } else { from..from + 1 })
}
