//! `api/search`: takes a query, returns hits as JSON. `api/verify`: takes a text, returns what
//! `zhushu verify --to json` writes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::corpus::Works;
use crate::diag::{Error, ErrorKind};
use crate::search::{Answer, Index, Query, Show};
use crate::verify::{QuotingText, Verifier};
use clap::ValueEnum;
use serde::Serialize;
use serde_json::json;

use super::reply::Reply;
use crate::cli::search::{By, FEW, Order, folding, nothing};

/// The address for queries, relative to the pages.
pub const ADDRESS: &str = "api/search";

/// The address for quotations to check.
pub const VERIFY: &str = "api/verify";

/// The script for a served page; it replaces the one that says that there is no server.
pub fn endpoint() -> String {
    format!("zhushu.endpoint = '{ADDRESS}';\n")
}

/// Most hits in a reply, and most characters of context.
const MOST: usize = 1000;
const WIDEST: usize = 200;

/// The parameters of a request.
struct Asked {
    query: Query,
    exact: bool,
    no_variants: bool,
    crossing: bool,
    show: Show,
    by: Vec<By>,
}

#[derive(Serialize)]
struct Found {
    total: usize,
    skip: usize,
    hits: Vec<Answer>,
    /// Counts by layer, or by the facets of the request.
    counts: BTreeMap<&'static str, Vec<(String, usize)>>,
    /// If nothing was found: unknown names in the query, and similar queries that find something.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    nothing: Option<serde_json::Value>,
}

/// Answers the query of a request, unless `is_over` says to stop.
pub fn search(
    index: &Path,
    query: &str,
    is_over: impl Fn() -> bool + Send + Sync + 'static,
) -> Reply {
    let found = asked(query).and_then(|asked| {
        // The index is opened for each query, which costs very little, so a new build is used at
        // once.
        find(&Index::open(index)?.until(is_over), &asked).map_err(stopped)
    });
    replied(found.and_then(|f| serde_json::to_vec(&f).map_err(|e| Error::request(e.to_string()))))
}

/// JSON, or what is wrong.
fn replied(json: Result<Vec<u8>, Error>) -> Reply {
    match json {
        Ok(json) => Reply::content("application/json", json),
        Err(e) => Reply::content("application/json", complaint(&e).to_string().into()).status(
            match e.kind {
                ErrorKind::Request | ErrorKind::Query => 400,
                ErrorKind::Stopped => 503,
                _ => 500,
            },
        ),
    }
}

/// Checks the quotations of a text, or words that are said to be from somewhere, unless `is_over`
/// says to stop. Without `cited` the text is read as `zhushu verify` reads it.
pub fn verify(
    (index, works): (&Path, &Arc<Works>),
    query: &str,
    is_over: impl Fn() -> bool + Send + Sync + 'static,
) -> Reply {
    let report = quoted(query).and_then(|text| {
        let index = Index::open(index)?.until(is_over);
        let verifier = Verifier::new(works.clone()).with("index", &index)?;
        verifier.check(&text).map(|r| r.to_json()).map_err(stopped)
    });
    replied(report.map(String::into_bytes))
}

/// The text that a request asks about.
fn quoted(query: &str) -> Result<QuotingText, Error> {
    let mut words = None;
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "text" => words = Some(value.into_owned()),
            _ => return Err(Error::request(format!("there is no parameter {name}")).hint("text")),
        }
    }
    let words = words.ok_or_else(|| {
        Error::request("the parameter text is missing: what to check")
            .hint("api/verify?text=「學而時習之」")
    })?;
    let text = QuotingText::of("text", &words);
    Ok(if text.has_quotations() { text } else { QuotingText::quotation(&words) })
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

/// An error for pages: what is wrong, at which character of the query (from 1), for how many
/// characters, and a hint.
fn complaint(e: &Error) -> serde_json::Value {
    let column = e.place.map(|p| p.column);
    json!({ "error": { "message": e.message, "column": column, "width": e.width, "hint": e.hint } })
}

