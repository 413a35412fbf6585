//! Text with its links, readings and beads, and the number of references to it.

use super::Page;
use super::addresses::open_link;
use super::marked_spans::{self, MarkedSpan};
use super::phrases::{doubt_group, is_low, layer_name, reference};
use crate::language::escape;
use crate::markup::Markup;
use crate::model::phrases::{phrase, why, why_in_short};
use crate::model::thresholds::{MARK_NEEDS_REVIEW, REPAIRED_FROM};
use crate::model::{
    Link, LinkKind, Reading, ReadingKind, Segment, Status, SuppliedMark, decided_by,
};
use crate::reading::{Leaf, MarkedName, NameKind, Portion, has_sentences};
use crate::source::Span;

/// Most characters of a referring text that a list shows.
const MAX_SHOWN_CHARS: usize = 40;

/// What contains the text. Links do not work inside a summary, since a click folds it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    Paragraph,
    Summary,
    /// A link, which has no other link in it.
    Link,
}

impl Container {
    fn in_link(self) -> Self {
        if self == Container::Summary { self } else { Container::Link }
    }
}

impl<'a> Page<'a> {
    /// The leaves in a reference whose images are links too: a link is in no other.
    fn between_links(&self, run: MarkedSpan, span: Span, place: Container) -> Vec<&'a Leaf> {
        let is_link = run.link.is_some() && place == Container::Paragraph;
        let leaves = if is_link { self.leaves.within(span) } else { &[] };
        leaves.iter().filter(|leaf| self.address_of(leaf).is_some()).collect()
    }
}

