//! Lines that the number of a chapter opens: 第一章　道可道，非常道。 The number is a title and the rest
//! of the line text, if the lines count from one.

use std::sync::LazyLock;

use regex::Regex;

use crate::source::Span;
use crate::text::{Line, numeral, pattern};

/// A number of a chapter, before text.
static OPENS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[【\[〔]?[第弟](?P<a>[〇零一二三四五六七八九十百]+)章[】\]〕]?|[【\[〔](?P<b>[〇零一二三四五六七八九十百]+)章[】\]〕])",
    )
});

/// The lines, each number that opens one as a line of its own. `is_text` says that a line is no
/// title.
pub(super) fn with_opened_titles(
    text: &str,
    lines: Vec<Line>,
    is_text: impl Fn(&str) -> bool,
) -> Vec<Line> {
    let opened = |line: &Line| {
        let words = &text[line.words.range()];
        let found = OPENS.captures(words).filter(|_| is_text(words))?;
        let number = found.name("a").or(found.name("b")).and_then(|n| numeral::parse(n.as_str()));
        Some((number?, line.words.start() + found[0].len()))
    };
    let all: Vec<Option<(u32, usize)>> = lines.iter().map(opened).collect();
    let numbers: Vec<u32> = all.iter().flatten().map(|(n, _)| *n).collect();
    let counts = matches!(numbers[..], [1, 2, 3, ..]);
    if !counts || numbers.windows(2).any(|w| w[1] != w[0] + 1) {
        return lines;
    }
    let mut cut = Vec::with_capacity(lines.len() + numbers.len());
    for (line, opened) in lines.into_iter().zip(all) {
        let Some((_, at)) = opened else {
            cut.push(line);
            continue;
        };
        let end = line.words.end();
        let start = end - text[at..end].trim_start().len();
        cut.push(Line {
            whole: Span::new(line.whole.start(), start),
            words: Span::new(line.words.start(), at),
        });
        cut.push(Line { whole: Span::new(start, line.whole.end()), words: Span::new(start, end) });
    }
    cut
}
