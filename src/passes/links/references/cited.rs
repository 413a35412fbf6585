//! Finds the words of a citation in the work or chapter that it names.

use super::rules::Rule;
use std::ops::Range;

use rustc_hash::FxHashSet;

use super::alike::Aligner;
use super::locate::{CitedSource, Located, MIN_OF_ANY};
use super::place::{MAX_WEIGHED_PLACES, PlaceFinder, whole_if_short};
use super::sought::{FoundPlace, SoughtWords, tolerance};
use super::years;
use crate::corpus::index::Indexed;
use crate::corpus::view::Stream;
use crate::corpus::works::Named;
use crate::model::{EvidenceKind, Status, Target};
use crate::source::Span;
use crate::text::find::Hit;
use crate::text::{Key, PackedKey};

/// Fewest characters of what is said to be in the notes, and is in the classic.
const MIN_OTHER_CHARS: usize = 6;
/// Characters on each side of a place that are compared with those of another.
const CONTEXT_CHARS: usize = 40;
/// Quotations of fewer characters are found exactly or by alignment.
const MIN_LENIENT_CHARS: usize = 5;

impl PlaceFinder<'_> {
    /// Looks for a quotation in the texts of a work and chapter.
    pub fn cited(&self, source: CitedSource<'_>, words: &SoughtWords) -> Option<FoundPlace> {
        let found = self.cited_in_others(source, words)?;
        Some(
            self.same_passage_here(&found, words)
                .filter(|_| Rule::SamePassageHere.on())
                .unwrap_or(found),
        )
    }

    /// The place in this text of a passage that was found in another copy of its work.
    fn same_passage_here(&self, found: &FoundPlace, words: &SoughtWords) -> Option<FoundPlace> {
        let copy = self.index.get(found.target.doc.as_ref()?)?;
        let (home, there) = (self.home.as_ref()?, copy.named.as_ref()?);
        // Chapters of a work that tell alike are no copies of each other.
        let is_copy = home.work == there.work
            && (home.chapter == there.chapter || home.chapter.is_none() || there.chapter.is_none());
        if found.status != Status::Exact || !is_copy {
            return None;
        }
        let there = &copy.view.base;
        let range =
            copy.view.range(Stream::Base, found.target.span.start()..found.target.span.end());
        let hit = Hit { from: range.start, to: range.end, diff: 0 };
        let pairs: FxHashSet<[char; 2]> =
            there.chars()[around(there, &hit)].windows(2).map(|w| [w[0], w[1]]).collect();
        let hits = self.near(self.entry, Stream::Base, 0..usize::MAX, &words.key.chars, 0, false);
        let alike = |hit: &Hit| likeness(&pairs, &self.view.base, hit);
        let best = hits.into_iter().max_by_key(|h| (alike(h), std::cmp::Reverse(h.from)))?;
        if alike(&best) * 2 < pairs.len() {
            return None;
        }
        let how = found.how.clone();
        self.found(None, self.document, self.view, &[(Stream::Base, best)], words, how)
    }

    /// Looks for a quotation in the year of a source: exactly, or with few differences if it is not short.
    pub fn cited_in_year(
        &self,
        source: CitedSource<'_>,
        words: &SoughtWords,
    ) -> Option<FoundPlace> {
        let found = source.year.and_then(|_| self.whole(source, words))?;
        Some(
            self.same_passage_here(&found, words)
                .filter(|_| Rule::SamePassageHere.on())
                .unwrap_or(found),
        )
    }

    fn cited_in_others(&self, source: CitedSource<'_>, words: &SoughtWords) -> Option<FoundPlace> {
        let whole = self.whole(source, words);
        let found = match whole {
            Some(w) if w.status == Status::Exact => Some(w),
            whole => self.aligned(source, words, MIN_OF_ANY).map(|(f, _)| f).or(whole),
        };
        // The year before a title may be that of something else.
        let elsewhere = CitedSource { year: None, ..source };
        found.or_else(|| {
            source
                .year
                .filter(|_| Rule::BeyondYear.on())
                .and_then(|_| self.cited_in_others(elsewhere, words))
        })
    }

    /// What is cited, with the chapter in which the words are where the text names only the work: 《詩》云 is from a poem,
    /// 《左傳》云 from the years of a duke. Chapters of works that are seldom cited alone are named only if they have the
    /// words exactly and no other chapter does.
    pub fn narrowed(&self, cited: &Named, place: &Target, status: Status) -> Named {
        let entry = match &place.doc {
            Some(id) => self.index.get(id).and_then(|e| e.named.as_ref()),
            None => self.home.as_ref(),
        };
        let is_cited_alone = self.index.works.work(&cited.work).is_some_and(|w| w.bare)
            || years::is_annals(Some(&cited.work));
        let names_chapter = || {
            is_cited_alone
                || Rule::OnlyChapter.on()
                    && status == Status::Exact
                    && self.is_only_chapter(cited, place)
        };
        // 梁惠王上 of the part 梁惠王 is no finer name, 思齊 of 大雅 is one.
        let is_finer = |n: &Named| match (&cited.part, &n.part, &n.chapter) {
            (None, _, chapter) => chapter.is_some(),
            (Some(cited), Some(part), Some(chapter)) => {
                cited == part && !chapter.starts_with(part.as_str())
            }
            _ => false,
        };
        let finer = |n: &&Named| n.work == cited.work && is_finer(n);
        let entry = entry.filter(|_| cited.chapter.is_none()).filter(finer);
        entry.filter(|_| names_chapter()).unwrap_or(cited).clone()
    }

    /// True if no other chapter of what is cited has the words at a place.
    fn is_only_chapter(&self, cited: &Named, place: &Target) -> bool {
        let there = place.doc.as_ref().and_then(|id| self.index.get(id));
        let source = there.map_or(&self.document.source, |entry| &entry.document.source);
        let words = Key::of(source.text(), place.span).chars;
        let named = there.map_or(self.home.as_ref(), |entry| entry.named.as_ref());
        let others = self.index.of_chapter(cited, &self.document.id);
        let others = others.filter(|entry| entry.named.as_ref() != named);
        let places: Vec<_> = others.map(|entry| (entry.number, 0..usize::MAX)).collect();
        self.index.find_each(&places, Stream::Base, &words, 0).iter().all(Vec::is_empty)
    }

    /// Why a citation of a work or chapter has no place.
    pub fn absence(&self, cited: &Named) -> EvidenceKind {
        let mut texts = self.index.of_chapter(cited, &self.document.id);
        let here = texts.next().is_some() || self.home.as_ref() == Some(cited);
        if here { EvidenceKind::NoWords } else { EvidenceKind::NotInCorpus }
    }

    /// True if a place has half of some words. What is in marks is quoted, not retold.
    pub fn covers(&self, found: &FoundPlace, words: &SoughtWords) -> bool {
        let copy = found.target.doc.as_ref().and_then(|id| self.index.get(id));
        let source = copy.map_or(&self.document.source, |e| &e.document.source);
        let mut there = Key::of(source.text(), found.target.span).chars;
        let has = |c: &&char| {
            let at = there.iter().position(|t| t == *c);
            at.map(|at| there.swap_remove(at)).is_some()
        };
        let kept = words.key.chars.iter().filter(has).count();
        kept * 2 >= words.len().min(Aligner::MAX_WORDS)
    }

    /// The whole quotation, with few differences.
    fn whole(&self, source: CitedSource<'_>, words: &SoughtWords) -> Option<FoundPlace> {
        let max = if words.len() < MIN_LENIENT_CHARS { 0 } else { tolerance(words.len()) };
        self.whole_within(source, words, max)
    }

    /// The whole quotation, with at most `max` differences.
    pub fn whole_within(
        &self,
        source: CitedSource<'_>,
        words: &SoughtWords,
        max: usize,
    ) -> Option<FoundPlace> {
        let CitedSource { named, stream, near, year } = source;
        let other = if stream == Stream::Base { Stream::Notes } else { Stream::Base };
        // Of the traditions of one classic the one that is explained comes first.
        let is_other = |e: &&Indexed| self.work() != e.named.as_ref().map(|n| n.work.as_str());
        let mut entries: Vec<&Indexed> = self.index.of_chapter(named, &self.document.id).collect();
        entries.sort_by_key(is_other);
        let streams = [stream, other];
        let near_each = |s| self.near_each(&entries, (s, year), &words.key.chars, max);
        let found = near_each(stream);
        // Nothing is nearer than exactly the words in the layer that is cited.
        let is_exact = found.iter().flatten().any(|h| h.diff == 0) && words.len() > 1;
        let others = if is_exact { vec![vec![]; entries.len()] } else { near_each(other) };
        let found = [found, others];
        let mut best: Option<(usize, FoundPlace)> = None;
        for (e, [own, notes]) in
            entries.iter().zip(found[0].iter().zip(&found[1]).map(<[_; 2]>::from))
        {
            for (n, (s, hits)) in streams.into_iter().zip([own, notes]).enumerate() {
                let Some(diff) = hits.iter().map(|h| h.diff).min() else { continue };
                if stream == Stream::Notes && n > 0 && (diff > 0 || words.len() < MIN_OTHER_CHARS) {
                    continue;
                }
                let cost = diff * 2 + n;
                if best.as_ref().is_some_and(|(c, _)| cost >= *c) {
                    continue;
                }
                let mut hits: Vec<_> =
                    hits.iter().filter(|h| h.diff == diff).map(|h| (s, *h)).collect();
                if hits.len() > 1 {
                    if words.len() < 2 {
                        continue;
                    }
                    let here = self.surroundings(near);
                    hits.sort_by_cached_key(|(s, h)| {
                        std::cmp::Reverse(likeness(&here, e.view.stream(*s), h))
                    });
                }
                let how = EvidenceKind::InCitedChapter;
                let place = self.found(Some(e), &e.document, &e.view, &hits, words, how);
                best = place.map(|f| (cost, f)).or(best);
            }
        }
        best.map(|(_, f)| f)
    }

    /// Exact hits in a stream of each of some texts; if none has any, hits with up to `max` differences.
    fn near_each(
        &self,
        entries: &[&Indexed],
        (stream, year): (Stream, Option<u32>),
        words: &[char],
        max: usize,
    ) -> Vec<Vec<Hit>> {
        let place = |e: &&Indexed| (e.number, years::range(e, stream, year));
        let places: Vec<_> = entries.iter().map(place).collect();
        let mut found = self.index.find_each(&places, stream, words, 0);
        found.iter_mut().for_each(|hits| hits.truncate(MAX_WEIGHED_PLACES));
        if max > 0 && found.iter().all(Vec::is_empty) {
            let nearly = self.index.find_each(&places, stream, words, max);
            return nearly.into_iter().map(|hits| whole_if_short(hits, words)).collect();
        }
        found
    }

    /// The place that some words repeat, exactly or in other words, and how much better it is than
    /// chance: `least` nats or more.
    pub fn aligned(
        &self,
        source: CitedSource<'_>,
        words: &SoughtWords,
        least: f32,
    ) -> Option<(FoundPlace, Located)> {
        let located = self.located_there(source, words, least)?;
        let clear = located.is_clear(&words.key.chars);
        clear.then(|| self.place_of(located, words)).flatten()
    }

    /// The place of a quotation in marks, in the source that the text names before it.
    pub fn quoted_from(&self, source: CitedSource<'_>, words: &SoughtWords) -> Option<FoundPlace> {
        let located = || {
            let located = self.located_there(source, words, MIN_OF_ANY)?;
            let placed = || self.place_of(located.clone(), words);
            (located.is_quoted() && Rule::QuotedAligned.on()).then(placed).flatten().map(|(f, _)| f)
        };
        self.cited(source, words).or_else(located)
    }

    /// The place that the text after a title repeats. A few words are enough if a verb introduces them (`is_said`) or they
    /// are a clause.
    pub fn aligned_after(
        &self,
        source: CitedSource<'_>,
        words: &SoughtWords,
        is_said: bool,
    ) -> Option<(FoundPlace, Located)> {
        let located = self.located_there(source, words, MIN_OF_ANY)?;
        let whole = || words.clauses().any(|c| c.end == located.words.end);
        let clear = located.is_clear(&words.key.chars)
            || Rule::FirstWordsAfterTitle.on() && located.has_first_words() && (is_said || whole());
        clear.then(|| self.place_of(located, words)).flatten()
    }

    /// The best place of words, if it is in the layer that is cited: a note that is not at hand
    /// often repeats words of its classic, which are then not what is meant.
    fn located_there(
        &self,
        source: CitedSource<'_>,
        words: &SoughtWords,
        least: f32,
    ) -> Option<Located> {
        let located = self.located(source, &words.key.chars, least.max(MIN_OF_ANY))?;
        let is_other = source.stream == Stream::Notes && located.stream == Stream::Base;
        (!is_other).then_some(located)
    }

    /// The place of words that the text says are from there.
    pub fn aligned_source(
        &self,
        source: CitedSource<'_>,
        words: &SoughtWords,
    ) -> Option<(FoundPlace, Located)> {
        let located = self.located(source, &words.key.chars, MIN_OF_ANY)?;
        let likely = located.is_likely() || located.is_clear(&words.key.chars);
        likely.then(|| self.place_of(located, words)).flatten()
    }

    /// A located place.
    pub fn place_of(&self, located: Located, words: &SoughtWords) -> Option<(FoundPlace, Located)> {
        let e = &self.index.entries[located.entry];
        let hit = Hit { from: located.text.start, to: located.text.end, diff: 0 };
        let how = EvidenceKind::LongestCommonRun;
        let mut found =
            self.found(Some(e), &e.document, &e.view, &[(located.stream, hit)], words, how)?;
        let whole = located.equal == words.len() && located.text.len() == words.len();
        found.status = if whole { Status::Exact } else { Status::Paraphrase };
        found.certainty = located.certainty();
        if e.number == self.entry {
            found.target.doc = None;
        }
        Some((found, located))
    }

    /// Pairs of characters in the passage at byte `at`, and in the commentary just before it.
    fn surroundings(&self, at: usize) -> FxHashSet<[char; 2]> {
        let mut pairs = FxHashSet::default();
        let Some(passage) = self.view.passage_at(at) else { return pairs };
        let text = self.document.source.text();
        let mut start = at.saturating_sub(180).max(passage.comment.start().min(at));
        while !text.is_char_boundary(start) {
            start += 1;
        }
        let around = [Key::of(text, passage.text), Key::of(text, Span::new(start, at.max(start)))];
        pairs.extend(around.iter().flat_map(|k| k.chars.windows(2).map(|w| [w[0], w[1]])));
        pairs
    }
}

/// A hit with the characters around it.
fn around(key: &PackedKey, hit: &Hit) -> Range<usize> {
    hit.from.saturating_sub(CONTEXT_CHARS)..(hit.to + CONTEXT_CHARS).min(key.len())
}

/// How many different pairs of characters around a hit are among `pairs`.
fn likeness(pairs: &FxHashSet<[char; 2]>, key: &PackedKey, hit: &Hit) -> usize {
    let here = key.chars()[around(key, hit)].windows(2).map(|w| [w[0], w[1]]);
    let mut shared: Vec<[char; 2]> = here.filter(|pair| pairs.contains(pair)).collect();
    shared.sort_unstable();
    shared.dedup();
    shared.len()
}
