//! Plain Chinese text: a classic without notes, one sentence or paragraph on each line, punctuated
//! or not.
//!
//! The fallback for Chinese text that no other reader claims. Every line is classic; nothing is
//! inferred. A short first line without punctuation, in a text that is otherwise punctuated, is the
//! title. Lines before it that describe the file (`書名: 論語`, `URN: …`, a rule of `===`) are
//! furniture.

use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::diag::Error;
use crate::model::{Certainty, Document, Evidence, EvidenceKind, Layer, Segment};
use crate::source::{Source, Span};
use crate::text::class::{ends_clause, ends_sentence, is_content};
use crate::text::{self, Line, pattern};

/// Longest title, in characters.
const MAX_TITLE_CHARS: usize = 16;

/// A low score for anything that is mostly Chinese: every more specific reader wins.
pub fn sniff(head: &str) -> u8 {
    // XML, HTML and JSON contain text and markup; reading all of it as classic would be wrong.
    if super::start(head).starts_with(['<', '{', '[']) {
        return 0;
    }
    let letters = head.chars().filter(|c| c.is_alphanumeric()).count();
    // Letters with accents may be bytes of Chinese characters in a wrong encoding.
    let is_han = |c: &char| is_content(*c) && *c >= '\u{2E80}' && !c.is_numeric();
    let han = head.chars().filter(is_han).count();
    if han * 2 > letters { 2 } else { 0 }
}

/// Reads lines as classic.
///
/// # Errors
/// None beyond what the signature of a reader asks for.
pub fn read(source: Source) -> Result<Document, Error> {
    let mut document = Document::new(Arc::new(source), "plain");
    let source = Arc::clone(&document.source);
    let lines = text::lines(source.text());
    let punctuated = text::is_punctuated(source.text());
    let mut before = true;
    for line in &lines {
        let words = source.slice(line.words);
        if words.is_empty() {
            document.push(Segment::marked(Layer::Blank, line.whole));
            continue;
        }
        if before && describes(words) {
            push_line(&mut document, line, Layer::Furniture);
            continue;
        }
        let title = before && punctuated && is_title(words) && lines.len() > 1;
        before = false;
        if title && !is_markdown_heading(words) {
            let why = "a short first line without punctuation";
            let why = vec![Evidence::new(EvidenceKind::TitleLine, why)];
            let heading = Segment::inferred(Layer::Heading, line.words, Certainty::new(0.8), why);
            push(&mut document, line, heading);
        } else {
            let heading = is_markdown_heading(words);
            push_line(&mut document, line, if heading { Layer::Heading } else { Layer::Jing });
        }
    }
    Ok(document)
}

/// True if a line describes the file and is not part of the text.
fn describes(words: &str) -> bool {
    static FIELD: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:(?:書名|书名|URN|朝代|作者|下載時間|下载时间|來源|来源|網址|网址|版本|title|author|source|url)\s*[:：].*|[=\-_*~]{4,})$",
        )
    });
    FIELD.is_match(words)
}

/// `## 學而`: the line says itself that it is a heading.
fn is_markdown_heading(words: &str) -> bool {
    words.starts_with('#') && words.trim_start_matches('#').starts_with([' ', '\u{3000}'])
}

fn is_title(words: &str) -> bool {
    words.chars().count() <= MAX_TITLE_CHARS
        && !words.chars().any(|c| ends_sentence(c) || ends_clause(c))
}

fn push_line(document: &mut Document, line: &Line, layer: Layer) {
    push(document, line, Segment::marked(layer, line.words));
}

/// Adds a line whose words are a segment.
fn push(document: &mut Document, line: &Line, segment: Segment) {
    let Line { whole, words } = *line;
    document.push(Segment::marked(Layer::Blank, Span::new(whole.start(), words.start())));
    document.push(segment);
    document.push(Segment::marked(Layer::Blank, Span::new(words.end(), whole.end())));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers(text: &str) -> Vec<(Layer, String)> {
        let d = read(Source::from_text("t.txt", text)).unwrap();
        d.check().unwrap();
        d.segments.iter().map(|s| (s.layer, d.slice(s.span).to_string())).collect()
    }

    #[test]
    fn lines_are_classic_and_a_bare_first_line_is_the_title() {
        let got = layers("鄉射禮\n\n　司射復位。\n三耦卒飲。\n");
        let want = [
            (Layer::Heading, "鄉射禮"),
            (Layer::Blank, "\n\n　"),
            (Layer::Jing, "司射復位。"),
            (Layer::Blank, "\n"),
        ];
        assert_eq!(got[..4], want.map(|(l, t)| (l, t.to_string())));
    }

    #[test]
    fn unpunctuated_lines_have_no_title() {
        assert_eq!(layers("司射復位\n三耦卒飲\n")[0].0, Layer::Jing);
    }

    #[test]
    fn lines_that_describe_the_file_are_furniture() {
        let got = layers(
            "書名: 論語\nURN: ctp:analects\n====\n\n學而\n子曰：「學而時習之，不亦說乎？」\n",
        );
        let found = |layer| {
            got.iter().filter(|(l, _)| *l == layer).map(|(_, w)| w.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(found(Layer::Furniture).len(), 3);
        assert_eq!((found(Layer::Heading), found(Layer::Jing).len()), (vec!["學而"], 1));
        assert_eq!(sniff("<p>子曰學而時習之</p>") + sniff("{\"子曰\": \"學而時習之不亦說乎\"}"), 0);
    }

    #[test]
    fn latin_text_is_not_claimed() {
        assert_eq!(sniff("The classic of changes, 易經"), 0);
        assert!(sniff("司射復位 三耦卒飲") > 0);
    }
}
