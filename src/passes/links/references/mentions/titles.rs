//! Titles of a sub-commentary in 《》, with the text that is cited from them.

use super::tokens::{CommentToken, MAX_SENTENCE, Read, TokenKind, plain_before, sentence_after};
use super::{speakers, years};
use crate::corpus::works::Tail;
use crate::model::Evidence;
use crate::passes::links::references::candidates::cited;
use crate::passes::links::references::cues::*;
use crate::passes::links::references::decide::citation::{CitedText, cited};
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::called;
use crate::passes::links::references::sources::open::{Discourse, OpenCitation};
use crate::text::class::ends_sentence;
use crate::text::script::{Script, convert};
use ecow::eco_format;

/// Where songs are.
const SONGS: &str = "詩經";
/// Most characters between a quotation and the title of its source, and after a word that is taken
/// up.
const MAX_LINK_CHARS: [usize; 2] = [2, 5];
/// Nats above chance of text that goes on with a citation.
const MIN_CONTINUED: f32 = 9.0;

/// Reads one title, or several cited together, with the text cited from them.
pub fn read(d: &mut Discourse<'_>, tokens: &[CommentToken], at: usize) -> Read {
    let places = d.places;
    let slice = |t: &CommentToken| places.slice(t.inner);
    let is = |n: usize, kind| tokens.get(n).filter(|t: &&CommentToken| t.kind == kind);
    let mut last = at;
    while is(last + 1, TokenKind::Plain).is_some_and(|t| AND.is_match(slice(t)))
        && is(last + 2, TokenKind::Title).is_some()
    {
        last += 2;
    }
    let plain = is(last + 1, TokenKind::Plain);
    let after = plain.map_or("", slice);
    let tail = tail_of(d, tokens[last], after);
    let between = &after[tail.len()..];
    let is_quoted = plain.is_none() || TO_QUOTE.is_match(between) && !NOTE_SAYS.is_match(between);
    let next = last + 1 + usize::from(plain.is_some());
    let quote = is(next, TokenKind::Quote).filter(|_| is_quoted).map(|q| (q.inner, q.outer.end()));
    let text = match quote {
        Some((quoted, _)) => CitedText { quoted: Some(quoted), ..CitedText::default() },
        None => text_around(d, tokens, at, plain.map(|p| (p.inner, after, tail.len()))),
    };
    named_source(d, tokens, at, after);
    for n in (at..=last).step_by(2) {
        let tail = if n == last { tail } else { "" };
        cite(d, tokens[n], tail, text);
    }
    if let Some(o) = d.open.last_mut() {
        o.end = quote.map_or(tokens[last].outer.end(), |(_, end)| end);
    }
    // What follows the title is read too, but for the words between it and its quotation.
    match quote {
        Some((quoted, _)) => Read { next: next + 1, inner: Some((quoted, true)) },
        None => Read::to(last + 1),
    }
}

/// The text around a title without a quotation that may be cited from it.
fn text_around(
    d: &Discourse<'_>,
    tokens: &[CommentToken],
    at: usize,
    plain: Option<(Span, &str, usize)>,
) -> CitedText {
    let (after, tail) = plain.map_or(("", 0), |(_, after, tail)| (after, tail));
    let mut is_source = SOURCE_OF.is_match(after);
    let mut before = before(d, tokens, at);
    if let Some(b) = before {
        let words = d.places.slice(b).trim_end_matches(|c| FROM_THERE.has(c));
        is_source |= words.len() < b.len();
        before = Some(Span::new(b.start(), b.start() + words.len()));
    }
    // The words that the header quotes, if the comment opens with a title: 注“犬四尺曰獒”。○解云：《釋畜》文.
    let opens =
        matches!(&tokens[..at], [lead] if OPENS_WITH_TITLE.is_match(d.places.slice(lead.inner)));
    let header = d.header.filter(|_| is_source && opens);
    let rest = plain.map(|(span, ..)| Span::new(span.start() + tail, span.end()));
    CitedText {
        after: rest.and_then(|rest| sentence_after(d.places.text(), rest)),
        before: header.or(before),
        is_source,
        of_header: header.is_some(),
        is_said: after[tail..].trim_start().starts_with(|c| VERBS.has(c)),
        ..CitedText::default()
    }
}

