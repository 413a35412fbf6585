//! Commentary without punctuation, as in most scans and in old prints: 禮運云三五而盈三五而闕注云一盈一闕
//! 服虔云諸辭是居諸皆不爲義也.
//!
//! What introduces words is looked for first (a title, a scholar, 又曰, 注云, 云); the words of each go
//! on to the next at most, and as far as they agree with what they are from.

use super::{bare, speakers};
use crate::passes::links::references::candidates::{cited, exact};
use crate::passes::links::references::certainty::{FLAT, SHORT_FLAT};
use crate::passes::links::references::cues::QUOTING_VERBS;
use crate::passes::links::references::decide::citation::{CitedText, cited};
use crate::passes::links::references::decide::going_on::{GoingOn, ibid, spoken};
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::{Discourse, OpenCitation};
use crate::passes::links::references::sources::{called, scholars};

/// Most characters of words that are not at hand.
const MAX_UNKNOWN: usize = 24;

/// What introduces words.
enum CueKind<'a> {
    /// A title: 禮運云.
    Title(Resolved, Span),
    /// A scholar: 服虔云.
    Speaker(Speaker<'a>),
    /// 又曰, 注云, 傳曰: what was cited goes on.
    GoesOn,
    /// 云 or 言 alone.
    Says,
}

/// A cue, and the words that it introduces: characters of a key.
struct Cue<'a> {
    kind: CueKind<'a>,
    from: usize,
    to: usize,
    end: usize,
}

impl Cue<'_> {
    /// The words, or the first of them: nothing says where they end.
    fn words(&self, key: &Key, most: usize) -> Option<Span> {
        let end = self.end.min(self.to + most);
        (self.to < end).then(|| key.span(self.to, end))
    }
}

/// Reads an unpunctuated span.
pub fn read(d: &mut Discourse<'_>, span: Span) {
    let key = Key::of(d.places.text(), span);
    let first = d.links.len();
    for cue in cues(d, &key) {
        let quotes = match &cue.kind {
            CueKind::Title(resolved, span) => {
                title(d, &key, resolved, *span, &cue);
                continue;
            }
            CueKind::GoesOn if goes_on(d, &key, &cue) => continue,
            _ => quotes_passage(d, &key, &cue),
        };
        if let CueKind::Speaker(speaker) = cue.kind
            && !quotes
            && !scholars::explains(d.places, speaker.scholar)
        {
            let said = cue.words(&key, MAX_UNKNOWN);
            let end = said.map_or(speaker.span.end(), Span::end);
            let span = Span::new(key.at[cue.from] as usize, end);
            let link = spoken(d, Rule::FlatSpeaker, speaker, span, said);
            d.push(link);
        }
    }
    if Rule::FlatTakenUp.on() {
        taken_up(d, &key, first);
    }
    if Rule::BareChapter.on() {
        bare::chapters(d, span, first);
    }
}

/// What introduces words, in order.
fn cues<'a>(d: &Discourse<'a>, key: &Key) -> Vec<Cue<'a>> {
    let mut cues: Vec<Cue<'a>> = Vec::new();
    let mut at = 0;
    while at < key.len() {
        let cue = cue_at(d, key, at);
        at = cue.as_ref().map_or(at + 1, |c| c.to);
        // Scopes have links of their own.
        cues.extend(cue.filter(|c| d.is_free(key.span(c.from, c.to))));
    }
    let mut next = key.len();
    for cue in cues.iter_mut().rev() {
        cue.end = next.min(cue.to + MAX_CITED);
        next = cue.from;
    }
    cues
}

fn cue_at<'a>(d: &Discourse<'a>, key: &Key, from: usize) -> Option<Cue<'a>> {
    let cue = |kind, to| Some(Cue { kind, from, to, end: to });
    if let Some(bare) = bare::title_at(d.places, key, from) {
        return cue(CueKind::Title(bare.resolved, bare.span), bare.from);
    }
    if let Some((resolved, end)) = own_chapter_at(d, key, from) {
        return cue(CueKind::Title(resolved, key.span(from, end)), end + 1);
    }
    if let Some(speaker) =
        speakers::at(d.places, key.at[from] as usize).filter(|_| Rule::FlatSpeaker.on())
    {
        return cue(CueKind::Speaker(speaker), key.index_at(speaker.span.end()));
    }
    match &key.chars[from..] {
        ['又' | '注' | '箋' | '傳', verb, ..] if QUOTING_VERBS.has(*verb) => {
            cue(CueKind::GoesOn, from + 2).filter(|_| Rule::FlatGoesOn.on())
        }
        ['云' | '雲' | '言', ..] => cue(CueKind::Says, from + 1).filter(|_| Rule::FlatSays.on()),
        _ => None,
    }
}

