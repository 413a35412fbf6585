//! `passage`: a passage with its commentaries and translations, in all texts that have it.

use serde_json::{Value, json};

use super::answerer::{Answerer, YOUR_LIBRARY};
use super::arguments::Arguments;
use super::bounds::{Budget, IsOver, cut, stopped};
use super::passage;
use crate::diag::Error;
use crate::model::Layer;
use crate::text::class::is_content;
use crate::text::fold::fold;

/// Most characters of a stretch.
const WORDS: usize = 8000;

/// The layers that a parameter names.
///
/// # Errors
/// When one of them is no layer.
pub(super) fn layers(arguments: &Arguments) -> Result<Vec<Layer>, Error> {
    let layer = |name: &str| {
        name.parse::<Layer>().map_err(|e| {
            Error::request(e.to_string()).hint("`zhushu formats` lists the layers: 經, 注, 疏 …")
        })
    };
    arguments.list("layer").into_iter().map(layer).collect()
}

pub(super) fn answer(
    answerer: &Answerer,
    arguments: &Arguments,
    is_over: &IsOver,
) -> Result<Value, Error> {
    let words = arguments.words("locus").unwrap_or_default();
    let layers = layers(arguments)?;
    let all = answerer.editions_with_texts()?;
    let chapters = answerer.chapters(words, &all, &layers, is_over)?;
    let mut budget = Budget::of(arguments, answerer.bytes);
    let by = arguments.list("by");
    let mut texts = vec![];
    for chapter in &chapters {
        if is_over() {
            return Err(stopped());
        }
        let asked = Ok(chapter.locus.clone());
        let (_, shown) = passage::find(words, &asked, &chapter.library, &layers)?;
        let edition = chapter.edition.as_ref().map_or(YOUR_LIBRARY, |e| e.name.as_str());
        for one in &shown {
            let mut text = passage::shown_as_json(one);
            text["edition"] = one.document.meta.edition.as_deref().into();
            text["in"] = edition.into();
            keep_wanted(&mut text, &by, &mut budget);
            let is_empty = |name: &str| text[name].as_array().is_none_or(Vec::is_empty);
            if !is_empty("stretches") || !is_empty("translations") {
                texts.push(text);
            }
        }
    }
    let locus = chapters.first().map(|c| &c.locus);
    let mut answer = json!({
        "locus": locus.map(ToString::to_string), "urn": locus.map(|l| l.urn(None)), "texts": texts,
        "total": budget.total(), "more": budget.more(),
    });
    answerer.finish_texts(&mut answer, &all, |_| true);
    Ok(answer)
}

/// A name, so that one in the other script or in variant characters is the same.
fn folded(name: &str) -> String {
    name.chars().filter(|c| is_content(*c)).map(fold).collect()
}

/// Leaves of a text the stretches and beads that are wanted.
fn keep_wanted(text: &mut Value, by: &[&str], budget: &mut Budget) {
    let by: Vec<String> = by.iter().map(|who| folded(who)).collect();
    let said =
        |stretch: &Value| stretch["by"].as_str().is_some_and(|who| by.contains(&folded(who)));
    if let Value::Array(stretches) = &mut text["stretches"] {
        stretches.retain_mut(|stretch| {
            cut(stretch, WORDS);
            (by.is_empty() || said(stretch)) && budget.take(stretch)
        });
    }
    if let Value::Array(beads) = &mut text["translations"] {
        beads.retain(|bead| by.is_empty() && budget.take(bead));
    }
}