/// Links the text after a quotation, if it continues with what the work says there.
pub fn continued(d: &mut Discourse<'_>, token: Option<&CommentToken>) {
    let link = || {
        let token = token.filter(|t| t.kind == TokenKind::Plain)?;
        let rest = sentence_after(d.places.text(), token.inner)?;
        let words = d.places.words(rest);
        let concludes = d.places.slice(rest).starts_with(|c| CONCLUDES.has(c));
        let open = d.open.last().filter(|_| !concludes && words.len() >= SENTENCE)?;
        let source = open.source(Stream::Base, rest.start())?;
        let (found, located) = cited::aligned(d.places, source, &words, MIN_CONTINUED)?;
        let span = words.key.span(located.words.start, located.words.end);
        let link = draft(Rule::ContinuedText, LinkKind::Citation, span, d.layer).quoted(span);
        let is_quoted = cited::covers(d.places, &found, &d.places.words(span));
        let link = link.work(open.work.clone()).found(found);
        is_quoted.then(|| link.because(EvidenceKind::GoesOnWithCitation))
    };
    if let Some(link) = link().filter(|_| Rule::ContinuedText.on()) {
        d.push(link);
    }
}

/// The clauses before a title, or the quotation just before it. One that has a title before it is
/// from there, unless the text says that it is from this one.
fn before(d: &Discourse<'_>, tokens: &[CommentToken], at: usize) -> Option<Span> {
    let token = tokens[at.checked_sub(1)?];
    let lead = d.places.slice(token.inner);
    let is_plain = token.kind == TokenKind::Plain;
    if is_plain && lead.trim_end().ends_with(|c| GOES_ON.has(c)) {
        return None;
    }
    // “X”者，《釋詁》文; “X”者，此王用《中孚》九二爻辭也.
    let most = MAX_LINK_CHARS[usize::from(lead.starts_with('者'))];
    let is_link = is_plain && lead.chars().filter(|c| is_content(*c)).count() <= most;
    let token = if is_link { tokens[at.checked_sub(2)?] } else { token };
    match token.kind {
        TokenKind::Quote => Some(token.inner),
        TokenKind::Plain => {
            let text = d.places.slice(token.inner);
            let end = |c: char| ends_sentence(c) || matches!(c, '○' | '\n');
            let clauses = text.rsplit(end).next().unwrap_or(text);
            let most = clauses.char_indices().rev().take(MAX_SENTENCE).last();
            let from = token.inner.end() - clauses.len() + most.map_or(0, |(i, _)| i);
            // The name of a year is not part of the text of that year.
            let years = years::all(d.places.text(), Span::new(from, token.inner.end()));
            let from = years.last().map_or(from, |y| y.span.end());
            (from < token.inner.end()).then(|| Span::new(from, token.inner.end()))
        }
        TokenKind::Title => None,
    }
}

/// X者,《國語》文, “X”，《釋訓》文: the sub-commentary names what the note quotes from; the note's sentence
/// becomes a citation too.
fn named_source(d: &mut Discourse<'_>, tokens: &[CommentToken], at: usize, after: &str) {
    if !SOURCE_OF.is_match(after) || !Rule::NamedSource.on() {
        return;
    }
    let words = words_before(d, tokens, at);
    let said =
        words.and_then(|(words, is_taken_up)| Some((sentence_of_note(d, words)?, is_taken_up)));
    let Some((said, is_taken_up)) = said else { return };
    if let Some(r) = d.places.resolve(d.places.slice(tokens[at].inner)) {
        let text = CitedText { quoted: Some(said), ..CitedText::default() };
        let mut link = cited(Rule::NamedSource, d.places, (&r, said), text, Layer::Zhu);
        link.evidence.push(Evidence::of(EvidenceKind::NamedBySubcommentary));
        // What is not taken up may be more than what is from there.
        if is_taken_up || link.target.is_some() {
            d.links.push(link);
        }
    }
}

/// The quotation or the clauses just before a title, without what introduces them (正義曰：), and
/// whether they are taken up: X者, or “X”者.
fn words_before(d: &Discourse<'_>, tokens: &[CommentToken], at: usize) -> Option<(Span, bool)> {
    let words = before(d, tokens, at)?;
    if tokens.iter().any(|t| t.kind == TokenKind::Quote && t.inner == words) {
        let between = plain_before(tokens, at).map_or("", |s| d.places.slice(s));
        return Some((words, between.starts_with('者')));
    }
    let text = d.places.slice(words).trim_end_matches([',', '，']);
    let (text, is_taken_up) = text.strip_suffix('者').map_or((text, false), |x| (x, true));
    let marks: &[char] = if is_taken_up { &[',', '，', '也', ':', '：'] } else { &[':', '：'] };
    let (end, said) = (words.start() + text.len(), text.rsplit(marks).next().unwrap_or(text));
    Some((Span::new(end - said.len(), end), is_taken_up))
}

