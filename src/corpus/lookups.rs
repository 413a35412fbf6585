//! What a document looked up in others, so that a build knows which documents a change concerns.
//!
//! A lookup searches words in a text and compares what is around a hit. A change of another text
//! concerns it only if a part of the words is in what changed, before or after, or if what it read
//! is: a run of them if they must be there exactly, a pair of their characters or one if not. All
//! parts are stored as short hashes: by chance, a change may seem to concern a document, but none
//! that does is missed.

mod steps;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::ops::Range;

use rustc_hash::{FxHashSet, FxHasher};
use serde::{Deserialize, Serialize};

use self::steps::Steps;
use super::Stream;
use crate::text::find::find_within;

/// Characters around a hit that may be compared too.
pub const AROUND_CHARS: usize = 48;
/// What was not looked up seems to be with a probability of one in this many. Some hundred runs are
/// near a change.
const ONE_IN: usize = 1 << 13;
/// Bits of a hash.
const HASH_BITS: u32 = 44;

/// Where words were looked up: a number for each text, and one for all.
pub type LookupScope = u32;

/// Everywhere.
pub const ANYWHERE: LookupScope = (1 << 30) - 1;
/// Added to where words were looked up with few differences: a hit has a run of the words
/// somewhere.
const FREELY: LookupScope = 1 << 30;
/// Added to where these runs were looked up.
const FREE_RUNS: LookupScope = 1 << 31;
/// Characters of a run.
const RUN_CHARS: usize = 4;
/// Characters on each side of a change in which such a run is looked for, and short words.
const NEAR_CHARS: usize = 36;
/// In more characters, short words are not looked for: too many are there.
const MAX_NEW_CHARS: usize = 4 * NEAR_CHARS;

/// What one document looked up in others.
#[derive(Clone, Debug, Default)]
pub struct Lookups {
    /// Hashes of words, each with where they were looked up.
    sought: FxHashSet<(u64, LookupScope)>,
    /// Short words that were looked up with differences, with how many, and where.
    lenient: BTreeMap<(String, u8), BTreeSet<LookupScope>>,
    read: BTreeMap<(LookupScope, u8), Vec<(u32, u32)>>,
    weighed: BTreeSet<char>,
}

/// The same, as it is stored.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct KeptLookups {
    /// The hashes are below this.
    below: u64,
    /// What was looked up in the same places. Most words are sought in all witnesses of a work, so
    /// that these lists are few.
    sought: Vec<SoughtTogether>,
    lenient: Vec<LenientTogether>,
    read: BTreeMap<(LookupScope, u8), Steps>,
    weighed: String,
}

/// Words that were looked up in the same places.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SoughtTogether {
    /// Where.
    scopes: Steps,
    /// Their hashes.
    hashes: Steps,
}

/// Short words that were looked up with differences in the same places.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LenientTogether {
    /// Where.
    scopes: Steps,
    /// The words, each with how many differences.
    words: Vec<(String, u8)>,
}

fn hash(chars: &[char]) -> u64 {
    let mut hasher = FxHasher::default();
    chars.hash(&mut hasher);
    // The upper half is the better one.
    hasher.finish() >> (u64::BITS - HASH_BITS)
}

impl Lookups {
    /// Words were looked up with at most `max_diff` differences. What changes a hit has a run of
    /// them if there are none, else one of their characters: one that is replaced between two
    /// differences makes no pair.
    pub fn seek(&mut self, scope: LookupScope, words: &[char], max_diff: usize) {
        // Of one piece more than there are differences, a hit has one whole. These need not be
        // pieces of all words: around any character, so many are enough.
        let pieces = RUN_CHARS * (max_diff + 1);
        match words.len() {
            n if max_diff == 0 && n > 1 => self.runs(scope, words, n.min(RUN_CHARS)),
            n if n >= pieces && pieces + max_diff < NEAR_CHARS => {
                self.pairs(scope | FREELY, words);
                self.characters(scope | FREELY, words);
                self.runs(scope | FREE_RUNS, words, RUN_CHARS);
            }
            n if max_diff > 0 && n + max_diff < NEAR_CHARS => {
                let lenient = (words.iter().collect(), max_diff as u8);
                self.lenient.entry(lenient).or_default().insert(scope);
            }
            _ => {
                self.pairs(scope, words);
                self.characters(scope, words);
            }
        }
    }

    /// Pairs of characters of some words were looked up.
    pub fn pairs(&mut self, scope: LookupScope, words: &[char]) {
        self.sought.extend(words.windows(2).map(|pair| (hash(pair), scope)));
    }

