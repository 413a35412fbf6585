//! What a document looked up in others, so that a build knows which documents a change concerns.
//!
//! A lookup searches words in a text and compares what is around a hit. A change of another text
//! concerns it only if a pair of characters of the words is in what changed, before or after, or if
//! what it read is. All pairs are stored as short hashes: by chance, a change may seem to concern a
//! document, but none that does is missed.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::ops::Range;

use rustc_hash::{FxHashSet, FxHasher};
use serde::{Deserialize, Serialize};

use super::Stream;

/// Characters around a hit that may be compared too.
pub const AROUND_CHARS: usize = 48;
/// A pair that was not looked up seems to be with a probability of one in this many.
const ONE_IN: usize = 256;

/// Where words were looked up: a number for each text, and one for all.
pub type Scope = u32;

/// Everywhere.
pub const ANYWHERE: Scope = Scope::MAX;
/// Everywhere, without a difference. Such words share all runs of their characters with a hit, so
/// longer ones are stored, which fewer changes have.
const EXACTLY: Scope = Scope::MAX - 1;
/// Characters of such a run.
pub const RUN_CHARS: usize = 4;

/// What one document looked up in others.
#[derive(Clone, Debug, Default)]
pub struct Lookups {
    sought: FxHashSet<u64>,
    read: BTreeMap<(Scope, u8), Vec<(u32, u32)>>,
    weighed: BTreeSet<char>,
}

/// The same, as it is stored.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct KeptLookups {
    /// The hashes are below this.
    below: u64,
    /// The hashes in order, each as the difference from the one before.
    steps: Vec<u64>,
    read: BTreeMap<(Scope, u8), Vec<(u32, u32)>>,
    weighed: String,
}

fn hash(scope: Scope, chars: &[char]) -> u64 {
    let mut hasher = FxHasher::default();
    (scope, chars).hash(&mut hasher);
    // The upper half is the better one.
    hasher.finish() >> 20
}

impl Lookups {
    /// Words were looked up. Each hit has a pair of their characters, or, with `single`, only one.
    pub fn seek(&mut self, scope: Scope, words: &[char], single: bool) {
        self.sought.extend(words.windows(2).map(|pair| hash(scope, pair)));
        if single {
            self.sought.extend(words.chunks(1).map(|c| hash(scope, c)));
        }
    }

    /// At least [`RUN_CHARS`] words were looked up everywhere, without a difference.
    pub fn seek_exactly(&mut self, words: &[char]) {
        self.sought.extend(words.windows(RUN_CHARS).map(|run| hash(EXACTLY, run)));
    }

    /// Characters of a stream of a text were read.
    pub fn read(&mut self, text: usize, stream: Stream, range: Range<usize>) {
        let short = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let all = self.read.entry((text as Scope, stream as u8)).or_default();
        all.push((short(range.start), short(range.end)));
    }

    /// It was asked how rare some characters are.
    pub fn weigh(&mut self, words: &[char]) {
        self.weighed.extend(words);
    }

    /// As it is stored.
    pub fn kept(mut self) -> KeptLookups {
        let below = (self.sought.len() * ONE_IN).next_power_of_two() as u64;
        let mut hashes: Vec<u64> = self.sought.into_iter().map(|h| h % below).collect();
        hashes.sort_unstable();
        hashes.dedup();
        let before = std::iter::once(&0).chain(&hashes);
        let steps = before.zip(&hashes).map(|(a, b)| b - a).collect();
        for ranges in self.read.values_mut() {
            *ranges = joined(std::mem::take(ranges));
        }
        KeptLookups { below, steps, read: self.read, weighed: self.weighed.into_iter().collect() }
    }
}

