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
/// Longest name of the owner of a copy (盧本).
const MAX_OWNER_CHARS: usize = 2;
/// The copy that has the headwords of the 音義.
const GLOSSED_COPY: &str = "釋文";
/// Certainty of a place in the order of the text, and of one before that of the entry before, or of
/// more characters than the reading has: only one of them may be meant.
const CERTAINTY: f64 = 0.9;
const DOUBTFUL_CERTAINTY: f64 = 0.7;
/// Certainty that there is such a reading, if its place is not found.
const UNPLACED_CERTAINTY: f64 = 0.5;

/// The readings that the 音義 in segment number `note` reports.
pub fn entries(document: &Document, note: usize, row: &NoteRow) -> Vec<ApparatusEntry> {
    let before = GlossedText::of(document, note);
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
        if !row.punctuated {
            // Nothing shows where it ends; most are single characters.
            reading.end = reading.end.min(start + 1);
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

/// The headwords that a formula may be about, the nearest first: clauses that neither state a sound
/// nor explain.
fn heads(row: &NoteRow, start: usize, at: usize) -> Vec<Range<usize>> {
    let explains = |clause: &Range<usize>| {
        let last = clause.end - 1;
        let first = clause.start;
        row.is(last, &['也'])
            || row.is(last, &['同'])
            || ['注', '下', '又', '徐', '劉', '沈'].iter().any(|c| row.is(first, &[*c]))
    };
    let mut heads = Vec::new();
    let mut end = at;
    while end > start {
        let from = row.clause_start(end).max(start);
        heads.extend(head(row, from, end).filter(|h| !explains(h)));
        end = from;
    }
    heads
}

/// The copy that a formula names: in 盧本作 it is 盧's, while in 丐本亦作 丐 is the headword.
fn named_copy(row: &NoteRow, start: usize, report: &Report) -> (String, usize) {
    let after = report.at + report.copy.chars.len();
    let own = match row.breaks(report.at) {
        true => report.at,
        false => row.clause_start(report.at).max(start),
    };
    let owner = own..report.at;
    let others = row.at(after, &[WordRole::All]).is_some();
    if report.copy.name == "本" && !others && (1..=MAX_OWNER_CHARS).contains(&owner.len()) {
        let name: String = row.raw[owner.clone()].iter().collect();
        return (format!("{name}本"), owner.start);
    }
    let name = if report.copy.name == "本" { "一本" } else { report.copy.name };
    (name.to_string(), report.at)
}

fn entry(
    row: &NoteRow,
    start: usize,
    report: &Report,
    (before, after): (&GlossedText, usize),
) -> Option<ApparatusEntry> {
    let lacks = report.difference == Difference::Lacks;
    let (copy, at) = named_copy(row, start, report);
    let mut heads = heads(row, start, at).into_iter();
    let nearest = if lacks { Some(report.reading.clone()) } else { heads.next() };
    let place = |words: &Range<usize>| before.place(row, words, after);
    let placed = nearest.clone().and_then(|head| Some((head.clone(), place(&head)?)));
    // Where the text has what the other copies have, the copy of the 音義 differs.
    let agrees = || place(&report.reading).filter(|_| !lacks);
    let (named, reading, witness, support, place) = match (placed, nearest) {
        (Some((head, place)), _) => {
            (Some(head), Some(report.reading.clone()), copy, vec![], Some(place))
        }
        (None, Some(head)) if let Some(place) = agrees() => {
            let own = before.differing(row, head, &place);
            (None, Some(own), GLOSSED_COPY.into(), vec![copy], Some(place))
        }
        (None, nearest) => {
            let further = heads.find_map(|head| Some((head.clone(), place(&head)?)));
            let (named, place) = further.map_or((nearest, None), |(h, p)| (Some(h), Some(p)));
            (named, Some(report.reading.clone()), copy, vec![], place)
        }
    };
    let in_order = place.as_ref().is_some_and(|p| p.start >= after);
    let whole = named.as_ref().is_none_or(|n| lacks || n.len() <= report.reading.len());
    let (status, certainty, why) = match (&place, in_order && whole) {
        (Some(_), true) => (Status::Exact, CERTAINTY, EvidenceKind::Words),
        (Some(_), false) => (Status::Exact, DOUBTFUL_CERTAINTY, EvidenceKind::Words),
        (None, _) => (Status::Unresolved, UNPLACED_CERTAINTY, EvidenceKind::WordNotInTextBefore),
    };
    let parts = [named.as_ref(), reading.as_ref()].into_iter().flatten();
    let first = parts.map(|r| r.start).min().unwrap_or(at).min(at);
    Some(ApparatusEntry {
        span: row.span(first..report.reading.end)?,
        witness,
        difference: report.difference,
        named: named.and_then(|n| row.span(n)),
        reading: reading.filter(|_| !lacks).and_then(|r| row.span(r)),
        support,
        lemma: place.map(|p| before.key.span(p.start, p.end)),
        status,
        certainty: Certainty::new(certainty),
        evidence: [Evidence::of(why)].into(),
    })
}

/// The classic and its notes between the last 音義 and this one.
struct GlossedText {
    key: Key,
}

impl GlossedText {
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
        GlossedText { key: Key::of_spans(document.source.text(), spans.into_iter().rev()) }
    }

    /// The first place of some words of the note from `after` on, else the last before it.
    fn place(&self, row: &NoteRow, words: &Range<usize>, after: usize) -> Option<Range<usize>> {
        let words = &row.key.chars[words.clone()];
        let hits = find_within(&self.key.chars, 0..self.key.len(), words, 0);
        let hit = hits.iter().find(|h| h.from >= after).or(hits.last())?;
        Some(hit.from..hit.to)
    }

    /// What a headword has at a place: it may begin or end with words that the text has beside it.
    fn differing(&self, row: &NoteRow, head: Range<usize>, at: &Range<usize>) -> Range<usize> {
        let words = &row.key.chars[head.clone()];
        let (before, after) = (&self.key.chars[..at.start], &self.key.chars[at.end..]);
        let first = (0..words.len()).rev().find(|n| before.ends_with(&words[..*n]));
        let start = head.start + first.unwrap_or(0);
        let is_after = |end: &usize| after.starts_with(&row.key.chars[*end..head.end]);
        start..(start + 1..=head.end).find(is_after).unwrap_or(head.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Witness, words of the text and reading of each entry.
    fn found(text: &str, gloss: &str) -> Vec<[String; 3]> {
        let document =
            Document::of_pieces(&[(Layer::Jing, text), (Layer::Yin, gloss), (Layer::Jing, "丙")]);
        let span = document.segments[1].span;
        let row = NoteRow::with(&document, span, &[WordRole::Copy]).expect("it has a formula");
        let words = |s: Option<Span>| s.map(|s| document.slice(s).to_string()).unwrap_or_default();
        let entries = entries(&document, 1, &row);
        entries.iter().map(|e| [e.witness.clone(), words(e.lemma), words(e.reading)]).collect()
    }

    fn one(witness: &str, lemma: &str, reading: &str) -> Vec<[String; 3]> {
        vec![[witness.into(), lemma.into(), reading.into()]]
    }

    #[test]
    fn the_headword_of_a_formula_is_found_in_the_text() {
        let text = "食饗不為槩，祭祀不為尸。";
        assert_eq!(found(text, "○饗本又作享，香兩反。槩，古愛反。"), one("一本", "饗", "享"));
        assert_eq!(found(text, "○槩，古愛反，量也，注同，本亦作概。"), one("一本", "槩", "概"));
        assert_eq!(found(text, "○祭祀，一本無祀字。"), one("一本", "祀", ""));
        assert_eq!(found(text, "○食饗，盧本作食享。"), one("盧本", "食饗", "食享"));
    }

    #[test]
    fn words_come_in_the_order_of_the_text() {
        let text = "齊者，去齊尺。齊，裳下也。";
        let document = Document::of_pieces(&[
            (Layer::Jing, text),
            (Layer::Yin, "○去，起呂反。齊音咨，本又作齋。"),
        ]);
        let span = document.segments[1].span;
        let row = NoteRow::with(&document, span, &[WordRole::Copy]).expect("it has a formula");
        let lemma = entries(&document, 1, &row)[0].lemma.expect("it is found");
        assert_eq!(text[..lemma.start()].matches('齊').count(), 1, "the one after 去");
    }

    #[test]
    fn where_the_text_has_the_other_reading_the_glossed_copy_differs() {
        let text = "共給鬼神，非禮不誠不莊。";
        let own = text.replace('共', "供");
        assert_eq!(found(&own, "○共音恭，本或作供。"), one("釋文", "供", "共"));
        assert_eq!(found("有人荷畚。", "○有人何，本又作“荷”，胡可反。"), one("釋文", "荷", "何"));
        assert_eq!(found("徇，徧也。", "○徇，本又作□，並辭峻反。"), Vec::<[String; 3]>::new());
        assert_eq!(found("遽不能對。", "○劇不，本亦作遽。"), one("釋文", "遽", "劇"));
        assert_eq!(found(text, "○瞿，本又作懼。"), one("一本", "", "懼"));
    }
}
