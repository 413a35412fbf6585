//! What to try when a query finds nothing.

use std::collections::BTreeSet;

use super::eval::{self, Folding, Options};
use super::found::{Facet, SearchResults};
use super::index::Index;
use super::query::{Field, Filter, Phrase, Query, QueryNode};
use super::units::DocMeta;
use crate::diag::Error;
use crate::model::Layer;

/// Another query, and its number of hits. It may be the same text, if that is found with the
/// default [`Options`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The query, in the form that can be typed.
    pub query: String,
    /// Hits.
    pub total: usize,
}

/// A name in a query (`by:…`, `chapter:…`) that is not in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// The name.
    pub name: String,
    /// The existing names.
    pub known: Vec<String>,
}

/// Most suggestions.
const MAX_SUGGESTIONS: usize = 6;

/// For longer phrases no similar ones are looked for: each character means two searches.
const MAX_NEAR_CHARS: usize = 24;

impl Index {
    /// Queries close to one that found nothing: with a word taken as the name of a speaker, a work
    /// or a chapter; the same text in other layers, with one character changed or left out, with
    /// variants.
    ///
    /// # Errors When the index cannot be read or is damaged.
    pub fn suggest(&self, query: &Query, options: Options) -> Result<Vec<Suggestion>, Error> {
        let mut found = self.otherwise(query, options)?;
        let Some((words, prefix)) = words_of(&query.node) else { return Ok(found) };
        if options.folding != Folding::Full || !options.crossing {
            self.try_one(words, Options::default(), &mut found)?;
        }
        let typed = spelled(words);
        if prefix {
            let node = QueryNode::Phrase(words.clone());
            let layers = SearchResults {
                index: self,
                hits: eval::hits_of(self, &node, options)?,
                node,
                options,
            }
            .count(Facet::Layer)?;
            found.extend(
                layers
                    .into_iter()
                    .map(|(layer, total)| Suggestion { query: format!("{layer}:{typed}"), total }),
            );
        }
        let is_near_possible = (3..=MAX_NEAR_CHARS).contains(&words.chars.len());
        let near = if is_near_possible { self.near(words, options)? } else { vec![] };
        found.extend(near);
        found.truncate(MAX_SUGGESTIONS);
        Ok(found)
    }

    /// The names in a query that are not in the index.
    ///
    /// # Errors
    /// When the index cannot be read or is damaged.
    pub fn unknown_names(&self, query: &Query) -> Result<Vec<UnknownName>, Error> {
        let mut filters = vec![];
        filters_of(&query.node, &mut filters);
        let mut unknown = vec![];
        for filter in filters {
            let (mut known, mut holds) = (BTreeSet::new(), false);
            for file in &self.files {
                for region in file.regions()? {
                    let meta = file.meta(region.doc)?;
                    holds |= eval::holds(filter, &meta, region.layer, region.sub);
                    known.extend(name_of(filter.field, &meta, region.layer));
                    if filter.field == Field::By {
                        let names = &meta.speeches.names;
                        holds |= names.iter().any(|who| eval::is_named(filter, Some(who)));
                        known.extend(names.iter().cloned());
                    }
                }
            }
            if !holds {
                unknown.push(UnknownName {
                    name: filter.value.clone(),
                    known: known.into_iter().collect(),
                });
            }
        }
        Ok(unknown)
    }

    /// Other meanings that the query may have had.
    fn otherwise(&self, query: &Query, options: Options) -> Result<Vec<Suggestion>, Error> {
        let mut meant = vec![];
        let parts = match &query.node {
            QueryNode::All(parts) => parts.clone(),
            node => vec![node.clone()],
        };
        for (i, part) in parts.iter().enumerate() {
            match part {
                QueryNode::Phrase(words) => {
                    for field in [Field::By, Field::Chapter, Field::Work] {
                        let filter = Filter { field, value: spelled(words) };
                        if self.is_name(&filter)? {
                            let mut parts = parts.clone();
                            parts[i] = QueryNode::Filter(filter);
                            meant.push(QueryNode::All(parts));
                        }
                    }
                }
                // A commentator speaks in his own layers. If another layer is named, notes on that
                // layer may be meant.
                QueryNode::In(..)
                    if parts
                        .iter()
                        .any(|p| matches!(p, QueryNode::Filter(f) if f.field == Field::By)) =>
                {
                    let mut parts = parts.clone();
                    let on = std::mem::replace(&mut parts[i], QueryNode::Any);
                    meant.push(QueryNode::On(Box::new(QueryNode::All(parts)), Box::new(on)));
                }
                _ => {}
            }
        }
        let separated = query.text().replace(['、', '，', ',', '/', '／', ';', '；'], " ");
        if separated != query.text() {
            meant.extend(separated.parse::<Query>().ok().map(|q| q.node));
        }
        let mut found = vec![];
        for node in meant {
            let total = eval::hits_of(self, &node, options)?.len();
            found.extend(
                written(&node).filter(|_| total > 0).map(|query| Suggestion { query, total }),
            );
        }
        Ok(found)
    }

