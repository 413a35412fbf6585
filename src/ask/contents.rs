//! `contents`: the works that are here, or the texts of one of them.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::answerer::Answerer;
use super::arguments::Arguments;
use super::bounds::{Budget, IsOver};
use super::edition::OpenEdition;
use crate::corpus::AuthorityId;
use crate::diag::Error;
use crate::model::Locus;
use crate::search::CountedText;

/// So many works are named if one is not here.
const KNOWN: usize = 20;

/// A work, with what is counted of it.
#[derive(Default)]
struct CountedWork<'a> {
    title: &'a str,
    key: &'a str,
    chapters: Vec<&'a str>,
    texts: usize,
    characters: u64,
}

pub(super) fn answer(
    answerer: &Answerer,
    arguments: &Arguments,
    _: &IsOver,
) -> Result<Value, Error> {
    let all = answerer.editions()?;
    let mut budget = Budget::of(arguments, answerer.bytes);
    let mut answer = match arguments.words("work").map(str::trim).filter(|w| !w.is_empty()) {
        Some(work) => {
            let wanted = answerer.settings.works.resolve(work, None);
            let wanted = wanted.map(|w| w.named.work);
            let texts = texts(&all.open, &[work, wanted.as_deref().unwrap_or(work)], &mut budget);
            if budget.total() == 0 {
                return Err(no_work(work, &all.open));
            }
            json!({ "texts": texts })
        }
        None => json!({ "works": works(&all.open, &mut budget) }),
    };
    answer["total"] = budget.total().into();
    answer["more"] = budget.more();
    answerer.finish(&mut answer, &all, false);
    Ok(answer)
}

/// The title of the work that a text is of.
fn work_of(text: &CountedText) -> &str {
    text.work.as_deref().unwrap_or(&text.title)
}

/// The key of a work, or the id of a text.
fn key_of(text: &CountedText) -> &str {
    text.locus.rsplit_once('.').map_or(&*text.locus, |(key, _)| key)
}

fn works(editions: &[Arc<OpenEdition>], budget: &mut Budget) -> Vec<Value> {
    let (mut works, mut places) = (Vec::<CountedWork<'_>>::new(), HashMap::new());
    for text in editions.iter().flat_map(|e| &e.texts) {
        let at = *places.entry(work_of(text)).or_insert(works.len());
        if at == works.len() {
            let (title, key) = (work_of(text), key_of(text));
            works.push(CountedWork { title, key, ..CountedWork::default() });
        }
        let work = &mut works[at];
        work.texts += 1;
        work.characters += text.layers.iter().map(|(_, n)| n).sum::<u64>();
        work.chapters.extend(text.chapter.as_deref());
    }
    let described = |mut work: CountedWork<'_>| {
        work.chapters.sort_unstable();
        work.chapters.dedup();
        json!({
            "work": work.title, "key": work.key, "chapters": work.chapters.len(),
            "texts": work.texts, "characters": work.characters,
            "elsewhere": AuthorityId::of_work(work.title).collect::<Vec<_>>(),
        })
    };
    works.into_iter().map(described).filter(|w| budget.take(w)).collect()
}

fn texts(editions: &[Arc<OpenEdition>], names: &[&str], budget: &mut Budget) -> Vec<Value> {
    let mut found = vec![];
    for edition in editions {
        let is_of = |t: &&CountedText| names.contains(&work_of(t)) || names.contains(&key_of(t));
        for text in edition.texts.iter().filter(is_of) {
            if budget.wants() {
                let described = described(text, &edition.name);
                if budget.take(&described) {
                    found.push(described);
                }
            } else {
                budget.pass(1);
            }
        }
    }
    found
}

fn described(text: &CountedText, edition: &str) -> Value {
    let layers = text.layers.iter().map(|(layer, n)| (layer.id().to_string(), (*n).into()));
    let authors = text.authors.iter().map(|(layer, name)| json!({ "layer": layer, "by": name }));
    let urn = text.locus.parse::<Locus>().ok().map(|l| l.urn(Some(&text.id)));
    json!({
        "document": text.id, "title": text.title, "work": text.work, "chapter": text.chapter,
        "locus": text.locus, "urn": urn, "edition": text.edition, "in": edition,
        "elsewhere": text.work.iter().flat_map(|w| AuthorityId::of_work(w)).collect::<Vec<_>>(),
        "layers": layers.collect::<Map<String, Value>>(), "authors": authors.collect::<Value>(),
        "translates": text.translates,
    })
}

fn no_work(work: &str, editions: &[Arc<OpenEdition>]) -> Error {
    let mut known: Vec<&str> = editions.iter().flat_map(|e| &e.texts).map(work_of).collect();
    known.sort_unstable();
    known.dedup();
    known.truncate(KNOWN);
    Error::request(format!("there is no text of {work} here")).hint(known.join(", "))
}
