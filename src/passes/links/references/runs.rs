//! Runs of characters that some words share with a text, found by the index: for paraphrases.

use std::ops::Range;

use crate::corpus::Stream;
use crate::corpus::index::Index;
use crate::corpus::lookups::AROUND_CHARS;
use crate::text::find::Hit;

/// Most characters of the words that are searched for.
const MAX_SOUGHT_CHARS: usize = 80;
/// Longer runs count as this many characters.
const LONG_RUN_CHARS: usize = 12;
/// Characters of a seed.
const SEED_CHARS: usize = 3;
/// A pair of characters with more places than this does not identify a passage.
const MAX_RARE_PLACES: usize = 3;

/// The nearest place of the longest run of `words` in a part of a stream, in full; at least three
/// characters.
pub fn nearest_long(
    index: &Index,
    entry: usize,
    stream: Stream,
    range: Range<usize>,
    words: &[char],
    back: bool,
) -> Option<Hit> {
    let runs = shared(index, entry, stream, range, words);
    let at = |r: &Range<usize>| if back { r.start as i64 } else { -(r.start as i64) };
    runs.into_iter().max_by_key(|r| (r.len(), at(r))).map(|r| Hit {
        from: r.start,
        to: r.end,
        diff: 0,
    })
}

/// The nearest place of the longest run of `words` in a part of a stream: at least three
/// characters, or two that are rare in the stream.
pub fn nearest(
    index: &Index,
    entry: usize,
    stream: Stream,
    range: Range<usize>,
    words: &[char],
    back: bool,
) -> Option<Hit> {
    let runs = shared(index, entry, stream, range.clone(), words);
    let Some(n) = runs.iter().map(|r| r.len().min(LONG_RUN_CHARS)).max() else {
        return rare_pair(index, entry, stream, range, words);
    };
    let long = runs.into_iter().filter(|r| r.len() >= n);
    let from = if back { long.map(|r| r.end - n).max() } else { long.map(|r| r.start).min() }?;
    Some(Hit { from, to: from + n, diff: 0 })
}

/// The place of a rare pair of `words` in the range, if there is exactly one.
fn rare_pair(
    index: &Index,
    entry: usize,
    stream: Stream,
    range: Range<usize>,
    words: &[char],
) -> Option<Hit> {
    let find = |pair: &[char], range: Range<usize>| {
        index.nearest(entry, stream, range, pair, false, MAX_RARE_PLACES + 1)
    };
    let mut here = words
        .windows(2)
        .flat_map(|pair| find(pair, range.clone()).into_iter().map(move |h| (pair, h)));
    let (pair, hit) = here.next()?;
    (here.next().is_none() && find(pair, 0..usize::MAX).len() <= MAX_RARE_PLACES).then_some(hit)
}

/// All maximal runs of at least [`SEED_CHARS`] characters of `words` in the range.
fn shared(
    index: &Index,
    entry: usize,
    stream: Stream,
    range: Range<usize>,
    words: &[char],
) -> Vec<Range<usize>> {
    let words = &words[..words.len().min(MAX_SOUGHT_CHARS)];
    index.records_search(entry, stream, &range, words);
    let all = index.words();
    let part = &all.stream(entry, stream).range;
    let clamp = |at: usize| part.start.saturating_add(at).min(part.end);
    let (from, to) = (clamp(range.start), clamp(range.end));
    let mut runs = Vec::new();
    for (n, seed) in words.windows(SEED_CHARS).enumerate() {
        for place in all.grams().within(seed, &(from..to)) {
            let at = *place as usize;
            if n > 0 && at > from && all.text[at - 1] == words[n - 1] {
                continue;
            }
            let more = words[n + SEED_CHARS..]
                .iter()
                .zip(&all.text[at + SEED_CHARS..to])
                .take_while(|(a, b)| a == b)
                .count();
            let run = at - part.start..at - part.start + SEED_CHARS + more;
            let around = run.start.saturating_sub(AROUND_CHARS)..run.end + AROUND_CHARS;
            index.records_reading(entry, stream, around);
            runs.push(run);
        }
    }
    runs
}
