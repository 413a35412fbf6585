//! Lines of ALTO, whose text and size are in attributes, of PAGE, whose outline is, and tokens of
//! KRX.

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;

use crate::readers::halves;
use crate::source::Span;
use crate::text::pattern;

static LINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"<(?:\w+:)?TextLine\b[^<>]*>"));
/// With the outline that PAGE has in it.
static OUTLINED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"<(?:\w+:)?TextLine\b[^<>]*>(?:\s*<(?:\w+:)?Coords\b[^<>]*?\bpoints\s*=\s*["']([^"']*))?"#,
    )
});
static WIDTH: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bWIDTH\s*=\s*["'](\d+)"#));
static HEIGHT: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bHEIGHT\s*=\s*["'](\d+)"#));
static CONTENT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\bCONTENT\s*=\s*(?:"([^"]*)"|'([^']*)')"#));

static STYLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"<(?:\w+:)?TextStyle\b[^<>]*\bID\s*=\s*["']([^"']+)[^<>]*>"#));
static FONT: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bFONTSIZE\s*=\s*["']([\d.]+)"#));
static STYLES: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bSTYLEREFS\s*=\s*["']([^"']+)"#));
/// Type at most this much of that of the text is small, and the share of lines that the text has at
/// least.
const SMALL: f64 = 0.9;
const OF_TEXT: f64 = 0.1;

static CHARACTER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\bp\s*=\s*(?:"([^"]*)"|'([^']*)')"#));

/// Of each line of a file whether it is half of a double row, or in small type.
pub(super) fn small_lines(text: &str) -> Vec<bool> {
    let halves = half_lines(text);
    let sizes = sizes_of_type(text);
    let mut sorted: Vec<f64> = sizes.iter().flatten().copied().collect();
    sorted.sort_by(f64::total_cmp);
    let largest = sorted.iter().rev().nth((sorted.len() as f64 * OF_TEXT) as usize);
    let limit = largest.map_or(0.0, |size| size * SMALL);
    let is_small = |size: &Option<f64>| size.is_some_and(|size| size <= limit);
    halves.iter().zip(&sizes).map(|(half, size)| *half || is_small(size)).collect()
}

/// The size of type of each line, if its style says it.
fn sizes_of_type(text: &str) -> Vec<Option<f64>> {
    let styles = STYLE.captures_iter(text).filter_map(|style| {
        let size = FONT.captures(style.get_match().as_str())?[1].parse::<f64>().ok()?;
        Some((style.get(1)?.as_str(), size))
    });
    let styles: FxHashMap<&str, f64> = styles.collect();
    let of_line = |tag: &str| {
        let names = STYLES.captures(tag)?.get(1)?.as_str();
        names.split_whitespace().find_map(|name| styles.get(name).copied())
    };
    LINE.find_iter(text).map(|tag| of_line(tag.as_str())).collect()
}

fn half_lines(text: &str) -> Vec<bool> {
    let number = |of: &Regex, tag: &str| of.captures(tag)?[1].parse::<f64>().ok();
    let size = |tag: &str| Some((number(&WIDTH, tag)?, number(&HEIGHT, tag)?));
    let sizes: Vec<_> = OUTLINED
        .captures_iter(text)
        .map(|line| {
            let outline = line.get(1).and_then(|points| size_of(points.as_str()));
            outline.or_else(|| size(&line[0]))
        })
        .collect();
    halves(&sizes)
}

/// Width and height of an outline: points as `x,y`.
fn size_of(points: &str) -> Option<(f64, f64)> {
    let point = |p: &str| {
        let (x, y) = p.split_once(',')?;
        Some((x.parse::<f64>().ok()?, y.parse::<f64>().ok()?))
    };
    let (mut low, mut high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    for (x, y) in points.split_whitespace().filter_map(point) {
        low = (low.0.min(x), low.1.min(y));
        high = (high.0.max(x), high.1.max(y));
    }
    (high.0 >= low.0).then_some((high.0 - low.0, high.1 - low.1))
}

/// Where the text of a `String` is, whose tag is between two bytes.
pub(super) fn content(text: &str, from: usize, to: usize) -> Option<Span> {
    value(&CONTENT, text, from, to)
}

/// Where the character of a token of KRX is, whose tag is between two bytes.
pub(super) fn character(text: &str, from: usize, to: usize) -> Option<Span> {
    value(&CHARACTER, text, from, to)
}

fn value(of: &Regex, text: &str, from: usize, to: usize) -> Option<Span> {
    let found = of.captures(&text[from..to])?;
    let value = found.get(1).or_else(|| found.get(2))?;
    Some(Span::new(from + value.start(), from + value.end()))
}