    /// Each character of some words was looked up.
    pub fn characters(&mut self, scope: LookupScope, words: &[char]) {
        self.sought.extend(words.chunks(1).map(|c| (hash(c), scope)));
    }

    fn runs(&mut self, scope: LookupScope, words: &[char], length: usize) {
        self.sought.extend(words.windows(length).map(|run| (hash(run), scope)));
    }

    /// Characters of a stream of a text were read.
    pub fn read(&mut self, text: usize, stream: Stream, range: Range<usize>) {
        let short = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let all = self.read.entry((text as LookupScope, stream as u8)).or_default();
        all.push((short(range.start), short(range.end)));
    }

    /// It was asked how rare some characters are.
    pub fn weigh(&mut self, words: &[char]) {
        self.weighed.extend(words);
    }
}

impl KeptLookups {
    /// Lookups, to be stored.
    pub fn of(lookups: Lookups) -> Self {
        let mut all: Vec<_> = lookups.sought.into_iter().collect();
        all.sort_unstable();
        let words = || all.chunk_by(|x, y| x.0 == y.0);
        let below = (words().count() * ONE_IN) as u64;
        let mut together: BTreeMap<Vec<u64>, Vec<u64>> = BTreeMap::new();
        for of_word in words() {
            let scopes = of_word.iter().map(|(_, scope)| u64::from(*scope)).collect();
            together.entry(scopes).or_default().push(of_word[0].0 % below);
        }
        let sought = together.into_iter().map(|(scopes, mut hashes)| {
            hashes.sort_unstable();
            hashes.dedup();
            SoughtTogether { scopes: Steps::of(&scopes), hashes: Steps::of(&hashes) }
        });
        let mut by_scopes: BTreeMap<Vec<u64>, Vec<(String, u8)>> = BTreeMap::new();
        for (words, scopes) in lookups.lenient {
            let scopes = scopes.into_iter().map(u64::from).collect();
            by_scopes.entry(scopes).or_default().push(words);
        }
        let lenient = by_scopes
            .into_iter()
            .map(|(scopes, words)| LenientTogether { scopes: Steps::of(&scopes), words });
        let (sought, lenient) = (sought.collect(), lenient.collect());
        let read = lookups.read.into_iter().map(|(of, ranges)| (of, borders(joined(ranges))));
        let weighed = lookups.weighed.into_iter().collect();
        KeptLookups { below, sought, lenient, read: read.collect(), weighed }
    }
}

/// Ranges in order, with something between them.
fn joined(mut ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let mut joined: Vec<(u32, u32)> = vec![];
    for (from, to) in ranges {
        match joined.last_mut() {
            Some(last) if from <= last.1.saturating_add(1) => last.1 = last.1.max(to),
            _ => joined.push((from, to.max(from))),
        }
    }
    joined
}

/// The borders of such ranges. An end counts as one more, so that they rise even if a range is
/// empty.
fn borders(ranges: Vec<(u32, u32)>) -> Steps {
    let of_range = |(from, to): &(u32, u32)| [u64::from(*from), u64::from(*to) + 1];
    Steps::of(&ranges.iter().flat_map(of_range).collect::<Vec<_>>())
}

/// What changed in a stream of a text.
#[derive(Clone, Debug)]
pub struct ChangedStream {
    /// Which text, by its number.
    text: usize,
    /// Which stream.
    stream: Stream,
    /// The characters that changed, in the text before and after.
    ranges: [Range<usize>; 2],
    /// These characters.
    changed: FxHashSet<char>,
    /// Their pairs, also with those beside them.
    pairs: FxHashSet<[char; 2]>,
    /// Three of them, likewise.
    triples: Vec<[char; 3]>,
    /// Their runs, also with those beside them.
    runs: Vec<[char; RUN_CHARS]>,
    /// Runs near them.
    near: Vec<[char; RUN_CHARS]>,
    /// The text after the change, with what is near it.
    new: Vec<char>,
}

