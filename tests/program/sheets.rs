//! A long text, which is on several sheets, is read as one page: in a real browser, from the file
//! system and served.

use crate::pages::accessible;
use crate::serve::Server;
use crate::support::browser::{chromium, site_of};
use crate::support::corpus::{built, library};
use crate::support::driven::DrivenBrowser;

/// How far a reader can go on, and where.
const NEXT: &str = "document.querySelector('footer .turn [rel=next]')?.getAttribute('href') || ''";
const IS_WHOLE: &str = "!document.querySelector('footer .turn [rel=next]')?.href.includes('judou')";
const TO_THE_END: &str =
    "(() => { scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }); })()";
/// Of each id how often it is there, if that is several times.
const TWICE: &str = "(() => { const all = Array.from(document.querySelectorAll('[id]'), e => e.id); \
                     return all.filter((id, n) => all.indexOf(id) < n).join(' '); })()";
/// Links that lead to a part of this page under its old address.
const AWAY: &str =
    "document.querySelectorAll(':is(main, footer) a[href*=\"judou.\"][href*=\"#\"]').length";

#[test]
fn a_long_text_is_read_on_from_one_sheet_to_the_next() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(library());
    let server = Server::start_in(built(), &[]);
    let profile = tempfile::tempdir().expect("a folder");
    let mut page = DrivenBrowser::start(browser, profile.path());
    for (base, width) in [
        (format!("file://{}", folder.path().display()), 1400),
        (format!("http://{}", server.address), 390),
    ] {
        page.screen(width, 800, width < 500);
        page.open(&format!("{base}/yili-07-judou.html"));
        page.wait("document.querySelector('main .p.s') && window.zhushuPage");
        page.repeat_until(TO_THE_END, IS_WHOLE);
        assert_eq!(page.value(TWICE), "", "{base}");
        assert_eq!(page.value(AWAY), 0, "{base}");
        // What was added is written and laid out as what was there: its own words, its panel.
        let last = "Array.from(document.querySelectorAll('main .p.s')).at(-1)";
        page.value(&format!("{last}.click()"));
        page.wait("!document.getElementById('panel').hidden");
        let place = page.value("document.querySelector('#panel .place').textContent");
        let of_last = page.value(&format!("{last}.previousElementSibling.id"));
        assert!(place.as_str().is_some_and(|p| p.contains(of_last.as_str().expect("an id"))));
        accessible(&mut page, &base);
    }
}

#[test]
fn who_goes_back_beyond_the_beginning_of_a_sheet_stays_where_he_was() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(library());
    let profile = tempfile::tempdir().expect("a folder");
    let mut page = DrivenBrowser::start(browser, profile.path());
    page.screen(1400, 800, false);
    page.open(&format!("file://{}/yili-07-judou.2.html", folder.path().display()));
    page.wait("document.querySelector('main .p.s') && window.zhushuPage");
    let to = |top: u32| format!("scrollTo({{ top: {top}, behavior: 'instant' }})");
    page.value(&format!("{}; window.first = document.querySelector('main .jie'); 0", to(400)));
    page.wait("scrollY === 400");
    // Scrolling is told once for each picture.
    page.value(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))",
    );
    page.value(&format!("window.top0 = first.getBoundingClientRect().top + 300; {}; 0", to(100)));
    page.wait("document.querySelector('main .jie') !== first");
    page.wait("Math.abs(first.getBoundingClientRect().top - top0) < 20");
    assert_eq!(page.value(NEXT).as_str().map(|next| next.contains("judou.2")), Some(false));
}
