//! What notes say of readings: the words that the old recensions write differently (今文X作Y), and
//! places in which characters are read alike (下文“乃爲”、注“爲鳥”同).

use super::tokens::{CommentToken, TokenKind, tokens};
use crate::passes::links::references::candidates::exact;
use crate::passes::links::references::certainty::{OTHER_READING, OWN_READING};
use crate::passes::links::references::cues::*;
use crate::passes::links::references::prelude::*;
use crate::text::class::ends_sentence;
use regex::Match;

/// Links 今文X作Y to the word of the classic that the recension writes differently.
pub fn recensions(places: &Places<'_>, note: &Segment) -> Vec<Link> {
    let base = note.span.start();
    let span = |m: Match<'_>| Span::new(base + m.start(), base + m.end());
    let captures = RECENSION.captures_iter(places.slice(note.span));
    let link = captures.filter_map(|c| {
        let part = |name| c.name(name).filter(|m| !m.is_empty()).map(span);
        let (who, said) = (part("who")?, part("said")?);
        // 今文皆作Y does not name the word; 今文曰Y and 今文無Y do.
        let names = c.name("verb").is_some_and(|v| !matches!(v.as_str(), "作" | "為" | "爲"));
        let own = part("word");
        let word = own.or_else(|| part("other").filter(|_| names));
        let found = word.and_then(|word| word_before(places, word, base, own.is_some()));
        let work = places.locus().map(|l| format!("{l}({})", places.slice(who)));
        let link = draft(Rule::NoteRecension, LinkKind::Citation, who, note.layer).quoted(said);
        let link = link.work(work).found(found).because(EvidenceKind::Recension);
        Some(link.why(EvidenceKind::WordNotInTextBefore).link())
    });
    link.collect()
}

/// The nearest place before byte `end` where the classic has a word, or almost has it if only the
/// other reading is given.
fn word_before(places: &Places<'_>, word: Span, end: usize, is_own: bool) -> Option<FoundPlace> {
    let words = places.words(word);
    let base = &places.view.base;
    let reach = MAX_CITED << usize::from(is_own);
    let start = base.index_at(end).saturating_sub(reach);
    let from = base.get(start).unwrap_or(end).min(end);
    let max = if is_own { 0 } else { 2.min(words.len() / PHRASE) };
    let (span, diff) = exact::last_before(places, from..end, words.chars(), max)?;
    let status = if diff == 0 { Status::Exact } else { Status::Variant };
    let certainty = if is_own { *OWN_READING } else { *OTHER_READING };
    Some(FoundPlace::here(span, status, certainty, EvidenceKind::WordOfTheClassicBefore))
}

/// Links the words of other places that a note says are read alike.
pub fn alike(places: &Places<'_>, note: &Segment) -> Vec<Link> {
    let text = places.text();
    let all = tokens(text, note.span);
    let (mut links, mut last_is_back) = (vec![], None);
    for (plain, quote) in all.iter().zip(all.iter().skip(1)) {
        if plain.kind != TokenKind::Plain || quote.kind != TokenKind::Quote {
            continue;
        }
        let lead = places.slice(plain.inner);
        if lead.contains(ends_sentence) {
            last_is_back = None;
        }
        let Some(found) = WHERE.captures(lead) else { continue };
        let (dir, what) = (found.name("dir"), found.name("what"));
        // 下文“X”、注“Y”同: both are further on.
        let is_back = dir.map(|d| matches!(d.as_str(), "上" | "前")).or(last_is_back);
        let is_alike = ALIKE.is_match(&plain_rest(text, &all, quote.outer.end()));
        let words = places.words(quote.inner);
        let is_there = is_alike && words.len() > 0 && (dir.is_some() || what.is_some());
        let Some(back) = is_back.filter(|_| is_there) else { continue };
        last_is_back = Some(back);
        let at = if back { note.span.start() } else { note.span.end() };
        let in_notes = what.is_some_and(|w| w.as_str() == "注");
        let mut streams = [Stream::Base, Stream::Notes];
        streams.rotate_left(usize::from(in_notes));
        let place = streams.into_iter().find_map(|s| exact::next_in(places, s, at, &words, back));
        let cue = found.name("cue").map_or(lead.len(), |c| c.start());
        let span = Span::new(plain.inner.start() + cue, quote.outer.end());
        let link = draft(Rule::ReadAlike, LinkKind::Internal, span, note.layer).found(place);
        let link = link.quoted(quote.inner).work(places.locus()).why(EvidenceKind::NotInCorpus);
        links.push(link.link());
    }
    links
}

/// The text after byte `at` up to the end of the sentence, without what is quoted.
fn plain_rest(text: &str, tokens: &[CommentToken], at: usize) -> String {
    let after = tokens.iter().filter(|t| t.kind == TokenKind::Plain && t.inner.start() >= at);
    let mut rest = String::new();
    for plain in after {
        let words = &text[plain.inner.range()];
        let end = words.find(ends_sentence);
        rest.push_str(&words[..end.unwrap_or(words.len())]);
        if end.is_some() {
            break;
        }
    }
    rest
}
