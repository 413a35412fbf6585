//! `who_quotes`: the places that quote a passage, cite it, or have the same words.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::{Value, json};

use super::answerer::{Answerer, FoundChapter, YOUR_LIBRARY};
use super::arguments::Arguments;
use super::bounds::{Budget, IsOver, cut, stopped};
use super::passage;
use super::passages::layers;
use super::places;
use super::quoted::{QuotingLink, QuotingSide};
use super::store::TextStore;
use crate::corpus::LIBRARY_PREFIX;
use crate::diag::Error;
use crate::model::{Document, Layer, Link};
use crate::source::Span;

/// Most characters of a place that quotes: parallels may be as long as chapters.
const WORDS: usize = 400;
/// So many texts are kept while an answer is made, since several places may be in one.
const TEXTS: usize = 8;

/// Where links are, with the name of it.
type NamedStore<'a> = (&'a str, &'a TextStore);

/// A link that leads to the passage.
struct FoundLink<'a> {
    /// It is in a text of the same chapter.
    is_own: bool,
    /// The number of the store of the place that quotes, and of its text there.
    quoting: (usize, usize),
    /// Where the link itself is.
    store: &'a TextStore,
    link: &'a QuotingLink,
}

/// Links that lead to the passage.
#[derive(Default)]
struct FoundLinks<'a> {
    links: Vec<FoundLink<'a>>,
    /// The numbers of the stores that were asked.
    asked: BTreeSet<usize>,
    /// Ids of texts that are not here any more.
    gone: BTreeSet<String>,
}

/// What is wanted of the links.
struct WantedLinks<'a> {
    kinds: Vec<&'a str>,
    layers: Vec<Layer>,
    per_cent: usize,
    context: usize,
}

impl WantedLinks<'_> {
    fn fits(&self, link: &QuotingLink) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&link.kind.id()))
            && link.certainty >= self.per_cent as f64 / 100.0
    }
}

pub(super) fn answer(
    answerer: &Answerer,
    arguments: &Arguments,
    is_over: &IsOver,
) -> Result<Value, Error> {
    let words = arguments.words("locus").unwrap_or_default();
    let wanted = WantedLinks {
        kinds: arguments.list("kind"),
        layers: layers(arguments)?,
        per_cent: arguments.number("certainty"),
        context: arguments.number("context"),
    };
    let mut all = answerer.editions_with_texts()?;
    let chapters = answerer.chapters(words, &all, &[], is_over)?;
    let editions = all.open.iter().filter_map(|e| Some((&*e.name, e.store()?)));
    let stores: Vec<NamedStore<'_>> =
        editions.chain(answerer.shelf().map(|shelf| (YOUR_LIBRARY, shelf))).collect();
    let mut read = TextsRead::default();
    let FoundLinks { links, asked, gone } = links((words, &chapters), &stores, &wanted, is_over)?;
    let links = of_layers(links, &stores, &wanted.layers, &mut read, is_over)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    links.iter().for_each(|l| *counts.entry(l.link.kind.id()).or_default() += 1);
    let mut budget = Budget::of(arguments, answerer.bytes);
    let skip = budget.skips().min(links.len());
    budget.pass(skip);
    let mut quotations = vec![];
    for found in &links[skip..] {
        if !budget.wants() {
            budget.pass(1);
            continue;
        }
        if is_over() {
            return Err(stopped());
        }
        // A text that cannot be read is named at the end.
        let quotation = read.quotation(found, &stores, wanted.context).unwrap_or(Value::Null);
        if budget.take(&quotation) && !quotation.is_null() {
            quotations.push(quotation);
        }
    }
    let locus = chapters.first().map(|c| &c.locus);
    let mut answer = json!({
        "locus": locus.map(ToString::to_string), "urn": locus.map(|l| l.urn(None)),
        "total": links.len(), "skip": skip, "counts": counts, "quotations": quotations,
        "more": budget.more(),
    });
    let asked: Vec<*const TextStore> =
        asked.iter().map(|n| std::ptr::from_ref(stores[*n].1)).collect();
    all.closed.extend(gone.iter().map(|id| format!("the text {id}: it is not here any more")));
    answerer.finish_texts(&mut answer, &all, |store| asked.contains(&std::ptr::from_ref(store)));
    Ok(answer)
}

