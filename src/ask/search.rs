//! `search`: finds words by an index.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::answerer::Answerer;
use super::arguments::Arguments;
use super::bounds::{Budget, IsOver};
use super::edition::OpenEdition;
use crate::diag::{Error, ErrorKind};
use crate::search::{Facet, Folding, Index, Options, Query, SearchResults, Show, Sort};

/// The orders, by name.
const SORTS: &[(&str, Sort)] = &[
    ("reading", Sort::Reading),
    ("place", Sort::Place),
    ("left", Sort::Left),
    ("right", Sort::Right),
];

/// What hits are counted by, by name.
const FACETS: &[(&str, Facet)] = &[
    ("layer", Facet::Layer),
    ("work", Facet::Work),
    ("chapter", Facet::Chapter),
    ("commentator", Facet::Commentator),
    ("witness", Facet::Witness),
];

/// What is asked for.
struct Wish {
    query: Query,
    options: Options,
    context: usize,
    sort: Sort,
    facets: Vec<(&'static str, Facet)>,
}

impl Wish {
    fn of(arguments: &Arguments) -> Result<Self, Error> {
        let folding = match (arguments.is("exact"), arguments.is("no-variants")) {
            (true, _) => Folding::Exact,
            (_, true) => Folding::Script,
            _ => Folding::Full,
        };
        let sort = arguments.words("sort").unwrap_or_default();
        let sort = SORTS.iter().find(|(name, _)| *name == sort);
        let mut by = arguments.list("by");
        if by.is_empty() {
            by.push("layer");
        }
        let facets = FACETS.iter().filter(|(name, _)| by.contains(name));
        Ok(Wish {
            query: arguments.words("q").unwrap_or_default().parse()?,
            options: Options { folding, crossing: !arguments.is("no-crossing") },
            context: arguments.number("context"),
            sort: sort.map_or(Sort::default(), |(_, sort)| *sort),
            facets: facets.copied().collect(),
        })
    }
}

/// CountsByFacet by facet and name, of all editions.
type CountsByFacet = BTreeMap<&'static str, HashMap<String, usize>>;

pub(super) fn answer(
    answerer: &Answerer,
    arguments: &Arguments,
    is_over: &IsOver,
) -> Result<Value, Error> {
    let wish = Wish::of(arguments)?;
    let all = answerer.editions()?;
    let mut budget = Budget::of(arguments, answerer.bytes);
    let (mut hits, mut counts) = (vec![], CountsByFacet::new());
    let mut nothing = None;
    for edition in &all.open {
        let is_over = is_over.clone();
        let index = Index::open(&edition.index)?.until(move || is_over());
        let found = index.search(&wish.query, wish.options).map_err(stopped)?;
        hits.extend(hits_of(&found, (&wish, edition), &mut budget).map_err(stopped)?);
        for (name, facet) in &wish.facets {
            let all = counts.entry(name).or_default();
            for (value, n) in found.count(*facet).map_err(stopped)? {
                *all.entry(value).or_default() += n;
            }
        }
        if found.total() == 0 && nothing.is_none() {
            nothing = Some(near(&index, &wish).map_err(stopped)?);
        }
    }
    let counts: BTreeMap<_, _> = counts.into_iter().map(|(by, all)| (by, ranked(all))).collect();
    let mut answer = json!({
        "total": budget.total(), "skip": arguments.number("skip"), "hits": hits, "counts": counts,
        "more": budget.more(),
    });
    if let Some((unknown, near)) = nothing.filter(|_| budget.total() == 0) {
        (answer["unknown"], answer["near"]) = (unknown, near);
    }
    answerer.finish(&mut answer, &all, false);
    Ok(answer)
}

/// The wanted hits of an edition, each with its URN and what it was read from.
fn hits_of(
    found: &SearchResults<'_>,
    (wish, edition): (&Wish, &OpenEdition),
    budget: &mut Budget,
) -> Result<Vec<Value>, Error> {
    let skip = budget.skips().min(found.total());
    budget.pass(skip);
    let show = Show { context: wish.context, sort: wish.sort, skip, limit: budget.room() };
    let answers = if show.limit == 0 { vec![] } else { found.answers(&show)? };
    let (mut hits, mut seen) = (vec![], skip);
    for answer in &answers {
        let mut hit = serde_json::to_value(answer).unwrap_or_default();
        let urn = answer.locus.passage.as_ref().map(|l| l.urn(Some(&answer.document)));
        hit["urn"] = urn.into();
        hit["edition"] = edition.edition_of(&answer.document).into();
        hit["in"] = edition.name.as_str().into();
        seen += 1;
        if budget.take(&hit) {
            hits.push(hit);
        }
    }
    budget.pass(found.total().saturating_sub(seen));
    Ok(hits)
}

/// Unknown names in the query, and similar queries that find something.
fn near(index: &Index, wish: &Wish) -> Result<(Value, Value), Error> {
    let unknown = index.unknown_names(&wish.query)?;
    let unknown = unknown.iter().map(|u| json!({ "name": u.name, "known": u.known }));
    let near = index.suggest(&wish.query, wish.options)?;
    let near = near.iter().map(|n| json!({ "query": n.query, "total": n.total }));
    Ok((unknown.collect(), near.collect()))
}

/// CountsByFacet, the largest first; equal ones by name.
fn ranked(counts: HashMap<String, usize>) -> Vec<(String, usize)> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts
}

/// Says why a search was stopped.
fn stopped(e: Error) -> Error {
    if e.kind != ErrorKind::Stopped {
        return e;
    }
    Error::request("this query takes too long here")
        .of_kind(ErrorKind::Stopped)
        .hint("fewer @, NEAR and NOT; `zhushu search` has no limit, and `zhushu serve --query-time` sets it")
}
