//! Runs of 經 between notes and paragraph borders, for the labels pass.

use crate::model::{Document, Layer, Segment};
use crate::source::{Span, ends_line};
use crate::text::Key;

/// One run of 經.
pub struct ClassicRun {
    /// Index of its segment.
    pub segment: usize,
    /// Its content characters.
    pub key: Key,
    /// A paragraph starts here.
    pub starts: bool,
    /// A paragraph ends here.
    pub ends: bool,
    /// A note precedes it in the same paragraph.
    pub after_note: bool,
    /// Indices of the characters before a line end.
    pub breaks: Vec<usize>,
}

impl ClassicRun {
    /// True if its first character is 右.
    pub fn opens_with_right(&self) -> bool {
        self.key.chars.first() == Some(&'右')
    }
}

/// The runs of 經 of a document, in order.
pub fn runs(document: &Document) -> Vec<ClassicRun> {
    let text = document.source.text();
    let mut out = vec![];
    for (i, s) in document.segments.iter().enumerate().filter(|(_, s)| s.layer == Layer::Jing) {
        let key = Key::of(text, s.span);
        if key.is_empty() {
            continue;
        }
        let before = i.checked_sub(1).map(|p| document.segments[p].layer);
        out.push(ClassicRun {
            segment: i,
            starts: is_edge(document, document.segments[..i].iter().rev()),
            ends: is_edge(document, document.segments[i + 1..].iter()),
            after_note: before == Some(Layer::Mark)
                || before.is_some_and(|l| l.kind() == crate::model::LayerKind::Note),
            breaks: breaks(text, s.span, &key),
            key,
        });
    }
    out
}

/// True if a paragraph ends with the segments from here on, which may be tags of a page.
fn is_edge<'a>(document: &Document, mut from_here: impl Iterator<Item = &'a Segment>) -> bool {
    let ends = |s: &Segment| match s.layer {
        Layer::Blank | Layer::Furniture | Layer::Heading => Some(true),
        Layer::Mark if !ends_line(document.slice(s.span)) => None,
        layer => Some(layer == Layer::Mark),
    };
    from_here.find_map(ends).unwrap_or(true)
}

fn breaks(text: &str, span: Span, key: &Key) -> Vec<usize> {
    let lines = text[span.range()].match_indices('\n').map(|(i, _)| key.index_at(span.start() + i));
    lines.filter(|k| *k > 0 && *k < key.len()).map(|k| k - 1).collect()
}