    fn is_name(&self, filter: &Filter) -> Result<bool, Error> {
        for file in &self.files {
            for region in file.regions()? {
                let meta = file.meta(region.doc)?;
                let mut names = meta.speeches.names.iter();
                let is_said = |who: &String| eval::is_named(filter, Some(who));
                if eval::holds(filter, &meta, region.layer, region.sub)
                    || filter.field == Field::By && names.any(is_said)
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The phrase with one character changed, and with one left out; most hits first.
    fn near(&self, words: &Phrase, options: Options) -> Result<Vec<Suggestion>, Error> {
        let mut found = vec![];
        for i in 0..words.chars.len() {
            // At either end this would find only what is found by the phrase without the character.
            if i > 0 && i + 1 < words.chars.len() {
                let mut other = words.clone();
                (other.chars[i], other.typed[i]) = (None, None);
                if other.chars.iter().any(Option::is_some) {
                    self.try_one(&other, options, &mut found)?;
                }
            }
            let mut less = words.clone();
            less.chars.remove(i);
            less.typed.remove(i);
            if less.chars.iter().any(Option::is_some) {
                self.try_one(&less, options, &mut found)?;
            }
        }
        found.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.query.cmp(&b.query)));
        found.dedup();
        Ok(found)
    }

    fn try_one(
        &self,
        words: &Phrase,
        options: Options,
        found: &mut Vec<Suggestion>,
    ) -> Result<(), Error> {
        let total = eval::hits_of(self, &QueryNode::Phrase(words.clone()), options)?.len();
        if total > 0 {
            found.push(Suggestion { query: spelled(words), total });
        }
        Ok(())
    }
}

/// The phrase of a query that is only a phrase, perhaps within layers and filters; and whether it
/// is within any.
fn words_of(node: &QueryNode) -> Option<(&Phrase, bool)> {
    match node {
        QueryNode::Phrase(words) => Some((words, false)),
        QueryNode::In(_, inner) => Some((words_of(inner)?.0, true)),
        QueryNode::All(parts) => {
            let mut others = parts.iter().filter(|p| !matches!(p, QueryNode::Filter(_)));
            let one = others.next().filter(|_| others.next().is_none())?;
            Some((words_of(one)?.0, true))
        }
        _ => None,
    }
}

fn spelled(words: &Phrase) -> String {
    words.typed.iter().map(|c| c.as_deref().unwrap_or("?")).collect()
}

/// A query in the form that can be typed; `None` for rare kinds.
fn written(node: &QueryNode) -> Option<String> {
    Some(match node {
        QueryNode::Phrase(words) => spelled(words),
        QueryNode::Any => "*".into(),
        QueryNode::Filter(Filter { field, value }) => format!("{}:{value}", field.name()),
        QueryNode::In(layers, inner) => {
            format!("{}:{}", layers.iter().map(|l| l.zh()).collect::<String>(), written(inner)?)
        }
        QueryNode::All(parts) => parts.iter().map(written).collect::<Option<Vec<_>>>()?.join(" "),
        QueryNode::On(a, b) => format!("{} @ {}", written(a)?, written(b)?),
        _ => return None,
    })
}

fn filters_of<'q>(node: &'q QueryNode, filters: &mut Vec<&'q Filter>) {
    match node {
        QueryNode::Filter(filter) => filters.push(filter),
        QueryNode::In(_, inner) | QueryNode::Not(inner) => filters_of(inner, filters),
        QueryNode::All(parts) | QueryNode::Either(parts) => {
            parts.iter().for_each(|p| filters_of(p, filters))
        }
        QueryNode::Near(a, _, b) | QueryNode::On(a, b) => {
            filters_of(a, filters);
            filters_of(b, filters);
        }
        QueryNode::Phrase(_) | QueryNode::Regex(_) | QueryNode::Any | QueryNode::Marked(..) => {}
    }
}

/// The name that a filter is compared with, as a person would type it.
fn name_of(field: Field, meta: &DocMeta, layer: Layer) -> Option<String> {
    match field {
        Field::By => meta.by(layer).map(|a| a.name.clone()),
        Field::Work => meta.work.clone(),
        Field::Chapter => meta.chapter.clone(),
        Field::Witness => meta.siglum.clone().or_else(|| Some(meta.id.clone())),
    }
}
