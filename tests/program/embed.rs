//! `zhushu serve` as a page asks it that wants to show what an address of ours leads to (oEmbed).

use serde_json::Value;

use super::serve::Server;
use crate::support::corpus::built;

fn asked(server: &Server, query: &str) -> (u16, Value) {
    let (status, _, body) = server.ask("GET", &format!("/api/oembed?{query}"));
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

#[test]
fn an_address_is_shown_as_the_words_that_it_leads_to() {
    let server = Server::start_in(built(), &[]);
    let (status, head, _) = server.ask("GET", "/yili-05-zhushu.html");
    assert_eq!(status, 200);
    let link = head.lines().find(|l| l.starts_with("Link: ")).expect("pages name the endpoint");
    assert!(link.contains("rel=\"alternate\"; type=\"application/json+oembed\""), "{link}");
    let query = link.split("oembed?").nth(1).unwrap().split('>').next().unwrap();
    let (status, text) = asked(&server, query);
    assert_eq!((status, &text["type"]), (200, &"link".into()));
    assert_eq!(text["title"], "儀禮注疏・鄉射禮");
    let sentence = format!("{}%23yili.05.2.7", query.split('&').next().unwrap());
    let (_, shown) = asked(&server, &format!("{sentence}&maxwidth=300"));
    assert_eq!((&shown["version"], &shown["type"]), (&"1.0".into(), &"rich".into()));
    assert_eq!((&shown["title"], &shown["width"]), (&"儀禮注疏・鄉射禮 2.7".into(), &300.into()));
    assert!(shown["height"].as_u64().unwrap() > 90);
    let html = shown["html"].as_str().unwrap();
    assert!(
        html.starts_with("<blockquote cite=\"http://") && html.contains("yili.05.2.7"),
        "{html}"
    );
    let (_, note) = asked(&server, &format!("{sentence}.zhu"));
    assert_ne!(note["html"], shown["html"]);
    assert_eq!(asked(&server, "").0, 404);
    assert_eq!(asked(&server, "url=http://example.org/yili-05-zhushu.html").0, 404);
    assert_eq!(asked(&server, &format!("{sentence}&format=xml")).0, 501);
}
