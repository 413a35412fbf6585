//! Quotations that go on with a citation before (其職云, 注云, 又云), or that are from a work cited
//! before.

use super::comment::{OpenCitation, Reader};
use super::cues::{ABOUT_WORK, IBID, MENTION, OWN_WORK};
use super::link::draft;
use super::rules::Rule;
use super::scan::CommentToken;
use super::sought::{FoundPlace, SoughtWords};
use crate::corpus::view::Stream;
use crate::corpus::works::Named;
use crate::model::{EvidenceKind, LinkKind, Status};
use crate::source::Span;
use crate::text::Key;
use crate::text::both_scripts::{has_any, is_any};
use crate::text::class::{ends_sentence, is_content};
use crate::text::fold::fold;

/// Characters that may precede 注雲 without naming a text: 是以鄭注雲.
const LEAD_CHARS: &[char] = &['以', '故', '案', '按', '又', '即', '則', '而', '知'];
/// Who wrote notes on several classics.
const ZHENG: [char; 2] = ['鄭', '玄'];
/// Most works cited before that a quotation is looked for in.
pub const MAX_SOURCES: usize = 4;
/// Fewest characters of such a quotation.
const MIN_SOURCE_CHARS: usize = 3;
/// Most characters of 傳曰 between a citation and what the tradition says there.
const MAX_TRADITION_CHARS: usize = 4;
/// Most bytes between a citation and a cue that goes on with it, and one that says with which.
const MAX_BETWEEN_BYTES: usize = 36;
const MAX_REACH_BYTES: usize = 900;
/// Most bytes between a citation and a quotation that can only continue it.
pub const MAX_GAP_BYTES: usize = 180;
/// Most bytes between a citation and a quotation of the same work that does not name it.
pub const MAX_SOURCE_BYTES: usize = 1500;

