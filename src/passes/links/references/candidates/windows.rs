//! Which parts of a text are worth aligning with some words: pairs of characters that the words
//! share with the text vote for them.

use crate::passes::links::references::prelude::*;
use crate::text::alike::Aligner;
use crate::text::grams;
use std::cmp::Ordering;
use std::ops::Range;

/// Pairs, and single characters, with more places than this do not vote.
pub const MAX_VOTER_PLACES: usize = 160;
/// Most windows that are aligned.
const MAX_WINDOWS: usize = 6;
/// Characters of the text around the words that a window has.
const MARGIN: usize = 16;
/// Bits for which pair or character a vote is of: pairs first, then characters.
const VOTER_BITS: u32 = 7;
/// Number of the first character among the voters. It is also added to the beginning of the words,
/// which may be before that of the text.
const FIRST_CHARACTER: usize = Aligner::MAX_WORDS;

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
    pub version: usize,
    /// What it counts less, in nats.
    pub cost: f32,
}

impl Source {
    /// Records that words are looked up in it, and that its length matters.
    pub fn records(&self, places: &Places<'_>, words: &[char]) {
        let from = self.range.start - self.stream_start;
        let range = from..from + self.range.len();
        places.index.records_search(self.entry, self.stream, &range, words);
        places.index.records_reading(self.entry, self.stream, range.end..range.end);
    }
}

/// A part of a source that has votes.
pub struct Window {
    /// What the votes count, less the cost of the source.
    votes: f32,
    /// Characters of the text of all.
    pub range: Range<usize>,
    /// Number of the source.
    pub source: usize,
}

impl Window {
    /// More votes first; of equal ones, the first in the text.
    fn order(&self, other: &Window) -> Ordering {
        let by_place = self.range.start.cmp(&other.range.start);
        other.votes.total_cmp(&self.votes).then(by_place).then(self.source.cmp(&other.source))
    }
}

/// Puts a window among the best, which are in order.
pub fn elect(window: Window, best: &mut Vec<Window>) {
    let at = best.partition_point(|w| w.order(&window).is_le());
    if at < MAX_WINDOWS {
        best.insert(at, window);
        best.truncate(MAX_WINDOWS);
    }
}

/// Where the words would begin if a pair of them, or one character, is meant at a place, with which
/// it is in the lowest bits: one number, since sorting them is a large part of the work.
type Vote = u64;

/// The votes of some words.
pub struct Ballot<'a> {
    /// What each of the words counts.
    pub weights: &'a [f32],
    /// The places of each pair of them in the text of all.
    pub pairs: Vec<&'a [u32]>,
    /// A character that votes alone.
    pub lone: Option<(usize, char)>,
}

impl Ballot<'_> {
    /// The windows of a source that have votes.
    pub fn windows(&self, text: &[char], source: &Source, number: usize) -> Vec<Window> {
        let Range { start, end } = source.range;
        let vote = |place: usize, word: usize, voter: usize| -> Vote {
            ((place + FIRST_CHARACTER - word) as u64) << VOTER_BITS | voter as u64
        };
        let mut votes = Vec::new();
        let pairs = grams::all_within(&self.pairs, start..end.saturating_sub(1), text.len());
        for (i, here) in pairs.enumerate().filter(|(_, here)| here.len() <= MAX_VOTER_PLACES) {
            votes.extend(here.iter().map(|p| vote(*p as usize, i, i)));
        }
        if let Some((i, c)) = self.lone {
            let places = places_of(c, &text[source.range.clone()], MAX_VOTER_PLACES);
            votes.extend(places.into_iter().map(|p| vote(start + p, i, i + FIRST_CHARACTER)));
        }
        votes.sort_unstable();
        let window = |(range, votes): (Range<usize>, f32)| {
            let range = range.start.max(start)..range.end.min(end);
            Window { votes: votes - source.cost, range, source: number }
        };
        self.counted(&votes).map(window).collect()
    }

    /// What a voter counts.
    fn weight(&self, voter: usize) -> f32 {
        match voter.checked_sub(FIRST_CHARACTER) {
            Some(word) => self.weights[word],
            None => self.weights[voter] + self.weights[voter + 1],
        }
    }

    /// Parts of the text with the sum of the different votes in them; the votes are in order.
    fn counted(&self, votes: &[Vote]) -> impl Iterator<Item = (Range<usize>, f32)> {
        let words = self.weights.len();
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
            let at = |start: u64| (start as usize).saturating_sub(FIRST_CHARACTER);
            let from = at(first.saturating_sub(MARGIN as u64));
            Some((from..at(last + words as u64) + MARGIN, sum))
        })
    }
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
