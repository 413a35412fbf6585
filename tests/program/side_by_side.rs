//! What stands side by side on the pages of a site, in a real browser: commentaries as columns, and
//! another text in a frame, which follows what is read, from a folder and served.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use zhushu::corpus::Library;
use zhushu::model::{Document, Layer, Segment};
use zhushu::pipeline;
use zhushu::source::Source;

use crate::pages::accessible;
use crate::serve::Server;
use crate::support::browser::{chromium, site_of};
use crate::support::corpus::{built, library};
use crate::support::driven::DrivenBrowser;

const READY: &str = "document.querySelector('main .p.s') && window.zhushuPage";
/// The left edges of the first passage that has notes of 鄭玄 and of 張爾岐: classic, notes.
const LEFT: &str = "(() => { const jie = Array.from(document.querySelectorAll('.jie')).find(j => j.querySelector('.wen > .zhu') && j.querySelector('.wen > .ju')); \
                    return ['.jing', '.zhu', '.ju'].map(c => Math.round(jie.querySelector('.wen > ' + c).getBoundingClientRect().left)); })()";

#[test]
fn each_commentary_has_a_column_where_there_is_room() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(library());
    let profile = tempfile::tempdir().expect("a folder");
    let mut page = DrivenBrowser::start(browser, profile.path());
    let places = |page: &mut DrivenBrowser, width: u32| -> Vec<i64> {
        page.screen(width, 800, width < 500);
        page.wait(&format!("innerWidth === {width}"));
        page.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        let left = page.value(LEFT);
        left.as_array().expect("places").iter().filter_map(|n| n.as_i64()).collect()
    };
    page.screen(1400, 800, false);
    page.open(&format!("file://{}/yili-07-judou.html", folder.path().display()));
    page.wait(READY);
    let text = page.value("document.querySelector('main').textContent");
    page.press("6");
    page.wait("document.querySelector('main.columned')");
    let wide = places(&mut page, 1400);
    assert!(wide[0] + 200 < wide[1] && wide[1] + 200 < wide[2], "{wide:?}");
    assert_eq!(page.value("document.querySelector('main').textContent"), text);
    accessible(&mut page, "columns");
    // Who is switched off has no column: his room goes to the others.
    page.value("document.getElementById('sw-zhu').click(); true");
    page.wait(&format!("{LEFT}[2] < {}", wide[2]));
    page.value("document.getElementById('sw-zhu').click(); true");
    page.wait(&format!("{LEFT}[2] === {}", wide[2]));
    // For two columns there is room: the notes share one. On a phone they are below.
    let narrow = places(&mut page, 620);
    assert!(narrow[0] < narrow[1] && narrow[1] == narrow[2], "{narrow:?}");
    assert!(places(&mut page, 390).iter().all(|left| *left < 100));
    assert!(page.console.is_empty(), "{:?}", page.console);
    if let Some(pictures) = std::env::var_os("ZHUSHU_PICTURES") {
        places(&mut page, 1280);
        page.picture(&std::path::Path::new(&pictures).join("columns.png"));
    }
}

/// The sentence of the other text that corresponds, as this one sees it: from a folder nobody can
/// look into the frame, so it is asked.
const ANSWERS: &str =
    "window.heard = []; addEventListener('message', e => heard.push(e.data.zhushuBeside)); true";

