//! Small type in web pages and e-books: by rules of style sheets for classes, by styles of
//! elements, by `<font size>`, and by what hOCR says of lines. What is small is so beside the type
//! of the text, which notes may outnumber.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};
use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::roles::attribute;
use super::{MAX_DEPTH, VOID};
use crate::text::class::is_content;
use crate::text::pattern;

/// The type of a page that says nothing, in points.
const USUAL_POINTS: f32 = 12.0;
/// Points of a pixel.
const PIXEL: f32 = 0.75;
/// Of `<font size>` from 1.
const OF_FONT: [f32; 7] = [7.5, 10.0, 12.0, 13.5, 18.0, 24.0, 36.0];
/// Of the text, in percent, that has a size for it to be that of the text.
const OF_TEXT_PERCENT: usize = 10;
/// Type at most this much of that of the text is small.
const SMALL: f32 = 0.9;

static RULE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?s)([^{}]{1,300})\{([^{}]*\bfont-size\s*:[^{}]*)\}"));
static CLASS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\.([\w-]+)\s*(?:,|$)"));
static SIZE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)font-size\s*:\s*([^;}!]+)"));

/// A size as it is written.
#[derive(Clone, Copy)]
enum TypeSize {
    Points(f32),
    /// Of that around it.
    Share(f32),
}

impl TypeSize {
    fn read(value: &str) -> Option<Self> {
        let value = value.trim().to_lowercase();
        let number = |unit: &str| value.strip_suffix(unit)?.trim().parse::<f32>().ok();
        let named = match &*value {
            "smaller" | "small" => Some(TypeSize::Share(0.83)),
            "x-small" => Some(TypeSize::Share(0.7)),
            "xx-small" => Some(TypeSize::Share(0.6)),
            "medium" => Some(TypeSize::Points(USUAL_POINTS)),
            "larger" | "large" => Some(TypeSize::Share(1.2)),
            _ => None,
        };
        let points = || number("pt").or_else(|| Some(number("px")? * PIXEL));
        named
            .or_else(|| points().map(TypeSize::Points))
            .or_else(|| number("rem").map(|n| TypeSize::Points(n * USUAL_POINTS)))
            .or_else(|| number("em").map(TypeSize::Share))
            .or_else(|| number("%").map(|n| TypeSize::Share(n / 100.0)))
    }

    fn of_font(value: &str) -> Option<Self> {
        let value = value.trim();
        let steps: f32 = value.parse().ok()?;
        match value.starts_with(['-', '+']) {
            true => Some(TypeSize::Share(1.2f32.powf(steps))),
            false => {
                let step = (steps as usize).checked_sub(1)?;
                OF_FONT.get(step).copied().map(TypeSize::Points)
            }
        }
    }

    fn points(self, around: f32) -> f32 {
        match self {
            TypeSize::Points(points) => points,
            TypeSize::Share(share) => around * share,
        }
    }
}

