//! Finds the place of a cited work that a text repeats, in the same words or in others.
//!
//! Pairs of characters that the words share with the work vote for windows of it, the best windows
//! are aligned with the words ([`alike`](super::alike)), and a place is given if its score is more
//! than chance explains in a text of that length and better than that of any other place.

use std::ops::Range;

use super::alike::{self, Agreement, Aligner};
use super::place::PlaceFinder;
use super::years;
use crate::corpus::Stream;
use crate::corpus::view::stream_of;
use crate::corpus::works::Named;
use crate::text::grams;

/// Pairs with more places than this do not vote.
const MAX_PAIR_PLACES: usize = 160;
/// Most windows that are aligned.
const MAX_WINDOWS: usize = 6;
/// Characters of the text around the words that a window has.
const MARGIN_CHARS: usize = 16;
/// In sources of at most this many characters single rare characters vote too.
const MAX_SCANNED_CHARS: usize = 24_000;
/// In longer words they do not.
const MAX_SCANNED_WORDS: usize = 12;
/// What a note counts less than the classic, in nats, where the classic is cited.
const NOTE_COST: f32 = 2.5;
/// What the classic counts less where a note is cited.
const CLASSIC_COST: f32 = 8.0;
/// What another version of the cited text counts less.
const VERSION_COST: f32 = 2.0;
/// So many characters before and after a citation are not what it cites.
const CITING_CHARS: usize = 80;
/// Shorter sources count as this long: a chance that is met once in many citations.
const MIN_LENGTH_CHARS: usize = 2000;

/// What is cited.
#[derive(Clone, Copy, Debug)]
pub struct CitedSource<'a> {
    /// The work or chapter.
    pub named: &'a Named,
    /// Its classic or its notes.
    pub stream: Stream,
    /// Position of the citation: of several places, the one with the most similar context is
    /// taken.
    pub near: usize,
    /// The year of a chapter of annals.
    pub year: Option<u32>,
}

/// A place, with how much better it is than chance and than the next.
#[derive(Clone, Debug)]
pub struct Located {
    /// Number of the entry.
    pub entry: usize,
    /// Stream of it.
    pub stream: Stream,
    /// Characters of the stream.
    pub text: Range<usize>,
    /// Characters of the words that agree, from the first to the last.
    pub words: Range<usize>,
    /// How many of them agree.
    pub equal: usize,
    /// Nats above what chance explains.
    pub above_chance: f32,
    /// Nats above the next place, at most [`MAX_MARGIN`].
    pub margin: f32,
}

/// A part of the text of all that may hold the words.
pub struct Source {
    /// Number of the entry.
    pub entry: usize,
    /// Its stream.
    pub stream: Stream,
    /// Where the stream begins.
    pub stream_start: usize,
    /// The characters of the text of all.
    pub range: Range<usize>,
    /// Which of the works that have the text of the cited one.
    version: usize,
    /// What it counts less, in nats.
    pub cost: f32,
}