impl Page<'_> {
    /// A piece of a segment: its sentences, or all of it as one element.
    pub(super) fn piece(&mut self, h: &mut Markup<'_>, piece: &Portion, place: Container) {
        let chapter = self.chapter;
        let segment = &chapter.document.segments[piece.segment()];
        let first = chapter.begins_segment(piece);
        let sentences = has_sentences(segment.layer);
        self.ask_held(h, place);
        for i in piece.elements().clone() {
            // In a review a doubtful start has a button of its own.
            let low = is_low(segment.certainty) && self.review.is_none();
            let marked = low || decided_by(&segment.evidence).is_some();
            if first && i == piece.elements().start && marked {
                doubt(h, segment, place);
            }
            let e = &chapter.elements[i];
            self.anchor(h, i, place);
            h.open("span").attr("class", if sentences { "p s" } else { "p" });
            h.attr("data-l", segment.layer.id()).maybe("data-sub", segment.sub.map(|l| l.id()));
            h.attr("id", chapter.id(e)).maybe("data-b", self.companions.keys(i));
            h.maybe("data-k", doubt_group(segment.certainty));
            self.run_of_words(h, e.span, place);
            h.close();
            self.count(h, i, place);
        }
    }

    /// The text of a span with its links and readings.
    fn run_of_words(&mut self, h: &mut Markup<'_>, span: Span, place: Container) {
        let mut at = span.start();
        let mut open = None;
        let first = self.marked_spans.partition_point(|r| r.span.end() <= span.start());
        for i in first..self.marked_spans.len() {
            let run = self.marked_spans[i];
            if run.span.start() >= span.end() {
                break;
            }
            let (from, to) = (run.span.start().max(at), run.span.end().min(span.end()));
            if at < from {
                close_link(h, &mut open);
                self.plain(h, Span::new(at, from), place);
            }
            let mut part = from;
            for leaf in self.between_links(run, Span::new(from, to), place) {
                if part < leaf.at {
                    self.marked_span(h, run, Span::new(part, leaf.at), place, &mut open);
                }
                close_link(h, &mut open);
                self.leaf(h, leaf, place);
                part = leaf.at;
            }
            self.marked_span(h, run, Span::new(part, to), place, &mut open);
            at = to;
        }
        close_link(h, &mut open);
        if at < span.end() {
            self.plain(h, Span::new(at, span.end()), place);
        }
    }

    fn address_of(&self, leaf: &Leaf) -> Option<String> {
        leaf.image(&self.chapter.document.meta).map(|image| image.address)
    }

    /// The beginning of a leaf, as a link to its image if there is one.
    fn leaf(&self, h: &mut Markup<'_>, leaf: &Leaf, place: Container) {
        let address = self.address_of(leaf);
        let is_link = address.is_some() && place != Container::Summary;
        h.open(if is_link { "a" } else { "span" })
            .attr("class", "leaf")
            .attr("data-n", &leaf.number);
        let Some(address) = address else {
            h.maybe("title", leaf.edition.as_ref()).close();
            return;
        };
        h.maybe("data-e", leaf.edition.as_ref());
        match is_link {
            true => h.attr("href", address).attr("rel", "noreferrer"),
            false => h.attr("data-image", address),
        };
        h.attr_said("title", &format!("{{leaf-image}} {}", escape(&leaf.name()))).close();
    }

    fn plain(&self, h: &mut Markup<'_>, span: Span, place: Container) {
        let mut from = span.start();
        let is_written = |leaf: &&Leaf| place == Container::Link && self.address_of(leaf).is_some();
        for leaf in self.leaves.within(span).iter().filter(|leaf| !is_written(leaf)) {
            self.punctuated(h, Span::new(from, leaf.at));
            self.leaf(h, leaf, place);
            from = leaf.at;
        }
        self.punctuated(h, Span::new(from, span.end()));
    }

    /// Words with the marks that the source does not have. These are no text of the page: places in
    /// a text are counted, searched and copied without them.
    fn punctuated(&self, h: &mut Markup<'_>, span: Span) {
        let document = &self.chapter.document;
        let mut from = span.start();
        for mark in SuppliedMark::within(&document.supplied, span) {
            h.words(&document.words(Span::new(from, mark.at)));
            let class = if mark.certainty.get() < MARK_NEEDS_REVIEW { "pc low" } else { "pc" };
            h.open("i").attr("class", class).attr("data-pc", &mark.words).close();
            from = mark.at;
        }
        h.words(&document.words(Span::new(from, span.end())));
    }

    fn marked_span(
        &mut self,
        h: &mut Markup<'_>,
        run: MarkedSpan,
        span: Span,
        place: Container,
        open: &mut Option<u32>,
    ) {
        for index in self.asked_at(run) {
            close_link(h, open);
            self.ask(h, index, place);
        }
        if *open != run.link {
            close_link(h, open);
            if let Some(index) = run.link {
                self.open_link(h, index as usize, place);
                *open = Some(index);
            }
        }
        let tinted = [(run.asked.is_some(), "doubted"), (run.changed, "changed")];
        let tinted: Vec<&str> = tinted.into_iter().filter(|t| t.0).map(|t| t.1).collect();
        if !tinted.is_empty() {
            h.open("span").attr("class", tinted.join(" "));
            let asked = run.asked.and_then(|index| self.review?.places.get(index as usize));
            h.maybe("data-asked", asked.map(|a| &a.id));
        }
        let who = run.speech.map(|i| &self.chapter.document.speeches[i as usize].who);
        if let Some(who) = who {
            h.open("span").attr("class", "said").attr("title", who);
        }
        let name = run.name.map(|i| &self.names[i as usize]);
        if let Some(name) = name {
            open_name(h, name);
        }
        self.reading_or_plain(h, run, span, place);
        if name.is_some() {
            h.close();
        }
        if who.is_some() {
            h.close();
        }
        if !tinted.is_empty() {
            h.close();
        }
    }

    fn reading_or_plain(&self, h: &mut Markup<'_>, run: MarkedSpan, span: Span, place: Container) {
        // The leaf that it begins on is written before its link.
        let place = if run.link.is_some() { place.in_link() } else { place };
        let Some(index) = run.reading else { return self.plain(h, span, place) };
        let reading = &self.chapter.document.readings[index as usize];
        // A reading that another element cuts into parts is shown at its last part.
        let whole = span.end() == reading.span.end();
        open_reading(h, reading, self.chapter.document.slice(reading.span), whole);
        self.plain(h, span, place);
        h.close();
    }

    fn open_link(&mut self, h: &mut Markup<'_>, index: usize, place: Container) {
        let link = &self.chapter.document.links[index];
        let address = link.target.as_ref().and_then(|t| self.addresses.target(self.here, t));
        let quiet = place == Container::Summary;
        h.open(if quiet { "span" } else { "a" });
        h.attr("class", Classes(link, address.is_some()));
        h.maybe("data-k", doubt_group(link.certainty).filter(|_| address.is_some()));
        // The foot of the page lists what has no place or is doubtful, its lists what leads to it.
        let listed = address.is_none() || is_low(link.certainty) || self.is_told_there(index);
        if listed && !std::mem::replace(&mut self.anchored[index], true) {
            h.attr("id", format_args!("r{}", index + 1));
        }
        match &address {
            Some(a) => {
                h.maybe("href", (!quiet).then_some(&a.href)).maybe("data-w", a.words.as_ref());
                h.maybe("data-say", a.said.as_ref().filter(|_| !quiet));
            }
            None => {
                h.maybe("href", (!quiet).then(|| format!("#n{}", index + 1)));
            }
        }
        h.attr_said("title", &reference(link));
    }

    /// True for a reference to a place of the text itself whose words are on the sheet: lists of
    /// what leads to a place have only its number.
    fn is_told_there(&self, index: usize) -> bool {
        let document = &self.chapter.document;
        let link = &document.links[index];
        let target = link.target.as_ref().map(|t| t.doc.as_ref().is_none_or(|d| *d == document.id));
        target == Some(true)
            && !matches!(link.kind, LinkKind::Lemma | LinkKind::Parallel)
            && self.has_words[index]
            && marked_spans::shown(link).is_some_and(|span| self.holds(span))
    }

    /// The number of references to a place, as a button that lists them.
    fn count(&mut self, h: &mut Markup<'_>, index: usize, place: Container) {
        let n = self.referrers.get(&index).map_or(0, Vec::len);
        let readings = self.readings.get(&index).map_or(0, Vec::len);
        if n + readings == 0 || place == Container::Summary {
            return;
        }
        let id = self.chapter.id(&self.chapter.elements[index]);
        h.open("button").attr("type", "button");
        h.attr("class", "cited").attr("popovertarget", format_args!("{id}-in"));
        let some = |key: &str, n: usize| (n > 0).then(|| format!("{{{key} n={n}}}"));
        let labels = [some("referred-count", n), some("readings-count", readings)];
        let label = labels.into_iter().flatten().collect::<Vec<_>>().join("{semicolon}");
        h.named(&label);
        h.maybe("data-n", (n > 0).then_some(n)).maybe("data-v", (readings > 0).then_some(readings));
        h.close();
        self.pending.push(index);
    }

    /// The lists that the buttons of a passage show.
    pub(super) fn lists(&mut self, h: &mut Markup<'_>) {
        for index in std::mem::take(&mut self.pending) {
            let id = self.chapter.id(&self.chapter.elements[index]);
            h.open("div");
            h.attr("popover", "auto").attr("class", "pop").attr("id", format_args!("{id}-in"));
            if let Some(entries) = self.readings.get(&index) {
                self.reading_list(h, entries);
            }
            let Some(list) = self.referrers.get(&index) else {
                h.close().line();
                continue;
            };
            h.said("p", "{referred}").open("ul");
            for r in list {
                if let Some(n) = r.own.filter(|n| h.is_switchable() && self.is_told_there(*n)) {
                    // The script of a site says the rest, which the text has there.
                    h.open("li").open("a").attr("href", format_args!("#r{}", n + 1)).text(n + 1);
                    h.close().close();
                    continue;
                }
                let Some((document, words)) = r.words(self.library) else { continue };
                open_link(h.open("li"), r.address(self.here, &self.addresses));
                h.attr_said("title", &reference(r.link))
                    .words(clip(&words, MAX_SHOWN_CHARS))
                    .close();
                let more = words.chars().count().saturating_sub(MAX_SHOWN_CHARS);
                if more > 0 {
                    h.said("small", &format!("… {{more-characters n={more}}}"));
                }
                let other = document.id != self.chapter.document.id;
                let from = if other { format!(" · {}", document.meta.title) } else { "".into() };
                if !h.is_switchable() {
                    h.said("small", &format!(" {}{}", phrase(r.link.kind.id()), escape(&from)));
                } else if other {
                    // The script of a site says the kind from the title.
                    h.open("small").words(&from).close();
                }
                h.close();
            }
            h.close().close().line();
        }
    }
}

