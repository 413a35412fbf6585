//! The search of a site as browsers and programs describe searches to each other (OpenSearch 1.1,
//! draft 6): where to ask, for a page and for JSON.

use crate::markup::{Escaping, Markup};

use super::{api, reply::Reply};

/// Where the description is, relative to the pages.
const FILE: &str = "opensearch.xml";
const MIME: &str = "application/opensearchdescription+xml";
/// Ends the head of a page.
const END_OF_HEAD: &str = "</head>";

/// The description of the search of this host, if a request is for it.
pub fn reply(path: &str, host: Option<&str>) -> Option<Reply> {
    (path.strip_prefix('/')? == FILE).then(|| match host {
        Some(host) => Reply::content(MIME, description(host)),
        None => Reply::words(400, "the request does not name the host"),
    })
}

/// The first page with a link to the description. Only a served site has one, since it contains its
/// address.
pub fn linked(path: &str, reply: Reply) -> Reply {
    if !["/", "/index.html"].contains(&path) {
        return reply;
    }
    let link = format!("<link rel=\"search\" type=\"{MIME}\" href=\"{FILE}\" title=\"zhushu\">");
    reply.map_page(|page| page.replacen(END_OF_HEAD, &format!("{link}{END_OF_HEAD}"), 1))
}

fn description(host: &str) -> Vec<u8> {
    let at = |path: &str| format!("http://{host}/{path}?q={{searchTerms}}");
    let mut bytes = vec![];
    let mut xml = Markup::xml(&mut bytes, Escaping::Xml).indented();
    xml.open("OpenSearchDescription").attr("xmlns", "http://a9.com/-/spec/opensearch/1.1/");
    xml.element("ShortName", "zhushu");
    xml.element("Description", "Texts with their commentaries, by layer and through variants");
    xml.void("Url").attr("type", "text/html").attr("template", at("index.html"));
    let more = format!("{}&limit={{count?}}&skip={{startIndex?}}", at(api::SEARCH));
    xml.void("Url").attr("type", "application/json").attr("indexOffset", 0).attr("template", more);
    xml.element("InputEncoding", "UTF-8");
    xml.close();
    // Memory can always be written.
    let _ = xml.finish();
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_names_the_host_and_nothing_else_can_be_put_in() {
        let of = |host| String::from_utf8(description(host)).unwrap();
        let usual = of("127.0.0.1:8000");
        for template in [
            "template=\"http://127.0.0.1:8000/index.html?q={searchTerms}\"",
            "template=\"http://127.0.0.1:8000/api/search?q={searchTerms}&amp;limit={count?}&amp;skip={startIndex?}\"",
        ] {
            assert!(usual.contains(template), "{usual}");
        }
        assert!(!of("a\"/><script>").contains("<script"));
    }
}
