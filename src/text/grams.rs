//! An index of a text by pairs and triples of characters: finds words exactly or with some
//! characters different without scanning the text.
//!
//! The places of each gram are in rising order, so that a part of the text (a layer, a chapter, the
//! text before a note) is a part of each list. Of any `max + 1` pieces of the words, a match with
//! `max` differences contains at least one exactly (the pigeonhole filter of Wu & Manber 1992). The
//! pieces are chosen so that they occur in as few places as possible. Each place is then checked by
//! following its diagonals (G. M. Landau and U. Vishkin, “Fast parallel and serial approximate
//! string matching”, J. Algorithms 10, 1989), which stops after a few characters if nothing
//! matches. The places that remain go through the same dynamic programme as [`find_within`], so
//! that the results are those of a scan.

mod counts;
mod edits;
mod pairs;
mod places;
mod shard;
mod some;
mod some_pairs;
mod table;

use std::borrow::Cow;
use std::hint::black_box;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

pub(crate) use self::counts::{GramPairCounts, TripleCounts};
use self::edits::edits;
pub(crate) use self::places::all_within;
pub(crate) use self::some::{MAX_GRAM_CHARS, SomeCounts, SomeGrams, grams_in, packed, single};
use self::some_pairs::SomePairs;
use self::table::GramTable;
use super::find::{Hit, closest_of, find_within, lenient_in, merged};

/// Lengths of the grams.
const GRAM_CHARS: [usize; 2] = [2, 3];
/// Pieces are chosen from this many characters at the start of the words.
const PIECE_HEAD_CHARS: usize = 48;
/// The most differences that are counted along diagonals. With more, every place of a piece is
/// searched.
const MAX_DIFFERENCES: usize = 6;
/// With more places than this for each part, each part is searched by itself.
const MAX_PLACES_EACH: usize = 32;
/// So many places are looked at together.
const PLACES_AT_ONCE: usize = 64;

/// The index. It contains only places; every call takes the text it was built from.
///
/// ```
/// use zhushu::text::grams::Grams;
/// let text: Vec<char> = "司射適堂西命弟子設豐弟子奉豐升".chars().collect();
/// let words: Vec<char> = "命弟子奉豐".chars().collect();
/// let grams = Grams::of(&text);
/// assert!(grams.find(&text, 0..text.len(), &words, 0).is_empty());
/// let hit = grams.find(&text, 0..text.len(), &words, 1)[0];
/// assert_eq!((hit.from, hit.to, hit.diff), (5, 10, 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Grams {
    /// Of all grams; made when it is first needed, if there is one of some.
    all: OnceLock<GramTable>,
    some: Option<Arc<SomePairs>>,
}

impl Grams {
    /// Indexes a text of at most 2³² characters, in time and memory linear in its length.
    pub fn of(text: &[char]) -> Self {
        Grams { all: GramTable::of(text).into(), some: None }
    }