/// Ranges in order, without overlaps.
fn joined(mut ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let mut joined: Vec<(u32, u32)> = vec![];
    for (from, to) in ranges {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

/// What changed in a stream of a text.
#[derive(Clone, Debug)]
pub struct ChangedStream {
    /// Which text, by its number.
    pub text: usize,
    /// Which stream.
    pub stream: Stream,
    /// The characters that changed, in the text before and after.
    pub ranges: [Range<usize>; 2],
    /// These characters, with one on each side.
    pub chars: [Vec<char>; 2],
    /// The same with all on each side that may be in a run with them.
    pub runs: [Vec<char>; 2],
}

impl KeptLookups {
    /// True if what a document looked up may be different after some changes. `rarer` are the
    /// characters that are rarer or commoner than before.
    pub fn are_concerned(&self, changes: &[ChangedStream], rarer: &FxHashSet<char>) -> bool {
        if self.weighed.chars().any(|c| rarer.contains(&c)) {
            return true;
        }
        let mut at = 0;
        let hashes: FxHashSet<u64> = self
            .steps
            .iter()
            .map(|step| {
                at += step;
                at
            })
            .collect();
        let sought = |scope: Scope, chars: &[char]| {
            self.below > 0 && hashes.contains(&(hash(scope, chars) % self.below))
        };
        changes.iter().any(|c| {
            let scopes = [c.text as Scope, ANYWHERE];
            let words = c.chars.iter().flat_map(|chars| chars.windows(2).chain(chars.chunks(1)));
            let of_words = words.flat_map(|w| scopes.map(|scope| (scope, w)));
            let runs = c.runs.iter().flat_map(|chars| chars.windows(RUN_CHARS));
            let mut all = of_words.chain(runs.map(|run| (EXACTLY, run)));
            let read = self.read.get(&(c.text as Scope, c.stream as u8));
            let overlaps = |(from, to): &(u32, u32)| {
                c.ranges.iter().any(|r| (*from as usize) <= r.end && r.start <= *to as usize)
            };
            read.is_some_and(|r| r.iter().any(overlaps)) || all.any(|(scope, w)| sought(scope, w))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(words: &str) -> Vec<char> {
        words.chars().collect()
    }

    fn changed(text: usize, at: usize, before: &str, after: &str) -> ChangedStream {
        let chars = [chars(before), chars(after)];
        let ranges = [at..at + chars[0].len(), at..at + chars[1].len()];
        ChangedStream { text, stream: Stream::Base, ranges, runs: chars.clone(), chars }
    }

    #[test]
    fn a_change_concerns_who_sought_its_words_or_read_its_place() {
        let mut lookups = Lookups::default();
        lookups.seek(3, &chars("司射適堂西"), false);
        lookups.seek(ANYWHERE, &chars("學而時習之"), false);
        lookups.seek_exactly(&chars("有朋自遠方來"));
        lookups.read(3, Stream::Base, 100..120);
        lookups.read(3, Stream::Base, 110..140);
        lookups.weigh(&chars("司射"));
        let kept = lookups.kept();
        let concerned = |c: ChangedStream| kept.are_concerned(&[c], &FxHashSet::default());
        assert!(concerned(changed(3, 0, "甲司射", "甲乙丙")));
        assert!(concerned(changed(3, 0, "甲乙丙", "甲堂西")));
        assert!(!concerned(changed(4, 0, "甲司射", "甲乙丙")), "another text");
        assert!(concerned(changed(4, 0, "甲乙丙", "時習丙")), "sought everywhere");
        assert!(concerned(changed(4, 0, "甲乙丙", "朋自遠方丁")), "sought exactly");
        assert!(!concerned(changed(4, 0, "甲乙丙", "朋自遠丁戊")), "no run of it");
        assert!(!concerned(changed(3, 0, "甲射司", "西堂乙")), "no pair of them");
        assert!(concerned(changed(3, 130, "甲乙丙", "甲丁丙")), "read");
        assert!(!concerned(changed(3, 150, "甲乙丙", "甲丁丙")));
        assert!(kept.are_concerned(&[], &FxHashSet::from_iter(['射'])));
        assert!(!kept.are_concerned(&[], &FxHashSet::from_iter(['西'])));
    }

    #[test]
    fn nothing_concerns_who_looked_up_nothing() {
        let kept = Lookups::default().kept();
        assert!(!kept.are_concerned(&[changed(0, 0, "甲", "乙")], &FxHashSet::from_iter(['甲'])));
    }
}
