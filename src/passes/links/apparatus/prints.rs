//! Editors' collation notes: 案今注疏本脱X字據宋本補, 案X今注疏本訛作Y據宋本改,
//! 案此下今注疏本衍X字, 案X從宋本, X似衍文.

use std::ops::Range;

use super::statement::Statement;
use super::words::{NoteRow, NoteWord, WordRole};
use crate::model::Difference;
use crate::text::fold::fold;

/// Most characters of a word named before an edition.
const MAX_NAMED_CHARS: usize = 6;
/// Most characters of a reading.
const MAX_READING_CHARS: usize = 12;

/// All statements of a note.
pub fn statements(row: &NoteRow) -> Vec<Statement> {
    let mut out = Vec::new();
    let mut from = usize::from(row.is(0, &['案']) || row.is(0, &['按']));
    // X從宋本,今注疏本作Y: the word and the edition that has it precede the edition that differs.
    let mut kept: (Option<Range<usize>>, Vec<String>) = (None, vec![]);
    while let Some((k, print)) = row.first(from..row.len(), &[WordRole::Print]) {
        let mended = k > 0 && row.at(k - 1, &[WordRole::Mends]).is_some();
        from = if mended {
            if k > from + 1 {
                kept = (named(row, from, k - 1), vec![print.name.to_string()]);
            }
            k + print.chars.len()
        } else {
            let end = one(row, from, (k, print), &kept, &mut out);
            end.max(k + 1)
        };
    }
    surplus(row, &mut out);
    let speaker = speaker_named(row, row.len()).unwrap_or_else(|| "案".into());
    out.extend(
        super::readings::emendations(row, &speaker)
            .into_iter()
            .map(|s| Statement { close: true, ..s }),
    );
    out
}

/// Reads the statement about the edition at `k`; returns where it ends.
fn one(
    row: &NoteRow,
    from: usize,
    (k, print): (usize, &NoteWord),
    kept: &(Option<Range<usize>>, Vec<String>),
    out: &mut Vec<Statement>,
) -> usize {
    let before = named(row, from, k).or_else(|| kept.0.clone());
    let mut at = k + print.chars.len();
    while let Some(w) = row.at(at, &[WordRole::Wrong, WordRole::All]) {
        at += w.chars.len();
    }
    let Some(verb) = row.at(at, &[WordRole::Is, WordRole::Lacks, WordRole::Adds]) else {
        return at;
    };
    let start = at + verb.chars.len();
    let (range, stop) = reading(row, start, before.as_ref().map_or(1, ExactSizeIterator::len));
    if range.is_empty() {
        return stop;
    }
    let difference = match verb.role {
        WordRole::Lacks => Difference::Lacks,
        WordRole::Adds => Difference::Adds,
        _ => Difference::Other,
    };
    if let Some(last) = out.last_mut().filter(|s| before.is_none() && says_the_same(row, s, &range))
    {
        last.support.push(print.name.to_string());
        return stop;
    }
    let first = before.as_ref().map_or(k, |b| b.start);
    let lacks = difference == Difference::Lacks;
    let named = if lacks { Some(range.clone()) } else { before };
    let Some(span) = row.span(first..range.end) else { return stop };
    out.push(Statement {
        span,
        witness: print.name.into(),
        difference,
        named: named.and_then(|r| row.span(r)),
        beside: None,
        reading: if lacks { None } else { row.span(range) },
        support: Some(support(row, stop))
            .filter(|s| !s.is_empty())
            .unwrap_or_else(|| kept.1.clone()),
        close: true,
    });
    stop
}

/// True if the edition's reading is the word that the statement before names: it agrees with the
/// text.
fn says_the_same(row: &NoteRow, before: &Statement, reading: &Range<usize>) -> bool {
    let Some(named) = before.named else { return false };
    let named = row.key.index_at(named.start())..row.key.index_at(named.end());
    row.key.chars[named] == row.key.chars[reading.clone()]
}

/// The word named before the edition: X in X or X字, 周南 in 周南下, none in 此下.
fn named(row: &NoteRow, from: usize, k: usize) -> Option<Range<usize>> {
    let mut start = from.max(if row.breaks(k) { from } else { row.clause_start(k) });
    if row.is(start, &['案']) {
        start += 1;
    }
    let mut end = k;
    if end > start && row.is(end - 1, &['下']) {
        end -= 1;
    }
    if end > start && row.is(end - 1, &['字']) {
        end -= 1;
    }
    let here = end == start + 1 && (row.is(start, &['此']) || row.is(start, &['及']));
    (!here && (1..=MAX_NAMED_CHARS).contains(&(end.saturating_sub(start)))).then_some(start..end)
}

/// The reading, and where the statement ends. The reading ends at 字 (or a count before it), 據,
/// 從, another edition or the end of the clause; if there is none, it is `many` characters long.
fn reading(row: &NoteRow, start: usize, many: usize) -> (Range<usize>, usize) {
    let clause = row.clause_end(start).min(start + MAX_READING_CHARS).min(row.len());
    let other = row.first(start..clause, &[WordRole::Mends, WordRole::Print]).map(|(k, _)| k);
    let zi = (start + 1..other.unwrap_or(clause)).find(|i| row.is(*i, &['字']));
    let bounded = other.is_some()
        || clause < (start + MAX_READING_CHARS).min(row.len())
        || clause <= start + many + 2;
    let other = other.unwrap_or(if bounded { clause } else { (start + many).min(clause) });
    let (mut end, stop) = zi.map_or((other, other), |i| (i, i + 1));
    let count = |c: char| "一二三四五六七八九十".chars().any(|n| fold(n) == c);
    if zi.is_some() && end > start + 1 && count(row.key.chars[end - 1]) {
        end -= 1;
    }
    let range = start..end.max(start);
    (if zi.is_some() { range } else { row.without_tail(range, &[WordRole::Judgement]) }, stop)
}

/// The edition that the editor followed: 據宋本補, 從唐石經.
fn support(row: &NoteRow, at: usize) -> Vec<String> {
    let Some(w) = row.at(at, &[WordRole::Mends]) else { return vec![] };
    row.at(at + w.chars.len(), &[WordRole::Print]).map(|p| p.name.to_string()).into_iter().collect()
}

/// X字當爲衍文, X似衍文: someone judges a word superfluous.
fn surplus(row: &NoteRow, out: &mut Vec<Statement>) {
    let Some((k, w)) = row.first(1..row.len(), &[WordRole::Surplus]) else { return };
    let zi = (0..k).rev().take(3).find(|i| row.is(*i, &['字'])).filter(|i| *i > 0).unwrap_or(k);
    let (Some(span), named) = (row.span(zi - 1..k + w.chars.len()), row.span(zi - 1..zi)) else {
        return;
    };
    let witness = speaker_named(row, zi).unwrap_or_else(|| "案".into());
    out.push(Statement {
        span,
        witness,
        difference: Difference::Emends,
        named,
        beside: None,
        reading: None,
        support: vec![],
        close: true,
    });
}

/// The person named before 云 or 曰: 敖繼公云….
fn speaker_named(row: &NoteRow, before: usize) -> Option<String> {
    if let Some((_, w)) = row.first(0..before, &[WordRole::Scholar]) {
        return Some(w.name.into());
    }
    let at = (2..before).find(|i| row.is(*i, &['云']) || row.is(*i, &['曰']))?;
    let start = usize::from(row.is(0, &['案']) || row.is(0, &['按']));
    let name: String = row.raw[start..at].iter().collect();
    (name.chars().count() <= 4).then_some(name)
}