impl ChangedStream {
    /// A stream of a text before and after, with the ranges of it that changed.
    pub fn of(
        (text, stream): (usize, Stream),
        streams: [&[char]; 2],
        ranges: [Range<usize>; 2],
    ) -> Self {
        let same = streams[0][ranges[0].clone()] == streams[1][ranges[1].clone()];
        // If the characters are the same, the change is between them.
        let sides = || (0..2).filter(|_| !same).map(|n| (streams[n], &ranges[n]));
        ChangedStream {
            changed: sides().flat_map(|(all, r)| all[r.clone()].to_vec()).collect(),
            pairs: sides().flat_map(|(all, r)| grams(all, r, 1)).collect(),
            triples: sides().flat_map(|(all, r)| grams(all, r, 2)).collect(),
            runs: sides().flat_map(|(all, r)| grams(all, r, RUN_CHARS - 1)).collect(),
            // Only a new hit needs them: an old one was read.
            near: sides().skip(1).flat_map(|(all, r)| grams(all, r, NEAR_CHARS)).collect(),
            new: sides()
                .skip(1)
                .flat_map(|(all, r)| all[around(all, r, NEAR_CHARS)].to_vec())
                .collect(),
            text,
            stream,
            ranges,
        }
    }
}

/// The grams of a range and of some characters on each side of it.
fn grams<const N: usize>(
    all: &[char],
    range: &Range<usize>,
    beside: usize,
) -> impl Iterator<Item = [char; N]> {
    all[around(all, range, beside)].windows(N).filter_map(|gram| gram.try_into().ok())
}

fn around(all: &[char], range: &Range<usize>, beside: usize) -> Range<usize> {
    range.start.saturating_sub(beside)..(range.end + beside).min(all.len())
}

impl ChangedStream {
    /// True if there may be new places of some words with so many differences.
    fn may_have(&self, words: &str, max_diff: usize) -> bool {
        let words: Vec<char> = words.chars().collect();
        let is_part = words.iter().any(|c| self.changed.contains(c))
            || words.windows(2).any(|pair| self.pairs.contains(pair));
        is_part
            && (self.new.len() > MAX_NEW_CHARS
                || !find_within(&self.new, 0..self.new.len(), &words, max_diff).is_empty())
    }
}

impl KeptLookups {
    /// True if what a document looked up may be different after some changes. `rarer` are the
    /// characters that are rarer or commoner than before.
    pub fn are_concerned(&self, changes: &[ChangedStream], rarer: &FxHashSet<char>) -> bool {
        if self.weighed.chars().any(|c| rarer.contains(&c)) {
            return true;
        }
        if changes.iter().any(|c| self.has_read(c)) {
            return true;
        }
        let known = self.known(changes);
        let sought = |scope: LookupScope, chars: &[char]| {
            self.below > 0 && known.contains(&(hash(chars) % self.below, scope))
        };
        changes.iter().any(|c| {
            let by_pair = |scope| {
                c.pairs.iter().any(|p| sought(scope, p))
                    || c.changed.iter().any(|c| sought(scope, &[*c]))
            };
            let by_run = |scope| {
                c.triples.iter().any(|r| sought(scope, r))
                    || c.runs.iter().any(|r| sought(scope, r))
            };
            let freely = |scope| {
                by_pair(scope | FREELY) && c.near.iter().any(|r| sought(scope | FREE_RUNS, r))
            };
            let scopes = [c.text as LookupScope, ANYWHERE];
            scopes.into_iter().any(|scope| by_pair(scope) || by_run(scope) || freely(scope))
                || self.has_sought(c)
        })
    }

    /// True if short words were looked up that may be in a text since it changed.
    fn has_sought(&self, change: &ChangedStream) -> bool {
        let here = [change.text as u64, u64::from(ANYWHERE)];
        self.lenient.iter().any(|together| {
            let mut is_here = false;
            together.scopes.among(&here, |_| is_here = true);
            is_here && together.words.iter().any(|(w, max)| change.may_have(w, usize::from(*max)))
        })
    }

    /// True if something was read where a text changed.
    fn has_read(&self, change: &ChangedStream) -> bool {
        let Some(read) = self.read.get(&(change.text as LookupScope, change.stream as u8)) else {
            return false;
        };
        let borders: Vec<u64> = read.iter().collect();
        borders.chunks_exact(2).any(|read| {
            let [from, to] = [read[0], read[1] - 1].map(|at| at as usize);
            change.ranges.iter().any(|r| from <= r.end && r.start <= to)
        })
    }

    /// Those of the hashes that decide whether some changes concern the document which are known,
    /// each with where it was looked up.
    fn known(&self, changes: &[ChangedStream]) -> FxHashSet<(u64, LookupScope)> {
        let mut known = FxHashSet::default();
        if self.below == 0 {
            return known;
        }
        let asked = self.asked(changes);
        let scopes = changes.iter().map(|c| c.text as LookupScope).chain([ANYWHERE]);
        let scopes = scopes.flat_map(|scope| [scope, scope | FREELY, scope | FREE_RUNS]);
        let mut scopes: Vec<u64> = scopes.map(u64::from).collect();
        scopes.sort_unstable();
        scopes.dedup();
        for together in &self.sought {
            let mut here: Vec<LookupScope> = vec![];
            together.scopes.among(&scopes, |scope| here.push(scope as LookupScope));
            if !here.is_empty() {
                let add = |hash| known.extend(here.iter().map(|scope| (hash, *scope)));
                together.hashes.among(&asked, add);
            }
        }
        known
    }

