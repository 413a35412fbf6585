//! Citations: a title, and the words cited from it.

use super::certainty::said;
use super::cues::{DESCRIBED, MENTION};
use super::guessed::Offered;
use super::learned::{self, Features};
use super::link::{Draft, draft};
use super::locate::CitedSource;
use super::place::PlaceFinder;
use super::rules::Rule;
use super::sought::{FoundPlace, SoughtWords};
use crate::corpus::view::Stream;
use crate::corpus::works::{Named, Resolved, Tail, Works};
use crate::model::{EvidenceKind, Layer, Link, LinkKind};
use crate::source::Span;

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

/// What the text before a title counts less than the text after it, in nats.
const BEFORE_COST: f32 = 4.0;
/// Most characters that are quoted whole where the text says that they are from there.
const MAX_SOURCE_CHARS: usize = 24;
/// A place that is less sure does not name the chapter.
const MIN_NARROWING: f64 = 0.7;
/// So few characters after a title (之篇也) do not say what is cited.
const MAX_LITTLE_CHARS: usize = 6;
/// Nats above chance that the text before a title must have.
const MIN_BEFORE: f32 = 7.0;

/// A link for a title, with the place of the work that the text around it repeats.
pub fn cited(
    places: &PlaceFinder<'_>,
    resolved: &Resolved,
    span: Span,
    text: CitedText,
    layer: Layer,
) -> Link {
    // A preface is no more part of the classic than notes are.
    let is_beside_classic =
        resolved.tail.is_some_and(|tail| is_notes(tail) || tail == Tail::Preface);
    let stream = if is_beside_classic { Stream::Notes } else { Stream::Base };
    let source =
        CitedSource { named: &resolved.named, stream, near: span.start(), year: text.year };
    let mut link: Draft = draft(LinkKind::Citation, span, layer)
        .because(EvidenceKind::Title)
        .why(places.absence(&resolved.named));
    let mut resolved = resolved.clone();
    let mut place = match text.quoted {
        Some(quoted) => {
            let words = SoughtWords::of(places.document, quoted);
            link = link.quoted(quoted);
            places.quoted_from(source, &words).map(|found| (found, Some(quoted)))
        }
        None => around(places, source, text).map(|(f, words)| (f, Some(words))),
    };
    let is_beside =
        |words: &Span| !text.of_header || text.before.is_none_or(|b| b.overlap(*words) == 0);
    let mut is_guess = false;
    if place.is_none() || learned::is_noting() {
        let guess =
            guessed(places, source, text, span, place.is_some()).filter(|_| Rule::Guessed.on());
        is_guess = guess.is_some();
        place = place.or(guess);
    }
    if let Some((mut found, words)) = place {
        if found.certainty >= MIN_NARROWING && Rule::NarrowedTitle.on() {
            resolved.named = places.narrowed(&resolved.named, &found.target, found.status);
        }
        if is_guess {
            found.certainty = said(LinkKind::Citation, found.status, found.certainty);
        }
        link = link.found(Some(found));
        link = words.filter(is_beside).into_iter().fold(link, Draft::quoted);
    }
    link.work(Some(locus(&places.index.works, &resolved))).title_only().link()
}

