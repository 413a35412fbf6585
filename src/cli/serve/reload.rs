//! Pages that load themselves again when a build changed the site: `zhushu serve --reload`, beside
//! `zhushu build --watch`.
//!
//! A page asks once a second whether the record of the build is another. That is a small request
//! from each open page, and needs no connection that stays open.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::reply::Reply;
use crate::build::state_of;

/// Where a page asks, relative to the pages.
const ADDRESS: &str = "api/build";
const SCRIPT_FILE: &str = "index.reload.js";
const SCRIPT: &str = include_str!("data/reload.js");
/// Put at the end of each page.
const LINK: &str = "<script src=\"index.reload.js\"></script>";

/// Says which build the pages are of.
pub struct Reload {
    /// What the build wrote.
    out: PathBuf,
}

impl Reload {
    /// For the pages of a build.
    pub fn of(out: &Path) -> Self {
        Reload { out: out.to_path_buf() }
    }

    /// The reply to a request of a page; `None` if it is for something else.
    pub fn reply(&self, path: &str) -> Option<Reply> {
        match path.strip_prefix('/')? {
            ADDRESS => {
                let build = json!({ "build": state_of(&self.out) }).to_string();
                Some(Reply::content("application/json", build.into()))
            }
            SCRIPT_FILE => Some(Reply::content("text/javascript", SCRIPT.into())),
            _ => None,
        }
    }

    /// A page with the script.
    pub fn page(&self, reply: Reply) -> Reply {
        reply.map_page(|page| match page.rfind("</body>") {
            Some(end) => format!("{}{LINK}{}", &page[..end], &page[end..]),
            None => page,
        })
    }
}
