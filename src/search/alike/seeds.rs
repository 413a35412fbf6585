//! Stretches that may be like some words: those that share most of their pairs of characters.
//!
//! Each pair of the words is looked up, and each of its places says where the words would begin.
//! Places that say nearly the same are one stretch. One edit destroys two pairs at most (the q-gram
//! lemma of Ukkonen 1992), so a stretch with few edits keeps most of them.

use super::super::eval::{self, HitRange, Options};
use super::super::index::Index;
use super::super::query::{Phrase, QueryNode};
use super::super::store::file::IndexFile;
use super::{TextSet, keep_within};
use crate::diag::Error;

/// A place of a stretch: character `offset` of the words is at `position`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seed {
    pub(super) file: u32,
    pub(super) position: u32,
    pub(super) offset: usize,
    /// Pairs that it has.
    votes: usize,
}

/// Most places of pairs that are read in a file of the index, the rarest pairs first.
const MAX_PLACES: u32 = 1 << 16;
/// Most stretches that are compared with the words.
const MAX_SEEDS: usize = 48;
/// A stretch has so many pairs of the words at least.
const MIN_PAIRS: usize = 2;

/// The stretches that share most pairs with `chars`.
pub(super) fn seeds(
    index: &Index,
    chars: &[char],
    within: Option<&TextSet>,
    edits: usize,
) -> Result<Vec<Seed>, Error> {
    let mut all = vec![];
    for (file, n) in index.files.iter().zip(0..) {
        index.stop.check()?;
        all.append(&mut of_file(file, n, chars, edits)?);
    }
    if chars.len() <= 2 * MIN_PAIRS {
        all.append(&mut with_one_changed(index, chars, within)?);
    }
    if within.is_some() {
        let range = |s: &Seed| HitRange { file: s.file, start: s.position, len: 1 };
        let mut hits: Vec<HitRange> = all.iter().map(range).collect();
        keep_within(index, &mut hits, within)?;
        let kept: std::collections::HashSet<HitRange> = hits.into_iter().collect();
        all.retain(|s| kept.contains(&range(s)));
    }
    all.sort_by_key(|s| (std::cmp::Reverse(s.votes), s.file, s.position));
    all.truncate(MAX_SEEDS);
    Ok(all)
}

/// The places of few characters with one inside them changed: it leaves them one pair only.
fn with_one_changed(
    index: &Index,
    chars: &[char],
    within: Option<&TextSet>,
) -> Result<Vec<Seed>, Error> {
    let mut all = vec![];
    for n in 1..chars.len().saturating_sub(1) {
        let mut own: Vec<Option<char>> = chars.iter().copied().map(Some).collect();
        own[n] = None;
        let phrase = Phrase { typed: vec![None; own.len()], chars: own };
        let mut hits = eval::hits_of(index, &QueryNode::Phrase(phrase), Options::default())?;
        keep_within(index, &mut hits, within)?;
        let seed = |h: &HitRange| Seed { file: h.file, position: h.start, offset: 0, votes: 1 };
        all.extend(hits.iter().take(MAX_SEEDS).map(seed));
    }
    Ok(all)
}

/// The stretches of one file.
fn of_file(file: &IndexFile, n: u32, chars: &[char], edits: usize) -> Result<Vec<Seed>, Error> {
    let mut lists = vec![];
    for (offset, pair) in chars.windows(2).enumerate() {
        if let Some(list) = file.pair(pair[0], pair[1])? {
            lists.push((list.count, offset, list));
        }
    }
    lists.sort_by_key(|(count, offset, _)| (*count, *offset));
    let (mut votes, mut read) = (vec![], 0u32);
    for (n, (count, offset, list)) in lists.into_iter().enumerate() {
        read = read.saturating_add(count);
        if read > MAX_PLACES && n >= MIN_PAIRS {
            break;
        }
        let place = |p: u32| (i64::from(p) - offset as i64, offset);
        votes.extend(file.positions(&list)?.into_iter().map(place));
    }
    votes.sort_unstable();
    Ok(gathered(&votes, edits as i64).into_iter().map(|s| Seed { file: n, ..s }).collect())
}

/// Places that say nearly the same: for each the number of different pairs. Of stretches that
/// overlap only the best stays.
fn gathered(votes: &[(i64, usize)], edits: i64) -> Vec<Seed> {
    let mut seeds: Vec<(i64, Seed)> = vec![];
    // How often each pair is among `votes[start..end]`, and how many different ones are.
    let longest = votes.iter().map(|(_, offset)| *offset).max().unwrap_or(0);
    let (mut counts, mut pairs, mut end) = (vec![0u32; longest + 1], 0, 0);
    for (begin, offset) in votes {
        while let Some((_, next)) = votes.get(end).filter(|(b, _)| *b <= begin + edits) {
            pairs += usize::from(counts[*next] == 0);
            counts[*next] += 1;
            end += 1;
        }
        let position = u32::try_from(begin + *offset as i64).ok().filter(|_| pairs >= MIN_PAIRS);
        counts[*offset] -= 1;
        let shared = pairs;
        pairs -= usize::from(counts[*offset] == 0);
        let Some(position) = position else { continue };
        let seed = Seed { file: 0, position, offset: *offset, votes: shared };
        match seeds.last_mut() {
            Some((b, last)) if begin - *b <= edits => {
                if last.votes < seed.votes {
                    (*b, *last) = (*begin, seed);
                }
            }
            _ => seeds.push((*begin, seed)),
        }
    }
    seeds.into_iter().map(|(_, seed)| seed).collect()
}
