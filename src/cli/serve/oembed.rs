//! What a page of another program shows for an address of ours (oEmbed 1.0, <https://oembed.com>):
//! the words of the sentence or note that it leads to, or a link to the text.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use serde_json::json;

use super::reply::Reply;
use crate::corpus::{Library, Loci};
use crate::markup::Markup;
use crate::model::{Document, Layer, Locus};
use crate::writers::html::addresses;

/// Where it is asked for, relative to the pages.
pub const ADDRESS: &str = "api/oembed";
const MIME: &str = "application/json+oembed";
/// Width of what is shown, in pixels, unless less is asked for.
const WIDTH: u32 = 600;
/// Pixels of a character and of a line, about, and of all that is not text.
const CHARACTER: u32 = 18;
const LINE: u32 = 30;
const FRAME: u32 = 90;
/// Most characters that are shown.
const MAX_CHARS: usize = 400;

/// Where a page is described, for the header of the page.
pub fn link(path: &str, host: &str) -> Option<String> {
    let is_page = path.ends_with(".html");
    let page: String =
        form_urlencoded::byte_serialize(format!("http://{host}{path}").as_bytes()).collect();
    is_page.then(|| {
        format!(
            "<http://{host}/{ADDRESS}?url={page}&format=json>; rel=\"alternate\"; type=\"{MIME}\""
        )
    })
}

/// What is asked for.
struct EmbedRequest<'a> {
    values: HashMap<Cow<'a, str>, Cow<'a, str>>,
    host: &'a str,
}

/// The answer to a query.
pub fn reply(library: &Library, host: &str, query: &str) -> Reply {
    let asked = EmbedRequest { values: form_urlencoded::parse(query.as_bytes()).collect(), host };
    if asked.values.get("format").is_some_and(|f| f != "json") {
        return Reply::words(501, "the answer is JSON; there is no other format");
    }
    let Some((document, locus)) = asked.place(library) else {
        return Reply::words(404, "url is not the address of a text on this server");
    };
    let url = &asked.values["url"];
    let (title, work) = (&document.meta.title, document.meta.collection.title.as_deref());
    let mut answer = json!({
        "version": "1.0", "type": "link", "title": title,
        "provider_name": work.unwrap_or("zhushu"), "provider_url": format!("http://{host}/"),
    });
    let words =
        locus.map(|locus| (words(document, &locus), locus)).filter(|(words, _)| !words.is_empty());
    if let Some((words, locus)) = words {
        let width = asked.number("maxwidth").map_or(WIDTH, |most| most.min(WIDTH));
        let lines = words
            .iter()
            .map(|(_, w)| (w.chars().count() as u32 * CHARACTER).div_ceil(width.max(1)));
        answer["type"] = json!("rich");
        answer["title"] = json!(format!("{title} {}", locus.passage()));
        answer["html"] = json!(quotation(&words, title, &locus, url));
        answer["width"] = json!(width);
        answer["height"] = json!(FRAME + LINE * lines.sum::<u32>());
    }
    Reply::content("application/json", answer.to_string().into())
}

impl EmbedRequest<'_> {
    fn number(&self, name: &str) -> Option<u32> {
        self.values.get(name)?.parse().ok()
    }

    /// The text that the address is of, and the passage.
    fn place<'l>(&self, library: &'l Library) -> Option<(&'l Document, Option<Locus>)> {
        let url = self.values.get("url")?;
        let at = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
        let at = at.strip_prefix(self.host)?.strip_prefix('/')?;
        let (page, fragment) = at.split_once('#').unwrap_or((at, ""));
        let page = page.split('?').next().unwrap_or_default();
        let plain = |s: &str| Some(percent_decode_str(s).decode_utf8().ok()?.into_owned());
        let page = plain(page)?;
        let of = |d: &&Arc<Document>| addresses::is_page_of(&page, &d.id);
        let document = library.documents.iter().find(of)?;
        Some((document, plain(fragment)?.parse().ok()))
    }
}

/// The words of a passage, layer by layer; the classic alone if a sentence is meant.
fn words(document: &Document, locus: &Locus) -> Vec<(Layer, String)> {
    let loci = Loci::of(document);
    let of_note = locus.from.is_some_and(|p| p.note.is_some());
    let units = loci.find(locus);
    let units = units.iter().filter(|(_, u)| of_note || u.layer == Layer::Jing);
    let mut left = MAX_CHARS;
    units
        .map_while(|(span, unit)| {
            let words: String = document.words(*span).trim().chars().take(left).collect();
            left -= words.chars().count();
            (!words.is_empty()).then_some((unit.layer, words))
        })
        .collect()
}

/// The words as a quotation that names its source.
fn quotation(words: &[(Layer, String)], title: &str, locus: &Locus, url: &str) -> String {
    let mut bytes = vec![];
    let mut h = Markup::html(&mut bytes);
    h.open("blockquote").attr("cite", url).attr("lang", "lzh");
    for (_, words) in words {
        h.element("p", words);
    }
    h.open("footer")
        .open("a")
        .attr("href", url)
        .text(format!("{title} {}", locus.passage()))
        .close()
        .close();
    h.close();
    // Memory can always be written.
    let _ = h.finish();
    String::from_utf8(bytes).unwrap_or_default()
}
