//! The sentence of a source that has most of the characters of some words, in any order: glosses
//! and lists are cited that way (“夏，大”,《釋詁》文).

use super::aligned::{CitedSource, MAX_MARGIN, sources};
use super::windows::{MAX_VOTER_PLACES, Source, places_of};
use crate::corpus::index::CorpusText;
use crate::passes::links::references::certainty;
use crate::passes::links::references::found::found;
use crate::passes::links::references::prelude::*;
use crate::text::find::Hit;
use std::ops::Range;

/// Words of so many characters are looked for in one sentence.
const WORDS: Range<usize> = 2..11;
/// Longest source in which they are.
const MAX_SOURCE: usize = 30_000;
/// Most characters of a sentence before and after one of them.
const REACH: usize = 60;
/// What ends a sentence that may be cited.
const ENDS: [char; 5] = ['。', '；', '○', '！', '？'];
/// Characters that say nothing about a sentence.
const PARTICLES: &[char] = &['也', '矣', '者', '焉', '乎', '之', '云', '曰', '而', '以'];
/// How often a character of the words is in the sentence that is meant.
const KEPT: f32 = 0.9;
/// Nats that speak for a sentence where it has all the words, and where the text says that they are
/// from there; and how many are needed.
const WHOLE: f32 = 5.0;
const SAID: f32 = 5.0;
const NEEDED: f32 = 10.0;

/// A sentence that has many of some words.
struct Sentence<'s> {
    source: &'s Source,
    hit: Hit,
    score: f32,
    is_whole: bool,
}

/// The sentence of what is cited that is meant by some words, if one is clearly. `is_said` is
/// whether the text says that they are from there.
pub fn in_one_sentence(
    places: &Places<'_>,
    cited: CitedSource<'_>,
    words: &SoughtWords,
    is_said: bool,
) -> Option<FoundPlace> {
    let sources: Vec<Source> =
        sources(places, cited).into_iter().filter(|s| s.stream == cited.stream).collect();
    let length: usize = sources.iter().map(|s| s.range.len()).sum();
    if !WORDS.contains(&words.len()) || length == 0 || length > MAX_SOURCE {
        return None;
    }
    places.index.records_weighing(words.chars());
    let mut chars: Vec<char> = words.chars().to_vec();
    chars.retain(|c| !PARTICLES.contains(c));
    chars.dedup();
    let mut hits: Vec<Sentence<'_>> =
        sources.iter().flat_map(|s| sentences(places, s, words, &chars)).collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.hit.from.cmp(&b.hit.from)));
    let best = hits.first()?;
    let second = hits.get(1).map_or(f32::NEG_INFINITY, |h| h.score);
    let chance = (length as f32 / WORDS.end as f32).max(1.0).ln();
    let mut nats = best.score - chance + (best.score - second).min(MAX_MARGIN);
    nats += if best.is_whole { WHOLE } else { 0.0 } + if is_said { SAID } else { 0.0 };
    let place = || {
        let how = EvidenceKind::SharedWords;
        let found = found(places, best.source.entry, &[(cited.stream, best.hit)], words, how)?;
        Some(FoundPlace { status: Status::Paraphrase, certainty: *certainty::SENTENCE, ..found })
    };
    (nats >= NEEDED).then(place).flatten()
}

/// The sentences of a source that have one of the two rarest of some characters.
fn sentences<'s>(
    places: &Places<'_>,
    source: &'s Source,
    words: &SoughtWords,
    chars: &[char],
) -> Vec<Sentence<'s>> {
    let all = places.index.words();
    let mut rare = chars.to_vec();
    rare.sort_by(|a, b| all.rarity(*b).total_cmp(&all.rarity(*a)));
    rare.truncate(2);
    source.records(places, words.chars());
    rare.iter().for_each(|c| places.index.records_character(source.entry, *c));
    let text = &all.text[source.range.clone()];
    let places_of = |c: &char| places_of(*c, text, MAX_VOTER_PLACES);
    let mut starts: Vec<usize> = rare.iter().flat_map(places_of).collect();
    starts.sort_unstable();
    let (mut found, mut done) = (Vec::new(), 0);
    for at in starts.into_iter().map(|at| at + source.range.start - source.stream_start) {
        if at < done {
            continue;
        }
        let around = at.saturating_sub(REACH)..at + REACH;
        places.index.records_reading(source.entry, source.stream, around);
        let Some(sentence) = sentence_around(places, source, at) else { continue };
        done = sentence.end;
        let from = source.stream_start + sentence.start;
        let there = &all.text[from..from + sentence.len()];
        found.extend(scored(all, there, chars, source, sentence.start));
    }
    found
}

/// The sentence of a stream around a character, if it ends before long: not in text without marks.
fn sentence_around(places: &Places<'_>, source: &Source, at: usize) -> Option<Range<usize>> {
    let e = &places.index.entries[source.entry];
    let key = e.view.stream(source.stream);
    let text = e.document.source.text();
    // All that is between two characters of the stream is looked at in one piece: finding the place
    // of each takes time.
    let first = at.saturating_sub(REACH);
    let before = first.checked_sub(1).map_or(0, |i| key.end(i))..key.at(at);
    let from = match text[before.clone()].rfind(ENDS) {
        Some(mark) => key.index_at(before.start + mark),
        None => Some(0).filter(|_| first == 0)?,
    };
    let last = key.len().min(at + REACH);
    let after = key.end(at)..key.get(last).unwrap_or(text.len());
    let to = match text[after.clone()].find(ENDS) {
        Some(mark) => key.index_at(after.start + mark),
        None => Some(last).filter(|_| last == key.len())?,
    };
    Some(from..to)
}

/// How much more the characters of a sentence agree with some words than chance explains.
fn scored<'s>(
    all: &CorpusText,
    there: &[char],
    chars: &[char],
    source: &'s Source,
    start: usize,
) -> Option<Sentence<'s>> {
    let (mut score, mut at) = (-source.cost, Vec::new());
    for c in chars {
        let by_chance = 1.0 - (1.0 - (-all.rarity(*c)).exp()).powi(there.len() as i32);
        let by_chance = by_chance.clamp(0.001, 0.95);
        let place = there.iter().position(|x| x == c);
        score += match place {
            Some(_) => KEPT / by_chance,
            None => (1.0 - KEPT) / (1.0 - by_chance),
        }
        .ln();
        at.extend(place);
    }
    let (from, to) = (*at.iter().min()?, *at.iter().max()? + 1);
    let hit = Hit { from: start + from, to: start + to, diff: 0 };
    Some(Sentence { source, hit, score, is_whole: at.len() == chars.len() })
}
