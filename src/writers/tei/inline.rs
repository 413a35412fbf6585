//! Markup inside a segment: quotations, citations, references and other readings, nested as the
//! spans nest.
//!
//! Spans of the model may overlap in any way; XML elements may not. Readings are placed first,
//! since they are short and part of the text. A link whose borders cross a reading, another link or
//! a sentence becomes a stand-off link, and a reading that crosses a sentence or a segment is
//! stand-off too.

use super::Context;
use super::kept::{KeptContent, KeptElement};
use super::text::{source, stretch};
use crate::markup::Markup;
use crate::model::{Document, EvidenceKind, Link, LinkKind, Reading, ReadingKind, SuppliedMark};
use crate::reading::ChapterText;
use crate::source::Span;
use crate::text::class::is_punctuation;
use crate::text::fold::fold;

/// What an item opens.
#[derive(Clone, Copy, Debug)]
enum InlineTag {
    Cit,
    Bibl,
    Title(u32),
    Person(u32),
    Quote(u32),
    Ref(u32),
    Reading(u32),
    Said(u32),
    Kept(u32),
}

/// One element to be opened inside a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct InlineItem {
    span: Span,
    /// If spans are equal, the lower number opens first: links in the order they were accepted,
    /// then readings.
    rank: u32,
    open: InlineTag,
}

/// Which items are inline, and which are stand-off.
#[derive(Debug, Default)]
pub(super) struct Inline {
    /// In the order of opening.
    pub(super) items: Vec<InlineItem>,
    /// Indices of stand-off links.
    pub(super) loose_links: Vec<usize>,
    /// Indices of stand-off speeches.
    pub(super) loose_speeches: Vec<usize>,
    /// Indices of stand-off readings.
    pub(super) loose_readings: Vec<usize>,
    /// Indices of kept elements that stand in a mark.
    pub(super) loose_kept: Vec<usize>,
}

/// Decides which items are inline.
pub(super) fn plan(chapter: &ChapterText<'_>, kept: &[KeptElement]) -> Inline {
    let mut plan = Inline::default();
    let readings = plan_readings(chapter, &mut plan);
    plan_links(chapter, &readings, &mut plan);
    plan_speeches(chapter, &mut plan);
    plan_kept(chapter, kept, &mut plan);
    plan.items.sort_by_key(|i| (i.span.start(), std::cmp::Reverse(i.span.end()), i.rank));
    plan
}

/// Places the readings that nest; returns their spans in order.
fn plan_readings(chapter: &ChapterText<'_>, plan: &mut Inline) -> Vec<Span> {
    let document = &*chapter.document;
    let mut order: Vec<usize> = (0..document.readings.len()).collect();
    order.sort_by_key(|&i| {
        (document.readings[i].span.start(), std::cmp::Reverse(document.readings[i].span.end()))
    });
    let mut open: Vec<Span> = Vec::new();
    let mut spans = Vec::new();
    for i in order {
        let span = document.readings[i].span;
        open.retain(|o| o.end() > span.start());
        let nests = open.last().is_none_or(|o| o.contains(span));
        if nests && is_in_one_element(chapter, span) {
            open.push(span);
            spans.push(span);
            plan.items.push(InlineItem {
                span,
                rank: u32::MAX,
                open: InlineTag::Reading(i as u32),
            });
        } else {
            plan.loose_readings.push(i);
        }
    }
    plan.loose_readings.sort_unstable();
    spans
}