    /// These hashes, in order.
    fn asked(&self, changes: &[ChangedStream]) -> Vec<u64> {
        let mut asked = vec![];
        let mut ask = |chars: &[char]| asked.push(hash(chars) % self.below);
        for c in changes {
            c.pairs.iter().for_each(|p| ask(p));
            c.changed.iter().for_each(|c| ask(&[*c]));
            c.triples.iter().for_each(|r| ask(r));
            c.runs.iter().chain(&c.near).for_each(|r| ask(r));
        }
        asked.sort_unstable();
        asked.dedup();
        asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(words: &str) -> Vec<char> {
        words.chars().collect()
    }

    /// A change after some characters, before others.
    fn changed(text: usize, at: usize, before: &str, after: &str) -> ChangedStream {
        let filler = |from: u32, n: usize| {
            (from..).filter_map(char::from_u32).take(n).collect::<Vec<char>>()
        };
        let whole = |words: &str| [filler(0x3400, at), chars(words), filler(0x3a00, 300)].concat();
        let ranges = [before, after].map(|w| at..at + w.chars().count());
        let (old, new) = (whole(before), whole(after));
        ChangedStream::of((text, Stream::Base), [&old, &new], ranges)
    }

    #[test]
    fn a_change_concerns_who_sought_its_words_or_read_its_place() {
        let mut lookups = Lookups::default();
        lookups.seek(3, &chars("司射適堂西"), 1);
        lookups.seek(ANYWHERE, &chars("有朋自遠方來"), 0);
        lookups.seek(ANYWHERE, &chars("君子不重則不威學則不固主忠信"), 0);
        lookups.seek(ANYWHERE, &chars("天命之謂性率性之謂道修道之謂教道也者"), 1);
        lookups.seek(5, &chars("子曰學"), 0);
        lookups.seek(5, &chars("逝者如斯夫不舍晝夜"), 1);
        lookups.read(3, Stream::Base, 100..120);
        lookups.read(3, Stream::Base, 110..140);
        lookups.weigh(&chars("司射"));
        let kept = KeptLookups::of(lookups);
        let concerned = |c: ChangedStream| kept.are_concerned(&[c], &FxHashSet::default());
        assert!(concerned(changed(3, 0, "甲乙丙丁戊", "司射適甲西")), "one difference");
        assert!(!concerned(changed(3, 0, "甲乙丙丁戊", "司射乙甲西")), "two differences");
        assert!(!concerned(changed(4, 0, "甲乙丙丁戊", "司射適甲西")), "another text");
        assert!(concerned(changed(4, 0, "甲乙丙", "朋自遠方丁")), "sought exactly");
        assert!(!concerned(changed(4, 0, "甲乙丙", "朋自遠丁戊")), "no run of it");
        assert!(concerned(changed(4, 0, "甲乙丙", "天命之謂丁率性之謂道")), "sought freely");
        assert!(!concerned(changed(4, 0, "甲乙丙", "天命之丁性率丁之謂")), "no run near");
        assert!(concerned(changed(5, 0, "甲乙丙", "子曰學")), "three exactly");
        assert!(!concerned(changed(5, 0, "甲子曰", "乙曰學")), "two of three");
        assert!(concerned(changed(5, 0, "甲乙丙", "逝者如斯丁夫不")), "sought freely there");
        assert!(!concerned(changed(5, 0, "甲乙丙", "逝者如丁夫不")), "no run there");
        assert!(concerned(changed(3, 130, "甲乙丙", "甲丁丙")), "read");
        assert!(!concerned(changed(3, 150, "甲乙丙", "甲丁丙")));
        assert!(kept.are_concerned(&[], &FxHashSet::from_iter(['射'])));
        assert!(!kept.are_concerned(&[], &FxHashSet::from_iter(['西'])));
    }

    #[test]
    fn nothing_concerns_who_looked_up_nothing() {
        let kept = KeptLookups::of(Lookups::default());
        assert!(!kept.are_concerned(&[changed(0, 0, "甲", "乙")], &FxHashSet::from_iter(['甲'])));
    }
}
