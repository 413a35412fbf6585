//! Requests of JSON-RPC 2.0, and why one is refused.

use serde_json::{Map, Value, json};

/// A request that wants an answer.
pub(super) struct Request {
    pub(super) id: Value,
    pub(super) method: String,
    pub(super) params: Map<String, Value>,
}

/// Why a request has no result.
pub(super) struct Refusal {
    code: Code,
    message: String,
    data: Value,
}

/// What is wrong, by the numbers of JSON-RPC and of the protocol.
#[derive(Clone, Copy)]
enum Code {
    NotJson = -32700,
    NoRequest = -32600,
    NoMethod = -32601,
    WrongParams = -32602,
    NoResource = -32002,
    NoVersion = -32022,
}

impl Request {
    /// Reads a message; `None` for a notification, or for what the other side answers.
    ///
    /// # Errors
    /// When it is neither.
    pub(super) fn of(message: Value) -> Result<Option<Self>, (Value, Refusal)> {
        let refused = |id: Value, why: &str| Err((id, Refusal::new(Code::NoRequest, why)));
        let Value::Object(mut message) = message else {
            return refused(Value::Null, "a message is an object");
        };
        let id = message.remove("id");
        let known = match &id {
            Some(id @ (Value::String(_) | Value::Number(_))) => id.clone(),
            _ => Value::Null,
        };
        if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return refused(known, "jsonrpc must be “2.0”");
        }
        let method = match message.remove("method") {
            Some(Value::String(method)) => method,
            None if message.contains_key("result") || message.contains_key("error") => {
                return Ok(None);
            }
            _ => return refused(known, "method must be words"),
        };
        let Some(id) = id else { return Ok(None) };
        if known.is_null() {
            return refused(Value::Null, "id must be words or a number");
        }
        match message.remove("params") {
            None | Some(Value::Null) => Ok(Some(Request { id, method, params: Map::new() })),
            Some(Value::Object(params)) => Ok(Some(Request { id, method, params })),
            Some(_) => Err((id, Refusal::params("params must be an object"))),
        }
    }
}

impl Refusal {
    fn new(code: Code, message: &str) -> Self {
        Refusal { code, message: message.into(), data: Value::Null }
    }

    pub(super) fn not_json(e: &serde_json::Error) -> Self {
        Refusal::new(Code::NotJson, &format!("not JSON: {e}"))
    }

    pub(super) fn too_long() -> Self {
        Refusal::new(Code::NoRequest, "the message is too long")
    }

    pub(super) fn no_method(method: &str) -> Self {
        let method: String = method.chars().take(80).collect();
        Refusal::new(Code::NoMethod, &format!("there is no method {method}"))
    }

    pub(super) fn params(why: &str) -> Self {
        Refusal::new(Code::WrongParams, why)
    }

    /// The newest version of the protocol has no number of its own for it.
    pub(super) fn no_resource(uri: &str, why: &str, modern: bool) -> Self {
        let code = if modern { Code::WrongParams } else { Code::NoResource };
        Refusal { data: json!({ "uri": uri }), ..Refusal::new(code, why) }
    }

    pub(super) fn version(asked: &Value, known: Value) -> Self {
        let data = json!({ "requested": asked, "supported": known });
        Refusal { data, ..Refusal::new(Code::NoVersion, "this version is not spoken here") }
    }

    /// The reply to a request.
    pub(super) fn reply(&self, id: &Value) -> Value {
        let mut error = json!({ "code": self.code as i32, "message": self.message });
        if !self.data.is_null() {
            error["data"] = self.data.clone();
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }
}
