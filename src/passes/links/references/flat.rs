//! Commentary without punctuation, as in most scans and in old prints: 禮運云三五而盈三五而闕注云一盈一闕
//! 服虔云諸辭是居諸皆不爲義也.
//!
//! What introduces words is looked for first (a title, a scholar, 又曰, 注云, 云); the words of each go
//! on to the next at most, and as far as they agree with what they are from.

use super::rules::Rule;
use std::ops::RangeInclusive;
use std::rc::Rc;

use super::citation::{CitedText, cited};
use super::comment::{OpenCitation, Reader};
use super::link::draft;
use super::mentions;
use super::notes::bare_title_at;
use super::pairs::PassagePairs;
use super::sought::{FoundPlace, SoughtWords};
use super::speakers::Speaker;
use crate::corpus::view::Stream;
use crate::corpus::works::Resolved;
use crate::model::{EvidenceKind, Link, LinkKind, Status, Target};
use crate::source::Span;
use crate::text::Key;

/// Fewest characters of a quotation without 者 after it, and with it where nothing introduces it.
const MIN_QUOTE_CHARS: usize = 4;
const MIN_TAKEN_UP_CHARS: usize = 3;
/// Most characters that one cue introduces, and of words that are not at hand.
const MAX_WORDS: usize = 40;
const MAX_UNKNOWN_WORDS: usize = 24;
/// Characters of the name of a chapter of the own work before 云.
const CHAPTER_NAME: RangeInclusive<usize> = 2..=4;
/// Verbs of quotation.
const SAYS: &[char] = &['云', '雲', '曰'];
/// How sure a quotation of the passage is, by its length.
const CERTAINTY: f64 = 0.85;
const SHORT_CERTAINTY: f64 = 0.7;

/// What introduces words.
enum CueKind<'a> {
    /// A title, which ends at a character: 禮運云.
    Title(Resolved, usize),
    /// A scholar: 服虔云.
    Speaker(Speaker<'a>),
    /// 又曰, 注云, 傳曰: what was cited goes on.
    GoesOn,
    /// 云 or 言 alone.
    Says,
}

/// A cue: characters of a key.
struct Cue<'a> {
    kind: CueKind<'a>,
    from: usize,
    to: usize,
}

impl<'a> Reader<'a> {
    /// Reads an unpunctuated span.
    pub fn flat(&mut self, span: Span) {
        let key = Key::of(self.text(), span);
        let first = self.links.len();
        let cues = self.cues(&key);
        let of_passage = || Rc::new(PassagePairs::of(self.places.view, self.passage.text));
        let pairs = Rc::clone(self.pairs.get_or_init(of_passage));
        for (n, cue) in cues.iter().enumerate() {
            let next = cues.get(n + 1).map_or(key.len(), |c| c.from);
            let to = next.min(cue.to + MAX_WORDS);
            let words = (cue.to < to).then(|| key.span(cue.to, to));
            match &cue.kind {
                CueKind::Title(resolved, end) => {
                    self.flat_title(resolved, key.span(cue.from, *end), words);
                }
                CueKind::Speaker(speaker) => self.flat_speaker(&key, &pairs, *speaker, cue, to),
                CueKind::GoesOn => self.flat_goes_on(&key, &pairs, cue, to),
                CueKind::Says => _ = self.quotes_passage(&key, &pairs, (cue.from, cue.to), to),
            }
        }
        if Rule::FlatTakenUp.on() {
            self.flat_taken_up(&key, &pairs, first);
        }
        let both = |l: &Link| [Some(l.span), l.quoted];
        let linked = self.links[first..].iter().flat_map(both).flatten();
        let taken: Vec<Span> = linked.chain(self.taken.iter().copied()).collect();
        if Rule::FlatBareChapter.on() {
            mentions::names(self, span, &taken);
        }
    }

