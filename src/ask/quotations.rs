//! `who_quotes`: the places that quote a passage, cite it, or have the same words.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::{Value, json};

use super::answerer::{Answerer, FoundChapter, IsOver, OpenEditions};
use super::arguments::Arguments;
use super::bounds::{Budget, cut};
use super::passage;
use super::passages::layers;
use super::places;
use super::quoted::QuotingLink;
use super::store::TextStore;
use crate::diag::{Error, ErrorKind};
use crate::model::{Document, Layer, Link};
use crate::source::Span;

/// Most characters of a place that quotes: parallels may be as long as chapters.
const WORDS: usize = 400;
/// So many texts are kept while an answer is made, since several places may be in one.
const TEXTS: usize = 8;

/// A link that leads to the passage.
struct FoundLink<'a> {
    store: &'a TextStore,
    link: QuotingLink,
    /// It is in a text of the same chapter.
    is_own: bool,
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
            && (self.layers.is_empty() || self.layers.contains(&link.layer))
            && usize::from(link.per_cent) >= self.per_cent
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
    let all = answerer.editions_with_texts()?;
    let chapters = answerer.chapters(words, &all, &[])?;
    let links = links(answerer, (words, &chapters), &all, &wanted)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    links.iter().for_each(|l| *counts.entry(l.link.kind.id()).or_default() += 1);
    let mut budget = Budget::of(arguments, answerer.bytes);
    let skip = budget.skips().min(links.len());
    budget.pass(skip);
    let mut quotations = vec![];
    let mut read = TextsRead::default();
    for found in &links[skip..] {
        if !budget.wants() {
            budget.pass(1);
            continue;
        }
        if is_over() {
            return Err(Error::request("the search was stopped").of_kind(ErrorKind::Stopped));
        }
        let quotation = read.quotation(found, wanted.context).unwrap_or(Value::Null);
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
    answerer.finish(&mut answer, &all, true);
    Ok(answer)
}

/// The links that lead to the passage: those of other texts first, in the order of the texts.
fn links<'a>(
    answerer: &'a Answerer,
    (words, chapters): (&str, &[FoundChapter]),
    all: &'a OpenEditions,
    wanted: &WantedLinks<'_>,
) -> Result<Vec<FoundLink<'a>>, Error> {
    let stores = || all.open.iter().filter_map(|e| e.store.as_ref()).chain(answerer.shelf());
    let mut found = vec![];
    for chapter in chapters {
        let (_, shown) = passage::find(words, &Ok(chapter.locus.clone()), &chapter.library, &[])?;
        for one in &shown {
            let spans: Vec<Span> =
                one.stretches.iter().filter(|s| s.within).map(|s| s.span).collect();
            // Ids of the user's library are its own; those of an edition are known there only.
            let own = chapter.edition.as_ref().and_then(|e| e.store.as_ref());
            for store in stores().filter(|s| own.is_none_or(|own| std::ptr::eq(own, *s))) {
                let links = store.links().to(&one.document.id, &spans);
                found.extend(links.filter(|l| wanted.fits(l)).map(|link| {
                    let text = store.texts().get(link.document as usize);
                    let is_own = text.is_some_and(|t| t.locus == chapter.locus.text.to_string());
                    FoundLink { store, link: *link, is_own }
                }));
            }
        }
    }
    found.sort_by_key(|f| (f.is_own, f.store.is_shelf(), f.link.document, f.link.link));
    found.dedup_by_key(|f| (f.store.is_shelf(), f.link.document, f.link.link));
    Ok(found)
}

/// Texts that were read for an answer.
#[derive(Default)]
struct TextsRead(HashMap<(usize, u32), Option<Arc<Document>>>);

impl TextsRead {
    fn document(&mut self, store: &TextStore, number: u32) -> Option<Arc<Document>> {
        let key = (std::ptr::from_ref(store) as usize, number);
        if self.0.len() > TEXTS && !self.0.contains_key(&key) {
            self.0.clear();
        }
        self.0.entry(key).or_insert_with(|| store.read(number as usize).map(Arc::new)).clone()
    }

    /// A place that quotes; `None` if its text cannot be read any more.
    fn quotation(&mut self, found: &FoundLink<'_>, context: usize) -> Option<Value> {
        let document = self.document(found.store, found.link.document)?;
        let link = document.links.get(found.link.link as usize)?;
        match found.link.place(link)? {
            (None, span) => Some(described(&document, (link, span), context)),
            (Some(id), span) => {
                let number = found.store.texts().iter().position(|t| t.id == id)?;
                let other = self.document(found.store, number as u32)?;
                Some(described(&other, (link, span), context))
            }
        }
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