/// The links that lead to the passage, each place that quotes once: those of other texts first, in
/// the order of the texts.
fn links<'a>(
    (words, chapters): (&str, &[FoundChapter]),
    stores: &[NamedStore<'a>],
    wanted: &WantedLinks<'_>,
    is_over: &IsOver,
) -> Result<FoundLinks<'a>, Error> {
    let mut found = FoundLinks::default();
    for chapter in chapters {
        let (_, shown) = passage::find(words, &Ok(chapter.locus.clone()), &chapter.library, &[])?;
        let locus = chapter.locus.text.to_string();
        // Ids of the user's library are its own; those of an edition are known there only.
        let own = chapter.edition.as_ref().and_then(|e| e.store());
        let is_to_ask = |store: &TextStore| own.is_none_or(|own| std::ptr::eq(own, store));
        for (at, (_, store)) in stores.iter().enumerate().filter(|(_, (_, s))| is_to_ask(s)) {
            found.asked.insert(at);
            for one in &shown {
                let spans: Vec<Span> =
                    one.stretches.iter().filter(|s| s.within).map(|s| s.span).collect();
                let links = store.links(is_over)?.to(&one.document.id, &spans);
                for link in links.filter(|l| wanted.fits(l)) {
                    let (home, number) = match quoting(stores, (at, link), is_over)? {
                        Ok(quoting) => quoting,
                        Err(id) => {
                            found.gone.insert(id);
                            continue;
                        }
                    };
                    let text = stores[home].1.texts(is_over)?.get(number);
                    let is_own = text.is_some_and(|text| text.locus == locus);
                    found.links.push(FoundLink { is_own, quoting: (home, number), store, link });
                }
            }
        }
    }
    let place = |f: &FoundLink<'_>| {
        let place = f.link.place;
        (f.is_own, f.quoting, place.start(), place.end(), f.link.kind)
    };
    // Both texts of a parallel have it as a link.
    found.links.sort_by_key(|f| (place(f), f.link.is_back()));
    found.links.dedup_by_key(|f| place(f));
    Ok(found)
}

/// The number of the store of the place that quotes, and of its text there; or the id of its text,
/// if that is not here.
fn quoting(
    stores: &[NamedStore<'_>],
    (at, link): (usize, &QuotingLink),
    is_over: &IsOver,
) -> Result<Result<(usize, usize), String>, Error> {
    let QuotingSide::Target(Some(id)) = &link.quoting else {
        return Ok(Ok((at, link.document as usize)));
    };
    let is_in_shelf = id.starts_with(LIBRARY_PREFIX);
    let shelf = stores.iter().position(|(_, store)| is_in_shelf && store.is_shelf());
    for home in [Some(at), shelf].into_iter().flatten() {
        if let Some(number) = stores[home].1.number(id, is_over)? {
            return Ok(Ok((home, number)));
        }
    }
    Ok(Err(id.to_string()))
}

/// The links of which the place that quotes is in one of some layers; all, if none is named.
fn of_layers<'a>(
    links: Vec<FoundLink<'a>>,
    stores: &[NamedStore<'_>],
    layers: &[Layer],
    read: &mut TextsRead,
    is_over: &IsOver,
) -> Result<Vec<FoundLink<'a>>, Error> {
    let mut kept = vec![];
    for found in links {
        if is_over() {
            return Err(stopped());
        }
        let layer = match found.link.quoting {
            _ if layers.is_empty() => None,
            QuotingSide::Own(layer) => Some(layer),
            QuotingSide::Target(_) => {
                let (home, number) = found.quoting;
                let document = read.document(stores[home].1, number);
                document.and_then(|document| layer_at(&document, found.link.place))
            }
        };
        if layers.is_empty() || layer.is_some_and(|layer| layers.contains(&layer)) {
            kept.push(found);
        }
    }
    Ok(kept)
}

fn layer_at(document: &Document, span: Span) -> Option<Layer> {
    Some(document.segments[document.segment_at(span.start())?].layer)
}

/// Texts that were read for an answer.
#[derive(Default)]
struct TextsRead(HashMap<(usize, usize), Option<Arc<Document>>>);

impl TextsRead {
    fn document(&mut self, store: &TextStore, number: usize) -> Option<Arc<Document>> {
        let key = (std::ptr::from_ref(store) as usize, number);
        if self.0.len() > TEXTS && !self.0.contains_key(&key) {
            self.0.clear();
        }
        self.0.entry(key).or_insert_with(|| store.read(number).map(Arc::new)).clone()
    }

    /// A place that quotes; `None` if its text cannot be read any more.
    fn quotation(
        &mut self,
        found: &FoundLink<'_>,
        stores: &[NamedStore<'_>],
        context: usize,
    ) -> Option<Value> {
        let (home, number) = found.quoting;
        let (name, store) = stores[home];
        let with_link = self.document(found.store, found.link.document as usize)?;
        let link = with_link.links.get(found.link.link as usize)?;
        let document = self.document(store, number)?;
        let mut place = described(&document, (link, found.link.place), context);
        place["in"] = name.into();
        Some(place)
    }
}

/// A place that quotes, with its context.
fn described(document: &Document, (link, span): (&Link, Span), context: usize) -> Value {
    let segment = document.segment_at(span.start()).map(|n| &document.segments[n]);
    let inside = segment.map_or(span, |s| s.span);
    let mut place = places::described(document, span);
    place["kind"] = link.kind.id().into();
    place["work"] = link.work.as_deref().into();
    place["status"] = link.status.id().into();
    place["cert"] = link.certainty.rounded().into();
    let left = Span::new(inside.start().min(span.start()), span.start());
    let right = Span::new(span.end(), inside.end().max(span.end()));
    place["left"] = before(document, left, context).into();
    place["right"] = after(document, right, context).into();
    cut(&mut place, WORDS);
    place
}

fn before(document: &Document, span: Span, characters: usize) -> String {
    let words = document.words(span);
    let at = words.char_indices().rev().take(characters).last().map_or(words.len(), |(at, _)| at);
    words[at..].to_string()
}

fn after(document: &Document, span: Span, characters: usize) -> String {
    document.words(span).chars().take(characters).collect()
}
