//! The index in which passes look up references: the views of all documents, and one index of grams
//! over all their streams.
//!
//! Views are built with the index, the grams on first use. All streams are parts of one long text,
//! so searching a layer, a chapter or the text before a note is searching a part of it.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::figures::CorpusFigures;
use super::lookups::{ANYWHERE, AROUND_CHARS, LookupScope, Lookups};
use super::view::StreamPart;
use super::works::Named;
use super::{Library, Stream, View, Works};
use crate::model::{Document, Role};
use crate::text::Key;
use crate::text::find::Hit;
use crate::text::fold::fold;
use crate::text::grams::{GramPairCounts, Grams, TripleCounts};

/// Separates the texts of two streams; no key contains it.
pub const BORDER: char = '\0';

/// A document with its view.
#[derive(Clone, Debug)]
pub struct Indexed {
    /// The document as the previous stage left it.
    pub document: Arc<Document>,
    /// Its streams and passages.
    pub view: View,
    /// Its place in [`Index::entries`].
    pub number: usize,
    /// Its work, part and chapter, with the names of the authority file (鄕射禮 is 鄉射禮), or with its
    /// own titles if the file lacks them.
    pub named: Option<Named>,
}

/// All documents of a library, viewed.
#[derive(Clone, Debug)]
pub struct Index {
    /// In the order of the library.
    pub entries: Arc<Vec<Indexed>>,
    /// How many of them, the first, are documents of the library; the others are beside them.
    pub own: usize,
    by_id: Arc<FxHashMap<String, usize>>,
    /// Witnesses by the title of their work.
    by_work: Arc<FxHashMap<String, Vec<usize>>>,
    /// The texts of each chapter that was asked for: a work may have hundreds.
    holders: Arc<RwLock<FxHashMap<Named, Arc<[usize]>>>>,
    /// Folded characters of all streams, a border after each stream.
    chars: Arc<Vec<char>>,
    words: Arc<OnceLock<CorpusText>>,
    /// Nothing is looked up, so the words need no grams.
    counting: bool,
    /// The works and chapters in which titles are looked up.
    pub works: Arc<Works>,
    /// What was counted over the whole corpus, if these documents are only a part of it.
    pub figures: Option<Arc<CorpusFigures>>,
    /// What one document looks up, if that is of interest.
    log: Option<Arc<Log>>,
}

/// What one document looks up in others.
#[derive(Debug)]
struct Log {
    own: usize,
    lookups: Mutex<Lookups>,
}

/// All streams of all documents as one text.
#[derive(Clone, Debug)]
pub struct CorpusText {
    /// Folded characters, a border after each stream.
    pub text: Arc<Vec<char>>,
    /// Their places, once they were asked for and until they are [given up](Self::counted).
    grams: OnceLock<Grams>,
    /// The documents for which words are looked up, if they are few, with their entries.
    looking_up: OnceLock<Vec<(usize, Arc<Document>)>>,
    /// How often the grams occur, if that is all that is kept of them.
    counts: Option<GramCounts>,
    /// In the order of the text.
    parts: Vec<CorpusTextPart>,
    /// How rare each character is, in steps.
    rarity: FxHashMap<char, i32>,
    /// Characters of the corpus; more than those of the text if that is only a part of it.
    chars: usize,
}

/// How often pairs and triples of characters occur. Asked for once, they go to the one who asks.
type GramCounts = Arc<Mutex<Option<(GramPairCounts, TripleCounts)>>>;

/// One stream of one document in the text of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusTextPart {
    /// Number of its entry.
    pub entry: usize,
    /// Which stream.
    pub stream: Stream,
    /// Its characters.
    pub range: Range<usize>,
}

impl Indexed {
    /// Its chapter, folded.
    pub fn chapter(&self) -> Option<String> {
        let named = self.named.as_ref()?;
        named.chapter.as_ref().or(named.part.as_ref()).map(|c| c.chars().map(fold).collect())
    }
}

/// What a document is, by the names of the authority file.
fn named(works: &Works, document: &Document) -> Option<Named> {
    let own = document.meta.work.as_deref()?;
    let work = works.canonical(own).unwrap_or(own);
    let chapter = document.meta.chapter.as_deref();
    let known = |c| works.resolve(c, Some(work)).map(|r| r.named).filter(|n| n.work == work);
    Some(chapter.and_then(known).unwrap_or_else(|| Named {
        work: work.to_string(),
        part: None,
        chapter: chapter.map(String::from),
    }))
}

