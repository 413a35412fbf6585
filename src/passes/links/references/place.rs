//! Finds the place of quoted words: in the passage explained, elsewhere in the chapter, in another
//! text.

use std::collections::HashSet;
use std::ops::Range;

use super::runs;
use crate::corpus::index::{Index, Indexed};
use crate::corpus::view::{Passage, Stream, View};
use crate::corpus::works::Named;
use crate::model::{Document, Evidence, Status, Target};
use crate::passes::links::differs::{self, Side};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{ends_clause, ends_sentence, is_content};
use crate::text::find::Hit;
use crate::text::fold::fold;

/// A place found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Where.
    pub target: Target,
    /// How well.
    pub status: Status,
    /// How sure, 0 to 1.
    pub certainty: f64,
    /// Kebab-case name of how it was found.
    pub how: &'static str,
    /// Other places.
    pub alternatives: Vec<Target>,
    /// Characters that differ.
    pub diff: usize,
    /// Which.
    pub differs: Option<Evidence>,
}

/// How many characters 上文 and 下文 reach: the longest chapters are shorter.
const REACH: usize = 1 << 16;
/// Other places of the same words that a link lists.
const RIVALS: usize = 8;
/// Fewest characters of words that are looked for in all chapters where none is named.
const UNNAMED: usize = 6;
/// Most characters of words that are looked for in other words.
const LOOSE: usize = 40;
/// Places in a chapter cited that are weighed by what surrounds them.
const WEIGHED: usize = 64;

/// Looks words up around one document.
pub struct Places<'a> {
    /// The document.
    pub document: &'a Document,
    /// Its view.
    pub view: &'a View,
    /// Its number in the index.
    pub entry: usize,
    /// All texts.
    pub index: &'a Index,
}

/// Words to be found, and where their clauses end.
#[derive(Clone, Debug)]
pub struct Words {
    /// Their characters.
    pub key: Key,
    /// Ends of clauses, as indices into them; the last is their number.
    pub cuts: Vec<usize>,
}

impl Words {
    /// The words of a span.
    pub fn of(document: &Document, span: Span) -> Self {
        let text = document.source.text();
        let key = Key::of(text, span);
        let mut cuts = Vec::new();
        for i in 1..key.len() {
            let between = &text[key.ends[i - 1] as usize..key.at[i] as usize];
            if between.chars().any(|c| ends_clause(c) || ends_sentence(c)) {
                cuts.push(i);
            }
        }
        cuts.push(key.len());
        Words { key, cuts }
    }

    /// Number of characters.
    pub fn len(&self) -> usize {
        self.key.len()
    }

    /// The clauses.
    fn clauses(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.cuts.iter().scan(0, |from, &to| {
            let r = *from..to;
            *from = to;
            Some(r)
        })
    }
}

/// Differences let pass in `n` characters.
pub fn tolerance(n: usize) -> usize {
    match n {
        0..=2 => 0,
        3..=6 => 1,
        7..=11 => 2,
        _ => (n / 5).min(6),
    }
}