/// A mark at the start of a segment whose cut is uncertain, or was decided by a person.
fn doubt(h: &mut Markup<'_>, segment: &Segment, place: Container) {
    let (class, what) = match decided_by(&segment.evidence) {
        Some(_) => ("q ok", "{start-decided}"),
        None => ("q", "{start-uncertain}"),
    };
    let (why, more) = (
        why_in_short(segment.certainty, &segment.evidence),
        why(segment.certainty, &segment.evidence),
    );
    let more = (more != why).then_some(more);
    let layer = layer_name(segment.layer);
    let why = match class {
        "q" => format!("{{start-perhaps}}{layer}{{start-certainty}}{why}"),
        _ => format!("{what}{{colon}}{layer} {why}"),
    };
    match place {
        Container::Paragraph | Container::Link => {
            h.open("button").attr("type", "button").attr("class", class).named(&why)
        }
        Container::Summary => h.open("span").attr("class", class).attr_said("title", &why),
    };
    if let Some(more) = more {
        h.attr_said("data-more", &more);
    }
    h.close();
}

/// A name that the source marks.
fn open_name(h: &mut Markup<'_>, name: &MarkedName) {
    h.open("span").attr("class", format_args!("name {}", name.kind.id()));
    let kind = match name.kind {
        NameKind::Person => "{name-person}",
        NameKind::Place => "{name-place}",
        NameKind::Organisation => "{name-organisation}",
        NameKind::Office => "{name-office}",
        NameKind::Date => "{name-date}",
    };
    let ids: String = name.ids.iter().map(|id| format!(" {}", escape(id))).collect();
    h.attr_said("title", &format!("{kind}{ids}"));
}

