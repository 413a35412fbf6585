//! Quotations of a sub-commentary: their extent and their targets.

use super::comment::{OpenCitation, Reader};
use super::continued::{MAX_SOURCE_BYTES, MAX_SOURCES, continues};
use super::cues::{
    CUE, CUE_TAIL, ELSEWHERE, IBID, INSTANCE, OPENING, OWN_WORK, RANGE, RECORD, SCOPE,
};
use super::link::draft;
use super::place::{MAX_RECENT, QuotedBefore};
use super::scan::{CommentToken, TokenKind};
use super::sought::{FoundPlace, SoughtWords};
use super::speakers::Speaker;
use super::years;
use crate::corpus::view::Stream;
use crate::model::{EvidenceKind, LayerKind, LinkKind, Status, Target};
use crate::source::Span;
use crate::text::Key;
use crate::text::both_scripts::has_any;
use crate::text::class::{closes, ends_sentence, is_content};

/// Fewest characters that are looked for after the passage where no word says that they are there.
const MIN_AHEAD_CHARS: usize = 4;
/// Fewest that may differ there.
const MIN_ROUGH_CHARS: usize = 6;
/// Before and after the words with which a section begins that is outlined.
const FROM: &[char] = &['自', '從', '从'];
const TO: &[&str] = &["以下", "已下", "以上", "至", "盡", "尽"];
/// Most bytes from there to words of the section.
const MAX_SECTION_BYTES: usize = 400;
/// Most characters of a quotation that may name a part of one before, and most quotations that are looked at for it.
const MAX_PART_CHARS: usize = 2;
const MAX_PARTS: usize = 8;
/// So many of the last quotations are kept at least: the same words may be taken up again.
const MAX_TAKEN_UP: usize = 64;
/// How sure a place is of words that are not said where they are expected.
const UNSAID_CERTAINTY: f64 = 0.5;
/// What the certainty of a place is multiplied by that begins or ends a range, if the other does not.
const HALF_RANGE: f64 = 0.8;

