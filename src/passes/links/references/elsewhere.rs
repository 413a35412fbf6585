//! Finds quoted words elsewhere in the chapter, or in another text.

use super::rules::Rule;
use std::ops::Range;

use super::place::{MAX_ALTERNATIVES, MAX_WEIGHED_PLACES, PlaceFinder};
use super::runs;
use super::sought::{FoundPlace, SoughtWords, tolerance};
use crate::corpus::index::Indexed;
use crate::corpus::view::{Stream, View};
use crate::corpus::works::Named;
use crate::model::{Document, EvidenceKind, Status, Target};
use crate::source::Span;
use crate::text::Key;
use crate::text::find::Hit;

/// Range of 上文 and 下文 in characters; the longest chapters are shorter.
const MAX_REACH_CHARS: usize = 1 << 16;
/// Most other texts of the chapter that are looked through for what this one lacks.
const MAX_WITNESSES: usize = 8;
/// Fewest characters of a quotation that is searched in all chapters when none is named.
const MIN_UNNAMED_CHARS: usize = 6;
/// The same if one other work has them and no more. What this work has elsewhere is often a formula.
const MIN_LONE_CHARS: usize = 4;

/// Words of so many places in all may be in several works.
const MAX_LONE_PLACES: usize = 3;
/// Most differences of such a quotation.
const MAX_UNNAMED_DIFFERENCES: usize = 4;

/// The same for the rest of the chapter.
const FAR_CERTAINTY: f64 = 0.4;

