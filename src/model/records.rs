//! Records of tables and JSON, in which a title may stand after its text.

use super::{Document, LayerKind};
use crate::source::Span;

/// Where the record begins that a title is in, if text of it stands before the title: the row of a
/// table, or an object of JSON.
pub(crate) fn record_of_title(document: &Document, title: Span) -> Option<usize> {
    let start = match &*document.reader {
        "table" => row_around(document.source.text(), title.start()),
        "json" => object_around(document, title.start())?,
        _ => return None,
    };
    let first = document.segments.partition_point(|s| s.span.end() <= start);
    let mut before =
        document.segments[first..].iter().take_while(|s| s.span.end() <= title.start());
    let is_text = |kind| !matches!(kind, LayerKind::Structure | LayerKind::Outside);
    before.any(|s| is_text(s.layer.kind())).then_some(start)
}

/// Most lines of a row.
const MAX_ROW_LINES: usize = 40;

/// Where the row of a table begins; ends of lines within quotation marks are none.
fn row_around(text: &str, at: usize) -> usize {
    let line = |at: usize| text[..at].rfind('\n').map_or(0, |n| n + 1);
    let ends = |start: &usize| text[*start..at].bytes().filter(|b| *b == b'"').count() % 2 == 0;
    let lines = std::iter::successors(Some(line(at)), |start| start.checked_sub(1).map(line));
    lines.take(MAX_ROW_LINES).find(ends).unwrap_or(line(at))
}

/// The brace that opens the innermost object around a byte. Braces among words are none.
fn object_around(document: &Document, at: usize) -> Option<usize> {
    let before = document.segments.partition_point(|s| s.span.end() <= at);
    let mut closed = 0usize;
    let outside = document.segments[..before].iter().rev();
    for s in outside.filter(|s| s.layer.kind() == LayerKind::Outside) {
        for (n, c) in document.slice(s.span).char_indices().rev() {
            match c {
                '}' => closed += 1,
                '{' if closed == 0 => return Some(s.span.start() + n),
                '{' => closed -= 1,
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::pipeline;
    use crate::source::Source;

    /// The chapters of a file, each with the first words of its classic.
    fn chapters(name: &str, text: &str) -> Vec<(String, String)> {
        let library = pipeline::convert(Source::from_text(name, text), None).unwrap();
        let of = |d: &crate::model::Document| {
            let first = d.of_layer(crate::model::Layer::Jing).next();
            let words = first.map(|s| d.words(s.span).chars().take(5).collect());
            (d.meta.chapter.clone().unwrap_or_default(), words.unwrap_or_default())
        };
        library.documents.iter().map(|d| of(d)).collect()
    }

    #[test]
    fn a_title_after_its_text_is_that_of_its_record() {
        let rows = [
            ("學而", "子曰學而時習之不亦說乎"),
            ("為政", "子曰為政以德譬如北辰"),
            ("八佾", "孔子謂季氏八佾舞於庭"),
        ];
        let right: Vec<(String, String)> = rows
            .iter()
            .map(|(title, words)| (title.to_string(), words.chars().take(5).collect()))
            .collect();
        let table: String = rows.iter().map(|(t, w)| format!("{w},{t}\n")).collect();
        assert_eq!(chapters("a.csv", &format!("原文,篇名\n{table}")), right);
        let objects = rows.map(|(t, w)| format!("{{\"content\": [\"{w}\"], \"title\": \"{t}\"}}"));
        assert_eq!(chapters("a.json", &format!("[\n{}\n]\n", objects.join(",\n"))), right);
        let table: String = rows.iter().map(|(t, w)| format!("{t},{w}\n")).collect();
        assert_eq!(chapters("a.csv", &format!("篇名,原文\n{table}")), right);
    }
}
