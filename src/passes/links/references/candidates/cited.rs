//! Finds the words of a citation in the work or chapter that it names.

use super::aligned::{CitedSource, Located, OF_ANY, located};
use super::exact::{MAX_WEIGHED_PLACES, hits, whole_if_short};
use crate::corpus::index::Indexed;
use crate::passes::links::references::found::found;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::annals;
use crate::text::PackedKey;
use crate::text::alike::Aligner;
use crate::text::find::Hit;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::ops::Range;

/// A quotation in the texts of a work and chapter: the whole, or its words aligned.
pub fn cited(
    places: &Places<'_>,
    source: CitedSource<'_>,
    words: &SoughtWords,
) -> Option<FoundPlace> {
    let whole = whole(places, source, words);
    let found = match whole {
        Some(w) if w.is_exact() => Some(w),
        whole => aligned(places, source, words, OF_ANY).map(|(f, _)| f).or(whole),
    };
    // The year before a title may be that of something else.
    let beyond = CitedSource { year: None, ..source };
    let found = found.map(|f| same_passage_here(places, f, words));
    found.or_else(|| source.year.and_then(|_| cited(places, beyond, words)))
}

/// A quotation in the year of a source: exactly, or with few differences if it is not short.
pub fn cited_in_year(
    places: &Places<'_>,
    source: CitedSource<'_>,
    words: &SoughtWords,
) -> Option<FoundPlace> {
    let found = source.year.and_then(|_| whole(places, source, words))?;
    Some(same_passage_here(places, found, words))
}

/// The place of a quotation in marks, in the source that the text names before it.
pub fn quoted_from(
    places: &Places<'_>,
    source: CitedSource<'_>,
    words: &SoughtWords,
) -> Option<FoundPlace> {
    let aligned = || placed(places, source, words, OF_ANY, Located::is_quoted).map(|(f, _)| f);
    cited(places, source, words).or_else(aligned)
}

/// The place that some words repeat, exactly or in other words, and how much better it is than
/// chance: `least` nats or more.
pub fn aligned(
    places: &Places<'_>,
    source: CitedSource<'_>,
    words: &SoughtWords,
    least: f32,
) -> Option<(FoundPlace, Located)> {
    placed(places, source, words, least, |l| l.is_clear(words.chars()))
}

/// The place that the text after a title repeats. A few words are enough if a verb introduces them
/// (`is_said`) or they are a clause.
pub fn aligned_after(
    places: &Places<'_>,
    source: CitedSource<'_>,
    words: &SoughtWords,
    is_said: bool,
) -> Option<(FoundPlace, Located)> {
    let is_whole = |l: &Located| is_said || words.clauses().any(|c| c.end == l.words.end);
    placed(places, source, words, OF_ANY, |l| {
        l.is_clear(words.chars()) || l.has_first_words() && is_whole(l)
    })
}

/// The place of words that the text says are from there.
pub fn aligned_source(
    places: &Places<'_>,
    source: CitedSource<'_>,
    words: &SoughtWords,
) -> Option<(FoundPlace, Located)> {
    let located = located(places, source, words.chars(), OF_ANY)?;
    let is_likely = located.is_likely() || located.is_clear(words.chars());
    is_likely.then(|| Some((located.place(places, words)?, located))).flatten()
}

/// The place in another text of the work that is explained that has these words, or nearly these,
/// and its chapter.
pub fn in_own_work(places: &Places<'_>, words: &SoughtWords) -> Option<(FoundPlace, Named)> {
    let named = Named { work: places.work()?.to_string(), part: None, chapter: None };
    let source = CitedSource { named: &named, stream: Stream::Base, near: 0, year: None };
    let (found, located) = aligned(places, source, words, OF_ANY)?;
    let chapter = places.index.entries[located.entry].named.clone();
    Some((found, chapter.unwrap_or(named)))
}

/// The best place of words that is worth giving, if it is in the layer that is cited: a note that
/// is not at hand often repeats words of its classic, which are then not what is meant.
fn placed(
    places: &Places<'_>,
    source: CitedSource<'_>,
    words: &SoughtWords,
    least: f32,
    is_worth: impl Fn(&Located) -> bool,
) -> Option<(FoundPlace, Located)> {
    let located = located(places, source, words.chars(), least)?;
    let is_other = source.stream == Stream::Notes && located.stream == Stream::Base;
    let place = || Some((located.place(places, words)?, located.clone()));
    (!is_other && is_worth(&located)).then(place).flatten()
}

