//! Pages in one language, and the switch between languages in a real browser.

use std::fs;
use std::sync::Arc;

use serde_json::json;

use super::pages::accessible;
use crate::support::browser::{chromium, open, site_of};
use crate::support::corpus::library;
use crate::support::driven::DrivenBrowser;
use zhushu::Language;
use zhushu::corpus::Library;

fn in_language(language: Language) -> Library {
    let Library { documents, alignments, beside, .. } = library();
    let documents = documents.iter().map(Arc::clone).collect();
    Library { documents, alignments: alignments.clone(), beside: beside.clone(), language }
}

#[test]
fn a_page_is_written_in_one_language() {
    let words =
        [(Language::ZhHant, "總目"), (Language::ZhHans, "总目"), (Language::En, ">Contents<")];
    let shown = regex::Regex::new(r" data-m[tawo]?=\x22[^\x22]*\x22").expect("a pattern");
    let left = regex::Regex::new(r"\{[a-z]+-?[a-z-]*[ }]").expect("a pattern");
    for (language, own) in words {
        let folder = site_of(&in_language(language));
        let index = fs::read_to_string(folder.path().join("index.html")).expect("it was written");
        assert!(index.contains(&format!(
            "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"{}\"",
            language.id()
        )));
        for (other, word) in words {
            assert_eq!(index.contains(word), own == word, "{} in {}", other.id(), language.id());
        }
        for file in ["index.html", "index.about.html", "yili-05-zhushu.html", "yili-05-jinyi.html"]
        {
            let page = fs::read_to_string(folder.path().join(file)).expect("it was written");
            // What is not filled is a key in braces, and templates are only in attributes.
            let shown = shown.replace_all(&page, "");
            assert!(left.find(&shown).is_none(), "{file}: {:?}", left.find(&shown));
        }
    }
}

/// A page with a script that chooses a language, and puts what it finds then into the title.
#[test]
fn the_language_of_a_page_can_be_switched_and_is_the_same_as_written_in_it() {
    let Some(browser) = chromium() else { return };
    let english = site_of(&in_language(Language::En));
    let chinese = site_of(&in_language(Language::ZhHant));
    for name in ["index.html", "yili-05-zhushu.html"] {
        let read = |folder: &tempfile::TempDir, script: &str| {
            let path = folder.path().join(name);
            let page = fs::read_to_string(&path).expect("it was written");
            let policy = page.find("<meta http-equiv").expect("a policy");
            let end = policy + page[policy..].find("/>").expect("its end") + 2;
            let page = format!("{}{}", &page[..policy], &page[end..]);
            let page = page.replace("</body>", &format!("<script>{script}</script></body>"));
            let driven = folder.path().join(format!("driven-{name}"));
            fs::write(&driven, page).expect("the folder takes it");
            open(browser, &driven, 1400, &folder.path().join("profile")).0
        };
        let gather = include_str!("browser/own_words.js");
        let choose = format!("document.getElementById('lang-en').click();\n{gather}");
        let keep = format!("document.getElementById('lang-en').checked = true;\n{gather}");
        let words = |dom: &str| {
            let words = dom.split("id=\"own-words\">").nth(1).and_then(|w| w.split('<').next());
            words.unwrap_or_else(|| panic!("{name}: the script did not end")).to_string()
        };
        let (switched, written) = (words(&read(&chinese, &choose)), words(&read(&english, &keep)));
        assert!(written.contains("Layout") || name == "index.html");
        for (a, b) in switched.split('|').zip(written.split('|')) {
            assert_eq!(a, b, "{name}");
        }
        assert_eq!(switched.len(), written.len(), "{name}");
    }
}

/// Every page in every language: on a phone, a tablet and a screen, light and dark.
#[test]
fn no_accessibility_rule_is_broken_in_any_language_light_or_dark() {
    let Some(browser) = chromium() else { return };
    let folder = site_of(&in_language(Language::ZhHant));
    let mut browser = DrivenBrowser::start(browser, &folder.path().join("profile"));
    let pages = [
        "index",
        "yili-05-zhushu",
        "index.apparatus",
        "index.unplaced",
        "index.figures",
        "index.about",
    ];
    for language in Language::ALL.map(Language::id) {
        for (n, page) in pages.into_iter().enumerate() {
            browser.open(&format!("file://{}/{page}.html", folder.path().display()));
            browser.wait(
                "document.readyState === 'complete' && document.querySelector('#languages label')",
            );
            browser.value(&format!("document.getElementById('lang-{language}').click(); true"));
            browser.wait(&format!("document.documentElement.dataset.language === '{language}'"));
            for (turn, width) in [390, 768, 1400].into_iter().enumerate() {
                let scheme = ["light", "dark"][(n + turn) % 2];
                let scheme = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
                browser.call("Emulation.setEmulatedMedia", json!({ "features": scheme }));
                browser.screen(width, 860, width < 600);
                accessible(&mut browser, &format!("{page}, {language}, {width}, {scheme}"));
            }
        }
    }
    assert!(browser.console.is_empty(), "{:?}", browser.console);
}
