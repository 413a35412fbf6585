//! Our TEI in CETEIcean, which shows TEI in a browser as it is, without a style sheet for it: layers
//! and notes in their order, references as links, the apparatus visible.
//!
//! Needs `chromium`, and CETEIcean (`npm install --prefix target/axe CETEIcean`); reports this and
//! skips if one is missing (with `ZHUSHU_FORBID_SKIP=1` that is a failure).

use crate::support::browser::{chromium, open, script_of};
use crate::support::corpus::built;

/// What the page counts: elements, those of them that are seen, and links that lead to an element of
/// the page.
const COUNT: &str = "
const all = name => [...document.querySelectorAll('tei-text ' + name + ', tei-standoff ' + name)];
const seen = name => all(name).filter(e => e.getClientRects().length > 0 && e.innerText.trim()).length;
const leads = a => document.getElementById(a.getAttribute('href').split(' ')[0].slice(1));
const links = [...document.querySelectorAll('tei-text tei-ref a')];
const count = { seg: seen('tei-seg'), note: seen('tei-note'), app: seen('tei-app'), links: links.length, lead: links.filter(leads).length };
document.documentElement.setAttribute('data-count', Object.values(count).join(' '));
";

#[test]
fn tei_opens_in_ceteicean_with_its_notes_references_and_apparatus() {
    let Some(browser) = chromium() else { return };
    let Some(script) = script_of("CETEIcean", "dist/CETEI.js") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for (id, segments, notes, apparatus, references) in
        [("yili-05-zhushu", 70, 30, 2, 40), ("yili-07-judou", 300, 300, 30, 0)]
    {
        let tei = std::fs::read_to_string(built().join(format!("out/tei/{id}.xml"))).expect("TEI");
        let tei = serde_json::to_string(&tei).expect("text").replace("</", "<\\/");
        let page = format!(
            "<!DOCTYPE html><html><head><meta charset='utf-8'><script>{script}</script></head><body><script>\
             new CETEI().makeHTML5({tei}, data => {{ document.body.append(data); {COUNT} }});</script></body></html>"
        );
        let path = folder.path().join(format!("{id}.html"));
        std::fs::write(&path, page).expect("the folder takes it");
        let (dom, said) = open(browser, &path, 1000, &folder.path().join("profile"));
        let count = dom.split("data-count=\"").nth(1).and_then(|w| w.split('"').next());
        let count = count.unwrap_or_else(|| panic!("{id}: the script did not end: {said}"));
        let count: Vec<usize> = count.split(' ').map(|n| n.parse().expect("a number")).collect();
        let [seg, note, app, links, lead] = count[..] else { panic!("{id}: {count:?}") };
        assert!(seg >= segments && note >= notes && app >= apparatus, "{id}: {count:?}");
        assert!(links >= references && lead == links, "{id}: {count:?}");
        assert!(!said.lines().any(|l| l.contains("CONSOLE")), "{id}: {said}");
    }
}
