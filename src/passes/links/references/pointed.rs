//! Readings of characters that hold in other places too: 下文“乃爲”、注“爲鳥”同.

use std::sync::LazyLock;

use regex::Regex;

use super::link::draft;
use super::place::PlaceFinder;
use super::scan::{CommentToken, TokenKind, tokens};
use super::sought::SoughtWords;
use crate::corpus::view::Stream;
use crate::model::{EvidenceKind, Link, LinkKind, Segment};
use crate::source::Span;
use crate::text::both_scripts::pattern_in_both_scripts as pattern;
use crate::text::class::ends_sentence;

/// Where the words are that are quoted after it.
static WHERE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:^|[，,、；;。\s及])(?P<cue>(?P<dir>[上前下後])?(?P<what>文|經|注|章)?)$")
});
/// What says that they are read alike.
static ALIKE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:^|[^不])同|放此|仿此"));

/// Links the words of other places that a note says are read alike.
pub fn read(places: &PlaceFinder<'_>, note: &Segment, links: &mut Vec<Link>) {
    let text = places.document.source.text();
    let all = tokens(text, note.span);
    let mut last_is_back = None;
    for (plain, quote) in all.iter().zip(&all[1.min(all.len())..]) {
        if plain.kind != TokenKind::Plain || quote.kind != TokenKind::Quote {
            continue;
        }
        let lead = &text[plain.inner.range()];
        if lead.contains(ends_sentence) {
            last_is_back = None;
        }
        let Some(found) = WHERE.captures(lead) else { continue };
        let sentence = plain_rest(text, &all, quote.outer.end());
        let (dir, what) = (found.name("dir"), found.name("what"));
        // 下文“X”、注“Y”同: both are further on.
        let is_back = dir.map(|d| matches!(d.as_str(), "上" | "前")).or(last_is_back);
        let Some(is_back) = is_back.filter(|_| ALIKE.is_match(&sentence)) else {
            continue;
        };
        let words = SoughtWords::of(places.document, quote.inner);
        if words.len() == 0 || dir.is_none() && what.is_none() {
            continue;
        }
        last_is_back = Some(is_back);
        let in_notes = what.is_some_and(|w| w.as_str() == "注");
        let streams =
            if in_notes { [Stream::Notes, Stream::Base] } else { [Stream::Base, Stream::Notes] };
        let at = if is_back { note.span.start() } else { note.span.end() };
        let place = streams.into_iter().find_map(|s| places.next_in(s, at, &words, is_back));
        let cue = found.name("cue").map_or(lead.len(), |c| c.start());
        let span = Span::new(plain.inner.start() + cue, quote.outer.end());
        let link = draft(LinkKind::Internal, span, note.layer).quoted(quote.inner).found(place);
        links.push(link.work(places.locus()).why(EvidenceKind::NotInCorpus).link());
    }
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
