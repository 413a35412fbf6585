//! Lines of ALTO, whose text and size are in attributes.

use std::sync::LazyLock;

use regex::Regex;

use crate::readers::halves;
use crate::source::Span;
use crate::text::pattern;

static LINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"<(?:\w+:)?TextLine\b[^<>]*>"));
static WIDTH: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bWIDTH\s*=\s*["'](\d+)"#));
static HEIGHT: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bHEIGHT\s*=\s*["'](\d+)"#));
static CONTENT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\bCONTENT\s*=\s*(?:"([^"]*)"|'([^']*)')"#));

/// Of each line of a file whether it is half of a double row.
pub(super) fn small_lines(text: &str) -> Vec<bool> {
    let number = |of: &Regex, tag: &str| of.captures(tag)?[1].parse::<f64>().ok();
    let size = |tag: &str| Some((number(&WIDTH, tag)?, number(&HEIGHT, tag)?));
    let sizes: Vec<_> = LINE.find_iter(text).map(|tag| size(tag.as_str())).collect();
    halves(&sizes)
}

/// Where the text of a `String` is, whose tag is between two bytes.
pub(super) fn content(text: &str, from: usize, to: usize) -> Option<Span> {
    let found = CONTENT.captures(&text[from..to])?;
    let value = found.get(1).or_else(|| found.get(2))?;
    Some(Span::new(from + value.start(), from + value.end()))
}
