//! Places that have exactly the words, or nearly: in the passage explained, in its chapter, and in
//! other chapters.

use super::aligned;
use crate::corpus::view::ExplainedText;
use crate::passes::links::references::certainty::{FAR, UNNAMED, UNNAMED_CROWD};
use crate::passes::links::references::found::{MAX_ALTERNATIVES, found};
use crate::passes::links::references::prelude::*;
use crate::text::find::Hit;
use std::ops::Range;

/// Most quotations before one that may repeat their words.
const MAX_RECENT: usize = 3;
/// Most places that are compared by their context.
pub const MAX_WEIGHED_PLACES: usize = 64;
/// Range of 上文 and 下文 in characters; the longest chapters are shorter.
const MAX_REACH: usize = 1 << 16;
/// Words of so many places in all may be in several works.
const MAX_LONE_PLACES: usize = 3;
/// Most differences of a quotation that is searched in all chapters.
const MAX_UNNAMED_DIFFERENCES: usize = 4;

const BASE_FIRST: [Stream; 2] = [Stream::Base, Stream::Notes];
const NOTES_FIRST: [Stream; 2] = [Stream::Notes, Stream::Base];

/// What a comment has quoted before: of several places with the same words one of them is the
/// likeliest.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuotedBefore<'a> {
    /// Where the previous quotation was found.
    pub after: Option<usize>,
    /// The words of it and of those before: a word of them may be repeated.
    pub recent: &'a [Span],
    /// The stream from which the header quotes, if there is one just before the comment.
    pub header: Option<Stream>,
}

/// The part of this text before byte `at` (`back`) or after it.
fn side(places: &Places<'_>, stream: Stream, at: usize, back: bool) -> StreamPart {
    let at = places.view.stream(stream).index_at(at);
    let range = match back {
        true => at.saturating_sub(MAX_REACH)..at,
        false => at..at.saturating_add(MAX_REACH),
    };
    StreamPart { entry: places.entry, stream, range, back }
}

/// Exact hits, else hits with up to `max` differences, nearest first.
pub fn hits(places: &Places<'_>, part: &StreamPart, words: &[char], max: usize) -> Vec<Hit> {
    let exact = places.index.nearest(part, words, MAX_WEIGHED_PLACES);
    if !exact.is_empty() || max == 0 {
        return exact;
    }
    let StreamPart { entry, stream, range, .. } = part.clone();
    let mut hits = whole_if_short(places.index.find(entry, stream, range, words, max), words);
    if part.back {
        hits.reverse();
    }
    hits
}

/// The nearest place of exactly some words.
pub fn nearest_hit(places: &Places<'_>, part: &StreamPart, words: &[char]) -> Option<Hit> {
    places.index.nearest(part, words, 1).pop()
}

/// In fewer than four characters none may be missing, but one may differ.
pub fn whole_if_short(mut hits: Vec<Hit>, words: &[char]) -> Vec<Hit> {
    hits.retain(|h| words.len() >= CLAUSE || h.to - h.from >= words.len());
    hits
}

/// The words in the passage explained. `prefer` is the stream the cue names.
pub fn in_passage(
    places: &Places<'_>,
    passage: &ExplainedText,
    words: &SoughtWords,
    prefer: Option<Stream>,
    before: QuotedBefore<'_>,
) -> Option<FoundPlace> {
    let QuotedBefore { after, recent, header } = before;
    let streams = if prefer == Some(Stream::Notes) { NOTES_FIRST } else { BASE_FIRST };
    let find = |s: Stream, max| places.view.find(s, passage.text.range(), words.chars(), max);
    let lenient = |s: Stream| whole_if_short(find(s, words.tolerance()), words.chars());
    let of = |s: Stream| Some(find(s, 0)).filter(|h| !h.is_empty()).unwrap_or_else(|| lenient(s));
    let mut hits: Vec<(Stream, Hit)> =
        streams.iter().flat_map(|s| of(*s).into_iter().map(|h| (*s, h))).collect();
    hits.sort_by_key(|(stream, h)| {
        let at = places.view.stream(*stream).at(h.from);
        let is_recent = |l: &Span| l.start() <= at && at < l.end();
        let is_repeated = || recent.iter().rev().take(MAX_RECENT).any(is_recent);
        let is_other = match (prefer, header) {
            (None, Some(header)) if words.len() >= CLAUSE => *stream != header,
            _ => *stream != streams[0] && (prefer.is_some() || words.len() < CLAUSE),
        };
        let is_before = after.is_some_and(|a| at < a);
        (h.diff, prefer.is_none() && !is_repeated(), is_other, is_before, at)
    });
    let best = hits.first()?.1.diff;
    hits.retain(|h| h.1.diff == best);
    found(places, places.entry, &hits, words, EvidenceKind::InPassage)
}