impl PlaceFinder<'_> {
    /// Looks in all other chapters, if none is named, and returns which; only for words too long to
    /// recur there by chance.
    pub fn in_other_chapter(&self, words: &SoughtWords) -> Option<(FoundPlace, Option<Named>)> {
        let n = words.len();
        if n < MIN_LONE_CHARS {
            return None;
        }
        // Of the pieces between the differences, one has at least four characters.
        let max = (n / MIN_LONE_CHARS - 1).min(MAX_UNNAMED_DIFFERENCES);
        let hits = self.index.anywhere(&words.key.chars, max, MAX_WEIGHED_PLACES);
        let elsewhere = |entry: usize| {
            entry != self.entry
                && (self.home.is_none() || self.index.entries[entry].named != self.home)
        };
        let mut hits: Vec<_> = hits
            .into_iter()
            .filter(|(p, _)| p.stream != Stream::Commentary && elsewhere(p.entry))
            .collect();
        let work = |e: usize| self.index.entries[e].named.as_ref().map(|n| n.work.as_str());
        hits.sort_by_key(|(p, h)| (h.diff, work(p.entry) != self.work(), p.stream));
        let (part, first) = hits.first()?;
        let theirs = work(part.entry);
        let of_work = |w| hits.iter().filter(|(p, _)| work(p.entry) == w).count();
        let is_alone = || {
            of_work(self.work()) == 0
                && (of_work(theirs) == hits.len() || hits.len() <= MAX_LONE_PLACES)
        };
        if n < MIN_UNNAMED_CHARS && !(Rule::LoneChapter.on() && is_alone()) {
            return None;
        }
        let e = &self.index.entries[part.entry];
        let mut found = self.found(
            Some(e),
            &e.document,
            &e.view,
            &[(part.stream, *first)],
            words,
            EvidenceKind::FoundInCorpus,
        )?;
        let others = hits.iter().skip(1).take(MAX_ALTERNATIVES).map(|(p, h)| {
            let e = &self.index.entries[p.entry];
            Target {
                doc: Some(e.document.id.as_str().into()),
                span: e.view.stretch(&e.document, p.stream, h),
            }
        });
        found.alternatives = others.collect();
        found.certainty -= 0.12 + 0.08 * f64::from(u8::from(!found.alternatives.is_empty()));
        Some((found, e.named.clone()))
    }

    /// Looks for the nearest place before byte `before` of this text, then in other texts of the
    /// chapter.
    pub fn earlier(&self, before: usize, words: &SoughtWords, strict: bool) -> Option<FoundPlace> {
        let max = if strict { 0 } else { tolerance(words.len()).min(words.len() / 4) };
        let hits = self.both(
            self.entry,
            |s| behind(self.view.stream(s).index_at(before)),
            words,
            max,
            true,
        );
        let here = self.found(
            None,
            self.document,
            self.view,
            &hits,
            words,
            EvidenceKind::EarlierInChapter,
        );
        here.or_else(|| {
            self.mostly(|s| behind(self.view.stream(s).index_at(before)), words, true)
                .filter(|_| Rule::Mostly.on())
        })
    }

    /// Looks for exactly these words before the passage, else after it, in the classic and its notes.
    pub fn nearest_in_chapter(&self, passage: Span, words: &SoughtWords) -> Option<FoundPlace> {
        let at = |s: Stream, byte| self.view.stream(s).index_at(byte);
        let before = self.both(self.entry, |s| behind(at(s, passage.start())), words, 0, true);
        let hits = match before.is_empty() {
            true => self.both(self.entry, |s| ahead(at(s, passage.end())), words, 0, false),
            false => before,
        };
        let how = EvidenceKind::SameChapter;
        let found = self.found(None, self.document, self.view, &hits, words, how)?;
        Some(FoundPlace { certainty: FAR_CERTAINTY, ..found })
    }

    /// Exactly these words in a stream of this text, the next place after byte `at` or before it.
    pub fn next_in(
        &self,
        stream: Stream,
        at: usize,
        words: &SoughtWords,
        back: bool,
    ) -> Option<FoundPlace> {
        let at = self.view.stream(stream).index_at(at);
        let range = if back { behind(at) } else { ahead(at) };
        let hits = self.near(self.entry, stream, range, &words.key.chars, 0, back);
        let how = EvidenceKind::SameChapter;
        let hit = hits.into_iter().next()?;
        self.found(None, self.document, self.view, &[(stream, hit)], words, how)
    }

    /// The nearest place before byte `end` where the classic has `word`, or almost has it if only the other reading is
    /// given.
    pub fn word_before(&self, word: Span, end: usize, exact: bool) -> Option<FoundPlace> {
        let key = Key::of(self.document.source.text(), word).chars;
        let window = self.view.base.index_at(end);
        let start = window.saturating_sub(if exact { 80 } else { 40 });
        let from = self.view.base.get(start).unwrap_or(end).min(end);
        let max = if exact { 0 } else { 2.min(key.len() / 3) };
        let hits = self.view.find(Stream::Base, from..end, &key, max);
        let hit = hits.into_iter().min_by_key(|h| (h.diff, std::cmp::Reverse(h.from)))?;
        let status = if hit.diff == 0 { Status::Exact } else { Status::Variant };
        let span = self.view.stretch(self.document, Stream::Base, &hit);
        Some(FoundPlace {
            target: Target { doc: None, span },
            status,
            certainty: if exact { 0.9 } else { 0.75 },
            how: EvidenceKind::WordOfTheClassicBefore,
            alternatives: vec![],
            diff: 0,
            differs: None,
        })
    }

    /// The nearest place with eight of the characters in a row, or at least four if they are two
    /// thirds of them.
    fn mostly(
        &self,
        range: impl Fn(Stream) -> Range<usize>,
        words: &SoughtWords,
        back: bool,
    ) -> Option<FoundPlace> {
        let run = |s: Stream| {
            runs::nearest_long(self.index, self.entry, s, range(s), &words.key.chars, back)
                .map(|h| (s, h))
        };
        let hit = [Stream::Base, Stream::Notes]
            .into_iter()
            .filter_map(run)
            .max_by_key(|(_, h)| h.to - h.from)?;
        let n = hit.1.to - hit.1.from;
        let enough = n >= 8 || n >= 4 && n * 3 >= words.len() * 2;
        let found = self
            .found(None, self.document, self.view, &[hit], words, EvidenceKind::LongestCommonRun)
            .filter(|_| enough)?;
        Some(FoundPlace { status: Status::Paraphrase, certainty: 0.6, ..found })
    }

    /// Looks for the next place after byte `after` of this text, then in other texts of the
    /// chapter.
    pub fn later(&self, after: usize, words: &SoughtWords, strict: bool) -> Option<FoundPlace> {
        let max = if strict { 0 } else { tolerance(words.len()).min(words.len() / 4) };
        let hits = self.both(
            self.entry,
            |s| ahead(self.view.stream(s).index_at(after)),
            words,
            max,
            false,
        );
        let here =
            self.found(None, self.document, self.view, &hits, words, EvidenceKind::LaterInChapter);
        here.or_else(|| {
            self.mostly(|s| ahead(self.view.stream(s).index_at(after)), words, false)
                .filter(|_| Rule::Mostly.on())
        })
    }

    /// A paraphrase of `words` before (`back`) or after byte `at`: the nearest place that shares
    /// the longest run with them, at least three characters, or two that are rare in this text. If
    /// `back`, then in other texts of the chapter, from their end.
    pub fn retold(&self, at: usize, words: &SoughtWords, back: bool) -> Option<FoundPlace> {
        let here = self.view.base.index_at(at);
        let range = if back { behind(here) } else { ahead(here) };
        if let Some(hit) =
            runs::nearest(self.index, self.entry, Stream::Base, range, &words.key.chars, back)
        {
            return self.paraphrase(None, self.document, self.view, hit, words);
        }
        let home = self.home.as_ref().filter(|h| h.chapter.is_some())?;
        let others = self
            .index
            .of_chapter(home, &self.document.id)
            .filter(|e| back && e.chapter().is_some());
        others.into_iter().take(MAX_WITNESSES).find_map(|e| {
            let hit = runs::nearest(
                self.index,
                e.number,
                Stream::Base,
                behind(e.view.base.len()),
                &words.key.chars,
                true,
            )?;
            self.paraphrase(Some(e), &e.document, &e.view, hit, words)
        })
    }

    /// The clauses around a hit, if they share enough characters with `words`.
    fn paraphrase(
        &self,
        entry: Option<&Indexed>,
        document: &Document,
        view: &View,
        hit: Hit,
        words: &SoughtWords,
    ) -> Option<FoundPlace> {
        let mut found = self.found(
            entry,
            document,
            view,
            &[(Stream::Base, hit)],
            words,
            EvidenceKind::SharedWords,
        )?;
        if let Some(segment) =
            document.segment_at(found.target.span.start()).map(|i| document.segments[i].span)
        {
            let clauses = crate::text::clauses(document.source.text(), segment);
            let holds = clauses.iter().filter(|c| c.overlap(found.target.span) > 0);
            let clause = holds
                .copied()
                .reduce(|a, b| Span::new(a.start(), b.end()))
                .filter(|c| c.len() < 120);
            found.target.span = clause.map_or(found.target.span, |c| inner(document, c));
        }
        let clause = Key::of(document.source.text(), found.target.span).chars;
        let shared = words.key.chars.iter().filter(|c| clause.contains(c)).count();
        if shared * 20 < words.len() * 9 {
            return None;
        }
        found.status = Status::Paraphrase;
        found.certainty = 0.55;
        Some(found)
    }
}

/// A span without punctuation at its ends.
fn inner(document: &Document, span: Span) -> Span {
    let key = Key::of(document.source.text(), span);
    if key.is_empty() { span } else { key.span(0, key.len()) }
}

/// The characters before the `at`th that 上文 may mean.
fn behind(at: usize) -> Range<usize> {
    at.saturating_sub(MAX_REACH_CHARS)..at
}

/// The characters from the `at`th on that 下文 may mean.
fn ahead(at: usize) -> Range<usize> {
    at..at.saturating_add(MAX_REACH_CHARS)
}
