//! The pages of the bundled corpus in a real browser: they open from the file system, their script
//! runs under their content policy, and the console stays empty.
//!
//! Needs `chromium`; reports this and skips if there is none (with `ZHUSHU_FORBID_SKIP=1` that is a
//! failure).

use std::path::Path;
use std::sync::Arc;

use crate::support::browser::{chromium, open, script_of, site_of};
use crate::support::corpus::library;
use crate::support::driven::DrivenBrowser;
use zhushu::model::{Document, Layer, Segment};
use zhushu::pipeline;
use zhushu::search::{self, Index, Options, Show};
use zhushu::source::Source;

/// The accessibility checker.
pub fn axe() -> Option<String> {
    script_of("axe-core", "axe.min.js")
}

/// Fails if the checker finds something on the page that is shown.
#[track_caller]
pub fn accessible(browser: &mut DrivenBrowser, name: &str) {
    let Some(axe) = axe() else { return };
    browser.value(&format!("{axe}; true"));
    let found = browser.value(
        "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], preload: false })\
         .then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 200)).join(' | ')).join('\\n'))",
    );
    assert_eq!(found, serde_json::json!(""), "{name}");
}

#[test]
fn layouts_switches_references_and_keys_work_and_no_accessibility_rule_is_broken() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(library());
    let pages = [
        ("yili-05-zhushu", 1400),
        ("yili-05-zhushu", 390),
        ("yili-07-judou.2", 1400),
        ("yili-05-jinyi", 1400),
        ("index", 390),
        ("index.about", 1400),
        ("index.apparatus", 390),
        ("index.unplaced", 1400),
        ("index.figures", 390),
    ];
    drive_all(browser, folder.path(), &pages);
}

/// Drives pages of a folder in the browser, each at a width; fails where something is wrong.
fn drive_all(browser: &str, folder: &Path, pages: &[(&str, u32)]) {
    let axe = axe().unwrap_or_default();
    let drive = include_str!("browser/drive.js");
    for (name, width) in pages.iter().copied() {
        let page =
            std::fs::read_to_string(folder.join(format!("{name}.html"))).expect("it was written");
        // Before the policy, which applies to what follows it: the page's own parts stay under it.
        let driven = page.replacen(
            "<head>",
            &format!("<head><script>{axe}</script><script>{drive}</script>"),
            1,
        );
        let path = folder.join(format!("driven-{name}.html"));
        std::fs::write(&path, driven).expect("the folder takes it");
        let (dom, said) = open(browser, &path, width, &folder.join("profile"));
        let wrong = dom
            .split("data-wrong=\"")
            .nth(1)
            .and_then(|w| w.split('"').next())
            .unwrap_or("the script did not end");
        assert_eq!(wrong, "done", "{name} at {width}: {said}");
        assert!(!said.lines().any(|l| l.contains("CONSOLE")), "{name} at {width}: {said}");
    }
}

/// Two witnesses of a chapter: a page for each of them as base, with the readings of the other.
#[test]
fn the_witnesses_of_a_chapter_are_collated_with_each_as_base() {
    let Some(browser) = chromium() else { return };
    let own = "司射適堂西，命弟子設豐。弟子奉豐升，設于西楹之西，乃降。勝者之弟子洗觶，升酌。";
    let texts = [("a.txt", own.to_string()), ("b.txt", own.replace("洗觶", "洗爵"))];
    let document = |(name, text): (&str, String)| {
        let mut document = Document::new(Arc::new(Source::from_text(name, text)), "test");
        document.meta.work = Some("儀禮".into());
        document.meta.chapter = Some("鄉射禮".into());
        document.segments = vec![Segment::marked(Layer::Jing, document.source.span())].into();
        document
    };
    let library = pipeline::run(texts.map(document).to_vec());
    let folder = site_of(&library);
    drive_all(browser, folder.path(), &[("index.collated.a", 1400), ("index.collated.b", 390)]);
    let page = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a page");
    assert!(page("index.html").contains("href=\"index.collated.a.html\""));
    assert!(page("a.html").contains("href=\"index.collated.a.html\""));
    for (base, other, words, reading) in [("a", "b", "觶", "爵"), ("b", "a", "爵", "觶")] {
        let page = page(&format!("index.collated.{base}.html"));
        assert!(page.contains(&format!("href=\"index.collated.{other}.html\"")), "{base}");
        let place = page.split("class=\"l\">").nth(1).expect("a difference");
        let (lemma, rest) = place.split_once('<').expect("an end");
        assert_eq!(lemma, words);
        assert!(rest.split("</small>").next().is_some_and(|r| r.ends_with(reading)), "{rest}");
    }
}

