//! Quotations of a sub-commentary: their extent and their targets.

use super::comment::{OpenCitation, Reader};
use super::continued::{MAX_SOURCE_BYTES, MAX_SOURCES, continues};
use super::cues::{CUE, CUE_TAIL, ELSEWHERE, IBID, INSTANCE, OPENING, OWN_WORK, RANGE, SCOPE};
use super::link::draft;
use super::place::QuotedBefore;
use super::rules::Rule;
use super::scan::{CommentToken, TokenKind};
use super::sought::{FoundPlace, SoughtWords};
use super::speakers::Speaker;
use crate::corpus::view::Stream;
use crate::model::{EvidenceKind, LinkKind, Status, Target};
use crate::source::Span;
use crate::text::both_scripts::has_any;
use crate::text::class::{closes, ends_sentence, is_content};

/// Fewest that may differ there.
const MIN_ROUGH_CHARS: usize = 6;
/// Before and after the words with which a section begins that is outlined.
const FROM: &[char] = &['自', '從', '从'];
const TO: &[&str] = &["以下", "已下", "以上", "至", "盡", "尽"];
/// Most bytes from there to words of the section.
const MAX_SECTION_BYTES: usize = 400;
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
        if words.len() == 0 {
            return at + 1;
        }
        if let (Some(gap), Some(to)) =
            (tokens.get(at + 1), tokens.get(at + 2).filter(|t| t.kind == TokenKind::Quote))
            && gap.kind == TokenKind::Plain
            && RANGE.is_match(self.slice(gap.inner))
            && Rule::QuotedRange.on()
        {
            let cue = CUE.captures(lead).and_then(|c| c.name("cue"));
            self.range(Span::new(from(cue), to.outer.end()), q, *to);
            return at + 3;
        }
        if let Some(c) = ELSEWHERE.captures(lead).filter(|_| Rule::Elsewhere.on()) {
            let back = c.name("dir").is_some_and(|d| matches!(d.as_str(), "上" | "前"));
            self.elsewhere(
                Span::new(from(c.name("cue")), q.outer.end()),
                q.inner,
                &words,
                back,
                c.name("what").map_or("", |m| m.as_str()),
            );
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
        if !negative && Rule::QuotedFromYear.on() && self.quoted_from_year(span, q, words) {
            return;
        }
        let cue_of_ibid = IBID.captures(lead).and_then(|c| c.name("cue"));
        let is_office = cue_of_ibid.is_some_and(|c| c.as_str().contains(['職', '职']));
        let ibid = cue_of_ibid.filter(|c| !is_office && self.goes_on(q.outer.start(), c.as_str()));
        let found = if negative {
            None
        } else {
            let recent = if Rule::RecentWords.on() { &self.recent[..] } else { &[] };
            let before = QuotedBefore { recent, ..self.quoted_before() };
            self.places.in_passage(self.passage, words, prefer, before)
        };
        let beyond =
            || self.places.in_next_passage(self.passage, words).filter(|_| Rule::NextPassage.on());
        let found = if negative { found } else { found.or_else(beyond) };
        // Whose words of the notes are taken up (郑司农云“X”者) is no matter, even if they differ a little.
        let is_here = found.as_ref().is_some_and(|f| match f.status {
            Status::Exact => true,
            _ => next.starts_with('者') && f.diff * 3 < words.len(),
        });
        if let Some(speaker) = speaker.filter(|_| !is_here && Rule::Reported.on())
            && self.reported(speaker, q, words)
        {
            return;
        }
        let found = match Rule::ExactlyElsewhere.on() {
            true => found.map(|f| self.exactly_elsewhere(words, f)),
            false => found,
        };
        let outlined = (!negative && prefer.is_none() && Rule::Outline.on())
            .then(|| self.in_outline(said, q, words));
        let found = outlined.flatten().or(found);
        let exact = found.as_ref().is_some_and(|f| f.status == Status::Exact);
        let wild = found.as_ref().is_none_or(|f| f.diff * 3 >= words.len());
        // 案《弓人》掌作弓，云“凡折幹” is from there, even if the passage has nearly the words.
        let may_go_on = !exact && goes_on && !said.contains('故');
        let is_titled =
            may_go_on && Rule::CitesInSentence.on() && self.cites_in_sentence(q.outer.start());
        if wild
            && !negative
            && Rule::OpenSource.on()
            && self.quoted_from_open_source(span, q.inner, words, lead)
        {
            return;
        }
        if let Some(cue) = cue_of_ibid.filter(|_| is_office && !exact && Rule::OpenOffice.on())
            && let Some(open) = self.open_office(q.outer.start())
        {
            let span = Span::new(from(Some(cue)), q.outer.end());
            return self.ibid(span, q.inner, words, cue.as_str(), open);
        }
        if let Some(cue) = ibid.filter(|_| Rule::Ibid.on())
            && let Some(open) = self.open.last().cloned()
            && found.as_ref().is_none_or(|f| {
                words.len() < 3 && (f.status != Status::Exact || continues(cue.as_str()))
                    || cue.as_str().contains('彼')
                    || f.status != Status::Exact && (continues(cue.as_str()) || is_titled)
            })
        {
            let span = Span::new(from(Some(cue)), q.outer.end());
            return self.ibid(span, q.inner, words, cue.as_str(), open);
        }
        let earlier = || {
            let is_enough = !negative && words.len() > 2 && Rule::Earlier.on();
            let before = self.passage.text.start();
            is_enough.then(|| self.places.earlier(before, words, words.len() < 6)).flatten()
        };
        let found = found.or_else(earlier);
        let found = match Rule::InThisText.on() {
            true => found.map(|f| self.places.in_this_text(self.passage.text, words, f)),
            false => found,
        };
        let own = OWN_WORK.is_match(lead) || INSTANCE.is_match(next) || is_office;
        if found.is_none()
            && !negative
            && own
            && Rule::OwnWork.on()
            && self.link_own_work(span, q.inner, words)
        {
            return;
        }
        // 正義曰 opens the comment and quotes nothing, even if a mark follows it.
        if found.is_none() && OPENING.is_match(lead) {
            return;
        }
        if found.is_none()
            && !negative
            && Rule::QuotesAnother.on()
            && self.quotes_another(span, q.inner, words, cue_of_ibid.map_or("", |c| c.as_str()))
        {
            return;
        }
        let roughly = || self.in_chapter(words, 2, negative).filter(|_| Rule::TwoInChapter.on());
        let found = if negative {
            self.elsewhere_said(words).filter(|_| Rule::SaidNotToStandThere.on())
        } else {
            found.or_else(roughly)
        };
        if found.is_none()
            && !negative
            && let Some(open) =
                self.cited_just_before(q).filter(|_| goes_on && Rule::CitedJustBefore.on())
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
        if Rule::RangeElsewhere.on()
            && !(a.as_ref().is_some_and(is_here) && b.as_ref().is_some_and(is_here))
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
        let found = found.or_else(|| self.found_here(words).filter(|_| Rule::ElsewhereIsHere.on()));
        if found.is_none() && Rule::GoesOnFurther.on() && self.goes_on_further(span, quoted, words)
        {
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
}

/// Start of the cue and end of the lead, in bytes.
fn trim_cue(lead: &str, cue: regex::Match<'_>) -> (usize, usize) {
    (cue.start(), lead.len())
}