fn find(index: &Index, asked: &Asked) -> Result<Found, Error> {
    let options = crate::search::Options {
        folding: folding(asked.exact, asked.no_variants),
        crossing: asked.crossing,
    };
    let found = index.search(&asked.query, options)?;
    let hits = found.answers(&asked.show)?;
    let mut counts = BTreeMap::new();
    for by in &asked.by {
        let (facet, name) = by.facet();
        counts.insert(name, found.count(facet)?);
    }
    let near = || -> Result<serde_json::Value, Error> {
        let (unknown, near) = nothing(index, &asked.query, options)?;
        let unknown: Vec<_> =
            unknown.iter().map(|u| json!({ "name": u.name, "known": u.known })).collect();
        let near: Vec<_> =
            near.iter().map(|n| json!({ "query": n.query, "total": n.total })).collect();
        Ok(json!({ "unknown": unknown, "near": near }))
    };
    let nothing = if found.total() == 0 { Some(near()?) } else { None };
    Ok(Found { total: found.total(), skip: asked.show.skip, hits, counts, nothing })
}

/// Reads the parameters, which have the names of the options of `zhushu search`.
fn asked(query: &str) -> Result<Asked, Error> {
    let mut words = None;
    let (mut exact, mut no_variants, mut crossing) = (false, false, true);
    let mut show = Show { limit: FEW, ..Show::default() };
    let mut by = vec![];
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "q" => words = Some(value.parse::<Query>()?),
            "limit" => show.limit = number(&name, &value, MOST)?,
            "skip" => show.skip = number(&name, &value, usize::MAX)?,
            "context" => show.context = number(&name, &value, WIDEST)?,
            "sort" => show.sort = one_of::<Order>(&name, &value)?.sort(),
            "by" => {
                let one = one_of(&name, &value)?;
                if !by.contains(&one) {
                    by.push(one);
                }
            }
            "exact" => exact = flag(&name, &value)?,
            "no-variants" => no_variants = flag(&name, &value)?,
            "no-crossing" => crossing = !flag(&name, &value)?,
            _ => {
                return Err(Error::request(format!("there is no parameter {name}"))
                    .hint("q, limit, skip, sort, context, exact, no-variants, no-crossing, by"));
            }
        }
    }
    if by.is_empty() {
        by.push(By::Layer);
    }
    let query = words.ok_or_else(|| {
        Error::request("the parameter q is missing: what to look for").hint("api/search?q=賢獲")
    })?;
    Ok(Asked { query, exact, no_variants, crossing, show, by })
}

fn number(name: &str, value: &str, most: usize) -> Result<usize, Error> {
    let wrong =
        || Error::request(format!("{name} must be a number from 0 to {most}, not “{value}”"));
    value.parse().ok().filter(|n| *n <= most).ok_or_else(wrong)
}

fn flag(name: &str, value: &str) -> Result<bool, Error> {
    match value {
        "" | "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        _ => Err(Error::request(format!("{name} must be true or false, not “{value}”"))),
    }
}

fn one_of<T: ValueEnum>(name: &str, value: &str) -> Result<T, Error> {
    T::from_str(value, true).map_err(|_| {
        let names = T::value_variants()
            .iter()
            .filter_map(|v| Some(v.to_possible_value()?.get_name().to_string()));
        Error::request(format!("{name} cannot be “{value}”"))
            .hint(names.collect::<Vec<_>>().join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_those_of_the_command() {
        let asked = asked(
            "q=%E8%B3%A2%E7%8D%B2&limit=5&skip=10&sort=left&exact&by=work&by=layer&no-crossing=1",
        )
        .unwrap();
        assert_eq!((asked.query.text(), asked.show.limit, asked.show.skip), ("賢獲", 5, 10));
        assert!(asked.exact && !asked.crossing && asked.by.len() == 2);
        for wrong in [
            "",
            "q=",
            "q=(",
            "limit=5",
            "q=a&limit=x",
            "q=a&limit=1001",
            "q=a&sort=up",
            "q=a&colour=red",
            "q=a&exact=perhaps",
        ] {
            assert!(super::asked(wrong).is_err(), "{wrong}");
        }
        assert_eq!(super::asked("q=%E6%B3%A8:(").err().unwrap().place.unwrap().column, 3);
    }
}
