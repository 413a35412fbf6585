//! What a reader meets at every page, at three widths: the bar, what opens in place and how one comes back, and the column
//! of the translation.

use serde_json::json;

use crate::support::browser::{chromium, site_of};
use crate::support::corpus::library;
use crate::support::driven::DrivenBrowser;

/// A phone, a tablet, a screen.
const SCREENS: [(u32, u32); 3] = [(390, 844), (768, 1024), (1400, 800)];

/// Runs a test on a page of the bundled corpus at each width.
fn at_each_width(page: &str, test: impl Fn(&mut DrivenBrowser, (u32, u32))) {
    let Some(browser) = chromium() else { return };
    let folder = site_of(library());
    for size in SCREENS {
        let profile = folder.path().join(format!("profile-{}", size.0));
        let mut browser = DrivenBrowser::start(browser, &profile);
        browser.screen(size.0, size.1, false);
        browser.open(&format!("file://{}/{page}.html", folder.path().display()));
        browser.wait("document.readyState === 'complete' && document.getElementById('peek')");
        // What is measured must not depend on how far a smooth scroll has come.
        browser.value("document.documentElement.style.scrollBehavior = 'auto'; true");
        test(&mut browser, size);
        assert!(browser.console.is_empty(), "{size:?}: {:?}", browser.console);
    }
}

/// Scrolls to some place in the text, from which what opens must not lead away.
fn far_down(browser: &mut DrivenBrowser) -> serde_json::Value {
    browser.value("scrollTo({ top: 1500, behavior: 'instant' }); scrollY")
}

/// Waits until the page no longer scrolls.
fn at_rest(browser: &mut DrivenBrowser) {
    browser.wait(
        "(() => { const was = window.wasAt; window.wasAt = scrollY; return was === scrollY; })()",
    );
}

#[test]
fn what_has_no_effect_in_a_layout_is_greyed_and_every_group_has_icon_and_words() {
    at_each_width("yili-05-zhushu", |browser, size| {
        let greyed = "Array.from(document.querySelectorAll('.switches input:disabled'), i => i.id).filter(id => id.startsWith('sw-'))";
        for (layout, idle) in [
            ("jing", json!(["sw-zhu", "sw-shu", "sw-beside"])),
            ("jia", json!(["sw-shu", "sw-beside"])),
            ("zhi", json!(["sw-beside"])),
            ("xia", json!([])),
        ] {
            browser.value(&format!("document.getElementById('lay-{layout}').click(); true"));
            assert_eq!(browser.value(greyed), idle, "{layout} at {size:?}");
            // What can be switched changes something.
            let changes = "Array.from(document.querySelectorAll('.switches [id^=sw-]:not(:disabled)')).filter(i => { \
                const shown = () => Array.from(document.querySelectorAll('main *'), e => e.getClientRects().length).join() + \
                    getComputedStyle(document.querySelector('[data-c]')).webkitTextFillColor + \
                    getComputedStyle(document.querySelector('main a.ref')).textDecorationColor; \
                const before = shown(); i.click(); const after = shown(); i.click(); return before === after; }).map(i => i.id)";
            assert_eq!(browser.value(changes), json!([]), "{layout} at {size:?}");
        }
        let columns = "document.getElementById('lay-lan').disabled";
        assert_eq!(browser.value(columns), json!(size.0 < 1000), "{size:?}");
        let bare = "Array.from(document.querySelectorAll('.switches fieldset, .bar button')).filter(g => !g.querySelector('svg path') || !g.textContent.trim()).length";
        assert_eq!(browser.value(bare), json!(0), "{size:?}");
    });
}

