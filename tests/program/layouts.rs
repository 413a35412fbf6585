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
        keys_move_along(&mut browser, size);
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
    start.evidence = [Evidence::new(EvidenceKind::Titles, "《周禮》")].into();
    let (alignments, beside, language) = (alignments.clone(), beside.clone(), *language);
    Library { documents, alignments, beside, language }
}

/// Nothing has the focus at first; the text is not at its beginning.
fn keys_move_along(browser: &mut DrivenBrowser, size: (u32, u32)) {
    let at = |browser: &mut DrivenBrowser| {
        browser.value("document.querySelector('main').scrollLeft").as_f64().expect("a number")
    };
    browser.press("Home");
    assert_eq!(at(browser), 0.0, "{size:?}: Home");
    let top = browser.value("scrollY");
    let page = browser.value("document.querySelector('main').clientWidth").as_f64().unwrap_or(0.0);
    for (on, back, least) in [
        ("ArrowLeft", "ArrowRight", 20.0),
        ("ArrowDown", "ArrowUp", 20.0),
        ("PageDown", "PageUp", page / 2.0),
        (" ", "PageUp", page / 2.0),
    ] {
        browser.press(on);
        let there = at(browser);
        assert!(there <= -least && there >= -page, "{on:?} at {size:?}: {there}");
        browser.press(on);
        assert!(at(browser) < there, "{on:?} twice at {size:?}");
        browser.press(back);
        assert_eq!(at(browser), there, "{back} at {size:?}");
        browser.press("Home");
    }
    browser.press("End");
    let end = "(() => { const m = document.querySelector('main'); return m.clientWidth - m.scrollWidth; })()";
    let left = browser.value(end).as_f64().expect("a number");
    assert!((at(browser) - left).abs() < 2.0 && left < -page, "{size:?}: End");
    browser.press("Home");
    assert_eq!(browser.value("scrollY"), top, "{size:?}: the page itself does not move");
    // From sentence to sentence: the one with the focus is in view.
    let focused =
        "Array.from(document.querySelectorAll('main .p.s')).indexOf(document.activeElement)";
    browser.press("j");
    let first = browser.value(focused).as_i64().expect("a number");
    assert!(first >= 0, "{size:?}");
    for _ in 0..25 {
        browser.press("j");
    }
    assert_eq!(browser.value(focused), json!(first + 25), "{size:?}");
    let far = at(browser);
    assert!(far < 0.0, "{size:?}: j");
    let shown = "(() => { const r = document.activeElement.getClientRects()[0]; return r.left >= -1 && r.right <= innerWidth + 1; })()";
    assert_eq!(browser.value(shown), json!(true), "{size:?}");
    for _ in 0..25 {
        browser.press("k");
    }
    assert_eq!(browser.value(focused), json!(first), "{size:?}");
    assert!(at(browser) > far, "{size:?}: k");
}

#[test]
fn without_scripts_a_whole_vertical_line_fits_the_window() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(library());
    for size in [(390, 844), (390, 600), (768, 1024), (1400, 800)] {
        let profile = folder.path().join(format!("profile-{}-{}", size.0, size.1));
        let mut browser = DrivenBrowser::start(browser, &profile);
        browser.screen(size.0, size.1, false);
        browser.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
        browser.open(&format!("file://{}/yili-05-zhushu.html", folder.path().display()));
        browser.wait("document.readyState === 'complete' && document.querySelector('footer')");
        browser.click("#open-layouts");
        browser.click("label:has(#lay-zhi)");
        browser.click("#open-layouts");
        browser
            .wait("getComputedStyle(document.querySelector('main')).writingMode === 'vertical-rl'");
        // A reader who scrolls to about the text is led to its edge.
        let scrolls = "document.documentElement.style.scrollBehavior = 'auto'; \
                       scrollTo({ top: document.querySelector('main').getBoundingClientRect().top + scrollY - 30, behavior: 'instant' }); true";
        let fits = "(() => { const m = document.querySelector('main'), r = m.getBoundingClientRect(); \
                    const bar = document.querySelector('.bar').getBoundingClientRect(); \
                    return Math.abs(r.top) < 1 && r.bottom < innerHeight + 1 && bar.bottom <= r.top + 1 && m.scrollHeight <= m.clientHeight + 1; })()";
        browser.repeat_until(scrolls, fits);
    }
}

/// Double rows on paper: as large as print, within the page.
#[test]
fn notes_in_double_rows_are_larger_in_print() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(library());
    let mut browser = at_page(browser, folder.path(), (1400, 800));
    // In points, of a note and of a note inside the classic.
    let sizes = "Array.from(new Set(Array.from(document.querySelectorAll('main .jz'), e => Math.round(parseFloat(getComputedStyle(e).fontSize) * 7.5) / 10)))";
    for (layout, width) in [("jia", 17.0), ("zhi", 23.9)] {
        browser.value(&format!("document.getElementById('lay-{layout}').click(); true"));
        browser.wait("document.querySelector('main .jz')");
        browser.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
        browser.value("dispatchEvent(new Event('beforeprint')); true");
        let sizes = browser.value(sizes);
        let all = sizes.as_array().expect("sizes");
        assert!(
            !all.is_empty() && all.iter().all(|s| s.as_f64() >= Some(10.0)),
            "{layout}: {sizes}"
        );
        let side = if layout == "zhi" { "Height" } else { "Width" };
        let fits = format!(
            "(() => {{ const m = document.querySelector('main'), most = {width} * 96 / 2.54 + 1; \
             return Array.from(m.querySelectorAll('.jz'), e => e.offset{side}).every(w => w <= most) && m.offset{side} <= most; }})()"
        );
        assert_eq!(browser.value(&fits), json!(true), "{layout}");
        browser.value("dispatchEvent(new Event('afterprint')); true");
        browser.call("Emulation.setEmulatedMedia", json!({ "media": "" }));
    }
    if let Some(pictures) = std::env::var_os("ZHUSHU_PICTURES") {
        for layout in ["jia", "zhi"] {
            browser.value(&format!("document.getElementById('lay-{layout}').click(); true"));
            browser.wait("document.querySelector('main .jz')");
            browser.print(&std::path::Path::new(&pictures).join(format!("print-{layout}.pdf")));
        }
    }
}

#[test]
fn why_a_place_is_marked_is_shown_beside_it_and_escape_closes_it() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(&with_a_doubt());
    for size in SCREENS {
        let mut browser = at_page(browser, folder.path(), size);
        let mark = "main button.q";
        browser.value("document.getElementById('sw-marks').click(); true");
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
        // The page still counts the focus as returned for a moment after what was open is closed.
        browser.repeat_until(
            &format!(
                "document.activeElement.blur(); document.querySelector('{mark}').focus({{ focusVisible: true }}); true"
            ),
            "document.querySelector('#peek:popover-open')",
        );
        assert!(browser.console.is_empty(), "{size:?}: {:?}", browser.console);
    }
}
