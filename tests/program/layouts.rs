//! How a page behaves under a real mouse and real keys, at three widths: vertical lines fit the window,
//! and what a mark means is shown beside it.

use std::sync::Arc;

use serde_json::json;
use zhushu::corpus::Library;
use zhushu::model::{Certainty, Document, Evidence, EvidenceKind, Layer};

use crate::support::browser::{chromium, site_of};
use crate::support::corpus::library;
use crate::support::driven::DrivenBrowser;

/// A phone, a tablet, a screen.
const SCREENS: [(u32, u32); 3] = [(390, 844), (768, 1024), (1400, 800)];

/// A browser at the page of a text.
fn at_page(browser: &str, folder: &std::path::Path, size: (u32, u32)) -> DrivenBrowser {
    let mut browser = DrivenBrowser::start(browser, &folder.join(format!("profile-{}", size.0)));
    browser.screen(size.0, size.1, false);
    browser.open(&format!("file://{}/yili-05-zhushu.html", folder.display()));
    browser.wait("document.readyState === 'complete' && document.getElementById('peek')");
    browser
}

#[test]
fn vertical_lines_fit_the_window_and_the_wheel_and_keys_move_along_them() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(library());
    for size in SCREENS {
        let mut browser = at_page(browser, folder.path(), size);
        browser.value("document.getElementById('lay-zhi').click(); true");
        browser
            .wait("getComputedStyle(document.querySelector('main')).writingMode === 'vertical-rl'");
        // Without scrolling, the foot of no line is hidden: below the window, below the bar, or in the box of the text.
        let fits = "(() => { const m = document.querySelector('main'), r = m.getBoundingClientRect(); \
                    const bar = document.querySelector('.bar').getBoundingClientRect(); \
                    return [r.bottom < innerHeight + 1, r.top > bar.bottom - 1, m.scrollHeight <= m.clientHeight + 1]; })()";
        assert_eq!(browser.value(fits), json!([true, true, true]), "{size:?}");
        let start = browser.value("document.querySelector('main').scrollLeft").as_f64();
        let about = json!({ "type": "mouseWheel", "x": size.0 / 2, "y": size.1 / 2, "deltaX": 0, "deltaY": 300 });
        browser.call("Input.dispatchMouseEvent", about);
        browser.wait(&format!("document.querySelector('main').scrollLeft !== {}", start.unwrap()));
        let wheeled = browser.value("document.querySelector('main').scrollLeft").as_f64();
        assert!(wheeled < start, "{size:?}: the text goes on to the left");
        browser.value("document.querySelector('main').focus(); true");
        browser.press("j");
        browser.wait("CSS.highlights && document.activeElement");
        assert!(browser.console.is_empty(), "{size:?}: {:?}", browser.console);
    }
}

/// The bundled texts, with a doubtful start whose evidence has details.
fn with_a_doubt() -> Library {
    let Library { documents, alignments, beside, language } = library();
    let mut documents: Vec<Arc<Document>> = documents.iter().map(Arc::clone).collect();
    let text = documents.iter_mut().find(|d| d.id == "yili-05-zhushu").expect("a bundled text");
    let text = Arc::make_mut(text);
    let start = text.segments.iter_mut().find(|s| s.layer == Layer::Zhu).expect("a note");
    start.certainty = Certainty::new(0.62);
    start.evidence = vec![Evidence::new(EvidenceKind::Titles, "《周禮》")];
    let (alignments, beside, language) = (alignments.clone(), beside.clone(), *language);
    Library { documents, alignments, beside, language }
}

#[test]
fn why_a_place_is_marked_is_shown_beside_it_and_escape_closes_it() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(&with_a_doubt());
    for size in SCREENS {
        let mut browser = at_page(browser, folder.path(), size);
        let mark = "main button.q";
        // Where the mark is counts only when the page is laid out.
        browser.value(&format!(
            "document.querySelector('{mark}').scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))"
        ));
        browser.click(mark);
        browser.wait("document.querySelector('#peek:popover-open')");
        let words = browser.value("document.querySelector('#peek p').textContent");
        let title = browser.value(&format!("document.querySelector('{mark}').title"));
        assert_eq!(words, title, "{size:?}");
        assert!(!words.as_str().unwrap_or_default().contains("周禮"), "{words}");
        let more = browser.value("document.querySelector('#peek details p').textContent");
        assert!(more.as_str().unwrap_or_default().contains("周禮"), "{more}");
        let beside = format!(
            "(() => {{ const a = document.querySelector('{mark}').getBoundingClientRect(), \
             b = document.querySelector('#peek').getBoundingClientRect(); \
             return b.left >= 0 && b.right <= innerWidth && Math.min(Math.abs(b.top - a.bottom), Math.abs(a.top - b.bottom)) < 40; }})()"
        );
        assert_eq!(browser.value(&beside), json!(true), "{size:?}: not beside its mark");
        browser.press("Escape");
        browser.wait("!document.querySelector('#peek:popover-open')");
        // The same by keys alone.
        browser.value(&format!(
            "document.activeElement.blur(); document.querySelector('{mark}').focus({{ focusVisible: true }}); true"
        ));
        browser.wait("document.querySelector('#peek:popover-open')");
        assert!(browser.console.is_empty(), "{size:?}: {:?}", browser.console);
    }
}
