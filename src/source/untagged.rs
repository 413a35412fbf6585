//! The text for those that read its words: tags are characters without meaning, in as many bytes,
//! so that each place is that of the text.

use std::borrow::Cow;
use std::sync::{LazyLock, OnceLock};

use regex::{Captures, Regex};

/// A tag; one of a namespace, such as the mark of a page of Kanripo, is left to those who know it.
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>").expect("a sound pattern")
});

/// Characters that belong to the one before them and change nothing in it, of two, three and four
/// bytes.
const JOINER: char = '\u{34F}';
const SELECTOR: char = '\u{FE00}';
const LAST_SELECTOR: char = '\u{E01EF}';

/// The text, made when it is first read; none if it has no tags. All look alike: it is nothing of
/// its own.
#[derive(Clone, Default)]
pub(super) struct Untagged(OnceLock<Option<String>>);

impl Untagged {
    /// The text of `text`, always the same.
    pub(super) fn of<'t>(&'t self, text: &'t str) -> &'t str {
        self.0.get_or_init(|| untagged(text)).as_deref().unwrap_or(text)
    }
}

impl std::fmt::Debug for Untagged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Untagged")
    }
}

/// A text with its tags as characters without meaning; none if it has no tags.
fn untagged(text: &str) -> Option<String> {
    if !text.contains('<') {
        return None;
    }
    match TAG.replace_all(text, |tag: &Captures<'_>| filler(tag[0].len())) {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    }
}

/// Characters without meaning in so many bytes, which are not one.
fn filler(bytes: usize) -> String {
    let (rest, end): (usize, &[char]) = match bytes % 4 {
        0 => (bytes, &[]),
        1 => (bytes - 5, &[SELECTOR, JOINER]),
        2 => (bytes - 2, &[JOINER]),
        _ => (bytes - 3, &[SELECTOR]),
    };
    std::iter::repeat_n(LAST_SELECTOR, rest / 4).chain(end.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_text() {
        let text =
            "<p>子曰：<a href=\"x\">學</a>而<b>時</b>習之<br/>。</p><pb:KR1_001-1a>¶ 1<2 <骨玄>";
        let shown = untagged(text).unwrap();
        assert_eq!(shown.len(), text.len());
        for (at, c) in text.char_indices().filter(|(_, c)| !c.is_ascii()) {
            assert!(shown[at..].starts_with(c));
        }
        assert!(shown.ends_with("<pb:KR1_001-1a>¶ 1<2 <骨玄>"), "{shown}");
        assert!(!shown.contains("href"));
        assert_eq!(untagged("學<而"), None);
        assert!((3..40).all(|n| filler(n).len() == n));
    }
}
