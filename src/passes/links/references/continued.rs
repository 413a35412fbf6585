//! Quotations that go on with a citation before (其職云, 注云, 又云), or that are from a work cited
//! before.

use super::certainty::said;
use super::comment::{OpenCitation, Reader};
use super::cues::{ABOUT_WORK, IBID, MENTION, OWN_WORK};
use super::learned::Features;
use super::link::draft;
use super::locate::CitedSource;
use super::scan::CommentToken;
use super::sought::{FoundPlace, SoughtWords};
use crate::corpus::view::Stream;
use crate::corpus::works::Named;
use crate::model::{EvidenceKind, Link, LinkKind, Status};
use crate::source::Span;
use crate::text::Key;
use crate::text::both_scripts::{has_any, is_any};
use crate::text::class::{ends_sentence, is_content};
use crate::text::fold::fold;

/// Characters that may precede 注雲 without naming a text: 是以鄭注雲.
const LEAD_CHARS: &[char] = &['以', '故', '案', '按', '又', '即', '則', '而', '知'];
/// The end of what a preface is called.
const PREFACE: &str = "・序";
/// Who wrote notes on several classics.
const ZHENG: [char; 2] = ['鄭', '玄'];
/// Fewest characters that decide for another text than the one just cited.
const MIN_DECISIVE_CHARS: usize = 4;
/// Most works cited before that a quotation is looked for in.
pub const MAX_SOURCES: usize = 4;
/// Fewest characters of such a quotation.
const MIN_SOURCE_CHARS: usize = 3;
/// Most links before a quotation whose words it may repeat.
const MAX_REPEATED_LINKS: usize = 8;
/// Most characters of 傳曰 between a citation and what the tradition says there.
const MAX_TRADITION_CHARS: usize = 4;
/// Most bytes of the marks between two quotations of one citation: a line break is none.
const MAX_MARKS_BYTES: usize = 12;
/// Most bytes between a citation and a cue that goes on with it, and one that says with which.
const MAX_BETWEEN_BYTES: usize = 36;
const MAX_REACH_BYTES: usize = 900;
/// Most bytes between a citation and a quotation that can only continue it.
pub const MAX_GAP_BYTES: usize = 180;
/// Most bytes between a citation and a quotation of the same work that does not name it.
pub const MAX_SOURCE_BYTES: usize = 1500;