impl PlaceFinder<'_> {
    /// The place of a cited work or chapter that `words` repeat, exactly or in other words, if it is
    /// at least `least` nats above chance.
    pub fn located(&self, cited: CitedSource<'_>, words: &[char], least: f32) -> Option<Located> {
        self.located_in(&self.sources(cited), words, least)
    }

    /// The texts of what is cited.
    pub fn sources(&self, cited: CitedSource<'_>) -> Vec<Source> {
        let CitedSource { named, stream, year, .. } = cited;
        let all = self.index.words();
        let own = (self.home.as_ref() == Some(named)).then_some(self.entry);
        let entries = self.index.of_chapter(named, &self.document.id).map(|e| e.number).chain(own);
        let mut sources = Vec::new();
        for entry in entries {
            let version = self.version(named, entry);
            for s in [Stream::Base, Stream::Notes] {
                let part = &all.stream(entry, s).range;
                let year = years::range(&self.index.entries[entry], s, year);
                let range = (part.start + year.start).min(part.end)
                    ..part.start.saturating_add(year.end).min(part.end);
                let other = if version == 0 { 0.0 } else { VERSION_COST };
                let cost = other
                    + match (s == stream, stream) {
                        (true, _) => 0.0,
                        (false, Stream::Notes) => CLASSIC_COST,
                        (false, _) => NOTE_COST,
                    };
                let stream_start = part.start;
                let citing = (entry == self.entry).then(|| self.citing_words(s, cited.near));
                for range in without(range, citing.flatten().map(|c| shifted(c, stream_start))) {
                    sources.push(Source { entry, stream: s, stream_start, range, version, cost });
                }
            }
        }
        sources
    }

    /// The characters around a citation at byte `near`, if it is in this stream of the document: a text does not cite the
    /// words that name it.
    fn citing_words(&self, stream: Stream, near: usize) -> Option<Range<usize>> {
        let segment = self.document.segment_at(near)?;
        let is_here = stream_of(self.document.segments[segment].layer) == Some(stream);
        let at = self.view.stream(stream).index_at(near);
        is_here.then(|| at.saturating_sub(CITING_CHARS)..at + CITING_CHARS)
    }

    /// Which of the works that have the text of the cited one an entry is: 0 if it is the cited work,
    /// or, of the three traditions of the 春秋, the one that is explained, else the first.
    fn version(&self, cited: &Named, entry: usize) -> usize {
        let work = self.index.entries[entry].named.as_ref().map_or("", |n| n.work.as_str());
        let within = self.index.works.work(&cited.work).map_or(&[][..], |w| &w.within);
        match within.iter().position(|w| w == work) {
            Some(_) if self.work() == Some(work) => 0,
            Some(n) => n + usize::from(within.iter().any(|w| self.work() == Some(w))),
            None => 0,
        }
    }

    /// Records that words are looked up in a source, and that its length matters.
    pub fn records_source(&self, source: &Source, words: &[char]) {
        let from = source.range.start - source.stream_start;
        let range = from..from + source.range.len();
        self.index.records_search(source.entry, source.stream, &range, words);
        self.index.records_reading(source.entry, source.stream, range.end..range.end);
    }

    /// Records that a window of a source is aligned.
    fn records_window(&self, source: &Source, window: &Range<usize>) {
        let from = window.start - source.stream_start;
        let read = from..from + window.len();
        self.index.records_reading(source.entry, source.stream, read);
    }

    fn located_in(&self, sources: &[Source], words: &[char], least: f32) -> Option<Located> {
        let words = &words[..words.len().min(Aligner::MAX_WORDS)];
        let all = self.index.words();
        let length: usize = sources.iter().map(|s| s.range.len()).sum();
        if words.len() < 2 || length == 0 {
            return None;
        }
        self.index.records_weighing(words);
        let weights: Vec<f32> = words.iter().map(|c| alike::weight(all.rarity(*c))).collect();
        let windows = self.windows(sources, words, &weights, length);
        for w in &windows {
            self.records_window(&sources[w.source], &w.range);
        }
        let chance = (length.max(MIN_LENGTH_CHARS.min(all.text.len())) as f32).ln();
        let mut aligner = Aligner::of(words, &weights);
        let (window, best, second) = best_two(&mut aligner, &all.text, &windows, chance + least)?;
        let source = &sources[window.source];
        Some(Located {
            entry: source.entry,
            stream: source.stream,
            text: best.text.start - source.stream_start..best.text.end - source.stream_start,
            words: best.words.clone(),
            equal: best.equal,
            above_chance: best.score - chance,
            margin: (best.score - second).min(MAX_MARGIN),
        })
    }

    /// The windows of the sources that have the most votes of the words, best first.
    fn windows(
        &self,
        sources: &[Source],
        words: &[char],
        weights: &[f32],
        length: usize,
    ) -> Vec<Window> {
        let all = self.index.words();
        let pairs: Vec<&[u32]> = words.windows(2).map(|p| all.grams().places(p)).collect();
        let lone = (length <= MAX_SCANNED_CHARS && words.len() <= MAX_SCANNED_WORDS)
            .then(|| rarest(weights))
            .flatten();
        let ballot = Ballot::of(weights);
        let (mut windows, mut votes) = (Vec::with_capacity(MAX_WINDOWS + 1), Vec::new());
        for (n, source) in sources.iter().enumerate() {
            self.records_source(source, words);
            votes.clear();
            ballot.pairs(source, &pairs, all.text.len(), &mut votes);
            if let Some(i) = lone {
                self.index.records_character(source.entry, words[i]);
                ballot.character(i, &all.text, source, words, &mut votes);
            }
            votes.sort_unstable();
            for (range, votes) in ballot.windows(&votes, words.len()) {
                let range = range.start.max(source.range.start)..range.end.min(source.range.end);
                elect(Window::of(source, n, range, votes), &mut windows);
            }
        }
        windows
    }
}

