//! Finds the place of a cited work that a text repeats, in the same words or in others.
//!
//! The windows of the work that share most pairs of characters with the words are aligned with them
//! ([`alike`](crate::text::alike)), and a place is given if its score is more than chance explains
//! in a text of that length and better than that of any other place.

use super::windows::{Ballot, Source, Window, elect};
use crate::corpus::view::stream_of;
use crate::passes::links::references::found::found;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::annals;
use crate::text::alike::{self, Agreement, Aligner};
use crate::text::find::Hit;
use std::ops::Range;

/// In sources of at most this many characters the rarest character of at most so many words votes
/// too.
const MAX_SCANNED: [usize; 2] = [24_000, 12];
/// What a note counts less than the classic, in nats, where the classic is cited; the classic where
/// a note is; and another version of the cited text.
const COSTS: [f32; 3] = [2.5, 8.0, 2.0];
/// So many characters before and after a citation are not what it cites.
const CITING: usize = 80;
/// Shorter sources count as this long: a chance that is met once in many citations.
const MIN_LENGTH: usize = 2000;
/// The most nats of a margin that count.
pub const MAX_MARGIN: f32 = 8.0;

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

/// The texts of what is cited.
pub fn sources(places: &Places<'_>, cited: CitedSource<'_>) -> Vec<Source> {
    let CitedSource { named, stream, year, near } = cited;
    let own = (places.home.as_ref() == Some(named)).then_some(places.entry);
    let entries = places.index.of_chapter(named, &places.document.id).map(|e| e.number).chain(own);
    let mut sources = Vec::new();
    for (entry, s) in entries.flat_map(|e| [(e, Stream::Base), (e, Stream::Notes)]) {
        let version = version(places, named, entry);
        let part = &places.index.words().stream(entry, s).range;
        let year = annals::section(&places.index.entries[entry], s, year);
        let at = |n: usize| part.start.saturating_add(n).min(part.end);
        let other = match (s == stream, stream) {
            (true, _) => 0.0,
            (false, Stream::Notes) => COSTS[1],
            (false, _) => COSTS[0],
        };
        let cost = other + if version == 0 { 0.0 } else { COSTS[2] };
        let citing = (entry == places.entry).then(|| citing_words(places, s, near)).flatten();
        let citing = citing.map(|c| part.start + c.start..part.start + c.end);
        for range in without(at(year.start)..at(year.end), citing) {
            let stream_start = part.start;
            sources.push(Source { entry, stream: s, stream_start, range, version, cost });
        }
    }
    sources
}

/// The characters around a citation at byte `near`, if it is in this stream of the document: a text
/// does not cite the words that name it.
fn citing_words(places: &Places<'_>, stream: Stream, near: usize) -> Option<Range<usize>> {
    let segment = places.document.segment_at(near)?;
    let is_here = stream_of(places.document.segments[segment].layer) == Some(stream);
    let at = places.view.stream(stream).index_at(near);
    is_here.then(|| at.saturating_sub(CITING)..at + CITING)
}

/// What of a range is before and after a part.
fn without(range: Range<usize>, part: Option<Range<usize>>) -> impl Iterator<Item = Range<usize>> {
    let Range { start, end } = range;
    let part = part.unwrap_or(end..end);
    let pieces = [start..end.min(part.start), start.max(part.end)..end];
    pieces.into_iter().filter(|r| !r.is_empty())
}

/// Which of the works that have the text of the cited one an entry is: 0 if it is the cited work,
/// or, of the three traditions of the 春秋, the one that is explained, else the first.
fn version(places: &Places<'_>, cited: &Named, entry: usize) -> usize {
    let work = places.index.entries[entry].named.as_ref().map_or("", |n| n.work.as_str());
    let within = places.works().work(&cited.work).map_or(&[][..], |w| &w.within);
    match within.iter().position(|w| w == work) {
        Some(_) if places.work() == Some(work) => 0,
        Some(n) => n + usize::from(within.iter().any(|w| places.work() == Some(w))),
        None => 0,
    }
}

/// The place of a cited work or chapter that `words` repeat, exactly or in other words, if it is at
/// least `least` nats above chance.
pub fn located(
    places: &Places<'_>,
    cited: CitedSource<'_>,
    words: &[char],
    least: f32,
) -> Option<Located> {
    best_of(places, &sources(places, cited), words, least)
}

/// A likely place of this text before byte `at` (`back`) or after it that words repeat.
pub fn beyond(
    places: &Places<'_>,
    at: usize,
    words: &SoughtWords,
    back: bool,
) -> Option<FoundPlace> {
    let sources = [(Stream::Base, 0.0), (Stream::Notes, COSTS[0])].map(|(stream, cost)| {
        let whole = &places.index.words().stream(places.entry, stream).range;
        let at = whole.start + places.view.stream(stream).index_at(at);
        let range = if back { whole.start..at } else { at..whole.end };
        let (entry, stream_start) = (places.entry, whole.start);
        Source { entry, stream, stream_start, range, version: 0, cost }
    });
    let located = best_of(places, &sources, words.chars(), OF_ANY)?;
    located.is_likely().then(|| located.place(places, words)).flatten()
}

