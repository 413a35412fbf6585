//! The place of a citation by learned weights, where no rule is sure of one.
//!
//! The words around a title have been aligned with what it names. Here short ones are looked for as
//! characters of one sentence, since glosses and lists are cited that way (“夏，大”,《釋詁》文), and where
//! the text says nothing after the title, so is the passage that is explained, and aligned. Weights
//! decide whether the best of these places is given ([`learned`](super::learned)).

use std::ops::Range;

use super::learned::{self, Features, GUESSES};
use super::locate::{CitedSource, Located, Source, places_of};
use super::place::PlaceFinder;
use super::sought::{FoundPlace, SoughtWords};
use crate::corpus::view::Stream;
use crate::model::{EvidenceKind, Status};
use crate::source::Span;
use crate::text::find::Hit;

/// Nats above chance that a place must have to be weighed.
const MIN_NATS: f32 = -3.0;
/// Words of so many characters are looked for in one sentence.
const SENTENCE_WORDS: Range<usize> = 2..11;
/// Longest source in which they are.
const MAX_SENTENCE_SOURCE_CHARS: usize = 30_000;
/// Most characters of a sentence before and after one of them.
const SENTENCE_REACH_CHARS: usize = 60;
/// What ends a sentence that may be cited.
const SENTENCE_ENDS: [char; 5] = ['。', '；', '○', '！', '？'];
/// Most places of a character that are looked at.
const MAX_CHARACTER_PLACES: usize = 160;
/// Most characters of the passage, its last, that are compared.
const PASSAGE_CHARS: usize = 40;
/// Texts of the passage that is explained: the citation does not quote them.
const OF_PASSAGE: [&str; 2] = ["passage", "note"];
/// Characters that say nothing about a sentence.
const PARTICLES: &[char] = &['也', '矣', '者', '焉', '乎', '之', '云', '曰', '而', '以'];
/// How often a character of the words is in the sentence that is meant.
const KEPT: f32 = 0.9;
/// From this probability on a place is given.
const MIN_PROBABILITY: f64 = 0.7;