/// Places the links that nest with each other and around the readings.
fn plan_links(chapter: &ChapterText<'_>, readings: &[Span], plan: &mut Inline) {
    let document = &*chapter.document;
    let mut groups: Vec<(usize, Vec<InlineItem>)> = Vec::new();
    for (i, link) in document.links.iter().enumerate() {
        let group = group(document, i, link);
        if group.is_empty() { plan.loose_links.push(i) } else { groups.push((i, group)) }
    }
    groups.sort_by_key(|(_, g)| (g[0].span.start(), std::cmp::Reverse(g[0].span.end())));
    let mut open: Vec<(Span, Span)> = Vec::new();
    for (i, group) in groups {
        let outer = group[0].span;
        open.retain(|(o, _)| o.end() > outer.start());
        let nests = open.last().is_none_or(|(_, slot)| slot.contains(outer));
        let clean = group.iter().all(|item| !crosses(readings, item.span));
        if nests && clean && is_in_one_element(chapter, outer) {
            let slot = group.iter().rev().find(|g| {
                !matches!(g.open, InlineTag::Bibl | InlineTag::Title(_) | InlineTag::Person(_))
            });
            let slot = slot.map_or(Span::new(outer.start(), outer.start()), |g| g.span);
            open.push((outer, slot));
            let first = plan.items.len() as u32;
            plan.items.extend(
                group.into_iter().zip(first..).map(|(item, rank)| InlineItem { rank, ..item }),
            );
        } else {
            plan.loose_links.push(i);
        }
    }
    plan.loose_links.sort_unstable();
}

/// Places the speeches that nest with all else.
fn plan_speeches(chapter: &ChapterText<'_>, plan: &mut Inline) {
    let others = Placed::of(plan);
    for (i, speech) in chapter.document.speeches.iter().enumerate() {
        let span = speech.span;
        let near = others.near(span);
        let nests = |o: &InlineItem| {
            o.span.overlap(span) == 0 || span != o.span && span.contains(o.span) || o.holds(span)
        };
        if is_in_one_element(chapter, span) && near.iter().all(nests) {
            plan.items.push(InlineItem { span, rank: u32::MAX, open: InlineTag::Said(i as u32) });
        } else {
            plan.loose_speeches.push(i);
        }
    }
}

/// Places the kept elements that nest with all else.
fn plan_kept(chapter: &ChapterText<'_>, kept: &[KeptElement], plan: &mut Inline) {
    let others = Placed::of(plan);
    for (i, element) in kept.iter().enumerate() {
        let (span, content) = (element.inside, element.content);
        let nests = |o: &InlineItem| {
            let is_around = content == KeptContent::Anything && span != o.span;
            o.span.overlap(span) == 0 || is_around && span.contains(o.span) || o.holds(span)
        };
        let is_inline = content != KeptContent::Nothing && !span.is_empty();
        if is_inline && is_in_one_element(chapter, span) && others.near(span).iter().all(nests) {
            plan.items.push(InlineItem { span, rank: u32::MAX, open: InlineTag::Kept(i as u32) });
        } else {
            plan.loose_kept.push(i);
        }
    }
}

/// Items that are placed, in order.
struct Placed {
    items: Vec<InlineItem>,
    /// How far the items up to each reach.
    reach: Vec<usize>,
}

impl Placed {
    fn of(plan: &Inline) -> Self {
        let mut items: Vec<InlineItem> = plan.items.clone();
        items.sort_by_key(|i| (i.span.start(), std::cmp::Reverse(i.span.end()), i.rank));
        let mut longest = 0;
        let mut upto = |i: &InlineItem| {
            longest = longest.max(i.span.end());
            longest
        };
        let reach = items.iter().map(&mut upto).collect();
        Placed { items, reach }
    }

    /// Those that may meet a span: items before them end sooner.
    fn near(&self, span: Span) -> &[InlineItem] {
        let first = self.reach.partition_point(|end| *end <= span.start());
        let last = self.items.partition_point(|o| o.span.start() < span.end());
        &self.items[first..last.max(first)]
    }
}

impl InlineItem {
    /// True if an element for what is said may be in it, and a closer one holds it if it is in
    /// several.
    fn holds(&self, span: Span) -> bool {
        let is_around = matches!(self.open, InlineTag::Cit) && span != self.span;
        let may = matches!(self.open, InlineTag::Quote(_) | InlineTag::Ref(_)) || is_around;
        may && self.span.contains(span)
    }
}

/// True if one element contains all of `span`.
fn is_in_one_element(chapter: &ChapterText<'_>, span: Span) -> bool {
    chapter.elements.get(chapter.from(span.start())).is_some_and(|e| e.span.contains(span))
}