/// The place that is most probably meant, where none is clear.
fn guessed(
    places: &PlaceFinder<'_>,
    source: CitedSource<'_>,
    text: CitedText,
    span: Span,
    known: bool,
) -> Option<(FoundPlace, Option<Span>)> {
    let mut offered: Vec<Offered> = Vec::new();
    let mut offer = |names: [&'static str; 2], span: Option<Span>, at_end: bool| {
        let Some(span) = span else { return };
        let words = SoughtWords::of(places.document, span);
        let clause = if at_end { words.clauses().last() } else { words.clauses().next() };
        let clause = clause.filter(|c| c.len() > 1 && c.len() < words.len());
        offered.push((names[0], span));
        offered.extend(clause.map(|c| (names[1], words.key.span(c.start, c.end))));
    };
    offer(["quoted", "quoted-first"], text.quoted, false);
    let says = |s: &Span| !MENTION.is_match(&places.document.source.text()[s.range()]);
    offer(["after", "after-first"], text.after.filter(says), false);
    offer(["before", "before-last"], text.before, true);
    // Chapters of one work tell alike, so that nothing follows from what the passage shares with them.
    let elsewhere = places.work() != Some(source.named.work.as_str());
    let says_little = |s| SoughtWords::of(places.document, s).len() <= MAX_LITTLE_CHARS;
    let describes = |s: Span| DESCRIBED.is_match(&places.document.source.text()[s.range()]);
    let says_nothing = |s| says_little(s) || describes(s);
    let is_bare = text.quoted.is_none() && text.after.is_none_or(says_nothing);
    if is_bare && source.named.chapter.is_some() && elsewhere {
        offered.extend(
            places
                .offered_passage(span.start())
                .into_iter()
                .filter(|_| Rule::GuessedByPassage.on()),
        );
    }
    let mut about = Features::default();
    about.flag("source", text.is_source);
    about.flag("has-quoted", text.quoted.is_some());
    about.flag("has-after", text.after.is_some());
    places.guessed(source, &offered, &about, span, known)
}

/// The place that the text after a title repeats, or the text before it, whichever fits better.
fn around(
    places: &PlaceFinder<'_>,
    source: CitedSource<'_>,
    text: CitedText,
) -> Option<(FoundPlace, Span)> {
    let aligned = |span: Option<Span>, is_source: bool, is_after: bool| {
        let span = span?;
        let words = SoughtWords::of(places.document, span);
        let (found, located) = match (is_source, is_after) {
            (true, _) => places.aligned_source(source, &words)?,
            (_, true) => places.aligned_after(source, &words, text.is_said)?,
            _ => places.aligned(source, &words, MIN_BEFORE)?,
        };
        let cited = match is_source && words.len() <= MAX_SOURCE_CHARS {
            true => 0..words.len(),
            false if text.is_flat => located.words.clone(),
            false => words.whole_clauses(&located.words),
        };
        Some((found, words.key.span(cited.start, cited.end), located.above_chance))
    };
    let before = aligned(text.before, text.is_source && Rule::IsSource.on(), false);
    if text.is_source && before.is_some() {
        return before.map(|(found, words, _)| (found, words));
    }
    let before = before.filter(|b| b.2 >= MIN_BEFORE && Rule::RepeatedBefore.on());
    let after = aligned(text.after, false, true).filter(|_| Rule::RepeatedAfter.on());
    let best = match (after, before) {
        (Some(a), Some(b)) => Some(if b.2 - BEFORE_COST > a.2 { b } else { a }),
        (a, b) => a.or(b),
    };
    best.map(|(found, words, _)| (found, words))
}

/// True for the tail of a title that means the notes on what it names.
pub fn is_notes(tail: Tail) -> bool {
    matches!(tail, Tail::Commentary | Tail::OldCommentary)
}

/// The work, chapter and layer that a title names.
pub fn locus(works: &Works, resolved: &Resolved) -> String {
    let named = &resolved.named;
    if resolved.tail == Some(Tail::Opening) {
        let part = Named { chapter: None, ..named.clone() };
        let chapter = named.chapter.as_ref().map(|c| format!("({c})")).unwrap_or_default();
        return format!("{}・序官{chapter}", part.locus());
    }
    let mut locus = named.locus();
    match resolved.tail {
        Some(Tail::Record) if named.chapter.is_some() => locus.push_str("・記"),
        Some(tail) if is_notes(tail) => {
            let called = (tail == Tail::OldCommentary).then_some('傳');
            locus.push('・');
            locus.push_str(works.notes(&named.work, called));
        }
        Some(Tail::Subcommentary) => locus.push_str("・疏"),
        Some(Tail::Tradition) => locus.push_str("・傳"),
        Some(Tail::Preface) => locus.push_str("・序"),
        _ => {}
    }
    locus
}
