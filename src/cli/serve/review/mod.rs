//! The review of a corpus in its own pages: `zhushu serve --review`.
//!
//! The corpus of the build is read again and kept in memory. A page of a text is written from
//! there, with what is doubtful marked. A decision goes to the file of corrections beside the text
//! first; then this text is read again, and its page and its questions are computed with all that
//! the last build kept of the others.

mod asked;
mod desk;
mod list;

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::Settings;
use crate::diag::{Error, ErrorKind};
use crate::site;

use super::http::Request;
use super::reply::Reply;
use asked::Answered;
use desk::Desk;

/// The address for answers, relative to the pages.
pub const ADDRESS: &str = "api/review";
/// Bytes of an answer.
pub const MAX_ANSWER: usize = 16 << 10;
/// Bytes of the token.
const TOKEN_BYTES: usize = 24;

/// Who reviews, and what is asked.
pub struct Reviewer {
    /// Who decides.
    pub by: String,
    /// A file of corrections of their own.
    pub own: Option<String>,
    /// Certainties below this are asked about.
    pub below: f64,
}

/// A review that is served.
pub struct Review {
    desk: Mutex<Desk>,
    token: String,
}

/// What a page sends.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    /// The document on the page.
    text: String,
    #[serde(rename = "do")]
    act: Act,
    /// The question.
    #[serde(default)]
    question: String,
    /// What the page showed of it; a program that knows what it answers need not say.
    seen: Option<String>,
    #[serde(default)]
    answer: Answered,
    note: Option<String>,
}

/// A question as a page has it.
struct SeenQuestion {
    id: String,
    seen: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Act {
    /// Write an answer.
    Decide,
    /// Ask it last.
    Skip,
    /// Take the last answer back.
    Undo,
    /// Where the most instructive question is.
    Best,
}

impl Review {
    /// Opens the corpus of a build.
    ///
    /// # Errors
    /// When there is no build, or its corpus cannot be read.
    pub fn open(out: &Path, reviewer: Reviewer, settings: &Settings) -> Result<Self, Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)
            .map_err(|e| Error::request(format!("the system gives no random numbers: {e}")))?;
        let token = bytes.iter().map(|b| format!("{b:02x}")).collect();
        Ok(Review { desk: Mutex::new(Desk::open(out, reviewer, settings)?), token })
    }

    /// A page of a text, or a file of the review; `None` for anything else.
    pub fn page(&self, path: &str) -> Option<Reply> {
        let name = path.strip_prefix('/')?;
        if let Some((name, words)) = site::review::FILES.iter().find(|f| f.0 == name) {
            let mime = if name.ends_with(".css") { "text/css" } else { "text/javascript" };
            return Some(Reply::content(mime, words.as_bytes().to_vec()));
        }
        let name = percent_encoding::percent_decode_str(name).decode_utf8().ok()?;
        let page = self.desk().page(&name, &self.token)?;
        Some(match page {
            Ok(page) => Reply::content("text/html", page).with_images(),
            Err(e) => Reply::words(500, &e.message),
        })
    }

    /// Takes what a page sends. Only a page of this server knows the token, and a browser says of
    /// every page that writes from which site it is.
    pub fn answer(&self, request: &Request) -> Reply {
        let own = request.host.as_ref().map(|host| format!("http://{host}"));
        if request.is_cross_site || request.origin.is_none() || request.origin != own {
            return refused(403, "only pages of this server may write");
        }
        if !is_same(request.token.as_deref().unwrap_or_default(), &self.token) {
            return refused(403, "this page is of another run of the server; load it again");
        }
        let sent: Sent = match serde_json::from_slice(&request.body) {
            Ok(sent) => sent,
            Err(e) => return refused(400, &format!("this cannot be understood: {e}")),
        };
        let mut desk = self.desk();
        let done = match sent.act {
            Act::Decide => {
                let question = SeenQuestion { id: sent.question, seen: sent.seen };
                desk.decide(&sent.text, &question, &sent.answer, sent.note)
            }
            Act::Skip => desk.skip(&sent.text, &sent.question),
            Act::Undo => desk.undo(&sent.text),
            Act::Best => desk.best(&sent.text, &self.token),
        };
        match done {
            Ok(value) => json_reply(200, &value),
            Err(e) => {
                let status = if e.kind == ErrorKind::Io { 500 } else { 409 };
                let message = e.to_string();
                json_reply(status, &json!({ "error": { "message": message, "hint": e.hint } }))
            }
        }
    }

    /// If a request failed half-way, the next begins with what is on disk.
    fn desk(&self) -> std::sync::MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(status: u16, why: &str) -> Reply {
    json_reply(status, &json!({ "error": { "message": why } }))
}

fn json_reply(status: u16, value: &Value) -> Reply {
    Reply::content("application/json", value.to_string().into()).status(status)
}

/// Compares all of it, so that the time shows nothing.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |acc, (a, b)| acc | (a ^ b)) == 0
}
