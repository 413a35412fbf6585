//! `gloss`: what notes say that a word means, or how it is read.

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::answerer::{Answerer, YOUR_LIBRARY};
use super::arguments::Arguments;
use super::bounds::{Budget, IsOver, stopped};
use super::passages::layers;
use super::places;
use super::store::{ExplainingTexts, TextStore};
use crate::diag::Error;
use crate::model::Document;
use crate::reading::glosses::{self, Gloss, GlossKind, GlossWanted};

pub(super) fn answer(
    answerer: &Answerer,
    arguments: &Arguments,
    is_over: &IsOver,
) -> Result<Value, Error> {
    let wanted = GlossWanted {
        headword: arguments.words("word").map(str::to_string),
        kinds: arguments.list("kind").into_iter().filter_map(GlossKind::of_id).collect(),
        by: arguments.list("by").into_iter().map(str::to_string).collect(),
        layers: layers(arguments)?,
        certainty: arguments.number("certainty") as f64 / 100.0,
    };
    let all = answerer.editions_with_texts()?;
    let mut budget = Budget::of(arguments, answerer.bytes);
    let mut found = vec![];
    let editions = all.open.iter().filter_map(|e| Some((&*e.name, e.store()?)));
    for (name, store) in editions.chain(answerer.shelf().map(|shelf| (YOUR_LIBRARY, shelf))) {
        let of_store = in_store(store, (&wanted, &mut budget), is_over)?;
        found.extend(of_store.into_iter().map(|mut gloss| {
            gloss["in"] = name.into();
            gloss
        }));
    }
    let mut answer = json!({
        "word": wanted.headword, "glosses": found, "total": budget.total(), "more": budget.more(),
    });
    answerer.finish_texts(&mut answer, &all, |_| true);
    Ok(answer)
}

/// The wanted glosses of all texts of a store, of which a few are read at a time and let go again.
fn in_store(
    store: &TextStore,
    (wanted, budget): (&GlossWanted, &mut Budget),
    is_over: &IsOver,
) -> Result<Vec<Value>, Error> {
    let of_text = |number: usize| {
        let document = store.read(number).filter(|_| !is_over())?;
        let all = glosses::of(&document);
        let explained = explained(&all);
        let fitting: Vec<Gloss> = all.into_iter().filter(|g| wanted.fits(g)).collect();
        Some((document, fitting, explained))
    };
    let word = wanted.headword.as_deref().and_then(first_of);
    let numbers = store.explaining(word);
    let mut found = vec![];
    let mut explaining = ExplainingTexts::default();
    for some in numbers.chunks(4 * rayon::current_num_threads()) {
        let read: Vec<_> = some.par_iter().map(|number| of_text(*number)).collect();
        if is_over() {
            return Err(stopped());
        }
        for (number, (document, fitting, explained)) in
            some.iter().zip(read).filter_map(|(n, read)| Some((*n, read?)))
        {
            explained.into_iter().for_each(|c| explaining.entry(c).or_default().push(number));
            for gloss in &fitting {
                if !budget.wants() {
                    budget.pass(1);
                    continue;
                }
                let described = described(&document, gloss);
                if budget.take(&described) {
                    found.push(described);
                }
            }
        }
    }
    if numbers.len() == store.len() {
        store.keep_explaining(explaining);
    }
    Ok(found)
}

/// The first characters, folded, of the words that are explained, each once.
fn explained(glosses: &[Gloss]) -> BTreeSet<char> {
    glosses.iter().filter_map(|gloss| first_of(&gloss.headword)).collect()
}

fn first_of(word: &str) -> Option<char> {
    glosses::folded(word).chars().next()
}

fn described(document: &Document, gloss: &Gloss) -> Value {
    let mut place = places::described(document, gloss.span);
    place["headword"] = gloss.headword.as_str().into();
    place["kind"] = gloss.kind.id().into();
    place["sense"] = gloss.sense.as_str().into();
    // Who says it may be more than who wrote the layer.
    place["by"] = gloss.who.as_deref().or(document.speakers().of(gloss.span)).into();
    place["cert"] = gloss.certainty.rounded().into();
    let lemma = gloss.lemma.map(|span| places::described(document, span));
    place["explains"] = lemma.map_or(
        Value::Null,
        |lemma| json!({ "text": lemma["text"], "locus": lemma["locus"], "urn": lemma["urn"] }),
    );
    place
}
