//! Leaves of the print: where the text says that one begins, pages and TEI say so too.

use zhushu::pipeline;
use zhushu::source::Source;

use super::tei::write;

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
