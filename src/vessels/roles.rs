//! What the markup of a text says of the layers of its words, put over what a reader made of them.

use crate::model::{Document, Layer, LayerKind, Segment, SharedList};
use crate::source::Span;

/// What the markup says of some words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedRole {
    /// They are of this layer.
    Of(Layer),
    /// They are a note. Of which layer, the reader may know better.
    Note,
    /// They are the classic, and no heading.
    Classic,
}

impl NamedRole {
    /// The layer of words that a reader gave another.
    fn layer(self, read: Layer) -> Layer {
        match (self, read.kind()) {
            (NamedRole::Of(layer), _) => layer,
            (NamedRole::Note, LayerKind::Base | LayerKind::Undivided) => Layer::Zhu,
            (NamedRole::Classic, _) if read == Layer::Heading => Layer::Jing,
            (NamedRole::Note | NamedRole::Classic, _) => read,
        }
    }
}

/// Gives the text in some spans of the file the layer that the markup names; of spans in each other
/// the outer one counts. A segment that is only partly in one is divided.
pub(super) fn put(document: &mut Document, mut roles: Vec<(Span, NamedRole)>) {
    if roles.is_empty() {
        return;
    }
    roles.sort_by_key(|(span, _)| (span.start(), std::cmp::Reverse(span.end())));
    let mut reach = 0;
    roles.retain(|(span, _)| {
        let is_apart = span.start() >= reach;
        reach = reach.max(span.end());
        is_apart
    });
    let mut made: Vec<Segment> = Vec::with_capacity(document.segments.len());
    let mut next = 0;
    for segment in document.segments.iter() {
        while roles.get(next).is_some_and(|(span, _)| span.end() <= segment.span.start()) {
            next += 1;
        }
        if !segment.layer.is_text() {
            made.push(segment.clone());
            continue;
        }
        let mut from = segment.span.start();
        for (span, role) in &roles[next..] {
            let (start, end) = (span.start().max(from), span.end().min(segment.span.end()));
            if start >= segment.span.end() {
                break;
            }
            if start < end {
                let layer = role.layer(segment.layer);
                if layer != segment.layer {
                    // Tags beside it are no text of their own.
                    let before = Span::new(from, start);
                    let start = if has_words(document, before) { start } else { from };
                    keep(&mut made, segment, from, start);
                    made.push(Segment::marked(layer, Span::new(start, end)));
                    from = end;
                }
            }
        }
        let rest = Span::new(from, segment.span.end());
        match made.last_mut() {
            Some(last) if from > segment.span.start() && !has_words(document, rest) => {
                last.span = Span::new(last.span.start(), rest.end());
            }
            _ => keep(&mut made, segment, from, rest.end()),
        }
    }
    document.segments = SharedList::from(made);
    document.divide_marks();
}

/// True if there is more than marks and blanks in a span.
fn has_words(document: &Document, span: Span) -> bool {
    document.without_marks(span).any(|part| !document.slice(part).trim().is_empty())
}

/// Adds a part of a segment.
fn keep(made: &mut Vec<Segment>, segment: &Segment, from: usize, to: usize) {
    if from < to {
        made.push(Segment { span: Span::new(from, to), ..segment.clone() });
    }
}