fn open_reading(h: &mut Markup<'_>, reading: &Reading, words: &str, whole: bool) {
    let (class, what) = match reading.kind {
        ReadingKind::Repair => ("fix", "read-as-repaired"),
        ReadingKind::Variant => ("var", "usual-form"),
        ReadingKind::Source if reading.reading.is_empty() => ("made", "supplied"),
        ReadingKind::Source => ("made", "in-source"),
        ReadingKind::Witness => ("var", "witness-has"),
        ReadingKind::Supplied => ("made", "lost-and-supplied"),
        ReadingKind::Lost => ("made", "lost"),
    };
    let low = if is_low(reading.certainty) { " low" } else { "" };
    h.open("span").attr("class", format_args!("{class}{low}"));
    let beside = matches!(reading.kind, ReadingKind::Repair | ReadingKind::Variant);
    let shown = whole && beside;
    h.maybe("data-r", shown.then_some(&reading.reading));
    // Shown instead of the words, not after them.
    let instead = reading.kind == ReadingKind::Repair
        && reading.certainty.get() >= REPAIRED_FROM
        && reading.reading.chars().count() == words.chars().count();
    h.maybe("data-c", (whole && instead).then_some(&reading.reading));
    h.attr_said(
        "title",
        &format!(
            "{} {{{what}}} {} · {}",
            escape(words),
            escape(&reading.reading),
            why(reading.certainty, &reading.evidence)
        ),
    );
}

fn close_link(h: &mut Markup<'_>, open: &mut Option<u32>) {
    if open.take().is_some() {
        h.close();
    }
}

/// Classes of a link: its kind, whether it has a target, whether that is certain.
struct Classes<'a>(&'a Link, bool);

impl std::fmt::Display for Classes<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Classes(link, leads) = self;
        f.write_str(match link.kind {
            LinkKind::Lemma => "lem",
            _ => "ref",
        })?;
        match (leads, is_low(link.certainty)) {
            // A title alone is a reference to the work, not an unresolved one.
            (false, _) if link.status == Status::TitleOnly => f.write_str(" named"),
            (false, _) => f.write_str(" un"),
            (true, true) => f.write_str(" low"),
            (true, false) => Ok(()),
        }
    }
}

/// The first `n` characters of `words`.
pub(crate) fn clip(words: &str, n: usize) -> &str {
    words.char_indices().nth(n).map_or(words, |(i, _)| &words[..i])
}
