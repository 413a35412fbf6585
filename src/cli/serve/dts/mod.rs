//! Distributed Text Services 1.0 (<https://dtsapi.org/versions/v1.0>): what other programs ask for
//! the texts of a corpus, their loci and their words.
//!
//! The corpus is a collection of works, a work one of texts. Each text has the citation tree of its
//! loci (section, sentence, comment), and one for each layer, whose name is that of the layer. The
//! texts are those of the build; they are read when the first program asks, and again after a
//! build.

mod collection;
mod document;
mod leaf;
mod navigation;
mod tree;

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::http::Request;
use super::oembed;
use super::reply::Reply;
use crate::Settings;
use crate::build::{Built, state_of};
use crate::corpus::Library;
use crate::corpus::loci::urn_of;
use crate::model::Document;

/// The entry point, relative to the pages; the endpoints are below it.
pub const ADDRESS: &str = "api/dts";
const CONTEXT: &str = "https://dtsapi.org/context/v1.0.json";
const VERSION: &str = "1.0";
/// Members of a page of an answer.
const PAGE: usize = 1000;

/// Answers programs that speak DTS.
pub struct Dts {
    out: PathBuf,
    settings: Settings,
    /// The texts, and the state of the build that they are of.
    texts: Mutex<Option<(String, Arc<Library>)>>,
}

/// Why a question has no answer: the status, and the message.
struct Unanswered(u16, String);

type Answer<T> = Result<T, Unanswered>;

/// The parameters of a question.
struct Asked<'a> {
    values: HashMap<Cow<'a, str>, Cow<'a, str>>,
    /// The address that was asked for.
    address: String,
}

impl Dts {
    /// For the build in a folder.
    pub fn of(out: &Path, settings: &Settings) -> Self {
        Dts { out: out.to_path_buf(), settings: settings.clone(), texts: Mutex::default() }
    }

    /// The endpoint that a path names, empty for the entry; `None` if it is for something else.
    pub fn endpoint(path: &str) -> Option<&str> {
        match path.strip_prefix('/')?.strip_prefix(ADDRESS)? {
            "" => Some(""),
            below => Some(below.strip_prefix('/')?.trim_end_matches('/')),
        }
    }

    /// The reply of an endpoint.
    pub fn reply(&self, request: &Request, endpoint: &str, query: &str) -> Reply {
        let host = request.host.as_deref().unwrap_or_default();
        let asked = Asked {
            values: form_urlencoded::parse(query.as_bytes()).collect(),
            address: format!("http://{host}{}", request.target),
        };
        let answer = match endpoint {
            "" => Ok(json_ld(entry())),
            "collection" => self.texts().and_then(|t| collection::answer(&t, &asked)).map(json_ld),
            "navigation" => self.texts().and_then(|t| navigation::answer(&t, &asked)).map(json_ld),
            "document" => self.texts().and_then(|t| document::answer(&t, &asked, &self.out)),
            _ => Err(Unanswered(404, format!("there is no endpoint “{endpoint}”"))),
        };
        answer.unwrap_or_else(|Unanswered(status, why)| {
            let body = json!({ "@type": "Status", "statusCode": status, "title": why });
            json_ld(body).status(status)
        })
    }

    /// What a program shows for the address of one of the pages (oEmbed).
    pub fn embedded(&self, request: &Request, query: &str) -> Reply {
        let host = request.host.as_deref().unwrap_or_default();
        match self.texts() {
            Ok(library) => oembed::reply(&library, host, query),
            Err(Unanswered(status, why)) => Reply::words(status, &why),
        }
    }

    /// The texts of the last build.
    fn texts(&self) -> Answer<Arc<Library>> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let state = state_of(&self.out);
        if let Some((of, library)) = &*texts
            && *of == state
        {
            return Ok(Arc::clone(library));
        }
        let built = Built::open(&self.out, &self.settings).ok().flatten();
        let library = built.and_then(|b| b.library()).map(Arc::new).ok_or_else(|| {
            Unanswered(503, "the build is not complete; `zhushu build` makes it so".into())
        })?;
        *texts = Some((state, Arc::clone(&library)));
        Ok(library)
    }
}

impl Asked<'_> {
    /// A parameter that is given and not empty.
    fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|v| &**v).filter(|v| !v.is_empty())
    }

    /// The text that `resource` names.
    fn resource<'l>(&self, library: &'l Library) -> Answer<&'l Document> {
        let id = self
            .get("resource")
            .ok_or_else(|| Unanswered(400, "the parameter resource is missing".into()))?;
        text_of(library, id).ok_or_else(|| Unanswered(404, format!("there is no text “{id}”")))
    }

    /// One page of the members of an answer, and the links to the others, if there are any.
    fn page(&self, mut members: Vec<Value>) -> Answer<(Vec<Value>, Option<Value>)> {
        let last = members.len().div_ceil(PAGE).max(1);
        let page: usize = match self.get("page").map(str::parse) {
            None => 1,
            Some(Ok(n)) if (1..=last).contains(&n) => n,
            Some(_) => return Err(Unanswered(404, format!("the pages are 1 to {last}"))),
        };
        if last == 1 {
            return Ok((members, None));
        }
        members.truncate(page * PAGE);
        let members = members.split_off((page - 1) * PAGE);
        let other = |n: usize| {
            let own = form_urlencoded::Serializer::new(String::new())
                .extend_pairs(self.values.iter().filter(|(name, _)| *name != "page"))
                .append_pair("page", &n.to_string())
                .finish();
            format!("{}?{own}", self.address.split('?').next().unwrap_or_default())
        };
        let inside = |n: usize| (1..=last).contains(&n).then(|| other(n));
        let view = json!({
            "@id": other(page), "@type": "Pagination", "first": other(1), "last": other(last),
            "previous": inside(page - 1), "next": inside(page + 1),
        });
        Ok((members, Some(view)))
    }
}

fn entry() -> Value {
    let at = |endpoint: &str, parameters: &str| format!("/{ADDRESS}/{endpoint}{{?{parameters}}}");
    json!({
        "@context": CONTEXT, "dtsVersion": VERSION, "@id": format!("/{ADDRESS}"), "@type": "EntryPoint",
        "collection": at("collection", "id,page,nav"),
        "navigation": at("navigation", "resource,ref,start,end,down,tree,page"),
        "document": at("document", "resource,ref,start,end,tree,mediaType"),
    })
}

/// The identifier of a text: its URN.
fn id_of(document: &Document) -> String {
    urn_of(document).trim_end_matches(':').to_string()
}

fn text_of<'l>(library: &'l Library, id: &str) -> Option<&'l Document> {
    library.documents.iter().map(|d| &**d).find(|d| id_of(d) == id)
}

/// A text as both endpoints describe it.
fn resource(document: &Document) -> Map<String, Value> {
    let id = id_of(document);
    let at = |endpoint: &str, of: &str, more: &str| {
        let id: String = form_urlencoded::byte_serialize(id.as_bytes()).collect();
        format!("/{ADDRESS}/{endpoint}?{of}={id}{{&{more}}}")
    };
    let described = json!({
        "@id": id, "@type": "Resource",
        "collection": at("collection", "id", "nav"),
        "navigation": at("navigation", "resource", "ref,start,end,down,tree,page"),
        "document": at("document", "resource", "ref,start,end,tree,mediaType"),
        "mediaTypes": [document::TEI, document::PLAIN],
        "citationTrees": tree::described(document),
    });
    match described {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn json_ld(value: Value) -> Reply {
    Reply::content("application/ld+json", value.to_string().into())
}