    /// The same, in less time if only grams of some words are looked up. Others are found too, but
    /// then all are indexed.
    pub(crate) fn of_words<'w>(
        text: &Arc<Vec<char>>,
        words: impl Iterator<Item = &'w [char]> + Clone,
    ) -> Self {
        let some = SomePairs::of(text, words);
        Grams { all: OnceLock::new(), some: Some(Arc::new(some)) }
    }

    fn table(&self) -> &GramTable {
        let text = || self.some.as_ref().map_or(&[][..], |some| &some.text);
        self.all.get_or_init(|| GramTable::of(text()))
    }

    /// The table that has the places of some characters.
    fn table_of(&self, gram: &[char]) -> &GramTable {
        let some = self.some.as_ref().and_then(|some| some.table_of(gram));
        some.unwrap_or_else(|| self.table())
    }

    /// How often two or three characters occur together.
    pub fn count(&self, text: &[char], gram: &[char]) -> usize {
        self.table_of(gram).count(text, gram)
    }

    /// Where two or three characters occur together, in rising order.
    pub fn places(&self, text: &[char], gram: &[char]) -> Cow<'_, [u32]> {
        self.table_of(gram).places(text, gram, &(0..text.len()))
    }

    /// Where two characters occur together.
    pub(crate) fn pair_places(&self, [a, b]: [char; 2]) -> &[u32] {
        self.table_of(&[a, b]).pair_places(a, b)
    }

    /// How often its pairs and triples occur in the text; the index is given up. `None` if not all
    /// are indexed.
    pub(crate) fn into_counts(self, text: &[char]) -> Option<(GramPairCounts, TripleCounts)> {
        Some(self.all.into_inner()?.into_counts(text))
    }

    /// How often the pairs and triples of a text occur, without an index of it.
    pub(crate) fn counts_of(text: &[char]) -> (GramPairCounts, TripleCounts) {
        GramTable::counts_of(text)
    }

    /// The same within a part of the text.
    pub fn within(&self, text: &[char], gram: &[char], range: &Range<usize>) -> Cow<'_, [u32]> {
        let starts = range.start..range.end.saturating_add(1).saturating_sub(gram.len());
        self.table_of(gram).places(text, gram, &starts)
    }

    /// All places in `text[range]` where `words` occur with at most `max_diff` differences; the
    /// same as [`find_within`].
    pub fn find(
        &self,
        text: &[char],
        range: Range<usize>,
        words: &[char],
        max_diff: usize,
    ) -> Vec<Hit> {
        let max = max_diff.min(words.len().saturating_sub(1));
        let Some(pieces) = self.pieces(text, words, max + 1) else {
            return find_within(text, range, words, max_diff);
        };
        let range = range.start.min(text.len())..range.end.min(text.len());
        self.find_pieces(text, &range, words, &pieces)
    }

    /// The same in several parts of the text, in order and without overlap; of exact places in a
    /// part only the first `limit`. The time hardly grows with the number of parts.
    pub fn find_each(
        &self,
        text: &[char],
        ranges: &[Range<usize>],
        words: &[char],
        (max_diff, limit): (usize, usize),
    ) -> Vec<Vec<Hit>> {
        let max = max_diff.min(words.len().saturating_sub(1));
        let Some(pieces) = self.pieces(text, words, max + 1) else {
            let limit = if max_diff == 0 { limit } else { usize::MAX };
            let each = ranges.iter().map(|r| find_within(text, r.clone(), words, max_diff));
            return each.map(|hits| hits.into_iter().take(limit).collect()).collect();
        };
        // The parts in which a piece is: in all others nothing is found.
        let places: usize = pieces.iter().map(|p| self.count(text, &words[p.clone()])).sum();
        let mut has = vec![places > MAX_PLACES_EACH * ranges.len(); ranges.len()];
        if has.contains(&false) {
            for places in pieces.iter().map(|p| self.places(text, &words[p.clone()])) {
                for at in places.iter().map(|at| *at as usize) {
                    let next = ranges.partition_point(|r| r.start <= at);
                    let within = next.checked_sub(1).filter(|n| at < ranges[*n].end);
                    within.into_iter().for_each(|n| has[n] = true);
                }
            }
        }
        let each = ranges.iter().zip(has);
        let within = |r: &Range<usize>| r.start.min(text.len())..r.end.min(text.len());
        each.map(|(range, has)| match has {
            true if max_diff == 0 => {
                let range = within(range);
                self.exact(text, &range, words, &pieces[0]).take(limit).collect()
            }
            true => self.find_pieces(text, &within(range), words, &pieces),
            false => vec![],
        })
        .collect()
    }

    /// The places of words, of any of whose pieces one is there: one piece more than there are
    /// differences.
    fn find_pieces(
        &self,
        text: &[char],
        range: &Range<usize>,
        words: &[char],
        pieces: &[Range<usize>],
    ) -> Vec<Hit> {
        let max = pieces.len() - 1;
        if max == 0 {
            return self.exact(text, range, words, &pieces[0]).collect();
        }
        if max > MAX_DIFFERENCES {
            return self.around(text, range, words, pieces, max);
        }
        let mut windows = Vec::new();
        self.survivors(text, range, words, pieces, |start, _| {
            windows.push(window(start, words.len(), max, range));
            true
        });
        lenient_in(text, merged(windows), words, max)
    }

    /// The places with the fewest differences, at most `max_diff`, in order; only the first
    /// `limit`.
    pub fn closest(
        &self,
        text: &[char],
        range: Range<usize>,
        words: &[char],
        max_diff: usize,
        limit: usize,
    ) -> Vec<Hit> {
        let max = max_diff.min(words.len().saturating_sub(1));
        let Some(pieces) = self.pieces(text, words, max + 1) else {
            return closest_of(find_within(text, range, words, max_diff), limit);
        };
        let range = range.start.min(text.len())..range.end.min(text.len());
        if max > MAX_DIFFERENCES {
            return closest_of(self.around(text, &range, words, &pieces, max), limit);
        }
        let mut fewest = max;
        let mut near: Vec<i64> = Vec::new();
        let (mut apart, mut end) = (0, i64::MIN);
        self.survivors(text, &range, words, &pieces, |start, diff| {
            if diff < fewest {
                fewest = diff;
                near.clear();
            }
            if diff == fewest {
                near.push(start);
            }
            // The first piece is at every exact place: enough of them are the first of all.
            if diff == 0 && start >= end {
                (apart, end) = (apart + 1, start + words.len() as i64);
            }
            apart < limit
        });
        let windows =
            merged(near.iter().map(|start| window(*start, words.len(), fewest, &range)).collect());
        let first: Vec<Range<usize>> = windows.into_iter().take(limit).collect();
        if fewest == 0 {
            let starts = first.into_iter().map(|w| w.start);
            return starts.map(|from| Hit { from, to: from + words.len(), diff: 0 }).collect();
        }
        closest_of(lenient_in(text, first, words, fewest), limit)
    }

    /// The places of the words around those of any of its pieces.
    fn around(
        &self,
        text: &[char],
        range: &Range<usize>,
        words: &[char],
        pieces: &[Range<usize>],
        max: usize,
    ) -> Vec<Hit> {
        let places = |piece: &Range<usize>| {
            let before = piece.start as i64;
            let here = self.within(text, &words[piece.clone()], range).into_owned();
            here.into_iter().map(move |at| window(i64::from(at) - before, words.len(), max, range))
        };
        lenient_in(text, merged(pieces.iter().flat_map(places).collect()), words, max)
    }

    /// The last (`back`) or first places in `text[range]` where `words` occur exactly, nearest
    /// first.
    pub fn nearest(
        &self,
        text: &[char],
        range: Range<usize>,
        words: &[char],
        back: bool,
        limit: usize,
    ) -> Vec<Hit> {
        let range = range.start.min(text.len())..range.end.min(text.len());
        let Some(pieces) = self.pieces(text, words, 1) else {
            let mut hits = find_within(text, range, words, 0);
            if back {
                hits.reverse();
            }
            hits.truncate(limit);
            return hits;
        };
        let hits = self.exact(text, &range, words, &pieces[0]);
        if back { hits.rev().take(limit).collect() } else { hits.take(limit).collect() }
    }

    fn exact<'a>(
        &'a self,
        text: &'a [char],
        range: &'a Range<usize>,
        words: &'a [char],
        piece: &'a Range<usize>,
    ) -> impl DoubleEndedIterator<Item = Hit> + 'a {
        let here = self.within(text, &words[piece.clone()], range);
        let starts = (0..here.len()).filter_map(move |n| {
            (here[n] as usize).checked_sub(piece.start).filter(|s| *s >= range.start)
        });
        let whole = starts
            .filter(move |s| s + words.len() <= range.end && text[*s..s + words.len()] == *words);
        whole.map(|from| Hit { from, to: from + words.len(), diff: 0 })
    }

    /// Calls `keep` with each place where the words may begin (before the beginning of the text, if
    /// they are cut off there) and the number of differences found there, if there are fewer than
    /// pieces, until it says that this is enough.
    fn survivors(
        &self,
        text: &[char],
        range: &Range<usize>,
        words: &[char],
        pieces: &[Range<usize>],
        mut keep: impl FnMut(i64, usize) -> bool,
    ) {
        let max = pieces.len() - 1;
        for piece in pieces {
            let (before, after) = (&words[..piece.start], &words[piece.end..]);
            for some in self.within(text, &words[piece.clone()], range).chunks(PLACES_AT_ONCE) {
                // All at once, so that the processor waits for the memory of several at a time.
                some.iter().for_each(|at| _ = black_box(text[*at as usize]));
                for at in some.iter().map(|at| *at as usize) {
                    let left = edits(before.iter().rev(), text[range.start..at].iter().rev(), max);
                    let right = left.and_then(|left| {
                        edits(after.iter(), text[at + piece.len()..range.end].iter(), max - left)
                    });
                    if let (Some(left), Some(right)) = (left, right)
                        && !keep(at as i64 - piece.start as i64, left + right)
                    {
                        return;
                    }
                }
            }
        }
    }

    /// `n` disjoint pieces of the words, in order, with the fewest places in total; `None` if the
    /// words are too short.
    fn pieces(&self, text: &[char], words: &[char], n: usize) -> Option<Vec<Range<usize>>> {
        let words = &words[..words.len().min(PIECE_HEAD_CHARS.max(n * GRAM_CHARS[1]))];
        if words.len() < n * GRAM_CHARS[0] {
            return None;
        }
        let never = usize::MAX / 2;
        // All at once, so that the processor waits for the memory of several at a time.
        let counts: Vec<[usize; 2]> = (0..=words.len())
            .map(|i| {
                GRAM_CHARS.map(|s| {
                    i.checked_sub(s).map_or(never, |from| self.count(text, &words[from..i]))
                })
            })
            .collect();
        // best[k][i]: the least cost of k pieces among the first i characters, and the length of a
        // piece that ends at i.
        let mut best = vec![vec![(never, 0); words.len() + 1]; n + 1];
        best[0].fill((0, 0));
        for i in 1..=words.len() {
            for k in 1..=n {
                let with = |(size, count): (usize, usize)| {
                    (i.checked_sub(size).map_or(never, |from| best[k - 1][from].0 + count), size)
                };
                let here =
                    GRAM_CHARS.into_iter().zip(counts[i]).map(with).min().unwrap_or((never, 0));
                best[k][i] = here.min((best[k][i - 1].0, 0));
            }
        }
        let (mut i, mut left, mut pieces) = (words.len(), n, Vec::with_capacity(n));
        while left > 0 {
            match best[left][i].1 {
                0 => i = i.checked_sub(1)?,
                size => {
                    pieces.push(i - size..i);
                    (i, left) = (i - size, left - 1);
                }
            }
        }
        pieces.reverse();
        Some(pieces)
    }
}

