//! What marks words of a text, flattened: spans of the model may overlap and nest in any way,
//! elements of a page may not. Every stretch between two borders gets the shortest mark of each
//! kind that covers it: a link, a reading, a doubtful place, a change, who says it, a name.

use std::collections::BTreeSet;

use super::asked::PageReview;
use crate::model::{Document, Link, LinkKind};
use crate::reading::MarkedName;
use crate::source::Span;

/// A stretch over which nothing begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MarkedSpan {
    pub(super) span: Span,
    /// Index of the link it belongs to.
    pub(super) link: Option<u32>,
    /// Index of the reading.
    pub(super) reading: Option<u32>,
    /// Index of the doubtful place.
    pub(super) asked: Option<u32>,
    /// Index of the speech: who says it is not who wrote the layer.
    pub(super) speech: Option<u32>,
    /// Index of the name that the source marks.
    pub(super) name: Option<u32>,
    /// The last decision of a review changed it.
    pub(super) changed: bool,
}

/// The kinds of marks.
const LINK: usize = 0;
const READING: usize = 1;
const ASKED: usize = 2;
const CHANGED: usize = 3;
const SPEECH: usize = 4;
const NAME: usize = 5;

/// The part of a link that is shown as a link: the quotation, or all of it.
/// Parallels have none: they are whole sentences, and are listed beside.
pub(super) fn shown(link: &Link) -> Option<Span> {
    let span = match (link.kind, link.quoted) {
        (LinkKind::Parallel, _) => return None,
        (LinkKind::Quotation, Some(q)) if !q.is_empty() => q,
        _ => link.span,
    };
    (!span.is_empty()).then_some(span)
}

/// The marked spans of a document, in order.
pub(super) fn of(
    document: &Document,
    names: &[MarkedName],
    review: Option<&PageReview>,
) -> Vec<MarkedSpan> {
    let links =
        document.links.iter().enumerate().filter_map(|(i, l)| Some((shown(l)?, i as u32, LINK)));
    let readings = document.readings.iter().map(|r| r.span);
    let asked = review.into_iter().flat_map(|r| r.places.iter().map(|p| p.span));
    let changed = review.into_iter().flat_map(|r| r.changed.iter().copied());
    let speeches = document.speeches.iter().map(|s| s.span);
    let numbered = |(i, span): (usize, Span), kind| (span, i as u32, kind);
    let spans: Vec<(Span, u32, usize)> = links
        .chain(readings.enumerate().map(|s| numbered(s, READING)))
        .chain(asked.enumerate().map(|s| numbered(s, ASKED)))
        .chain(changed.enumerate().map(|s| numbered(s, CHANGED)))
        .chain(speeches.enumerate().map(|s| numbered(s, SPEECH)))
        .chain(names.iter().map(|n| n.span).enumerate().map(|s| numbered(s, NAME)))
        .filter(|(span, ..)| !span.is_empty())
        .collect();
    let mut borders: Vec<(usize, bool, usize)> = Vec::with_capacity(spans.len() * 2);
    for (i, (span, ..)) in spans.iter().enumerate() {
        borders.push((span.start(), true, i));
        borders.push((span.end(), false, i));
    }
    borders.sort_unstable();
    let mut all = Vec::with_capacity(borders.len());
    let mut active: [BTreeSet<(usize, u32)>; 6] = Default::default();
    let mut at = 0;
    for (border, starts, i) in borders {
        if at < border && active.iter().any(|set| !set.is_empty()) {
            let shortest = |kind: usize| active[kind].first().map(|(_, i)| *i);
            all.push(MarkedSpan {
                span: Span::new(at, border),
                link: shortest(LINK),
                reading: shortest(READING),
                asked: shortest(ASKED),
                speech: shortest(SPEECH),
                name: shortest(NAME),
                changed: shortest(CHANGED).is_some(),
            });
        }
        at = border;
        let (span, index, kind) = spans[i];
        if starts {
            active[kind].insert((span.len(), index))
        } else {
            active[kind].remove(&(span.len(), index))
        };
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Certainty, Layer, Status};
    use crate::source::Source;
    use std::sync::Arc;

    fn link(start: usize, end: usize) -> Link {
        Link {
            kind: LinkKind::Citation,
            span: Span::new(start, end),
            quoted: None,
            layer: Layer::Shu,
            work: None,
            target: None,
            alternatives: vec![].into(),
            status: Status::Unresolved,
            certainty: Certainty::new(0.5),
            evidence: vec![].into(),
        }
    }

    #[test]
    fn crossing_and_nested_links_are_flattened() {
        let mut d = Document::new(Arc::new(Source::from_text("a", "0123456789")), "test");
        d.links = vec![link(0, 6), link(2, 3), link(5, 9)].into();
        let got: Vec<_> = of(&d, &[], None)
            .iter()
            .map(|r| (r.span.start(), r.span.end(), r.link.unwrap()))
            .collect();
        assert_eq!(got, [(0, 2, 0), (2, 3, 1), (3, 5, 0), (5, 6, 2), (6, 9, 2)]);
    }
}
