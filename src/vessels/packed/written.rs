//! What a word processor has written, as a web page: paragraphs of runs with their size of type,
//! headings, tables, notes at their place.

use std::collections::BTreeMap;

use quick_xml::escape::escape;

use crate::source::may_begin_tag;

/// Of the text, in percent, that has a size of type for it to be that of the text.
const OF_TEXT_PERCENT: usize = 10;
/// Type at most this much of that of the text is small, in percent.
const SMALL_PERCENT: u32 = 90;

/// Characters with one look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StyledRun {
    /// The characters, as [`as_text`] writes them; or a whole element.
    pub(super) html: String,
    /// Size of type, in half points; none for what has no size of its own.
    pub(super) size: Option<u32>,
    /// The name of its style.
    pub(super) style: Option<String>,
    /// It is a note of double rows.
    pub(super) is_note: bool,
}

impl StyledRun {
    /// Characters of the file.
    pub(super) fn of(words: &str) -> Self {
        StyledRun { html: as_text(words), ..StyledRun::default() }
    }

    /// Markup that has no look.
    pub(super) fn markup(html: impl Into<String>) -> Self {
        StyledRun { html: html.into(), ..StyledRun::default() }
    }
}

/// A paragraph, or what stands between paragraphs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WrittenBlock {
    /// A paragraph, with the level of a heading and the name of its style.
    Paragraph { heading: Option<u32>, style: Option<String>, runs: Vec<StyledRun> },
    /// A tag of a table.
    Tag(&'static str),
}

/// A document under construction.
#[derive(Debug, Default)]
pub(super) struct WrittenText {
    pub(super) title: Option<String>,
    pub(super) blocks: Vec<WrittenBlock>,
}

impl WrittenText {
    /// The page. Type that is clearly smaller than that of the text is `small`.
    pub(super) fn page(&self) -> String {
        let base = self.base();
        let title = self.title.as_deref().unwrap_or_default();
        let mut page = format!(
            "<!DOCTYPE html>\n<html>\n<head><title>{}</title></head>\n<body>\n",
            as_text(title)
        );
        for block in &self.blocks {
            match block {
                WrittenBlock::Tag(tag) => page.push_str(tag),
                WrittenBlock::Paragraph { heading, style, runs } => {
                    let element =
                        heading.map_or("p".to_string(), |n| format!("h{}", n.clamp(1, 6)));
                    page.push_str(&format!("<{element}{}>", class(style.as_deref())));
                    put(&mut page, runs, base.filter(|_| heading.is_none()));
                    page.push_str(&format!("</{element}>\n"));
                }
            }
        }
        page.push_str("</body>\n</html>\n");
        page
    }

    /// The size of the text: the largest that a good part of it has. Notes can be the most.
    fn base(&self) -> Option<u32> {
        let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
        for block in &self.blocks {
            if let WrittenBlock::Paragraph { heading: None, runs, .. } = block {
                for run in runs {
                    if let Some(size) = run.size {
                        *sizes.entry(size).or_default() += run.html.chars().count();
                    }
                }
            }
        }
        let all: usize = sizes.values().sum();
        let is_of_text = |(_, chars): &(&u32, &usize)| *chars * 100 >= all * OF_TEXT_PERCENT;
        sizes.iter().rev().find(is_of_text).map(|(size, _)| *size)
    }
}

/// Characters as they stand between the tags of a page. Readers see them as they are, so only what
/// would begin a tag is escaped.
fn as_text(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for (at, c) in words.char_indices() {
        match c {
            '<' if at + 1 < words.len() && may_begin_tag(&words[at + 1..]) => text.push_str("&lt;"),
            _ => text.push(c),
        }
    }
    text
}

/// What the characters of a run are marked by: small type, or the name of their style.
fn look(run: &StyledRun, base: Option<u32>) -> (bool, Option<&str>) {
    let sizes = run.size.zip(base);
    // A file may give any size.
    let percent = |n: u32, of: u32| u64::from(n) * u64::from(of);
    let is_small = sizes.is_some_and(|(a, b)| percent(a, 100) <= percent(b, SMALL_PERCENT));
    (run.is_note || is_small, run.style.as_deref())
}

/// Adds runs; those beside each other of one look are one.
fn put(page: &mut String, runs: &[StyledRun], base: Option<u32>) {
    for alike in runs.chunk_by(|a, b| look(a, base) == look(b, base)) {
        let (start, end) = match look(&alike[0], base) {
            (true, style) => (format!("<small{}>", class(style)), "</small>"),
            (false, Some(style)) => (format!("<span{}>", class(Some(style))), "</span>"),
            (false, None) => (String::new(), ""),
        };
        page.push_str(&start);
        for run in alike {
            // A run may end with a sign that the next would make the beginning of a tag.
            if page.ends_with('<') && may_begin_tag(&run.html) {
                page.truncate(page.len() - 1);
                page.push_str("&lt;");
            }
            page.push_str(&run.html);
        }
        page.push_str(end);
    }
}

/// A note at its place: of a kind, and of a style whose name may be that of a layer.
pub(super) fn note(kind: &str, style: Option<&str>, words: &str) -> String {
    let name = style.map(|style| format!("{} ", word(style))).unwrap_or_default();
    format!("<span class=\"{name}{kind}\">{}</span>", words.trim())
}

/// The words of a paragraph of a note, those of a style with its name.
pub(super) fn words_of_note(runs: &[StyledRun]) -> String {
    let mut words = String::new();
    put(&mut words, runs, None);
    words
}

/// The class of the numbers of notes, and of what is between them.
pub(super) const NUMBER: &str = "footnote-ref";

/// The name of a style as a class.
fn class(style: Option<&str>) -> String {
    style.map(|style| format!(" class=\"{}\"", word(style))).unwrap_or_default()
}

/// The name of a style as one word.
fn word(style: &str) -> String {
    escape(style.split_whitespace().collect::<Vec<_>>().join("-")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_as_they_are_but_for_tags() {
        assert_eq!(as_text("曰:\"學\" & '習' <骨玄> a>b"), "曰:\"學\" & '習' <骨玄> a>b");
        assert_eq!(as_text("<b></p><!x 曰<"), "&lt;b>&lt;/p>&lt;!x 曰<");
        let mut page = String::new();
        put(&mut page, &["學<", "說>", "<", "b>習"].map(StyledRun::of), None);
        assert_eq!(page, "學<說>&lt;b>習");
    }

    #[test]
    fn a_file_may_give_any_size() {
        let run =
            |size| StyledRun { html: "學".into(), size: Some(size), style: None, is_note: false };
        assert!(!look(&run(u32::MAX), Some(20)).0);
        assert!(look(&run(16), Some(u32::MAX)).0);
        assert!(look(&run(16), Some(20)).0 && !look(&run(20), Some(20)).0);
    }
}
