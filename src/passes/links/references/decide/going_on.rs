//! Quotations that go on with a citation before (其職云, 注云, 又云), that are from a work cited before,
//! or from another chapter; and what a scholar says.

use crate::passes::links::references::candidates::cited::cited;
use crate::passes::links::references::candidates::{cited, exact};
use crate::passes::links::references::cues::*;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::{Discourse, MAX_OPEN_SOURCES, OpenCitation};
use crate::passes::links::references::sources::{called, scholars};
use crate::text::both_scripts::has_any;
use crate::text::class::ends_sentence;

/// A quotation that may go on with a citation.
#[derive(Clone, Copy)]
pub struct GoingOn<'q> {
    /// What makes the link.
    pub rule: Rule,
    /// The cue and the quotation.
    pub span: Span,
    /// The quotation.
    pub quoted: Span,
    /// Its words.
    pub words: &'q SoughtWords,
    /// What says that it goes on.
    pub cue: &'q str,
}

impl GoingOn<'_> {
    /// The same by another rule.
    pub fn by(self, rule: Rule) -> Self {
        GoingOn { rule, ..self }
    }
}

/// Links a quotation that goes on with a citation, wherever it is.
pub fn ibid(d: &mut Discourse<'_>, on: GoingOn<'_>, open: OpenCitation) {
    let stream = if called::means_notes(d, on.cue, &open) { Stream::Notes } else { Stream::Base };
    let near = open.with(on.span).start();
    let found = open.source(stream, near).and_then(|s| cited(d.places, s, on.words));
    let after = || {
        let found = exact::beyond(d.places, open.place?, on.words, false);
        found.filter(|f| f.target.doc.is_none())
    };
    let found = found.or_else(after);
    link(d, on, open, stream, found);
}

/// Links a quotation that goes on with a citation: what it cites, and where. The citation stays
/// open.
fn link(
    d: &mut Discourse<'_>,
    on: GoingOn<'_>,
    open: OpenCitation,
    stream: Stream,
    found: Option<FoundPlace>,
) {
    let places = d.places;
    let work = called::work_of(places, &open, (on.cue, stream), found.as_ref());
    let found_in = called::found_in(places, &open, found.as_ref());
    // 《司尊彝》有追享，鄭云“…” is what its notes say.
    let is_work = |w: &str| work.as_deref() == Some(w);
    let is_narrowed = found_in.as_ref().is_some_and(|n| is_work(&n.locus()));
    let titled = found.as_ref().and_then(|_| title_of(d, &open, on.quoted));
    let titled = titled.filter(|n| is_narrowed || d.links[*n].work.as_deref().is_some_and(is_work));
    let span = titled.map_or(open.with(on.span), |n| d.links[n].span);
    let how = titled.map_or(EvidenceKind::GoesOnWithCitation, |_| EvidenceKind::Title);
    let link = draft(on.rule, LinkKind::Citation, span, d.layer).quoted(on.quoted).work(work);
    let link = link.found(found).because(how).why(EvidenceKind::NotInCorpus);
    match titled {
        Some(n) => d.links[n] = link.link(),
        None => d.push(link),
    }
    d.open.push(OpenCitation { start: None, end: on.span.end(), found_in, ..open });
}

/// The link of the title before a quotation in one sentence, if what it cites is not known or is
/// less than the quotation: 《遂人職》主六遂，…“五家爲鄰” cites the quotation.
fn title_of(d: &Discourse<'_>, open: &OpenCitation, quoted: Span) -> Option<usize> {
    let last = d.links.len().checked_sub(1)?;
    let link = &d.links[last];
    let chars = |span: Span| d.places.words(span).len();
    let is_less =
        link.status == Status::Paraphrase && link.quoted.is_some_and(|q| chars(q) < chars(quoted));
    let is_title = link.kind == LinkKind::Citation
        && (link.span.start()..=link.span.end()).contains(&open.end)
        && link.evidence.iter().any(|e| e.kind == EvidenceKind::Title);
    let between = d.places.text().get(link.span.end()..quoted.start())?;
    let is_joined = !between.contains(|c| ends_sentence(c) || matches!(c, '\n' | '○'));
    let is_named = MENTION.is_match(between) || ABOUT_WORK.is_match(between);
    let is_open = link.target.is_none() || is_less;
    (is_title && is_joined && !is_named && is_open).then_some(last)
}

/// Links a quotation that a work cited before has. True if the last one has it.
pub fn from_open_source(d: &mut Discourse<'_>, on: GoingOn<'_>, is_commentator: bool) -> bool {
    let cue = on.cue.trim_end_matches([':', '：', '雲', '云', '曰', '彼', '又']);
    let is_notes = is_commentator || cue.ends_with(['注', '註', '箋', '笺']);
    let stream = if is_notes { Stream::Notes } else { Stream::Base };
    let at = on.span.start();
    let Some(open) = d.open_near(at, PARAGRAPH_BYTES).next().cloned() else { return false };
    let is_enough = on.words.len() >= PHRASE;
    let found = open.source(stream, at).filter(|_| is_enough);
    let found = found.and_then(|source| cited(d.places, source, on.words));
    let found = found.filter(|f| f.is_exact() || cited::covers(d.places, f, on.words));
    let is_found = found.is_some();
    if is_found {
        link(d, on, open, stream, found);
    }
    is_found
}

