//! Reads notes: titles and years that they cite, quotations in marks, words of the classic that
//! they take up (言X者).
//!
//! Notes quote without marks. The text after a title up to the full stop is taken as the quotation;
//! without punctuation, the longest run that the cited chapter has.

use super::quotes::range_end;
use super::tokens::{CommentToken, TokenKind, plain_before, sentence_after, tokens};
use super::{bare, readings, speakers, years};
use crate::corpus::view::ExplainedText;
use crate::passes::links::references::candidates::exact;
use crate::passes::links::references::certainty::{EXPLAINED, JUST_BEFORE, TWO_BEFORE};
use crate::passes::links::references::cues::*;
use crate::passes::links::references::decide::citation::{CitedText, cited};
use crate::passes::links::references::decide::going_on::{self, GoingOn, spoken};
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::Discourse;
use crate::passes::links::references::sources::scholars;
use crate::text::spans::SpanSet;
use regex::Match;

/// Most characters between a title and the quotation that it has.
const MAX_TO_QUOTE: usize = 10;

/// The links of a note or a part of the classic, and what titles cite in it.
#[derive(Default)]
pub struct NoteLinks {
    /// The links.
    pub links: Vec<Link>,
    taken: SpanSet,
}

/// Quotations within quotations that are looked into: marks that open again and again quote
/// nothing.
const MAX_NESTED: usize = 16;

impl NoteLinks {
    /// True if no title cites any of a span.
    pub fn is_free(&self, span: Span) -> bool {
        self.taken.overlapping(span).next().is_none()
    }

    /// Adds the links of the titles in 《》 that are accepted, inside quotations too.
    pub fn titled(
        &mut self,
        places: &Places<'_>,
        rule: Rule,
        (span, layer): (Span, Layer),
        accepts: &impl Fn(CommentToken, &Link) -> bool,
    ) {
        let mut open = vec![(tokens(places.text(), span), 0)];
        while let Some((all, n)) = open.last_mut() {
            let Some(token) = all.get(*n).copied() else {
                open.pop();
                continue;
            };
            *n += 1;
            match token.kind {
                TokenKind::Title => {
                    let link = titled_citation(places, rule, all, *n - 1, layer);
                    if let Some(link) = link.filter(|link| accepts(token, link)) {
                        let taken = [Some(link.span), link.quoted].into_iter().flatten();
                        taken.for_each(|span| self.taken.put(span));
                        self.links.push(link);
                    }
                }
                TokenKind::Quote if open.len() < MAX_NESTED && self.is_free(token.outer) => {
                    open.push((tokens(places.text(), token.inner), 0));
                }
                _ => {}
            }
        }
    }
}

/// The links of one note.
pub fn read(places: &Places<'_>, note: &Segment) -> Vec<Link> {
    let of = (note.span, note.layer);
    let mut found = NoteLinks::default();
    if Rule::NoteTitle.on() {
        found.titled(places, Rule::NoteTitle, of, &|_, _| true);
    }
    if Rule::BareTitle.on() {
        let bare = bare::citations(places, Rule::BareTitle, of, |s| found.is_free(s), None);
        found.links.extend(bare.into_iter().map(|(link, _)| link));
    }
    if Rule::NoteYear.on() {
        cited_years(places, note, &mut found.links);
    }
    if Rule::NoteRecension.on() {
        found.links.extend(readings::recensions(places, note));
    }
    // Readings of characters and collation notes quote what they are on in another way.
    let is_on_sense = !matches!(note.layer, Layer::Yin | Layer::An);
    if is_on_sense && Rule::NoteQuotation.on() {
        quotations(places, note, note.span, &mut found);
    } else if !is_on_sense && Rule::ReadAlike.on() {
        found.links.extend(readings::alike(places, note));
    }
    if note.layer == Layer::Zhu && Rule::NoteSays.on() {
        explained(places, note, &mut found);
    }
    found.links
}

/// The link of a title in 《》, with the text cited from it.
fn titled_citation(
    places: &Places<'_>,
    rule: Rule,
    tokens: &[CommentToken],
    at: usize,
    layer: Layer,
) -> Option<Link> {
    let title = tokens[at];
    let mut resolved = places.resolve(places.slice(title.inner))?;
    if bare::is_own(places, layer, &resolved) {
        return None;
    }
    let plain = tokens.get(at + 1).filter(|t| t.kind == TokenKind::Plain).map(|t| t.inner);
    // 《春秋》定十四年: the title is that of the chapter, and the words begin after the year.
    let year = plain.and_then(|p| years::after(places.text(), p, title.outer.end()));
    let year = year.filter(|_| resolved.named.chapter.is_none());
    year.into_iter().for_each(|y| y.of.narrow(&mut resolved.named, places));
    let year = year.filter(|_| resolved.named.chapter.is_some());
    let between = plain.map_or("", |p| places.slice(p));
    let is_lead = between.chars().count() <= MAX_TO_QUOTE && !between.contains('。');
    let quote = tokens.get(at + 1 + usize::from(plain.is_some()));
    let quote = quote.filter(|q| is_lead && q.kind == TokenKind::Quote).map(|q| (q.inner, true));
    let said = quote.or_else(|| {
        let from = year.map_or(plain?.start(), |y| y.span.end());
        Some((sentence_after(places.text(), Span::new(from, plain?.end()))?, false))
    });
    let text = CitedText { year: year.map(|y| y.of.year), ..CitedText::said(said) };
    let mut link = cited(rule, places, (&resolved, title.outer), text, layer);
    link.quoted = link.quoted.or(said.map(|s| s.0));
    Some(link)
}