#[test]
fn another_text_beside_follows_what_is_read() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(library());
    let server = Server::start_in(built(), &[]);
    let profile = tempfile::tempdir().expect("a folder");
    let mut page = DrivenBrowser::start(browser, profile.path());
    page.screen(1400, 800, false);
    for base in
        [format!("file://{}", folder.path().display()), format!("http://{}", server.address)]
    {
        page.open(&format!("{base}/yili-05-jinyi.html"));
        page.wait(READY);
        page.value(ANSWERS);
        page.click("#open-layouts");
        page.click("#besides a");
        page.wait("heard.includes('ready')");
        assert_eq!(
            page.value("[location.search, document.querySelector('#beside iframe').title]"),
            json!(["?beside=yili-05-zhushu.html", "儀禮注疏・鄉射禮"])
        );
        assert_eq!(page.value("document.querySelector('.bar').offsetHeight <= 56"), json!(true));
        assert!(page.console.is_empty(), "{:?}", page.console);
        accessible(&mut page, &base);
        // The checker speaks to the frame as to a page of a server.
        page.console.clear();
        // Read in the frame, and here is what corresponds: the mouse moves over a sentence there.
        page.value("document.querySelector('main .with')?.classList.remove('with'); true");
        for x in [1000, 1010, 1020, 1030, 1040] {
            for y in (80..700).step_by(40) {
                let about = json!({ "type": "mouseMoved", "x": x, "y": y });
                page.call("Input.dispatchMouseEvent", about);
            }
        }
        page.wait("document.querySelector('main .p.s.with[data-b]')");
        let same = "(() => { const keys = document.querySelector('main .with').dataset.b.split(' '); return heard.some(h => h.keys && h.keys.some(k => keys.includes(k))); })()";
        assert_eq!(page.value(same), json!(true), "{base}");
        page.press("Escape");
        page.wait("!document.querySelector('#beside') && !location.search");
        assert_eq!(page.value("document.querySelectorAll('main .with').length"), json!(0));
    }
    assert!(page.console.is_empty(), "{:?}", page.console);
}

/// The value of an expression in the frame.
fn in_frame(page: &mut DrivenBrowser, expression: &str) -> Value {
    let tree = page.call("Page.getFrameTree", json!({}));
    let frame = &tree["frameTree"]["childFrames"][0]["frame"]["id"];
    let world = page.call("Page.createIsolatedWorld", json!({ "frameId": frame }));
    let about = json!({ "expression": expression, "contextId": world["executionContextId"], "returnByValue": true });
    page.call("Runtime.evaluate", about)["result"]["value"].clone()
}

/// Two editions of a chapter, of which the second begins later.
fn editions() -> Library {
    let jishi = library().get("yili-05-jishi").expect("a bundled text");
    let words = jishi.of_layer(Layer::Jing).flat_map(|s| jishi.slice(s.span).chars());
    let words: Vec<char> = words.filter(|c| c.is_alphabetic()).collect();
    let text = |from: usize| -> String {
        words.chunks(12).skip(from).flat_map(|s| s.iter().copied().chain(['。'])).collect()
    };
    let document = |(name, text): (&str, String)| {
        let mut document = Document::new(Arc::new(Source::from_text(name, text)), "test");
        document.meta.work = Some("儀禮".into());
        document.meta.chapter = Some("鄉射禮".into());
        document.segments = vec![Segment::marked(Layer::Jing, document.source.span())].into();
        document
    };
    pipeline::run([("a.txt", text(0)), ("b.txt", text(40))].map(document).to_vec())
}

/// An address that was shared opens both; what is read on this side is shown on the other.
#[test]
fn editions_are_kept_together_by_their_loci() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(&editions());
    let profile = tempfile::tempdir().expect("a folder");
    let mut page = DrivenBrowser::start(browser, profile.path());
    page.screen(1400, 800, false);
    page.open(&format!("file://{}/a.html?beside=b.html", folder.path().display()));
    page.wait("document.querySelector('#beside iframe') && document.querySelector('main .p.s')");
    let sentence = "Array.from(document.querySelectorAll('main .p.s')).at(70)";
    let number = page.value(&format!("{sentence}.previousElementSibling.id"));
    assert!(number.as_str().is_some_and(|n| n.contains('.')), "{number}");
    let there = "document.querySelector('main .with')?.previousElementSibling.id";
    let end = Instant::now() + Duration::from_secs(40);
    while in_frame(&mut page, there) != number {
        assert!(Instant::now() < end, "never {number}: {}", in_frame(&mut page, there));
        page.value(&format!("{sentence}.tabIndex = -1; {sentence}.blur(); {sentence}.focus({{ preventScroll: true }}); true"));
        std::thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(in_frame(&mut page, "document.getElementById('besides').hidden"), json!(true));
    assert!(page.console.is_empty(), "{:?}", page.console);
}
