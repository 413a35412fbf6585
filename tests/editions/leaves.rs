//! Leaves of the print: where the text says that one begins, pages and TEI say so too.

use serde_json::Value;
use zhushu::corpus::{LayerChoice, Library, Punctuation};
use zhushu::model::LeafImages;
use zhushu::source::Source;
use zhushu::{pipeline, readers};

use super::tei::write;
use crate::support::editions::{edition, files};

const MANDOKU: &str = "#+TITLE: 儀禮\n<pb:KR1d0026_SBCK_006-1a>¶\n燕禮小臣戒與者(小臣相君¶\n\
    <pb:KR1d0026_SBCK_006-1b>¶\n燕飲之法)膳宰具官饌于寢東¶\n";

#[test]
fn leaves_are_in_pages_and_in_tei_and_no_text() {
    let library = pipeline::convert(Source::from_text("a.txt", MANDOKU), Some("mandoku")).unwrap();
    let document = &library.documents[0];
    let page = String::from_utf8(write("html", document, &library)).unwrap();
    let sign =
        |n: &str| format!("<span class=\"leaf\" data-n=\"{n}\" title=\"KR1d0026_SBCK\"></span>");
    for (n, words) in [("006-1a", "燕禮"), ("006-1b", "燕飲")] {
        let (_, after) = page.split_once(&sign(n)).unwrap_or_else(|| panic!("no {n}: {page}"));
        assert!(after.starts_with(words), "{n}: {}", &after[..60]);
    }
    let tei = String::from_utf8(write("tei", document, &library)).unwrap();
    assert_eq!(tei.matches("<pb ed=\"KR1d0026_SBCK\" n=\"006-1").count(), 2);
}

#[test]
fn page_breaks_of_other_tei_stand_where_they_stood() {
    let tei = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><text><body><p>燕禮小臣<pb n=\"12b\" ed=\"T\"/>戒與者</p>\
        <pb n=\"13a\"/><p>膳宰具官饌</p></body></text></TEI>";
    let library = pipeline::convert(Source::from_text("a.xml", tei), None).unwrap();
    let ours = String::from_utf8(write("tei", &library.documents[0], &library)).unwrap();
    for n in ["<pb ed=\"T\" n=\"12b\"/>", "<pb n=\"13a\"/>"] {
        assert_eq!(ours.matches(n).count(), 1, "{n}: {ours}");
    }
}

/// A document with images by a pattern.
fn with_images(pattern: &str) -> Library {
    let mut document = readers::read(Source::from_text("a.txt", MANDOKU), Some("mandoku")).unwrap();
    document.meta.images = vec![LeafImages::Pattern(pattern.into())];
    pipeline::run(vec![document])
}

fn text(format: &str, library: &Library) -> String {
    String::from_utf8(write(format, &library.documents[0], library)).unwrap()
}

#[test]
fn a_leaf_leads_to_its_image_and_the_page_may_load_only_that() {
    let library = with_images("https://example.org/{siglum}/{volume}-{page:02}{side}.jpg?a&b");
    let page = text("html", &library);
    let link = "<a class=\"leaf\" data-n=\"006-1b\" data-e=\"KR1d0026_SBCK\" \
        href=\"https://example.org/SBCK/6-01b.jpg?a&amp;b\" rel=\"noreferrer\"";
    assert!(page.contains(link), "{page}");
    assert!(page.contains("; img-src https://example.org\""), "{page}");
    assert!(!page.contains("<img"), "nothing is loaded before somebody asks for it");
    let without = text("html", &with_images("i/{text}/{side}{page}/{volume}{leaf}"));
    assert!(without.contains("; img-src &#39;self&#39; file:\""), "{without}");
    let tei = text("tei", &library);
    let facs = "facs=\"https://example.org/SBCK/6-01a.jpg?a&amp;b\" n=\"006-1a\"";
    assert!(tei.contains(facs), "{tei}");
    let json: Value = serde_json::from_str(&text("json", &library)).unwrap();
    assert_eq!(json["leaves"][1]["image"], "https://example.org/SBCK/6-01b.jpg?a&b");
    // Without the manifest our own TEI still has the images.
    let again = pipeline::convert(Source::from_text("a.xml", tei), None).unwrap();
    assert!(text("html", &again).contains(link));
}

#[test]
fn images_that_tei_names_are_shown_and_odd_addresses_are_not() {
    let tei = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><facsimile><surface xml:id=\"s1\">\
        <graphic url=\"scans/1.jpg\"/></surface></facsimile><text><body><p>\
        <pb n=\"1a\" facs=\"#s1\"/>燕禮小臣<pb n=\"1b\" facs=\"javascript:alert(1)\"/>戒與者\
        <pb n=\"2a\" facs=\"https://a.org/2a.png\"/>膳宰具官饌</p></body></text></TEI>";
    let library = pipeline::convert(Source::from_text("a.xml", tei), None).unwrap();
    let page = text("html", &library);
    for image in ["href=\"scans/1.jpg\"", "href=\"https://a.org/2a.png\""] {
        assert_eq!(page.matches(image).count(), 1, "{image}: {page}");
    }
    assert!(!page.contains("href=\"javascript") && !page.contains("data-image=\"javascript"));
    let ours = text("tei", &library);
    assert!(ours.contains("<pb n=\"1a\" facs=\"scans/1.jpg\"/>"), "{ours}");
    assert!(ours.contains("<pb n=\"1b\"/>"), "{ours}");
}

#[test]
fn a_text_without_its_punctuation_keeps_its_leaves() {
    let choice = LayerChoice { punctuation: Punctuation::Without, ..LayerChoice::default() };
    let library = choice.of(&with_images("{leaf}"));
    let json: Value = serde_json::from_str(&text("json", &library)).unwrap();
    assert_eq!(json["leaves"].as_array().unwrap().len(), 2, "{json}");
}

#[test]
fn a_canvas_has_a_leaf_with_its_image_and_its_text() {
    let edition = edition(with_images("scans/{page}{side}.jpg"), "儀禮");
    let files = files(&edition, "iiif");
    let manifest: Value = serde_json::from_slice(&files[0].1).unwrap();
    assert_eq!((files.len(), &manifest["type"]), (1, &"Manifest".into()));
    let canvases = manifest["items"].as_array().unwrap();
    let labels: Vec<&str> =
        canvases.iter().map(|c| c["label"]["none"][0].as_str().unwrap()).collect();
    assert_eq!(labels, ["KR1d0026_SBCK 006-1a", "KR1d0026_SBCK 006-1b"]);
    let image = &canvases[1]["items"][0]["items"][0];
    assert_eq!(image["motivation"], "painting");
    assert_eq!(image["body"]["id"], "https://zhushu.invalid/iiif/scans/1b.jpg");
    assert_eq!(
        (&image["body"]["format"], &image["target"]),
        (&"image/jpeg".into(), &canvases[1]["id"])
    );
    let words = |n: usize| -> Vec<(&str, &str)> {
        let texts = canvases[n]["annotations"][0]["items"].as_array().unwrap();
        texts
            .iter()
            .map(|t| {
                assert_eq!(t["motivation"], "supplementing");
                let layer = t["label"]["none"][0].as_str().unwrap();
                (layer.split(' ').next().unwrap(), t["body"]["value"].as_str().unwrap())
            })
            .collect()
    };
    assert_eq!(words(0), [("經", "燕禮小臣戒與者"), ("注", "小臣相君")]);
    assert_eq!(words(1), [("注", "燕飲之法"), ("經", "膳宰具官饌于寢東")]);
}