impl Places<'_> {
    /// In the passage explained. `prefer` is the stream the cue names; `after` where the quotation
    /// before was found.
    pub fn in_passage(
        &self,
        passage: &Passage,
        words: &Words,
        prefer: Option<Stream>,
        after: Option<usize>,
    ) -> Option<Found> {
        let bytes = passage.text.start()..passage.text.end();
        let streams = if prefer == Some(Stream::Notes) {
            [Stream::Notes, Stream::Base]
        } else {
            [Stream::Base, Stream::Notes]
        };
        let mut hits: Vec<(Stream, Hit)> = Vec::new();
        for stream in streams {
            let found =
                self.scanned(stream, bytes.clone(), &words.key.chars, tolerance(words.len()));
            hits.extend(found.into_iter().map(|h| (stream, h)));
        }
        let order = |(stream, h): &(Stream, Hit)| {
            let at = self.view.stream(*stream).at[h.from] as usize;
            (
                h.diff,
                *stream != streams[0] && (prefer.is_some() || words.len() < 4),
                after.is_some_and(|a| at < a),
                at,
            )
        };
        hits.sort_by_key(order);
        let best = hits.first()?.1.diff;
        hits.retain(|h| h.1.diff == best);
        self.found(None, self.document, self.view, &hits, words, "in-passage")
            .or_else(|| self.in_pieces(passage, words))
    }

    /// Of a place and its rivals in this text, the one beside which `subject` stands: 奇言若干 is
    /// 若干 next to 奇.
    pub fn beside(&self, mut found: Found, subject: Option<char>) -> Found {
        let (Some(subject), false) = (subject.map(fold), found.alternatives.is_empty()) else {
            return found;
        };
        let text = self.document.source.text();
        let stands = |t: &Target| {
            let before = text[..t.span.start()].chars().rev().find(|c| is_content(*c)).map(fold);
            let after = text[t.span.end()..].chars().find(|c| is_content(*c)).map(fold);
            t.doc.is_none() && (before == Some(subject) || after == Some(subject))
        };
        if !stands(&found.target)
            && let Some(i) = found.alternatives.iter().position(stands)
        {
            std::mem::swap(&mut found.target, &mut found.alternatives[i]);
        }
        found
    }

    /// A quotation that leaves out the middle: its first and last clause stand in order.
    pub fn in_pieces(&self, passage: &Passage, words: &Words) -> Option<Found> {
        let clauses: Vec<Range<usize>> = words.clauses().collect();
        let (first, last) = (clauses.first()?, clauses.last()?);
        if clauses.len() < 2 || first.len() < 2 || last.len() < 2 {
            return None;
        }
        let bytes = passage.text.start()..passage.text.end();
        [Stream::Notes, Stream::Base].into_iter().find_map(|stream| {
            let a = *self
                .view
                .find(stream, bytes.clone(), &words.key.chars[first.clone()], 0)
                .first()?;
            let rest = self.view.stream(stream).at[a.to - 1] as usize..bytes.end;
            let b = *self.view.find(stream, rest, &words.key.chars[last.clone()], 0).first()?;
            let whole = Hit { from: a.from, to: b.to, diff: 1 };
            let fits = b.from >= a.to && whole.to - whole.from <= 3 * words.len();
            fits.then(|| {
                self.found(
                    None,
                    self.document,
                    self.view,
                    &[(stream, whole)],
                    words,
                    "first-and-last-clause",
                )
            })
            .flatten()
        })
    }

    /// In the passage, in other words: at most three sevenths of the characters differ, and three
    /// in a row stand there.
    pub fn loosely(&self, passage: &Passage, words: &Words) -> Option<Found> {
        let n = words.len();
        if !(5..=LOOSE).contains(&n) {
            return None;
        }
        let bytes = passage.text.start()..passage.text.end();
        let in_row = |s: Stream, h: &Hit| {
            words
                .key
                .chars
                .windows(3)
                .any(|w| self.view.stream(s).chars[h.from..h.to].windows(3).any(|v| v == w))
        };
        let of = |s: Stream| {
            self.view
                .find(s, bytes.clone(), &words.key.chars, n * 3 / 7)
                .into_iter()
                .map(move |h| (s, h))
        };
        let mut hits: Vec<(Stream, Hit)> =
            of(Stream::Notes).chain(of(Stream::Base)).filter(|(s, h)| in_row(*s, h)).collect();
        hits.sort_by_key(|(_, h)| h.diff);
        let alone = hits.get(1).is_none_or(|second| second.1.diff > hits[0].1.diff);
        hits.truncate(1);
        let found = self
            .found(None, self.document, self.view, &hits, words, "in-passage")
            .filter(|_| alone)?;
        Some(Found { status: Status::Paraphrase, certainty: 0.6, ..found })
    }

    /// In another chapter of the corpus, though none is named, and which: long enough not to stand
    /// there by chance.
    pub fn in_other_chapter(&self, words: &Words) -> Option<(Found, Option<Named>)> {
        let n = words.len();
        if n < UNNAMED {
            return None;
        }
        let chapter = &self.index.entries[self.entry].chapter;
        let hits = self.index.anywhere(&words.key.chars, n / UNNAMED - 1, WEIGHED);
        let elsewhere = |entry: usize| {
            entry != self.entry
                && (chapter.is_none() || self.index.entries[entry].chapter != *chapter)
        };
        let mut hits: Vec<_> = hits
            .into_iter()
            .filter(|(p, _)| p.stream != Stream::Commentary && elsewhere(p.entry))
            .collect();
        let home = &self.document.meta.work;
        hits.sort_by_key(|(p, h)| {
            (h.diff, self.index.entries[p.entry].document.meta.work != *home, p.stream)
        });
        let (part, first) = hits.first()?;
        let e = &self.index.entries[part.entry];
        let mut found = self.found(
            Some(e),
            &e.document,
            &e.view,
            &[(part.stream, *first)],
            words,
            "found-in-corpus",
        )?;
        let others = hits.iter().skip(1).take(RIVALS).map(|(p, h)| {
            let e = &self.index.entries[p.entry];
            Target {
                doc: Some(e.document.id.clone()),
                span: e.view.stretch(&e.document, p.stream, h),
            }
        });
        found.alternatives = others.collect();
        found.certainty -= 0.12 + 0.08 * f64::from(u8::from(!found.alternatives.is_empty()));
        Some((found, e.named(&self.index.works)))
    }

    /// Before byte `before` of this text, the nearest; then in earlier texts of the chapter.
    pub fn earlier(&self, before: usize, words: &Words, strict: bool) -> Option<Found> {
        let max = if strict { 0 } else { tolerance(words.len()).min(words.len() / 4) };
        let hits = self.both(
            self.entry,
            |s| behind(self.view.stream(s).index_at(before)),
            words,
            max,
            true,
        );
        let here = self.found(None, self.document, self.view, &hits, words, "earlier-in-chapter");
        here.or_else(|| self.chapter(words, max, true))
            .or_else(|| self.mostly(|s| behind(self.view.stream(s).index_at(before)), words, true))
    }

    /// The nearest place that has eight of the words in a row, or at least four that are two thirds
    /// of them.
    fn mostly(
        &self,
        range: impl Fn(Stream) -> Range<usize>,
        words: &Words,
        back: bool,
    ) -> Option<Found> {
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
            .found(None, self.document, self.view, &[hit], words, "longest-common-run")
            .filter(|_| enough)?;
        Some(Found { status: Status::Paraphrase, certainty: 0.6, ..found })
    }

    /// An earlier account in the classic, named by its words: the nearest before `before`, else in
    /// an earlier text of the chapter.
    pub fn account(&self, before: usize, words: &Words) -> Option<Found> {
        let range = behind(self.view.base.index_at(before));
        let hits =
            self.index.nearest(self.entry, Stream::Base, range, &words.key.chars, true, RIVALS + 1);
        let hits: Vec<_> = hits.into_iter().map(|h| (Stream::Base, h)).collect();
        self.found(None, self.document, self.view, &hits, words, "earlier-account")
    }

    /// After byte `after` of this text, the next; then in other texts of the chapter.
    pub fn later(&self, after: usize, words: &Words, strict: bool) -> Option<Found> {
        let max = if strict { 0 } else { tolerance(words.len()).min(words.len() / 4) };
        let hits = self.both(
            self.entry,
            |s| ahead(self.view.stream(s).index_at(after)),
            words,
            max,
            false,
        );
        let here = self.found(None, self.document, self.view, &hits, words, "later-in-chapter");
        here.or_else(|| self.chapter(words, max, false))
            .or_else(|| self.mostly(|s| ahead(self.view.stream(s).index_at(after)), words, false))
    }

    /// In other texts of the same chapter; the last place for what was told before, else the first.
    fn chapter(&self, words: &Words, max: usize, last: bool) -> Option<Found> {
        let meta = &self.document.meta;
        let (work, chapter) = (meta.work.as_deref()?, meta.chapter.as_deref()?);
        if words.len() < 4 {
            return None;
        }
        self.index
            .of_chapter(work, Some(chapter), &self.document.id)
            .filter(|e| e.document.meta.chapter.is_some())
            .find_map(|e| {
                let hits = self.both(e.number, |_| 0..usize::MAX, words, max, last);
                self.found(Some(e), &e.document, &e.view, &hits, words, "same-chapter")
            })
    }

    /// In the texts of a work and chapter. `near` is where the citation stands: of several places
    /// the one whose surroundings are most like it is taken.
    pub fn cited(
        &self,
        work: &str,
        chapter: Option<&str>,
        words: &Words,
        stream: Stream,
        near: usize,
    ) -> Option<Found> {
        let streams = if stream == Stream::Base {
            [Stream::Base, Stream::Notes]
        } else {
            [stream, Stream::Base]
        };
        let mut best: Option<(usize, Found)> = None;
        for e in self.index.of_chapter(work, chapter, &self.document.id) {
            for (n, s) in streams.into_iter().enumerate() {
                let hits = self.near(
                    e.number,
                    s,
                    0..usize::MAX,
                    &words.key.chars,
                    tolerance(words.len()),
                    false,
                );
                let Some(diff) = hits.iter().map(|h| h.diff).min() else { continue };
                let mut hits: Vec<_> =
                    hits.into_iter().filter(|h| h.diff == diff).map(|h| (s, h)).collect();
                if hits.len() > 1 {
                    if words.len() < 2 {
                        continue;
                    }
                    let here = self.surroundings(near);
                    hits.sort_by_cached_key(|(s, h)| {
                        std::cmp::Reverse(likeness(&here, e.view.stream(*s), h))
                    });
                }
                let cost = diff * 2 + n;
                if best.as_ref().is_none_or(|(c, _)| cost < *c)
                    && let Some(f) =
                        self.found(Some(e), &e.document, &e.view, &hits, words, "in-cited-chapter")
                {
                    best = Some((cost, f));
                }
            }
        }
        best.map(|(_, f)| f).or_else(|| self.common(work, chapter, words, streams[0]))
    }

    /// Pairs of characters of the passage that holds byte `at`, and of the commentary just before
    /// it.
    fn surroundings(&self, at: usize) -> HashSet<[char; 2]> {
        let mut pairs = HashSet::new();
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

    /// Where the longest run of the words stands in the texts cited: for what is paraphrased or
    /// whose end is not marked.
    pub fn common(
        &self,
        work: &str,
        chapter: Option<&str>,
        words: &Words,
        stream: Stream,
    ) -> Option<Found> {
        let entries = self.index.of_chapter(work, chapter, &self.document.id);
        let longest = |e: &Indexed| runs::longest(self.index, e.number, stream, &words.key.chars);
        let runs = entries.filter_map(|e| longest(e).map(|(n, at, many)| (n, at, many, e)));
        let (n, at, many, e) = runs.max_by_key(|(n, _, many, _)| (*n, std::cmp::Reverse(*many)))?;
        let enough = n >= 8
            || n >= 5 && many == 1 && n * 3 >= words.len()
            || n >= 4 && many == 1 && n * 3 >= words.len() * 2;
        if !enough {
            return None;
        }
        let mut found = self.found(
            Some(e),
            &e.document,
            &e.view,
            &[(stream, Hit { from: at, to: at + n, diff: 0 })],
            words,
            "longest-common-run",
        )?;
        if n < words.len() {
            found.status = Status::Paraphrase;
            found.certainty *= 0.8;
        }
        Some(found)
    }

    /// A place before (`back`) or after byte `at` that tells in other words what `words` say: the
    /// nearest that shares the longest run with them, at least three characters, or two that are
    /// rare in this text. Then earlier texts of the chapter, from their end.
    pub fn retold(&self, at: usize, words: &Words, back: bool) -> Option<Found> {
        let here = self.view.base.index_at(at);
        let range = if back { behind(here) } else { ahead(here) };
        if let Some(hit) =
            runs::nearest(self.index, self.entry, Stream::Base, range, &words.key.chars, back)
        {
            return self.told(None, self.document, self.view, hit, words);
        }
        let meta = &self.document.meta;
        let (work, chapter) = (meta.work.as_deref()?, meta.chapter.as_deref()?);
        let others = self
            .index
            .of_chapter(work, Some(chapter), &self.document.id)
            .filter(|e| back && e.document.meta.chapter.is_some());
        others.into_iter().find_map(|e| {
            let hit = runs::nearest(
                self.index,
                e.number,
                Stream::Base,
                behind(e.view.base.len()),
                &words.key.chars,
                true,
            )?;
            self.told(Some(e), &e.document, &e.view, hit, words)
        })
    }

    /// The clause that holds the hit.
    fn told(
        &self,
        entry: Option<&Indexed>,
        document: &Document,
        view: &View,
        hit: Hit,
        words: &Words,
    ) -> Option<Found> {
        let mut found =
            self.found(entry, document, view, &[(Stream::Base, hit)], words, "shared-words")?;
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
        let told = Key::of(document.source.text(), found.target.span).chars;
        let shared = words.key.chars.iter().filter(|c| told.contains(c)).count();
        if shared * 20 < words.len() * 9 {
            return None;
        }
        found.status = Status::Paraphrase;
        found.certainty = 0.55;
        Some(found)
    }

    /// In classic and notes of an entry, within the characters that `range` gives for each; the
    /// fewest differences first, then the classic, then the nearest.
    fn both(
        &self,
        entry: usize,
        range: impl Fn(Stream) -> Range<usize>,
        words: &Words,
        max: usize,
        back: bool,
    ) -> Vec<(Stream, Hit)> {
        let of = |s: Stream| {
            self.near(entry, s, range(s), &words.key.chars, max, back)
                .into_iter()
                .map(move |h| (s, h))
        };
        let mut hits: Vec<_> = of(Stream::Base).chain(of(Stream::Notes)).collect();
        hits.sort_by_key(|(s, h)| (h.diff, *s));
        hits
    }

    /// Exact hits, else lenient ones, nearest first.
    fn near(
        &self,
        entry: usize,
        stream: Stream,
        range: Range<usize>,
        words: &[char],
        max: usize,
        back: bool,
    ) -> Vec<Hit> {
        let exact = self.index.nearest(entry, stream, range.clone(), words, back, WEIGHED);
        if !exact.is_empty() || max == 0 {
            return exact;
        }
        let mut hits = whole_if_short(self.index.find(entry, stream, range, words, max), words);
        if back {
            hits.reverse();
        }
        hits
    }

    /// The same in a few bytes of this document, in order.
    fn scanned(&self, stream: Stream, bytes: Range<usize>, words: &[char], max: usize) -> Vec<Hit> {
        let exact = self.view.find(stream, bytes.clone(), words, 0);
        if !exact.is_empty() || max == 0 {
            return exact;
        }
        whole_if_short(self.view.find(stream, bytes, words, max), words)
    }

    fn found(
        &self,
        entry: Option<&Indexed>,
        document: &Document,
        view: &View,
        hits: &[(Stream, Hit)],
        words: &Words,
        how: &'static str,
    ) -> Option<Found> {
        let target = |(s, h): &(Stream, Hit)| Target {
            doc: entry.map(|e| e.document.id.clone()),
            span: view.stretch(document, *s, h),
        };
        let (first, rest) = hits.split_first()?;
        let diff = first.1.diff;
        let status = if diff == 0 { Status::Exact } else { Status::Variant };
        let short = if words.len() < 3 { 0.1 } else { 0.0 };
        let alternatives: Vec<Target> =
            rest.iter().filter(|h| h.1.diff == diff).take(RIVALS).map(target).collect();
        let crowd = if alternatives.is_empty() { 0.0 } else { 0.08 };
        let certainty = 0.98 - short - crowd - 0.35 * diff as f64 / words.len().max(1) as f64;
        let differs = (diff > 0)
            .then(|| self.differing(words, document, view.stream(first.0), first.1))
            .flatten();
        Some(Found { target: target(first), status, certainty, how, alternatives, diff, differs })
    }
}

