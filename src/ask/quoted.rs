//! Which links lead to a text: a small table, so that who quotes a passage is found without reading
//! all texts again.

use std::collections::HashMap;

use crate::model::{Document, Layer, Link, LinkKind, Target};
use crate::source::Span;

/// A link that leads to a stretch of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuotingLink {
    /// The stretch.
    pub(super) at: Span,
    /// Number of the text that has the link, and number of the link in it.
    pub(super) document: u32,
    pub(super) link: u32,
    pub(super) kind: LinkKind,
    pub(super) layer: Layer,
    /// Its certainty, in per cent.
    pub(super) per_cent: u8,
    /// A parallel leads both ways: this is the way back, and what has the same words is its target.
    pub(super) is_back: bool,
}

/// Links by the id of the text that they lead to.
#[derive(Debug, Default)]
pub(super) struct LinkTable(HashMap<String, Vec<QuotingLink>>);

impl QuotingLink {
    /// All links of a text that lead somewhere, with the ids of the texts that they lead to.
    pub(super) fn all_of(number: usize, document: &Document) -> Vec<(String, QuotingLink)> {
        let mut all = vec![];
        for (n, link) in document.links.iter().enumerate() {
            let Some(target) = &link.target else { continue };
            if link.kind == LinkKind::Lemma {
                continue;
            }
            let card = QuotingLink {
                at: target.span,
                document: number as u32,
                link: n as u32,
                kind: link.kind,
                layer: link.layer,
                per_cent: (link.certainty.get() * 100.0).floor() as u8,
                is_back: false,
            };
            all.push((id_of(target, document).to_string(), card));
            if link.kind == LinkKind::Parallel {
                all.push((
                    document.id.clone(),
                    QuotingLink { at: link.span, is_back: true, ..card },
                ));
            }
        }
        all
    }

    /// The place that quotes, in a text that has the link: the id of its text if it is another.
    pub(super) fn place<'l>(&self, link: &'l Link) -> Option<(Option<&'l str>, Span)> {
        match (self.is_back, &link.target) {
            (false, _) => Some((None, link.span)),
            (true, Some(target)) => Some((target.doc.as_deref(), target.span)),
            (true, None) => None,
        }
    }
}

/// The id of the text that a target is in.
pub(super) fn id_of<'a>(target: &'a Target, document: &'a Document) -> &'a str {
    target.doc.as_deref().unwrap_or(&document.id)
}

impl LinkTable {
    /// Adds the links of a text.
    pub(super) fn extend(&mut self, links: Vec<(String, QuotingLink)>) {
        for (id, link) in links {
            self.0.entry(id).or_default().push(link);
        }
    }

    /// The links that lead to one of some stretches of a text.
    pub(super) fn to<'t>(
        &'t self,
        id: &str,
        spans: &'t [Span],
    ) -> impl Iterator<Item = &'t QuotingLink> {
        let all = self.0.get(id).into_iter().flatten();
        all.filter(|link| spans.iter().any(|span| span.overlap(link.at) > 0))
    }
}
