//! `zhushu serve` as a program that speaks Distributed Text Services asks it.

use std::fs;

use serde_json::Value;

use super::serve::Server;
use crate::support::corpus::built;
use crate::support::program::Folder;

const TEXT: &str = "urn:cts:zhushu:yili.05.yili-05-zhushu";

/// Status, head and body of what a program gets.
fn ask(server: &Server, address: &str) -> (u16, String, String) {
    let (status, head, body) = server.ask("GET", &format!("/api/dts{address}"));
    (status, head, String::from_utf8(body).expect("UTF-8"))
}

fn json(server: &Server, address: &str) -> Value {
    let (status, head, body) = ask(server, address);
    assert_eq!(status, 200, "{address}: {body}");
    assert!(head.contains("Content-Type: application/ld+json"), "{head}");
    serde_json::from_str(&body).expect("JSON")
}

fn members<'a>(answer: &'a Value, key: &str) -> Vec<&'a str> {
    let all = answer["member"].as_array().expect("members");
    all.iter().map(|m| m[key].as_str().unwrap_or_default()).collect()
}

/// Fills in a URI template as far as these tests need it.
fn without_template(address: &Value) -> String {
    let address = address.as_str().expect("an address");
    let path = address.split('{').next().unwrap_or_default();
    path.strip_prefix("/api/dts").expect("an address of the endpoint").to_string()
}

#[test]
fn a_program_walks_from_the_entry_to_the_words_of_a_note() {
    let server = Server::start_in(built(), &[]);
    let entry = json(&server, "");
    assert_eq!((&entry["@type"], &entry["dtsVersion"]), (&"EntryPoint".into(), &"1.0".into()));
    let corpus = json(&server, &without_template(&entry["collection"]));
    assert_eq!(members(&corpus, "title"), ["儀禮"]);
    assert_eq!(corpus["totalChildren"], 1);
    let work = json(&server, &without_template(&corpus["member"][0]["collection"]));
    assert_eq!(members(&work, "@id").len(), 5);
    assert!(members(&work, "@id").contains(&TEXT));
    let text = work["member"].as_array().unwrap().iter().find(|t| t["@id"] == TEXT).unwrap();
    let over = json(&server, &format!("{}&nav=parents", without_template(&text["collection"])));
    assert_eq!(members(&over, "@id"), ["urn:cts:zhushu:yili"]);
    let trees = text["citationTrees"].as_array().unwrap();
    assert!(trees[0]["identifier"].is_null(), "the first is the default");
    assert!(trees.iter().any(|t| t["identifier"] == "zhu"));
    let navigation = without_template(&text["navigation"]);
    let sections = json(&server, &format!("{navigation}&down=1"));
    assert_eq!(members(&sections, "identifier"), ["0", "1", "2", "3", "4"]);
    assert_eq!(sections["member"][2]["dublinCore"]["title"][0]["value"], "取矢");
    let inside = json(&server, &format!("{navigation}&ref=2.7&down=1"));
    assert_eq!(inside["ref"]["parent"], "2");
    assert_eq!(members(&inside, "identifier"), ["2.7", "2.7.zhu", "2.7.shu"]);
    let document = without_template(&text["document"]);
    let (status, head, tei) = ask(&server, &format!("{document}&ref=2.7.zhu"));
    assert_eq!(status, 200);
    assert!(
        head.contains("Content-Type: application/tei+xml") && head.contains("rel=\"collection\"")
    );
    assert!(tei.contains("<dts:wrapper xmlns:dts=\"https://w3id.org/api/dts#\">"), "{tei}");
    assert!(tei.contains("<note type=\"zhu\" n=\"2.7.zhu\">") && tei.contains("射事已"), "{tei}");
    assert!(!tei.contains("司射遂適西階西"), "{tei}");
    // quick-xml takes a second declaration without a word.
    assert!(tei.starts_with("<?xml ") && tei.matches("<?xml").count() == 1, "{tei}");
    let mut reader = quick_xml::Reader::from_str(&tei);
    while reader.read_event().expect("well-formed") != quick_xml::events::Event::Eof {}
}

#[test]
fn the_tree_is_in_order_and_as_deep_as_asked() {
    let server = Server::start_in(built(), &[]);
    let navigation = |more: &str| json(&server, &format!("/navigation?resource={TEXT}&{more}"));
    let whole = navigation("down=-1");
    let all = whole["member"].as_array().unwrap();
    let mut open: Vec<&str> = vec![];
    for unit in all {
        let level = unit["level"].as_u64().unwrap() as usize;
        open.truncate(level - 1);
        assert_eq!(unit["parent"].as_str(), open.last().copied(), "{unit}");
        open.push(unit["identifier"].as_str().unwrap());
    }
    let two = navigation("down=2");
    let shallow = all.iter().filter(|u| u["level"].as_u64() <= Some(2)).count();
    assert_eq!(two["member"].as_array().unwrap().len(), shallow);
    let siblings = navigation("ref=3&down=0");
    assert_eq!(members(&siblings, "identifier"), ["0", "1", "2", "3", "4"]);
    let range = navigation("start=2.7&end=2.8&down=1");
    assert_eq!(members(&range, "identifier").first(), Some(&"2.7"));
    assert!(members(&range, "identifier").contains(&"2.8.zhu"));
    assert!(navigation("ref=2.7")["member"].is_null());
    let notes = navigation("tree=zhu&down=-1");
    let of_notes: Vec<&str> = members(&notes, "citeType");
    assert!(of_notes.iter().all(|t| ["section", "zhu"].contains(t)) && of_notes.contains(&"zhu"));
}