#[test]
fn the_text_begins_below_one_line_and_its_lines_are_of_a_readable_length() {
    at_each_width("yili-05-jishi", |browser, size| {
        let first = "document.querySelector('main .p').getBoundingClientRect().top";
        let highest = if size.0 < 500 { 96.0 } else { 120.0 };
        let top = browser.value(first).as_f64().expect("a number");
        assert!(top <= highest, "{size:?}: {top}");
        let bar = "document.querySelector('.bar').getBoundingClientRect().height";
        assert!(browser.value(bar).as_f64() <= Some(56.0), "{size:?}");
        // Characters of the classic in a line.
        let line = "Math.max(...Array.from(document.querySelectorAll('main p.jing'), p => p.clientWidth / parseFloat(getComputedStyle(p).fontSize)))";
        let line = browser.value(line).as_f64().expect("a number");
        assert!(line <= 38.0 && (size.0 < 1000 || line >= 28.0), "{size:?}: {line}");
        // The bar moves away on the way down, and comes back on the way up.
        let away = "document.querySelector('.bar').matches('.away')";
        browser.value("scrollTo({ top: 900, behavior: 'instant' }); true");
        browser.wait(away);
        browser.value("scrollTo({ top: 600, behavior: 'instant' }); true");
        browser.wait(&format!("!{away}"));
    });
}

#[test]
fn keys_and_references_open_in_place_and_escape_returns() {
    at_each_width("yili-05-zhushu", |browser, size| {
        let place = far_down(browser);
        browser.press("?");
        browser.wait("document.querySelector('#help:popover-open dl kbd')");
        assert_eq!(browser.value("scrollY"), place, "{size:?}");
        browser.press("Escape");
        browser.wait("!document.querySelector('#help:popover-open')");
        assert_eq!(browser.value("scrollY"), place, "{size:?}");
        for kind in ["main a.ref.un", "main a.ref[data-w]"] {
            browser.value(&format!(
                "document.querySelector('{kind}').scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
                 document.querySelector('{kind}').focus({{ preventScroll: true }}); true"
            ));
            let place = browser.value("scrollY");
            browser.press("Enter");
            browser.wait("document.querySelector('#peek:popover-open')");
            let words = browser
                .value("document.querySelector('#peek blockquote').textContent.trim().length > 3");
            assert_eq!(words, json!(true), "{kind} at {size:?}");
            browser.press("Escape");
            browser.wait("!document.querySelector('#peek:popover-open')");
            assert_eq!(browser.value("scrollY"), place, "{kind} at {size:?}");
            let focused = browser.value(&format!("document.activeElement.matches('{kind}')"));
            assert_eq!(focused, json!(true), "{kind} at {size:?}");
        }
        // Where a reference leads on the same page, Escape leads back.
        let place = browser.value("scrollY");
        browser.press("Enter");
        browser.wait("document.querySelector('#peek:popover-open a:focus')");
        browser.press("Enter");
        browser.wait("location.hash && !document.querySelector('#peek:popover-open')");
        browser.press("Escape");
        browser.wait(&format!("!location.hash && Math.abs(scrollY - {place}) < 2"));
    });
}

#[test]
fn escape_leads_back_from_another_page_of_the_site() {
    at_each_width("yili-05-zhushu", |browser, size| {
        let across = "main a.ref[data-w][href*=\".html\"], main a.ref[data-say][href*=\".html\"]";
        browser.value(&format!(
            "document.querySelector('{across}').scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             document.querySelector('{across}').focus({{ preventScroll: true }}); true"
        ));
        // Where the page was scrolled to is restored by the browser, if it has the time.
        let here = browser.value("location.href");
        browser.press("Enter");
        browser.wait("document.querySelector('#peek:popover-open a:focus')");
        browser.press("Enter");
        let there = "document.readyState === 'complete' && location.hash && document.getElementById(location.hash.slice(1)) && document.getElementById('peek')";
        browser.wait(&format!("location.href !== {here} && {there}"));
        browser.wait("history.state !== null");
        // What is open closes first, and that does not lead away.
        browser.press("?");
        browser.wait("document.querySelector('#help:popover-open')");
        browser.press("Escape");
        browser.wait("!document.querySelector('#help:popover-open')");
        assert_ne!(browser.value("location.href"), here, "{size:?}");
        browser.press("Escape");
        browser.wait(&format!("location.href === {here} && document.readyState === 'complete'"));
        // Here no reference led: Escape does nothing.
        browser.press("Escape");
        browser.wait("document.readyState === 'complete'");
        assert_eq!(browser.value("location.href"), here, "{size:?}");
    });
}

