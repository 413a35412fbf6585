//! The Model Context Protocol (<https://modelcontextprotocol.io>): programs that write for people
//! ask the [operations](super::OPERATIONS) as tools, and read passages as resources by their URNs.
//!
//! Messages are JSON-RPC 2.0, one in a line. Each request is answered by itself, so that both forms
//! of the protocol work: with `initialize` first (to 2025-11-25), and without, each request naming
//! its version (2026-07-28). Notifications need no answer and are passed over. Nothing that arrives
//! ends the conversation but its end.

mod lines;
mod messages;

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::answerer::{Answerer, complaint};
use super::openapi::answer_schema;
use super::operations::{self, OPERATIONS, Operation};
use crate::diag::Error;
use crate::guard::guarded;
use crate::model::NEEDS_REVIEW;
use lines::NextLine;
use messages::{Refusal, Request};

/// Versions of the protocol whose conversations begin with `initialize`, the newest last.
const WITH_INITIALIZE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The version whose requests each name it.
const WITHOUT_INITIALIZE: &str = "2026-07-28";
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";
/// The longest that an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a program reads before it asks; below `sure`, pages show a doubt too.
const INSTRUCTIONS: &str = "Chinese classics with their commentaries (經, 注, 疏), on this machine. \
    Ask `contents` first: answers come from these texts only, and each says what was searched and \
    what was not; not found here does not mean that it does not exist. Cite passages by their \
    locus or URN, with edition and layer. `certainty` and `cert` (0 to 1) say how sure the layer \
    or the reference is; below {sure} a person should check. If an answer has `more`, ask again with \
    the `skip` that it names.";

fn instructions() -> String {
    INSTRUCTIONS.replace("{sure}", &NEEDS_REVIEW.to_string())
}

/// A conversation with a program.
pub struct Conversation {
    answerer: Answerer,
}

impl Conversation {
    /// With a program that may ask this.
    pub fn of(answerer: Answerer) -> Self {
        Conversation { answerer }
    }

    /// Answers all lines of `input` on `output`, until it ends.
    ///
    /// # Errors
    /// When reading or writing fails.
    pub fn hold(&self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        loop {
            let reply = match lines::next(&mut input)? {
                NextLine::End => return Ok(()),
                NextLine::Words(line) => self.reply(&line),
                NextLine::TooLong => Some(Refusal::too_long().reply(&Value::Null)),
            };
            if let Some(reply) = reply {
                writeln!(output, "{reply}")?;
                output.flush()?;
            }
        }
    }

    /// The reply to a message, or to several in a list; `None` if it needs none.
    pub fn reply(&self, line: &[u8]) -> Option<Value> {
        if line.trim_ascii().is_empty() {
            return None;
        }
        match serde_json::from_slice::<Value>(line) {
            Err(e) => Some(Refusal::not_json(&e).reply(&Value::Null)),
            Ok(Value::Array(all)) if !all.is_empty() => {
                let replies: Vec<Value> =
                    all.into_iter().filter_map(|one| self.reply_to(one)).collect();
                (!replies.is_empty()).then(|| replies.into())
            }
            Ok(one) => self.reply_to(one),
        }
    }

    fn reply_to(&self, message: Value) -> Option<Value> {
        let request = match Request::of(message) {
            Ok(request) => request?,
            Err((id, refusal)) => return Some(refusal.reply(&id)),
        };
        let modern = match version_of(&request.params) {
            Ok(modern) => modern,
            Err(refusal) => return Some(refusal.reply(&request.id)),
        };
        let result = self.result(&request, modern).map(|mut result| {
            if modern {
                complete(&mut result, &request.method);
            }
            result
        });
        Some(match result {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": request.id, "result": result }),
            Err(refusal) => refusal.reply(&request.id),
        })
    }

    fn result(&self, request: &Request, modern: bool) -> Result<Value, Refusal> {
        let params = &request.params;
        match &*request.method {
            "initialize" => Ok(initialized(params)),
            "server/discover" => Ok(discovered()),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(json!({ "tools": OPERATIONS.iter().map(tool).collect::<Value>() })),
            "tools/call" => self.called(params),
            "resources/list" => Ok(json!({ "resources": [] })),
            "resources/templates/list" => Ok(json!({ "resourceTemplates": [passages()] })),
            "resources/read" => self.resource(params, modern),
            _ => Err(Refusal::no_method(&request.method)),
        }
    }

