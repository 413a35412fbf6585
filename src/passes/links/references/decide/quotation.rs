//! Where a quotation of a sub-commentary is from. The steps of [`STEPS`] are tried in order: each
//! may link the quotation, or name a place, or a better one than that so far. What is left is
//! linked to the place.

use super::going_on::{
    GoingOn, can_only_go_on, from_open_source, from_other_chapter, from_year, goes_on_further,
    ibid, own_work, spoken,
};
use crate::passes::links::references::candidates::exact;
use crate::passes::links::references::candidates::exact::QuotedBefore;
use crate::passes::links::references::certainty::{HALF_RANGE, UNSAID};
use crate::passes::links::references::cues::*;
use crate::passes::links::references::found::CLEAR_CERTAINTY;
use crate::passes::links::references::mentions::speakers;
use crate::passes::links::references::mentions::tokens::CommentToken;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::{Discourse, OpenCitation};
use crate::passes::links::references::sources::{called, scholars};
use crate::text::both_scripts::has_any;
use crate::text::class::ends_sentence;
use QuotationStep::{Find, Link};

/// A quotation, and what the text around it says of it.
struct Quoted<'a> {
    token: CommentToken,
    words: SoughtWords,
    /// The text before and after it, up to another quotation or title.
    lead: &'a str,
    next: &'a str,
    /// The quotation and the cue that introduces it.
    span: Span,
    /// The cue: 注云.
    said: &'a str,
    /// The cue that goes on with a citation, and where it begins.
    goes_on: Option<(&'a str, usize)>,
    speaker: Option<Speaker<'a>>,
    /// Whether the text says that the words are not there: 不云X.
    is_negative: bool,
}

impl<'a> Quoted<'a> {
    fn of(d: &Discourse<'a>, token: CommentToken, [lead, next]: [Option<Span>; 2]) -> Self {
        let text = |span: Option<Span>| span.map_or("", |s| d.places.slice(s));
        let (words, lead_span) = (d.places.words(token.inner), lead);
        let (lead, next) = (text(lead), text(next));
        let start = token.outer.start() - lead.len();
        let cue = CUE.captures(lead).and_then(|c| c.name("cue"));
        let cue = cue.filter(|c| !OPENING.is_match(c.as_str()));
        let tail = cue.and_then(|c| CUE_TAIL.find_at(lead, c.start()));
        let said = cue.map_or("", |c| c.as_str());
        let goes_on = IBID.captures(lead).and_then(|c| c.name("cue"));
        Quoted {
            token,
            words,
            lead,
            next,
            span: Span::new(start + tail.map_or(lead.len(), |c| c.start()), token.outer.end()),
            said,
            goes_on: goes_on.map(|c| (c.as_str(), start + c.start())),
            speaker: lead_span.and_then(|l| speakers::before(d, l)),
            is_negative: ["不言", "不雲", "不云"].iter().any(|no| said.ends_with(no)),
        }
    }

    fn at(&self) -> usize {
        self.token.outer.start()
    }

    /// The stream that the cue names.
    fn prefer(&self) -> Option<Stream> {
        match self.said {
            s if has_any(s, &['經']) => Some(Stream::Base),
            s if has_any(s, &['鄭', '注']) => Some(Stream::Notes),
            _ => None,
        }
    }

    /// Whether it takes up words of the passage: “X”者.
    fn is_taken_up(&self) -> bool {
        self.next.starts_with('者')
    }

    /// Whether an office of what was cited says it: 其職云.
    fn is_of_office(&self) -> bool {
        self.goes_on.is_some_and(|(cue, _)| cue.contains(['職', '职']))
    }

    fn ibid_cue(&self) -> &'a str {
        self.goes_on.map_or("", |(cue, _)| cue)
    }

    fn going_on(&self, rule: Rule) -> GoingOn<'_> {
        let (span, quoted) = (self.span, self.token.inner);
        GoingOn { rule, span, quoted, words: &self.words, cue: self.ibid_cue() }
    }

    /// The same, with the cue that goes on with a citation as a part of it.
    fn with_cue(&self, rule: Rule) -> GoingOn<'_> {
        let start = self.goes_on.map_or(self.span.start(), |(_, at)| at);
        let span = Span::new(start, self.span.end());
        GoingOn { span, ..self.going_on(rule) }
    }
}