/// True if a text of the slot `text` may contain words of `cited`.
fn may_hold(works: &Works, text: &Named, cited: &Named) -> bool {
    let agree = |a: &Option<String>, b: &Option<String>| match (a, b) {
        (Some(a), Some(b)) => a.chars().map(fold).eq(b.chars().map(fold)),
        _ => true,
    };
    // 國風 has no chapters of its own.
    let empty = |part: &Option<String>| {
        let work = works.work(&cited.work);
        let part = work.zip(part.as_ref()).and_then(|(w, p)| w.part.iter().find(|x| x.title == *p));
        part.is_some_and(|p| p.chapters.is_empty())
    };
    let spread = || {
        let (work, chapter) = (works.work(&cited.work), cited.chapter.as_ref());
        work.zip(chapter).is_some_and(|(w, c)| w.spread.contains(c))
    };
    (agree(&text.part, &cited.part) || empty(&cited.part))
        && (agree(&text.chapter, &cited.chapter) || spread())
}

impl CorpusText {
    fn of(index: &Index) -> Self {
        let (text, figures) = (Arc::clone(&index.chars), index.figures.as_deref());
        let mut parts = Vec::with_capacity(index.entries.len() * Stream::ALL.len());
        let mut from = 0;
        for (entry, e) in index.entries.iter().enumerate() {
            for stream in Stream::ALL {
                let range = from..from + e.view.stream(stream).len();
                from = range.end + 1;
                parts.push(CorpusTextPart { entry, stream, range });
            }
        }
        let chars = figures.map_or(text.len(), CorpusFigures::chars);
        let rarity = match figures {
            Some(figures) => rarity(figures.characters().collect(), chars),
            None => rarity(counted(&text), chars),
        };
        let (grams, looking_up) = (OnceLock::new(), OnceLock::new());
        CorpusText { text, grams, looking_up, counts: None, parts, rarity, chars }
    }

    /// The same without the places of the grams: nothing is found.
    fn without_grams(index: &Index) -> Self {
        CorpusText { grams: Grams::of(&[]).into(), ..Self::of(index) }
    }

    /// The places of the grams.
    pub(crate) fn grams(&self) -> &Grams {
        self.grams.get_or_init(|| match self.looking_up.get() {
            Some(few) => {
                let is_of = |part: &&CorpusTextPart| few.iter().any(|(n, _)| *n == part.entry);
                let parts = self.parts.iter().filter(is_of);
                // What is in no stream may be looked up too, and words across two layers.
                let whole = |d: &Document| Key::of(d.source.text(), d.source.span()).chars;
                let whole: Vec<Vec<char>> = few.iter().map(|(_, d)| whole(d)).collect();
                let of_parts = parts.map(|part| &self.text[part.range.clone()]);
                Grams::of_words(&self.text, of_parts.chain(whole.iter().map(Vec::as_slice)))
            }
            None => Grams::of(&self.text),
        })
    }

    /// The same without the places of the grams, which are most of it, for a stage that only counts
    /// them.
    fn counted(mut self) -> Self {
        let grams = std::mem::take(&mut self.grams).into_inner();
        let counts = grams.and_then(|grams| grams.into_counts(&self.text));
        let counts = counts.map(|counts| Arc::new(Mutex::new(Some(counts))));
        self.counts = self.counts.or(counts);
        self
    }

    /// How often its pairs of characters occur, and its triples.
    pub(crate) fn counts(&self) -> (GramPairCounts, TripleCounts) {
        let counts = self.counts.as_ref();
        let counts = counts.and_then(|c| c.lock().unwrap_or_else(PoisonError::into_inner).take());
        counts.unwrap_or_else(|| Grams::counts_of(&self.text))
    }

    /// How rare a character is in all texts: minus the logarithm of its frequency, in steps, so
    /// that a small change of a text changes it for few characters.
    pub fn rarity(&self, c: char) -> f32 {
        let steps = self.rarity.get(&c).copied().unwrap_or_else(|| steps(self.chars));
        steps as f32 * NATS_PER_STEP
    }

    /// How rare each character is, in steps.
    pub(crate) fn rarities(&self) -> &FxHashMap<char, i32> {
        &self.rarity
    }

    /// The part that contains a character.
    pub fn part(&self, at: usize) -> &CorpusTextPart {
        &self.parts[self.part_number(at)]
    }

    /// The number of the part that contains a character.
    pub(crate) fn part_number(&self, at: usize) -> usize {
        self.parts.partition_point(|p| p.range.end < at).min(self.parts.len() - 1)
    }

    /// All parts, in the order of the text.
    pub(crate) fn parts(&self) -> &[CorpusTextPart] {
        &self.parts
    }