impl Reader<'_> {
    /// Links a quotation that repeats words of a citation before, which has no place. True if it
    /// does.
    pub fn repeats(&mut self, span: Span, quoted: Span, words: &SoughtWords) -> bool {
        if words.len() < MIN_SOURCE_CHARS {
            return false;
        }
        let chars = &words.key.chars;
        let has = |l: &&Link| {
            let said = l.quoted.map(|q| Key::of(self.text(), q).chars).unwrap_or_default();
            l.kind == LinkKind::Citation
                && l.target.is_none()
                && said.windows(chars.len()).any(|w| w == chars)
        };
        let before = self.links.iter().rev().take(MAX_REPEATED_LINKS).find(has);
        let Some(work) = before.map(|l| l.work.clone()) else { return false };
        // The text itself has no place, but here is where it is cited.
        let found = self.echoed(span.start(), words);
        self.links.push(
            draft(LinkKind::Citation, span, self.layer)
                .quoted(quoted)
                .work(work)
                .found(found)
                .because(EvidenceKind::GoesOnWithCitation)
                .why(EvidenceKind::NotInCorpus)
                .link(),
        );
        true
    }

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
        let stream = if self.its_commentator_says(lead)
            || lead
                .trim_end_matches([':', '：', '雲', '云', '曰', '彼', '又'])
                .ends_with(['注', '註', '箋', '笺'])
        {
            Stream::Notes
        } else {
            Stream::Base
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

    /// Links a quotation with only marks between it and a citation, which has it too: 《釋詁》云“元，始也”；“正，長也”.
    /// True if it has exactly these words.
    pub fn goes_on_in_marks(&mut self, quote: CommentToken, words: &SoughtWords) -> bool {
        let last = self.links.last().filter(|l| l.kind == LinkKind::Citation && l.work.is_some());
        let end =
            last.and_then(|l| Some(l.quoted?.end())).filter(|end| *end <= quote.outer.start());
        let joined = end.is_some_and(|end| {
            let between = &self.text()[end..quote.outer.start()];
            !between.contains(is_content) && between.len() < MAX_MARKS_BYTES
        });
        let Some(open) = self.open.last().filter(|_| joined && words.len() > 1).cloned() else {
            return false;
        };
        let span = quote.outer;
        let found = open.source(Stream::Base, span.start());
        let found = found.and_then(|s| self.places.cited(s, words));
        let Some(found) = found.filter(|f| f.status == Status::Exact) else { return false };
        let work = self.work_at(&open, "", Some(&found));
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
        (is_title && joined && !is_named && (link.target.is_none() || is_less)).then_some(last)
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
        let last = sources.first().cloned();
        let mut nearly = None;
        for (n, open) in sources.into_iter().enumerate() {
            let Some(source) = open.source(stream, near) else { continue };
            let Some(found) = self.places.cited(source, words) else { continue };
            let is_exact = found.status == Status::Exact;
            if is_exact && (n == 0 || words.len() > 3) {
                return Some((open, found));
            }
            if n == 0 && self.places.covers(&found, words) {
                nearly = Some((open, found));
            }
        }
        let last = last.filter(|_| stream == Stream::Base);
        let elsewhere = last.and_then(|last| {
            let (found, chapter) = self.elsewhere_in_work(&last, near, words)?;
            Some((OpenCitation { start: last.start, ..OpenCitation::of(chapter, last.end) }, found))
        });
        elsewhere.or(nearly)
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
        if let Some((place, named)) = self.places.in_other_chapter(words) {
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
        let known = self.places.loosely(self.passage, words).is_some();
        match open {
            Some(open) if !known => {
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

    /// The citation that a cue goes on with: the last one, but 箋云 is what the notes on the 詩 say.
    pub fn continued_by(&self, cue: &str) -> Option<&OpenCitation> {
        let has_jian = |o: &&OpenCitation| {
            let work = o.named.as_ref().and_then(|n| self.works().work(&n.work));
            work.is_some_and(|w| w.notes.iter().any(|n| n.ends_with('箋')))
        };
        match cue.contains(['箋', '笺']) {
            true => self.open.iter().rev().take(MAX_SOURCES).find(has_jian),
            false => self.open.last(),
        }
    }

    /// True if a citation ended just before byte `at`, or not long before if the cue has 彼 or 箋.
    pub fn goes_on(&self, at: usize, cue: &str) -> bool {
        let reach =
            if cue.contains(['彼', '箋', '笺']) { MAX_REACH_BYTES } else { MAX_BETWEEN_BYTES };
        self.continued_by(cue).is_some_and(|o| {
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
        let said_span = span;
        let note = cue.contains(['注', '註', '箋', '笺', '鄭', '郑'])
            || cue.contains(['傳', '传']) && self.has_tradition(&open);
        let span = open.start.map_or(span, |s| Span::new(s.min(span.start()), span.end()));
        let stream = if note { Stream::Notes } else { Stream::Base };
        let found = open.source(stream, span.start()).and_then(|s| self.places.cited(s, words));
        let found = found.or_else(|| {
            open.place
                .and_then(|p| self.places.later(p, words, words.len() < 6))
                .filter(|f| f.target.doc.is_none())
        });
        let found = found.or_else(|| {
            let source = open.source(stream, span.start())?;
            let mut about = Features::default();
            about.flag("goes-on", true);
            about.flag("has-quoted", true);
            let offered = [("quoted", quoted)];
            let (found, _) = self.places.guessed(source, &offered, &about, span, false)?;
            let certainty = said(LinkKind::Citation, found.status, found.certainty);
            Some(FoundPlace { certainty, ..found })
        });
        let wider = match found.is_none() && !note {
            true => self.elsewhere_in_work(&open, span.start(), words),
            false => None,
        };
        let is_lost = found.is_none() && wider.is_none() && !note;
        if is_lost && self.links_other(&open, (said_span, quoted), words) {
            return;
        }
        let found_in = match &wider {
            Some((_, chapter)) => Some(chapter.clone()),
            None => self.found_in(&open, found.as_ref()),
        };
        let work = match (note, &wider) {
            (true, _) => self.notes_of(&open, cue),
            (_, Some((_, chapter))) => Some(chapter.locus()),
            _ => self.work_at(&open, cue, found.as_ref()),
        };
        let found = found.or(wider.map(|(place, _)| place));
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

    /// Links a quotation to another text that has exactly these words, or to this one, if what was cited just before is at hand
    /// and does not have them. True if there is one.
    fn links_other(
        &mut self,
        open: &OpenCitation,
        (span, quoted): (Span, Span),
        words: &SoughtWords,
    ) -> bool {
        let places = self.places;
        let mut texts =
            open.named.iter().flat_map(|n| places.index.of_chapter(n, &places.document.id));
        if texts.next().is_none() || words.len() < MIN_DECISIVE_CHARS {
            return false;
        }
        let is_exact = |f: &FoundPlace| f.status == Status::Exact;
        let other = places.in_other_chapter(words).filter(|(found, _)| is_exact(found));
        let link = match other {
            Some((found, named)) => {
                let work = named.as_ref().map(Named::locus);
                self.open.extend(named.map(|n| OpenCitation::of(n, span.end())));
                let link = draft(LinkKind::Citation, span, self.layer).quoted(quoted);
                link.work(work).found(Some(found))
            }
            None => {
                let own = places.in_own_chapter(self.passage.text, words);
                let Some(own) = own.filter(|own| is_exact(&own.found)) else { return false };
                own.draft(places, span, quoted, self.layer)
            }
        };
        self.links.push(link.link());
        true
    }

    /// Exactly these words in another chapter of the work that is cited, and which: 又云 may go on with
    /// the work.
    fn elsewhere_in_work(
        &self,
        open: &OpenCitation,
        near: usize,
        words: &SoughtWords,
    ) -> Option<(FoundPlace, Named)> {
        let chapter = open.named.as_ref().filter(|n| n.chapter.is_some())?;
        let source = CitedSource { named: chapter, stream: Stream::Base, near, year: None };
        let found = self.places.in_whole_work(source, words)?;
        let entry = self.places.index.get(found.target.doc.as_ref()?)?;
        Some((found, entry.named.clone().filter(|n| n.chapter.is_some())?))
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
        let mut said = open.says(cue);
        // What the poem has is not from its preface.
        if found.is_some() && said.as_ref().is_some_and(|s| s.ends_with(PREFACE)) {
            said = open.named.as_ref().map(Named::locus);
        }
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
        let is_zheng = cue.contains(['鄭', '郑']) && called.is_none();
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