#[test]
fn the_words_are_those_of_the_build() {
    let server = Server::start_in(built(), &[]);
    let (_, _, tei) = ask(&server, &format!("/document?resource={TEXT}"));
    let written = fs::read_to_string(built().join("out/tei/yili-05-zhushu.xml"));
    assert_eq!(tei, written.expect("the build wrote it"));
    let plain = |more: &str| {
        ask(&server, &format!("/document?resource={TEXT}&mediaType=text/plain&{more}")).2
    };
    assert!(plain("ref=2.7").starts_with("司射遂適西階西"), "{}", plain("ref=2.7"));
    assert!(plain("ref=2.7").lines().count() > 2, "with what is said about it");
    assert_eq!(plain("ref=2.7&tree=jing").lines().count(), 1);
    let range = plain("start=2.7&end=2.9&tree=jing");
    assert!(range.lines().count() >= 3 && range.contains("二筭為純"), "{range}");
}

#[test]
fn what_is_not_there_or_not_understood_is_refused() {
    let server = Server::start_in(built(), &[]);
    let of_text = |more: &str| format!("?resource={TEXT}&{more}");
    for (wanted, address) in [
        (404, "/nothing".to_string()),
        (404, "/collection?id=nothing".into()),
        (400, "/collection?nav=sideways".into()),
        (404, "/collection?page=2".into()),
        (400, "/navigation?down=1".into()),
        (404, "/navigation?resource=nothing&down=1".into()),
        (400, format!("/navigation{}", of_text(""))),
        (400, format!("/navigation{}", of_text("down=0"))),
        (400, format!("/navigation{}", of_text("down=x"))),
        (400, format!("/navigation{}", of_text("ref=2&start=2&end=3"))),
        (400, format!("/navigation{}", of_text("start=2"))),
        (400, format!("/navigation{}", of_text("start=3&end=2&down=1"))),
        (404, format!("/navigation{}", of_text("ref=99"))),
        (404, format!("/navigation{}", of_text("tree=nothing&down=1"))),
        (404, format!("/document{}", of_text("ref=99.9"))),
        (404, format!("/document{}", of_text("ref=%3Cx%3E"))),
        (404, format!("/document{}", of_text("mediaType=image/png"))),
    ] {
        let (status, _, body) = ask(&server, &address);
        assert_eq!(status, wanted, "{address}: {body}");
        assert!(body.contains("\"title\""), "{body}");
    }
    let foreign = format!(
        "GET /api/dts HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: cross-site\r\n\r\n",
        server.address
    );
    assert_eq!(server.send(foreign.as_bytes()).0, 403);
    let open = Server::start_in(built(), &["--any-site"]);
    let foreign = foreign.replace(&server.address, &open.address);
    assert_eq!(open.send(foreign.as_bytes()).0, 200);
}

#[test]
fn the_leaves_of_a_print_are_a_tree_of_their_own() {
    let p = Folder::new();
    p.write(
        "corpus/KR1d0026_006.txt",
        "#+TITLE: 儀禮\n#+PROPERTY: JUAN 6\n<pb:KR1d0026_SBCK_006-1a>¶\n燕禮第六¶\n小臣戒與者(小臣相君¶\n\
         <pb:KR1d0026_SBCK_006-1b>¶\n燕飲之法)膳宰具官饌于寢東(官饌酒也)樂人縣¶\n",
    );
    p.run("build corpus -o out").success();
    let server = Server::start_in(p.path(), &["out"]);
    let corpus = json(&server, "/collection");
    let work = json(&server, &without_template(&corpus["member"][0]["collection"]));
    let text = &work["member"][0];
    let trees = text["citationTrees"].as_array().unwrap();
    assert_eq!(trees.last().unwrap()["identifier"], "leaf");
    let navigation = without_template(&text["navigation"]);
    let leaves = json(&server, &format!("{navigation}&tree=leaf&down=1"));
    assert_eq!(members(&leaves, "identifier"), ["KR1d0026_SBCK 006-1a", "KR1d0026_SBCK 006-1b"]);
    assert_eq!(members(&leaves, "citeType"), ["leaf", "leaf"]);
    let document = without_template(&text["document"]);
    let part = |of: &str| ask(&server, &format!("{document}&tree=leaf&{of}&mediaType=text/plain"));
    let (status, _, words) = part("ref=KR1d0026_SBCK+006-1b");
    assert_eq!((status, &*words), (200, "燕飲之法\n膳宰具官饌于寢東\n官饌酒也\n樂人縣\n"));
    let (_, _, both) = part("start=KR1d0026_SBCK+006-1a&end=KR1d0026_SBCK+006-1b");
    assert!(both.contains("小臣戒與者") && both.contains("樂人縣"), "{both}");
    let (_, _, tei) = ask(&server, &format!("{document}&tree=leaf&ref=KR1d0026_SBCK+006-1b"));
    assert!(tei.contains("<note type=\"zhu\"") && tei.contains("燕飲之法</note>"), "{tei}");
    assert_eq!(part("ref=9").0, 404);
}