    /// A stream of an entry.
    pub fn stream(&self, entry: usize, stream: Stream) -> &CorpusTextPart {
        &self.parts[entry * Stream::ALL.len() + stream as usize]
    }
}

/// Steps of a logarithm, four to an octave: what a step changes is well below what a character
/// more or less shows by chance.
const NATS_PER_STEP: f32 = std::f32::consts::LN_2 / 4.0;

/// If words are looked up for documents with more than one in so many characters of the corpus, all
/// its grams are indexed.
const FEW: usize = 16;

/// A search in more texts than this is recorded as one in all texts.
const MAX_TEXTS_RECORDED: usize = 64;

fn steps(n: usize) -> i32 {
    (n.max(1) as f32).ln().div_euclid(NATS_PER_STEP) as i32
}

fn counted(text: &[char]) -> FxHashMap<char, usize> {
    let mut counts: FxHashMap<char, usize> = FxHashMap::default();
    text.iter().for_each(|c| *counts.entry(*c).or_default() += 1);
    counts
}

fn rarity(counts: FxHashMap<char, usize>, chars: usize) -> FxHashMap<char, i32> {
    let all = steps(chars);
    counts.into_iter().map(|(c, n)| (c, all - steps(n))).collect()
}

impl Index {
    /// Views every document.
    pub fn of(library: &Library, works: &Arc<Works>) -> Self {
        let all: Vec<Arc<Document>> = library.all().cloned().collect();
        Index { own: library.documents.len(), ..Index::of_documents(&all, works) }
    }

    /// The same index of the documents as they are now; `None` if the layers or names of one
    /// changed.
    pub fn renewed(mut self, library: &Library) -> Option<Self> {
        let mut all = library.all();
        for entry in Arc::make_mut(&mut self.entries) {
            let (old, new) = (&entry.document, all.next()?);
            let same =
                || (&old.id, &old.meta, &old.segments) == (&new.id, &new.meta, &new.segments);
            if !Arc::ptr_eq(old, new) && !same() {
                return None;
            }
            entry.document = Arc::clone(new);
        }
        all.next().is_none().then_some(self)
    }

    /// The same index for a stage that looks nothing up, so that it may give up memory.
    pub(crate) fn without_lookups(mut self) -> Self {
        self.counting = true;
        let words = Arc::into_inner(std::mem::take(&mut self.words)).and_then(OnceLock::into_inner);
        // A text alone has no parallels, and figures of the corpus are better than counts.
        let counted = words.filter(|_| self.entries.len() > 1 && self.figures.is_none());
        self.words = Arc::new(counted.map_or_else(OnceLock::new, |words| words.counted().into()));
        self
    }

    /// Says that words will be looked up for these entries only: if they are few, grams of others
    /// need not be indexed.
    pub(crate) fn will_look_up(&self, entries: impl Iterator<Item = usize>) {
        let mut few = Vec::new();
        let mut chars = 0;
        for entry in entries {
            chars +=
                Stream::ALL.map(|s| self.entries[entry].view.stream(s).len()).iter().sum::<usize>();
            if chars > self.chars.len() / FEW {
                return;
            }
            few.push((entry, Arc::clone(&self.entries[entry].document)));
        }
        _ = self.words().looking_up.set(few);
    }

    /// The same index, but no words are found by it.
    pub(crate) fn finding_nothing(mut self) -> Self {
        let words = CorpusText::without_grams(&self);
        self.words = Arc::new(words.into());
        self
    }

    /// Views some documents.
    pub fn of_documents(documents: &[Arc<Document>], works: &Arc<Works>) -> Self {
        let mut entries = Vec::with_capacity(documents.len());
        // A character has three bytes, or four with what is between it and the next.
        let bytes: usize = documents.iter().map(|d| d.source.text().len()).sum();
        let mut chars = Vec::with_capacity(bytes / 3);
        let (mut by_id, mut by_work) = (FxHashMap::default(), FxHashMap::<_, Vec<_>>::default());
        for (number, d) in documents.iter().enumerate() {
            by_id.entry(d.id.clone()).or_insert(number);
            let named = named(works, d);
            if let Some(n) = named.as_ref().filter(|_| d.meta.role == Role::Witness) {
                by_work.entry(n.work.clone()).or_default().push(number);
            }
            let mut view = View::of(d);
            view.move_chars(&mut chars);
            entries.push(Indexed { document: d.clone(), view, number, named });
        }
        chars.shrink_to_fit();
        let chars = Arc::new(chars);
        entries.iter_mut().for_each(|e: &mut Indexed| e.view.within(&chars));
        Index {
            entries: Arc::new(entries),
            own: documents.len(),
            by_id: Arc::new(by_id),
            by_work: Arc::new(by_work),
            holders: Arc::default(),
            chars,
            words: Arc::default(),
            counting: false,
            works: Arc::clone(works),
            figures: None,
            log: None,
        }
    }