fn shifted(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// What of a range is before and after a part.
fn without(range: Range<usize>, part: Option<Range<usize>>) -> impl Iterator<Item = Range<usize>> {
    let Range { start, end } = range;
    let part = part.unwrap_or(end..end);
    let pieces = [start..end.min(part.start), start.max(part.end)..end];
    pieces.into_iter().filter(|r| !r.is_empty())
}

/// A part of a source that has votes.
struct Window {
    /// What the votes count, less the cost.
    votes: f32,
    range: Range<usize>,
    /// Number of the source.
    source: usize,
    /// Of the source.
    version: usize,
    /// Of the source.
    cost: f32,
}

impl Window {
    fn of(source: &Source, number: usize, range: Range<usize>, votes: f32) -> Self {
        let Source { version, cost, .. } = *source;
        Window { votes: votes - cost, range, source: number, version, cost }
    }

    /// More votes first; of equal ones, the first in the text.
    fn order(&self, other: &Window) -> std::cmp::Ordering {
        other
            .votes
            .total_cmp(&self.votes)
            .then(self.range.start.cmp(&other.range.start))
            .then(self.source.cmp(&other.source))
    }
}

/// Puts a window among the best, which are in order.
fn elect(window: Window, best: &mut Vec<Window>) {
    if best.len() == MAX_WINDOWS && best.last().is_some_and(|last| last.votes > window.votes) {
        return;
    }
    let at = best.partition_point(|w| w.order(&window).is_le());
    best.insert(at, window);
    best.truncate(MAX_WINDOWS);
}

/// The window whose alignment scores most, at least `least`, and the score of the next place, or 0.
fn best_two<'w>(
    aligner: &mut Aligner<'_>,
    text: &[char],
    windows: &'w [Window],
    least: f32,
) -> Option<(&'w Window, Agreement, f32)> {
    let mut found = BestPlaces::default();
    // Without a window that scores enough, these do not matter either.
    let mut later: Vec<&Window> = Vec::new();
    for w in windows {
        let most = aligner.read(text, w.range.clone()) - w.cost;
        match found.highest() >= least {
            false if most < least => later.push(w),
            true if most < found.of_use() => {}
            _ => found.add(w, aligner.best()),
        }
    }
    if found.highest() < least {
        return None;
    }
    for w in later {
        if aligner.read(text, w.range.clone()) - w.cost >= found.of_use() {
            found.add(w, aligner.best());
        }
    }
    let second = found.second();
    found.places.into_iter().next().map(|(window, best)| (window, best, second))
}

/// Agreements at different places, best first; of equal ones, the first in the text.
#[derive(Default)]
struct BestPlaces<'w> {
    places: Vec<(&'w Window, Agreement)>,
}

impl<'w> BestPlaces<'w> {
    fn highest(&self) -> f32 {
        self.places.first().map_or(f32::NEG_INFINITY, |f| f.1.score)
    }

    /// What a place must score to be the best or the second, and to change the margin.
    fn of_use(&self) -> f32 {
        self.second().max(self.highest() - MAX_MARGIN)
    }

    /// The score of the second place, 0 if there is none. The same passage in another version of
    /// what is cited is no reason to doubt the first.
    fn second(&self) -> f32 {
        let Some(((window, _), others)) = self.places.split_first() else { return 0.0 };
        let second = others.iter().find(|f| f.0.version == window.version);
        second.map_or(0.0, |f| f.1.score)
    }

    fn add(&mut self, window: &'w Window, agreement: Option<Agreement>) {
        let Some(mut new) = agreement else { return };
        new.score -= window.cost;
        let again = |f: &(&Window, Agreement)| {
            f.1.text.start < new.text.end && new.text.start < f.1.text.end
        };
        if let Some(at) = self.places.iter().position(again) {
            if self.places[at].1.score >= new.score {
                return;
            }
            self.places.remove(at);
        }
        let before = |f: &(&Window, Agreement)| {
            f.1.score.total_cmp(&new.score).then(new.text.start.cmp(&f.1.text.start)).is_ge()
        };
        let at = self.places.partition_point(before);
        self.places.insert(at, (window, new));
    }
}

/// Nats above chance from which a place is given, and by which it must be better than the next.
const MIN_ABOVE_CHANCE: f32 = 4.0;
const MIN_MARGIN: f32 = 2.0;
/// The least sum of both.
const MIN_SUM: f32 = 9.0;
/// Nats above chance that make a name of a chapter a citation.
pub const MIN_STRIKING: f32 = 5.0;
/// What words need that the text says are from there.
const MIN_OF_SOURCE: (f32, f32) = (1.0, 0.4);
/// What a quotation in marks needs, of which the text names the source: of such quotations in the
/// lists, both of 2.9 nats are from there, and all four below .6 are of texts that are not at hand.
const MIN_OF_QUOTATION: (f32, f32) = (2.0, 3.0);
/// What the first words after a title need if they are there without a gap, wherever else they are:
/// in the lists, all five with four and more characters are from there.
const MIN_OF_FIRST_WORDS: f32 = 5.0;
const MIN_FIRST_WORDS: usize = 4;
/// So many are no formula: where a text has them twice, it tells the same twice.
const MIN_UNBROKEN: usize = 8;
/// Words that agree to the last character need less.
const MIN_OF_ALL: (f32, f32) = (-1.0, 3.0);
/// No place with fewer nats above chance is clear or likely.
pub const MIN_OF_ANY: f32 = MIN_OF_ALL.0;
/// The most nats of a margin that count.
const MAX_MARGIN: f32 = 8.0;
/// Particles that need not agree.
const PARTICLES: &[char] = &['也', '矣', '者', '焉', '乎', '之'];

