//! 注疏 paragraphs as they circulate: a paragraph that begins with `[疏]` is sub-commentary, every other one is classic
//! and commentary with nothing between them.
//!
//! A paragraph is a line; blank lines between them may be there or not. The reader tells paragraphs apart and leaves the
//! rest to the passes: what stands before 釋曰 to `headers`, the border of 經 and 注 to `split`.

use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::diag::Error;
use crate::model::{Document, Layer, Segment};
use crate::source::{Source, Span};

/// The mark of a sub-commentary paragraph, in the brackets that are met.
static MARK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[\[【〔［](?:疏|正義|正义)[\]】〕］]").expect("a valid pattern"));

/// How much the text looks like this format.
pub fn sniff(text: &str) -> u8 {
    let marked = text.lines().filter(|l| MARK.is_match(l.trim_start())).count();
    match marked {
        0 => 0,
        1 => 60,
        _ => 90,
    }
}

/// Reads. See the [module](self).
///
/// # Errors
/// None of its own.
pub fn read(source: Source) -> Result<Document, Error> {
    let source = Arc::new(source);
    let mut document = Document::new(source.clone(), "zhushu");
    let text = source.text();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        let start = at + (line.len() - line.trim_start().len());
        blank(&mut document, at, if words.is_empty() { at + line.len() } else { start });
        if !words.is_empty() {
            let end = start + words.len();
            paragraph(&mut document, Span::new(start, end));
            blank(&mut document, end, at + line.len());
        }
        at += line.len();
    }
    Ok(document)
}

/// Adds blanks, joining them to blanks just before.
fn blank(document: &mut Document, start: usize, end: usize) {
    if start == end {
        return;
    }
    match document.segments.last_mut() {
        Some(last) if last.layer == Layer::Blank => last.span = Span::new(last.span.start(), end),
        _ => document.segments.push(Segment::marked(Layer::Blank, Span::new(start, end))),
    }
}

fn paragraph(document: &mut Document, span: Span) {
    let words = document.source.slice(span);
    match MARK.find(words).map(|m| span.start() + m.end()) {
        None => document.segments.push(Segment::marked(Layer::Undivided, span)),
        Some(end) => {
            document.segments.push(Segment::marked(Layer::Mark, Span::new(span.start(), end)));
            if end < span.end() {
                document.segments.push(Segment::marked(Layer::Shu, Span::new(end, span.end())));
            }
        }
    }
}
