//! Pages as MediaWiki exports them (`<mediawiki>`): the wikitext of each page is in `<text>`, its
//! signs `<`, `>` and `&` as references.

use std::sync::LazyLock;

use regex::Regex;

use super::edits::Edits;
use super::{Taken, VesselHints};
use crate::text::{char_floor, pattern};

static PART: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?s)<title>(?P<title>[^<]*)</title>|<text\b[^>]*[^/>]?>(?P<text>[^<]*)</text>")
});
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| pattern("&(?:lt|gt|amp|quot|#39);"));

/// Finds what is around the wikitext.
pub(super) fn find(text: &str, _: VesselHints<'_>) -> Taken {
    if !text.trim_start_matches(['\u{FEFF}', ' ', '\n', '\r']).starts_with("<mediawiki") {
        return Taken::default();
    }
    let mut edits = Edits::default();
    let mut at = 0;
    let pages = text.matches("<title>").count();
    let mut title = None;
    for found in PART.captures_iter(text).filter(|found| is_text(text, found)) {
        let (part, is_title) = match (found.name("title"), found.name("text")) {
            (Some(part), _) => (part, true),
            (_, Some(part)) => (part, false),
            _ => continue,
        };
        if is_title {
            title.get_or_insert_with(|| part.as_str().trim().to_string());
            // The title of a single page is that of the text.
            if pages < 2 {
                continue;
            }
        }
        edits.furniture(at, part.start());
        let (open, close) = if is_title { ("\n== ", " ==\n") } else { ("\n", "\n") };
        edits.shown(part.start(), part.start(), open);
        for sign in REFERENCE.find_iter(part.as_str()) {
            let shown = match sign.as_str() {
                "&lt;" => "<",
                "&gt;" => ">",
                "&amp;" => "&",
                "&quot;" => "\"",
                _ => "'",
            };
            edits.shown(part.start() + sign.start(), part.start() + sign.end(), shown);
        }
        edits.shown(part.end(), part.end(), close);
        at = part.end();
    }
    edits.furniture(at, text.len());
    Taken { edits: edits.finish(), title, ..Taken::default() }
}

/// True for a title or wikitext that is text of the work: of a page for readers, its last version,
/// and no page that only leads to another.
fn is_text(text: &str, found: &regex::Captures<'_>) -> bool {
    let whole = found.get_match();
    let page = text[..whole.start()].rfind("<page>").unwrap_or(0);
    let end = text[whole.end()..].find("</page>").map_or(text.len(), |n| whole.end() + n);
    let ns = NAMESPACE.captures(&text[page..char_floor(text, page + HEAD_BYTES)]);
    let is_older = found.name("text").is_some() && text[whole.end()..end].contains("<text");
    let leads_on = text[page..char_floor(text, page + HEAD_BYTES)].contains("<redirect ");
    !is_older && !leads_on && ns.is_none_or(|ns| &ns[1] == "0")
}

/// Bytes of a page that say what it is.
const HEAD_BYTES: usize = 1000;

static NAMESPACE: LazyLock<Regex> = LazyLock::new(|| pattern(r"<ns>(\d+)</ns>"));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vessels::LogicalText;

    #[test]
    fn the_wikitext_of_a_page_is_read() {
        let text = "<mediawiki>\n<page><title>左傳</title><revision><text bytes=\"9\">惠公元妃{{*|言&lt;b&gt;元妃}}</text></revision></page>\n</mediawiki>\n";
        let pages =
            text.replace("</page>", "</page><page><title>隱公</title><text>元年</text></page>");
        let two = find(&pages, VesselHints::default());
        let read = LogicalText::of(&pages).without(&two.edits);
        assert_eq!(read.text(), "\n== 左傳 ==\n\n惠公元妃{{*|言<b>元妃}}\n\n== 隱公 ==\n\n元年\n");
        let found = find(text, VesselHints::default());
        let read = LogicalText::of(text).without(&found.edits);
        assert_eq!(read.text().trim(), "惠公元妃{{*|言<b>元妃}}");
        assert_eq!(found.title.as_deref(), Some("左傳"));
        assert!(find("<p>左傳</p>", VesselHints::default()).edits.is_empty());
    }
}
