//! The lines of a text as they are shown: of a page, without the tags around their words.

use std::borrow::Cow;

use crate::model::{Document, LayerKind};
use crate::source::{Span, is_page};
use crate::text::{self, Line};

/// The lines of a document.
pub(super) fn shown_lines(document: &Document) -> Vec<Line> {
    let text = document.source.text();
    let mut lines = text::lines(text);
    if !is_page(text) {
        return lines;
    }
    let mut first = 0;
    for line in &mut lines {
        let words = line.words;
        let segments = &document.segments;
        while segments.get(first).is_some_and(|s| s.span.end() <= words.start()) {
            first += 1;
        }
        let within = segments[first..].iter().take_while(|s| s.span.start() < words.end());
        let mut shown = within.filter(|s| s.layer.kind() != LayerKind::Outside).map(|s| s.span);
        let one = shown.next().unwrap_or(Span::new(words.start(), words.start()));
        let start = one.start().max(words.start());
        let end = shown.last().unwrap_or(one).end().min(words.end());
        let words = &text[start..end.max(start)];
        let start = start + (words.len() - words.trim_start().len());
        line.words = Span::new(start, start + words.trim().len());
    }
    lines
}

/// The first characters of a text, as they are shown.
pub(super) fn shown_head(document: &Document, chars: usize) -> Cow<'_, str> {
    let text = document.source.text();
    if is_page(text) {
        let lines = shown_lines(document);
        let words = lines.iter().map(|line| document.words(line.words)).filter(|w| !w.is_empty());
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
        assert_eq!(titles("a.html", page), ["學而", "為政", "八佾"]);
    }
}