/// A text that may be cited, and what it is.
pub type Offered = (&'static str, Span);

/// A place that may be meant.
struct Guess {
    text: &'static str,
    words: Span,
    found: FoundPlace,
    /// Whether it was found by alignment, or else as a sentence.
    is_aligned: bool,
    features: Features,
    probability: f64,
}

/// A sentence that has many of some words.
struct SentenceHit {
    entry: usize,
    stream: Stream,
    hit: Hit,
    score: f32,
    margin: f32,
    kept: usize,
    chars: usize,
    ordered: bool,
}

impl PlaceFinder<'_> {
    /// The place of what a title names that is most probably meant, with the words of the citation that it
    /// has. Citations that are `known` are only weighed.
    pub fn guessed(
        &self,
        source: CitedSource<'_>,
        offered: &[Offered],
        about: &Features,
        span: Span,
        known: bool,
    ) -> Option<(FoundPlace, Option<Span>)> {
        let mut guesses = Vec::new();
        for (text, span) in offered {
            let words = SoughtWords::of(self.document, *span);
            // The rules have aligned what is around the title.
            if OF_PASSAGE.contains(text) || learned::is_noting() {
                self.guess_aligned(source, text, &words, about, &mut guesses);
            }
            if SENTENCE_WORDS.contains(&words.len()) {
                self.guess_sentence(source, text, &words, about, &mut guesses);
            }
        }
        for guess in &guesses {
            self.note("guess", span, known, (&guess.found, guess.text, &guess.features));
        }
        // What is only weighed for the fit gives no place.
        guesses.retain(|g| OF_PASSAGE.contains(&g.text) || !g.is_aligned);
        let best = guesses.into_iter().max_by(|a, b| a.probability.total_cmp(&b.probability))?;
        let words = Some(best.words).filter(|_| !OF_PASSAGE.contains(&best.text));
        (!known && best.probability >= MIN_PROBABILITY).then_some((best.found, words))
    }

    /// Writes a place for the fit of the weights: the citation, whether the rules place it, and where.
    fn note(
        &self,
        model: &str,
        span: Span,
        known: bool,
        (found, text, features): (&FoundPlace, &str, &Features),
    ) {
        let target = &found.target;
        let copy = target.doc.as_ref().and_then(|id| self.index.get(id));
        let there = copy.map_or(&self.document.source, |e| &e.document.source);
        let here = &self.document.source;
        let what = || {
            let figures = [
                here.file_char_of(span.start()).to_string(),
                here.file_char_of(span.end()).to_string(),
                u8::from(known).to_string(),
                there.name().to_string(),
                there.file_char_of(target.span.start()).to_string(),
                there.file_char_of(target.span.end()).to_string(),
                text.to_string(),
            ];
            format!("{model}\t{}", figures.join("\t"))
        };
        learned::note(what, features);
    }

    /// The passage that is explained and its notes, as texts that may be cited.
    pub fn offered_passage(&self, at: usize) -> Vec<Offered> {
        let Some(passage) = self.view.passage_at(at) else { return Vec::new() };
        let bytes = passage.text.start()..passage.text.end();
        let mut offered = Vec::new();
        for (name, stream) in [(OF_PASSAGE[0], Stream::Base), (OF_PASSAGE[1], Stream::Notes)] {
            let key = self.view.stream(stream);
            let range = self.view.range(stream, bytes.clone());
            let from = range.end.saturating_sub(PASSAGE_CHARS).max(range.start);
            offered.extend((from < range.end).then(|| (name, key.span(from, range.end))));
        }
        offered
    }

    fn guess_aligned(
        &self,
        source: CitedSource<'_>,
        text: &'static str,
        words: &SoughtWords,
        about: &Features,
        guesses: &mut Vec<Guess>,
    ) {
        let Some(located) = self.located(source, &words.key.chars, MIN_NATS) else { return };
        // A note that is not at hand often has words of its classic.
        if source.stream == Stream::Notes && located.stream == Stream::Base {
            return;
        }
        let mut f = about.clone();
        describe_located(&mut f, &located, words, source, text);
        let whole = words.whole_clauses(&located.words);
        let quoted = words.key.span(whole.start, whole.end);
        let Some((found, _)) = self.place_of(located, words) else { return };
        guesses.push(Guess { is_aligned: true, ..Guess::of(text, quoted, found, f) });
    }

    fn guess_sentence(
        &self,
        source: CitedSource<'_>,
        text: &'static str,
        words: &SoughtWords,
        about: &Features,
        guesses: &mut Vec<Guess>,
    ) {
        let Some(s) = self.in_one_sentence(source, words) else { return };
        let mut f = about.clone();
        let n = words.len() as f32;
        f.flag("sentence", true);
        f.flag(format!("sentence-{text}"), true);
        f.add("sentence-score", s.score.clamp(-5.0, 15.0) / 5.0);
        f.add("sentence-margin", s.margin.min(8.0) / 4.0);
        f.flag("sentence-alone", s.margin >= 1.0);
        f.add("sentence-kept", s.kept as f32 / n);
        f.flag("sentence-all", s.kept == s.chars);
        f.flag("sentence-ordered", s.ordered);
        f.add("sentence-length", (s.hit.to - s.hit.from) as f32 / n / 4.0);
        let e = &self.index.entries[s.entry];
        let how = EvidenceKind::SharedWords;
        let hits = [(s.stream, s.hit)];
        let Some(mut found) = self.found(Some(e), &e.document, &e.view, &hits, words, how) else {
            return;
        };
        found.status = Status::Paraphrase;
        if s.entry == self.entry {
            found.target.doc = None;
        }
        guesses.push(Guess::of(text, words.key.span(0, words.len()), found, f));
    }

    /// The sentence of a source that has most of the characters of some words.
    fn in_one_sentence(&self, cited: CitedSource<'_>, words: &SoughtWords) -> Option<SentenceHit> {
        let all = self.index.words();
        let sources: Vec<Source> =
            self.sources(cited).into_iter().filter(|s| s.stream == cited.stream).collect();
        let length: usize = sources.iter().map(|s| s.range.len()).sum();
        if length == 0 || length > MAX_SENTENCE_SOURCE_CHARS {
            return None;
        }
        self.index.records_weighing(&words.key.chars);
        let mut chars: Vec<char> =
            words.key.chars.iter().copied().filter(|c| !PARTICLES.contains(c)).collect();
        chars.dedup();
        let mut rare = chars.clone();
        rare.sort_by(|a, b| all.rarity(*b).total_cmp(&all.rarity(*a)));
        rare.truncate(2);
        let mut hits: Vec<SentenceHit> = Vec::new();
        for source in &sources {
            self.records_source(source, &words.key.chars);
            for c in &rare {
                self.index.records_character(source.entry, *c);
            }
            let text = &all.text[source.range.clone()];
            let places_of = |c: &char| places_of(*c, text, MAX_CHARACTER_PLACES);
            let mut places: Vec<usize> = rare.iter().flat_map(places_of).collect();
            places.sort_unstable();
            let mut done = 0;
            for at in places {
                let at = at + source.range.start - source.stream_start;
                if at < done {
                    continue;
                }
                let around = at.saturating_sub(SENTENCE_REACH_CHARS)..at + SENTENCE_REACH_CHARS;
                self.index.records_reading(source.entry, source.stream, around);
                let Some(sentence) = self.sentence_around(source, at) else { continue };
                done = sentence.end;
                let from = source.stream_start + sentence.start;
                let there = &all.text[from..from + sentence.len()];
                hits.extend(score(all, there, &chars, source, sentence.start));
            }
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.hit.from.cmp(&b.hit.from)));
        let second = hits.get(1).map_or(f32::NEG_INFINITY, |h| h.score);
        let mut best = hits.into_iter().next()?;
        best.margin = (best.score - second).min(8.0);
        best.score -= (length as f32 / 12.0).max(1.0).ln();
        Some(best)
    }

    /// The sentence of a stream around a character, if it ends before long: not in text without marks.
    fn sentence_around(&self, source: &Source, at: usize) -> Option<Range<usize>> {
        let e = &self.index.entries[source.entry];
        let key = e.view.stream(source.stream);
        let text = e.document.source.text();
        // All that is between two characters of the stream is looked at in one piece: finding the place of each takes time.
        let first = at.saturating_sub(SENTENCE_REACH_CHARS);
        let before = first.checked_sub(1).map_or(0, |i| key.end(i))..key.at(at);
        let from = match text[before.clone()].rfind(SENTENCE_ENDS) {
            Some(mark) => key.index_at(before.start + mark),
            None => Some(0).filter(|_| first == 0)?,
        };
        let last = key.len().min(at + SENTENCE_REACH_CHARS);
        let after = key.end(at)..key.get(last).unwrap_or(text.len());
        let to = match text[after.clone()].find(SENTENCE_ENDS) {
            Some(mark) => key.index_at(after.start + mark),
            None => Some(last).filter(|_| last == key.len())?,
        };
        Some(from..to)
    }
}