impl Reader<'_> {
    /// Links a quotation that one of the works cited before has, the last first. True if one has.
    pub fn quoted_from_open_source(
        &mut self,
        span: Span,
        quoted: Span,
        words: &SoughtWords,
        lead: &str,
    ) -> bool {
        if words.len() < MIN_SOURCE_CHARS {
            return false;
        }
        let cue = lead.trim_end_matches([':', '：', '雲', '云', '曰', '彼', '又']);
        let by_notes = self.its_commentator_says(lead);
        let stream = match by_notes || cue.ends_with(['注', '註', '箋', '笺']) {
            true => Stream::Notes,
            false => Stream::Base,
        };
        let near = |o: &&OpenCitation| span.start().saturating_sub(o.end) < MAX_SOURCE_BYTES;
        // 其職云 and 注云 mean the last.
        let goes_on = IBID
            .captures(lead)
            .is_some_and(|c| continues(&c["cue"]) || has_any(&c["cue"], &['鄭']));
        let most = if goes_on { 1 } else { MAX_SOURCES };
        let sources: Vec<OpenCitation> =
            self.open.iter().rev().filter(near).take(most).cloned().collect();
        let Some((open, found)) = self.open_place(sources, stream, span.start(), words) else {
            return false;
        };
        let work = match stream {
            Stream::Notes => self.notes_of(&open, lead),
            _ => self.work_at(&open, lead, Some(&found)),
        };
        self.continue_citation(open, span, quoted, (work, found));
        true
    }

    /// Links a quotation that the text says is from a year, named just before it or cited just before:
    /// 莊五年“郳犁來來朝”，傳曰“未王命”. The passage often has the same words, since its notes compare them. True if
    /// the year has them.
    pub fn quoted_from_year(
        &mut self,
        span: Span,
        quote: CommentToken,
        words: &SoughtWords,
    ) -> bool {
        let near = quote.outer.start();
        let Some(end) = self.open_just_before(near).map(|o| o.end) else { return false };
        let between = self.text()[end..near].trim_start_matches(|c| !is_content(c));
        let goes_on = between.chars().count() <= MAX_TRADITION_CHARS && OWN_WORK.is_match(between);
        // A year without a duke may be of two.
        let years = self.open.iter().rev().take_while(|o| o.end == end);
        let found = years.filter(|o| o.year.is_some()).find_map(|open| {
            let is_named = open.start.is_some() && !between.contains('者');
            let source = open.source(Stream::Base, near).filter(|_| is_named || goes_on)?;
            Some((open.clone(), self.places.cited_in_year(source, words)?))
        });
        let Some((open, found)) = found else { return false };
        let work = open.work.clone();
        self.continue_citation(open, span, quote.inner, (work, found));
        true
    }

    /// Links a quotation that goes on with a citation: what it cites, and where. The citation stays open.
    pub fn continue_citation(
        &mut self,
        open: OpenCitation,
        span: Span,
        quoted: Span,
        (work, found): (Option<String>, FoundPlace),
    ) {
        let span = open.start.map_or(span, |s| Span::new(s.min(span.start()), span.end()));
        let found_in = self.found_in(&open, Some(&found));
        let titled = self.title_of(&open, quoted, work.as_deref(), found_in.as_ref());
        let cites = titled.map_or(span, |n| self.links[n].span);
        let how = titled.map_or(EvidenceKind::GoesOnWithCitation, |_| EvidenceKind::Title);
        let link = draft(LinkKind::Citation, cites, self.layer).quoted(quoted).work(work);
        let link = link.found(Some(found)).because(how).link();
        match titled {
            Some(n) => self.links[n] = link,
            None => self.links.push(link),
        }
        self.open.push(OpenCitation { start: None, end: span.end(), found_in, ..open });
    }

    /// The link of the title before a quotation in one sentence, if what it cites is not known or is less than the
    /// quotation: 《遂人職》主六遂，…“五家爲鄰” cites the quotation.
    fn title_of(
        &self,
        open: &OpenCitation,
        quoted: Span,
        work: Option<&str>,
        found_in: Option<&Named>,
    ) -> Option<usize> {
        let last = self.links.len().checked_sub(1)?;
        let link = &self.links[last];
        let chars = |span: Span| Key::of(self.text(), span).len();
        let is_less = link.status == Status::Paraphrase
            && link.quoted.is_some_and(|q| chars(q) < chars(quoted));
        // 《司尊彝》有追享，鄭云“…” is what its notes say.
        let is_work = link.work.as_deref() == work || found_in.map(Named::locus).as_deref() == work;
        let is_title = link.kind == LinkKind::Citation
            && is_work
            && (link.span.start()..=link.span.end()).contains(&open.end)
            && link.evidence.iter().any(|e| e.kind == EvidenceKind::Title);
        let between = self.text().get(link.span.end()..quoted.start())?;
        let joined = !between.contains(|c| ends_sentence(c) || matches!(c, '\n' | '○'));
        let is_named = MENTION.is_match(between) || ABOUT_WORK.is_match(between);
        (Rule::TitleHasQuotation.on()
            && is_title
            && joined
            && !is_named
            && (link.target.is_none() || is_less))
            .then_some(last)
    }

    /// Which of some sources, the last cited first, has the words, and where: exactly these, else another
    /// chapter of the work that was cited last exactly these, else the last cited nearly these.
    fn open_place(
        &self,
        sources: Vec<OpenCitation>,
        stream: Stream,
        near: usize,
        words: &SoughtWords,
    ) -> Option<(OpenCitation, FoundPlace)> {
        let open = sources.into_iter().next()?;
        let found = self.places.cited(open.source(stream, near)?, words)?;
        let is_there = found.status == Status::Exact || self.places.covers(&found, words);
        is_there.then_some((open, found))
    }

    /// Links a quotation that was not found in the chapter: to another chapter that is not named,
    /// or to a citation just before, which 其職雲 or 注雲 must refer to. True if either applies.
    pub fn quotes_another(
        &mut self,
        span: Span,
        quoted: Span,
        words: &SoughtWords,
        cue: &str,
    ) -> bool {
        if let Some((place, named)) =
            self.places.in_other_chapter(words).filter(|_| Rule::OtherChapter.on())
        {
            let work = named.as_ref().map(Named::locus);
            self.open.extend(named.map(|n| OpenCitation::of(n, span.end())));
            self.links.push(
                draft(LinkKind::Citation, span, self.layer)
                    .quoted(quoted)
                    .work(work)
                    .found(Some(place))
                    .link(),
            );
            return true;
        }
        let near = |o: &OpenCitation| {
            o.named.is_some() && o.end <= span.start() && span.start() - o.end < MAX_GAP_BYTES
        };
        // 詩注雲 names another text.
        let before = self.text()[..span.start()].chars().next_back();
        let bare = before.is_none_or(|c| !is_content(c) || is_any(c, LEAD_CHARS));
        let open = self
            .open
            .last()
            .cloned()
            .filter(|o| bare && near(o) && (continues(cue) || has_any(cue, &['鄭'])));
        match open {
            Some(open) if Rule::CanOnlyGoOn.on() => {
                self.ibid(span, quoted, words, cue, open);
                true
            }
            _ => false,
        }
    }

    /// The last citation, if it names a work and ended not long before byte `at`.
    pub fn open_just_before(&self, at: usize) -> Option<OpenCitation> {
        let last = self.open.last().filter(|o| o.named.is_some() && o.end <= at)?;
        (at - last.end < MAX_GAP_BYTES).then(|| last.clone())
    }

    /// True if a citation ended just before byte `at`, or not long before if the cue has 彼 or 箋.
    pub fn goes_on(&self, at: usize, cue: &str) -> bool {
        let reach =
            if cue.contains(['彼', '箋', '笺']) { MAX_REACH_BYTES } else { MAX_BETWEEN_BYTES };
        self.open.last().is_some_and(|o| {
            o.end <= at
                && at - o.end < reach
                && (reach == MAX_REACH_BYTES || !self.text()[o.end..at].contains('者'))
        })
    }

    /// Links a quotation that goes on with a citation.
    pub fn ibid(
        &mut self,
        span: Span,
        quoted: Span,
        words: &SoughtWords,
        cue: &str,
        open: OpenCitation,
    ) {
        let note = cue.contains(['注', '註', '箋', '笺', '鄭', '郑'])
            || cue.contains(['傳', '传']) && self.has_tradition(&open);
        let span = open.start.map_or(span, |s| Span::new(s.min(span.start()), span.end()));
        let stream = if note { Stream::Notes } else { Stream::Base };
        let found = open.source(stream, span.start()).and_then(|s| self.places.cited(s, words));
        let found = found.or_else(|| {
            open.place
                .and_then(|p| {
                    self.places.later(p, words, words.len() < 6).filter(|_| Rule::AfterPlace.on())
                })
                .filter(|f| f.target.doc.is_none())
        });
        let found_in = self.found_in(&open, found.as_ref());
        let work = match note {
            true => self.notes_of(&open, cue),
            false => self.work_at(&open, cue, found.as_ref()),
        };
        self.links.push(
            draft(LinkKind::Citation, span, self.layer)
                .quoted(quoted)
                .work(work)
                .found(found)
                .because(EvidenceKind::GoesOnWithCitation)
                .why(EvidenceKind::NotInCorpus)
                .link(),
        );
        self.open.push(OpenCitation { start: None, end: span.end(), found_in, ..open });
    }

    /// The chapter that has the words of a citation, or of what goes on with it.
    fn found_in(&self, open: &OpenCitation, found: Option<&FoundPlace>) -> Option<Named> {
        let named = open.named.as_ref()?;
        found
            .map(|f| self.places.narrowed(named, &f.target, f.status))
            .or_else(|| open.found_in.clone())
    }

    /// What a quotation cites that goes on with a citation and was found at a place.
    fn work_at(
        &self,
        open: &OpenCitation,
        cue: &str,
        found: Option<&FoundPlace>,
    ) -> Option<String> {
        let said = open.says(cue);
        let whole = open.named.as_ref().is_some_and(|n| said.as_ref() == Some(&n.locus()));
        match self.found_in(open, found).filter(|_| whole && found.is_some()) {
            Some(found_in) => Some(found_in.locus()),
            None => said,
        }
    }

    /// True if a commentary on the work is called 傳: 毛傳 on the 詩.
    pub fn has_tradition(&self, open: &OpenCitation) -> bool {
        let work = open.named.as_ref().and_then(|n| self.works().work(&n.work));
        work.is_some_and(|w| w.notes.iter().any(|n| n.ends_with('傳')))
    }

    /// What the notes on an open citation are called: 鄭注 where the text says so, else the usual
    /// commentary on the work.
    fn notes_of(&self, open: &OpenCitation, cue: &str) -> Option<String> {
        let works = self.works();
        let base = match open.found_in.as_ref().or(open.named.as_ref()) {
            Some(n) => n.locus(),
            None => open.work.clone()?,
        };
        let work = open.named.as_ref().map(|n| n.work.as_str()).or(self.places.work());
        let names = [('箋', '箋'), ('笺', '箋'), ('傳', '傳'), ('传', '傳')];
        let called = names.into_iter().find(|(c, _)| cue.contains(*c));
        let called = called.map(|(_, name)| name);
        let usual = work.map_or("注", |w| works.notes(w, called));
        let is_zheng = Rule::NotesOfZheng.on() && cue.contains(['鄭', '郑']) && called.is_none();
        let zheng = work.filter(|_| is_zheng).and_then(|w| self.zheng_notes(w));
        Some(format!("{base}・{}", zheng.unwrap_or(usual)))
    }

    /// What the notes of 鄭玄 on a work are called, if he wrote any: 鄭箋 on the 詩經.
    pub fn zheng_notes(&self, work: &str) -> Option<&str> {
        let notes = self.works().work(work).map_or(&[][..], |w| &w.notes);
        let usual = notes.iter().find(|n| n.starts_with('鄭')).map(String::as_str);
        let wrote = || {
            let zheng = self.works().scholars().whole_name(&ZHENG.map(fold));
            zheng.is_some_and(|(_, _, scholar)| scholar.has_notes_on(work))
        };
        usual.or_else(|| wrote().then_some("鄭注"))
    }
}

/// True for a cue that has more than 雲: 其職雲, 又雲, 注雲 continue a citation.
pub fn continues(cue: &str) -> bool {
    cue.trim_end_matches([':', '：', ',', '，'])
        .trim_end_matches(['雲', '云', '曰', '引'])
        .contains(|c| !is_any(c, &['鄭']))
}