fn best_of(places: &Places<'_>, sources: &[Source], words: &[char], least: f32) -> Option<Located> {
    let words = &words[..words.len().min(Aligner::MAX_WORDS)];
    let all = places.index.words();
    let length: usize = sources.iter().map(|s| s.range.len()).sum();
    if words.len() < 2 || length == 0 {
        return None;
    }
    places.index.records_weighing(words);
    let weights: Vec<f32> = words.iter().map(|c| alike::weight(all.rarity(*c))).collect();
    let windows = windows(places, sources, words, &weights, length);
    for w in &windows {
        let Source { entry, stream, stream_start, .. } = sources[w.source];
        let read = w.range.start - stream_start..w.range.end - stream_start;
        places.index.records_reading(entry, stream, read);
    }
    let chance = (length.max(MIN_LENGTH.min(all.text.len())) as f32).ln();
    let mut aligner = Aligner::of(words, &weights);
    let (source, best, second) =
        best_two(&mut aligner, &all.text, (&windows, sources), chance + least)?;
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
    places: &Places<'_>,
    sources: &[Source],
    words: &[char],
    weights: &[f32],
    length: usize,
) -> Vec<Window> {
    let all = places.index.words();
    let is_scanned = length <= MAX_SCANNED[0] && words.len() <= MAX_SCANNED[1];
    let rarest = (0..words.len()).max_by(|a, b| weights[*a].total_cmp(&weights[*b]));
    let lone = rarest.filter(|_| is_scanned).map(|i| (i, words[i]));
    let pairs = words.windows(2).map(|p| all.grams().pair_places([p[0], p[1]])).collect();
    let ballot = Ballot { weights, pairs, lone };
    let mut best = Vec::new();
    for (n, source) in sources.iter().enumerate() {
        source.records(places, words);
        lone.into_iter().for_each(|(_, c)| places.index.records_character(source.entry, c));
        ballot.windows(&all.text, source, n).into_iter().for_each(|w| elect(w, &mut best));
    }
    best
}

/// The source with the window whose alignment scores most, at least `least`, and the score of the
/// next place, or 0.
fn best_two<'s>(
    aligner: &mut Aligner<'_>,
    text: &[char],
    (windows, sources): (&[Window], &'s [Source]),
    least: f32,
) -> Option<(&'s Source, Agreement, f32)> {
    let mut found: Vec<(&Source, Agreement)> = Vec::new();
    let mut highest = least;
    for w in windows {
        let source = &sources[w.source];
        // What is further below the best than the margin counts changes nothing.
        if aligner.read(text, w.range.clone()) - source.cost < highest - MAX_MARGIN {
            continue;
        }
        let Some(mut agreement) = aligner.best() else { continue };
        agreement.score -= source.cost;
        highest = highest.max(agreement.score);
        found.push((source, agreement));
    }
    // Of equal ones, the first in the text.
    let order = |a: &Agreement, b: &Agreement| {
        b.score.total_cmp(&a.score).then(a.text.start.cmp(&b.text.start))
    };
    found.sort_by(|a, b| order(&a.1, &b.1));
    let mut found = found.into_iter();
    let (source, best) = found.next().filter(|f| f.1.score >= least)?;
    // The same passage in another version of what is cited is no reason to doubt the first.
    let is_apart = |a: &Agreement| a.text.end <= best.text.start || best.text.end <= a.text.start;
    let second = found.find(|(s, a)| s.version == source.version && is_apart(a));
    Some((source, best, second.map_or(0.0, |s| s.1.score)))
}

/// Nats above chance from which a place is given, by which it must be better than the next, and the
/// least sum of both.
const CLEAR: [f32; 3] = [4.0, 2.0, 9.0];
/// The first two where the text says that the words are from there.
const LIKELY: [f32; 2] = [1.0, 0.4];
/// The same for a quotation in marks, of which the text names the source: of such quotations in the
/// lists, both of 2.9 nats are from there, and all four below .6 are of texts that are not at hand.
const QUOTED: [f32; 2] = [2.0, 3.0];
/// The same for words that agree to the last character.
const WHOLE: [f32; 2] = [-1.0, 3.0];
/// Nats above chance that need nothing else.
pub const STRIKING: f32 = 5.0;
/// No place with fewer nats above chance is clear or likely.
pub const OF_ANY: f32 = WHOLE[0];
/// Words that must agree may have so many characters.
const MAX_WHOLE: usize = 12;
/// Particles that need not agree.
const PARTICLES: &[char] = &['也', '矣', '者', '焉', '乎', '之'];