/// The place that was found, or in this text if it was found in another copy of its work.
fn same_passage_here(places: &Places<'_>, found: FoundPlace, words: &SoughtWords) -> FoundPlace {
    here(places, &found, words).unwrap_or(found)
}

fn here(places: &Places<'_>, place: &FoundPlace, words: &SoughtWords) -> Option<FoundPlace> {
    let copy = places.index.get(place.target.doc.as_ref()?)?;
    let (home, there) = (places.home.as_ref()?, copy.named.as_ref()?);
    // Chapters of a work that tell alike are no copies of each other.
    let is_copy = home.work == there.work
        && (home.chapter == there.chapter || home.chapter.is_none() || there.chapter.is_none());
    if !place.is_exact() || !is_copy {
        return None;
    }
    let there = &copy.view.base;
    let range = copy.view.range(Stream::Base, place.target.span.range());
    let pairs: FxHashSet<[char; 2]> = pairs(&there.chars()[around(there, &range)]).collect();
    let (entry, stream) = (places.entry, Stream::Base);
    let part = StreamPart { entry, stream, range: 0..usize::MAX, back: false };
    let alike = |hit: &Hit| likeness(&pairs, &places.view.base, hit);
    let hits = hits(places, &part, words.chars(), 0).into_iter();
    let best = hits.max_by_key(|h| (alike(h), Reverse(h.from)))?;
    let is_same = alike(&best) * 2 >= pairs.len();
    is_same.then(|| found(places, entry, &[(stream, best)], words, place.how.clone())).flatten()
}

/// What is cited, with the chapter in which the words are where the text names only the work: 《詩》云
/// is from a poem, 《左傳》云 from the years of a duke. Chapters of works that are seldom cited alone
/// are named only if they have the words exactly and no other chapter does.
pub fn narrowed(places: &Places<'_>, cited: &Named, place: &Target, status: Status) -> Named {
    let named = match &place.doc {
        Some(id) => places.index.get(id).and_then(|e| e.named.as_ref()),
        None => places.home.as_ref(),
    };
    // 梁惠王上 of the part 梁惠王 is no finer name, 思齊 of 大雅 is one.
    let is_finer = |n: &&Named| match (&cited.part, &n.part, &n.chapter) {
        (None, _, chapter) => chapter.is_some(),
        (Some(cited), Some(part), Some(chapter)) => {
            cited == part && !chapter.starts_with(part.as_str())
        }
        _ => false,
    };
    let is_cited_alone = places.works().work(&cited.work).is_some_and(|w| w.bare)
        || annals::is_annals(Some(&cited.work));
    let names_chapter = |_: &&Named| {
        is_cited_alone || status == Status::Exact && is_only_chapter(places, cited, place)
    };
    let finer = named.filter(|n| cited.chapter.is_none() && n.work == cited.work);
    finer.filter(is_finer).filter(names_chapter).unwrap_or(cited).clone()
}

/// True if no other chapter of what is cited has the words at a place.
fn is_only_chapter(places: &Places<'_>, cited: &Named, place: &Target) -> bool {
    let there = places.text_of(place);
    let words = Key::of(there.document.source.text(), place.span).chars;
    let named = if place.doc.is_none() { places.home.as_ref() } else { there.named.as_ref() };
    let others = places.index.of_chapter(cited, &places.document.id);
    let others = others.filter(|entry| entry.named.as_ref() != named);
    let parts: Vec<_> = others.map(|entry| (entry.number, 0..usize::MAX)).collect();
    places.index.find_each(&parts, Stream::Base, &words, (0, 1)).iter().all(Vec::is_empty)
}

/// Why a citation of a work or chapter has no place.
pub fn absence(places: &Places<'_>, cited: &Named) -> EvidenceKind {
    let mut texts = places.index.of_chapter(cited, &places.document.id);
    let is_at_hand = texts.next().is_some() || places.home.as_ref() == Some(cited);
    if is_at_hand { EvidenceKind::NoWords } else { EvidenceKind::NotInCorpus }
}

/// True if a place has half of some words. What is in marks is quoted, not retold.
pub fn covers(places: &Places<'_>, found: &FoundPlace, words: &SoughtWords) -> bool {
    let text = places.text_of(&found.target).document.source.text();
    let mut there = Key::of(text, found.target.span).chars;
    let has = |c: &&char| {
        let at = there.iter().position(|t| t == *c);
        at.map(|at| there.swap_remove(at)).is_some()
    };
    let kept = words.chars().iter().filter(has).count();
    kept * 2 >= words.len().min(Aligner::MAX_WORDS)
}