/// Links a quotation that the text says is from a year, named just before it or cited just before:
/// 莊五年“郳犁來來朝”，傳曰“未王命”. The passage often has the same words, since its notes compare them. True if
/// the year has them.
pub fn from_year(d: &mut Discourse<'_>, on: GoingOn<'_>, quote: usize) -> bool {
    let Some(end) = d.open_just_before(quote).map(|o| o.end) else { return false };
    let between = d.places.text()[end..quote].trim_start_matches(|c| !is_content(c));
    let goes_on = between.chars().count() <= CLAUSE && OWN_WORK.is_match(between);
    // A year without a duke may be of two.
    let years = d.open.iter().rev().take_while(|o| o.end == end).filter(|o| o.year.is_some());
    let found = years.into_iter().find_map(|open| {
        let is_named = open.start.is_some() && !between.contains('者');
        let source = open.source(Stream::Base, quote).filter(|_| is_named || goes_on)?;
        Some((open.clone(), cited::cited_in_year(d.places, source, on.words)?))
    });
    let Some((open, found)) = found else { return false };
    link(d, GoingOn { cue: "", ..on }, open, Stream::Base, Some(found));
    true
}

/// Links words that are said to be elsewhere in a text that was cited: 《郊特牲》…，其下又云. The last one
/// cited just before may have nearly these words, those before it exactly these. True if one has
/// them.
pub fn goes_on_further(d: &mut Discourse<'_>, on: GoingOn<'_>) -> bool {
    let at = on.span.start();
    let just_before = d.open_just_before(at).map(|o| o.end);
    let sources = d.open_near(at, PARAGRAPH_BYTES).take(MAX_OPEN_SOURCES);
    let found = sources.enumerate().find_map(|(n, open)| {
        let found = cited(d.places, open.source(Stream::Base, at)?, on.words)?;
        let is_last = n == 0 && just_before == Some(open.end);
        let is_exact = found.is_exact() && on.words.len() >= SENTENCE;
        let is_there = is_last && cited::covers(d.places, &found, on.words) || is_exact;
        is_there.then(|| (open.clone(), found))
    });
    let Some((open, found)) = found else { return false };
    link(d, GoingOn { cue: "", ..on }, open, Stream::Base, Some(found));
    true
}

/// Links a quotation that another chapter has, which is not named. True if one has.
pub fn from_other_chapter(d: &mut Discourse<'_>, on: GoingOn<'_>) -> bool {
    let Some((link, named)) = other_chapter(d.places, on, d.layer) else { return false };
    d.open.extend(named.map(|n| OpenCitation::of(n, on.span.end())));
    d.push(link);
    true
}

/// A link to another chapter that has the words and is not named, and that chapter.
pub fn other_chapter(
    places: &Places<'_>,
    on: GoingOn<'_>,
    layer: Layer,
) -> Option<(Draft, Option<Named>)> {
    let (found, named) = exact::in_other_chapter(places, on.words)?;
    let link = draft(on.rule, LinkKind::Citation, on.span, layer).quoted(on.quoted).found(found);
    Some((link.work(named.as_ref().map(Named::locus)), named))
}

/// Links a quotation to the citation just before, which 其職雲 or 注雲 must refer to. True if there is
/// one.
pub fn can_only_go_on(d: &mut Discourse<'_>, on: GoingOn<'_>) -> bool {
    // 詩注雲 names another text.
    let before = d.places.text()[..on.span.start()].chars().next_back();
    let is_bare = before.is_none_or(|c| !is_content(c) || LEADS.has(c));
    let goes_on = called::continues(on.cue) || has_any(on.cue, &['鄭']);
    let open = d.open_just_before(on.span.start()).filter(|_| is_bare && goes_on).cloned();
    open.map(|open| ibid(d, on, open)).is_some()
}

/// A link to another place of the work that is explained, in this chapter or another, and that
/// chapter.
pub fn own_work(
    places: &Places<'_>,
    on: GoingOn<'_>,
    passage: Span,
    layer: Layer,
) -> Option<(Draft, Option<Named>)> {
    let link = |kind| draft(on.rule, kind, on.span, layer).quoted(on.quoted);
    if let Some(found) = exact::in_own_chapter(places, passage, on.words) {
        return Some((link(LinkKind::Internal).work(places.locus()).found(found), None));
    }
    let (found, chapter) = cited::in_own_work(places, on.words)?;
    let link = link(LinkKind::Citation).work(Some(chapter.locus())).found(found);
    Some((link, Some(chapter)))
}

/// A link to what a scholar says: on a text that was cited just before, if they wrote on it and not
/// on the one that is explained.
pub fn spoken(
    d: &Discourse<'_>,
    rule: Rule,
    speaker: Speaker<'_>,
    span: Span,
    quoted: Option<Span>,
) -> Draft {
    let noted = scholars::noted_by(d, speaker.scholar, speaker.span.start());
    let place = noted.as_ref().filter(|n| n.is_usual).zip(quoted).and_then(|(noted, quoted)| {
        let source = noted.open.source(Stream::Notes, span.start())?;
        cited(d.places, source, &d.places.words(quoted))
    });
    let work = noted.map_or_else(|| scholars::work_of(d, speaker), |noted| noted.work);
    draft(rule, LinkKind::Citation, span, d.layer)
        .work(Some(work))
        .found(place)
        .because(EvidenceKind::Commentator)
        .why(EvidenceKind::NotInCorpus)
        .title_only()
        .quoted(quoted)
}