impl Located {
    fn reaches(&self, [above_chance, margin]: [f32; 2]) -> bool {
        self.above_chance >= above_chance && self.margin >= margin
    }

    /// True if the place is worth giving for these words.
    pub fn is_clear(&self, words: &[char]) -> bool {
        let content = words.iter().filter(|c| !PARTICLES.contains(c)).count();
        let whole = self.equal >= content.max(2) && words.len() < MAX_WHOLE;
        let [above_chance, margin, sum] = CLEAR;
        let is_enough = self.above_chance + self.margin >= sum;
        self.reaches([above_chance, margin]) && is_enough || whole && self.reaches(WHOLE)
    }

    /// True if it is worth giving where the text says that the words are from there.
    pub fn is_likely(&self) -> bool {
        self.reaches(LIKELY)
    }

    /// True if it is worth giving for a quotation in marks of this source.
    pub fn is_quoted(&self) -> bool {
        self.reaches(QUOTED)
    }

    /// True if it has the first words after a title without a gap, wherever else they are, or many:
    /// in the lists, all five with four and more characters are from there.
    pub fn has_first_words(&self) -> bool {
        let unbroken = self.equal == self.words.len() && self.equal == self.text.len();
        // Twice as many are no formula: where a text has them twice, it tells the same twice.
        let enough = if self.words.start < 2 { CLAUSE } else { 2 * CLAUSE };
        let is_classic = self.stream == Stream::Base;
        unbroken && is_classic && self.equal >= enough && self.is_striking()
    }

    /// True if it is clear without a word that introduces a citation.
    pub fn is_striking(&self) -> bool {
        self.above_chance >= STRIKING
    }

    /// How sure it is.
    pub fn certainty(&self) -> f64 {
        let x = 0.18 * self.above_chance + 0.25 * self.margin - 0.8;
        (1.0 / (1.0 + f64::from(-x).exp())).min(0.97)
    }

    /// It as a place for these words.
    pub fn place(&self, places: &Places<'_>, words: &SoughtWords) -> Option<FoundPlace> {
        let hit = Hit { from: self.text.start, to: self.text.end, diff: 0 };
        let how = EvidenceKind::LongestCommonRun;
        let found = found(places, self.entry, &[(self.stream, hit)], words, how)?;
        let whole = self.equal == words.len() && self.text.len() == words.len();
        let status = if whole { Status::Exact } else { Status::Paraphrase };
        Some(FoundPlace { status, certainty: self.certainty(), ..found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(above_chance: f32, margin: f32) -> Located {
        let (text, words) = (10..20, 5..15);
        Located { entry: 0, stream: Stream::Base, text, words, equal: 6, above_chance, margin }
    }

    #[test]
    fn a_place_is_above_chance_and_better_than_the_next() {
        let words: Vec<char> = "甲乙丙丁戊己庚辛壬癸".chars().collect();
        let is = |above_chance: f32, margin: f32| {
            let l = place(above_chance, margin);
            [l.is_clear(&words), l.is_likely(), l.is_quoted(), l.is_striking()]
        };
        let [least, margin, sum] = CLEAR;
        assert_eq!(is(9.0, MAX_MARGIN), [true; 4]);
        assert_eq!(is(9.0, 0.0), [false, false, false, true], "the next is as good");
        assert_eq!(is(0.0, MAX_MARGIN), [false; 4], "chance");
        assert_eq!(is(least, margin), [false, true, false, false], "both are low");
        assert_eq!(is(least, sum - least), [true, true, true, false]);
        // Where all words but particles agree, a good margin is enough.
        let all = Located { equal: 10, ..place(0.0, MAX_MARGIN) };
        assert!(all.is_clear(&words) && !all.is_clear(&[&words[..], &['子']].concat()));
        assert!(all.is_clear(&[&words[..], &['也']].concat()));
    }

    #[test]
    fn first_words_without_a_gap_count_the_more_of_them_the_later_they_begin() {
        let has = |first: usize, equal: usize, stream: Stream| {
            let (text, words) = (20..20 + equal, first..first + equal);
            let place = Located { stream, text, words, equal, ..place(STRIKING, 0.0) };
            let weak = Located { above_chance: 0.0, ..place.clone() };
            let gap = Located { text: place.text.start..place.text.end + 1, ..place.clone() };
            assert!(!weak.has_first_words() && !gap.has_first_words());
            place.has_first_words()
        };
        assert!(has(0, CLAUSE, Stream::Base) && has(1, CLAUSE, Stream::Base));
        assert!(!has(0, CLAUSE - 1, Stream::Base));
        assert!(!has(2, 2 * CLAUSE - 1, Stream::Base) && has(2, 2 * CLAUSE, Stream::Base));
        assert!(!has(0, CLAUSE, Stream::Notes));
    }
}