/// When a step is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// Always, also for words that are said not to be there.
    Always,
    /// For words that are said to be somewhere.
    Said,
    /// The same while they have no place.
    Missing,
}

/// A place so far.
type SoFar<'f> = Option<&'f FoundPlace>;

/// What a step does.
enum QuotationStep {
    /// Finds a place, or a better one.
    Find(fn(&Discourse<'_>, &Quoted<'_>, SoFar<'_>) -> Option<FoundPlace>),
    /// Links the quotation; true if it did.
    Link(fn(&mut Discourse<'_>, &Quoted<'_>, SoFar<'_>) -> bool),
}

/// What is tried, in this order.
const STEPS: &[(Rule, When, QuotationStep)] = &[
    (Rule::FromYear, When::Said, Link(|d, q, _| from_year(d, q.going_on(Rule::FromYear), q.at()))),
    (Rule::InPassage, When::Said, Find(of_passage)),
    (Rule::NextPassage, When::Missing, Find(of_next_passage)),
    (Rule::Reported, When::Always, Link(of_scholar)),
    (Rule::ExactlyElsewhere, When::Said, Find(exactly_elsewhere)),
    (Rule::Outline, When::Said, Find(in_outline)),
    (Rule::OpenSource, When::Said, Link(of_open_source)),
    (Rule::OpenOffice, When::Always, Link(of_office)),
    (Rule::Ibid, When::Always, Link(of_open_citation)),
    (Rule::Earlier, When::Missing, Find(earlier)),
    (Rule::OwnWork, When::Missing, Link(of_own_work)),
    // 正義曰 opens the comment and quotes nothing, even if a mark follows it.
    (Rule::Opening, When::Missing, Link(|_, q, _| OPENING.is_match(q.lead))),
    (
        Rule::OtherChapter,
        When::Missing,
        Link(|d, q, _| from_other_chapter(d, q.going_on(Rule::OtherChapter))),
    ),
    (
        Rule::CanOnlyGoOn,
        When::Missing,
        Link(|d, q, _| can_only_go_on(d, q.going_on(Rule::CanOnlyGoOn))),
    ),
    (
        Rule::InChapter,
        When::Missing,
        Find(|d, q, _| exact::in_chapter(d.places, d.passage.text, &q.words)),
    ),
    (Rule::CitedJustBefore, When::Missing, Link(of_citation_just_before)),
    (Rule::SaidNotToStandThere, When::Always, Find(said_not_to_stand_there)),
];

/// Links a quotation, with the text before and after it.
pub fn decide(d: &mut Discourse<'_>, token: CommentToken, around: [Option<Span>; 2]) {
    let q = Quoted::of(d, token, around);
    let (mut place, mut rule) = (None::<FoundPlace>, Rule::InPassage);
    for (by, when, step) in STEPS.iter().filter(|(rule, ..)| rule.on()) {
        let is_skipped = q.is_negative && *when != When::Always;
        if is_skipped || place.is_some() && *when == When::Missing {
            continue;
        }
        match step {
            Link(link) if link(d, &q, place.as_ref()) => return,
            Link(_) => {}
            Find(find) => {
                if let Some(found) = find(d, &q, place.as_ref()) {
                    (place, rule) = (Some(found), *by);
                }
            }
        }
    }
    let here = place.as_ref().filter(|f| f.target.doc.is_none()).map(|f| f.target.span);
    d.was_quoted(here);
    may_outline(d, token, here);
    let why = match q.is_negative {
        true => EvidenceKind::SaidNotToStandThere,
        false => EvidenceKind::NotInPassage,
    };
    let link = draft(rule, LinkKind::Quotation, q.span, d.layer).quoted(token.inner);
    d.push(link.found(place).why(why));
}

fn of_passage(d: &Discourse<'_>, q: &Quoted<'_>, _: SoFar<'_>) -> Option<FoundPlace> {
    let before = QuotedBefore { recent: &d.recent, ..d.quoted_before() };
    exact::in_passage(d.places, d.passage, &q.words, q.prefer(), before)
}

fn of_next_passage(d: &Discourse<'_>, q: &Quoted<'_>, _: SoFar<'_>) -> Option<FoundPlace> {
    exact::in_next_passage(d.places, d.passage, &q.words)
}

/// What a scholar says who did not write the notes that are explained: on the citation just before
/// if the notes on that are theirs.
fn of_scholar(d: &mut Discourse<'_>, q: &Quoted<'_>, found: SoFar<'_>) -> bool {
    // Whose words of the notes are taken up (郑司农云“X”者) is no matter, even if they differ a little.
    let is_here = |f: &FoundPlace| f.is_exact() || q.is_taken_up() && is_close(f, &q.words);
    let Some(speaker) = q.speaker.filter(|_| !found.is_some_and(is_here)) else { return false };
    let span = Span::new(speaker.span.start(), q.span.end());
    if let Some((open, cue)) = scholars::open_of(d, speaker.scholar, span.start()) {
        ibid(d, GoingOn { span, cue, ..q.going_on(Rule::Reported) }, open);
        return true;
    }
    let is_another = !scholars::explains(d.places, speaker.scholar);
    if is_another {
        let link = spoken(d, Rule::Reported, speaker, span, Some(q.token.inner));
        d.push(link);
    }
    is_another
}

/// True if only a few of the words differ.
fn is_close(found: &FoundPlace, words: &SoughtWords) -> bool {
    found.diff * PHRASE < words.len()
}

/// Where the chapter has exactly the words of which the passage has only nearly these: it may take
/// up a formula and vary it.
fn exactly_elsewhere(d: &Discourse<'_>, q: &Quoted<'_>, found: SoFar<'_>) -> Option<FoundPlace> {
    found.filter(|f| f.status == Status::Variant && f.how == EvidenceKind::InPassage)?;
    exact::in_own_chapter(d.places, d.passage.text, &q.words)
}

/// What an outline says of its section is near the words with which that begins:
/// 自“命司空”以下，…，故更云“是月”.
fn in_outline(d: &Discourse<'_>, q: &Quoted<'_>, _: SoFar<'_>) -> Option<FoundPlace> {
    let (quote, begins) = d.outlined.filter(|_| !q.said.is_empty() && q.prefer().is_none())?;
    let between = d.places.text().get(quote.end()..q.at())?;
    if between.contains(|c| ends_sentence(c) || matches!(c, '\n' | '○')) {
        return None;
    }
    let next = |back| exact::next_in(d.places, Stream::Base, begins.start(), &q.words, back);
    let far = |f: &FoundPlace| f.target.span.start().abs_diff(begins.start());
    let found = [next(true), next(false)].into_iter().flatten().min_by_key(far)?;
    (far(&found) < PARAGRAPH_BYTES).then_some(found)
}

fn of_open_source(d: &mut Discourse<'_>, q: &Quoted<'_>, found: SoFar<'_>) -> bool {
    let is_commentator = q.speaker.is_some_and(|s| scholars::explains(d.places, s.scholar));
    let on = GoingOn { cue: q.lead, ..q.going_on(Rule::OpenSource) };
    !found.is_some_and(|f| is_close(f, &q.words)) && from_open_source(d, on, is_commentator)
}

fn of_office(d: &mut Discourse<'_>, q: &Quoted<'_>, found: SoFar<'_>) -> bool {
    let is_office = q.is_of_office() && !found.is_some_and(FoundPlace::is_exact);
    let open = is_office.then(|| called::open_office(d, q.at())).flatten();
    open.map(|open| ibid(d, q.with_cue(Rule::OpenOffice), open)).is_some()
}

fn of_open_citation(d: &mut Discourse<'_>, q: &Quoted<'_>, found: SoFar<'_>) -> bool {
    let cue = q.ibid_cue();
    let may_go_on = q.goes_on.is_some() && !q.is_of_office() && d.goes_on(q.at(), cue);
    // 案《弓人》掌作弓，云“凡折幹” is from there, even if the passage has nearly the words.
    let is_titled = || !q.is_taken_up() && !q.said.contains('故') && d.cites_in_sentence(q.at());
    let is_more = called::continues(cue);
    let goes_on = |f: &FoundPlace| {
        cue.contains('彼')
            || q.words.len() < PHRASE && (!f.is_exact() || is_more)
            || !f.is_exact() && (is_more || is_titled())
    };
    let open = d.open.last().filter(|_| may_go_on && found.is_none_or(goes_on)).cloned();
    open.map(|open| ibid(d, q.with_cue(Rule::Ibid), open)).is_some()
}

fn earlier(d: &Discourse<'_>, q: &Quoted<'_>, _: SoFar<'_>) -> Option<FoundPlace> {
    let before = d.passage.text.start();
    let found = exact::beyond(d.places, before, &q.words, true)?;
    (q.words.len() >= PHRASE && found.certainty >= CLEAR_CERTAINTY).then_some(found)
}

fn of_own_work(d: &mut Discourse<'_>, q: &Quoted<'_>, _: SoFar<'_>) -> bool {
    let says_own = OWN_WORK.is_match(q.lead) || INSTANCE.is_match(q.next) || q.is_of_office();
    let on = q.going_on(Rule::OwnWork);
    let own = || own_work(d.places, on, d.passage.text, d.layer);
    let Some((link, chapter)) = says_own.then(own).flatten() else { return false };
    d.open.extend(chapter.map(|named| OpenCitation::of(named, q.span.end())));
    d.push(link);
    true
}

/// What the quotation just before cites, if only marks are between: 《志》云“…”，“…”; “…”。“…” if its
/// work is not at hand, so that it may have the words.
fn of_citation_just_before(d: &mut Discourse<'_>, q: &Quoted<'_>, _: SoFar<'_>) -> bool {
    let open = || {
        let last = d.links.last().filter(|l| l.kind == LinkKind::Citation)?;
        let between = d.places.text().get(last.quoted?.end()..q.at())?;
        let goes_on = between.contains([',', '，', '、'])
            || last.target.is_none() && between.contains([';', '；', '。']);
        let is_joined = goes_on && !between.contains(|c| is_content(c) || c == '\n');
        let is_it = is_joined && last.work.is_some() && !q.is_taken_up();
        d.open.last().filter(|_| is_it).cloned()
    };
    let on = GoingOn { cue: "", ..q.going_on(Rule::CitedJustBefore) };
    open().map(|open| ibid(d, on, open)).is_some()
}

/// Where the text says what it does not say here (不云X): in the passage or the chapter.
fn said_not_to_stand_there(d: &Discourse<'_>, q: &Quoted<'_>, _: SoFar<'_>) -> Option<FoundPlace> {
    let here = || exact::in_passage(d.places, d.passage, &q.words, None, QuotedBefore::default());
    let found = q.is_negative.then(here)?.filter(FoundPlace::is_exact);
    let found = found.or_else(|| exact::in_chapter(d.places, d.passage.text, &q.words));
    let found = found.filter(|_| q.words.len() > 1)?;
    let certainty = found.certainty.min(*UNSAID);
    Some(found.sure(certainty))
}

/// Notes that the outline of a section begins with a quotation that has a place: 自“命司空”以下.
fn may_outline(d: &mut Discourse<'_>, q: CommentToken, place: Option<Span>) {
    let text = d.places.text();
    let begins = text[..q.outer.start()].ends_with(|c| FROM.has(c));
    if begins && TO.begin(&text[q.outer.end()..]) {
        d.outlined = place.map(|place| (q.outer, place));
    }
}

/// Links “X”至“Y” to all that is between, or both ends where they are elsewhere: that is too long
/// for a place.
pub fn range(d: &mut Discourse<'_>, lead: &str, [from, to]: [CommentToken; 2]) {
    let cue = CUE.captures(lead).and_then(|c| c.name("cue")).map_or(lead.len(), |c| c.start());
    let span = Span::new(from.outer.start() - lead.len() + cue, to.outer.end());
    let find = |d: &Discourse<'_>, t: CommentToken| {
        let words = d.places.words(t.inner);
        let here = exact::in_passage(d.places, d.passage, &words, None, d.quoted_before());
        let found = here.or_else(|| exact::in_own_chapter(d.places, d.passage.text, &words));
        found.filter(|_| words.len() > 0)
    };
    let place = |f: &Option<FoundPlace>| f.as_ref().map(|f| f.target.span);
    let a = find(d, from);
    d.after = place(&a).map(|s| s.start()).or(d.after);
    may_outline(d, from, place(&a));
    let b = find(d, to);
    let is_here = |f: &Option<FoundPlace>| place(f).is_some_and(|s| d.passage.text.contains(s));
    let link =
        |span, quoted| draft(Rule::QuotedRange, LinkKind::Quotation, span, d.layer).quoted(quoted);
    if (a.is_some() || b.is_some()) && !(is_here(&a) && is_here(&b)) {
        let alone = if a.is_some() && b.is_some() { 1.0 } else { *HALF_RANGE };
        let first = link(Span::new(span.start(), from.outer.end()), from.inner);
        for (link, found) in [(first, a), (link(to.outer, to.inner), b)] {
            let found = found.map(|f| FoundPlace { certainty: f.certainty * alone, ..f });
            d.push(link.found(found).why(EvidenceKind::NotInPassage));
        }
        return;
    }
    let link = link(span, Span::new(from.inner.start(), to.inner.end()));
    let whole = a.zip(b).and_then(|(a, b)| {
        let (start, end) = (a.target.span.start(), b.target.span.end());
        let (certainty, how) = (a.certainty.min(b.certainty), EvidenceKind::Range);
        let whole = || FoundPlace::here(Span::new(start, end), Status::Range, certainty, how);
        (start < end).then(whole)
    });
    d.push(link.found(whole).why(EvidenceKind::NotInPassage));
}

/// Links 上文, 下經 or 下記 with a quotation.
pub fn elsewhere(d: &mut Discourse<'_>, on: GoingOn<'_>, back: bool, what: &str) {
    let (places, passage, words) = (d.places, d.passage, on.words);
    let at = if back { passage.text.start() } else { passage.text.end() };
    let found = exact::beyond(places, at, words, back);
    // 下云X may mean the passage itself, or what follows in the text that was just cited.
    let here = || {
        let here = exact::in_passage(places, passage, words, None, d.quoted_before());
        let here = here.filter(|f| f.is_exact() || words.len() >= SENTENCE);
        here.or_else(|| exact::in_chapter(places, passage.text, words))
    };
    let found = found.or_else(here);
    let may_go_on = found.is_none() && Rule::GoesOnFurther.on();
    if may_go_on && goes_on_further(d, on.by(Rule::GoesOnFurther)) {
        return;
    }
    let is_record = matches!(what, "記" | "记");
    let work = places.locus().map(|l| if is_record { format!("{l}・記") } else { l });
    d.open.push(OpenCitation::of_chapter(work.clone(), on.span, found.as_ref()));
    let link = draft(on.rule, LinkKind::Internal, on.span, d.layer).quoted(on.quoted);
    d.push(link.work(work).found(found).why(EvidenceKind::NotInCorpus));
}

/// Links a quotation inside another: exactly words of the passage, or of another chapter (傳曰‘…’),
/// or of this one.
pub fn within(d: &mut Discourse<'_>, token: CommentToken) {
    let words = d.places.words(token.inner);
    let on = GoingOn {
        rule: Rule::InnerQuotation,
        span: token.outer,
        quoted: token.inner,
        words: &words,
        cue: "",
    };
    if words.len() < PHRASE || !on.rule.on() {
        return;
    }
    let found = exact::in_passage(d.places, d.passage, &words, None, d.quoted_before());
    if let Some(found) = found.filter(FoundPlace::is_exact) {
        let link = draft(on.rule, LinkKind::Quotation, on.span, d.layer).quoted(on.quoted);
        d.push(link.found(found));
    } else if !from_other_chapter(d, on) && words.len() + 1 >= SENTENCE {
        let found = exact::in_own_chapter(d.places, d.passage.text, &words);
        let link = draft(on.rule, LinkKind::Internal, on.span, d.layer).quoted(on.quoted);
        found.into_iter().for_each(|f| {
            d.push(link.clone().work(d.places.locus()).found(f));
        });
    }
}