/// Only keys: contents, a jump, a reference and back, how to cite, the settings.
#[test]
fn a_page_is_used_with_keys_alone() {
    at_each_width("yili-05-zhushu", |browser, _| {
        browser.press("c");
        browser.wait("document.querySelector('#drawer[open] nav a') && document.querySelector('#drawer input:focus')");
        // A chapter of the tree.
        browser.press_until("Tab", "document.activeElement.matches('#drawer nav a')", 40);
        browser.press("Escape");
        browser.wait("!document.querySelector('#drawer[open]')");
        browser.press("/");
        browser.wait("document.querySelector('#drawer[open] input:focus')");
        browser.call("Input.insertText", json!({ "text": "2.3" }));
        browser.press("Enter");
        browser.wait("location.hash === '#yili.05.2.3'");
        browser.wait("!document.querySelector('#drawer[open]')");
        browser.press("j");
        browser.wait("document.activeElement.matches('main .p.s')");
        // Tab goes on from the sentence.
        browser.press_until("Tab", "document.activeElement.matches('main a.ref[data-w]')", 200);
        browser.value("window.reference = document.activeElement; true");
        browser.press("Enter");
        browser.wait("document.querySelector('#peek:popover-open a:focus')");
        browser.press("Escape");
        browser.wait("!document.querySelector('#peek:popover-open') && document.activeElement === window.reference");
        browser.press("y");
        browser.wait("document.querySelector('#cite:popover-open button:focus')");
        browser.press("Enter");
        browser.wait("document.querySelector('#cite button.done')");
        browser.press("Escape");
        browser.wait("!document.querySelector('#cite:popover-open')");
        // The panel, and back to the sentence.
        browser.press("j");
        browser.press("Enter");
        browser.wait("document.activeElement.id === 'panel'");
        browser.press_until("Tab", "document.activeElement.matches('#panel [role=tab]')", 20);
        browser.press("Escape");
        browser.wait("document.getElementById('panel').hidden && document.activeElement.matches('main .p.s')");
        // The layouts are in a menu of the bar.
        let address = browser.value("location.href.replace(/#.*/, '')");
        browser.open(address.as_str().expect("an address"));
        browser.wait("!location.hash && document.readyState === 'complete' && document.getElementById('peek')");
        browser.press_until("Tab", "document.activeElement.id === 'open-layouts'", 20);
        browser.press("Enter");
        browser.wait("document.querySelector('#layouts:popover-open')");
        browser.press_until("Tab", "document.activeElement.matches('[name=lay]')", 20);
        browser.press("ArrowRight");
        let chosen = "document.querySelector('[name=lay]:checked').id !== 'lay-xia' && document.activeElement.checked";
        browser.wait(chosen);
        browser.press("3");
        browser.wait("document.getElementById('lay-xia').checked");
    });
}

#[test]
fn the_panel_has_glosses_of_a_sentence_and_of_all_texts_for_a_character() {
    at_each_width("yili-05-zhushu", |browser, size| {
        browser.value(
            "(() => { const all = Array.from(document.querySelectorAll('main .p.s')); \
             window.zhushuPage.panel.show(all.find(e => e.textContent.includes('二筭為純'))); \
             document.getElementById('panel-gloss').click(); return true; })()",
        );
        let own = browser.value("document.querySelector('#panel-body .gloss').textContent");
        let own = own.as_str().unwrap_or_default();
        assert!(own.contains('純') && own.contains("全 鄭玄"), "{own} at {size:?}");
        browser.value(
            "Array.from(document.querySelectorAll('#panel .everywhere button'))\
             .find(b => b.textContent === '純').click(); true",
        );
        browser.wait("document.querySelectorAll('#panel .everywhere .gloss').length === 2");
    });
}

