//! Titles that only the table of contents of an e-book has: of pages that begin with their text.

use std::sync::LazyLock;

use quick_xml::events::Event;
use regex::Regex;
use rustc_hash::FxHashMap;

use super::archive::{attribute, events, local, referred};
use crate::source::TAG;
use crate::text::class::is_content;
use crate::text::pattern;

/// How much of a page may hold its title, in characters without tags.
const HEAD_CHARS: usize = 200;
/// Fewer pages without titles are the cover and the like.
const LEAST: usize = 2;

static HEADING: LazyLock<Regex> = LazyLock::new(|| pattern(r"<h[1-6]\b"));

/// The first title of each page in a table of contents, by the page as it is named there: of NCX
/// (`navLabel`, `content`) or of EPUB 3 (`a` within `nav`).
pub(super) fn listed(contents: &str) -> FxHashMap<String, String> {
    let mut titles: FxHashMap<String, String> = FxHashMap::default();
    let (mut words, mut page, mut in_label) = (String::new(), None, false);
    let read = events(contents, |event| match event {
        Event::Start(e) | Event::Empty(e) => match &*local(e) {
            "navLabel" => (words, in_label) = (String::new(), true),
            "a" => (words, in_label, page) = (String::new(), true, attribute(e, "href")),
            "content" => {
                let page = attribute(e, "src").unwrap_or_default();
                titles.entry(page).or_insert_with(|| words.trim().to_string());
            }
            _ => {}
        },
        Event::Text(text) if in_label => words.push_str(text),
        Event::GeneralRef(name) if in_label => words.push_str(&referred(name)),
        Event::End(e) if matches!(e.name().into_inner(), "a" | "navLabel" | "ncx:navLabel") => {
            in_label = false;
            if let Some(page) = page.take() {
                titles.entry(page).or_insert_with(|| words.trim().to_string());
            }
        }
        _ => {}
    });
    // A damaged table of contents is none.
    if read.is_ok() { titles } else { FxHashMap::default() }
}

/// The title of each page that does not show its own, if that is so of most pages with text.
pub(super) fn missing<'t>(pages: &[(&str, Option<&'t str>)]) -> Vec<Option<&'t str>> {
    let mut titled = 0;
    let missing = |(page, title): &(&str, Option<&'t str>)| {
        let body = page.find("</head>").map_or(*page, |head| &page[head..]);
        let head = content(&TAG.replace_all(body, ""), HEAD_CHARS);
        let title = title.filter(|_| !head.is_empty())?;
        titled += 1;
        let is_shown = HEADING.is_match(page) || head.contains(&content(title, HEAD_CHARS));
        (!is_shown).then_some(title)
    };
    let found: Vec<Option<&str>> = pages.iter().map(missing).collect();
    let count = found.iter().flatten().count();
    if count >= LEAST && count * 2 > titled { found } else { vec![None; pages.len()] }
}

/// The first characters of the text among some words.
fn content(words: &str, chars: usize) -> String {
    words.chars().filter(|c| is_content(*c)).take(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_either_table_of_contents() {
        let ncx = "<ncx><navMap><navPoint><navLabel><text>學而</text></navLabel>\
                   <content src=\"a.xhtml\"/><navPoint><navLabel><text>節</text></navLabel>\
                   <content src=\"a.xhtml#b\"/></navPoint></navPoint></navMap></ncx>";
        let nav =
            "<html><nav><ol><li><a href=\"a.xhtml\">學<b>而</b>&amp;</a></li></ol></nav></html>";
        for (contents, title) in [(ncx, "學而"), (nav, "學而&")] {
            assert_eq!(listed(contents).get("a.xhtml").map(String::as_str), Some(title));
        }
        assert!(listed("<ncx><navLabel>").is_empty());
    }

    #[test]
    fn only_pages_without_their_titles_get_them() {
        let page =
            |words: &str| format!("<html><head><title>x</title></head><p>{words}</p></html>");
        let (a, b, c) = (page("子曰學而"), page("為政第二"), page("<h2>x</h2>子"));
        let titles = ["學而第一", "為政第二", "八佾第三"];
        let pages = |all: &'_ [&'_ str]| -> Vec<Option<String>> {
            let pages: Vec<_> = all.iter().zip(titles).map(|(page, t)| (*page, Some(t))).collect();
            missing(&pages).into_iter().map(|t| t.map(String::from)).collect()
        };
        assert_eq!(pages(&[&a, &a, &c]), [Some("學而第一".into()), Some("為政第二".into()), None]);
        assert_eq!(pages(&[&a, &b, &c]), [None, None, None]);
    }
}