/// Links the years of the annals that a note says it cites: 在僖五年, 隱元年傳曰….
fn cited_years(places: &Places<'_>, note: &Segment, links: &mut Vec<Link>) {
    for year in years::all(places.text(), note.span).into_iter().filter(|y| y.cites) {
        let is_taken = links.iter().rev().take(CLAUSE).any(|l| l.span.overlap(year.span) > 0);
        let Some(named) = year.of.chapter(places).filter(|_| !is_taken) else { continue };
        let said = sentence_after(places.text(), Span::new(year.span.end(), note.span.end()));
        let said = CitedText::said(said.map(|s| (s, false)));
        let text = CitedText { year: Some(year.of.year), ..said };
        let resolved = Resolved { named, tail: None, alternatives: vec![] };
        links.push(cited(Rule::NoteYear, places, (&resolved, year.span), text, note.layer));
    }
}

/// Links the quotations in marks of a note, but for those that a title has: words of the classic
/// before it, of another place of the chapter or the work, or of another chapter.
fn quotations(places: &Places<'_>, note: &Segment, span: Span, found: &mut NoteLinks) {
    let text = places.text();
    let tokens = tokens(text, span);
    let mut next = 0;
    while let Some(at) = (next..tokens.len()).find(|n| tokens[*n].kind == TokenKind::Quote) {
        let token = tokens[at];
        next = at + 1;
        let lead = plain_before(&tokens, at);
        let is_free = found.is_free(token.outer);
        // A scholar may cite something: 鄭司農云：“…《國語》曰…”.
        let within = |t: &Span| token.inner.contains(*t) && *t != token.inner;
        let is_cited = found.taken.overlapping(token.outer).any(|t| !within(t));
        let said = lead.filter(|_| !is_cited);
        if let Some(said) = said.and_then(|lead| said_by_another(places, note, lead, token)) {
            found.links.push(said);
            quotations(places, note, token.inner, found);
            continue;
        }
        let lead = lead.map_or("", |s| places.slice(s));
        let ends_range = RANGE.is_match(lead) && at > 1 && !found.is_free(tokens[at - 2].outer);
        if !is_free || ends_range {
            continue;
        }
        let words = &places.words(token.inner);
        let (span, quoted) = (token.outer, token.inner);
        let on = GoingOn { rule: Rule::NoteQuotation, span, quoted, words, cue: "" };
        if is_note_of(places, &tokens, at) {
            match before(places, note, on) {
                Some(link) => found.links.push(link.link()),
                None => quotations(places, note, token.inner, found),
            }
            continue;
        }
        let cue = OWN_WORK.captures(lead).and_then(|c| c.name("cue"));
        let start = token.outer.start() - cue.map_or(0, |c| lead.len() - c.start());
        // “X”至“Y”: the place is that of X.
        let range = range_end(text, &tokens, next);
        let end = range.map_or(token.outer.end(), |i| tokens[i].outer.end());
        next = range.map_or(next, |i| i + 1);
        let link = quotation(places, note, GoingOn { span: Span::new(start, end), ..on });
        found.links.extend(link.map(Draft::link));
    }
}

/// The link of a quotation in which a scholar speaks who did not write the note: 鄭司農云“…” in the
/// notes of 鄭玄.
fn said_by_another(
    places: &Places<'_>,
    note: &Segment,
    lead: Span,
    token: CommentToken,
) -> Option<Link> {
    let passage = places.view.passage_at(note.span.start())?;
    let d = Discourse::new(places, passage, note.layer);
    let speaker = speakers::before(&d, lead).filter(|s| !scholars::explains(places, s.scholar))?;
    let span = Span::new(speaker.span.start(), token.outer.end());
    Some(spoken(&d, Rule::Reported, speaker, span, Some(token.inner)).link())
}

