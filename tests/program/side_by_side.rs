//! What stands side by side on the pages of a site, in a real browser: commentaries as columns, and
//! another text in a frame, which follows what is read, from a folder and served.

use serde_json::json;

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
    assert_eq!(places(&mut page, 390).iter().max().copied() < Some(100), true);
    assert!(page.console.is_empty(), "{:?}", page.console);
    if let Some(pictures) = std::env::var_os("ZHUSHU_PICTURES") {
        places(&mut page, 1280);
        page.picture(&std::path::Path::new(&pictures).join("columns.png"));
    }
}

/// The sentence of the other text that corresponds, as this one sees it: from a folder nobody can
/// look into the frame, so it is asked.
const ANSWERS: &str = "window.heard = []; addEventListener('message', e => heard.push(e.data.zhushuBeside)); true";

#[test]
fn another_text_beside_follows_what_is_read() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(library());
    let server = Server::start_in(built(), &[]);
    let profile = tempfile::tempdir().expect("a folder");
    let mut page = DrivenBrowser::start(browser, profile.path());
    page.screen(1400, 800, false);
    for base in [format!("file://{}", folder.path().display()), format!("http://{}", server.address)] {
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
        accessible(&mut page, &base);
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

/// A shared address opens both; served, a test can look into the frame.
#[test]
fn editions_are_kept_together_by_their_loci() {
    let Some(browser) = chromium() else { return };
    let server = Server::start_in(built(), &[]);
    let profile = tempfile::tempdir().expect("a folder");
    let mut page = DrivenBrowser::start(browser, profile.path());
    page.screen(1400, 800, false);
    page.open(&format!("http://{}/yili-05-jishi.html?beside=yili-05-zhushu.html", server.address));
    let there = "document.querySelector('#beside iframe')?.contentDocument?.querySelector('main .with')?.previousElementSibling.id";
    page.wait(&format!("{READY} && {there}"));
    let locus = page.value("(() => { const both = Array.from(document.querySelectorAll('main .n[id]')).filter(n => frames[0].document.getElementById(n.id) && n.nextElementSibling.matches('.p.s')); return both.at(-1)?.id; })()");
    let locus = locus.as_str().map(String::from);
    if let Some(locus) = &locus {
        page.value(&format!("document.getElementById('{locus}').scrollIntoView({{ behavior: 'instant' }}); true"));
        page.wait(&format!("{there} === '{locus}'"));
    }
    assert!(locus.is_some(), "the editions have no locus in common");
    assert!(page.console.is_empty(), "{:?}", page.console);
}