    /// What introduces words, in order.
    fn cues(&self, key: &Key) -> Vec<Cue<'a>> {
        let mut cues: Vec<Cue<'a>> = Vec::new();
        let mut at = 0;
        while at < key.len() {
            let cue = self.cue_at(key, at);
            at = cue.as_ref().map_or(at + 1, |c| c.to);
            // Scopes have links of their own.
            let is_free = |c: &Cue<'_>| {
                let span = key.span(c.from, c.to);
                self.taken.iter().all(|t| t.overlap(span) == 0)
            };
            cues.extend(cue.filter(is_free));
        }
        cues
    }

    fn cue_at(&self, key: &Key, at: usize) -> Option<Cue<'a>> {
        let cue = |kind, to| Some(Cue { kind, from: at, to });
        let chars = &key.chars[at..];
        if let Some((n, to)) = bare_title_at(self.works(), self.text(), key, at) {
            let name = String::from_iter(&key.chars[at..at + n]);
            if let Some(resolved) = self.works().resolve(&name, self.places.work()) {
                return cue(CueKind::Title(resolved, at + n), to);
            }
        }
        if let Some((resolved, n, to)) =
            self.own_chapter_at(key, at).filter(|_| Rule::FlatOwnChapter.on())
        {
            return cue(CueKind::Title(resolved, at + n), to);
        }
        if let Some(speaker) = self.speaker_at(key, at).filter(|_| Rule::FlatSpeaker.on()) {
            let to = key.index_at(speaker.span.end());
            return cue(CueKind::Speaker(speaker), to);
        }
        match chars {
            ['又' | '注' | '箋' | '傳', verb, ..]
                if SAYS.contains(verb) && Rule::FlatGoesOn.on() =>
            {
                cue(CueKind::GoesOn, at + 2)
            }
            ['云' | '雲' | '言', ..] if Rule::FlatSays.on() => cue(CueKind::Says, at + 1),
            _ => None,
        }
    }

    /// A chapter of the work that is explained, with 云, 序云 or the like: its characters, and where what it says begins.
    fn own_chapter_at(&self, key: &Key, at: usize) -> Option<(Resolved, usize, usize)> {
        let home = self.places.work()?;
        CHAPTER_NAME.rev().find_map(|n| {
            let rest = key.chars.get(at + n..)?;
            let tail = usize::from(matches!(rest.first()?, '序' | '傳' | '注' | '箋'));
            let says = rest.get(tail).is_some_and(|c| SAYS.contains(c));
            if !says {
                return None;
            }
            let name = String::from_iter(&key.chars[at..at + n + tail]);
            let resolved = self.works().resolve(&name, Some(home))?;
            let is_own = resolved.named.work == home && resolved.named.chapter.is_some();
            is_own.then_some((resolved, n + tail, at + n + tail + 1))
        })
    }

    fn flat_title(&mut self, resolved: &Resolved, title: Span, words: Option<Span>) {
        let text = CitedText { after: words, is_said: true, is_flat: true, ..CitedText::default() };
        let mut link = cited(self.places, resolved, title, text, self.layer);
        link.quoted = link.quoted.or(words.map(|w| self.unknown_part(w)));
        let end = link.quoted.map_or(title.end(), Span::end);
        let found_in =
            link.target.as_ref().map(|t| self.places.narrowed(&resolved.named, t, link.status));
        let open = OpenCitation::of_title(self.works(), resolved.clone(), end);
        self.open.push(OpenCitation { found_in, ..open });
        self.links.push(link);
    }

    /// The first of some words that are not at hand: nothing says where they end.
    fn unknown_part(&self, words: Span) -> Span {
        let key = Key::of(self.text(), words);
        key.span(0, key.len().min(MAX_UNKNOWN_WORDS))
    }

    /// What a scholar says; words of the passage are those of its notes.
    fn flat_speaker(
        &mut self,
        key: &Key,
        pairs: &PassagePairs,
        speaker: Speaker<'a>,
        cue: &Cue<'_>,
        to: usize,
    ) {
        let quotes = self.quotes_passage(key, pairs, (cue.from, cue.to), to);
        if quotes || self.explains(speaker.scholar) {
            return;
        }
        let to = to.min(cue.to + MAX_UNKNOWN_WORDS);
        let said = (cue.to < to).then(|| key.span(cue.to, to));
        self.spoken(speaker, key.span(cue.from, to.max(cue.to)), said);
    }

    /// 又曰 or 注云: from what was cited just before, else words of the passage.
    fn flat_goes_on(&mut self, key: &Key, pairs: &PassagePairs, cue: &Cue<'_>, to: usize) {
        let at = key.span(cue.from, cue.to);
        let name = self.slice(at);
        let open = self.open.last().filter(|_| self.goes_on(at.start(), name)).cloned();
        let is_tradition = name.starts_with(['傳', '传']);
        let open = open.filter(|o| !is_tradition || self.has_tradition(o));
        let Some(open) = open.filter(|_| cue.to < to) else {
            self.quotes_passage(key, pairs, (cue.from, cue.to), to);
            return;
        };
        let words = SoughtWords::of(self.places.document, key.span(cue.to, to));
        let stream = if name.starts_with('又') { Stream::Base } else { Stream::Notes };
        let found = open
            .source(stream, at.start())
            .and_then(|s| self.places.aligned_after(s, &words, true));
        let quoted = match &found {
            Some((_, located)) => words.key.span(0, located.words.end),
            None => key.span(cue.to, to.min(cue.to + MAX_UNKNOWN_WORDS)),
        };
        let words = SoughtWords::of(self.places.document, quoted);
        self.ibid(Span::new(at.start(), quoted.end()), quoted, &words, name, open);
    }

    /// Links words after a cue, from its first character and the one after it, that the passage has. True if it has enough of them.
    fn quotes_passage(
        &mut self,
        key: &Key,
        pairs: &PassagePairs,
        (from, words): (usize, usize),
        to: usize,
    ) -> bool {
        let there = (self.places.document, self.places.view);
        let longest = pairs.longest(there, &key.chars[words..to], false);
        let Some((n, target)) = longest else { return false };
        let then_zhe = key.chars.get(words + n) == Some(&'者');
        if n < MIN_QUOTE_CHARS && !(n > 1 && then_zhe) {
            return false;
        }
        let quoted = key.span(words, words + n);
        self.link_passage(key.span(from, words + n), quoted, n, target);
        true
    }

    /// X者 with words of the passage that nothing introduces.
    fn flat_taken_up(&mut self, key: &Key, pairs: &PassagePairs, first: usize) {
        let both = |l: &Link| l.quoted.unwrap_or(l.span);
        let mut taken: Vec<Span> = self.links[first..].iter().map(both).collect();
        taken.extend(&self.taken);
        taken.sort_by_key(|t| t.start());
        let there = (self.places.document, self.places.view);
        for at in (MIN_TAKEN_UP_CHARS..key.len()).filter(|i| key.chars[*i] == '者') {
            let from = at.saturating_sub(MAX_WORDS);
            let longest = pairs.longest(there, &key.chars[from..at], true);
            let Some((n, target)) = longest.filter(|(n, _)| *n >= MIN_TAKEN_UP_CHARS) else {
                continue;
            };
            let quoted = key.span(at - n, at);
            // Words have few characters, so what overlaps begins not far before.
            let later = taken.partition_point(|t| t.start() < quoted.end());
            let near = taken[..later].iter().rev().take(MAX_WORDS);
            if near.into_iter().all(|t| t.overlap(quoted) == 0) {
                self.link_passage(quoted, quoted, n, target);
            }
        }
    }

    fn link_passage(&mut self, span: Span, quoted: Span, chars: usize, target: Span) {
        let found = FoundPlace {
            target: Target { doc: None, span: target },
            status: Status::Exact,
            certainty: if chars >= MIN_QUOTE_CHARS { CERTAINTY } else { SHORT_CERTAINTY },
            how: EvidenceKind::LongestWordsOfThePassage,
            alternatives: vec![],
            diff: 0,
            differs: None,
        };
        let link = draft(LinkKind::Quotation, span, self.layer).quoted(quoted);
        self.links.push(link.found(Some(found)).link());
    }
}

#[cfg(test)]
mod tests {
    use crate::text::fold::fold;

    #[test]
    fn cues_are_written_as_keys_are() {
        for c in "曰言上下前後文經注又箋傳序者".chars() {
            assert_eq!(fold(c), c);
        }
    }
}
