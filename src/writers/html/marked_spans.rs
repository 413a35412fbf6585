//! Links and readings over a text, flattened: spans of the model may overlap and nest in any way,
//! elements of a page may not. Every stretch between two borders gets the shortest link and the
//! shortest reading that cover it.

use std::collections::BTreeSet;

use crate::model::{Document, Link, LinkKind};
use crate::source::Span;

/// A stretch over which nothing begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MarkedSpan {
    pub(super) span: Span,
    /// Index of the link it belongs to.
    pub(super) link: Option<u32>,
    /// Index of the reading.
    pub(super) reading: Option<u32>,
}

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

/// The spans of a document that have a link or a reading, in order.
pub(super) fn of(document: &Document) -> Vec<MarkedSpan> {
    let links =
        document.links.iter().enumerate().filter_map(|(i, l)| Some((shown(l)?, i as u32, true)));
    let readings = document
        .readings
        .iter()
        .enumerate()
        .filter(|(_, r)| !r.span.is_empty())
        .map(|(i, r)| (r.span, i as u32, false));
    let spans: Vec<_> = links.chain(readings).collect();
    let mut borders: Vec<(usize, bool, usize)> = Vec::with_capacity(spans.len() * 2);
    for (i, (span, ..)) in spans.iter().enumerate() {
        borders.push((span.start(), true, i));
        borders.push((span.end(), false, i));
    }
    borders.sort_unstable();
    let mut all = Vec::with_capacity(borders.len());
    let mut active = [BTreeSet::new(), BTreeSet::new()];
    let mut at = 0;
    for (border, starts, i) in borders {
        let [links, readings] = &active;
        let (link, reading) = (links.first().map(|(_, i)| *i), readings.first().map(|(_, i)| *i));
        if at < border && (link.is_some() || reading.is_some()) {
            all.push(MarkedSpan { span: Span::new(at, border), link, reading });
        }
        at = border;
        let (span, index, is_link) = spans[i];
        let set = &mut active[usize::from(!is_link)];
        if starts {
            set.insert((span.len(), index))
        } else {
            set.remove(&(span.len(), index))
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
            alternatives: vec![],
            status: Status::Unresolved,
            certainty: Certainty::new(0.5),
            evidence: vec![],
        }
    }

    #[test]
    fn crossing_and_nested_links_are_flattened() {
        let mut d = Document::new(Arc::new(Source::from_text("a", "0123456789")), "test");
        d.links = vec![link(0, 6), link(2, 3), link(5, 9)];
        let got: Vec<_> =
            of(&d).iter().map(|r| (r.span.start(), r.span.end(), r.link.unwrap())).collect();
        assert_eq!(got, [(0, 2, 0), (2, 3, 1), (3, 5, 0), (5, 6, 2), (6, 9, 2)]);
    }
}