/// True if a border of `span` falls inside a reading.
fn crosses(readings: &[Span], span: Span) -> bool {
    let inside = |at: usize| {
        let i = readings.partition_point(|r| r.start() < at);
        readings[..i].iter().rev().take(4).any(|r| r.end() > at)
    };
    inside(span.start()) || inside(span.end())
}

/// The elements of one link, outermost first; none if it must be stand-off.
fn group(document: &Document, index: usize, link: &Link) -> Vec<InlineItem> {
    let i = index as u32;
    let one = |span, open| vec![InlineItem { span, rank: 0, open }];
    if link.span.is_empty() {
        return vec![];
    }
    match (link.kind, link.quoted.map(|q| with_marks(document, q, link.span))) {
        (LinkKind::Parallel, _) => vec![],
        (LinkKind::Lemma, _) | (LinkKind::Internal, None) => one(link.span, InlineTag::Ref(i)),
        (LinkKind::Citation, None) => bibl(document, i, link.span),
        (LinkKind::Citation, Some(q)) if q.start() > link.span.start() && !q.is_empty() => {
            let mut group = vec![InlineItem {
                span: Span::new(link.span.start(), q.end()),
                rank: 0,
                open: InlineTag::Cit,
            }];
            group.extend(bibl(document, i, Span::new(link.span.start(), q.start())));
            group.push(InlineItem { span: q, rank: 0, open: InlineTag::Quote(i) });
            group
        }
        (_, Some(q)) if !q.is_empty() => one(q, InlineTag::Quote(i)),
        (LinkKind::Internal, _) => one(link.span, InlineTag::Ref(i)),
        _ => one(link.span, InlineTag::Quote(i)),
    }
}

/// `bibl` with its `title`: the words in 《》, or all of them; with a `persName` where a scholar is
/// named instead.
fn bibl(document: &Document, i: u32, span: Span) -> Vec<InlineItem> {
    let words = document.slice(span);
    if let Some(name) = scholar(&document.links[i as usize], words) {
        let name = Span::new(span.start(), span.start() + name);
        return vec![
            InlineItem { span, rank: 0, open: InlineTag::Bibl },
            InlineItem { span: name, rank: 0, open: InlineTag::Person(i) },
        ];
    }
    let (from, to) = match (words.find('《'), words.rfind('》')) {
        (Some(a), Some(b)) if a < b => (a, b + '》'.len_utf8()),
        _ => (0, words.len()),
    };
    let title = Span::new(span.start() + from, span.start() + to);
    vec![
        InlineItem { span, rank: 0, open: InlineTag::Bibl },
        InlineItem { span: title, rank: 0, open: InlineTag::Title(i) },
    ]
}

/// Bytes of the name of the scholar that a citation names first: 熊氏 of 熊氏云.
fn scholar(link: &Link, words: &str) -> Option<usize> {
    let named = link.evidence.iter().any(|e| e.code() == EvidenceKind::Commentator.code());
    let called = link.work.as_ref()?.split('(').next()?;
    let name = words.chars().take(called.chars().count()).collect::<String>();
    let same = || called.chars().map(fold).eq(name.chars().map(fold));
    (named && !name.is_empty() && same()).then_some(name.len())
}

/// A quotation with the quotation marks around it, if they are within `outer`.
fn with_marks(document: &Document, quoted: Span, outer: Span) -> Span {
    let quoted = if outer.contains(quoted) { quoted } else { return outer };
    let before = document.slice(Span::new(outer.start(), quoted.start())).chars().next_back();
    let after = document.slice(Span::new(quoted.end(), outer.end())).chars().next();
    match (before, after) {
        (Some(b @ ('“' | '‘' | '「' | '『' | '"')), Some(a @ ('”' | '’' | '」' | '』' | '"'))) => {
            Span::new(quoted.start() - b.len_utf8(), quoted.end() + a.len_utf8())
        }
        _ => quoted,
    }
}

