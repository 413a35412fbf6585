//! `api/search`, `api/passage` …: the operations of [`crate::ask`] over HTTP, and what describes
//! them.

use crate::ask::{Answerer, Arguments, OPERATIONS, Operation, complaint, openapi};
use crate::diag::{Error, ErrorKind};

use super::reply::Reply;

/// The address for queries, relative to the pages.
pub const SEARCH: &str = "api/search";
/// The addresses of all operations.
const ADDRESS: &str = "api/";
/// The description of all.
pub const DESCRIPTION: &str = "api/openapi.json";
/// Bytes of the list of an answer: pages ask for a thousand hits with their contexts.
pub const BYTES: usize = 4 << 20;

/// The script for a served page; it replaces the one that says that there is no server.
pub fn endpoint() -> String {
    format!("zhushu.endpoint = '{SEARCH}';\n")
}

/// The operation that an address names, if it names one.
pub fn operation(address: &str) -> Option<&'static Operation> {
    let name = address.strip_prefix(ADDRESS)?;
    OPERATIONS.iter().find(|operation| operation.name == name)
}

/// The description of the operations.
pub fn description() -> Reply {
    Reply::content("application/json", openapi().to_string().into())
}

/// Answers a request, unless `is_over` says to stop.
pub fn answer(
    answerer: &Answerer,
    operation: &Operation,
    query: &str,
    is_over: impl Fn() -> bool + Send + Sync + 'static,
) -> Reply {
    let pairs = form_urlencoded::parse(query.as_bytes());
    let answer = Arguments::of_pairs(operation.parameters, pairs)
        .and_then(|arguments| operation.answer(answerer, &arguments, is_over));
    match answer {
        Ok(answer) => Reply::content("application/json", answer.to_string().into()),
        Err(e) => refusal(&e),
    }
}

/// The reply when too many ask at a time.
pub fn full() -> Reply {
    let error = Error::request("too many queries at a time; ask again").of_kind(ErrorKind::Stopped);
    refusal(&error).with("Retry-After", "5")
}

fn refusal(e: &Error) -> Reply {
    let status = match e.kind {
        ErrorKind::Request | ErrorKind::Query => 400,
        ErrorKind::Stopped => 503,
        _ => 500,
    };
    Reply::content("application/json", complaint(e).to_string().into()).status(status)
}