/// The sentence of the notes of the passage that begins with some words; several if the words are
/// more.
fn sentence_of_note(d: &Discourse<'_>, words: Span) -> Option<Span> {
    let (document, view) = (d.places.document, d.places.view);
    let words = d.places.words(words);
    let hits = view.find(Stream::Notes, d.passage.text.range(), words.chars(), 0);
    let hit = hits.first().copied().filter(|_| words.len() > 1)?;
    let from = view.notes.at(hit.from);
    let end = document.segment_at(from).map_or(from, |i| document.segments[i].span.end());
    let last = view.notes.end(hit.to - 1).clamp(from, end);
    let stop = d.places.text()[last..end].find('。').map_or(end, |i| last + i);
    (stop > from).then(|| Span::new(from, stop))
}

/// What belongs to a title of the text after it. 說 does where this is what the work is called
/// (《孝經》說).
fn tail_of<'b>(d: &Discourse<'_>, title: CommentToken, after: &'b str) -> &'b str {
    let tail = tail(after);
    let is_called =
        || d.places.resolve(&format!("{}{tail}", d.places.slice(title.inner))).is_some();
    if matches!(tail, "說" | "説" | "说") && !is_called() { "" } else { tail }
}

/// Links one title.
fn cite(d: &mut Discourse<'_>, token: CommentToken, tail: &str, mut text: CitedText) {
    let places = d.places;
    let name = places.slice(token.inner);
    let span = Span::new(token.outer.start(), token.outer.end() + tail.len());
    let before = &places.text()[d.span.start()..span.start()];
    let is_noted = before.ends_with(|c| NOTES_ON.has(c));
    let resolved = places.resolve(&format!("{name}{tail}")).or_else(|| places.resolve(name));
    let Some(mut resolved) = resolved else {
        return unknown(d, name, token, span);
    };
    let year = years::before(places.text(), d.span, span.start())
        .or_else(|| years::after(places.text(), d.span, span.end()).map(|year| year.of));
    if let Some(year) = year.filter(|_| resolved.named.chapter.is_none()) {
        year.narrow(&mut resolved.named, places);
        text.year = resolved.named.chapter.is_some().then_some(year.year);
    }
    if LISTS_OF_OFFICES.has(name) {
        of_own_part(d, &mut resolved, is_noted);
    }
    // 鄭注《大宗伯》云: what the note says.
    if is_noted {
        resolved.tail = resolved.tail.or(Some(Tail::Commentary));
    }
    let named = &resolved.named;
    let mut link = cited(Rule::Title, places, (&resolved, span), text, d.layer);
    // 王肅《家語》注
    if resolved.tail.is_some_and(called::is_notes)
        && let Some(notes) = speakers::notes_by(d, before, &named.work)
    {
        link.work = Some(eco_format!("{}・{notes}", named.locus()));
        link.target = None;
    }
    let found_in = link.target.as_ref().map(|t| cited::narrowed(places, named, t, link.status));
    let open = called::titled(places, resolved, span.end());
    d.open.push(OpenCitation { year: text.year, found_in, ..open });
    d.links.push(link);
}

/// 《序官》 alone is that of the part that is explained.
fn of_own_part(d: &Discourse<'_>, resolved: &mut Resolved, is_noted: bool) {
    let home = d.places.home.as_ref().filter(|h| h.work == resolved.named.work);
    if let Some(home) = home.filter(|h| h.part.is_some()) {
        resolved.named.part.clone_from(&home.part);
        resolved.tail = resolved.tail.or((!is_noted).then_some(Tail::Opening));
    }
}

/// Links a title that the authority file does not have, if it is one: a rite may be meant by its
/// name, or a lost song.
fn unknown(d: &mut Discourse<'_>, name: &str, token: CommentToken, span: Span) {
    let after = &d.places.text()[token.outer.end()..d.span.end().max(token.outer.end())];
    let song = || {
        let is_song = LOST_SONGS.has(name) && AFTER_SONG.begin(after);
        is_song.then(|| format!("{SONGS}・{}", convert(name, Script::Traditional)))
    };
    let work = match d.places.works().is_rite(name, d.places.work()) {
        false => Some(name.to_string()),
        true => song(),
    };
    if work.is_some() {
        let link = draft(Rule::Title, LinkKind::Citation, span, d.layer).work(work);
        d.push(link.why(EvidenceKind::TitleNotInAuthorityFile));
    }
}