impl Reader<'_> {
    /// Reads one quotation, or two with 至 between them.
    pub fn quote(&mut self, tokens: &[CommentToken], at: usize) -> usize {
        let q = tokens[at];
        if self.taken.iter().any(|t| t.overlap(q.inner) > 0) {
            return at + 1;
        }
        let before = at.checked_sub(1).map(|i| tokens[i]).filter(|t| t.kind == TokenKind::Plain);
        let lead = before.map_or("", |b| self.slice(b.inner));
        if SCOPE.is_match(lead) {
            return at + 1;
        }
        let from = |cue: Option<regex::Match<'_>>| {
            cue.map_or(q.outer.start(), |c| {
                before.map_or(q.outer.start(), |b| b.inner.start() + c.start())
            })
        };
        let words = SoughtWords::of(self.places.document, q.inner);
        if words.len() == 0 || self.is_of_the_quotation_before(tokens, at, &words) {
            return at + 1;
        }
        if let (Some(gap), Some(to)) =
            (tokens.get(at + 1), tokens.get(at + 2).filter(|t| t.kind == TokenKind::Quote))
            && gap.kind == TokenKind::Plain
            && RANGE.is_match(self.slice(gap.inner))
        {
            let cue = CUE.captures(lead).and_then(|c| c.name("cue"));
            self.range(Span::new(from(cue), to.outer.end()), q, *to);
            return at + 3;
        }
        if let Some(c) = ELSEWHERE.captures(lead) {
            let back = c.name("dir").is_some_and(|d| matches!(d.as_str(), "上" | "前"));
            self.elsewhere(
                Span::new(from(c.name("cue")), q.outer.end()),
                q.inner,
                &words,
                back,
                c.name("what").map_or("", |m| m.as_str()),
            );
        } else if let Some(c) = RECORD.captures(lead)
            && let Some(open) =
                self.open.last().cloned().filter(|_| self.goes_on(q.outer.start(), "記"))
            && open.named.is_some()
            && (words.len() < 4
                || self
                    .places
                    .later(self.passage.text.end(), &words, true)
                    .is_none_or(|f| f.target.doc.is_some()))
        {
            let cue = c.name("cue");
            self.ibid(
                Span::new(from(cue), q.outer.end()),
                q.inner,
                &words,
                cue.map_or("", |m| m.as_str()),
                open,
            );
        } else if let Some(c) = RECORD.captures(lead) {
            self.record(Span::new(from(c.name("cue")), q.outer.end()), q.inner, &words);
        } else {
            let lead_span = before.map(|b| b.inner);
            self.plain_quote(q, &words, lead, lead_span, from, tokens.get(at + 1));
        }
        let cites = self
            .links
            .last()
            .is_some_and(|l| l.kind == LinkKind::Citation && l.quoted == Some(q.inner));
        self.nested(q.inner, cites);
        at + 1
    }

    /// Whether a quotation only names a part of the one before it: the 見 of 讀如“如見其二子焉”之“見”
    /// is from there, and not from the passage.
    fn is_of_the_quotation_before(
        &self,
        tokens: &[CommentToken],
        at: usize,
        words: &SoughtWords,
    ) -> bool {
        let [.., whole, between] = &tokens[..at] else { return false };
        let joined = between.kind == TokenKind::Plain && self.slice(between.inner).trim() == "之";
        let whole = (whole.kind == TokenKind::Quote && joined)
            .then(|| SoughtWords::of(self.places.document, whole.inner));
        whole.is_some_and(|w| w.key.chars.windows(words.len()).any(|part| part == words.key.chars))
    }

    /// A quotation of the passage, or one that continues the previous citation.
    fn plain_quote(
        &mut self,
        q: CommentToken,
        words: &SoughtWords,
        lead: &str,
        lead_span: Option<Span>,
        from: impl Fn(Option<regex::Match<'_>>) -> usize,
        next: Option<&CommentToken>,
    ) {
        let cue = CUE
            .captures(lead)
            .and_then(|c| c.name("cue"))
            .filter(|c| !OPENING.is_match(c.as_str()));
        let span = Span::new(
            from(cue.map(|c| trim_cue(lead, c)).and_then(|r| CUE_TAIL.find_at(&lead[..r.1], r.0))),
            q.outer.end(),
        );
        let said = cue.map_or("", |c| c.as_str());
        let prefer = match said {
            s if has_any(s, &['經']) => Some(Stream::Base),
            s if has_any(s, &['鄭', '注']) => Some(Stream::Notes),
            _ => None,
        };
        let speaker = lead_span.and_then(|l| self.speaker_before(l));
        let negative = said.ends_with("不言") || said.ends_with("不雲") || said.ends_with("不云");
        let next = next.map_or("", |n| self.slice(n.inner));
        // “X”者 takes up words of the passage.
        let goes_on = !next.starts_with('者');
        if self.answers(q, lead) {
            return;
        }
        if !negative
            && (self.quoted_from_year(span, q, words) || goes_on && self.goes_on_in_marks(q, words))
        {
            return;
        }
        let cue_of_ibid = IBID.captures(lead).and_then(|c| c.name("cue"));
        let is_office = cue_of_ibid.is_some_and(|c| c.as_str().contains(['職', '职']));
        let ibid = cue_of_ibid.filter(|c| !is_office && self.goes_on(q.outer.start(), c.as_str()));
        let found = if negative {
            None
        } else {
            // The same words taken up again are not those that were taken up before.
            let is_again = |r: &Span| Key::of(self.text(), *r).chars == words.key.chars;
            let again = !goes_on && self.recent.iter().any(is_again);
            let recent = if again { &[] } else { &self.recent[..] };
            let before = QuotedBefore { recent, ..self.quoted_before() };
            let may_be_part = goes_on && said.is_empty();
            let part = may_be_part.then(|| self.part_of(recent, words)).flatten();
            part.or_else(|| self.places.in_passage(self.passage, words, prefer, before))
        };
        let beyond = || self.places.in_next_passage(self.passage, words);
        let found = if negative { found } else { found.or_else(beyond) };
        // Whose words of the notes are taken up (郑司农云“X”者) is no matter, even if they differ a little.
        let is_here = found.as_ref().is_some_and(|f| match f.status {
            Status::Exact => true,
            _ => next.starts_with('者') && f.diff * 3 < words.len(),
        });
        if let Some(speaker) = speaker.filter(|_| !is_here)
            && self.reported(speaker, q, words)
        {
            return;
        }
        let found = found.map(|f| self.exactly_elsewhere(words, f));
        let found = found.map(|f| self.in_main_text(said, words, f));
        let outlined = (!negative && prefer.is_none()).then(|| self.in_outline(said, q, words));
        let found = outlined.flatten().or(found);
        let exact = found.as_ref().is_some_and(|f| f.status == Status::Exact);
        let wild = found.as_ref().is_none_or(|f| f.diff * 3 >= words.len());
        // 案《弓人》掌作弓，云“凡折幹” is from there, even if the passage has nearly the words.
        let may_go_on = !exact && goes_on && !said.contains('故');
        let is_titled = may_go_on && self.cites_in_sentence(q.outer.start());
        if wild && !negative && self.quoted_from_open_source(span, q.inner, words, lead) {
            return;
        }
        if let Some(cue) = cue_of_ibid.filter(|_| is_office && !exact)
            && let Some(open) = self.open_office(q.outer.start())
        {
            let span = Span::new(from(Some(cue)), q.outer.end());
            return self.ibid(span, q.inner, words, cue.as_str(), open);
        }
        // A single character may be anywhere, and 云 alone does not go on with a citation.
        let ibid = ibid.filter(|cue| words.len() > 1 || continues(cue.as_str()));
        // 傳曰 in a commentary on annals is what they say, unless the work just cited is one of them or has a 傳.
        let of_annals = years::is_annals(self.places.work()) && OWN_WORK.is_match(lead);
        let ibid =
            ibid.filter(|_| !of_annals || self.open.last().is_some_and(|o| self.may_be_annals(o)));
        let by_zheng = ibid.is_some_and(|cue| has_any(cue.as_str(), &['鄭']));
        if let Some(cue) = ibid
            && let Some(open) = self.continued_by(cue.as_str()).cloned()
            && found.as_ref().is_none_or(|f| {
                words.len() < 3 && (f.status != Status::Exact || continues(cue.as_str()))
                    || cue.as_str().contains('彼')
                    || f.status != Status::Exact && (continues(cue.as_str()) || is_titled)
            })
        {
            // 杜云 after a citation of the 左傳 is what the notes there say.
            let by_notes = self.its_commentator_says(lead);
            let said = if by_notes && !by_zheng { "注" } else { cue.as_str() };
            let span = Span::new(from(Some(cue)), q.outer.end());
            return self.ibid(span, q.inner, words, said, open);
        }
        let found = found.or_else(|| match words.len() {
            _ if negative => None,
            0 | 1 => None,
            2 => {
                let after = || self.places.just_after(self.passage.text.end(), words);
                self.places.just_before(self.passage.text.start(), words).or_else(after)
            }
            n => self.places.earlier(self.passage.text.start(), words, n < 6),
        });
        let found = found.map(|f| self.places.in_this_text(self.passage.text, words, f));
        let own = OWN_WORK.is_match(lead) || INSTANCE.is_match(next) || is_office;
        if found.is_none() && !negative && own && self.link_own_work(span, q.inner, words) {
            return;
        }
        let found = found.or_else(|| self.in_chapter(words, MIN_AHEAD_CHARS, negative));
        // 正義曰 opens the comment and quotes nothing, even if a mark follows it.
        if found.is_none() && OPENING.is_match(lead) {
            return;
        }
        if found.is_none()
            && !negative
            && self.quotes_another(span, q.inner, words, cue_of_ibid.map_or("", |c| c.as_str()))
        {
            return;
        }
        let ahead = || {
            let long = words.len() >= MIN_ROUGH_CHARS;
            long.then(|| self.places.later(self.passage.text.end(), words, false)).flatten()
        };
        let roughly = || {
            let loosely = self.places.loosely(self.passage, words);
            loosely
                .or_else(|| self.places.in_other_layers(self.passage, words))
                .or_else(|| self.in_chapter(words, 2, negative))
                .or_else(ahead)
        };
        let found = if negative { self.elsewhere_said(words) } else { found.or_else(roughly) };
        if found.is_none()
            && !negative
            && let Some((found, part)) = self.places.first_clauses(self.passage, words)
        {
            let link = draft(LinkKind::Quotation, span, self.layer).quoted(part);
            self.links.push(link.found(Some(found)).link());
            return;
        }
        if found.is_none() && !negative && self.repeats(span, q.inner, words) {
            return;
        }
        if found.is_none()
            && !negative
            && let Some(open) = self.cited_just_before(q).filter(|_| goes_on)
        {
            return self.ibid(span, q.inner, words, "", open);
        }
        if found.is_none()
            && !negative
            && let Some(open) = self.absent_source(said, q.outer.start())
        {
            return self.ibid(span, q.inner, words, "", open);
        }
        let here = found.as_ref().filter(|f| f.target.doc.is_none()).map(|f| f.target.span);
        self.after = here.map(|s| s.start()).or(self.after);
        self.recent.extend(here);
        if self.recent.len() > 2 * MAX_TAKEN_UP {
            self.recent.drain(..MAX_TAKEN_UP);
        }
        self.may_outline(q, here);
        let why =
            if negative { EvidenceKind::SaidNotToStandThere } else { EvidenceKind::NotInPassage };
        self.links.push(
            draft(LinkKind::Quotation, span, self.layer)
                .quoted(q.inner)
                .found(found)
                .why(why)
                .link(),
        );
    }

    /// The place of few words in one of the last quotations, if that is from elsewhere: “元年，春，王，正月”, …於“元年”、“春”之下.
    fn part_of(&self, recent: &[Span], words: &SoughtWords) -> Option<FoundPlace> {
        if words.len() > MAX_PART_CHARS {
            return None;
        }
        let places = self.places;
        // Other parts of it may have been named between.
        let is_longer = |r: &&Span| Key::of(self.text(), **r).len() > MAX_PART_CHARS;
        let elsewhere = |r: &&Span| !self.passage.text.contains(**r);
        let recent = recent.iter().rev().take(MAX_PARTS).filter(is_longer).take(MAX_RECENT);
        let recent = recent.filter(elsewhere);
        recent.flat_map(|r| [Stream::Base, Stream::Notes].map(|s| (s, *r))).find_map(|(s, r)| {
            let hits = places.view.find(s, r.start()..r.end(), &words.key.chars, 0);
            let hits: Vec<_> = hits.into_iter().map(|h| (s, h)).collect();
            let how = EvidenceKind::GoesOnWithCitation;
            places.found(None, places.document, places.view, &hits, words, how)
        })
    }

    /// True if the sentence that goes on at byte `at` has cited something, and has taken up nothing since (者).
    fn cites_in_sentence(&self, at: usize) -> bool {
        self.open_just_before(at).is_some_and(|open| {
            let (before, between) = (&self.text()[..open.end], &self.text()[open.end..at]);
            let is_over = before.trim_end_matches(closes).ends_with(ends_sentence);
            !is_over && !between.contains(|c| ends_sentence(c) || matches!(c, '者' | '○' | '\n'))
        })
    }

    /// A place in the passage, or where the chapter has exactly the words of which it has only nearly these: the
    /// passage may take up a formula and vary it.
    fn exactly_elsewhere(&self, words: &SoughtWords, here: FoundPlace) -> FoundPlace {
        let varies = here.status == Status::Variant && here.how == EvidenceKind::InPassage;
        let own = varies.then(|| self.places.in_own_chapter(self.passage.text, words)).flatten();
        own.map_or(here, |own| own.found)
    }

    /// What the 傳 of annals says is in the main text, though a note in the passage may have it too: 傳言“未王命”.
    fn in_main_text(&self, said: &str, words: &SoughtWords, here: FoundPlace) -> FoundPlace {
        let is_note = |at: usize| {
            let segment = self.places.document.segment_at(at);
            segment
                .is_some_and(|n| self.places.document.segments[n].layer.kind() == LayerKind::Note)
        };
        let names = years::is_annals(self.places.work()) && said.contains(['傳', '传']);
        let is_here = here.target.doc.is_none() && is_note(here.target.span.start());
        if !names || !is_here || words.len() < 2 {
            return here;
        }
        self.places.in_tradition(self.passage.text, words).unwrap_or(here)
    }

    /// Notes that the outline of a section begins with a quotation that has a place: 自“命司空”以下.
    fn may_outline(&mut self, q: CommentToken, place: Option<Span>) {
        let (before, after) = (&self.text()[..q.outer.start()], &self.text()[q.outer.end()..]);
        if before.ends_with(FROM) && TO.iter().any(|to| after.starts_with(to)) {
            self.outlined = place.map(|place| (q.outer, place));
        }
    }

    /// What an outline says of its section is near the words with which that begins: 自“命司空”以下，…，故更云“是月”.
    fn in_outline(&self, said: &str, q: CommentToken, words: &SoughtWords) -> Option<FoundPlace> {
        let (quote, begins) = self.outlined.filter(|_| !said.is_empty())?;
        let between = self.text().get(quote.end()..q.outer.start())?;
        if between.contains(|c| ends_sentence(c) || matches!(c, '\n' | '○')) {
            return None;
        }
        let next = |back| self.places.next_in(Stream::Base, begins.start(), words, back);
        let far = |f: &FoundPlace| f.target.span.start().abs_diff(begins.start());
        let places = [next(true), next(false)].into_iter().flatten();
        places.filter(|f| far(f) < MAX_SECTION_BYTES).min_by_key(far)
    }

    /// What has the words, though they have no place: the year just before them (桓二年“滕子來朝”), or the work with which
    /// 又云 goes on, which is not at hand (《史記》云…，又云“…”).
    fn absent_source(&self, said: &str, at: usize) -> Option<OpenCitation> {
        let open = self.open.last().filter(|o| o.end <= at)?;
        let named = open.named.as_ref()?;
        let between = &self.text()[open.end..at];
        if open.year.is_some() && open.start.is_some() && !between.contains(is_content) {
            return Some(open.clone());
        }
        let is_near = between.len() < MAX_SOURCE_BYTES && !between.contains(['○', '\n']);
        let is_absent = self.places.absence(named) == EvidenceKind::NotInCorpus;
        let goes_on = said.contains('又') && !says_otherwise(said) && is_near && is_absent;
        goes_on.then(|| OpenCitation { start: None, ..open.clone() })
    }

    /// What the quotation just before cites, if only marks are between: 《志》云“…”，“…”; “…”。“…” if its work is not at
    /// hand, so that it may have the words.
    fn cited_just_before(&self, q: CommentToken) -> Option<OpenCitation> {
        let last = self.links.last().filter(|l| l.kind == LinkKind::Citation)?;
        let end = last.quoted?.end();
        let between = self.text().get(end..q.outer.start())?;
        let goes_on = between.contains([',', '，', '、'])
            || last.target.is_none() && between.contains([';', '；', '。']);
        let joined = goes_on && !between.contains(is_content) && !between.contains('\n');
        self.open.last().filter(|_| joined && last.work.is_some()).cloned()
    }

    /// Where the text says what it does not say here (不云X): in the passage or the chapter.
    fn elsewhere_said(&self, words: &SoughtWords) -> Option<FoundPlace> {
        if words.len() < 2 {
            return None;
        }
        let here = self.places.in_passage(self.passage, words, None, QuotedBefore::default());
        let here = here.filter(|f| f.status == Status::Exact);
        let found = here.or_else(|| self.places.nearest_in_chapter(self.passage.text, words))?;
        Some(FoundPlace { certainty: found.certainty.min(UNSAID_CERTAINTY), ..found })
    }

    /// Exactly these words in the rest of the chapter, if there are at least so many: the nearest
    /// place.
    fn in_chapter(&self, words: &SoughtWords, least: usize, negative: bool) -> Option<FoundPlace> {
        if negative || words.len() < least {
            return None;
        }
        let passage = self.passage.text;
        match words.len() {
            2 => self.places.nearest_in_chapter(passage, words),
            _ => self.places.in_own_chapter(passage, words).map(|own| own.found),
        }
    }

    /// Links what a scholar says who did not write the notes that are explained: on the citation
    /// just before if the notes on that are theirs. True if it was linked.
    fn reported(&mut self, speaker: Speaker<'_>, q: CommentToken, words: &SoughtWords) -> bool {
        let span = Span::new(speaker.span.start(), q.outer.end());
        let theirs = |o: &OpenCitation| {
            let work = self.works().work(&o.named.as_ref()?.work)?;
            let usual = self.works().notes(&work.title, None);
            let mut notes = work.notes.iter().map(String::as_str).chain([usual]);
            let called = notes.find(|n| speaker.scholar.wrote(n))?;
            let is_near = span.start().saturating_sub(o.end) < MAX_SOURCE_BYTES;
            is_near.then_some(if called.ends_with('傳') && called != usual {
                "傳"
            } else {
                "注"
            })
        };
        let mut open = self.open.iter().rev().take(3);
        if let Some((open, cue)) = open.find_map(|o| Some((o.clone(), theirs(o)?))) {
            self.ibid(span, q.inner, words, cue, open);
            return true;
        }
        if self.explains(speaker.scholar) {
            return false;
        }
        self.spoken(speaker, span, Some(q.inner));
        true
    }

    fn range(&mut self, span: Span, from: CommentToken, to: CommentToken) {
        let (places, passage) = (self.places, self.passage);
        let header = self.quoted_before().header;
        let find = |t: CommentToken, after: Option<usize>| {
            let w = SoughtWords::of(places.document, t.inner);
            let before = QuotedBefore { after, header, recent: &[] };
            let here = places.in_passage(passage, &w, None, before);
            here.or_else(|| Some(places.in_own_chapter(passage.text, &w)?.found))
                .filter(|_| w.len() > 0)
        };
        let a = find(from, self.after);
        self.after = a.as_ref().map(|f| f.target.span.start()).or(self.after);
        self.may_outline(from, a.as_ref().map(|f| f.target.span));
        let b = find(to, self.after);
        let is_here = |f: &FoundPlace| self.passage.text.contains(f.target.span);
        // What is outlined is further on, and too long for a place: both ends are given.
        if !(a.as_ref().is_some_and(is_here) && b.as_ref().is_some_and(is_here))
            && (a.is_some() || b.is_some())
        {
            let alone = if a.is_some() && b.is_some() { 1.0 } else { HALF_RANGE };
            let ends = [(Span::new(span.start(), from.outer.end()), from, a), (to.outer, to, b)];
            for (span, token, found) in ends {
                let found = found.map(|f| FoundPlace { certainty: f.certainty * alone, ..f });
                let link = draft(LinkKind::Quotation, span, self.layer).quoted(token.inner);
                self.links.push(link.found(found).why(EvidenceKind::NotInPassage).link());
            }
            return;
        }
        let quoted = Span::new(from.inner.start(), to.inner.end());
        let found = match (a, b) {
            (Some(a), Some(b)) if a.target.span.start() < b.target.span.end() => {
                let whole = Span::new(a.target.span.start(), b.target.span.end());
                let certainty = a.certainty.min(b.certainty);
                Some(FoundPlace {
                    target: Target { doc: None, span: whole },
                    status: Status::Range,
                    certainty,
                    how: EvidenceKind::Range,
                    alternatives: vec![],
                    diff: 0,
                    differs: None,
                })
            }
            _ => None,
        };
        self.links.push(
            draft(LinkKind::Quotation, span, self.layer)
                .quoted(quoted)
                .found(found)
                .why(EvidenceKind::NotInPassage)
                .link(),
        );
    }

    /// 上文, 下經 or 下記 with a quotation.
    fn elsewhere(&mut self, span: Span, quoted: Span, words: &SoughtWords, back: bool, what: &str) {
        let record = what == "記" || what == "记";
        let strict = words.len() < 6;
        let found = if back {
            self.places.earlier(self.passage.text.start(), words, strict)
        } else {
            self.places.later(self.passage.text.end(), words, strict)
        };
        // 下云X may mean the passage itself, or what follows in the text that was just cited.
        let found = found.or_else(|| self.found_here(words));
        if found.is_none() && self.goes_on_further(span, quoted, words) {
            return;
        }
        let locus = self.places.locus();
        let work = if record { locus.map(|l| format!("{l}・記")) } else { locus };
        self.open.push(OpenCitation::of_chapter(work.clone(), span, found.as_ref()));
        self.links.push(
            draft(LinkKind::Internal, span, self.layer)
                .quoted(quoted)
                .work(work)
                .found(found)
                .why(EvidenceKind::NotInCorpus)
                .link(),
        );
    }

    /// True for a citation of annals, of what has a 傳, or of something unknown.
    fn may_be_annals(&self, open: &OpenCitation) -> bool {
        open.named.as_ref().is_none_or(|n| years::is_annals(Some(&n.work)) || n.work == "春秋")
            || self.has_tradition(open)
    }

    /// These words in the passage, of many also nearly these, else exactly these in the rest of the chapter.
    fn found_here(&self, words: &SoughtWords) -> Option<FoundPlace> {
        let here = self.places.in_passage(self.passage, words, None, self.quoted_before());
        let is_enough = words.len() >= MIN_ROUGH_CHARS;
        here.filter(|f| f.status == Status::Exact || is_enough)
            .or_else(|| self.in_chapter(words, 2, false))
    }

    /// Links words that are said to be elsewhere in a text that was cited: 《郊特牲》…，其下又云. The last one cited just before
    /// may have nearly these words, those before it exactly these. True if one has them.
    fn goes_on_further(&mut self, span: Span, quoted: Span, words: &SoughtWords) -> bool {
        let just_before = self.open_just_before(span.start()).map(|o| o.end);
        let near = |o: &&OpenCitation| span.start().saturating_sub(o.end) < MAX_SOURCE_BYTES;
        let sources = self.open.iter().rev().filter(near).take(MAX_SOURCES);
        let found = sources.enumerate().find_map(|(n, open)| {
            let source = open.source(Stream::Base, span.start())?;
            let found = self.places.cited(source, words)?;
            let is_last = n == 0 && just_before == Some(open.end);
            let is_exact = found.status == Status::Exact && words.len() >= MIN_ROUGH_CHARS;
            let is_there = is_last && self.places.covers(&found, words) || is_exact;
            is_there.then(|| (open.clone(), found))
        });
        let Some((open, found)) = found else { return false };
        let work = open.work.clone();
        self.continue_citation(open, span, quoted, (work, found));
        true
    }

    fn record(&mut self, span: Span, quoted: Span, words: &SoughtWords) {
        let work = self.places.locus().map(|l| format!("{l}・記"));
        let found = self.places.later(self.passage.text.end(), words, words.len() < 6);
        self.open.push(OpenCitation::of_chapter(work.clone(), span, found.as_ref()));
        self.links.push(
            draft(LinkKind::Citation, span, self.layer)
                .quoted(quoted)
                .work(work)
                .found(found)
                .why(EvidenceKind::NotInCorpus)
                .link(),
        );
    }
}

/// True for a cue that says whose words they are: 注又云.
fn says_otherwise(cue: &str) -> bool {
    has_any(cue, &['注', '傳', '經', '箋', '鄭', '記'])
}

/// Start of the cue and end of the lead, in bytes.
fn trim_cue(lead: &str, cue: regex::Match<'_>) -> (usize, usize) {
    (cue.start(), lead.len())
}
