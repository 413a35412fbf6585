//! Searches lists of rising places for those in a part of the text.

use std::ops::Range;

/// Of each of some lists of rising places in a text of so many characters, those in a part of it.
/// One place of each list is looked at first, so that the processor waits for the memory of all of
/// them at the same time.
pub fn all_within<'a>(
    lists: &'a [&'a [u32]],
    range: Range<usize>,
    chars: usize,
) -> impl Iterator<Item = &'a [u32]> {
    let guesses: Vec<usize> =
        lists.iter().map(|places| guess(places, range.start, chars)).collect();
    let ranges = lists.iter().zip(guesses);
    ranges.map(move |(places, guess)| &places[bounds_near(places, &range, guess)])
}

/// Where those of some rising places that are in a part of the text are among the places.
pub fn bounds(places: &[u32], range: Range<usize>, chars: usize) -> Range<usize> {
    bounds_near(places, &range, guess(places, range.start, chars))
}

/// The same, searched from a guess of its beginning: each look far away in a long list waits for
/// memory.
fn bounds_near(places: &[u32], range: &Range<usize>, guess: usize) -> Range<usize> {
    let from = first_from(places, range.start, guess);
    from..from + first_from(&places[from..], range.end, 0)
}

/// About where the first place from `limit` is: where it would be if the places were spread evenly,
/// corrected by the place that is there.
fn guess(places: &[u32], limit: usize, chars: usize) -> usize {
    let index = |chars_before: i64| chars_before * places.len() as i64 / chars.max(1) as i64;
    let even = index(limit as i64).min(places.len() as i64 - 1);
    let Some(place) = places.get(even as usize) else { return 0 };
    (even + index(limit as i64 - i64::from(*place))).max(0) as usize
}

/// Index of the first place that is not before `limit`, by steps of growing length from a guess
/// (J. L. Bentley and A. C. Yao, “An almost optimal algorithm for unbounded searching”, Inf.
/// Process. Lett. 5, 1976).
fn first_from(places: &[u32], limit: usize, guess: usize) -> usize {
    let is_before = |p: &u32| (*p as usize) < limit;
    let (mut low, mut high, mut step) = (guess.min(places.len()), guess.min(places.len()), 1);
    while low > 0 && !is_before(&places[low - 1]) {
        high = low - 1;
        low = low.saturating_sub(step);
        step *= 2;
    }
    while high < places.len() && is_before(&places[high]) {
        low = high + 1;
        high = (high + step).min(places.len());
        step *= 2;
    }
    low + places[low..high].partition_point(is_before)
}
