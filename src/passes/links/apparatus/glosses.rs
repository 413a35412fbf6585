//! Readings of other copies in 音義: X，本亦作Y; X音…，本又作Y; 一本無X; 定本作Y.
//!
//! A 音義 follows the text it explains. Its entries are sentences, in the order of the text, each
//! with a headword from there, a sound, and sometimes what other copies have. The word meant is the
//! nearest before the formula that the text has.

use std::ops::Range;

use super::words::{NoteRow, NoteWord, WordRole};
use crate::model::{
    ApparatusEntry, Certainty, Difference, Document, Evidence, EvidenceKind, Layer, Status,
};
use crate::source::Span;
use crate::text::Key;
use crate::text::find::find_within;

/// Characters of the text before a 音義 that are searched at most.
const MAX_CHARS_BEFORE: usize = 900;
/// Longest headword and reading, in characters.
const MAX_HEAD_CHARS: usize = 8;
const MAX_READING_CHARS: usize = 12;
/// Certainty of a place in the order of the text, and of one before that of the entry before.
const CERTAINTY: f64 = 0.9;
const OUT_OF_ORDER_CERTAINTY: f64 = 0.7;
/// Certainty that there is such a reading, if its place is not found.
const UNPLACED_CERTAINTY: f64 = 0.5;

/// The readings that the 音義 in segment number `note` reports.
pub fn entries(document: &Document, note: usize, row: &NoteRow) -> Vec<ApparatusEntry> {
    let before = Before::of(document, note);
    let (mut found, mut after) = (Vec::new(), 0);
    let mut start = 0;
    while start < row.len() {
        let end = (start + 1..row.len()).find(|i| row.begins_sentence(*i)).unwrap_or(row.len());
        if let Some(head) = head(row, start, row.clause_end(start).min(end))
            && let Some(at) = before.place(row, &head, after).filter(|at| at.start >= after)
        {
            after = at.start;
        }
        let mut from = start;
        while let Some(report) = report(row, from..end) {
            from = report.reading.end;
            found.extend(entry(row, start, &report, (&before, after)));
        }
        start = end;
    }
    found
}

/// What a formula says.
struct Report {
    copy: &'static NoteWord,
    /// Where the formula begins.
    at: usize,
    difference: Difference,
    reading: Range<usize>,
}

/// The first formula in some characters.
fn report(row: &NoteRow, range: Range<usize>) -> Option<Report> {
    range.clone().find_map(|at| {
        let copy = row.at(at, &[WordRole::Copy])?;
        let mut next = at + copy.chars.len();
        while let Some(word) = row.at(next, &[WordRole::All]) {
            next += word.chars.len();
        }
        let verb = row.at(next, &[WordRole::Is, WordRole::Lacks])?;
        let start = next + verb.chars.len();
        let reading = start..row.clause_end(start.saturating_sub(1)).min(range.end);
        let mut reading = row.without_tail(reading, &[WordRole::Judgement]);
        if reading.len() > 1 && row.is(reading.end - 1, &['字']) {
            reading.end -= 1;
        }
        let lacks = verb.role == WordRole::Lacks;
        let difference = if lacks { Difference::Lacks } else { Difference::Other };
        let fits = (1..=MAX_READING_CHARS).contains(&reading.len());
        fits.then_some(Report { copy, at, difference, reading })
    })
}

/// The headword that a clause begins with: what is before its sound.
fn head(row: &NoteRow, from: usize, to: usize) -> Option<Range<usize>> {
    let sound = (from..to).find(|i| {
        row.is(*i, &['音']) || row.is(*i, &['如', '字']) || row.at(*i, &[WordRole::Copy]).is_some()
    });
    let head = from..sound.unwrap_or(to);
    let is_sound =
        head.len() > 1 && (row.is(head.end - 1, &['反']) || row.is(head.end - 1, &['切']));
    ((1..=MAX_HEAD_CHARS).contains(&head.len()) && !is_sound).then_some(head)
}

/// The headwords that a formula may be about, the nearest first.
fn heads(row: &NoteRow, start: usize, at: usize) -> Vec<Range<usize>> {
    let mut heads = Vec::new();
    let mut end = at;
    while end > start {
        let from = if row.breaks(end) && end == at { end } else { row.clause_start(end) };
        let from = if from == end { row.clause_start(end) } else { from }.max(start);
        heads.extend(head(row, from, end));
        if from >= end {
            break;
        }
        end = from;
    }
    heads
}

fn entry(
    row: &NoteRow,
    start: usize,
    report: &Report,
    (before, after): (&Before, usize),
) -> Option<ApparatusEntry> {
    let lacks = report.difference == Difference::Lacks;
    let candidates = match lacks {
        true => vec![report.reading.clone()],
        false => heads(row, start, report.at),
    };
    let placed =
        candidates.iter().find_map(|head| Some((head.clone(), before.place(row, head, after)?)));
    let (named, place) = match placed {
        Some((head, place)) => (Some(head), Some(place)),
        None => (candidates.into_iter().next(), None),
    };
    let first = named.as_ref().map_or(report.at, |n| n.start.min(report.at));
    let in_order = place.as_ref().is_some_and(|p| p.start >= after);
    let (status, certainty, why) = match (&place, in_order) {
        (Some(_), true) => (Status::Exact, CERTAINTY, EvidenceKind::Words),
        (Some(_), false) => (Status::Exact, OUT_OF_ORDER_CERTAINTY, EvidenceKind::Words),
        (None, _) => (Status::Unresolved, UNPLACED_CERTAINTY, EvidenceKind::WordNotInTextBefore),
    };
    let name = if report.copy.name == "本" { "一本" } else { report.copy.name };
    Some(ApparatusEntry {
        span: row.span(first..report.reading.end)?,
        witness: name.to_string(),
        difference: report.difference,
        named: named.and_then(|n| row.span(n)),
        reading: if lacks { None } else { row.span(report.reading.clone()) },
        support: vec![],
        lemma: place.map(|p| before.key.span(p.start, p.end)),
        status,
        certainty: Certainty::new(certainty),
        evidence: vec![Evidence::of(why)],
    })
}

/// The classic and its notes between the last 音義 and this one.
struct Before {
    key: Key,
}

impl Before {
    fn of(document: &Document, note: usize) -> Self {
        let mut spans: Vec<Span> = Vec::new();
        let mut length = 0;
        for s in document.segments[..note].iter().rev().filter(|s| s.layer.is_text()) {
            if s.layer == Layer::Yin || length >= MAX_CHARS_BEFORE {
                break;
            }
            if !matches!(s.layer, Layer::Shu | Layer::ShuHeader) {
                spans.push(s.span);
                length += document.slice(s.span).chars().count();
            }
        }
        Before { key: Key::of_spans(document.source.text(), spans.into_iter().rev()) }
    }

    /// The first place of some words of the note from `after` on, else the last before it.
    fn place(&self, row: &NoteRow, words: &Range<usize>, after: usize) -> Option<Range<usize>> {
        let words = &row.key.chars[words.clone()];
        let hits = find_within(&self.key.chars, 0..self.key.len(), words, 0);
        let hit = hits.iter().find(|h| h.from >= after).or(hits.last())?;
        Some(hit.from..hit.to)
    }
}
