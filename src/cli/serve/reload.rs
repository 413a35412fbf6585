//! Pages that load themselves again when a build changed the site: `zhushu serve --reload`, beside
//! `zhushu build --watch`.
//!
//! A page asks once a second whether the record of the build is another. That is a small request
//! from each open page, and needs no connection that stays open.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde_json::json;

use super::http::Reply;

/// Where a page asks, relative to the pages.
const ADDRESS: &str = "api/build";
const SCRIPT_FILE: &str = "index.reload.js";
const SCRIPT: &str = include_str!("data/reload.js");
/// Put at the end of each page.
const LINK: &str = "<script src=\"index.reload.js\"></script>";

/// What tells pages of a new build.
pub struct Reload {
    /// The record that each build writes last.
    record: PathBuf,
}

impl Reload {
    /// For the pages of a build.
    pub fn of(out: &Path) -> Self {
        Reload { record: crate::cli::build::record_of(out) }
    }

    /// The reply to a request of a page; `None` if it is for something else.
    pub fn reply(&self, path: &str) -> Option<Reply> {
        match path.strip_prefix('/')? {
            ADDRESS => {
                let build = json!({ "build": self.build() }).to_string();
                Some(Reply::content("application/json", build.into()))
            }
            SCRIPT_FILE => Some(Reply::content("text/javascript", SCRIPT.into())),
            _ => None,
        }
    }

    /// When the last build ended, and the size of its record; 0 while there is none.
    fn build(&self) -> String {
        let about = fs::metadata(&self.record).ok();
        let time = about.as_ref().and_then(|a| a.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        let (time, size) = (time.unwrap_or_default(), about.map_or(0, |a| a.len()));
        format!("{}.{:09}-{size}", time.as_secs(), time.subsec_nanos())
    }

    /// A page with the script.
    pub fn page(&self, reply: Reply) -> Reply {
        reply.map_page(|page| match page.rfind("</body>") {
            Some(end) => format!("{}{LINK}{}", &page[..end], &page[end..]),
            None => page,
        })
    }
}