/// A chapter of the work that is explained, with 云, 序云 or the like, and where its title ends.
fn own_chapter_at(d: &Discourse<'_>, key: &Key, from: usize) -> Option<(Resolved, usize)> {
    let home = d.places.work()?;
    (2..=CLAUSE).rev().find_map(|n| {
        let rest = key.chars.get(from + n..)?;
        let tail = usize::from(matches!(rest.first()?, '序' | '傳' | '注' | '箋'));
        let end = from + n + tail;
        let says = rest.get(tail).is_some_and(|c| QUOTING_VERBS.has(*c));
        let name = says.then(|| String::from_iter(&key.chars[from..end]))?;
        let resolved = d.places.resolve(&name)?;
        let is_own = resolved.named.work == home && resolved.named.chapter.is_some();
        is_own.then_some((resolved, end))
    })
}

fn title(d: &mut Discourse<'_>, key: &Key, resolved: &Resolved, title: Span, cue: &Cue<'_>) {
    let after = cue.words(key, MAX_CITED);
    let text = CitedText { after, is_said: true, is_flat: true, ..CitedText::default() };
    let mut link = cited(Rule::FlatTitle, d.places, (resolved, title), text, d.layer);
    link.quoted = link.quoted.or(cue.words(key, MAX_UNKNOWN));
    let end = link.quoted.map_or(title.end(), Span::end);
    let narrowed = |t| cited::narrowed(d.places, &resolved.named, t, link.status);
    let found_in = link.target.as_ref().map(narrowed);
    let open = called::titled(d.places, resolved.clone(), end);
    d.open.push(OpenCitation { found_in, ..open });
    d.links.push(link);
}

/// Links what goes on with what was cited just before (又曰, 注云). True if something was.
fn goes_on(d: &mut Discourse<'_>, key: &Key, cue: &Cue<'_>) -> bool {
    let at = key.span(cue.from, cue.to);
    let name = d.places.slice(at);
    let is_open =
        |o: &&OpenCitation| !name.starts_with(['傳', '传']) || called::has_tradition(d.places, o);
    let open = d.open.last().filter(|_| d.goes_on(at.start(), name)).filter(is_open).cloned();
    let Some((open, words)) = open.zip(cue.words(key, MAX_CITED)) else { return false };
    let words = d.places.words(words);
    let stream = if name.starts_with('又') { Stream::Base } else { Stream::Notes };
    let source = open.source(stream, at.start());
    let found = source.and_then(|s| cited::aligned_after(d.places, s, &words, true));
    let most = found.map_or(words.len().min(MAX_UNKNOWN), |(_, located)| located.words.end);
    let quoted = words.key.span(0, most);
    let span = Span::new(at.start(), quoted.end());
    let words = d.places.words(quoted);
    let on = GoingOn { rule: Rule::FlatGoesOn, span, quoted, words: &words, cue: name };
    ibid(d, on, open);
    true
}

/// Links words after a cue that the passage has. True if it has enough of them.
fn quotes_passage(d: &mut Discourse<'_>, key: &Key, cue: &Cue<'_>) -> bool {
    let words = &key.chars[cue.to..cue.end.max(cue.to)];
    let longest = exact::longest(d.places, d.passage, words, false);
    let Some((n, target)) = longest else { return false };
    let then_zhe = key.chars.get(cue.to + n) == Some(&'者');
    let is_enough = n >= CLAUSE || n > 1 && then_zhe;
    if is_enough {
        let quoted = key.span(cue.to, cue.to + n);
        let span = Span::new(key.at[cue.from] as usize, quoted.end());
        link_passage(d, Rule::FlatSays, [span, quoted], n, target);
    }
    is_enough
}

/// Links X者 with words of the passage that nothing introduces.
fn taken_up(d: &mut Discourse<'_>, key: &Key, first: usize) {
    let quoted = |l: &Link| l.quoted.unwrap_or(l.span);
    let mut taken: Vec<Span> = d.links[first..].iter().map(quoted).collect();
    taken.extend(&d.taken);
    taken.sort_by_key(|t| t.start());
    for at in (PHRASE..key.len()).filter(|i| key.chars[*i] == '者') {
        let from = at.saturating_sub(MAX_CITED);
        let longest = exact::longest(d.places, d.passage, &key.chars[from..at], true);
        let Some((n, target)) = longest.filter(|(n, _)| *n >= PHRASE) else { continue };
        let quoted = key.span(at - n, at);
        // Words have few characters, so what overlaps begins not far before.
        let later = taken.partition_point(|t| t.start() < quoted.end());
        let near = &taken[later.saturating_sub(MAX_CITED)..later];
        if near.iter().all(|t| t.overlap(quoted) == 0) {
            link_passage(d, Rule::FlatTakenUp, [quoted, quoted], n, target);
        }
    }
}

fn link_passage(
    d: &mut Discourse<'_>,
    rule: Rule,
    [span, quoted]: [Span; 2],
    chars: usize,
    target: Span,
) {
    let certainty = if chars < CLAUSE { *SHORT_FLAT } else { *FLAT };
    let how = EvidenceKind::LongestWordsOfThePassage;
    let found = FoundPlace::here(target, Status::Exact, certainty, how);
    d.push(draft(rule, LinkKind::Quotation, span, d.layer).quoted(quoted).found(found));
}