impl Guess {
    fn of(text: &'static str, words: Span, mut found: FoundPlace, features: Features) -> Self {
        let probability = GUESSES.probability(&features);
        found.certainty = probability;
        Guess { text, words, found, is_aligned: false, features, probability }
    }
}

fn score(
    all: &crate::corpus::index::CorpusText,
    there: &[char],
    chars: &[char],
    source: &Source,
    start: usize,
) -> Option<SentenceHit> {
    let (mut sum, mut places) = (0.0, Vec::new());
    for c in chars {
        let by_chance = 1.0 - (1.0 - (-all.rarity(*c)).exp()).powi(there.len() as i32);
        let by_chance = by_chance.clamp(0.001, 0.95);
        match there.iter().position(|x| x == c) {
            Some(at) => {
                places.push(at);
                sum += (KEPT / by_chance).ln();
            }
            None => sum += ((1.0 - KEPT) / (1.0 - by_chance)).ln(),
        }
    }
    let (from, to) = (*places.iter().min()?, *places.iter().max()? + 1);
    Some(SentenceHit {
        entry: source.entry,
        stream: source.stream,
        hit: Hit { from: start + from, to: start + to, diff: 0 },
        score: sum - source.cost,
        margin: 0.0,
        kept: places.len(),
        chars: chars.len(),
        ordered: places.is_sorted(),
    })
}

fn describe_located(
    f: &mut Features,
    l: &Located,
    words: &SoughtWords,
    source: CitedSource<'_>,
    text: &'static str,
) {
    let n = words.len() as f32;
    f.flag("aligned", true);
    f.flag(format!("aligned-{text}"), true);
    let above = l.above_chance.clamp(-5.0, 20.0);
    f.add("above", above / 5.0);
    f.add(format!("above-{text}"), above / 5.0);
    f.add("margin", l.margin / 4.0);
    f.add(format!("margin-{text}"), l.margin / 4.0);
    f.add("lower", above.min(2.0 * l.margin) / 5.0);
    f.add("equal", l.equal as f32 / n);
    f.add("dense", l.equal as f32 / l.text.len().max(l.words.len()) as f32);
    f.flag("unbroken", l.equal == l.words.len() && l.equal == l.text.len());
    f.flag("all", l.equal == words.len());
    f.flag("from-first", l.words.start == 0);
    f.flag("to-last", l.words.end == words.len());
    f.flag("equal2", l.equal == 2);
    f.flag("equal3", l.equal == 3);
    f.flag("equal1", l.equal < 2);
    f.flag("other-layer", l.stream != source.stream);
    f.flag("notes", source.stream == Stream::Notes);
    f.flag("chapter", source.named.chapter.is_some());
    f.flag("year", source.year.is_some());
}
