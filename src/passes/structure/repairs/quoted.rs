//! Damaged characters in words that the text quotes from itself. A sub-commentary names what it
//! explains by its first and last words (注“賢猶”至“幹奇”), which are too few for a rule. If the same
//! words are repaired where they are from, they are repaired in the quotation too.

use rustc_hash::{FxHashMap, FxHashSet};

use super::rules::{DamagedPlace, RULES};
use crate::model::{Certainty, Document, Evidence, EvidenceKind, Reading, ReadingKind};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{closes, opens};

/// How far the marks of a quotation may be from the place, in bytes. Longer quotations have context
/// enough for a rule.
const MAX_BYTES: usize = 36;
/// What a repair elsewhere is worth here.
const TRUST: f64 = 0.95;

/// A character and the one after it, or before it.
type WithNeighbour = (char, Option<char>, Option<char>);

/// The repairs of quoted words, from the repairs of the text so far.
pub fn readings(
    document: &Document,
    key: &Key,
    places: &[DamagedPlace],
    repaired: &[Reading],
) -> Vec<Reading> {
    let repaired: FxHashMap<usize, &Reading> =
        repaired.iter().map(|r| (r.span.start(), r)).collect();
    let open = places.iter().filter(|p| !repaired.contains_key(&p.at));
    let quoted: Vec<(&DamagedPlace, Span)> =
        open.filter_map(|p| Some((p, quotation(document, p.at)?))).collect();
    if quoted.is_empty() {
        return vec![];
    }
    let mut elsewhere: FxHashMap<WithNeighbour, Vec<usize>> = FxHashMap::default();
    let asked: FxHashSet<usize> = quoted.iter().map(|(p, _)| p.at).collect();
    for place in places.iter().filter(|p| !asked.contains(&p.at)) {
        let n = key.index_at(place.at);
        for pair in pairs(key, n, place.damaged) {
            elsewhere.entry(pair).or_default().push(n);
        }
    }
    let of = |(place, words): &(&DamagedPlace, Span)| {
        let (from, to) = (key.index_at(words.start()), key.index_at(words.end()));
        let (words, n) = (&key.chars[from..to], key.index_at(place.at));
        let [after, before] = pairs(key, n, place.damaged);
        let pair = if n + 1 < to { after } else { before };
        let same = elsewhere.get(&pair)?.iter().copied().filter(|other| {
            let start = other.checked_sub(n - from);
            start.and_then(|s| key.chars.get(s..s + words.len())) == Some(words)
        });
        let same: Option<Vec<&Reading>> =
            same.map(|other| repaired.get(&(key.at[other] as usize)).copied()).collect();
        reading(place, &same?)
    };
    quoted.iter().filter_map(of).collect()
}

/// A character with each of its neighbours.
fn pairs(key: &Key, n: usize, damaged: char) -> [WithNeighbour; 2] {
    let at = |n: Option<usize>| n.and_then(|n| key.chars.get(n)).copied();
    [(damaged, at(n.checked_add(1)), None), (damaged, None, at(n.checked_sub(1)))]
}

/// The words between an opening and a closing mark around a place, two characters or more.
fn quotation(document: &Document, at: usize) -> Option<Span> {
    let segment = document.segments[document.segment_at(at)?].span;
    let text = document.source.text();
    let near = |(i, _): &(usize, char)| i.abs_diff(at) <= MAX_BYTES;
    let (before, after) = (&text[segment.start()..at], &text[at..segment.end()]);
    let before = before.char_indices().rev().map(|(i, c)| (segment.start() + i, c));
    let after = after.char_indices().map(|(i, c)| (at + i, c));
    let mark = |(_, c): &(usize, char)| opens(*c) || closes(*c);
    let (from, open) = before.take_while(near).find(mark)?;
    let (to, close) = after.take_while(near).find(mark)?;
    let words = Span::new(from + open.len_utf8(), to);
    (opens(open) && closes(close) && Key::of(text, words).len() >= 2).then_some(words)
}

/// The reading of a place whose words are repaired in one way wherever else they are.
fn reading(place: &DamagedPlace, elsewhere: &[&Reading]) -> Option<Reading> {
    let first = elsewhere.first()?;
    let certainty = elsewhere.iter().map(|r| r.certainty.get()).fold(1.0, f64::min) * TRUST;
    let intended = &RULES.get(&place.damaged)?.intended;
    let is_one = elsewhere.iter().all(|r| r.reading == first.reading)
        && intended.iter().any(|c| first.reading.starts_with(*c));
    is_one.then(|| Reading {
        span: Span::new(place.at, place.at + place.damaged.len_utf8()),
        reading: first.reading.clone(),
        kind: ReadingKind::Repair,
        // As exact as an edition writes it.
        certainty: Certainty::new(Certainty::new(certainty).rounded()),
        evidence: [Evidence::new(
            EvidenceKind::RepeatedContent,
            "the words are quoted, and are repaired where they are from",
        )]
        .into(),
    })
}
