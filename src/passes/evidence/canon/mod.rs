//! What the program knows of the classics: which four characters follow each other in them.
//!
//! The knowledge is a filter of hashes (`canon.bin`, made by `lab train --canon`): it answers
//! whether four folded characters occur somewhere in the classics, and is wrong in one of 256
//! questions that should be answered with no. Nothing can be read out of it. A text that the
//! filter does not cover is never judged by it.

mod filter;

use std::sync::Arc;

use thin_vec::ThinVec;

pub use filter::{CanonFilter, GRAM_CHARS, file_of, hash};

/// Single hits are often false: characters count as known from two overlapping ones on.
const MIN_HITS: usize = 2;

/// A known passage of so many characters, beside so many unknown ones, may end inside a clause.
const MIN_PASSAGE_CHARS: usize = 6;
const MIN_GAP_CHARS: usize = 2;

/// What the classics have of one paragraph.
#[derive(Clone, Debug)]
pub struct Canon {
    filter: Arc<CanonFilter>,
    /// For each character: whether it and the three after it occur in the classics.
    hits: ThinVec<bool>,
    /// Series of known characters, in order.
    known: ThinVec<KnownSeries>,
    /// The first characters of the next paragraph; empty if readings come first there.
    next: ThinVec<char>,
}

/// Characters one after another that the classics have.
#[derive(Clone, Copy, Debug)]
struct KnownSeries {
    from: u32,
    to: u32,
    /// Number of known characters before it.
    before: u32,
}

impl Canon {
    /// What the classics have of some characters; `next` are those of the next paragraph. With a
    /// seed for `doubt`, some of it is left out ([`CHARS_PER_VARIANT`]).
    pub fn of(
        filter: &Arc<CanonFilter>,
        chars: &[char],
        next: Vec<char>,
        doubt: Option<usize>,
    ) -> Self {
        let mut hits = hits(filter, chars);
        if let Some(seed) = doubt {
            forget(&mut hits, chars.len(), seed);
        }
        let known = series(&known_by(&hits, chars.len(), MIN_HITS));
        hits.resize(chars.len(), false);
        Canon { filter: Arc::clone(filter), hits: hits.into(), known, next: next.into() }
    }

    /// Places inside a paragraph where long known passages begin or end: a layer may begin there
    /// even if no mark ends a clause.
    pub fn ends(&self, length: usize) -> Vec<usize> {
        let mut known = vec![false; self.hits.len()];
        let all = self.known.iter().map(|s| (s.from as usize, s.to as usize));
        all.clone().for_each(|(from, to)| known[from..to].fill(true));
        let passages = all.filter(|(from, to)| to - from >= MIN_PASSAGE_CHARS);
        let unknown = |range: std::ops::Range<usize>| {
            range.end <= length && range.len() == MIN_GAP_CHARS && !range.clone().any(|k| known[k])
        };
        let ends = passages.flat_map(|(from, to)| {
            let before = unknown(from.saturating_sub(MIN_GAP_CHARS)..from).then_some(from);
            before.into_iter().chain(unknown(to..to + MIN_GAP_CHARS).then_some(to))
        });
        ends.collect()
    }

    /// Number of known characters among `from..to`.
    pub fn known(&self, from: usize, to: usize) -> f64 {
        f64::from(self.known_before(to) - self.known_before(from))
    }

    /// Number of known characters before character `at`.
    fn known_before(&self, at: usize) -> u32 {
        let at = at as u32;
        let after = self.known.partition_point(|s| s.from < at);
        let last = after.checked_sub(1).map(|n| self.known[n]);
        last.map_or(0, |s| s.before + s.to.min(at) - s.from)
    }

    /// The share of the four characters across a border that the classics have too: the classic
    /// goes on there.
    pub fn goes_on(&self, at: usize) -> f64 {
        let across = at.saturating_sub(GRAM_CHARS - 1)..at;
        across.filter(|k| self.hits[*k]).count() as f64 / (GRAM_CHARS - 1) as f64
    }

    /// The share of the four characters that would follow each other if a note `from..to` were
    /// not there, and that the classics have. None if there is too little text on a side.
    pub fn joins(&self, chars: &[char], from: usize, to: usize) -> Option<f64> {
        let after = if to < chars.len() { &chars[to..] } else { &self.next };
        let side = GRAM_CHARS - 1;
        if from < side || after.len() < side {
            return None;
        }
        let mut across = [' '; 2 * (GRAM_CHARS - 1)];
        across[..side].copy_from_slice(&chars[from - side..from]);
        across[side..].copy_from_slice(&after[..side]);
        let is_known = self.filter.questions();
        let found = across.windows(GRAM_CHARS).filter(|gram| is_known(gram)).count();
        Some(found as f64 / side as f64)
    }
}

fn series(known: &[bool]) -> ThinVec<KnownSeries> {
    let mut before = 0;
    let all = runs(known).map(|(from, to)| {
        let (from, to) = (from as u32, to as u32);
        let series = KnownSeries { from, to, before };
        before += to - from;
        series
    });
    all.collect()
}

fn hits(filter: &CanonFilter, chars: &[char]) -> Vec<bool> {
    chars.windows(GRAM_CHARS).map(filter.questions()).collect()
}

/// The characters of all series of at least `least` hits.
fn known_by(hits: &[bool], length: usize, least: usize) -> Vec<bool> {
    let mut known = vec![false; length];
    for (from, to) in runs(hits).filter(|(from, to)| to - from >= least) {
        known[from..to + GRAM_CHARS - 1].fill(true);
    }
    known
}

/// Ranges of consecutive hits.
fn runs(hits: &[bool]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let starts = (0..hits.len()).filter(|k| hits[*k] && (*k == 0 || !hits[k - 1]));
    starts.map(|from| (from, from + hits[from..].iter().take_while(|h| **h).count()))
}

/// One character in so many is taken for a variant that the classics lack, while weights are
/// learned: the copies to learn from are closer to the classics' copies than others will be.
const CHARS_PER_VARIANT: usize = 50;

fn forget(hits: &mut [bool], length: usize, seed: usize) {
    for k in 0..length {
        let mixed = (seed * 8191 + k).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        if mixed.is_multiple_of(CHARS_PER_VARIANT) {
            let last = (k + 1).min(hits.len());
            let first = (k + 1).saturating_sub(GRAM_CHARS).min(last);
            hits[first..last].fill(false);
        }
    }
}

/// For each character, whether the classics have it in these words.
pub fn known_characters(filter: &CanonFilter, chars: &[char]) -> Vec<bool> {
    known_by(&hits(filter, chars), chars.len(), MIN_HITS)
}

/// Number of characters in known passages of at least `least` characters.
pub fn characters_in_passages(filter: &CanonFilter, chars: &[char], least: usize) -> usize {
    let hits = hits(filter, chars);
    let passages = runs(&hits).map(|(from, to)| to - from + GRAM_CHARS - 1);
    passages.filter(|n| *n >= least).sum()
}