#[test]
fn pages_open_from_the_file_system_without_a_word_on_the_console() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(library());
    for (id, words) in [("yili-05-zhushu", "眾賓繼射"), ("yili-07-judou", "大射之儀")] {
        for width in [1400, 390] {
            let page = folder.path().join(format!("{id}.html"));
            let (dom, said) = open(browser, &page, width, &folder.path().join("profile"));
            assert!(dom.contains(words), "{id} at {width}: the page is empty; {said}");
            let console: Vec<&str> = said.lines().filter(|l| l.contains("CONSOLE")).collect();
            assert!(console.is_empty(), "{id} at {width}: {console:?}");
        }
    }
    // A reference opens its target on another page; a locus is an address; the passage lists
    // references to it.
    let page =
        std::fs::read_to_string(folder.path().join("yili-05-zhushu.html")).expect("it was written");
    let across = page
        .split("href=\"")
        .skip(1)
        .filter_map(|h| h.split('"').next())
        .find(|h| h.starts_with("yili-07-judou.") && h.contains('?'));
    let across = across.expect("鄉射 cites 大射").replace("&amp;", "&");
    for (address, id) in [
        (across.as_str(), across.rsplit('#').next().expect("an element")),
        ("yili-05-zhushu.html#yili.05.1.2", "yili.05.1.2"),
    ] {
        let (dom, said) =
            open(browser, &folder.path().join(address), 1400, &folder.path().join("profile"));
        assert!(dom.contains(&format!("id=\"{id}\"")), "{address}");
        assert!(dom.contains(">引此者<") && dom.contains(">異文<"), "{address}");
        assert!(!said.lines().any(|l| l.contains("CONSOLE")), "{address}: {said}");
    }
}

/// Search results open at the hit, also if it is on a later sheet of a long text.
#[test]
fn hits_open_from_the_first_sheet_of_a_text() {
    let Some(browser) = chromium() else { return };
    let library = library();
    let folder = site_of(library);
    let index = folder.path().join("index");
    search::build(library, &index).expect("the folder takes it");
    let index = Index::open(&index).expect("it opens");
    // In the classic, in notes, and in a translation, which has no loci of its own.
    for (query, layer) in [
        ("經:以賢獲與鈞告", "jing"),
        ("注:今文席爲筵", "zhu"),
        ("句讀:獲", "ju"),
        ("譯:算籌", "translation"),
    ] {
        let found = index
            .search(&query.parse().expect("a query"), Options::default())
            .expect("it is whole");
        let answers =
            found.answers(&Show { limit: usize::MAX, ..Show::default() }).expect("it is whole");
        let answer = answers.last().unwrap_or_else(|| panic!("{query} is found"));
        assert_eq!(answer.layer.id(), layer);
        let (anchor, words) =
            (answer.anchor.as_deref().expect("an anchor"), answer.words.as_deref().expect("words"));
        let first = folder.path().join(format!("{}.html", answer.document));
        let later = std::fs::read_to_string(&first)
            .is_ok_and(|page| !page.contains(&format!("id=\"{anchor}\"")));
        let long = ["yili-07-judou", "yili-05-jinyi"].contains(&answer.document.as_str());
        assert_eq!(later, long, "{query}: a later sheet");
        let address = folder.path().join(format!("{}.html?w={words}#{anchor}", answer.document));
        let (dom, said) = open(browser, &address, 1400, &folder.path().join("profile"));
        assert!(dom.contains(&format!("id=\"{anchor}\"")), "{query}: {}", address.display());
        assert!(!said.lines().any(|l| l.contains("CONSOLE")), "{query}: {said}");
    }
}
