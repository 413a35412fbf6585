//! BBCode, as posts of forums have it: `[b]…[/b]`, `[size=1]…[/size]`. Small type is a note.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::edits::{Edits, MAX_DEPTH, NOTE};
use super::{Taken, VesselHints};
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::pattern;

static TAG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"\[(?P<end>/)?(?P<name>b|i|u|s|size|color|font|align|center|quote|url|img|list|\*|p|indent)(?:=["']?(?P<value>[^\]\n"']{0,60})["']?)?\]"#,
    )
});
/// Longest quotation of another post, in bytes.
const MAX_QUOTED_BYTES: usize = 2000;
/// Least number of closing tags.
const MIN_CLOSED: usize = 3;
/// Of the text, in percent, that has a size of type for it to be that of the text.
const OF_TEXT_PERCENT: usize = 10;
/// The size of text without one.
const USUAL: u32 = 3;

/// Finds the tags.
pub(super) fn find(text: &str, _: VesselHints<'_>) -> Taken {
    let tags: Vec<_> = TAG.captures_iter(text).collect();
    if tags.iter().filter(|tag| tag.name("end").is_some()).count() < MIN_CLOSED {
        return Taken::default();
    }
    let sizes = sizes(text, &tags);
    let mut edits = Edits::default();
    // The tags that are open, each with whether it began a note.
    let mut open: Vec<(&str, bool)> = vec![];
    // Where a quotation or an image began that has not ended.
    let mut begun: Option<(&str, usize)> = None;
    let mut left_out: Vec<Span> = vec![];
    for (tag, size) in tags.iter().zip(sizes) {
        let (whole, name) = (tag.get(0).expect("the whole"), tag.name("name").expect("a name"));
        let (from, to, name) = (whole.start(), whole.end(), name.as_str());
        if matches!(name, "quote" | "img") {
            match (tag.name("end"), begun) {
                (None, _) => begun = Some((name, from)),
                (Some(_), Some((known, start)))
                    if known == name && to - start <= MAX_QUOTED_BYTES =>
                {
                    edits.furniture(start, to);
                    left_out.extend((name == "quote").then(|| Span::new(start, to)));
                    begun = None;
                }
                _ => edits.mark(from, to),
            }
            continue;
        }
        if tag.name("end").is_none() {
            let is_note = size.is_some_and(|small| small) && !open.iter().any(|(_, note)| *note);
            edits.shown(from, to, if is_note { NOTE.0 } else { "" });
            if name != "*" && open.len() < MAX_DEPTH {
                open.push((name, is_note));
            }
        } else {
            let n = open.iter().rposition(|(open, _)| *open == name);
            let is_note = n.map(|n| open.remove(n).1);
            edits.shown(from, to, if is_note == Some(true) { NOTE.1 } else { "" });
        }
    }
    let remarks = left_out.first().map(|first| {
        let message = format!("{} quotations of posts are left out", left_out.len());
        Diagnostic::warning("quotes-left-out", *first, message)
            .hint("if one is the text itself, take its signs [quote] away")
    });
    Taken { edits: edits.finish(), remarks: remarks.into_iter().collect(), ..Taken::default() }
}

/// Of each tag that gives a size of type, whether that is small beside that of the text.
fn sizes(text: &str, tags: &[regex::Captures<'_>]) -> Vec<Option<bool>> {
    let size = |tag: &regex::Captures<'_>| -> Option<u32> {
        let is_size = &tag["name"] == "size" && tag.name("end").is_none();
        let value = tag.name("value").filter(|_| is_size)?.as_str();
        value.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()
    };
    let mut chars: BTreeMap<u32, usize> = BTreeMap::new();
    let mut open = vec![];
    let mut at = 0;
    for tag in tags {
        let whole = tag.get(0).expect("the whole");
        let words = text[at..whole.start()].chars().filter(|c| is_content(*c)).count();
        *chars.entry(open.last().copied().unwrap_or(USUAL)).or_default() += words;
        at = whole.end();
        match size(tag) {
            Some(size) => open.push(size),
            None if &tag["name"] == "size" => _ = open.pop(),
            None => {}
        }
    }
    let all: usize = chars.values().sum();
    let base = chars.iter().rev().find(|(_, n)| *n * 100 >= all * OF_TEXT_PERCENT);
    let base = base.map_or(USUAL, |(size, _)| *size);
    tags.iter().map(|tag| size(tag).map(|size| size < base)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vessels::LogicalText;

    #[test]
    fn small_type_is_a_note_and_quotations_of_posts_are_none() {
        let text = "[quote]某人：你好[/quote]\n[b]公孫丑問曰[/b]：夫子當路於齊，[color=blue][size=1]當路，居要地也。[/size][/color]管仲、晏子之功，可復許乎？";
        let found = find(text, VesselHints::default());
        let read = LogicalText::of(text).without(&found.edits);
        assert_eq!(
            read.text(),
            "\n公孫丑問曰：夫子當路於齊，{{*|當路，居要地也。}}管仲、晏子之功，可復許乎？"
        );
        assert!(find("子曰[1]學而[注]時習[/注]", VesselHints::default()).edits.is_empty());
    }
}
