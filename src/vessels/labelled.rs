//! Passages copied from a page that labels each with its number and the title of its chapter: `1
//! 學而: 子曰…`. Number and label are no words of the text; the first label of a chapter is its title.

use std::sync::LazyLock;

use regex::Regex;

use super::edits::Edits;
use super::{Aside, Taken, VesselHints};
use crate::diag::Diagnostic;
use crate::model::key_role;
use crate::source::Span;
use crate::text::{self, pattern};

static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?P<n>[0-9]{1,4})[\s.、]*(?P<label>\p{Han}[\p{Han}·・]{0,11})[:：]\s*")
});

/// What a label does not end with, and what is not after it: 1 子曰：「…」, 2 孟懿子：「…」.
const SPEAKS: &[char] =
    &['曰', '云', '謂', '谓', '說', '说', '道', '問', '问', '對', '对', '答', '稱', '称'];
const QUOTES: &[char] = &['「', '『', '“', '‘', '"'];

/// Fewest passages of a chapter for their labels to be believed.
const MIN_PASSAGES: usize = 3;

/// The label of a line.
struct LineLabel<'t> {
    number: u32,
    label: &'t str,
    /// Number and label, with what is after it.
    whole: Span,
    /// The label itself.
    words: Span,
    /// The line before it with words.
    before: &'t str,
}

/// Finds the labels.
pub(super) fn find(text: &str, _: VesselHints<'_>) -> Taken {
    let mut before = "";
    let mut labels: Vec<LineLabel<'_>> = vec![];
    for line in text::lines(text) {
        let words = &text[line.words.range()];
        labels.extend(label(words, line.words.start(), before));
        before = if words.is_empty() { before } else { words };
    }
    // Numbers go up by one within a chapter. Names of those who speak change while they do.
    let series = labels.chunk_by(|a, b| b.number == a.number + 1);
    let series = series.map(|all| all.chunk_by(|a, b| a.label == b.label).collect::<Vec<_>>());
    let are_chapters = |all: &Vec<&[LineLabel<'_>]>| all.iter().all(|c| c.len() >= MIN_PASSAGES);
    let chapters = series.filter(are_chapters).flatten();
    let (mut edits, mut number, mut first) = (Edits::default(), 0, None);
    for chapter in chapters {
        for (n, line) in chapter.iter().enumerate() {
            if n == 0 && !is_title_of(line.before, line.label) {
                edits.taken(line.whole.start(), line.words.start(), Aside::Mark);
                edits.shown(line.words.end(), line.whole.end(), "\n");
            } else {
                edits.taken(line.whole.start(), line.whole.end(), Aside::Mark);
            }
        }
        number += chapter.len();
        first = first.or(Some(chapter[0].whole));
    }
    let remark = first.map(|first| {
        let message = format!("{number} passages have a number and the title of their chapter");
        Diagnostic::info("passage-labels", first, message)
    });
    Taken { edits: edits.finish(), remarks: remark.into_iter().collect(), ..Taken::default() }
}

/// True if a line is the title that a label has: 學而, 學而第一, 學而 - Xue Er.
fn is_title_of(line: &str, label: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
    let is_end = |rest: &str| {
        let rest = rest.trim_start_matches('第');
        !rest.contains([':', '：', '。', '，'])
    };
    rest.strip_prefix(label).is_some_and(is_end)
}

/// The label of a line that begins at a byte.
fn label<'t>(words: &'t str, at: usize, before: &'t str) -> Option<LineLabel<'t>> {
    let found = LABELLED.captures(words)?;
    let (whole, label) = (found.get(0)?, found.name("label")?);
    // One who speaks, a layer, a word that is explained.
    let is_other = |label: &str| {
        label.ends_with(SPEAKS) || label.chars().count() < 2 || key_role(label).is_some()
    };
    if is_other(label.as_str()) || words[whole.end()..].starts_with(QUOTES) {
        return None;
    }
    Some(LineLabel {
        number: found["n"].parse().ok()?,
        label: label.as_str(),
        whole: Span::new(at, at + whole.end()),
        words: Span::new(at + label.start(), at + label.end()),
        before,
    })
}

#[cfg(test)]
mod tests {
    use crate::model::Layer;
    use crate::readers::Readers;
    use crate::source::Source;

    /// The words of each layer.
    fn read(text: &str) -> Vec<(Layer, String)> {
        let document = Readers::default().read(Source::from_text("a.txt", text), None).unwrap();
        document.check().unwrap();
        let text = document.segments.iter().filter(|s| s.layer.is_text());
        text.map(|s| (s.layer, document.words(s.span).to_string())).collect()
    }

    #[test]
    fn labels_of_passages_are_no_text() {
        for (after, end) in [(" ", ": "), ("\t", ":\t"), (". ", "：")] {
            let line = |n: u32, words: &str| format!("{n}{after}學而{end}{words}\n");
            let text = [
                line(1, "子曰：「學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？」"),
                line(2, "有子曰：「其為人也孝弟，而好犯上者，鮮矣。」"),
                line(3, "子曰：「巧言令色，鮮矣仁！」"),
            ]
            .concat();
            let found = read(&text);
            let words: String = found.iter().map(|(_, words)| words.as_str()).collect();
            assert!(
                words.starts_with("學而子曰：「學") && !words[6..].contains("學而:"),
                "{found:?}"
            );
            assert!(!words.contains(|c: char| c.is_ascii_digit()), "{found:?}");
        }
        let text = "1 子曰：「學而時習之。」\n2 子曰：「巧言令色。」\n3 子曰：「吾日三省。」\n";
        assert!(read(text).iter().any(|(_, words)| words.contains("1 子曰")));
        let text = "1 孟子：王何必曰利？\n2 孟子：亦有仁義而已矣。\n3 孟子：王曰何以利吾國？\n4 宣王：善哉！\n";
        assert!(read(text).iter().any(|(_, words)| words.contains("孟子：王何")));
    }
}
