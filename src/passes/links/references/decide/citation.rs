//! Citations: a title, and the words cited from it.

use crate::corpus::works::Tail;
use crate::passes::links::references::candidates::aligned::{
    CitedSource, Located, OF_ANY, located,
};
use crate::passes::links::references::candidates::cited;
use crate::passes::links::references::candidates::sentence::in_one_sentence;
use crate::passes::links::references::cues::*;
use crate::passes::links::references::found::CLEAR_CERTAINTY;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::called;

/// The text around a title that may be cited from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct CitedText {
    /// A quotation in marks.
    pub quoted: Option<Span>,
    /// The rest of the sentence.
    pub after: Option<Span>,
    /// The clauses before the title.
    pub before: Option<Span>,
    /// Whether the text says that the clauses before are from there (《釋言》文).
    pub is_source: bool,
    /// Whether the clauses before are those of the header, which are elsewhere.
    pub of_header: bool,
    /// Whether a verb introduces the text after the title (云).
    pub is_said: bool,
    /// The year that is named with the title.
    pub year: Option<u32>,
    /// Whether no marks say where the words end.
    pub is_flat: bool,
}

impl CitedText {
    /// Words that a title has: in marks, or after it.
    pub fn said(said: Option<(Span, bool)>) -> Self {
        match said {
            Some((span, true)) => CitedText { quoted: Some(span), ..CitedText::default() },
            said => CitedText { after: said.map(|s| s.0), is_said: true, ..CitedText::default() },
        }
    }
}

/// What the text before a title counts less than the text after it, in nats, and what it must have
/// above chance.
const BEFORE_COST: f32 = 4.0;
const MIN_BEFORE: f32 = 7.0;
/// Nats above chance and above the next that the passage itself must have in a chapter that is
/// named and nothing else.
const MIN_OF_PASSAGE: f32 = 14.0;

/// A link for a title, with the place of the work that the text around it repeats.
pub fn cited(
    rule: Rule,
    places: &Places<'_>,
    (resolved, span): (&Resolved, Span),
    text: CitedText,
    layer: Layer,
) -> Link {
    // A preface is no more part of the classic than notes are.
    let is_beside =
        resolved.tail.is_some_and(|tail| called::is_notes(tail) || tail == Tail::Preface);
    let stream = if is_beside { Stream::Notes } else { Stream::Base };
    let named = &resolved.named;
    let source = CitedSource { named, stream, near: span.start(), year: text.year };
    let found = match text.quoted {
        Some(quoted) => {
            cited::quoted_from(places, source, &places.words(quoted)).map(|f| (f, None))
        }
        None => around(places, source, text),
    };
    let found = found.or_else(|| in_sentence(places, source, text));
    let found = found.or_else(|| of_passage(places, source, text));
    let mut resolved = resolved.clone();
    let (found, words) = found.map_or((None, None), |(f, words)| (Some(f), words));
    if let Some(found) = found.as_ref().filter(|f| f.certainty >= CLEAR_CERTAINTY) {
        resolved.named = cited::narrowed(places, named, &found.target, found.status);
    }
    let is_of_header = |w: &Span| text.of_header && text.before.is_some_and(|b| b.overlap(*w) > 0);
    draft(rule, LinkKind::Citation, span, layer)
        .because(EvidenceKind::Title)
        .why(cited::absence(places, named))
        .quoted(words.filter(|w| !is_of_header(w)).or(text.quoted))
        .found(found)
        .work(Some(called::locus(places.works(), &resolved)))
        .title_only()
        .link()
}

/// The place that the text after a title repeats, or the text before it, whichever fits better.
fn around(
    places: &Places<'_>,
    source: CitedSource<'_>,
    text: CitedText,
) -> Option<(FoundPlace, Option<Span>)> {
    let cited = |words: &SoughtWords, located: &Located| match text.is_flat {
        true => words.key.span(located.words.start, located.words.end),
        false => words.whole_clauses(&located.words),
    };
    if let Some(words) = text.before.filter(|_| text.is_source).map(|b| places.words(b))
        && let Some((found, located)) = cited::aligned_source(places, source, &words)
    {
        let whole = words.key.span(0, words.len());
        let is_short = words.len() <= MAX_CITED;
        return Some((found, Some(if is_short { whole } else { cited(&words, &located) })));
    }
    let before = text.before.filter(|_| !text.is_source).and_then(|before| {
        let words = places.words(before);
        let (found, located) = cited::aligned(places, source, &words, MIN_BEFORE)?;
        Some((found, cited(&words, &located), located.above_chance - BEFORE_COST))
    });
    let after = text.after.and_then(|after| {
        let words = places.words(after);
        let (found, located) = cited::aligned_after(places, source, &words, text.is_said)?;
        Some((found, cited(&words, &located), located.above_chance))
    });
    let best = match (after, before) {
        (Some(a), Some(b)) => Some(if b.2 > a.2 { b } else { a }),
        (a, b) => a.or(b),
    };
    best.map(|(found, words, _)| (found, Some(words)))
}

/// The sentence that has the words around a title, in any order: all of them, or their clause
/// beside the title.
fn in_sentence(
    places: &Places<'_>,
    source: CitedSource<'_>,
    text: CitedText,
) -> Option<(FoundPlace, Option<Span>)> {
    let says = |s: &Span| !MENTION.is_match(places.slice(*s));
    let texts = [text.quoted, text.after.filter(says), text.before];
    texts.into_iter().flatten().find_map(|span| {
        let words = places.words(span);
        let clause = match Some(span) == text.before {
            true => words.clauses().last(),
            false => words.clauses().next(),
        };
        let clause = clause.filter(|c| c.len() < words.len());
        let clause = clause.map(|c| words.key.span(c.start, c.end));
        [Some(span), clause].into_iter().flatten().find_map(|span| {
            let found = in_one_sentence(places, source, &places.words(span), text.is_source)?;
            Some((found, Some(span)))
        })
    })
}

/// The place of the passage that is explained, or of its note, in a chapter of another work that is
/// named and nothing else: it tells the same.
fn of_passage(
    places: &Places<'_>,
    source: CitedSource<'_>,
    text: CitedText,
) -> Option<(FoundPlace, Option<Span>)> {
    let says_nothing =
        |s: Span| places.words(s).len() <= SENTENCE || DESCRIBED.is_match(places.slice(s));
    let is_bare = text.quoted.is_none() && text.after.is_none_or(says_nothing);
    // Chapters of one work tell alike, so that nothing follows from what they share.
    let is_elsewhere = places.work() != Some(source.named.work.as_str());
    if !is_bare || source.named.chapter.is_none() || !is_elsewhere {
        return None;
    }
    let passage = places.view.passage_at(source.near)?.text;
    [Stream::Base, Stream::Notes].into_iter().find_map(|stream| {
        let key = places.view.stream(stream);
        let range = places.view.range(stream, passage.range());
        let from = range.end.saturating_sub(MAX_CITED).max(range.start);
        let words = places.words((from < range.end).then(|| key.span(from, range.end))?);
        let aligned = || {
            let located = located(places, source, words.chars(), OF_ANY)?;
            let is_clear = located.above_chance + located.margin >= MIN_OF_PASSAGE;
            let is_other = (source.stream, located.stream) == (Stream::Notes, Stream::Base);
            (is_clear && !is_other).then(|| located.place(places, &words)).flatten()
        };
        let in_sentence = || in_one_sentence(places, source, &words, text.is_source);
        Some((aligned().or_else(in_sentence)?, None))
    })
}