/// The whole quotation, with few differences if it is not short.
fn whole(places: &Places<'_>, source: CitedSource<'_>, words: &SoughtWords) -> Option<FoundPlace> {
    let CitedSource { named, stream, near, year } = source;
    let max = if words.len() + 1 < SENTENCE { 0 } else { words.tolerance() };
    let other = if stream == Stream::Base { Stream::Notes } else { Stream::Base };
    let mut texts: Vec<&Indexed> = places.index.of_chapter(named, &places.document.id).collect();
    // Of the traditions of one classic the one that is explained comes first.
    texts.sort_by_key(|e| places.work() != e.named.as_ref().map(|n| n.work.as_str()));
    let of = |stream| in_each(places, &texts, (stream, year), words.chars(), max);
    let own = of(stream);
    // Nothing is nearer than exactly the words in the layer that is cited.
    let is_exact = own.iter().flatten().any(|h| h.diff == 0) && words.len() > 1;
    let others = if is_exact { vec![vec![]; texts.len()] } else { of(other) };
    let offers = texts
        .iter()
        .zip(own.into_iter().zip(others))
        .flat_map(|(text, (own, others))| [(text, stream, own), (text, other, others)]);
    let offers = offers.filter_map(|(text, s, mut hits)| {
        let diff = hits.iter().map(|h| h.diff).min()?;
        hits.retain(|h| h.diff == diff);
        // What is said to be in the notes may be in the classic, if it is no word.
        let is_other = s != stream;
        let is_there = !is_other || stream != Stream::Notes || diff == 0 && words.len() >= SENTENCE;
        let is_one = hits.len() == 1 || words.len() > 1;
        (is_there && is_one).then_some((diff * 2 + usize::from(is_other), text, s, hits))
    });
    let (_, text, s, mut hits) = offers.min_by_key(|(cost, ..)| *cost)?;
    if hits.len() > 1 {
        let here = surroundings(places, near);
        hits.sort_by_cached_key(|h| Reverse(likeness(&here, text.view.stream(s), h)));
    }
    let hits: Vec<_> = hits.into_iter().map(|h| (s, h)).collect();
    found(places, text.number, &hits, words, EvidenceKind::InCitedChapter)
}

/// Exact hits in a stream of each of some texts; if none has any, hits with up to `max`
/// differences.
fn in_each(
    places: &Places<'_>,
    texts: &[&Indexed],
    (stream, year): (Stream, Option<u32>),
    words: &[char],
    max: usize,
) -> Vec<Vec<Hit>> {
    let part = |e: &&Indexed| (e.number, annals::section(e, stream, year));
    let parts: Vec<_> = texts.iter().map(part).collect();
    let found = places.index.find_each(&parts, stream, words, (0, MAX_WEIGHED_PLACES));
    if max > 0 && found.iter().all(Vec::is_empty) {
        let nearly = places.index.find_each(&parts, stream, words, (max, MAX_WEIGHED_PLACES));
        return nearly.into_iter().map(|hits| whole_if_short(hits, words)).collect();
    }
    found
}

/// Pairs of characters in the passage at byte `at`, and in the commentary just before it.
fn surroundings(places: &Places<'_>, at: usize) -> FxHashSet<[char; 2]> {
    let Some(passage) = places.view.passage_at(at) else { return FxHashSet::default() };
    let start = places.back(at, SENTENCE_BYTES).max(passage.comment.start().min(at));
    let around = [passage.text, Span::new(start, at)].map(|s| Key::of(places.text(), s));
    around.iter().flat_map(|k| pairs(&k.chars)).collect()
}

fn pairs(chars: &[char]) -> impl Iterator<Item = [char; 2]> + '_ {
    chars.windows(2).map(|w| [w[0], w[1]])
}

/// A stretch with the characters around it.
fn around(key: &PackedKey, part: &Range<usize>) -> Range<usize> {
    part.start.saturating_sub(MAX_CITED)..(part.end + MAX_CITED).min(key.len())
}

/// How many different pairs of characters around a hit are among some.
fn likeness(among: &FxHashSet<[char; 2]>, key: &PackedKey, hit: &Hit) -> usize {
    let here = pairs(&key.chars()[around(key, &(hit.from..hit.to))]);
    here.filter(|pair| among.contains(pair)).collect::<FxHashSet<_>>().len()
}