/// The most characters of some words, from the first on or up to the last (`back`), that a passage
/// has in a row, and where.
pub fn longest(
    places: &Places<'_>,
    passage: &ExplainedText,
    words: &[char],
    back: bool,
) -> Option<(usize, Span)> {
    let parts = BASE_FIRST.map(|stream| {
        let range = places.view.range(stream, passage.text.range());
        StreamPart { entry: places.entry, stream, range, back: false }
    });
    let of = |n: usize| {
        let words = if back { &words[words.len() - n..] } else { &words[..n] };
        let hit = |part: &StreamPart| Some((part.stream, nearest_hit(places, part, words)?));
        parts.iter().find_map(hit)
    };
    // A passage that has so many of them has fewer too.
    let (mut least, mut most) = (1, words.len());
    let mut best = None;
    while least < most {
        let n = (least + most).div_ceil(2);
        match of(n) {
            Some(hit) => (least, best) = (n, Some(hit)),
            None => most = n - 1,
        }
    }
    let (stream, hit) = best?;
    Some((least, places.view.stretch(places.document, stream, &hit)))
}

/// Exactly these words where the text goes on after the passage: some editions cut a sentence in
/// two.
pub fn in_next_passage(
    places: &Places<'_>,
    passage: &ExplainedText,
    words: &SoughtWords,
) -> Option<FoundPlace> {
    let last = places.view.range(Stream::Base, passage.text.range()).end;
    let range = last.saturating_sub(words.len())..last + words.len() + MAX_CITED;
    let part = StreamPart { entry: places.entry, stream: Stream::Base, range, back: false };
    let hit = nearest_hit(places, &part, words.chars())?;
    let is_enough = words.len() >= CLAUSE;
    let place =
        || found(places, places.entry, &[(part.stream, hit)], words, EvidenceKind::InPassage);
    is_enough.then(place).flatten()
}

/// The nearest place before byte `at` of this text (`back`) or after it, where the words are said
/// to be: exactly, nearly if they are many, or in other words.
pub fn beyond(
    places: &Places<'_>,
    at: usize,
    words: &SoughtWords,
    back: bool,
) -> Option<FoundPlace> {
    let max = words.tolerance().min(words.len() / CLAUSE);
    let max = if words.len() < SENTENCE { 0 } else { max };
    let how = match back {
        true => EvidenceKind::EarlierInChapter,
        false => EvidenceKind::LaterInChapter,
    };
    let parts = BASE_FIRST.map(|s| side(places, s, at, back));
    let here = found(places, places.entry, &in_both(places, &parts, words, max), words, how);
    here.or_else(|| aligned::beyond(places, at, words, back))
}

/// Hits in two streams of a text: fewest differences first, then the classic, then the nearest.
fn in_both(
    places: &Places<'_>,
    parts: &[StreamPart; 2],
    words: &SoughtWords,
    max: usize,
) -> Vec<(Stream, Hit)> {
    let of = |part: &StreamPart| {
        let stream = part.stream;
        hits(places, part, words.chars(), max).into_iter().map(move |h| (stream, h))
    };
    let mut hits: Vec<_> = parts.iter().flat_map(of).collect();
    hits.sort_by_key(|(s, h)| (h.diff, *s));
    hits
}

/// Exactly these words in one stream of this text, the next place after byte `at` or before it.
pub fn next_in(
    places: &Places<'_>,
    stream: Stream,
    at: usize,
    words: &SoughtWords,
    back: bool,
) -> Option<FoundPlace> {
    let part = side(places, stream, at, back);
    let hit = nearest_hit(places, &part, words.chars())?;
    found(places, places.entry, &[(stream, hit)], words, EvidenceKind::SameChapter)
}

/// The next place of exactly these words after a passage of this text, else the last before; in the
/// classic, else in the notes.
pub fn in_own_chapter(
    places: &Places<'_>,
    passage: Span,
    words: &SoughtWords,
) -> Option<FoundPlace> {
    (words.len() >= PHRASE).then(|| nearest(places, passage, words)).flatten()
}

fn nearest(places: &Places<'_>, passage: Span, words: &SoughtWords) -> Option<FoundPlace> {
    let next = |s, at, back| next_in(places, s, at, words, back);
    let of = |s| next(s, passage.end(), false).or_else(|| next(s, passage.start(), true));
    BASE_FIRST.into_iter().find_map(of)
}

/// The same for at least two characters, of which that is not sure.
pub fn in_chapter(places: &Places<'_>, passage: Span, words: &SoughtWords) -> Option<FoundPlace> {
    let is_word = words.len() < PHRASE;
    let found = (words.len() > 1).then(|| nearest(places, passage, words)).flatten();
    found.map(|f| if is_word { f.sure(*FAR) } else { f })
}

/// The last place of words in the classic between bytes `from` and `to`, with at most so many
/// differences.
pub fn last_before(
    places: &Places<'_>,
    bytes: Range<usize>,
    words: &[char],
    max: usize,
) -> Option<(Span, usize)> {
    let hits = places.view.find(Stream::Base, bytes, words, max);
    let hit = hits.into_iter().min_by_key(|h| (h.diff, std::cmp::Reverse(h.from)))?;
    Some((places.view.stretch(places.document, Stream::Base, &hit), hit.diff))
}