/// Where the elements begin whose type is small, and is not within one that is.
pub(crate) fn small_elements(text: &str) -> FxHashSet<usize> {
    let says_sizes = ["font-size", "<font", "<FONT", "ocr_line"];
    if !says_sizes.iter().any(|sign| text.contains(sign)) {
        return FxHashSet::default();
    }
    let classes = classes(text);
    let mut walk = SizeWalk { classes, open: vec![], chars: BTreeMap::new(), sized: vec![] };
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(!text.contains("xmlns="));
    for token in Tokenizer::new_with_emitter(text, emitter).flatten() {
        match token {
            Token::StartTag(tag) => walk.start(&tag),
            Token::EndTag(tag) => walk.end(&tag.name),
            Token::String(words) => walk.words(&text[words.span.start..words.span.end]),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    walk.small()
}

/// The sizes that style sheets give classes.
fn classes(text: &str) -> FxHashMap<String, TypeSize> {
    let mut sizes = FxHashMap::default();
    for rule in RULE.captures_iter(text) {
        let size = SIZE.captures(&rule[2]).and_then(|size| TypeSize::read(&size[1]));
        let Some(size) = size else { continue };
        let named = CLASS.captures_iter(rule[1].trim());
        sizes.extend(named.map(|class| (class[1].to_lowercase(), size)));
    }
    sizes
}

/// The size of a line that was recognised in an image (hOCR): it says it, or is as wide.
fn of_ocr(tag: &StartTag<usize>) -> Option<TypeSize> {
    static X_SIZE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bx_size ([\d.]+)"));
    static BOX: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bbbox (\d+) (\d+) (\d+) (\d+)"));
    let title = attribute(tag, "class").filter(|class| class.contains("ocr_line"));
    let title = title.and(attribute(tag, "title"))?;
    let said = X_SIZE.captures(title).and_then(|size| size[1].parse().ok());
    let wide = || {
        let corners = BOX.captures(title)?;
        let at = |n: usize| corners[n].parse::<f32>().ok();
        Some((at(3)? - at(1)?).min(at(4)? - at(2)?))
    };
    said.or_else(wide).map(TypeSize::Points)
}

struct SizeWalk {
    classes: FxHashMap<String, TypeSize>,
    /// The names of elements that are open, their sizes in points, and which of those that have a
    /// size of their own is around their text.
    open: Vec<(Vec<u8>, f32, Option<usize>)>,
    /// Chinese characters by size, in tenths of a point, without headings.
    chars: BTreeMap<u32, usize>,
    /// Elements that have a size of their own: where, which, and which of them is around.
    sized: Vec<(usize, f32, Option<usize>)>,
}

impl SizeWalk {
    fn around(&self) -> f32 {
        self.open.last().map_or(USUAL_POINTS, |open| open.1)
    }

    fn start(&mut self, tag: &StartTag<usize>) {
        if VOID.contains(&&**tag.name) || tag.self_closing || self.open.len() >= MAX_DEPTH {
            return;
        }
        let around = self.around();
        let styled = attribute(tag, "style").and_then(|style| SIZE.captures(style));
        let styled = styled.and_then(|size| TypeSize::read(&size[1]));
        let names = attribute(tag, "class").unwrap_or_default().to_lowercase();
        let by_class = || names.split_whitespace().find_map(|name| self.classes.get(name)).copied();
        let by_font = || {
            let size = attribute(tag, "size").filter(|_| **tag.name == *b"font");
            size.and_then(TypeSize::of_font)
        };
        let size = styled.or_else(by_class).or_else(by_font).or_else(|| of_ocr(tag));
        let points = size.map_or(around, |size| size.points(around));
        let mut of = self.open.last().and_then(|open| open.2);
        if size.is_some() {
            self.sized.push((tag.span.start, points, of));
            of = Some(self.sized.len() - 1);
        }
        self.open.push((tag.name.to_vec(), points, of));
    }

    fn end(&mut self, name: &[u8]) {
        if let Some(n) = self.open.iter().rposition(|open| open.0 == name) {
            self.open.truncate(n);
        }
    }

    fn words(&mut self, words: &str) {
        let is_heading =
            |open: &(Vec<u8>, f32, Option<usize>)| matches!(open.0[..], [b'h', b'1'..=b'6']);
        let is_no_text =
            |open: &(Vec<u8>, f32, Option<usize>)| open.0 == b"style" || open.0 == b"script";
        if !self.open.iter().any(|open| is_heading(open) || is_no_text(open)) {
            let chars = words.chars().filter(|c| is_content(*c) && !c.is_ascii()).count();
            *self.chars.entry((self.around() * 10.0) as u32).or_default() += chars;
        }
    }

    fn small(self) -> FxHashSet<usize> {
        let all: usize = self.chars.values().sum();
        let is_of_text = |(_, chars): &(&u32, &usize)| *chars * 100 >= all * OF_TEXT_PERCENT;
        let base = self.chars.iter().rev().find(is_of_text).map_or(0, |(size, _)| *size);
        let limit = base as f32 / 10.0 * SMALL;
        let mut within: Vec<bool> = Vec::with_capacity(self.sized.len());
        let mut small = FxHashSet::default();
        for (at, own, around) in self.sized {
            let is_within = around.is_some_and(|n| within[n]);
            if own <= limit && !is_within {
                small.insert(at);
            }
            within.push(is_within || own <= limit);
        }
        small
    }
}