    /// The same index as a part of a corpus.
    pub(crate) fn with_figures(self, figures: Option<Arc<CorpusFigures>>) -> Self {
        Index { figures, ..self }
    }

    /// The same index, which records what document number `own` looks up in others.
    pub(crate) fn recording(&self, own: usize) -> Index {
        let log = Arc::new(Log { own, lookups: Mutex::default() });
        Index { log: Some(log), ..self.clone() }
    }

    /// What was recorded.
    pub(crate) fn recorded(self) -> Option<Lookups> {
        let log = Arc::into_inner(self.log?)?;
        Some(log.lookups.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Records something about document number `entry`.
    fn record(&self, entry: Option<usize>, note: impl FnOnce(&mut Lookups)) {
        if let Some(log) = self.log.as_ref().filter(|log| entry != Some(log.own)) {
            note(&mut log.lookups.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Records that words are looked up in a part of a stream, by pairs of their characters.
    pub(crate) fn records_search(
        &self,
        entry: usize,
        stream: Stream,
        range: &Range<usize>,
        words: &[char],
    ) {
        self.record(Some(entry), |lookups| lookups.pairs(entry as LookupScope, words));
        self.records_range(entry, stream, range);
    }

    /// Records that a part of a stream is searched. Where it ends may depend on anything in the
    /// stream.
    fn records_range(&self, entry: usize, stream: Stream, range: &Range<usize>) {
        let all = self.entries[entry].view.stream(stream).len();
        if range.start > 0 || range.end < all {
            self.records_reading(entry, stream, 0..all);
        }
    }

    /// Records that one character is looked up.
    pub(crate) fn records_character(&self, entry: usize, c: char) {
        self.record(Some(entry), |lookups| lookups.characters(entry as LookupScope, &[c]));
    }

    /// Records that characters of a stream are compared with others.
    pub(crate) fn records_reading(&self, entry: usize, stream: Stream, range: Range<usize>) {
        self.record(Some(entry), |lookups| lookups.read(entry, stream, range));
    }

    /// Records that it matters how rare some characters are.
    pub(crate) fn records_weighing(&self, words: &[char]) {
        self.record(None, |lookups| lookups.weigh(words));
    }

    fn records_hits<'a>(&self, entry: usize, stream: Stream, hits: impl Iterator<Item = &'a Hit>) {
        self.record(Some(entry), |lookups| {
            for h in hits {
                let around = h.from.saturating_sub(AROUND_CHARS)..h.to + AROUND_CHARS;
                lookups.read(entry, stream, around);
            }
        });
    }

    /// The document with this id.
    pub fn get(&self, id: &str) -> Option<&Indexed> {
        self.by_id.get(id).map(|n| &self.entries[*n])
    }

    /// Documents other than `id` whose text is, or may contain, this chapter of this work (or the
    /// whole work, if no chapter is given or known). The text of a work may be in another: the 春秋
    /// is in the 左傳.
    pub fn of_chapter<'a>(
        &'a self,
        cited: &Named,
        id: &'a str,
    ) -> impl Iterator<Item = &'a Indexed> {
        let holders = self.holders(cited);
        let all = (0..holders.len()).map(move |n| &self.entries[holders[n]]);
        all.filter(move |e| e.document.id != id)
    }

    /// The numbers of the texts of a chapter.
    fn holders(&self, cited: &Named) -> Arc<[usize]> {
        let known = self.holders.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(cited) {
            return Arc::clone(known);
        }
        drop(known);
        let within = self.works.work(&cited.work).map_or(&[][..], |w| &w.within);
        let works = std::iter::once(&cited.work).chain(within);
        let all = works.flat_map(|w| self.by_work.get(w).into_iter().flatten()).copied();
        let holds = |n: &usize| {
            self.entries[*n].named.as_ref().is_some_and(|n| may_hold(&self.works, n, cited))
        };
        let found: Arc<[usize]> = all.filter(holds).collect();
        let mut holders = self.holders.write().unwrap_or_else(PoisonError::into_inner);
        holders.insert(cited.clone(), Arc::clone(&found));
        found
    }

    /// All streams as one text with its grams.
    pub fn words(&self) -> &CorpusText {
        self.words.get_or_init(|| match (self.counting, &self.figures) {
            (true, Some(_)) => CorpusText::without_grams(self),
            _ => CorpusText::of(self),
        })
    }

    /// Where `words` occur in characters `range` of a stream, with at most `max_diff` differences;
    /// as [`View::find`], which scans and takes bytes.
    pub fn find(
        &self,
        entry: usize,
        stream: Stream,
        range: Range<usize>,
        words: &[char],
        max_diff: usize,
    ) -> Vec<Hit> {
        self.record(Some(entry), |lookups| lookups.seek(entry as LookupScope, words, max_diff));
        self.records_range(entry, stream, &range);
        self.in_stream(entry, stream, range, |all, range| {
            all.grams().find(&all.text, range, words, max_diff)
        })
    }

    /// The same in several texts, by number; of each the first `limit` exact places.
    pub fn find_each(
        &self,
        places: &[(usize, Range<usize>)],
        stream: Stream,
        words: &[char],
        (max_diff, limit): (usize, usize),
    ) -> Vec<Vec<Hit>> {
        self.records_each(places, stream, words, max_diff);
        let all = self.words();
        let part = |entry: usize| &all.stream(entry, stream).range;
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_unstable_by_key(|n| part(places[*n].0).start);
        let ranges = order.iter().map(|n| {
            let (entry, range) = &places[*n];
            let part = part(*entry);
            let clamp = |at: usize| part.start.saturating_add(at).min(part.end);
            clamp(range.start)..clamp(range.end)
        });
        let ranges: Vec<Range<usize>> = ranges.collect();
        let found = all.grams().find_each(&all.text, &ranges, words, (max_diff, limit));
        let mut each = vec![vec![]; places.len()];
        for (n, mut hits) in order.into_iter().zip(found) {
            let entry = places[n].0;
            let start = part(entry).start;
            hits.iter_mut().for_each(|h| (h.from, h.to) = (h.from - start, h.to - start));
            self.records_hits(entry, stream, hits.iter());
            each[n] = hits;
        }
        each
    }

    /// Records a search in several texts: of many, as one in all texts.
    fn records_each(
        &self,
        places: &[(usize, Range<usize>)],
        stream: Stream,
        words: &[char],
        max_diff: usize,
    ) {
        let many = places.len() > MAX_TEXTS_RECORDED;
        if many {
            self.record(None, |lookups| lookups.seek(ANYWHERE, words, max_diff));
        }
        for (entry, range) in places {
            if !many {
                let scope = *entry as LookupScope;
                self.record(Some(*entry), |lookups| lookups.seek(scope, words, max_diff));
            }
            self.records_range(*entry, stream, range);
        }
    }

    /// The last (`back`) or first places where `words` occur exactly there, nearest first.
    pub fn nearest(&self, part: &StreamPart, words: &[char], limit: usize) -> Vec<Hit> {
        let StreamPart { entry, stream, range, back } = part.clone();
        self.record(Some(entry), |lookups| lookups.seek(entry as LookupScope, words, 0));
        self.records_range(entry, stream, &range);
        self.in_stream(entry, stream, range, |all, range| {
            all.grams().nearest(&all.text, range, words, back, limit)
        })
    }

    fn in_stream(
        &self,
        entry: usize,
        stream: Stream,
        range: Range<usize>,
        find: impl Fn(&CorpusText, Range<usize>) -> Vec<Hit>,
    ) -> Vec<Hit> {
        let all = self.words();
        let part = &all.stream(entry, stream).range;
        let clamp = |at: usize| (part.start.saturating_add(at)).min(part.end);
        let mut hits = find(all, clamp(range.start)..clamp(range.end));
        for h in &mut hits {
            (h.from, h.to) = (h.from - part.start, h.to - part.start);
        }
        self.records_hits(entry, stream, hits.iter());
        hits
    }

    /// The places in all texts where `words` occur with the fewest differences, at most `max_diff`;
    /// at most `limit` places.
    pub fn anywhere(
        &self,
        words: &[char],
        max_diff: usize,
        limit: usize,
    ) -> Vec<(&CorpusTextPart, Hit)> {
        let all = self.words();
        self.record(None, |lookups| lookups.seek(ANYWHERE, words, max_diff));
        let hits = all.grams().closest(&all.text, 0..all.text.len(), words, max_diff, limit);
        let place = |h: Hit| {
            let part = all.part(h.from);
            let own = h.from >= part.range.start && h.to <= part.range.end;
            own.then(|| {
                (part, Hit { from: h.from - part.range.start, to: h.to - part.range.start, ..h })
            })
        };
        let found: Vec<_> = hits.into_iter().filter_map(place).collect();
        for (part, hit) in &found {
            self.records_hits(part.entry, part.stream, std::iter::once(hit));
        }
        found
    }
}