impl Located {
    /// True if the place is worth giving for these words.
    pub fn is_clear(&self, words: &[char]) -> bool {
        let content = words.iter().filter(|c| !PARTICLES.contains(c)).count();
        let all = self.equal >= content.max(2) && words.len() < 12;
        self.above_chance >= MIN_ABOVE_CHANCE
            && self.margin >= MIN_MARGIN
            && self.above_chance + self.margin >= MIN_SUM
            || all && self.above_chance >= MIN_OF_ALL.0 && self.margin >= MIN_OF_ALL.1
    }

    /// True if it is worth giving where the text says that the words are from there.
    pub fn is_likely(&self) -> bool {
        self.above_chance >= MIN_OF_SOURCE.0 && self.margin >= MIN_OF_SOURCE.1
    }

    /// True if it is worth giving for a quotation in marks of this source.
    pub fn is_quoted(&self) -> bool {
        self.above_chance >= MIN_OF_QUOTATION.0 && self.margin >= MIN_OF_QUOTATION.1
    }

    /// True if it has the first words after a title without a gap, or many of them.
    pub fn has_first_words(&self) -> bool {
        let unbroken = self.equal == self.words.len() && self.equal == self.text.len();
        let enough = match self.words.start {
            0 | 1 => MIN_FIRST_WORDS,
            _ => MIN_UNBROKEN,
        };
        unbroken
            && self.stream == Stream::Base
            && self.equal >= enough
            && self.above_chance >= MIN_OF_FIRST_WORDS
    }

    /// True if it is clear without a word that introduces a citation.
    pub fn is_striking(&self) -> bool {
        self.above_chance >= MIN_STRIKING
    }

    /// How sure it is.
    pub fn certainty(&self) -> f64 {
        let x = 0.18 * self.above_chance + 0.25 * self.margin - 0.8;
        (1.0 / (1.0 + f64::from(-x).exp())).min(0.97)
    }
}

/// Where the words would begin if a pair of them, or one character, is meant at a place, with which
/// it is in the lowest bits: one number, since sorting them is a large part of the work.
type Vote = u64;

/// Bits for which pair or character a vote is of: pairs first, then characters.
const VOTER_BITS: u32 = 7;
/// Number of the first character among the voters.
const FIRST_CHARACTER: usize = Aligner::MAX_WORDS;
/// Added to the beginning of the words, which may be before that of the text.
const BEFORE_TEXT: u64 = Aligner::MAX_WORDS as u64;

/// What each vote counts.
struct Ballot<'a> {
    /// The weights of the words.
    weights: &'a [f32],
}

impl<'a> Ballot<'a> {
    fn of(weights: &'a [f32]) -> Self {
        Ballot { weights }
    }

    fn vote(place: usize, word: usize, voter: usize) -> Vote {
        (place as u64 + BEFORE_TEXT - word as u64) << VOTER_BITS | voter as u64
    }

    /// What a voter counts.
    fn weight(&self, voter: usize) -> f32 {
        match voter.checked_sub(FIRST_CHARACTER) {
            Some(word) => self.weights[word],
            None => self.weights[voter] + self.weights[voter + 1],
        }
    }

    /// The votes of the pairs of the words, whose places in the text of all are given.
    fn pairs(&self, source: &Source, pairs: &[&[u32]], chars: usize, votes: &mut Vec<Vote>) {
        let Range { start, end } = source.range;
        for (i, here) in grams::all_within(pairs, start..end.saturating_sub(1), chars).enumerate() {
            if here.len() <= MAX_PAIR_PLACES {
                votes.extend(here.iter().map(|p| Self::vote(*p as usize, i, i)));
            }
        }
    }

    /// The votes of character `i` of the words alone.
    fn character(
        &self,
        i: usize,
        text: &[char],
        source: &Source,
        words: &[char],
        votes: &mut Vec<Vote>,
    ) {
        let start = source.range.start;
        let places = places_of(words[i], &text[source.range.clone()], MAX_PAIR_PLACES);
        votes.extend(places.into_iter().map(|p| Self::vote(start + p, i, i + FIRST_CHARACTER)));
    }