/// Writes the text of `leaf` with the items that open in it; `next` moves past them.
pub(super) fn write(
    xml: &mut Markup<'_>,
    context: &Context<'_>,
    next: &mut usize,
    leaf: Span,
    doubt: bool,
) {
    let mut leaf_writer = LeafWriter { xml, context, doubt, at: leaf.start(), open: Vec::new() };
    while let Some(item) = context.inline.items.get(*next).filter(|i| i.span.start() < leaf.end()) {
        leaf_writer.text_until(item.span.start());
        leaf_writer.start(item);
        *next += 1;
    }
    leaf_writer.text_until(leaf.end());
}

struct LeafWriter<'a, 'w> {
    xml: &'a mut Markup<'w>,
    context: &'a Context<'a>,
    /// True if signs for unreadable characters are marked.
    doubt: bool,
    /// The text before this byte has been written.
    at: usize,
    open: Vec<InlineItem>,
}

impl LeafWriter<'_, '_> {
    /// Writes the text up to byte `end`, and the ends of the items that end there or before.
    fn text_until(&mut self, end: usize) {
        while let Some(item) = self.open.last().copied().filter(|i| i.span.end() <= end) {
            self.words(item.span.end());
            self.open.pop();
            self.finish(item.open);
        }
        self.words(end);
    }

    /// Writes the text up to byte `to`; marks in it have their own elements.
    fn words(&mut self, to: usize) {
        let document = self.context.document;
        if self.at >= to {
            return;
        }
        // The description of what is lost is no place for doubt.
        let doubt = self.doubt && !matches!(self.open.last(), Some(i) if self.is_lost(i));
        for mark in document.marks_in(Span::new(self.at, to)) {
            let from = mark.start().max(self.at);
            self.punctuated(from, doubt);
            self.at = mark.end().min(to);
            let mark = Span::new(from, self.at);
            self.xml.open("fw").attr("type", "mark");
            self.context.mark(self.xml, mark);
            stretch(self.xml, &document.source, mark, false);
            self.xml.close();
        }
        self.punctuated(to, doubt);
    }

    /// Writes the text up to byte `to`, with the marks that the source does not have.
    fn punctuated(&mut self, to: usize, doubt: bool) {
        let document = self.context.document;
        for mark in SuppliedMark::within(&document.supplied, Span::new(self.at, to)) {
            stretch(self.xml, &document.source, Span::new(self.at, mark.at), doubt);
            self.at = mark.at;
            self.xml.open("choice").open("sic").close().open("corr");
            let evidence = std::slice::from_ref(&mark.evidence);
            self.context.inferred(self.xml, mark.certainty, None, evidence);
            self.xml.open("pc").attr("resp", "#zhushu").text(&mark.words);
            self.xml.close().close().close();
        }
        stretch(self.xml, &document.source, Span::new(self.at, to), doubt);
        self.at = to;
    }

    fn is_lost(&self, item: &InlineItem) -> bool {
        let InlineTag::Reading(i) = item.open else { return false };
        self.context.document.readings[i as usize].kind == ReadingKind::Lost
    }

    fn start(&mut self, item: &InlineItem) {
        match item.open {
            InlineTag::Cit => _ = self.xml.open("cit"),
            InlineTag::Bibl => _ = self.xml.open("bibl"),
            InlineTag::Title(i) => self.cited("title", i),
            InlineTag::Person(i) => self.cited("persName", i),
            InlineTag::Quote(i) => self.link("quote", "source", i),
            InlineTag::Ref(i) => self.link("ref", "target", i),
            InlineTag::Kept(i) => self.context.kept[i as usize].open(self.xml),
            InlineTag::Said(i) => {
                let speech = &self.context.document.speeches[i as usize];
                self.xml.open("said").attr("who", self.context.speaker(&speech.who));
                self.context.inferred(self.xml, speech.certainty, None, &speech.evidence);
            }
            InlineTag::Reading(i) => {
                let reading = &self.context.document.readings[i as usize];
                let (both, original, other) = both_original_and_reading(reading.kind);
                if is_about_the_words(reading.kind) {
                    self.reading(i, original);
                    self.xml.attr("reason", why_not_there(reading));
                    if reading.kind == ReadingKind::Lost {
                        let lost = self.context.document.slice(reading.span).chars().count();
                        self.xml.attr("unit", "character").attr("quantity", lost).open("desc");
                    }
                } else if reading.kind == ReadingKind::Source {
                    source(self.xml.open(both).open(original), &reading.reading, false);
                    self.xml.close();
                    self.reading(i, other);
                    if is_supplied_mark(self.context.document, reading) {
                        self.xml.open("pc").attr("resp", "#zhushu");
                    }
                } else {
                    self.xml.open(both).open(original);
                }
            }
        }
        self.open.push(*item);
    }