/// The range in which words that begin near `start` may lie.
fn window(start: i64, words: usize, max: usize, range: &Range<usize>) -> Range<usize> {
    let clamp = |n: i64| n.clamp(range.start as i64, range.end as i64) as usize;
    clamp(start - max as i64)..clamp(start + (words + max) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted_to_the_end_of_the_words() {
        let count = |words: &str, text: &str, max| {
            let (words, text): (Vec<char>, Vec<char>) =
                (words.chars().collect(), text.chars().collect());
            edits(words.iter(), text.iter(), max)
        };
        assert_eq!(count("甲乙丙", "甲乙丙丁", 0), Some(0));
        assert_eq!(count("甲乙丙", "甲丙丁", 2), Some(1));
        assert_eq!(count("甲丙丁", "甲乙丙丁", 2), Some(1));
        assert_eq!(count("甲乙丙", "甲己丙", 1), Some(1));
        assert_eq!(count("甲乙丙", "甲", 1), None);
        assert_eq!(count("甲乙丙", "", 3), Some(3));
        assert_eq!(count("", "甲", 0), Some(0));
    }

    #[test]
    fn the_nearest_places_come_first_in_either_direction() {
        let text: Vec<char> = "甲乙丙甲乙丁甲乙丙".chars().collect();
        let grams = Grams::of(&text);
        let from = |back, range| {
            grams
                .nearest(&text, range, &['甲', '乙'], back, 2)
                .iter()
                .map(|h| h.from)
                .collect::<Vec<_>>()
        };
        assert_eq!(from(true, 0..9), [6, 3]);
        assert_eq!(from(false, 1..9), [3, 6]);
        assert_eq!(from(true, 0..4), [0]);
    }

    proptest::proptest! {
        #[test]
        fn hits_are_those_of_a_scan(
            text in proptest::collection::vec(0u32..9, 1..120),
            words in proptest::collection::vec(0u32..9, 2..24),
            from in 0usize..20,
            max in 0usize..10,
        ) {
            let chars = |n: Vec<u32>| -> Vec<char> {
                n.into_iter().filter_map(|n| char::from_u32(0x4e00 + n * 77)).collect()
            };
            let (text, words) = (chars(text), chars(words));
            let range = from.min(text.len())..text.len();
            let scanned = find_within(&text, range.clone(), &words, max);
            proptest::prop_assert_eq!(Grams::of(&text).find(&text, range, &words, max), scanned);
        }

        #[test]
        fn places_of_a_part_are_those_of_a_plain_search(
            places in proptest::collection::btree_set(0u32..300, 0..60),
            from in 0usize..320,
            length in 0usize..320,
            chars in 0usize..400,
        ) {
            let places: Vec<u32> = places.into_iter().collect();
            let range = from..from + length;
            let plain: Vec<u32> =
                places.iter().copied().filter(|p| range.contains(&(*p as usize))).collect();
            let lists = [places.as_slice()];
            proptest::prop_assert_eq!(all_within(&lists, range, chars).next(), Some(plain.as_slice()));
        }
    }

    #[test]
    fn only_the_closest_places_are_returned() {
        let text: Vec<char> = "司射適堂西。司馬適堂西。司射適堂東。".chars().collect();
        let grams = Grams::of(&text);
        let words: Vec<char> = "司射適堂西南".chars().collect();
        let hits = grams.closest(&text, 0..text.len(), &words, 2, 9);
        assert_eq!(hits.iter().map(|h| (h.from, h.diff)).collect::<Vec<_>>(), [(0, 1)]);
    }
}