    /// Windows of the text with the sum of the different votes in them; the votes are in order.
    fn windows(&self, votes: &[Vote], words: usize) -> impl Iterator<Item = (Range<usize>, f32)> {
        let reach = (words / 2 + 12) as u64;
        let mut left = votes;
        std::iter::from_fn(move || {
            let first = left.first()? >> VOTER_BITS;
            let (mut seen, mut sum, mut n, mut last) = (0u128, 0.0, 0, first);
            for vote in left {
                let (start, voter) = (vote >> VOTER_BITS, vote & ((1 << VOTER_BITS) - 1));
                if start - first > reach {
                    break;
                }
                if seen & 1 << voter == 0 {
                    sum += self.weight(voter as usize);
                    seen |= 1 << voter;
                }
                last = start;
                n += 1;
            }
            left = &left[n..];
            let at = |start: u64| start.saturating_sub(BEFORE_TEXT) as usize;
            let from = at(first.saturating_sub(MARGIN_CHARS as u64));
            Some((from..at(last + words as u64) + MARGIN_CHARS, sum))
        })
    }
}

/// The rarest of some words.
fn rarest(weights: &[f32]) -> Option<usize> {
    (0..weights.len()).max_by(|a, b| weights[*a].total_cmp(&weights[*b]))
}

/// The first places where a text has a character.
pub fn places_of(c: char, text: &[char], limit: usize) -> Vec<usize> {
    // Stretches without it are passed over by comparing all their characters at once.
    const STRETCH: usize = 32;
    let mut places = Vec::new();
    for (n, stretch) in text.chunks(STRETCH).enumerate() {
        if places.len() < limit && stretch.iter().fold(false, |any, x| any | (*x == c)) {
            places.extend((n * STRETCH..).zip(stretch).filter(|(_, x)| **x == c).map(|p| p.0));
        }
    }
    places.truncate(limit);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_above_chance_and_better_than_the_next() {
        let place = |above_chance: f32, margin: f32| Located {
            entry: 0,
            stream: Stream::Base,
            text: 10..20,
            words: 5..15,
            equal: 6,
            above_chance,
            margin,
        };
        let words: Vec<char> = "甲乙丙丁戊己庚辛壬癸".chars().collect();
        let is = |above_chance: f32, margin: f32| {
            let l = place(above_chance, margin);
            [l.is_clear(&words), l.is_likely(), l.is_quoted(), l.is_striking()]
        };
        assert_eq!(is(9.0, MAX_MARGIN), [true; 4]);
        assert_eq!(is(9.0, 0.0), [false, false, false, true], "the next is as good");
        assert_eq!(is(0.0, MAX_MARGIN), [false; 4], "chance");
        assert_eq!(is(MIN_ABOVE_CHANCE, MIN_MARGIN), [false, true, false, false], "both are low");
        assert_eq!(is(MIN_ABOVE_CHANCE, MIN_SUM - MIN_ABOVE_CHANCE), [true, true, true, false]);
        // Where all words but particles agree, a good margin is enough.
        let all = Located { equal: 10, ..place(0.0, MAX_MARGIN) };
        assert!(all.is_clear(&words) && !all.is_clear(&[&words[..], &['子']].concat()));
        assert!(all.is_clear(&[&words[..], &['也']].concat()));
    }

    #[test]
    fn first_words_without_a_gap_count_the_more_of_them_the_later_they_begin() {
        let has = |first: usize, equal: usize, stream: Stream| {
            let (text, words) = (20..20 + equal, first..first + equal);
            let above_chance = MIN_OF_FIRST_WORDS;
            let place = Located { entry: 0, stream, text, words, equal, above_chance, margin: 0.0 };
            let weak = Located { above_chance: 0.0, ..place.clone() };
            let gap = Located { text: place.text.start..place.text.end + 1, ..place.clone() };
            assert!(!weak.has_first_words() && !gap.has_first_words());
            place.has_first_words()
        };
        assert!(has(0, MIN_FIRST_WORDS, Stream::Base) && has(1, MIN_FIRST_WORDS, Stream::Base));
        assert!(!has(0, MIN_FIRST_WORDS - 1, Stream::Base));
        assert!(!has(2, MIN_UNBROKEN - 1, Stream::Base) && has(2, MIN_UNBROKEN, Stream::Base));
        assert!(!has(0, MIN_FIRST_WORDS, Stream::Notes));
    }
}