impl Places<'_> {
    /// Where the words and the text they quote read differently.
    fn differing(
        &self,
        words: &Words,
        document: &Document,
        key: &Key,
        hit: Hit,
    ) -> Option<Evidence> {
        let quoted = Side { text: self.document.source.text(), key: &words.key };
        differs::evidence(
            quoted,
            0..words.len(),
            Side { text: document.source.text(), key },
            hit.from..hit.to,
        )
    }
}

/// How many different pairs of characters around a hit are among `pairs`.
fn likeness(pairs: &HashSet<[char; 2]>, key: &Key, hit: &Hit) -> usize {
    let around = hit.from.saturating_sub(40)..(hit.to + 40).min(key.len());
    let here: HashSet<[char; 2]> = key.chars[around].windows(2).map(|w| [w[0], w[1]]).collect();
    here.intersection(pairs).count()
}

/// A span without the marks at its ends.
fn inner(document: &Document, span: Span) -> Span {
    let key = Key::of(document.source.text(), span);
    if key.is_empty() { span } else { key.span(0, key.len()) }
}

/// Of three characters none may be missing, one may be another.
fn whole_if_short(mut hits: Vec<Hit>, words: &[char]) -> Vec<Hit> {
    if words.len() < 4 {
        hits.retain(|h| h.to - h.from >= words.len());
    }
    hits
}

/// The characters before the `at`th that 上文 may mean.
fn behind(at: usize) -> Range<usize> {
    at.saturating_sub(REACH)..at
}

/// The characters from the `at`th on that 下文 may mean.
fn ahead(at: usize) -> Range<usize> {
    at..at.saturating_add(REACH)
}