    /// Calls a tool. What is wrong with its arguments is an answer too, which the one who asks can
    /// read and act upon.
    fn called(&self, params: &Map<String, Value>) -> Result<Value, Refusal> {
        let name = params.get("name").and_then(Value::as_str);
        let operation = name.and_then(operations::named).ok_or_else(|| {
            let names: Vec<&str> = OPERATIONS.iter().map(|o| o.name).collect();
            Refusal::params(&format!("there is no such tool; there are: {}", names.join(", ")))
        })?;
        let arguments = params.get("arguments").unwrap_or(&Value::Null);
        let answer = self.answer(operation, arguments);
        let (content, is_error) = match answer {
            Ok(answer) => (answer, false),
            Err(e) => (complaint(&e), true),
        };
        let text = content.to_string();
        let mut result = json!({ "content": [{ "type": "text", "text": text }] });
        if is_error {
            result["isError"] = true.into();
        } else {
            result["structuredContent"] = content;
        }
        Ok(result)
    }

    fn resource(&self, params: &Map<String, Value>, modern: bool) -> Result<Value, Refusal> {
        let uri = params.get("uri").and_then(Value::as_str);
        let uri = uri.ok_or_else(|| Refusal::params("uri is missing"))?;
        let not_there = |e: Error| Refusal::no_resource(uri, &e.message, modern);
        let passage = operations::operation("passage").map_err(not_there)?;
        let answer = self.answer(passage, &json!({ "locus": uri })).map_err(not_there)?;
        let content =
            json!({ "uri": uri, "mimeType": "application/json", "text": answer.to_string() });
        Ok(json!({ "contents": [content] }))
    }

    fn answer(&self, operation: &Operation, arguments: &Value) -> Result<Value, Error> {
        let answer = || {
            // The first who asks waits for the texts of a folder.
            self.answerer.open();
            let end = Instant::now() + PATIENCE;
            operation.answer_json(&self.answerer, arguments, move || Instant::now() >= end)
        };
        guarded(answer).unwrap_or_else(|why| {
            let error = Error::request(format!("the program failed: {why}"));
            Err(error.hint("this is a fault of zhushu; please report it with the question"))
        })
    }
}

/// True if a request names the version that has no `initialize`.
fn version_of(params: &Map<String, Value>) -> Result<bool, Refusal> {
    let named = params.get("_meta").and_then(|meta| meta.get(VERSION_KEY));
    let Some(named) = named else { return Ok(false) };
    match named.as_str() {
        Some(WITHOUT_INITIALIZE) => Ok(true),
        Some(version) if WITH_INITIALIZE.contains(&version) => Ok(false),
        _ => Err(Refusal::version(named, versions())),
    }
}

fn versions() -> Value {
    WITH_INITIALIZE.iter().chain([&WITHOUT_INITIALIZE]).copied().collect()
}

/// What the newest version wants of every result.
fn complete(result: &mut Value, method: &str) {
    result["resultType"] = "complete".into();
    result["_meta"] = json!({ SERVER_KEY: server() });
    if method.ends_with("/list") || ["server/discover", "resources/read"].contains(&method) {
        // A build may replace the texts at any time.
        (result["ttlMs"], result["cacheScope"]) = (0.into(), "private".into());
    }
}

fn server() -> Value {
    json!({ "name": "zhushu", "title": "注疏", "version": env!("CARGO_PKG_VERSION") })
}

fn capabilities() -> Value {
    json!({ "tools": {}, "resources": {} })
}

fn initialized(params: &Map<String, Value>) -> Value {
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let [.., newest] = WITH_INITIALIZE;
    let version = asked.filter(|v| WITH_INITIALIZE.contains(v)).unwrap_or(newest);
    json!({
        "protocolVersion": version, "capabilities": capabilities(), "serverInfo": server(),
        "instructions": instructions(),
    })
}

fn discovered() -> Value {
    json!({
        "supportedVersions": versions(), "capabilities": capabilities(),
        "instructions": instructions(),
    })
}

fn tool(operation: &Operation) -> Value {
    json!({
        "name": operation.name, "title": operation.title, "description": operation.about,
        "inputSchema": operation.schema(), "outputSchema": answer_schema(operation.name),
        "annotations": {
            "title": operation.title, "readOnlyHint": true, "destructiveHint": false,
            "idempotentHint": true, "openWorldHint": false,
        },
    })
}

fn passages() -> Value {
    json!({
        "uriTemplate": "urn:cts:zhushu:{+passage}", "name": "passage",
        "title": "A passage with its commentaries", "mimeType": "application/json",
        "description": "A passage by its URN, as the tool `passage` answers it: \
            urn:cts:zhushu:lunyu.12:1",
    })
}