    /// What a citation cites: the title of a work, or the scholar whose words they are.
    fn cited(&mut self, element: &'static str, index: u32) {
        let link = &self.context.document.links[index as usize];
        self.xml.open(element).maybe("key", link.work.as_ref());
        if link.quoted.is_none() {
            self.target("corresp", index);
        }
    }

    /// An element for a link.
    fn link(&mut self, element: &'static str, attribute: &'static str, index: u32) {
        let kind = self.context.document.links[index as usize].kind;
        self.xml.open(element).attr("type", kind.id());
        self.target(attribute, index);
    }

    /// Where a link leads, and why.
    fn target(&mut self, attribute: &'static str, index: u32) {
        let link = &self.context.document.links[index as usize];
        self.xml.attr(attribute, &self.context.pointers.links[index as usize].target);
        self.context.inferred(self.xml, link.certainty, Some(link.status), &link.evidence);
    }

    fn finish(&mut self, open: InlineTag) {
        self.xml.close();
        if let InlineTag::Reading(i) = open {
            let reading = &self.context.document.readings[i as usize];
            if is_about_the_words(reading.kind) {
                // The element of the words is all there is, but for the signs of what is lost.
                if reading.kind == ReadingKind::Supplied {
                    return;
                }
            } else if reading.kind != ReadingKind::Source {
                self.reading(i, both_original_and_reading(reading.kind).2);
                source(self.xml, &reading.reading, false);
                self.xml.close();
            } else if is_supplied_mark(self.context.document, reading) {
                self.xml.close();
            }
            self.xml.close();
        }
    }

    /// Opens the element of another reading, or of words that a reading is about.
    fn reading(&mut self, index: u32, element: &'static str) {
        let reading = &self.context.document.readings[index as usize];
        let id = reading.evidence.iter().any(|e| e.detail.is_some());
        self.xml.open(element).maybe("xml:id", id.then(|| format!("r{}", index + 1)));
        self.context.inferred_unless_stated(self.xml, reading.certainty, &reading.evidence);
    }
}

/// Why words are supplied or cannot be read, as their source says.
pub(super) fn why_not_there(reading: &Reading) -> &str {
    let said = reading.evidence.iter().filter(|e| e.kind == EvidenceKind::Tei);
    let word = |why: &&str| !why.is_empty() && why.bytes().all(|b| b.is_ascii_alphanumeric());
    said.filter_map(|e| e.detail.as_deref()).find(word).unwrap_or("lost")
}

/// True for readings that say something of the words and have no others beside them.
pub(super) fn is_about_the_words(kind: ReadingKind) -> bool {
    matches!(kind, ReadingKind::Supplied | ReadingKind::Lost)
}

/// True for punctuation that the source does not have.
fn is_supplied_mark(document: &Document, reading: &Reading) -> bool {
    reading.kind == ReadingKind::Source
        && reading.reading.is_empty()
        && document.slice(reading.span).chars().all(is_punctuation)
}

/// The element for both, and those for what the source has and for the other reading. Words that
/// have no other reading are in one element.
pub(super) fn both_original_and_reading(
    kind: ReadingKind,
) -> (&'static str, &'static str, &'static str) {
    match kind {
        ReadingKind::Repair => ("choice", "sic", "corr"),
        ReadingKind::Variant => ("choice", "orig", "reg"),
        ReadingKind::Source => ("choice", "sic", "corr"),
        ReadingKind::Witness => ("app", "lem", "rdg"),
        ReadingKind::Supplied => ("", "supplied", ""),
        ReadingKind::Lost => ("", "gap", ""),
    }
}