/// The words in all other chapters, if none is named, and in which; only of words too long to recur
/// there by chance.
pub fn in_other_chapter(
    places: &Places<'_>,
    words: &SoughtWords,
) -> Option<(FoundPlace, Option<Named>)> {
    let n = words.len();
    if n < CLAUSE {
        return None;
    }
    // Of the pieces between the differences, one has at least four characters.
    let max = (n / CLAUSE - 1).min(MAX_UNNAMED_DIFFERENCES);
    let entries = &places.index.entries;
    let elsewhere = |entry: usize| {
        entry != places.entry && (places.home.is_none() || entries[entry].named != places.home)
    };
    let hits = places.index.anywhere(words.chars(), max, MAX_WEIGHED_PLACES).into_iter();
    let mut hits: Vec<_> =
        hits.filter(|(p, _)| p.stream != Stream::Commentary && elsewhere(p.entry)).collect();
    let work = |e: usize| entries[e].named.as_ref().map(|n| n.work.as_str());
    hits.sort_by_key(|(p, h)| (h.diff, work(p.entry) != places.work(), p.stream));
    let (part, first) = hits.first()?;
    let of_work = |w| hits.iter().filter(|(p, _)| work(p.entry) == w).count();
    // What this work has elsewhere is often a formula.
    let is_alone = || {
        of_work(places.work()) == 0
            && (of_work(work(part.entry)) == hits.len() || hits.len() <= MAX_LONE_PLACES)
    };
    if n < SENTENCE && !is_alone() {
        return None;
    }
    let one = [(part.stream, *first)];
    let mut place = found(places, part.entry, &one, words, EvidenceKind::FoundInCorpus)?;
    let others = hits.iter().skip(1).take(MAX_ALTERNATIVES).map(|(p, h)| {
        let e = &entries[p.entry];
        let doc = Some(e.document.id.as_str().into());
        Target { doc, span: e.view.stretch(&e.document, p.stream, h) }
    });
    place.alternatives = others.collect();
    place.certainty -= *UNNAMED;
    if !place.alternatives.is_empty() {
        place.certainty -= *UNNAMED_CROWD;
    }
    Some((place, entries[part.entry].named.clone()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::corpus::{Index, Works};
    use crate::model::Document;

    /// What `find` finds for the quotation at the end of a text with one passage.
    fn in_text<T>(quoted: &str, find: impl Fn(&Places<'_>, &ExplainedText, Span) -> T) -> T {
        let pieces = [(Layer::Jing, "甲乙丙丁戊己。庚辛壬癸。"), (Layer::Shu, quoted)];
        let document = Arc::new(Document::of_pieces(&pieces));
        let index = Index::of_documents(&[Arc::clone(&document)], &Works::builtin());
        let own = &index.entries[0];
        let span = document.segments[1].span;
        let (document, view) = (&*own.document, &own.view);
        let (home, speakers) = (None, vec![]);
        let places = Places { document, view, entry: 0, index: &index, home, speakers };
        let passage = own.view.passage_at(span.start()).expect("a passage is before it");
        find(&places, passage, span)
    }

    #[test]
    fn a_quotation_of_six_characters_is_not_found_where_two_differ() {
        let found = |quoted: &str| {
            in_text(quoted, |places, passage, span| {
                let before = QuotedBefore::default();
                let found = in_passage(places, passage, &places.words(span), None, before)?;
                Some((found.status, found.diff))
            })
        };
        assert_eq!(found("甲乙丙丁戊己"), Some((Status::Exact, 0)));
        assert_eq!(found("甲乙丙丁戊丑"), Some((Status::Variant, 1)));
        assert_eq!(found("甲乙丙丁子丑"), None);
    }

    #[test]
    fn the_longest_words_begin_with_the_first_or_end_with_the_last() {
        let longest = |quoted: &str, back: bool| {
            in_text(quoted, |places, passage, span| {
                let words = places.words(span);
                let (n, place) = longest(places, passage, words.chars(), back)?;
                Some((n, places.slice(place).to_string()))
            })
        };
        assert_eq!(longest("丙丁戊庚辛", false), Some((3, "丙丁戊".into())));
        assert_eq!(longest("丙丁庚辛壬", true), Some((3, "庚辛壬".into())));
        assert_eq!(longest("子丑寅", false), None);
    }

    #[test]
    fn of_three_characters_none_may_be_missing() {
        let hits = |lens: &[usize]| -> Vec<Hit> {
            lens.iter().map(|n| Hit { from: 5, to: 5 + n, diff: 1 }).collect()
        };
        let kept = |words: &str, lens: &[usize]| -> Vec<usize> {
            let words: Vec<char> = words.chars().collect();
            whole_if_short(hits(lens), &words).iter().map(|h| h.to - h.from).collect()
        };
        assert_eq!(kept("射獲中", &[2, 3, 4]), [3, 4]);
        assert_eq!(kept("射獲中皮", &[3, 4]), [3, 4]);
    }
}
