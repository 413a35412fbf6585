//! The lines of a text as they are shown: of a page, without the tags around their words.

use std::borrow::Cow;

use crate::model::{Document, LayerKind, Segment};
use crate::source::{Span, ends_line, is_page};
use crate::text::{self, Line};

/// The lines of a document. Those of a page are what stands between tags that end a line; its file
/// may be one line.
pub(super) fn shown_lines(document: &Document) -> Vec<Line> {
    let text = document.source.text();
    if !is_page(text) {
        return text::lines(text);
    }
    let is_text = |s: &&Segment| s.layer.kind() != LayerKind::Outside;
    let words = document.segments.iter().filter(is_text);
    let mut lines: Vec<Line> = vec![];
    let pieces = words.flat_map(|s| document.without_marks(s.span)).filter(|p| !p.is_empty());
    let pre = preformatted(text);
    for piece in pieces {
        let goes_on = |line: &&mut Line| {
            let between = text.get(line.words.end()..piece.start()).unwrap_or_default();
            let in_pre = || {
                let next = pre.partition_point(|p| p.start() <= piece.start());
                next.checked_sub(1).is_some_and(|n| pre[n].contains(piece))
            };
            let may_go_on = !between.contains('\n') || between.contains('<') && !in_pre();
            may_go_on && !ends_line(between)
        };
        match lines.last_mut().filter(goes_on) {
            Some(line) => line.words = Span::new(line.words.start(), piece.end()),
            None => lines.push(Line { whole: piece, words: piece }),
        }
    }
    // Blanks around the words are none; what is between two lines belongs to one of them.
    let mut at = 0;
    for n in 0..lines.len() {
        let Line { words, .. } = lines[n];
        let shown = &text[words.range()];
        let start = words.start() + (shown.len() - shown.trim_start().len());
        let whole_end = match lines.get(n + 1) {
            Some(next) => words.end() + closing(&text[words.end()..next.words.start()]),
            None => text.len(),
        };
        let words = Span::new(start, start + shown.trim().len());
        lines[n] = Line { whole: Span::new(at, whole_end), words };
        at = whole_end;
    }
    lines
}

/// What a page shows line by line as it is written.
fn preformatted(text: &str) -> Vec<Span> {
    let starts = text.match_indices("<pre").map(|(at, _)| at);
    let end = |at: usize| text[at..].find("</pre").map_or(text.len(), |n| at + n);
    let mut all: Vec<Span> = vec![];
    for at in starts {
        // An end that is never written is looked for once.
        if all.last().is_none_or(|last| last.end() <= at) {
            all.push(Span::new(at, end(at)));
        }
    }
    all
}

/// Where what belongs to the line before ends: after the tags that close its elements.
fn closing(between: &str) -> usize {
    let Some(tag) = between.rfind("</") else { return 0 };
    let end = between[tag..].find('>').map_or(between.len(), |n| tag + n + 1);
    end + between[end..].starts_with('\n') as usize
}

/// The first characters of a text, as they are shown.
pub(super) fn shown_head(document: &Document, chars: usize) -> Cow<'_, str> {
    let text = document.source.text();
    if is_page(text) {
        let lines = shown_lines(document);
        let words = lines.iter().map(|line| document.words(line.words));
        let lines = words.take(chars).collect::<Vec<_>>().join("\n");
        return Cow::Owned(lines.chars().take(chars).collect());
    }
    let end = text.char_indices().nth(chars).map_or(text.len(), |(i, _)| i);
    Cow::Borrowed(&text[..end])
}

#[cfg(test)]
mod tests {
    use crate::pipeline;
    use crate::source::Source;

    #[test]
    fn a_page_of_paragraphs_has_the_chapters_that_its_lines_have() {
        let lines = [
            "論語",
            "學而第一",
            "子曰：學而時習之，不亦說乎？",
            "有子曰：其為人也孝弟。",
            "為政第二",
            "子曰：為政以德，譬如北辰。",
            "子曰：詩三百，一言以蔽之。",
            "八佾第三",
            "孔子謂季氏：八佾舞於庭。",
            "三家者以雍徹。",
        ];
        let page: String = lines.map(|line| format!("<p>　　{line}</p>\n")).concat();
        let page = format!("<html><head><title>x</title></head><body>\n{page}</body></html>\n");
        let titles = |name: &str, text: String| {
            let read = pipeline::convert(Source::from_text(name, text), None).unwrap();
            let documents = read.documents.iter();
            documents.filter_map(|d| d.meta.chapter.clone()).collect::<Vec<_>>()
        };
        assert_eq!(titles("a.txt", lines.join("\n")), ["學而", "為政", "八佾"]);
        assert_eq!(titles("a.html", page.replace('\n', "")), ["學而", "為政", "八佾"]);
        assert_eq!(titles("a.html", page), ["學而", "為政", "八佾"]);
        let pre = lines.map(|line| format!("<font><span>{line}</span></font>\n")).concat();
        let pre = format!("<html><body><pre class=\"western\">{pre}</pre></body></html>\n");
        assert_eq!(titles("a.html", pre), ["學而", "為政", "八佾"]);
    }
}
