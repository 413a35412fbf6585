//! `gloss`: what notes say that a word means, or how it is read.

use rayon::prelude::*;
use serde_json::{Value, json};

use super::answerer::{Answerer, IsOver};
use super::arguments::Arguments;
use super::bounds::Budget;
use super::passages::layers;
use super::places;
use super::store::TextStore;
use crate::diag::{Error, ErrorKind};
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
    for store in all.open.iter().filter_map(|e| e.store.as_ref()).chain(answerer.shelf()) {
        found.extend(in_store(store, &wanted, is_over)?);
    }
    found.retain(|gloss| budget.take(gloss));
    let mut answer = json!({
        "word": wanted.headword, "glosses": found, "total": budget.total(), "more": budget.more(),
    });
    answerer.finish(&mut answer, &all, true);
    Ok(answer)
}

/// Those of all texts of a store, each of which is read and let go again.
fn in_store(
    store: &TextStore,
    wanted: &GlossWanted,
    is_over: &IsOver,
) -> Result<Vec<Value>, Error> {
    let of_text = |number: usize| {
        if is_over() {
            return Err(Error::request("the search was stopped").of_kind(ErrorKind::Stopped));
        }
        let Some(document) = store.read(number) else { return Ok(vec![]) };
        let all = glosses::of(&document).into_iter().filter(|g| wanted.fits(g));
        Ok(all.map(|g| described(&document, &g)).collect())
    };
    let found: Result<Vec<Vec<Value>>, Error> =
        (0..store.len()).into_par_iter().map(of_text).collect();
    Ok(found?.into_iter().flatten().collect())
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