#[test]
fn a_slash_jumps_to_a_locus_a_title_or_words() {
    at_each_width("yili-05-zhushu", |browser, size| {
        far_down(browser);
        browser.press("/");
        browser.wait("document.querySelector('#drawer[open] nav a')");
        let typed = |browser: &mut DrivenBrowser, words: &str| {
            browser.call("Input.insertText", json!({ "text": words }));
        };
        typed(browser, "2.3");
        browser.press("Enter");
        browser
            .wait("location.hash === '#yili.05.2.3' && !document.querySelector('#drawer[open]')");
        at_rest(browser);
        let place = far_down(browser);
        browser.press("/");
        browser.wait("document.querySelector('#drawer[open] input:focus')");
        browser.value("document.querySelector('#drawer input').value = ''; true");
        typed(browser, "今文上作尚");
        browser.press("Enter");
        browser.wait("document.querySelector('#found li mark')");
        let shown = browser.value("document.querySelector('#found li mark').textContent");
        assert!(shown.as_str().is_some_and(|w| w.contains("今文")), "{shown} at {size:?}");
        browser.press("Escape");
        browser.wait(&format!("Math.abs(scrollY - {place}) < 2"));
    });
}

#[test]
fn the_column_of_the_translation_is_not_left_empty() {
    at_each_width("yili-05-zhushu", |browser, size| {
        // A passage is narrowed only if it or a neighbour has something beside it.
        let empty = "Array.from(document.querySelectorAll('main .jie')).filter(j => getComputedStyle(j).display === 'grid' && \
            ![j, j.previousElementSibling, j.nextElementSibling].some(e => e && e.querySelector(':scope > .beside'))).length";
        for layout in ["xia", "lan"] {
            browser.value(&format!("document.getElementById('lay-{layout}').click(); true"));
            let empty = match layout {
                "lan" => empty.replace("'grid'", "'grid' && j.matches('.san')"),
                _ => empty.to_string(),
            };
            assert_eq!(browser.value(&empty), json!(0), "{layout} at {size:?}");
        }
        let beside = "Array.from(document.querySelectorAll('main .jie > .beside')).every(b => b.getClientRects().length)";
        assert_eq!(browser.value(beside), json!(true), "{size:?}");
    });
}

#[test]
fn without_scripts_a_page_is_read_and_says_what_is_missing() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(library());
    for size in SCREENS {
        let profile = folder.path().join(format!("profile-{}", size.0));
        let mut browser = DrivenBrowser::start(browser, &profile);
        browser.screen(size.0, size.1, false);
        browser.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
        browser.open(&format!("file://{}/yili-05-zhushu.html", folder.path().display()));
        browser.wait("document.readyState === 'complete' && document.querySelector('footer')");
        let shown = |browser: &mut DrivenBrowser, what: &str| {
            let about = format!(
                "Array.from(document.querySelectorAll('{what}')).some(e => e.getClientRects().length)"
            );
            browser.value(&about) == json!(true)
        };
        assert!(shown(&mut browser, "noscript p"), "{size:?}");
        let top = "document.querySelector('noscript p').getBoundingClientRect().bottom < 200";
        assert_eq!(browser.value(top), json!(true), "{size:?}");
        // What does nothing is not offered.
        for idle in ["#languages", "#zi", "#search", "#panel", "#keys"] {
            assert!(!shown(&mut browser, idle), "{idle} at {size:?}");
        }
        let click = |browser: &mut DrivenBrowser, what: &str| {
            // The browser itself opens the menus.
            let menu = if what.contains("lay-") { "layouts" } else { "groups" };
            if !shown(browser, &format!("#{menu}")) {
                browser.click(&format!("#open-{menu}"));
            }
            browser.value(&format!(
                "document.querySelector('{what}').scrollIntoView({{ behavior: 'instant', block: 'center' }}); true"
            ));
            browser.click(what);
        };
        browser.click("#open-contents");
        assert!(shown(&mut browser, "#sections a"), "{size:?}");
        browser.press("Escape");
        // The switches work: a click on the label of a layout, of a layer, a greyed one.
        assert!(shown(&mut browser, "main .zhu"), "{size:?}");
        click(&mut browser, "label:has(#lay-jing)");
        assert!(!shown(&mut browser, "main .zhu") && shown(&mut browser, "main .jing"), "{size:?}");
        let grey = "getComputedStyle(document.querySelector('#sw-zhu + span')).opacity";
        assert_eq!(browser.value(grey), json!("0.4"), "{size:?}");
        click(&mut browser, "label:has(#lay-xia)");
        click(&mut browser, "label:has(#sw-zhu)");
        assert!(!shown(&mut browser, "main .zhu") && shown(&mut browser, "main .shu"), "{size:?}");
    }
}