/// True if a quotation is a note by a commentator who is named before it (馬曰：“…”): such a note has
/// words of the classic because it explains them.
fn is_note_of(places: &Places<'_>, tokens: &[CommentToken], at: usize) -> bool {
    let Some(lead) = plain_before(tokens, at) else { return false };
    let opens = at < 2 || tokens[at - 2].kind == TokenKind::Quote;
    let text = places.slice(lead);
    let said: String = text.chars().filter(|c| is_content(*c)).collect();
    let name = said.strip_suffix(|c| QUOTING_VERBS.has(c)).unwrap_or_default();
    opens
        && !name.is_empty()
        && name.chars().count() <= CLAUSE
        && !name.ends_with(|c| BEFORE_SURNAME.has(c))
        && !MASTER.end(name)
        && !OWN_WORK.is_match(text)
        && places.resolve(name).is_none()
}

/// The link of a quotation: to words just before the note, else in the work, or in another chapter.
fn quotation(places: &Places<'_>, note: &Segment, on: GoingOn<'_>) -> Option<Draft> {
    let other = || going_on::other_chapter(places, on, note.layer).map(|(link, _)| link);
    let own = || {
        let passage = places.view.passage_at(note.span.start()).map_or(note.span, |p| p.text);
        going_on::own_work(places, on, passage, note.layer).map(|(link, _)| link)
    };
    (on.words.len() > 0).then(|| before(places, note, on).or_else(own).or_else(other)).flatten()
}

/// A link to exactly these words: just before the note, or of two characters not long before.
fn before(places: &Places<'_>, note: &Segment, on: GoingOn<'_>) -> Option<Draft> {
    let passage = places.view.passage_at(note.span.start())?;
    let start = passage.text.start();
    let far = |f: &FoundPlace| start - f.target.span.start();
    let far_before = || {
        let found = exact::next_in(places, Stream::Base, start, on.words, true);
        let found = found.filter(|f| on.words.len() == 2 && far(f) < PARAGRAPH_BYTES);
        found.map(|f| f.sure(*TWO_BEFORE))
    };
    let found = just_before(places, note, passage, on.words).or_else(far_before)?;
    let link = draft(on.rule, LinkKind::Quotation, on.span, note.layer).quoted(on.quoted);
    Some(link.found(found))
}

/// The last place of words in the classic between the start of the passage and the note, else the
/// first in the rest of the passage.
fn just_before(
    places: &Places<'_>,
    note: &Segment,
    passage: &ExplainedText,
    words: &SoughtWords,
) -> Option<FoundPlace> {
    let (start, end) = (passage.text.start(), passage.text.end());
    let behind = exact::last_before(places, start..note.span.start(), words.chars(), 0);
    let ahead = || {
        let hits = places.view.find(Stream::Base, note.span.end()..end, words.chars(), 0);
        let hit = hits.first()?;
        Some(places.view.stretch(places.document, Stream::Base, hit))
    };
    let span = behind.map(|(span, _)| span).or_else(ahead)?;
    let how = EvidenceKind::WordOfTheClassicBefore;
    Some(FoundPlace::here(span, Status::Exact, *JUST_BEFORE, how))
}

/// First byte of the run of the classic just before `at`: back to where another note interrupts it.
fn paragraph_start(places: &Places<'_>, at: usize) -> usize {
    let (document, base) = (places.document, &places.view.base);
    let segment = |i: usize| document.segment_at(base.at(i));
    let mut i = base.index_at(at);
    while i > 1 && segment(i - 1) == segment(i - 2) {
        i -= 1;
    }
    base.get(i.saturating_sub(1)).unwrap_or(at)
}

/// Links 言賢者 and 如鄉射之禮者 to the words of the classic just before the note.
fn explained(places: &Places<'_>, note: &Segment, found: &mut NoteLinks) {
    let base = note.span.start();
    let span = |m: Match<'_>| Span::new(base + m.start(), base + m.end());
    let text = places.slice(note.span);
    let words = NOTE_EXPLAINS.captures_iter(text).chain(NOTE_TAKES_UP.captures_iter(text));
    for (all, x) in words.filter_map(|c| Some((span(c.name("all")?), span(c.name("x")?)))) {
        let is_taken =
            |l: &Link| l.kind == LinkKind::Quotation && l.quoted.is_some_and(|q| q.overlap(x) > 0);
        let is_quoted = found.links.iter().rev().take(2 * CLAUSE).any(is_taken);
        if !found.is_free(all) || is_quoted || places.slice(x) == "之" {
            continue;
        }
        let from = paragraph_start(places, base);
        let hits = places.view.find(Stream::Base, from..base, places.words(x).chars(), 0);
        let Some(hit) = hits.first() else { continue };
        let target = places.view.stretch(places.document, Stream::Base, hit);
        let how = EvidenceKind::WordOfTheClassicBefore;
        let place = FoundPlace::here(target, Status::Exact, *EXPLAINED, how);
        let link = draft(Rule::NoteSays, LinkKind::Quotation, all, note.layer);
        found.links.push(link.quoted(x).found(place).link());
    }
}
